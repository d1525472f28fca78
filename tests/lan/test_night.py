"""A club's night over a LAN: many programs of all kinds, four rounds, and all that goes wrong."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from engine.notation import Record, parse_record, replay
from tests.lan.lan import Lan, Program
from tests.lan.night_people import (
    CLUB,
    CODE,
    NARROW,
    Person,
    Reader,
    by_browser,
    by_ssh,
    in_lines,
    on_screen,
)
from tests.lan.players import Player, sabtui

pytestmark = [
    pytest.mark.skipif(
        find_spec(module) is None, reason=f"a door needs {module}, which is not here"
    )
    for module in ("asyncssh", "websockets")
]

ROUNDS: Final = 4

BY_HAND_S: Final = 8.0
"""Seconds until an organiser has run the club again: more than an election of a host takes."""
UP, DOWN, LEFT, RIGHT = (f"\x1b[{key}" for key in "ABDC")


def report(*words: object) -> None:
    """Print what was measured."""
    print(*words)  # noqa: T201 - the measured figure


Tables = dict[tuple[str, ...], tuple[int, ...]]
"""The gold of the tables of a round, by the names of their people; empty if the game goes on."""


@dataclass(frozen=True)
class Results:
    """What the club has saved of its night."""

    people: list[dict[str, object]]
    rows: list[dict[str, str]]
    rounds: list[Tables]
    places: list[dict[str, str]]

    @staticmethod
    def read(folder: Path) -> Results:
        """Read them as JSON and as CSV."""
        (file,) = folder.glob("*.json")
        told = json.loads(file.read_text())
        rows = list(csv.DictReader(file.with_suffix(".csv").read_text().splitlines()))
        rounds: list[Tables] = []
        places: list[dict[str, str]] = []
        for table in told["tables"]:
            while len(rounds) < table["round"]:
                rounds.append({})
                places.append({})
            rounds[-1][tuple(table["people"])] = tuple(table["gold"])
            places[-1] |= dict.fromkeys(table["people"], f"Table {table['table']}")
        return Results(told["people"], rows, rounds, places)


@dataclass
class Standing:
    """Somebody's games, counted from the records alone."""

    games: int = 0
    won: int = 0
    gold: int = 0


def records_of(home: Path) -> list[Path]:
    """The games that the program of this home has saved."""
    return list(home.glob("data/sabtui/records/*.sab"))


@dataclass
class Night:
    """A club on the first laptop, an organiser who watches, and the people."""

    lan: Lan
    home: Path
    folder: Path = Path()
    password: str = ""
    club: Program | None = None
    people: list[Person] = field(default_factory=list)
    gone: list[Person] = field(default_factory=list)
    compared: int = 0

    async def open(self) -> None:
        """Run the club, or run it again."""
        words = ("club", CLUB, "--code", CODE, "--ssh", "--web")
        self.club = await sabtui(self.lan, "h1", self.home / "club", *words)
        club = Player("club", self.club)
        self.password = (await club.reads(r"Organiser password.*: (\S+)$"))[1][1]
        self.folder = Path((await club.reads(r"nights are saved in (.+)$"))[1][1])
        for _door in "ssh", "web":  # in any order
            await club.reads(r"(ssh -p 7351 NAME@10\.77\.0\.1$|http://10\.77\.0\.1:7361/)")

    async def organise(self) -> None:
        """Somebody comes who leads the night, and does not play."""
        self.organiser = await on_screen(self.lan, "h1", self.home, "Olga", "--watch")
        await self.organiser.sees("In the hall: Olga")
        await self.organiser.face.type("o")
        await self.organiser.sees("Type the organiser password")
        await self.organiser.face.type(f"{self.password}\r")
        await self.organiser.sees("You are an organiser")

    async def begin(self) -> None:
        """Begin a night of this many rounds, each a game of one round."""
        face = self.organiser.face
        await face.type("g")
        await self.organiser.sees("how many rounds")
        await face.type(DOWN * (ROUNDS - 1) + "\r")
        await self.organiser.sees("Table settings")
        await face.type(LEFT * 2)
        await self.organiser.sees(r"Rounds +.*1")
        await face.type("\r")
        await self.organiser.sees(f"Game night, {ROUNDS} rounds")

    async def draw(self, number: int) -> None:
        """Draw a round, and wait until everybody's game has begun where the club has told."""
        begun = time.monotonic()
        await self.organiser.face.type("d")
        for person in self.people:
            await person.until(
                lambda guest: guest.is_at(number), f"the game of round {number} has begun"
            )
        report(f"round {number} drawn and begun in {time.monotonic() - begun:.0f} s")
        results = Results.read(self.folder)
        assert len(results.rounds) == number
        assert sorted(name for names in results.rounds[-1] for name in names) == sorted(
            person.name for person in self.people
        )
        for names in results.rounds[-1]:
            for person in self.people:
                if person.name in names and person.tables[-1] == NARROW:
                    assert all(name in person.heard[0] for name in names if name != person.name)
                elif person.name in names:
                    assert person.tables[-1] == results.places[-1][person.name]

    def find(self, name: str) -> Person:
        """Return the person of a name."""
        return next(person for person in self.people if person.name == name)

    async def miss_club(self, people: list[Person]) -> None:
        """Wait until programs in lines have lost the club: a page of a screen may hide that."""
        for person in people:
            if isinstance(person, Reader):
                await person.until(lambda guest: guest.is_lost, "the club is lost")

    async def kill(self) -> None:
        """Kill the club in mid-round, and run it again with the same command."""
        assert self.club is not None
        await self.club.kill()
        games = Results.read(self.folder).rounds[-1]
        report(f"killed while {sum(not gold for gold in games.values())} games went on")
        assert not all(games.values())
        await self.miss_club(self.people)
        await asyncio.sleep(BY_HAND_S)
        await self.open()
        for person in self.people:
            await person.until(lambda guest: not guest.is_lost, "the club is back")
        report("the club is back")

    async def finish(self, number: int) -> None:
        """Wait until all games of a round are over; those of the last one end the night."""
        await self.organiser.sees(f"Round {number} of {ROUNDS} is over|won the evening")
        assert all(Results.read(self.folder).rounds[number - 1].values())

    async def save(self) -> None:
        """Wait until everybody's program has saved the last game, which the club knew first."""

        def has_saved(guest: Person) -> bool:
            return guest.home is None or len(records_of(guest.home)) == len(guest.tables)

        for person in self.people:
            await person.until(has_saved, "all of their games are saved")

    def records(self) -> dict[tuple[str, ...], set[tuple[int, ...]]]:
        """Play all saved games again; return the gold of each, by the names of its people."""
        found: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
        self.compared = 0
        for guest in (*self.people, *self.gone):
            if guest.home is None:
                continue
            files = records_of(guest.home)
            assert len(files) == len(guest.tables), (guest.name, guest.said)
            for file in files:
                record = parse_record(file.read_text())
                assert isinstance(record, Record), "whole, not what one seat has seen"
                *_, (game, _events) = replay(record)
                assert game.score.nuggets is not None
                found.setdefault(record.names, set()).add(game.score.nuggets)
                self.compared += sum(game.score.nuggets)
        return found

    def check(self) -> None:
        """Compare what the club tells of its night with the games that the people have saved."""
        results, records = Results.read(self.folder), self.records()
        standings: dict[str, Standing] = {}
        for names, gold in (item for tables in results.rounds for item in tables.items()):
            assert records.pop(names) == {gold}
            for name, nuggets in zip(names, gold, strict=True):
                one = standings.setdefault(name, Standing())
                one.games += 1
                one.won += nuggets == max(gold)
                one.gold += nuggets
        for count, allowed in ((3, 2), (4, 8)):
            met = Counter(
                pair
                for tables in results.rounds[:count]
                for names in tables
                for pair in combinations(sorted(names), 2)
            )
            twice = [pair for pair, times in met.items() if times > 1]
            assert len(twice) <= allowed, f"so many of {met.total()} meetings: {twice}"
        assert [sorted(map(len, tables)) for tables in results.rounds] == [
            *[[4, 5, 5, 5, 5]] * 3,
            [5] * 5,
        ]
        assert not records, "each game that was saved is one of the night's"
        told = {str(person["name"]): person for person in results.people}
        rows = {row["name"]: row for row in results.rows}
        assert told.keys() == rows.keys() == standings.keys()
        for name, item in standings.items():
            assert told[name] == {"name": name, **vars(item)}
            assert float(rows[name]["gold"]) == item.gold
        order = [standings[name].gold for name in told]
        assert order == sorted(order, reverse=True)
        nuggets = sum(order)
        report(f"{nuggets} nuggets of {len(told)} people; {self.compared} in saved games")

    async def leave(self, name: str) -> None:
        """Somebody leaves the club."""
        (one,) = (person for person in self.people if person.name == name)
        await one.leave()
        self.gone.append(one)
        self.people.remove(one)
        in_hall = next(
            person for person in self.people if isinstance(person, Reader) and person.is_in_hall
        )
        told = [name]
        while any(name in line for line in told):
            before = len(in_hall.heard)
            in_hall.says("who")

            def is_told(guest: Person, before: int = before) -> bool:
                return any(line.startswith("A number joins") for line in guest.heard[before:])

            await in_hall.until(is_told, f"it is told whether {name} is there")
            told = in_hall.heard[before:]

    def print_memory(self) -> None:
        """Print what the club's process takes."""
        assert self.club is not None
        status = Path(f"/proc/{self.club.pid}/status").read_text()
        taken = re.findall(r"(VmHWM|VmRSS):\s+(\d+) kB", status)
        report("club:", *(f"{what} {int(size) // 1024} MB" for what, size in taken))


@pytest.mark.level("soak")
@pytest.mark.needs("chromium", "ssh")
async def test_a_night_of_24_people_and_five_tables(new_lan: type[Lan], tmp_path: Path) -> None:
    began = time.monotonic()
    async with new_lan(12) as lan:
        night = Night(lan, tmp_path)
        await night.open()
        await night.organise()
        coming: list[Coroutine[object, object, Person]] = [
            *(by_ssh(lan, "h2", tmp_path, name) for name in ("Ada", "Bea")),
            *(by_browser(lan, "h3", tmp_path, name) for name in ("Cyd",)),
            *(on_screen(lan, f"h{at}", tmp_path, f"S{at}") for at in range(4, 10)),
            *(in_lines(lan, f"h{at}", tmp_path, f"L{at}") for at in range(4, 13)),
            *(in_lines(lan, f"h{at}", tmp_path, f"M{at}") for at in range(7, 13)),
        ]
        for coming_in in coming:
            night.people.append(await coming_in)
            await night.people[-1].until(lambda guest: guest.is_in_hall, "they are in the hall")
        report(f"24 people have come after {time.monotonic() - began:.0f} s")
        await night.begin()
        await night.draw(1)
        await night.finish(1)
        await night.draw(2)
        await lan.run("cable", "h8", "out")
        cut = [night.find(name) for name in ("S8", "L8", "M8")]
        await night.miss_club(cut)
        await lan.run("cable", "h8", "in")
        for guest in cut:
            await guest.until(lambda guest: not guest.is_lost, "the connection is back")
        await night.finish(2)
        await night.draw(3)
        await night.kill()
        for name, laptop in (("X1", "h10"), ("X2", "h11"), ("X3", "h12")):
            late = await in_lines(lan, laptop, tmp_path, name)
            await late.until(lambda guest: guest.is_in_hall, "somebody late is in the hall")
            late.missed = 3
            night.people.append(late)
        await night.finish(3)
        for name in ("S4", "L5"):
            await night.leave(name)
        await night.draw(4)
        await night.finish(4)
        await night.save()
        night.print_memory()
        night.check()
        for person in list(night.people):
            await person.leave()
    report(f"the whole night took {time.monotonic() - began:.0f} s")
