"""A host whose clock stands still, leaps ahead or falls back in the midst of a game."""

from pathlib import Path

import pytest

from net.protocol.lobby import Presence
from net.protocol.requests import Chat
from net.server import live_table as host_module
from tests.net.attack.connection_attack import a_game
from tests.net.server.served_table import until

pytestmark = pytest.mark.level("broad")


class Clock:
    """A clock that somebody plays with."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.level("thorough")  # `room/test_sessions` has such a clock
async def test_nobody_is_sent_off_for_what_the_hosts_clock_does(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(host_module, "TICK_S", 0.02)
    async with a_game(where) as hosted:
        monkeypatch.setattr(host_module, "time", clock)
        for leap in (0.0, 3600.0, 0.0, -100_000.0, 1e9, -1e9, 5.0):
            clock.now += leap
            await hosted.next_move()
            time = hosted.table.room.sessions.now
            assert await hosted.guests[1].wants(Chat(f"leap of {leap}")) is None
            assert hosted.table.room.sessions.now == time, "the clock stands still again"
        await until(lambda: {one.presence for one in hosted.state.lobby.people} == {Presence.THERE})
