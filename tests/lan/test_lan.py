"""The throw-away LAN itself: nothing that ran on one is left behind."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.lan.lan import PATIENCE, Lan

LASTING = """
import os
from net.server.process import hide_memory
if os.fork() == 0:
    os.setsid()
    hide_memory()
    print(os.getpid(), flush=True)
    os.read(os.pipe()[0], 1)
"""
"""Starts a process that outlives it, and whose memory is hidden, as a table's is."""


async def test_what_outlives_those_who_started_it_ends_with_the_lan(new_lan: type[Lan]) -> None:
    async with new_lan(1) as lan:
        starter = await lan.start("h1", sys.executable, "-c", LASTING)
        process = Path("/proc") / await starter.line()
        assert runs(process)
    async with asyncio.timeout(PATIENCE):
        while runs(process):  # noqa: ASYNC110 - a mere fact is waited for
            await asyncio.sleep(0.01)


def runs(process: Path) -> bool:
    """Return True if a process runs: not if it has ended, reaped or not."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
