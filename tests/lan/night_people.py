"""People at a club's night: programs in lines, on screens, by ssh and in a browser.

Each plays wherever the hall leads them, by the autopilot, until the test ends. `tables` are the
names of the tables at which they were, in order, as their own faces have told them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.lan.lan import Lan, Program
from tests.lan.players import homes, sabtui
from tests.sabtui.doors.watched import OWN_TERMINAL
from tests.terminal import Terminal

CODE: Final = "amber-tulip"
CLUB: Final = "The Nugget"

PATIENCE_S: Final = 300.0
"""Seconds to wait for anything: a round takes about one minute, beside other tests a few."""

LOOK_AGAIN_S: Final = 3.0
"""Seconds after which a person who saw nothing happen presses the key again."""

IN_HALL: Final = rf"{CLUB}: \w+ \(you\)"
TABLE: Final = re.compile(r"\bTable (\d)\b")
ON_AUTOPILOT: Final = re.compile("A bot plays for you|BOT PLAYS")
LOST: Final = re.compile(
    r"Lost\s+connection|host\s+(is\s+not\s+answering|has\s+not\s+answered)|are\s+out\s+of\s+reach"
)
BACK: Final = re.compile("You are up to date|The host is answering")

NARROW: Final = "?"
"""The name of a table on a phone, which has no room for it: the names of the others are there."""


class Person(ABC):
    """Somebody at a club, by name; `home` is the folder of their program if they have one."""

    def __init__(self, name: str, home: Path | None) -> None:
        self.name = name
        self.home = home
        self.is_in_hall = False
        self.is_lost = False
        self.has_begun = False
        self.missed = 0  # rounds before they came
        self.tables: list[str] = []
        self.heard: list[str] = []
        self.playing: asyncio.Task[None] | None = None
        self._came = asyncio.Event()

    async def until(self, done: Callable[[Person], object], what: str) -> None:
        """Wait for something that this person reads, not for ever."""
        assert self.playing is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not done(self):
                    assert not self.playing.done(), f"{self.name} has ended: {self.said}"
                    self._came.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_AGAIN_S):
                            await self._came.wait()
        except TimeoutError as error:
            raise AssertionError(f"{self.name} waited until {what}:\n{self.said}") from error

    @abstractmethod
    async def leave(self) -> None:
        """Leave the club, as somebody does who closes the program's window."""

    def is_at(self, number: int) -> bool:
        """Return True if the game at this person's table of a round has begun."""
        return len(self.tables) == number - self.missed and self.has_begun

    @property
    def said(self) -> str:
        """What was read, for when a test fails."""
        return f"{self.tables}\n" + "\n".join(self.heard[-60:])

    def take(self, *, table: str = "", begun: bool = False, hall: bool = False) -> None:
        """Note where this person is."""
        if table:
            self.tables.append(table)
            self.has_begun = self.is_in_hall = False
        self.has_begun |= begun
        self.is_in_hall |= hall
        self._came.set()


class Reader(Person):
    """Somebody with the program in lines."""

    def __init__(self, name: str, home: Path, program: Program) -> None:
        super().__init__(name, home)
        self.program = program
        self.playing = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(EOFError):
            while True:
                try:
                    line = await self.program.line()
                except TimeoutError:
                    continue  # in the hall nothing is said for a while
                self.heard.append(line)
                found = re.match(r"Table: (Table \d)", line)
                if LOST.search(line) or BACK.match(line):
                    self.is_lost = not BACK.match(line)
                self.take(
                    table=found[1] if found else "",
                    begun=line.startswith("The game begins"),
                    hall=re.match(IN_HALL, line) is not None,
                )

    def says(self, line: str) -> None:
        """Type a line."""
        self.program.say(line)

    async def leave(self) -> None:
        """Close the program's window."""
        await self.program.kill()
        assert self.playing is not None
        await self.playing


class OwnScreen:
    """The face of a program on a terminal, at a laptop. `hand` is seen in a game alone."""

    hand = "your hand"

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    async def look(self) -> str:
        """Return the screen, once it is drawn again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN_S):
                await self.terminal.writes()
        return self.terminal.text

    async def type(self, keys: str) -> None:
        """Type."""
        self.terminal.type(keys)

    async def leave(self) -> None:
        """Close the window."""
        await self.terminal.kill()


class Phone:
    """The face of the browser door, on a phone (`tests.lan.browse`)."""

    hand = r"Round \d+ of \d+\."
    back = "#sheet[open] .row:last-child button:last-child"

    def __init__(self, program: Program) -> None:
        self.program = program

    async def look(self) -> str:
        """Return what the page shows."""
        self.program.say("text")
        return str(json.loads(await self.program.line()))

    async def type(self, keys: str) -> None:
        """Type, once the sheet that tells one's role is closed: it has its own keys."""
        for command in (f"tap {self.back}", f"type {keys}"):
            self.program.say(command)
            await self.program.line()

    async def leave(self) -> None:
        """Close the browser."""
        await self.program.kill()


class Watcher(Person):
    """Somebody with a screen, of whatever kind."""

    def __init__(self, name: str, home: Path | None, face: OwnScreen | Phone) -> None:
        super().__init__(name, home)
        self.face = face
        self.playing = asyncio.create_task(self._watch())

    async def sees(self, pattern: str) -> str:
        """Wait for a text on the screen."""
        await self.until(
            lambda person: re.search(pattern, person.heard[0]) if person.heard else None, pattern
        )
        return self.heard[0]

    async def _watch(self) -> None:
        """Follow what is shown; at each table, let the autopilot play."""
        with suppress(AssertionError, OSError, EOFError):
            flies = False
            while True:
                text = await self.face.look()
                self.heard[:] = [text]
                self._came.set()
                self.is_lost = bool(LOST.search(text))
                if re.search(IN_HALL, text):
                    flies = False
                    self.take(hall=True)
                if not re.search(self.face.hand, text):
                    continue
                if self.is_in_hall:
                    found = TABLE.search(text)
                    self.take(table=found[0] if found else NARROW)
                    self.take(begun=True)
                if not flies:
                    flies = await self._fly()

    async def _fly(self) -> bool:
        """Let the autopilot play; return True once it is to be seen that it does."""
        await self.face.type("Ay")
        until = time.monotonic() + LOOK_AGAIN_S
        while time.monotonic() < until:
            self.heard[:] = [await self.face.look()]
            if ON_AUTOPILOT.search(self.heard[0]):
                return True
        return False

    async def leave(self) -> None:
        """Close the window."""
        assert self.playing is not None
        self.playing.cancel()
        await self.face.leave()


async def in_lines(lan: Lan, laptop: str, home: Path, name: str) -> Reader:
    """Join the club that is seen on the network, in lines."""
    words = ("join", "--plain", "--autopilot", "--code", CODE, "--name", name)
    return Reader(name, home / name, await sabtui(lan, laptop, home / name, *words))


async def on_screen(lan: Lan, laptop: str, home: Path, name: str, *more: str) -> Watcher:
    """Join the club that is seen on the network, on the screen of a terminal."""
    words = ("join", "--calm", "--code", CODE, "--name", name, *more)
    command = lan.command(
        *("on", laptop, "env", *homes(home / name), "TERM=xterm-256color", "LANG=C.UTF-8"),
        *(sys.executable, "-m", "sabtui", *words),
    )
    return Watcher(name, home / name, OwnScreen(await Terminal.start(*command)))


async def by_ssh(lan: Lan, laptop: str, home: Path, name: str) -> Watcher:
    """Come with ssh alone."""
    place = home / name
    await asyncio.to_thread(place.mkdir)
    known = ("-F", "none", "-oStrictHostKeyChecking=no", f"-oUserKnownHostsFile={place}/known")
    line = ("ssh", *known, "-oLogLevel=ERROR", "-p", "7351", f"{name}@10.77.0.1")
    env = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(place)}
    env.pop("SSH_AUTH_SOCK", None)
    command = (sys.executable, "-c", OWN_TERMINAL, *lan.command("on", laptop, *line))
    terminal = await Terminal.start(*command, env=env)
    await terminal.sees(f"Room code of {CLUB}, two words:")
    terminal.type(f"{CODE}\r")
    return Watcher(name, None, OwnScreen(terminal))


async def by_browser(lan: Lan, laptop: str, home: Path, name: str) -> Watcher:
    """Come with a phone."""
    place = home / name
    await asyncio.to_thread(place.mkdir)
    words = (str(place), "http://10.77.0.1:7361/", name, CODE, IN_HALL)
    program = await lan.module(laptop, "tests.lan.browse", *words)
    for told in ("open", "seated"):
        assert await program.line() == told
    return Watcher(name, None, Phone(program))
