"""The making of steps: a room's state, its journal, its connections and its copies change by them.

Nothing is decided here: `net.room.inputs` and `net.room.handlers` do that.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from net.protocol.lobby import Presence, Stage
from net.protocol.lobby_events import (
    Closed,
    ComputerChanged,
    DrawBegan,
    Exited,
    HostChanged,
    Paused,
    PresenceChanged,
    SharesCommitted,
)
from net.protocol.messages import NOTHING_SEEN, CloseReason, DiskStatus
from net.room.bots import pending_claims_after, talk_after
from net.room.broadcast import StepChange, broadcast
from net.room.computers import Origin, computer_of
from net.room.copies import without_news
from net.room.draws import drawing_step
from net.room.effects import Effects
from net.room.fold import apply_all
from net.room.journal_step import JournalStep
from net.room.room import Room
from net.room.sealing import SealedLog
from net.room.sessions import may_overtake
from net.room.state import Step, apply_step, write
from net.room.succession import has_successors, is_outnumbered
from net.room.telling import bring_along, tell_code, tell_electors


def replay(room: Room, step: Step) -> StepChange:
    """Apply a step, of a command or of the journal, and nothing else."""
    before = room.state
    room.state, events = apply_step(before, step)
    change = StepChange(before, step, room.state, events)
    room.claims = pending_claims_after(room.claims, change)
    room.talk = talk_after(room.talk, change)
    room.past.add(change)
    room.acknowledged.follow(room.state.number, step.news)
    return change


def load(room: Room, log: SealedLog) -> None:
    """Replay all steps of a journal for which no share is needed any more.

    Raises SealBroken: sealed steps were altered; nothing has changed then.
    """
    key = log.key()
    opened = log.open_steps(key)
    if room.sealer is not None:
        room.sealer.go_on(key, opened)
        room.log.load(log.steps)
    _replay_all(room, (opened.get(n, step) for n, step in enumerate(log.steps, 1)))


def load_public(room: Room, log: SealedLog) -> None:
    """Replay what is not sealed, without any game: who is there, and what was said."""
    _replay_all(room, (replace(step, act=None) for step in log.steps))


def give_up(room: Room, log: SealedLog, closes: Step) -> None:
    """Close a table that cannot be opened, by this step; what is sealed in it is removed."""
    if room.sealer is not None:
        room.sealer.go_on(b"", {n: step for n, step in enumerate(log.steps, 1) if step.sealed})
        room.log.load(log.steps)
    commit(room, closes)


def _replay_all(room: Room, steps: Iterable[Step]) -> None:
    """Replay steps from the founding on."""
    room.reset()
    for step in steps:
        replay(room, step)


def commit(room: Room, step: Step) -> None:
    """Apply a step: give it the next number, write it, and send each member their frame.

    The electors may change with it.
    """
    step = _with_electors(room, step)
    change, sessions = replay(room, step), room.sessions
    sealed = _write(room, step)
    begins = room.state.turn != change.before.turn
    if begins or any(isinstance(event, Paused) for event in step.news):
        room.turn_since = sessions.now
    if any(isinstance(event, DrawBegan | SharesCommitted) for event in step.news):
        room.answers.restart(sessions.now)
    for frame, members in broadcast(change, room.incarnation, room.halves, sealed):
        sessions.hand_out(frame, members)
    for member in change.find_newcomers() & sessions.by_member.keys():
        bring_along(room, sessions.by_member[member], member, room.past.part(NOTHING_SEEN))
    if step.code and not room.is_in_club:
        sessions.end_unentered({room.state.host_key, *room.state.keys.values()})
    if step.code:
        tell_code(room)
    if room.lobby is not change.before.lobby:
        tell_electors(room)
    for event in step.news:
        if isinstance(event, Exited):
            sessions.end_member(event.member, CloseReason[event.reason.name])
        if isinstance(event, Closed):
            sessions.end_all(CloseReason.CLOSED)


def _with_electors(room: Room, step: Step) -> Step:
    if any(isinstance(event, HostChanged) for event in step.news):
        return step
    change = room.acknowledged.next_change(apply_all(room.lobby, step.news))
    return step if change is None else replace(step, news=(*step.news, change))


def _write(room: Room, step: Step) -> bytes:
    """Write the step just made to the journal; return what copies of the log get of it."""
    if room.sealer is None:
        room.steps.append(JournalStep(room.state.number, write(step)))
        return b""
    sealed, rewritten = room.sealer.seal(step, room.state)
    payload = write(sealed)
    room.steps.append(JournalStep(room.state.number, payload, rewritten))
    room.log.add(payload, rewritten)
    if not has_successors(room.lobby):
        return b""
    return without_news(sealed) if sealed.news else payload


def go_on_drawing(room: Room) -> None:
    """Make the next step of the draw under way, if it is due and can be saved."""
    if room.disk is not DiskStatus.FULL and not is_outnumbered(room.lobby):
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


def set_computer(room: Room, member: int, origin: Origin) -> None:
    """Tell everybody, if it is new, at which computer a member plays who is back."""
    computer = computer_of(origin, room.lobby, room.sessions.origins, member)
    is_news = computer != room.lobby.find_person(member).computer
    is_host = member == room.lobby.host
    if is_news and not is_host and room.disk is not DiskStatus.FULL:
        commit(room, Step(news=(ComputerChanged(member, computer),)))


def change_electors(room: Room) -> None:
    """Take the next step towards the electors that there are to be, if it may be taken."""
    waits = room.disk is DiskStatus.FULL or room.is_handed_over or room.is_superseded
    if not waits and room.acknowledged.next_change(room.lobby) is not None:
        commit(room, Step())


def collect_effects(room: Room) -> Effects:
    """Return the effects collected since the last call."""
    steps, room.steps = tuple(room.steps), []
    do = room.sessions.collect()
    unsaved, room.go_unsaved = room.go_unsaved, False
    switches, room.switches = tuple(room.switches), []
    number = 0 if not steps and (unsaved or may_overtake(do)) else room.state.number
    ended = room.lobby.stage is Stage.CLOSED or room.is_superseded
    return Effects(steps, do, number, ended, unsaved, switches)
