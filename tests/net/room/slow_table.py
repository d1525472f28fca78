"""A table at which seeds are drawn by programs that answer late, or not at all."""

from __future__ import annotations

from engine import Phase
from engine.dealing import Draw
from net.protocol.lobby import SeedDraw, Settings
from net.protocol.lobby_events import DrawBegan, LobbyEvent, SharesCommitted, SharesShown
from net.protocol.messages import (
    ClientMessage,
    CommitShare,
    ShowShare,
    StepFrame,
)
from net.protocol.requests import (
    SetReady,
    Start,
)
from net.room.effects import Effects
from tests.net.room.room_fixture import Guest, Table, play_on

THREE = Settings(seats=3, rounds=2)


class SlowTable(Table):
    """A table at which answers to a draw, of some programs and kinds, are held back."""

    def __init__(self, settings: Settings = THREE) -> None:
        super().__init__(settings)
        self.slow: set[str] = set()
        self.kinds: tuple[type[ClientMessage], ...] = (CommitShare, ShowShare)
        self.held: list[tuple[Guest, ClientMessage]] = []

    def say(self, connected: Guest, message: ClientMessage) -> Effects:
        """A guest says something, maybe later."""
        if connected.name in self.slow and isinstance(message, self.kinds):
            self.held.append((connected, message))
            return Effects()
        return super().say(connected, message)

    def release(self) -> None:
        """Let all that was held back reach the host."""
        self.slow, held, self.held = set(), self.held, []
        for connected, message in held:
            self.say(connected, message)

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
        return [
            event
            for one in self.people[name].got
            if isinstance(one, StepFrame)
            for event in one.lobby_events
            if isinstance(event, DrawBegan | SharesCommitted | SharesShown)
        ]


def ready(settings: Settings = THREE) -> SlowTable:
    """Ann, Ben and Cleo in the lobby, who are ready, and Wim who watches."""
    table = SlowTable(settings)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    table.come("Wim", watch=True)
    return table


def drawing(*slow: str, kinds: tuple[type[ClientMessage], ...] = (CommitShare,)) -> SlowTable:
    """The same while a draw waits for some of them."""
    table = ready()
    table.slow, table.kinds = set(slow), kinds
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
