"""Inputs of a room: what the shell tells it of connections, messages, time, bots and the disk.

Each takes the time at which it happens, and returns the effects for the shell to carry out. A club
adds more for its hall and tables (`room_input`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Concatenate, ParamSpec

from engine.bots import BOTS
from engine.moves import Move
from engine.state import Phase
from net.protocol import lobby_events as events
from net.protocol.game_wire import write_move
from net.protocol.lobby import ChatRule, Lobby, Settings, TableClaim, TablePhase, clean_text
from net.protocol.messages import ClientMessage, CloseReason
from net.room.bots import MAX_WORDS_PER_ROUND, BotMoveDue
from net.room.draws import Seeds, deal_step
from net.room.effects import Effects
from net.room.handlers import continue_gathering, handle, leave_gathering
from net.room.permissions import is_round_due, is_start_due, may_play
from net.room.room import Room
from net.room.sessions import presence_after
from net.room.steps import GameStep, Step, read_founding, read_step

P = ParamSpec("P")


def resume(kept: bytes, steps: Iterable[bytes], incarnation: int, seeds: Seeds, now: float) -> Room:
    """Restore a room by its founding and steps; call `reopen` next. Raises msgspec.DecodeError."""
    room = Room(read_founding(kept), incarnation, seeds, now)
    for payload in steps:
        room.apply(read_step(payload))
    return room


def room_input(
    do: Callable[Concatenate[Room, P], None],
) -> Callable[Concatenate[Room, float, P], Effects]:
    """Make an input of a function: advance the room's clock before it, return the effects after."""

    @wraps(do)
    def take(room: Room, now: float, /, *args: P.args, **kwargs: P.kwargs) -> Effects:
        if room.sessions.advance(now):
            room.doubt_all()
        do(room, *args, **kwargs)
        return room.collect()

    return take


# Connections and messages.


@room_input
def add_connection(
    room: Room,
    connection: int,
    key: bytes,
    address: str = "",
    at_door: bool = False,  # noqa: FBT001, FBT002 - inputs take no keywords
) -> None:
    """Add a trusted connection whose other side has proven this seat key.

    People from one `address` are limited in number. A person `at_door` has no program of their own.
    The connection of somebody whom the host removed is closed at once, with the reason.
    """
    if key in room.state.sent_away:
        room.sessions.turn_away(connection, CloseReason.KICKED)
        return
    room.sessions.arrive(connection, key, address)
    room.sessions.connected[connection].at_door = at_door


@room_input
def receive(room: Room, connection: int, message: ClientMessage) -> None:
    connected = room.sessions.connected.get(connection)
    if connected is not None:
        handle(room, connected, message)


@room_input
def drop_connection(room: Room, connection: int) -> None:
    """Forget a closed connection. Its member may reconnect within a few seconds."""
    connected = room.sessions.connected.get(connection)
    if connected is None:
        return
    room.sessions.forget(connected)
    if room.gathering is not None and connected.member is not None:
        leave_gathering(room, room.gathering, connected.member)


# Time.


@room_input
def tick(room: Room) -> None:
    """Let time pass: end silent connections, update presence. Call every second or two."""
    sessions, full = room.sessions, room.disk.is_waiting
    for connected in tuple(sessions.connected.values()):
        if connected.is_silent(sessions.now) or (not full and connected.is_slow(sessions.now)):
            sessions.end(connected, CloseReason.TOO_SLOW)
    if full:
        return
    if room.gathering is not None:
        continue_gathering(room, room.gathering)
    elif room.lobby.handing:
        room.continue_handover()
    else:
        _watch_people(room)
        room.continue_draw()
        room.return_lent_seats()
        if not room.may_play:
            room.restart_turn()  # the clock does not run meanwhile


def _watch_people(room: Room) -> None:
    lobby_events: list[events.LobbyEvent] = []
    lobby, now = room.lobby, room.sessions.now
    for person in lobby.people:
        buffer = room.sessions.buffers.get(person.member)
        if buffer is not None:
            presence = presence_after(now - buffer.last_message_at)
            if presence > person.presence and buffer.may_announce(presence, now):
                lobby_events.append(events.PresenceChanged(person.member, presence))
                lobby = lobby_events[-1].change(lobby)
    step = Step(news=tuple(lobby_events))
    if _is_deal_due(room, lobby):
        step = deal_step(room.state, step, room.seeds())
    if step != Step():
        room.commit(step)


def _is_deal_due(room: Room, lobby: Lobby) -> bool:
    if not may_play(lobby, room.state.round):
        return False
    if room.state.phase is None and room.starts_with:
        is_late = room.sessions.now >= room.starts_by
        return is_start_due(lobby, 1 if is_late else room.starts_with)
    return room.state.phase is Phase.DEAL and is_round_due(lobby)


# Bots.


@room_input
def make_bot_move(
    room: Room, turn: BotMoveDue, move: Move, claims: Iterable[TableClaim] = (), text: str = ""
) -> None:
    """Make the move that a bot has chosen, and before it the claims and the line of text.

    A move for a turn that is over is dropped, as are words in the name of a person, claims about a
    seat that does not exist, and words beyond `MAX_WORDS_PER_ROUND`.

    Raises engine.IllegalMove: the move is illegal, a bug in the bot. Nothing is changed.
    """
    due = room.move_due
    if due is None or (due.turn, due.seat) != (turn.turn, turn.seat):
        return
    news: tuple[events.LobbyEvent, ...]
    if due.reason is None:
        news = _clean_words(room, turn.seat, claims, text)
    else:
        news = (events.StoodIn(due.seat, due.reason),)
    room.commit(Step(news=news, act=GameStep(write_move(move))))


def _clean_words(
    room: Room, seat: int, claims: Iterable[TableClaim], text: str
) -> tuple[events.LobbyEvent, ...]:
    """Clean a bot's words as people's are, and cut them to what it may still say."""
    lobby, left = room.lobby, MAX_WORDS_PER_ROUND - room.claims.spoken.count(seat)
    fit = (claim for claim in claims if claim.fits(len(lobby.chairs)))
    words: list[events.LobbyEvent] = [events.BotClaimed(seat, claim) for claim in fit]
    line = "" if lobby.settings.chat is ChatRule.CLAIMS else clean_text(text)
    if line:
        words.append(events.BotSaid(seat, line))
    return tuple(words[: max(left, 0)])


@room_input
def retire_bot(room: Room, bot: str) -> None:
    settings = room.lobby.settings
    level = settings.stand_in if settings.stand_in in BOTS else Settings().stand_in
    retired = events.BotRetired(bot, level)
    is_played = room.lobby.stage is TablePhase.PLAYING and retired.fits(room.lobby)
    if bot not in BOTS and is_played:
        room.commit(Step(news=(retired,)))


# What the room does automatically.

reopen = room_input(Room.reopen)
close_moved = room_input(Room.close_moved)
make_bot_claim = room_input(Room.make_bot_claim)
note_disk = room_input(Room.note_disk)
note_wrong_codes = room_input(Room.note_wrong_codes)
note_announcing = room_input(Room.note_announcing)
note_door = room_input(Room.note_door)
