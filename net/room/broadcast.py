"""Frames of a step: what each person at the table is sent.

The only place where knowledge is split by seat, by `engine.events.addressee` and `Game.view` only.
Frames are built from what a person may know; nothing is removed from a fuller value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from engine.events import Event, GameEnded, addressee
from engine.notation.record_parser import write_record
from net.protocol.game_wire import EventWire, write_event, write_own
from net.protocol.lobby_events import Entered, HostSharesShown, LobbyEvent, RecordPublished
from net.protocol.messages import DiskStatus, Snapshot, StepFrame, state_hash
from net.room.steps import RoomState, Step


class StepChange(NamedTuple):
    """A step, the states before and after it, and all events that it caused in the game."""

    before: RoomState
    step: Step
    now: RoomState
    events: tuple[Event, ...]

    @property
    def news(self) -> tuple[LobbyEvent, ...]:
        """The step's lobby events; at the end of a game, also its record, or the host's shares."""
        is_over = GameEnded in map(type, self.events)
        if is_over and self.now.record is not None:
            return (*self.step.news, RecordPublished(write_record(self.now.record)))
        if is_over:  # a game that began at another computer has no record here
            return (*self.step.news, HostSharesShown(self.now.shares))
        return self.step.news

    def find_newcomers(self) -> frozenset[int]:
        """Return the members who enter in this step, and so have no state to apply it to."""
        return frozenset([event.member for event in self.step.news if isinstance(event, Entered)])


def broadcast(change: StepChange, incarnation: int) -> list[tuple[StepFrame, list[int]]]:
    """Return a step's frames, each with the members whom it is for.

    Each member who is at the table after the step gets a frame, except newcomers, who get a
    snapshot. The author, whose command the frame answers, and members who learn a secret get frames
    of their own; all others share one.
    """
    now, step, newcomers = change.now, change.step, change.find_newcomers()
    events = _events_by_seat(change.events)
    shared = StepFrame(
        step=now.number,
        incarnation=incarnation,
        yours=0,
        lobby_events=change.news,
        events=events[None],
        hash=state_hash(now.lobby, now.public),
    )
    frames: list[tuple[StepFrame, list[int]]] = []
    alike: list[int] = []
    for person in now.lobby.people:
        member, seat = person.member, now.lobby.seat_of(person.member)
        if member in newcomers:
            continue
        if member == step.by or (seat is not None and seat in events):
            visible = events.get(seat, shared.events)
            own = replace(shared, yours=step.id if member == step.by else 0, events=visible)
            frames.append((own, [member]))
        else:
            alike.append(member)
    return [*frames, (shared, alike)] if alike else frames


def snapshot(state: RoomState, member: int, incarnation: int, disk: DiskStatus) -> Snapshot:
    view = state.view(state.lobby.seat_of(member))
    is_over = view is not None and view.score.gold is not None
    return Snapshot(
        step=state.number,
        incarnation=incarnation,
        running=state.running,
        game_id=state.game_id,
        member=member,
        last=state.ids.get(member, 0),
        lobby=state.lobby,
        talk=state.talk,
        public=state.public,
        own=None if view is None else write_own(view),
        history=() if view is None else tuple(map(write_event, view.history)),
        record=write_record(state.record) if is_over and state.record is not None else "",
        disk=disk,
        hash=state_hash(state.lobby, state.public),
    )


def _events_by_seat(events: tuple[Event, ...]) -> Mapping[int | None, tuple[EventWire, ...]]:
    """Return what each seat to which an event is addressed sees; for `None`, what all others do."""
    seen: dict[int | None, tuple[EventWire, ...]] = {None: ()}
    for event in events:
        to, wire = addressee(event), write_event(event)
        if to is None:
            for seat in seen:
                seen[seat] += (wire,)
        else:
            seen[to] = (*seen.get(to, seen[None]), wire)
    return seen
