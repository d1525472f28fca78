"""Benchmarks go on where the machine is too slow for the pace that they have in mind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from benchmarks import dug_table, screen, wire
from engine import Phase, View
from net.protocol.lobby import Settings
from tests.net.server.conftest import where
from tests.net.server.served_table import hosting
from tests.terminal import Terminal

__all__ = ["where"]

pytestmark = pytest.mark.level("broad")


@pytest.mark.level("soak")  # of a figure, which is never asserted
async def test_a_player_who_is_late_is_no_answer_to_a_move(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.room.sessions.SHAKY_AFTER_S", 0.03)
    monkeypatch.setattr("net.server.live_table.TICK_S", 0.02)
    monkeypatch.setattr(wire, "PLAYERS", 3)
    monkeypatch.setattr(wire, "WATCHERS", 1)
    settings = Settings(seats=3, rounds=1, is_open=True)
    bare = await wire.child("echo", "")
    try:
        async with hosting(where, settings) as hosted:
            echo = await wire.Echo.connect(await wire.port_of(bare))
            measured, people = await wire.games(
                hosted.port, hosted.host_key, os.getpid(), echo, bare.pid
            )
            for person in people:
                person.connection.abort()
            echo.close()
    finally:
        bare.kill()
        await bare.wait()
    assert measured.moves
    assert len(measured.drawn) == 1
    assert len({person.step for person in people}) == 1
    assert all(view_of(person).phase is Phase.OVER for person in people)


def view_of(person: wire.Person) -> View:
    """What somebody knows of the game."""
    assert person.state.status.view is not None
    return person.state.status.view


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
