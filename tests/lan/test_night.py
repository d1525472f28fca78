"""A club's night over a LAN: many programs in lines, four rounds, and all that goes wrong.

Everybody plays wherever the hall leads them, by the autopilot, until the test ends.
"""

from __future__ import annotations

import asyncio
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from engine.notation import Record, parse_record, replay
from tests.lan.lan import Lan, Program
from tests.lan.players import CODE, Player, sabtui

CLUB: Final = "The Nugget"
ROUNDS: Final = 4

BY_HAND_S: Final = 8.0
"""Seconds until an organiser has run the club again: more than an election of a host takes."""

PATIENCE_S: Final = 300.0
"""Seconds to wait for anything: a round takes about one minute, beside other tests a few."""

IN_HALL: Final = re.compile(rf"{CLUB}: \w+ \(you\)")
TABLE: Final = re.compile(r"Table: (Table \d)")
LOST: Final = re.compile("Lost connection|No word from the host|are out of reach")
BACK: Final = re.compile("You are up to date|The host is answering")


class Person:
    """Somebody at a club, by name, whose program has this home.

    `tables` are the names of the tables at which they were, in order; `missed` counts the rounds
    before they came.
    """

    def __init__(self, name: str, home: Path, program: Program) -> None:
        self.name = name
        self.home = home
        self.program = program
        self.is_in_hall = self.is_lost = self.has_begun = False
        self.missed = 0
        self.tables: list[str] = []
        self.heard: list[str] = []
        self._came = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(EOFError):
            while True:
                try:
                    line = await self.program.line()
                except TimeoutError:
                    continue  # in the hall nothing is said for a while
                self.heard.append(line)
                if LOST.search(line) or BACK.match(line):
                    self.is_lost = not BACK.match(line)
                if found := TABLE.match(line):
                    self.tables.append(found[1])
                    self.has_begun = self.is_in_hall = False
                self.has_begun |= line.startswith("The game begins")
                self.is_in_hall |= IN_HALL.match(line) is not None
                self._came.set()

    async def until(self, done: Callable[[Person], object], what: str) -> None:
        """Wait for something that this person reads, not for ever."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not done(self):
                    self._came.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(3):  # what is in files comes without a line
                            await self._came.wait()
        except TimeoutError as error:
            said = "\n".join([str(self.tables), *self.heard[-60:]])
            raise AssertionError(f"{self.name} waited until {what}:\n{said}") from error

    async def reads(self, pattern: str) -> None:
        """Wait for a line, or find it among those read."""
        await self.until(lambda guest: re.search(pattern, "\n".join(guest.heard)), pattern)

    def says(self, line: str) -> None:
        """Type a line."""
        self.program.say(line)

    def is_at(self, number: int) -> bool:
        """Return True if the game at this person's table of a round has begun."""
        return len(self.tables) == number - self.missed and self.has_begun

    async def leave(self) -> None:
        """Close the program's window."""
        await self.program.kill()
        await self._reading


async def come(lan: Lan, laptop: str, home: Path, name: str, how: str = "--autopilot") -> Person:
    """Join the club that is seen on the network, and wait until the hall is there."""
    words = ("join", "--plain", how, "--code", CODE, "--name", name)
    guest = Person(name, home / name, await sabtui(lan, laptop, home / name, *words))
    await guest.until(lambda guest: guest.is_in_hall, "they are in the hall")
    return guest


def tell(*words: object) -> None:
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
    word: str = ""
    club: Program | None = None
    people: list[Person] = field(default_factory=list)
    gone: list[Person] = field(default_factory=list)
    compared: int = 0

    async def open(self) -> None:
        """Run the club, or run it again."""
        words = ("club", CLUB, "--code", CODE)
        self.club = await sabtui(self.lan, "h1", self.home / "club", *words)
        club = Player("club", self.club)
        self.word = (await club.reads(r"Organiser's word.*: (\S+)$"))[1][1]
        self.folder = Path((await club.reads(r"nights are saved in (.+)$"))[1][1])

    async def begin(self) -> None:
        """Somebody comes who leads the night, of games of one round, and does not play."""
        self.organiser = await come(self.lan, "h1", self.home, "Olga", "--watch")
        self.organiser.says(f"organiser {self.word}")
        await self.organiser.reads("Organisers: night")
        self.organiser.says(f"night {ROUNDS}, rounds 1")
        await self.organiser.reads(f"A night of {ROUNDS} rounds")

    async def draw(self, number: int) -> None:
        """Draw a round, and wait until everybody's game has begun where the club has told."""
        begun = time.monotonic()
        self.organiser.says("draw")
        for person in self.people:
            await person.until(
                lambda guest: guest.is_at(number), f"the game of round {number} has begun"
            )
        tell(f"round {number} drawn and begun in {time.monotonic() - begun:.0f} s")
        results = Results.read(self.folder)
        assert len(results.rounds) == number
        assert sorted(name for names in results.rounds[-1] for name in names) == sorted(
            person.name for person in self.people
        )
        for person in self.people:
            assert person.tables[-1] == results.places[-1][person.name]

    def find(self, name: str) -> Person:
        """Return the person of a name."""
        return next(person for person in self.people if person.name == name)

    async def miss_club(self, people: list[Person]) -> None:
        """Wait until programs have lost the club."""
        for person in people:
            await person.until(lambda guest: guest.is_lost, "the club is lost")

    async def kill(self) -> None:
        """Kill the club in mid-round, and run it again with the same command."""
        assert self.club is not None
        await self.club.kill()
        games = Results.read(self.folder).rounds[-1]
        tell(f"killed while {sum(not gold for gold in games.values())} games went on")
        assert not all(games.values())
        await self.miss_club(self.people)
        await asyncio.sleep(BY_HAND_S)
        await self.open()
        for person in self.people:
            await person.until(lambda guest: not guest.is_lost, "the club is back")
        tell("the club is back")

    async def finish(self, number: int) -> None:
        """Wait until all games of a round are over; those of the last one end the night."""
        await self.organiser.reads(f"Round {number} of {ROUNDS} is over|won the evening")
        assert all(Results.read(self.folder).rounds[number - 1].values())

    async def save(self) -> None:
        """Wait until everybody's program has saved the last game, which the club knew first."""

        def has_saved(guest: Person) -> bool:
            return len(records_of(guest.home)) == len(guest.tables)

        for person in self.people:
            await person.until(has_saved, "all of their games are saved")

    def records(self) -> dict[tuple[str, ...], set[tuple[int, ...]]]:
        """Play all saved games again; return the gold of each, by the names of its people."""
        found: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
        self.compared = 0
        for guest in (*self.people, *self.gone):
            files = records_of(guest.home)
            assert len(files) == len(guest.tables), guest.name
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
                standing = standings.setdefault(name, Standing())
                standing.games += 1
                standing.won += nuggets == max(gold)
                standing.gold += nuggets
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
        tell(f"{nuggets} nuggets of {len(told)} people; {self.compared} in saved games")

    async def leave(self, name: str) -> None:
        """Somebody leaves the club."""
        leaving = self.find(name)
        await leaving.leave()
        self.gone.append(leaving)
        self.people.remove(leaving)
        in_hall = next(person for person in self.people if person.is_in_hall)
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
        tell("club:", *(f"{what} {int(size) // 1024} MB" for what, size in taken))


PEOPLE: Final = (
    *((f"L{at}", f"h{at}") for at in range(2, 13)),
    *((f"M{at}", f"h{at}") for at in range(2, 13)),
    *((f"N{at}", f"h{at}") for at in range(11, 13)),
)
"""The 24 people who come, by name, each with the laptop at which they are."""


@pytest.mark.level("soak")
async def test_a_night_of_24_people_and_five_tables(new_lan: type[Lan], tmp_path: Path) -> None:
    began = time.monotonic()
    async with new_lan(12) as lan:
        night = Night(lan, tmp_path)
        await night.open()
        for name, laptop in PEOPLE:
            night.people.append(await come(lan, laptop, tmp_path, name))
        tell(f"24 people have come after {time.monotonic() - began:.0f} s")
        await night.begin()
        await night.draw(1)
        await night.finish(1)
        await night.draw(2)
        await lan.run("cable", "h8", "out")
        cut = [night.find(name) for name in ("L8", "M8")]
        await night.miss_club(cut)
        await lan.run("cable", "h8", "in")
        for guest in cut:
            await guest.until(lambda guest: not guest.is_lost, "the connection is back")
        await night.finish(2)
        await night.draw(3)
        await night.kill()
        for name, laptop in (("X1", "h10"), ("X2", "h11"), ("X3", "h12")):
            late = await come(lan, laptop, tmp_path, name)
            late.missed = 3
            night.people.append(late)
        await night.finish(3)
        for name in ("M4", "L5"):
            await night.leave(name)
        await night.draw(4)
        await night.finish(4)
        await night.save()
        night.print_memory()
        night.check()
        for person in list(night.people):
            await person.leave()
    tell(f"the whole night took {time.monotonic() - began:.0f} s")
