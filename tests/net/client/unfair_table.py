"""A table whose host cheats, and all that its guests are shown of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import structs

from engine.cards import CARDS
from engine.dealing import Draw
from engine.notation import Record
from engine.state import Phase
from net.client.audit import MismatchKind
from net.client.trail import after_frame
from net.protocol.game_wire import read_event
from net.protocol.lobby import Settings, TableNews
from net.protocol.lobby_events import LobbyEvent
from net.protocol.messages import ClientMessage, HostMessage, Snapshot, StepFrame, hash_of_all
from net.protocol.requests import NextRound, Start
from net.room.broadcast import snapshot
from net.room.effects import Effects
from net.room.steps import RoomState
from tests.net.room.room_fixture import Guest, Table, play_on, set_hash

EventT = TypeVar("EventT", bound=TableNews)
GUESTS = ("Ben", "Cleo")
ALL = ("Ann", *GUESTS)
TWO = Settings(seats=3, rounds=2)


class UnfairTable(Table):
    """A table whose host tells what `lie` makes of events of the lobby; all hashes fit.

    `intercept` sees what guests say before the host's room does, and decides if it ever will.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings or Settings(seats=3, rounds=1), bytes(32))
        self.lie: Callable[[Guest, LobbyEvent], LobbyEvent | None] = lambda _guest, event: event
        self.intercept: Callable[[ClientMessage], bool] = lambda _message: True
        self.come_all(*ALL)
        self.ready(*ALL)

    def falsify(
        self, kind: type[EventT], change: Callable[[EventT], LobbyEvent | None], *names: str
    ) -> None:
        """Let the host send these guests, or all, another event in place of each of a kind."""
        self.lie = lambda guest, event: (
            change(event)
            if isinstance(event, kind) and (not names or guest.name in names)
            else event
        )

    def message_for(self, connected: Guest, message: HostMessage) -> HostMessage:
        if not isinstance(message, StepFrame):
            return message
        told = [self.lie(connected, event) for event in message.lobby_events]
        events = tuple(event for event in told if event is not None)
        lie = structs.replace(message, lobby_events=events)
        held = connected.client.status.game_state
        if held is None:
            return message
        try:
            after = after_frame(
                held,
                lie,
                tuple(map(read_event, lie.events)),
                connected.client.status.member,
                connected.client.share,
            )
        except LookupError:
            return lie
        return structs.replace(lie, hash=hash_of_all(after.lobby, after.view))

    def say(self, connected: Guest, message: ClientMessage) -> Effects:
        return super().say(connected, message) if self.intercept(message) else Effects()

    def begin(self) -> None:
        assert self.wants("Ann", Start()) is None

    def play(self) -> None:
        self.begin()
        play_on(self)
        assert self.room.state.phase is Phase.OVER

    def in_secret(self, change: Callable[[RoomState], RoomState]) -> None:
        self.room.state = change(self.room.state)

    def record(self) -> Record:
        assert self.room.state.record is not None
        return self.room.state.record

    def draw(self) -> Draw:
        (drawn,) = self.record().draws
        assert drawn is not None
        return drawn

    def find_mismatches(self) -> list[list[MismatchKind]]:
        audits = [audit for name in GUESTS for audit in self.people[name].audits]
        return [[mismatch.kind for mismatch in audit.mismatches] for audit in audits]


def comes_back(table: Table, name: str) -> Guest:
    member = table.people[name].client.status.member
    table.room.sessions.buffers[member].ring.clear()
    return table.come(name)


def honest(table: Table, name: str) -> Snapshot:
    member = table.people[name].client.status.member
    return snapshot(table.room.state, member, table.room.incarnation, table.room.disk)


def exchange_card(honest: Snapshot) -> Snapshot:
    assert honest.own is not None
    assert honest.public is not None
    hand = list(structs.asdict(honest.own)["hand"])
    other = next(card.index for card in CARDS if card.index not in hand)
    changed = bytes(sorted([*hand[1:], other]))
    history = tuple(
        structs.replace(event, cards=changed) if event.__struct_config__.tag == "hand" else event
        for event in honest.history
    )
    own = structs.replace(honest.own, hand=changed)
    return set_hash(structs.replace(honest, own=own, history=history))


def kinds(guest: Guest) -> list[MismatchKind]:
    return [mismatch.kind for audit in guest.audits for mismatch in audit.mismatches]


def end_alone(table: Table) -> None:
    play_on(table)
    while table.room.state.phase is Phase.DEAL:
        assert table.wants("Ann", NextRound()) is None
        play_on(table)
