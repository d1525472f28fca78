"""`lan.sh` from a test: laptops, cables, and programs that are read and written line by line."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.lan.tools import LAN_SCRIPT

HOUSE = Path(__file__).parent.parent.parent
PROGRAMS = "tests.lan.programs"

PATIENCE = 180.0
"""Seconds to wait for anything at all: generous, since what is measured is asserted apart."""


BUSY_MACHINE_FACTOR = 3
"""How many times as long all may take where other tests run beside: a fault takes longer still."""


class Allowance:
    """By what factor bounds of time are stretched: 1 at the level `soak`, on a quiet machine."""

    factor = BUSY_MACHINE_FACTOR


def within(seconds: float, what: str, since: float, until: float) -> None:
    """Print how long something took, and fail if that is too long by `Allowance`."""
    print(f"{what}: {until - since:.3f} s of {seconds}")  # noqa: T201 - the measured figure
    assert until - since <= seconds * Allowance.factor, what


class Program:
    """A program that runs on a laptop."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its process: what starts it on a laptop gives way to it."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """True until it has ended."""
        return self._process.returncode is None

    async def line(self) -> str:
        """Read its next line. Raises `EOFError` where there is none, `TimeoutError` in time."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        if not line:
            raise EOFError(f"ended with {await self._process.wait()}")
        return line.decode().rstrip("\n")

    async def rest(self) -> str:
        """Wait for its end, and read all that it still printed."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            text = await self._process.stdout.read()
            await self._process.wait()
        return text.decode()

    def say(self, line: str) -> None:
        """Write a line to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def signal(self, name: str) -> None:
        """Send it a signal: `STOP`, `CONT`, `KILL`."""
        self._process.send_signal(signal.Signals[f"SIG{name}"])

    async def kill(self) -> None:
        """Kill it, at once and without goodbye, if it still runs."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


def signal_to(process: int, name: str) -> None:
    """Send a process a signal: `STOP`, `CONT`, `KILL`."""
    os.kill(process, signal.Signals[f"SIG{name}"])


class Lan:
    """This many laptops, `h1` and on: `async with Lan(2) as lan`."""

    def __init__(self, laptops: int, *families: str) -> None:
        """Choose the families, of `-4` and `-6`; none is IPv4."""
        self._options = ("-n", str(laptops), *families)
        self._programs: list[Program] = []

    async def __aenter__(self) -> Self:
        self._keeper = await asyncio.create_subprocess_exec(
            LAN_SCRIPT,
            "run",
            *self._options,
            "sh",
            "-c",
            "echo built; exec cat",
            stdin=PIPE,
            stdout=PIPE,
        )
        assert await Program(self._keeper).line() == "built"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.run("end")  # first: a table outlives those who have started it
        for program in (*self._programs, Program(self._keeper)):
            await program.kill()

    @property
    def keeper(self) -> int:
        """The process in whose namespaces all of it is."""
        return self._keeper.pid

    def keep(self, process: Process) -> Program:
        """End a process with the LAN."""
        self._programs.append(Program(process))
        return self._programs[-1]

    async def run(self, *command: str) -> None:
        """Say something to `lan.sh`: `await lan.run("cable", "h1", "out")`."""
        program = await self._start(*command)
        await program.rest()
        assert program._process.returncode == 0, command

    async def start(self, laptop: str, *command: str) -> Program:
        """Start a program on a laptop."""
        return await self._start("on", laptop, *command)

    async def as_root(self, *command: str) -> Program:
        """Start a program outside, as the user who runs the tests."""
        return self.keep(
            await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=HOUSE)
        )

    async def module(self, laptop: str, module: str, *arguments: str) -> Program:
        """Start a Python module of this house on a laptop."""
        return await self.start(laptop, sys.executable, "-m", module, *arguments)

    async def sniff(self, file: Path) -> Program:
        """Write all that crosses the bridge to a file, from now on and until it is killed."""
        program = await self.module("bridge", PROGRAMS, "sniff", "bridge", str(file))
        await program.line()
        return program

    def command(self, *command: str) -> tuple[str, ...]:
        """What says something to `lan.sh`, for who starts it in another way."""
        namespaces = (f"--target={self.keeper}", "--user", "--net", "--mount")
        return (
            "nsenter",
            *namespaces,
            f"--wd={HOUSE}",
            "--preserve-credentials",
            str(LAN_SCRIPT),
            *command,
        )

    async def _start(self, *command: str) -> Program:
        return self.keep(
            await asyncio.create_subprocess_exec(*self.command(*command), stdin=PIPE, stdout=PIPE)
        )


NewLan = type[Lan]
