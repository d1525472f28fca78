"""Players at a LAN party for tests: real programs in lines, each with a home of its own."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.lan.lan import Lan, Program, within

LOOK_AGAIN_S = 0.2
"""Seconds between two looks at files that programs write."""

FOUND = 2.0
STARTED = 2.0
"""Seconds in which a program starts, beside a whole suite on two cores."""


OVER = "^The game is over"
MOVED = "(laid|passed|broke|repaired|looked|brought)"
MOVED_SELF = f"^(You {MOVED}|Your map)"
CODE = "amber-tulip"

SILENT = "^The host is not answering. If their computer is gone, go-on moves"
NEW_HOST = "is the host now|^You are the host now"
ALSO_AT = "^The table also runs at .* go-over takes you there"
OLDER = "goes on without the last"


@dataclass
class Player:
    """Somebody's program, and all it has printed with the time at which that was read."""

    name: str
    program: Program
    lines: list[tuple[float, str]] = field(default_factory=list)

    async def reads(self, pattern: str) -> tuple[float, re.Match[str]]:
        """Read on until a line has this pattern; give when it came, and the match."""
        while True:
            try:
                line = await self.program.line()
            except (TimeoutError, EOFError) as error:
                raise AssertionError(f"{self.name} read no {pattern!r}:\n{self.said}") from error
            self.lines.append((time.monotonic(), line))
            found = re.search(pattern, line)
            if found is not None:
                return self.lines[-1][0], found

    def says(self, line: str) -> None:
        """Type a line."""
        self.program.say(line)

    @property
    def said(self) -> str:
        """All that was printed, for when a test fails."""
        return "\n".join(line for _, line in self.lines)


def homes(home: Path) -> tuple[str, ...]:
    """Return the variables with which a program has a folder as its home."""
    return (
        f"HOME={home}",
        f"XDG_STATE_HOME={home / 'state'}",
        f"XDG_DATA_HOME={home / 'data'}",
        f"XDG_CONFIG_HOME={home}",
    )


async def sabtui(lan: Lan, laptop: str, home: Path, *arguments: str) -> Program:
    """Start the program on a laptop, for somebody whose home is that folder."""
    command = (sys.executable, "-m", "sabtui", *arguments)
    return await lan.start(laptop, "env", *homes(home), "PYTHONUNBUFFERED=1", *command)


async def person(name: str, lan: Lan, laptop: str, home: Path, *arguments: str) -> Player:
    """Start the program for somebody of this name."""
    return Player(name, await sabtui(lan, laptop, home, *arguments))


async def host_sits_down(lan: Lan, home: Path) -> Player:
    """Let the host, whose table runs by itself, join it with an autopilot."""
    ann = await person("Ann", lan, "h1", home, "join", "--plain", "--autopilot")
    await ann.reads("^Table: Rush")
    return ann


def table_processes(home: Path) -> list[int]:
    """Return the processes that run a table of somebody with this home."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_table = b"sabtui.app.table_process" in (folder / "cmdline").read_bytes()
            if is_table and f"HOME={home}\0".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


async def host(lan: Lan, home: Path, *more: str) -> Player:
    """Open a table for three on the first laptop, whose player's seat a bot plays."""
    arguments = ("host", "Rush", "--plain", "--autopilot", "--code", CODE, "--name", "Ann")
    program = await sabtui(lan, "h1", home, *arguments, "--players", "3", *more)
    ann = Player("Ann", program)
    await ann.reads("Room code: amber-tulip")
    return ann


async def join(lan: Lan, laptop: str, home: Path, name: str, *, in_time: bool = False) -> Player:
    """Join the table that is seen on the network, in time if that is asked; let a bot play."""
    arguments = ("join", "--plain", "--autopilot", "--code", CODE, "--name", name)
    begun = time.monotonic()
    player = await person(name, lan, laptop, home, *arguments)
    found, _ = await player.reads("^Joining")
    if in_time:
        within(STARTED + FOUND, f"found by {name}", begun, found)
    await player.reads("^Table: Rush")
    return player


async def three(
    lan: Lan, home: Path, *more: str, in_time: bool = False
) -> tuple[Player, Player, Player]:
    """Three at a table, which two have found, in time if that is asked; and the game begun."""
    ann = await host(lan, home / "ann", *more)
    ben = await join(lan, "h2", home / "ben", "Ben", in_time=in_time)
    cleo = await join(lan, "h3", home / "cleo", "Cleopatra", in_time=in_time)
    for name in ("Ben", "Cleopatra"):
        if f"{name} has joined" not in ann.said:
            await ann.reads(f"^{name} has joined")
    ann.says("start")
    await all_read("^The game begins", ann, ben, cleo)
    return ann, ben, cleo


async def all_read(pattern: str, *players: Player) -> None:
    """Wait until each has a line with this pattern."""
    await asyncio.gather(*(player.reads(pattern) for player in players))


async def pause(host: Player, *others: Player) -> None:
    """Pause the game, so that it is not over before what is tried has happened."""
    host.says("pause")
    await all_read("^The game is paused", host, *others)
