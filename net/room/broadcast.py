"""Frames of a step: one numbered frame for each person at the table.

The only place where knowledge is split by seat, by `engine.events.visible_to` and `Game.view`
alone. Frames are built from what a person may know; nothing is removed from a fuller value.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event, GameEnded, visible_to
from engine.notation.record_parser import format_record
from engine.view import View
from net.lobby.events import Entered, LobbyEvent, RecordPublished
from net.protocol.events import EventWire, write_event
from net.protocol.messages import DiskStatus, NumberedFrame, Snapshot, StepFrame
from net.protocol.state_hash import hash_of, shared_bytes
from net.protocol.views import write_own, write_public
from net.room.state import Begin, RoomState, Step


@dataclass(frozen=True, slots=True)
class StepChange:
    """A step, the states before and after it, and all events that it caused in the game."""

    before: RoomState
    step: Step
    now: RoomState
    events: tuple[Event, ...]

    @property
    def news(self) -> tuple[LobbyEvent, ...]:
        """The step's lobby events; at the end of a game, its record too."""
        if any(isinstance(event, GameEnded) for event in self.events):
            return (*self.step.news, RecordPublished(record_of(self.now)))
        return self.step.news

    def reseats(self, member: int) -> bool:
        """Return True if a member's knowledge of the game was replaced by this step.

        That is so for newcomers, and in a game for members whose seat has changed.
        """
        if any(isinstance(event, Entered) and event.member == member for event in self.step.news):
            return True
        if self.now.game is None or isinstance(self.step.act, Begin):
            return False
        return self.now.lobby.seat_of(member) != self.before.lobby.seat_of(member)


def broadcast(change: StepChange, incarnation: int, disk: DiskStatus) -> dict[int, NumberedFrame]:
    """Return a step's frame for each member who is at the table after it.

    A member who has just entered, or whose seat in a game has changed, gets a snapshot.
    """
    now, step, lobby_events = change.now, change.step, change.news
    shared = _shared(now)
    frames: dict[int, NumberedFrame] = {}
    told_to: dict[tuple[int | None, int], StepFrame] = {}  # all watchers get the same frame
    for person in now.lobby.people:
        member, seat = person.member, now.lobby.seat_of(person.member)
        if change.reseats(member):
            frames[member] = snapshot(now, member, incarnation, disk)
            continue
        yours = step.id if step.by == member else 0
        if (seat, yours) not in told_to:
            told_to[seat, yours] = StepFrame(
                step=now.number,
                incarnation=incarnation,
                yours=yours,
                lobby_events=lobby_events,
                events=_written(visible_to(seat, change.events)),
                hash=hash_of(shared, now.view(seat, history=False)),
            )
        frames[member] = told_to[seat, yours]
    return frames


def snapshot(state: RoomState, member: int, incarnation: int, disk: DiskStatus) -> Snapshot:
    """Return a snapshot of all that a member knows."""
    view = state.view(state.lobby.seat_of(member))
    return Snapshot(
        step=state.number,
        incarnation=incarnation,
        member=member,
        last=state.ids.get(member, 0),
        lobby=state.lobby,
        talk=state.talk,
        public=None if view is None else write_public(view.table, view.score),
        own=None if view is None else write_own(view),
        history=() if view is None else _written(view.history),
        record=record_of(state) if _is_over(view) else "",
        disk=disk,
        running=state.running,
        hash=hash_of(_shared(state), view),
    )


def record_of(state: RoomState) -> str:
    """Return the record of the game as text, with every secret: for finished games only (K)."""
    assert state.record is not None
    return format_record(state.record)


def _is_over(view: View | None) -> bool:
    return view is not None and view.score.gold is not None


def _shared(state: RoomState) -> bytes:
    game = state.game
    public = None if game is None else write_public(game.round.table, game.score)
    return shared_bytes(state.lobby, public)


def _written(events: tuple[Event, ...]) -> tuple[EventWire, ...]:
    return tuple([write_event(event) for event in events])
