"""A club's night over a LAN: people play wherever the hall leads them, and much goes wrong."""

from __future__ import annotations

import asyncio
import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from engine.notation import Record, parse_record, replay
from tests.lan.lan import Lan, NewLan, Program
from tests.lan.players import CODE, LOOK_AGAIN_S, Player, sabtui

CLUB: Final = "The Nugget"
NAMES: Final = ("Ada", "Ben", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan")
ROUNDS: Final = 3

PATIENCE_S: Final = 300.0
"""Seconds to wait for anything: a round takes about one minute, beside other tests a few."""

BY_HAND_S: Final = 8.0
"""Seconds until an organiser has run the club again: more than it takes to miss a host."""

LOST: Final = re.compile("^(Lost connection|No word from the host)")
BACK: Final = re.compile("^(You are up to date|The host is answering)")


class Person:
    """Somebody at a club with the program in lines, on autopilot at each table.

    `tables` are the names of the tables at which they were, in order.
    """

    def __init__(self, name: str, home: Path, program: Program) -> None:
        self.name = name
        self.home = home
        self.program = program
        self.is_in_hall = self.is_lost = self.has_begun = False
        self.tables: list[str] = []
        self.heard: list[str] = []
        self._reading = asyncio.create_task(self._read())

    async def until(self, done: Callable[[Person], object], what: str) -> None:
        """Wait for something that this person reads, not for ever."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not done(self):
                    assert not self._reading.done(), f"{self.name} has ended: {self.said}"
                    await asyncio.sleep(LOOK_AGAIN_S)
        except TimeoutError as error:
            raise AssertionError(f"{self.name} waited until {what}:\n{self.said}") from error

    async def reads(self, pattern: str) -> None:
        """Wait for a line."""
        await self.until(lambda person: any(re.search(pattern, at) for at in person.heard), pattern)

    async def leave(self) -> None:
        """Close the program's window."""
        await self.program.kill()
        await self._reading

    @property
    def said(self) -> str:
        """What was read, for when a test fails."""
        return f"{self.tables}\n" + "\n".join(self.heard[-60:])

    async def _read(self) -> None:
        with suppress(EOFError):
            while True:
                try:
                    line = await self.program.line()
                except TimeoutError:
                    continue  # in the hall nothing is said for a while
                self.heard.append(line)
                if LOST.match(line) or BACK.match(line):
                    self.is_lost = LOST.match(line) is not None
                if found := re.match(r"Table: (Table \d)", line):
                    self.tables.append(found[1])
                    self.has_begun = self.is_in_hall = False
                self.has_begun |= line.startswith("The game begins")
                self.is_in_hall |= re.match(rf"{CLUB}: \w+ \(you\)", line) is not None


@dataclass(frozen=True)
class Results:
    """What the club has saved of its night; `rounds` have the gold by the names at each table."""

    people: list[dict[str, object]]
    rows: list[dict[str, str]]
    rounds: list[dict[tuple[str, ...], tuple[int, ...]]]
    places: list[dict[str, str]]

    @staticmethod
    def read(folder: Path) -> Results:
        """Read them as JSON and as CSV."""
        (file,) = folder.glob("*.json")
        told = json.loads(file.read_text())
        rows = list(csv.DictReader(file.with_suffix(".csv").read_text().splitlines()))
        numbers = range(1, max((table["round"] for table in told["tables"]), default=0) + 1)
        tables = [[at for at in told["tables"] if at["round"] == number] for number in numbers]
        return Results(
            told["people"],
            rows,
            [{tuple(at["people"]): tuple(at["gold"]) for at in drawn} for drawn in tables],
            [
                {name: f"Table {at['table']}" for at in drawn for name in at["people"]}
                for drawn in tables
            ],
        )


def records_of(home: Path) -> list[Path]:
    """The games that the program of this home has saved."""
    return list(home.glob("data/sabtui/records/*.sab"))


@dataclass
class Night:
    """A club on the first laptop, an organiser who watches, and the people."""

    lan: Lan
    home: Path
    folder: Path = Path()
    club: Program = field(init=False)
    organiser: Person = field(init=False)
    people: list[Person] = field(default_factory=list)
    gone: list[Person] = field(default_factory=list)

    async def open(self) -> str:
        """Run the club, or run it again; return the organiser's word."""
        words = ("club", CLUB, "--code", CODE)
        self.club = await sabtui(self.lan, "h1", self.home / "club", *words)
        club = Player("club", self.club)
        word = (await club.reads(r"Organiser's word.*: (\S+)$"))[1][1]
        self.folder = Path((await club.reads(r"nights are saved in (.+)$"))[1][1])
        return word

    async def come(self, name: str, laptop: str, how: str = "--autopilot") -> Person:
        """Somebody comes into the hall."""
        words = ("join", "--plain", how, "--code", CODE, "--name", name)
        program = await sabtui(self.lan, laptop, self.home / name, *words)
        person = Person(name, self.home / name, program)
        await person.until(lambda guest: guest.is_in_hall, "they are in the hall")
        return person

    async def draw(self, number: int) -> None:
        """Draw a round, and wait until everybody's game has begun where the club has told."""
        began = {person: len(person.tables) for person in self.people}
        self.organiser.program.say("draw")
        for person in self.people:
            await person.until(
                lambda guest: len(guest.tables) > began[guest] and guest.has_begun,
                f"the game of round {number} has begun",
            )
        results = Results.read(self.folder)
        assert len(results.rounds) == number
        told = {person.name: person.tables[-1] for person in self.people}
        assert results.places[-1] == told

    async def finish(self, number: int) -> None:
        """Wait until all games of a round are over; those of the last one end the night."""
        await self.organiser.reads(f"Round {number} of {ROUNDS} is over|won the evening")
        assert all(Results.read(self.folder).rounds[number - 1].values())

    async def until_all(self, people: list[Person], *, are_lost: bool) -> None:
        """Wait until all of these have lost the club, or have it back."""
        for person in people:
            await person.until(lambda guest: guest.is_lost is are_lost, f"lost: {are_lost}")

    async def kill(self) -> None:
        """Kill the club in mid-round, and run it again with the same command."""
        await self.club.kill()
        assert not all(Results.read(self.folder).rounds[-1].values())
        await self.until_all(self.people, are_lost=True)
        await asyncio.sleep(BY_HAND_S)
        await self.open()
        await self.until_all(self.people, are_lost=False)

    async def leave(self, person: Person) -> None:
        """Let somebody close their program's window, and wait until the club has noticed."""
        await person.leave()
        self.people.remove(person)
        self.gone.append(person)
        told = [person.name]
        while any(person.name in line for line in told):
            before = len(self.organiser.heard)
            self.organiser.program.say("who")

            def is_told(guest: Person, before: int = before) -> bool:
                return any(line.startswith("A number joins") for line in guest.heard[before:])

            await self.organiser.until(is_told, f"it is told whether {person.name} is there")
            told = self.organiser.heard[before:]

    def records(self) -> dict[tuple[str, ...], set[tuple[int, ...]]]:
        """Play all saved games again; return the gold of each, by the names of its people."""
        found: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
        for guest in (*self.people, *self.gone):
            files = records_of(guest.home)
            assert len(files) == len(guest.tables), (guest.name, guest.said)
            for file in files:
                record = parse_record(file.read_text())
                assert isinstance(record, Record), "whole, not what one seat has seen"
                *_, (game, _events) = replay(record)
                assert game.score.nuggets is not None
                found.setdefault(record.names, set()).add(game.score.nuggets)
        return found

    def check(self) -> None:
        """Compare what the club tells of its night with the games that the people have saved."""
        results, records = Results.read(self.folder), self.records()
        games, won, gold = Counter[str](), Counter[str](), Counter[str]()
        for names, nuggets in (item for tables in results.rounds for item in tables.items()):
            assert records.pop(names) == {nuggets}
            games.update(names)
            for name, own in zip(names, nuggets, strict=True):
                gold[name] += own
                won[name] += own == max(nuggets)
        assert not records, "each game that was saved is one of the night's"
        assert {str(person["name"]): person for person in results.people} == {
            name: {"name": name, "games": games[name], "won": won[name], "gold": gold[name]}
            for name in games
        }
        assert {row["name"]: float(row["gold"]) for row in results.rows} == gold
        order = [gold[str(person["name"])] for person in results.people]
        assert order == sorted(order, reverse=True)


@pytest.mark.level("soak")
async def test_a_night_of_ten_people_and_two_tables(new_lan: NewLan, tmp_path: Path) -> None:
    async with new_lan(6) as lan:
        night = Night(lan, tmp_path)
        word = await night.open()
        night.organiser = await night.come("Olga", "h1", "--watch")
        night.organiser.program.say(f"organiser {word}")
        await night.organiser.reads("^You are an organiser")
        for at, name in enumerate(NAMES):
            night.people.append(await night.come(name, f"h{2 + at % 5}"))
        night.organiser.program.say(f"night {ROUNDS}, rounds 1")
        await night.organiser.reads(f"A night of {ROUNDS} rounds")
        await night.draw(1)
        await night.finish(1)
        await night.draw(2)
        cut_off = [night.people[at] for at in (4, 9)]
        await lan.run("cable", "h6", "out")
        await night.until_all(cut_off, are_lost=True)
        await lan.run("cable", "h6", "in")
        await night.until_all(cut_off, are_lost=False)
        await night.kill()
        await night.finish(2)
        night.people.append(await night.come("Xenia", "h2"))
        await night.leave(night.people[0])
        await night.draw(3)
        await night.finish(3)
        for person in night.people:
            await person.until(
                lambda guest: len(records_of(guest.home)) == len(guest.tables), "games are saved"
            )
        night.check()
