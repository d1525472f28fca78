"""The making of steps: a room's state, its journal and its connections change by them.

Nothing is decided here: `net.room.inputs` and `net.room.handlers` do that.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from net.protocol.lobby import Presence, Stage
from net.protocol.lobby_events import (
    Closed,
    DrawBegan,
    DrawnAnew,
    Exited,
    HandingOver,
    HostChanged,
    Paused,
    PresenceChanged,
    Reopened,
    SharesCommitted,
)
from net.protocol.messages import CloseReason, DiskStatus
from net.room.bots import pending_claims_after, talk_after
from net.room.broadcast import StepChange, broadcast
from net.room.draws import drawing_step
from net.room.effects import Effects
from net.room.journal_step import JournalStep
from net.room.room import Room
from net.room.sessions import SHAKY_AFTER_S, may_overtake
from net.room.standing import can_move
from net.room.state import Assembled, DealNext, GameStep, Step, apply_step, write
from net.room.telling import send_snapshot, tell_code


def replay(room: Room, step: Step) -> StepChange:
    """Apply a step, of a command or of the journal, and nothing else."""
    before = room.state
    room.state, events = apply_step(before, step)
    change = StepChange(before, step, room.state, events)
    room.written += 1
    if isinstance(step.act, Assembled):
        room.gathering = None
        room.hashes.clear()
        room.hashes.append(step.act.mark.hash)
        room.gone_on_from = step.act.mark
    room.claims = pending_claims_after(room.claims, change)
    room.talk = talk_after(room.talk, change)
    room.note_step(is_reopened=any(isinstance(one, Reopened | HostChanged) for one in step.news))
    return change


def commit(room: Room, step: Step) -> None:
    """Apply a step: give it the next number, write it, and send each member their frame."""
    if isinstance(step.act, GameStep | DealNext):
        step = _first_move(room, step)
    change, sessions = replay(room, step), room.sessions
    if room.is_new_here:  # who is given a seat has seen its cards from now on
        seats = room.lobby.seats
        room.kept |= {seats[member] for member in seats.keys() & sessions.by_member.keys()}
    room.steps.append(JournalStep(room.written, write(step)))
    begins = room.state.turn != change.before.turn
    if begins or any(isinstance(event, Paused) for event in step.news):
        room.turn_since = sessions.now
    if any(isinstance(event, HandingOver) for event in step.news):
        room.handing_until = sessions.now + HAND_OVER_S
    if any(isinstance(event, DrawBegan | SharesCommitted) for event in step.news):
        room.answers.restart(sessions.now)
    for frame, members in broadcast(change, room.incarnation, room.halves):
        sessions.hand_out(frame, members)
    for member in change.find_newcomers() & sessions.by_member.keys():
        send_snapshot(room, sessions.by_member[member], member)
    if step.code and not room.is_in_club:
        sessions.end_unentered({room.state.host_key, *(one.key for one in room.lobby.people)})
    if step.code:
        tell_code(room)
    for event in step.news:
        if isinstance(event, Exited):
            sessions.end_member(event.member, CloseReason[event.reason.name])
        if isinstance(event, Closed):
            sessions.end_all(CloseReason.MOVED if room.is_gone_over else CloseReason.CLOSED)


def _first_move(room: Room, step: Step) -> Step:
    """Say with the first move after the table moved whose cards stay drawn anew."""
    room.bringing.clear()
    is_first, room.is_new_here = room.is_new_here, False
    anew = room.lobby.relocations[-1].anew if is_first and room.lobby.relocations else ()
    return replace(step, news=(DrawnAnew(anew), *step.news)) if anew else step


def go_on_drawing(room: Room) -> None:
    """Make the next step of the draw under way, if it is due and can be saved."""
    if not room.may_play:  # nothing is drawn until its people are back
        room.answers.extend(room.sessions.now)
    elif room.disk is not DiskStatus.FULL:
        step = drawing_step(room.state, room.answers, room.sessions.now, room.seeds)
        if step is not None:
            commit(room, step)


def set_presence(room: Room, member: int, presence: Presence) -> None:
    """Tell everybody, if it is new, that a member is heard of again or leaves for now.

    Who leaves for now too often just falls silent to the others.
    """
    is_news = room.lobby.find_person(member).presence is not presence
    if not is_news or room.disk is DiskStatus.FULL:
        return
    if room.sessions.buffer_of(member).may_tell(presence, room.sessions.now):
        commit(room, Step(news=(PresenceChanged(member, presence),)))


HAND_OVER_S: Final = 20.0
"""Seconds in which all go to the new host of a table that is handed over."""


def go_on_handing_over(room: Room) -> None:
    """Close a table that is handed over once all have gone; or let it stay, if too few have."""
    people = [one for _chair, one in room.lobby.sitting if not one.presence.is_gone]
    left = [one for one in people if one.member in room.sessions.by_member]
    is_late = room.sessions.now >= room.handing_until
    if not left or (is_late and 2 * len(left) <= len(people)):
        room.is_gone_over = True
        commit(room, Step(news=(Closed(),)))
    elif is_late:
        commit(room, Step(news=(HandingOver(begins=False),)))


def doubt_all(room: Room) -> None:
    """Count everybody as shaky until they are heard again: the host was suspended.

    The table may have gone on elsewhere meanwhile, and must not play here in its first second.
    """
    if room.gathering is not None or room.disk is DiskStatus.FULL or not can_move(room.lobby):
        return
    there = [one.member for one in room.lobby.people if one.presence is Presence.THERE]
    for member in there:
        if (buffer := room.sessions.buffers.get(member)) is not None:
            buffer.last_heard = room.sessions.now - SHAKY_AFTER_S
    if there:
        news = tuple(PresenceChanged(member, Presence.SHAKY) for member in there)
        commit(room, Step(news=news))


def collect_effects(room: Room) -> Effects:
    """Return the effects collected since the last call."""
    steps, room.steps = tuple(room.steps), []
    do = room.sessions.collect()
    unsaved, room.go_unsaved = room.go_unsaved, False
    switches, room.switches = tuple(room.switches), []
    number = 0 if not steps and (unsaved or may_overtake(do)) else room.written
    ended = room.is_gone_over or room.lobby.stage is Stage.CLOSED
    return Effects(steps, do, number, ended, unsaved, switches)
