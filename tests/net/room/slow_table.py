"""A table at which seeds are drawn by programs that answer late, or not at all."""

from __future__ import annotations

from engine import Phase
from engine.dealing import Draw
from net.protocol.lobby import SeedDraw, Settings
from net.protocol.lobby_events import DrawBegan, LobbyEvent, SharesCommitted, SharesShown
from net.protocol.messages import (
    ClientMessage,
    CommitShare,
)
from net.protocol.requests import (
    Start,
)
from tests.net.room.room_fixture import Table, play_on

THREE = Settings(seats=3, rounds=2)


class SlowTable(Table):
    """A table at which a draw is looked at."""

    def __init__(self, settings: Settings = THREE) -> None:
        super().__init__(settings)

    @property
    def draw(self) -> SeedDraw:
        """The draw in the lobby."""
        assert self.lobby.draw is not None
        return self.lobby.draw

    @property
    def dealt(self) -> Draw:
        """The draw of the last round that was dealt."""
        record = self.room.state.record
        assert record is not None
        draw = record.draws[-1]
        assert draw is not None
        return draw

    def draw_news(self, name: str = "Ben") -> list[LobbyEvent]:
        """What somebody was told of draws."""
        draws = DrawBegan | SharesCommitted | SharesShown
        return [event for event in self.people[name].news if isinstance(event, draws)]


def ready(settings: Settings = THREE) -> SlowTable:
    """Ann, Ben and Cleo in the lobby, who are ready, and Wim who watches."""
    table = SlowTable(settings)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        table.ready(name)
    table.come("Wim", watch=True)
    return table


def drawing(*slow: str, kinds: tuple[type[ClientMessage], ...] = (CommitShare,)) -> SlowTable:
    """The same while a draw waits for some of them."""
    table = ready()
    table.holds = dict.fromkeys(slow, kinds)
    assert table.wants("Ann", Start()) is None
    assert table.lobby.is_drawing
    return table


def between_rounds() -> SlowTable:
    """The same after their first round."""
    table = ready()
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.room.state.phase is Phase.DEAL
    return table
