"""Handlers of the messages of clients: entering, returning, heartbeats and commands.

They never raise for what a client sends; a message that no honest client sends ends its connection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from net.lobby.model import THE_HOSTS_COMPUTER, Presence
from net.protocol.election import Standby, Superseded
from net.protocol.messages import (
    Accepted,
    ClientCommand,
    ClientMessage,
    CloseReason,
    CommandRefused,
    CommitShare,
    DiskStatus,
    EnterTable,
    KeyShareGiven,
    LogWanted,
    Ping,
    Pong,
    Refusal,
    Resync,
    ShowShare,
    StepAway,
    StepFrame,
    Welcome,
)
from net.protocol.requests import GiveHost, GoUnsaved, MakeMove, ReportMissing, Request, SwitchDoor
from net.room.commands import decide_entry, needs_seed, step_of, why_refused
from net.room.computers import computer_of
from net.room.live_table import LiveTable
from net.room.sessions import Connected
from net.room.state import Step


def handle(table: LiveTable, connected: Connected, message: ClientMessage) -> None:
    """Handle a message on a connection that has not ended."""
    connected.last_heard = table.sessions.now
    if connected.member is None:
        _handle_stranger(table, connected, message)
    else:
        _handle_member(table, connected, connected.member, message)


def _handle_stranger(table: LiveTable, connected: Connected, message: ClientMessage) -> None:
    """Handle a message on a connection that has not entered: enter, ping, or end it."""
    match message:
        case EnterTable():
            member = table.state.member_with(connected.key)
            if member is None:
                _enter(table, connected, message)
            else:
                _come_back(table, connected, member, message)
        case Ping():
            table.sessions.send(connected, Pong(0))
        case Superseded(term) if connected.key == table.state.host_key:
            table.supersede(term)
        case (
            ClientCommand()
            | Resync()
            | CommitShare()
            | ShowShare()
            | KeyShareGiven()
            | LogWanted()
            | StepAway()
            | Standby()
            | Superseded()
        ):
            table.sessions.end(connected, CloseReason.OUT_OF_ORDER)
        case _:
            assert_never(message)


def _handle_member(
    table: LiveTable, connected: Connected, member: int, message: ClientMessage
) -> None:
    sessions = table.sessions
    buffer = sessions.buffers[member]
    buffer.last_heard = sessions.now
    is_leaving = isinstance(message, StepAway)
    table.set_presence(member, Presence.AWAY if is_leaving else Presence.THERE)
    match message:
        case EnterTable():
            sessions.end(connected, CloseReason.OUT_OF_ORDER)
        case ClientCommand():
            _command(table, connected, member, message)
        case Ping(seen):
            connected.has_seen(seen, sessions.now)
            table.acknowledged.note(member, connected.acked)
            sessions.send(connected, Pong(table.state.number))
        case CommitShare() | ShowShare():
            if table.answers.add(table.lobby.draw, member, message):
                table.go_on_drawing()
        case Resync(seen):
            past = table.past.part(seen)
            quota = buffer.pasts if past.more else buffer.snapshots
            if quota.take(1, sessions.now):
                table.bring_along(connected, member, past)
            else:
                sessions.end(connected, CloseReason.TOO_MUCH)
        case LogWanted(after):
            if buffer.parts.take(1, sessions.now):  # else it is asked for again
                table.send_log(connected, member, after)
        case StepAway():
            pass  # Their presence was set above.
        case Standby():
            table.stand_by(connected, member, message)
        case Superseded(term):
            if member == table.lobby.host:
                table.supersede(term)
        case KeyShareGiven():
            pass  # it was asked for before the table opened
        case _:
            assert_never(message)


# Entering and returning.


def _enter(table: LiveTable, connected: Connected, message: EnterTable) -> None:
    """Let a newcomer enter, or refuse them."""
    connected.origin = replace(connected.origin, account=message.account)
    computer = computer_of(connected.origin, table.lobby, table.sessions.origins)
    is_host = connected.key == table.state.host_key
    if is_host:
        computer = THE_HOSTS_COMPUTER
    decided = decide_entry(
        table.state, connected.key, message.name, watch=message.watch, computer=computer
    )
    if table.disk is DiskStatus.FULL:
        decided = Refusal.DISK_FULL
    elif table.sessions.is_crowded(connected.address) and not is_host:
        decided = Refusal.CROWDED
    elif table.is_log_long and not is_host:
        decided = Refusal.TABLE_FULL
    elif isinstance(decided, Step) and not is_host:
        is_counted = table.sessions.count_entry(connected.address, message.name)
        decided = decided if is_counted else Refusal.BUSY
    if isinstance(decided, Refusal):
        table.sessions.send(connected, CommandRefused(0, decided))
        return
    table.sessions.attach(connected, decided.by)
    _greet(table, connected, decided.by, message)
    table.commit(decided)
    table.tell_host()


def _come_back(table: LiveTable, connected: Connected, member: int, message: EnterTable) -> None:
    """Let a member return on a new connection, which replaces an older one at once.

    Returns that need a snapshot are rate-limited per member.
    """
    sessions = table.sessions
    buffer = sessions.remember(member)
    if _missed(table, member, message) is None and not buffer.snapshots.take(1, sessions.now):
        sessions.end(connected, CloseReason.TOO_MUCH)
        return
    if _is_of_now(table, message):
        table.acknowledged.note(member, message.seen.step)
    older = sessions.by_member.get(member)
    if older is not None:
        sessions.end(older, CloseReason.REPLACED)
    table.set_presence(member, Presence.THERE)
    connected.origin = replace(connected.origin, account=message.account)
    table.set_computer(member, connected.origin)
    sessions.attach(connected, member)
    _greet(table, connected, member, message)
    table.tell_host()
    table.tell_watcher(connected, member)
    missed = _missed(table, member, message)
    if missed is None:
        table.bring_along(connected, member, table.past.part(message.seen))
        return
    for frame in missed:
        sessions.send_step(connected, frame)


def _greet(table: LiveTable, connected: Connected, member: int, message: EnterTable) -> None:
    """Send the welcome: the member's number, and whether this table has the past they saw."""
    known, last = table.past.has(message.seen), table.state.ids.get(member, 0)
    table.sessions.send(connected, Welcome(member, table.incarnation, known, last))


def _missed(table: LiveTable, member: int, message: EnterTable) -> tuple[StepFrame, ...] | None:
    """Return the frames that a returning client has missed.

    `None` if some are gone, or what it holds cannot be continued: it is of another incarnation or
    another past.
    """
    if not _is_of_now(table, message):
        return None
    return table.sessions.buffers[member].missed(message.seen.step, table.state.number)


def _is_of_now(table: LiveTable, message: EnterTable) -> bool:
    """Return True if what a returning client holds is of this incarnation, and of our past."""
    return message.incarnation == table.incarnation and table.past.has(message.seen)


# Commands.


def _command(table: LiveTable, connected: Connected, member: int, command: ClientCommand) -> None:
    """Do a command, unless it was done before or is refused."""
    request, send = command.request, table.sessions.send
    if command.id <= table.state.ids.get(member, 0):
        send(connected, Accepted(command.id))
        return
    if isinstance(request, ReportMissing) and table.was_reported(request):
        send(connected, Accepted(command.id))
        return
    reason = _why_refused(table, member, request)
    if reason is not None:
        send(connected, CommandRefused(command.id, reason))
        return
    if isinstance(request, GoUnsaved):
        table.go_unsaved = table.disk is DiskStatus.FULL
        send(connected, Accepted(command.id))
        return
    if isinstance(request, SwitchDoor):
        table.switches.append(request)
        send(connected, Accepted(command.id))
        return
    if isinstance(request, GiveHost):
        table.hand_over_to(request.member)
        send(connected, Accepted(command.id))
        return
    if isinstance(request, ReportMissing):
        table.note_report(request)
    seed = table.seeds() if needs_seed(table.state, request) else b""
    table.commit(step_of(table.state, member, command.id, request, seed))


def _why_refused(table: LiveTable, member: int, request: Request) -> Refusal | None:
    """Return the reason for refusing a request, the number of recent ones included."""
    words = table.sessions.buffers[member].words
    is_counted = table.disk is not DiskStatus.FULL and not isinstance(request, MakeMove)
    if is_counted and not words.take(1, table.sessions.now):
        return Refusal.TOO_FAST
    if isinstance(request, ReportMissing) and not table.past.was_reopened:
        return Refusal.NOT_NOW  # a table that was never reopened has lost no moves
    reason = why_refused(table.state, member, request, table.disk)
    if reason is None and table.is_handed_over:
        return Refusal.NOT_NOW
    if reason is None and isinstance(request, GiveHost):
        return None if table.electors.has_standby(request.member) else Refusal.NO_STANDBY
    return reason
