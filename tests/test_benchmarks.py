"""Benchmarks go on where the machine is too slow for the pace that they have in mind."""

from __future__ import annotations

import sys

import pytest

from benchmarks import dug_table, screen
from tests.net.server.conftest import where
from tests.terminal import Terminal

__all__ = ["where"]

pytestmark = pytest.mark.level("broad")


BOTS_MERGE = f"""
import sys, time, tty
tty.setraw(0)
sys.stdout.write("YOUR TURN"), sys.stdout.flush()
pauses = 0.0
while True:
    while sys.stdin.read(1) != "\\r":
        pass
    sys.stdout.write("\\x1b[2J\\x1b[H"), sys.stdout.flush()
    time.sleep(0.3)
    for bot in range({dug_table.BOTS}):
        time.sleep(pauses)
        sys.stdout.write("a bot's turn. "), sys.stdout.flush()
    sys.stdout.write("YOUR TURN"), sys.stdout.flush()
    pauses = 0.3
"""


@pytest.mark.level("thorough")  # as above
@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
async def test_turns_without_a_pause_between_them_are_not_counted() -> None:
    async with await Terminal.start(sys.executable, "-c", BOTS_MERGE) as terminal:
        await terminal.sees(screen.MINE)
        came = await screen.turns(terminal)
    assert came
    assert len(came) % dug_table.BOTS == 0
