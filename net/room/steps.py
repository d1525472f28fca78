"""The making of steps: a room's state, its journal and its connections change by them.

Nothing is decided here: `net.room.inputs` and `net.room.handlers` do that.
"""

from __future__ import annotations

from net.protocol.lobby import Presence, Stage
from net.protocol.lobby_events import (
    Closed,
    DrawBegan,
    Exited,
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
from net.room.sessions import may_overtake
from net.room.state import Step, apply_step, write
from net.room.telling import send_snapshot, tell_code


def replay(room: Room, step: Step) -> StepChange:
    """Apply a step, of a command or of the journal, and nothing else."""
    before = room.state
    room.state, events = apply_step(before, step)
    change = StepChange(before, step, room.state, events)
    room.claims = pending_claims_after(room.claims, change)
    room.talk = talk_after(room.talk, change)
    room.note_step(is_reopened=any(isinstance(one, Reopened | HostChanged) for one in step.news))
    return change


def commit(room: Room, step: Step) -> None:
    """Apply a step: give it the next number, write it, and send each member their frame."""
    change, sessions = replay(room, step), room.sessions
    room.steps.append(JournalStep(room.state.number, write(step)))
    begins = room.state.turn != change.before.turn
    if begins or any(isinstance(event, Paused) for event in step.news):
        room.turn_since = sessions.now
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
            sessions.end_all(CloseReason.CLOSED)


def go_on_drawing(room: Room) -> None:
    """Make the next step of the draw under way, if it is due and can be saved."""
    if room.disk is not DiskStatus.FULL:
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


def collect_effects(room: Room) -> Effects:
    """Return the effects collected since the last call."""
    steps, room.steps = tuple(room.steps), []
    do = room.sessions.collect()
    unsaved, room.go_unsaved = room.go_unsaved, False
    switches, room.switches = tuple(room.switches), []
    number = 0 if not steps and (unsaved or may_overtake(do)) else room.state.number
    ended = room.lobby.stage is Stage.CLOSED
    return Effects(steps, do, number, ended, unsaved, switches)
