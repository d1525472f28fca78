"""Starting processes of tests, such as parts of `tests.net.server.child`, and killing them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.net.server.journal_tools import HOUSE


@dataclass
class Child:
    """A module that runs in a process of its own."""

    process: subprocess.Popen[str]

    async def line(self) -> str:
        """What it says next."""
        assert self.process.stdout is not None
        said = await asyncio.to_thread(self.process.stdout.readline)
        return said.strip()

    async def kill(self) -> str:
        """Kill it, and tell what else it said."""
        assert self.process.stdout is not None
        if self.process.stdout.closed:
            return ""
        self.process.kill()
        rest, _ = await asyncio.to_thread(self.process.communicate)
        return rest


@asynccontextmanager
async def start_child(
    *words: object, module: str = "tests.net.server.child"
) -> AsyncIterator[Child]:
    """Run a module until the test is done with it."""
    process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own child, and quick to start
        [sys.executable, "-m", module, *map(str, words)],
        cwd=HOUSE,
        stdout=subprocess.PIPE,
        text=True,
    )
    child = Child(process)
    try:
        yield child
    finally:
        await child.kill()
