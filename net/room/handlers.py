"""Handlers of the messages of clients: entering, returning, heartbeats and commands.

They never raise for what a client sends; a message that no honest client sends ends its connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final, assert_never

from msgspec.structs import replace

from net.protocol import lobby_events as events
from net.protocol import messages, requests
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.cleaning import clean_name, suffixed_name
from net.protocol.framing import BadFrame
from net.protocol.lobby import MAX_PEOPLE, THE_TABLE, UNPICKED, Dwarf, Presence, TablePhase
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CloseReason,
    EnterTable,
    Refusal,
    StepFrame,
)
from net.room.decisions import needs_seed, step_of, why_refused
from net.room.effects import Asked
from net.room.gathering import TakeoverGathering, make_return_step
from net.room.room import Room
from net.room.sessions import Connected
from net.room.steps import RoomState, Step
from net.secure.limits import Limit


def decide_entry(
    state: RoomState, key: bytes, message: EnterTable, *, at_door: bool = False
) -> Step | Refusal:
    """Return the step in which a newcomer enters, or the reason for refusing them.

    A name that is taken is refused, or gets a number: for the host, for a projector, and for a
    player whose namesake has a deserted seat. With that name the player asks for the seat.

    Before a game a newcomer sits down, on one more chair if none is free. At a full table, a
    disconnected watcher is removed to make room, in a full hall the person who has been away
    longest. Newcomers who watch cannot take the places of players: one place is kept for each free
    chair, and one for the host.
    """
    name, lobby, member = clean_name(message.name), state.lobby, state.members + 1
    is_host, projector = key == state.host_key, message.projector
    watch = message.watch or projector
    deserted = None if watch else lobby.find_deserted(name)
    if lobby.stage is TablePhase.CLOSED:
        return Refusal.NOT_NOW
    if lobby.locked and not is_host:
        return Refusal.LOCKED
    if not name:
        return Refusal.NO_NAME
    if lobby.has_name(name):
        if not (is_host or projector or deserted is not None):
            return Refusal.NAME_TAKEN
        numbered = (suffixed_name(name, number) for number in count(2))
        name = next(other for other in numbered if not lobby.has_name(other))
    lobby_events: list[events.LobbyEvent] = []
    is_open = lobby.stage is TablePhase.LOBBY and not lobby.is_drawing
    free = lobby.free_seats if is_open else ()
    seat = lobby.next_seat() if is_open and not watch and deserted is None else None
    kept = len(free) - (seat in free) + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE):
        owners, needed = {loan.member for loan in lobby.lent}, lobby.board.names_at_tables
        gone = [
            watcher
            for watcher in lobby.watchers
            if watcher.presence.is_gone
            and watcher.member not in owners
            and watcher.name not in needed
        ]
        if not gone:
            return Refusal.TABLE_FULL
        lobby_events.append(events.Exited(gone[0].member, events.LeaveReason.FORGOTTEN))
    if seat == len(lobby.chairs):
        grown = replace(lobby.settings, seats=seat + 1)
        lobby_events.append(events.SettingsChanged(grown))
    waits = seat is None and not watch
    dwarf = lobby.grant(member, message.dwarf)
    lobby_events.append(
        events.Entered(member, name, is_host, waits, key, at_door, projector, dwarf)
    )
    if seat is not None:
        lobby_events.append(events.SatDown(seat, member))
    if deserted is not None:
        lobby_events.append(events.SeatAsked(deserted.seat, member))
    return Step(member, news=tuple(lobby_events))


def seat_steps(people: Sequence[tuple[bytes, str]], host_key: bytes) -> tuple[Step, ...]:
    """Return a table's first steps, which seat people by key and name, ready but absent."""
    return tuple(
        Step(
            member,
            news=(
                events.Entered(member, name, key == host_key, key=key),
                events.SatDown(member - 1, member),
                events.PresenceChanged(member, Presence.GONE),
            ),
        )
        for member, (key, name) in enumerate(people, 1)
    )


def _handle_gathering(
    room: Room, table: TakeoverGathering, connected: Connected, message: ClientMessage
) -> None:
    sessions, member = room.sessions, connected.member
    match message:
        case messages.Ping():
            sessions.send(connected, messages.Pong(0))
        case EnterTable() if member is None:
            _enter_gathering(room, table, connected, message)
        case messages.Knowledge(sent) if member is not None:
            try:
                table.record_knowledge(member, sent)
            except BadFrame:
                sessions.end(connected, CloseReason.OUT_OF_ORDER)
        case messages.CommitShare() | messages.ShowShare() if member is not None:
            pass  # a draw was under way when the host was lost
        case messages.BeginNow() if connected.key == room.state.host_key:
            table.until = sessions.now
        case messages.StepAway():
            sessions.end(connected, CloseReason.LEFT)
        case _:  # no honest client sends anything else before it is admitted
            sessions.end(connected, CloseReason.OUT_OF_ORDER)
    continue_gathering(room, table)


def _enter_gathering(
    room: Room, table: TakeoverGathering, connected: Connected, message: EnterTable
) -> None:
    sessions, member = room.sessions, room.state.member_with(connected.key)
    if member is None:
        sessions.send(connected, messages.CommandRefused(0, Refusal.BUSY))
        return
    older = sessions.by_member.get(member)
    if older is not None:
        sessions.end(older, CloseReason.REPLACED)
    sessions.attach(connected, member)
    table.entering[member] = message
    if table.question is not None and table.is_asked(member):
        sessions.send(connected, messages.KnowledgeWanted(table.question.at.mark))
    _send_gathering(room, table)


def _send_gathering(room: Room, table: TakeoverGathering) -> None:
    names = tuple(person.name for person in table.missing_people())
    here = room.rank.people
    for connected in room.sessions.by_member.values():
        room.sessions.send(connected, messages.Gathering(names, here))


def leave_gathering(room: Room, table: TakeoverGathering, member: int) -> None:
    table.entering.pop(member, None)
    _send_gathering(room, table)


def continue_gathering(room: Room, table: TakeoverGathering) -> None:
    if _ask_next(room, table):
        _end_gathering(room, table)


def _ask_next(room: Room, table: TakeoverGathering) -> bool:
    """Ask the next question; return True if there is none left."""
    for member in table.entering.keys() - room.sessions.by_member.keys():
        leave_gathering(room, table, member)  # its connection was ended
    now, question = room.sessions.now, table.question
    if room.state.member_with(room.state.host_key) not in table.entering:
        return False  # the host's own program is about to connect
    if table.moved.newest.public is None:
        return True  # there is no game, and nobody has secrets
    if question is None:
        if table.missing_people() and now < table.until:
            return False
        if table.last_common_state().public is None:
            return True
        question = table.ask(now)
        for member in question.asked:
            wanted = messages.KnowledgeWanted(question.at.mark)
            room.sessions.send(room.sessions.by_member[member], wanted)
        return False
    silent = [member for member in table.entering if table.is_asked(member)]
    if silent and now < question.until:
        return False
    for member in silent:
        del table.entering[member]  # they come back like latecomers
        room.sessions.end(room.sessions.by_member[member], CloseReason.TOO_SLOW)
    return True


SNAPSHOTS: Final = Limit(rate=0.5, burst=6)  # a request of a few bytes is answered by up to 256 KiB
NUDGES: Final = Limit(rate=1 / 20, burst=1)  # each rings a bell
REACTIONS: Final = Limit(rate=1, burst=1)  # each is drawn on everybody's screen


def handle(room: Room, connected: Connected, message: ClientMessage) -> None:
    connected.last_message_at = room.sessions.now
    if room.gathering is not None:
        _handle_gathering(room, room.gathering, connected, message)
    elif connected.member is None:
        _handle_stranger(room, connected, message)
    else:
        _handle_member(room, connected, connected.member, message)


def _handle_stranger(room: Room, connected: Connected, message: ClientMessage) -> None:
    match message:
        case EnterTable():
            member = room.state.member_with(connected.key)
            if member is None:
                _enter(room, connected, message)
            elif not _ask_for_secrets(room, connected, member, message):
                _readmit(room, connected, member, message)
        case messages.Knowledge(sent) if connected.entering is not None:
            _restore_cards(room, connected, connected.entering, sent)
        case messages.Ping():
            room.sessions.send(connected, messages.Pong(0))
        case _:  # no honest client sends anything else before it is admitted
            room.sessions.end(connected, CloseReason.OUT_OF_ORDER)


def _handle_member(room: Room, connected: Connected, member: int, message: ClientMessage) -> None:
    sessions = room.sessions
    buffer = sessions.buffers[member]
    is_leaving = isinstance(message, messages.StepAway)
    if isinstance(message, messages.Ping):
        connected.has_seen(message.seen, sessions.now)
    if is_leaving or connected.acked >= connected.doubted:
        buffer.last_message_at = sessions.now
        room.set_presence(member, Presence.AWAY if is_leaving else Presence.THERE)
    match message:
        case EnterTable():
            sessions.end(connected, CloseReason.OUT_OF_ORDER)
        case ClientCommand():
            _command(room, connected, member, message)
        case messages.Ping():
            sessions.send(connected, messages.Pong(room.state.number, room.turn_lasted))
        case messages.CommitShare() | messages.ShowShare():
            if room.answers.add(room.lobby.draw, member, message):
                room.continue_draw()
        case messages.Resync():
            if buffer.limiter.take(SNAPSHOTS, sessions.now):
                room.send_snapshot(connected, member)
            else:
                sessions.end(connected, CloseReason.TOO_MUCH)
        case messages.StepAway():
            pass  # their presence was set above
        case messages.Knowledge() | messages.BeginNow():
            pass  # it was asked for before the table resumed
        case _:
            assert_never(message)


# Entering and returning.


def _enter(room: Room, connected: Connected, message: EnterTable) -> None:
    is_host = connected.key == room.state.host_key
    decided = decide_entry(room.state, connected.key, message, at_door=connected.at_door)
    if room.disk.is_waiting:
        decided = Refusal.DISK_FULL
    elif not is_host and room.sessions.is_crowded(
        connected.address, {person.member for _chair, person in room.lobby.sitting}
    ):
        decided = Refusal.CROWDED
    elif isinstance(decided, Step) and not is_host:
        is_counted = room.sessions.count_entry(connected.address)
        decided = decided if is_counted else Refusal.BUSY
    if isinstance(decided, Refusal):
        room.sessions.send(connected, messages.CommandRefused(0, decided))
        return
    room.sessions.attach(connected, decided.by, watches=message.watch or message.projector)
    _greet(room, connected, decided.by, message)
    room.commit(decided)
    room.send_host_state(connected)


def _readmit(room: Room, connected: Connected, member: int, message: EnterTable) -> None:
    """Let a member return on a new connection, which replaces an older one at once.

    Returns that need a snapshot are rate-limited per member.
    """
    sessions = room.sessions
    buffer = sessions.buffer_of(member)
    if _find_missed(room, member, message) is None and not buffer.limiter.take(
        SNAPSHOTS, sessions.now
    ):
        sessions.end(connected, CloseReason.TOO_MUCH)
        return
    older = sessions.by_member.get(member)
    if older is not None:
        sessions.end(older, CloseReason.REPLACED)
    if (seat := room.lobby.seat_of(member)) is not None:
        room.keep_cards(seat)
    room.set_presence(member, Presence.THERE)
    _bring_dwarf(room, member, message.dwarf)
    is_watching = message.watch or room.lobby.find_person(member).projector
    sessions.attach(connected, member, watches=is_watching)
    _greet(room, connected, member, message)
    room.send_host_state(connected)
    missed = _find_missed(room, member, message)
    if missed is None:
        room.send_snapshot(connected, member)
    for frame in missed or ():
        sessions.send_step(connected, frame)
    room.return_lent_seats()


def _bring_dwarf(room: Room, member: int, dwarf: Dwarf) -> None:
    """Give somebody whose seat was drawn for them, as in a club, the dwarf that they prefer."""
    lobby, picked = room.lobby, room.lobby.find_person(member).dwarf
    is_due = lobby.stage is TablePhase.LOBBY and picked == UNPICKED != dwarf
    if is_due and not room.disk.is_waiting:
        room.commit(Step(news=(events.DwarfPicked(member, lobby.grant(member, dwarf)),)))


# At a table that moves here.


def _end_gathering(room: Room, table: TakeoverGathering) -> None:
    sessions = room.sessions
    step, kept = table.make_step(room.seeds())
    entering = [(sessions.by_member[member], message) for member, message in table.entering.items()]
    for connected in sessions.by_member.values():
        connected.member = None
    sessions.by_member.clear()
    room.commit(step)
    room.note_takeover(kept)
    for connected, message in entering:
        member = room.state.member_with(connected.key)
        if member is None:  # they came after the step where the table resumes
            sessions.send(connected, messages.CommandRefused(0, Refusal.NOT_NOW))
            continue
        if not _ask_for_secrets(room, connected, member, message):
            _readmit(room, connected, member, message)


def _ask_for_secrets(room: Room, connected: Connected, member: int, message: EnterTable) -> bool:
    """Ask somebody who returns before the first move for their secrets; return True if asked."""
    seat, moved = room.lobby.seat_of(member), room.lobby.relocations[-1:]
    is_due = room.is_new_here and room.state.game is not None and seat not in room.kept
    if not is_due or not moved or seat not in moved[0].anew:
        return False
    connected.entering = message
    room.sessions.send(connected, messages.KnowledgeWanted(room.resumed_from))
    return True


def _restore_cards(room: Room, connected: Connected, message: EnterTable, sent: bytes) -> None:
    member = room.state.member_with(connected.key)
    seat = None if member is None else room.lobby.seat_of(member)
    try:
        secrets = messages.decode_knowledge(sent)
    except BadFrame:
        room.sessions.end(connected, CloseReason.OUT_OF_ORDER)
        return
    is_in_time = room.is_new_here and seat not in room.kept
    if is_in_time and secrets is not None and seat is not None:
        step = make_return_step(room.state, room.kept, seat, secrets, room.seeds())
        if step is not None:
            room.commit(step)
    if member is None:  # they were removed meanwhile
        room.sessions.end(connected, CloseReason.KICKED)
    else:
        _readmit(room, connected, member, message)


def _greet(room: Room, connected: Connected, member: int, message: EnterTable) -> None:
    gone, last = room.count_gone(message.seen, message.incarnation), room.state.ids.get(member, 0)
    room.sessions.send(connected, messages.Welcome(member, room.incarnation, gone, last))


def _find_missed(room: Room, member: int, message: EnterTable) -> tuple[StepFrame, ...] | None:
    """Return the frames that a returning client has missed.

    `None` if some are gone, or what it holds cannot be continued: it has another incarnation or
    another past.
    """
    is_other = message.incarnation != room.incarnation
    if is_other or room.count_gone(message.seen, message.incarnation):
        return None
    return room.sessions.buffers[member].find_missed(message.seen.step, room.state.number)


# Commands.


def _command(room: Room, connected: Connected, member: int, command: ClientCommand) -> None:
    request, send = command.request, room.sessions.send
    if command.id <= room.state.ids.get(member, 0):
        send(connected, messages.Accepted(command.id))
        return
    reason = _why_not_now(room, member, request)
    if reason is not None:
        send(connected, messages.CommandRefused(command.id, reason))
        return
    match request:
        case requests.GoUnsaved():
            room.play_unsaved()
        case requests.SwitchDoor():
            room.switches.append(request)
        case requests.LetBotMove():
            room.let_bot_move()
        case requests.React(reaction):
            for other in room.sessions.by_member.values():
                send(other, messages.Reacted(member, reaction))
        case _:
            seed = room.seeds() if needs_seed(room.state, request) else b""
            room.commit(step_of(room.state, member, command.id, request, seed))
            if room.lobby.is_hall:
                room.asked.append(Asked(member, command.id, request))
            return
    send(connected, messages.Accepted(command.id))


def _why_not_now(room: Room, member: int, request: requests.TableRequest) -> Refusal | None:
    is_counted = not room.disk.is_waiting and not isinstance(request, requests.MakeMove)
    sessions = room.sessions
    limiter = sessions.buffers[member].limiter
    if is_counted and not limiter.take(sessions.limits.requests, sessions.now):
        return Refusal.TOO_FAST
    if room.lobby.in_club and isinstance(request, requests.NewCode | requests.SwitchDoor):
        return Refusal.CLUB_ONLY
    reason = why_refused(room.state, member, request, room.disk)
    takes_over = isinstance(request, requests.NextRound) and member != room.lobby.host
    is_early = (takes_over or isinstance(request, requests.LetBotMove)) and not room.is_turn_long
    if reason is None and is_early:
        return Refusal.NOT_NOW
    if reason is None and isinstance(request, requests.Nudge):
        return None if limiter.take(NUDGES, sessions.now) else Refusal.TOO_FAST
    if reason is None and isinstance(request, requests.React):
        return None if limiter.take(REACTIONS, sessions.now) else Refusal.TOO_FAST
    return reason
