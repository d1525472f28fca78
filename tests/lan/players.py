"""Players at a LAN party for tests: real programs in lines, each with a home of its own."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from net.client.credentials import CredentialStore
from net.room.succession import MIN_OTHERS
from tests.lan.lan import PATIENCE, Lan, Program

NEW_HOST = "(is the host now|You are the host now)"


LOOK_AGAIN_S = 0.2
"""Seconds between two looks at files that programs write."""


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


async def can_go_on(*homes: Path) -> None:
    """Wait until these programs have a copy of the game, and know where all others listen."""
    async with asyncio.timeout(PATIENCE):
        for home in homes:
            while not has_all_to_go_on(home / "state" / "sabtui" / "seats"):  # noqa: ASYNC110 - files
                await asyncio.sleep(LOOK_AGAIN_S)


def has_all_to_go_on(seats: Path) -> bool:
    """Return True if a program has written down all that it needs to go on without the host."""
    standings = [one.credentials.standing for one in CredentialStore(seats).list_stored()]
    ports = [elector.port for standing in standings if standing for elector in standing.electors]
    return any(seats.glob("*.copy")) and len(ports) > MIN_OTHERS and all(ports)
