"""The last lines of chat, as a table and its clients keep them and a snapshot carries them.

Each line carries its moment in the game, so that chat and game events can be merged in order.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator
from typing import Annotated, Final, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from engine.actions import TurnEvent
from engine.board import GOAL_CELLS
from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    Statement,
    StoneAt,
    Talk,
    WhoMe,
)
from engine.cards import Tool
from engine.events import Event
from engine.notation.record import Record, Utterance, format_utterance
from engine.state import Score, Table
from engine.view import View
from net.protocol.cleaning import sanitise
from net.protocol.fields import MAX_SEATS, PlayerName, SeatOrNobody, Small, seat_code
from net.protocol.framing import Wire
from net.protocol.lobby import MAX_CHAT_LINES, BotChair, ChatText, Lobby, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed, BotSaid, Claimed, GameBegins, LobbyEvent, Said

MAX_TALK_BYTES: Final = 16 * 1024  # maximum bytes of talk in the record of a game


class Moment(Wire, frozen=True):
    """A round's number, 0 before the first, and how many of its cards were still unplayed."""

    round: Small
    unplayed: Small


BEFORE_ALL: Final = Moment(0, 0)  # the moment of everything said while there is no game


class ChatLine(Wire, frozen=True):
    """A line of chat: a text or a claim, and its speaker.

    `name` and `seat` are the speaker's at that time; the seat is -1 for a watcher.
    """

    name: PlayerName
    seat: SeatOrNobody
    text: ChatText
    claim: TableClaim | None = None
    when: Moment = BEFORE_ALL


ChatHistory: TypeAlias = Annotated[tuple[ChatLine, ...], Meta(max_length=MAX_CHAT_LINES)]


def moment(table: Table, score: Score) -> Moment:
    return Moment(score.number, table.unplayed)


def chat_after(talk: ChatHistory, lobby: Lobby, event: LobbyEvent, when: Moment) -> ChatHistory:
    """Return the last lines of chat after a lobby event; `lobby` is the lobby before it.

    A new game counts its rounds from 1 again, so all earlier lines move to `BEFORE_ALL`.
    """
    if isinstance(event, GameBegins):
        return tuple(replace(line, when=BEFORE_ALL) for line in talk)
    chat_line = chat_line_of(event, lobby, when)
    return talk if chat_line is None else (*talk, chat_line)[-MAX_CHAT_LINES:]


def chat_line_of(event: LobbyEvent, lobby: Lobby, when: Moment = BEFORE_ALL) -> ChatLine | None:
    """Return the line of chat that a lobby event makes, `None` if it makes none.

    `lobby` is the lobby before the event. Raises `LookupError` if the speaker is not at the
    table.
    """
    match event:
        case Said(member, text):
            return ChatLine(*_person(lobby, member), text, None, when)
        case Claimed(member, claim):
            return ChatLine(*_person(lobby, member), "", claim, when)
        case BotClaimed(seat, claim):
            return ChatLine(_bot(lobby, seat), seat, "", claim, when)
        case BotSaid(seat, text):
            return ChatLine(_bot(lobby, seat), seat, text, None, when)
        case _:
            return None


def with_talk(record: Record | None, line: ChatLine | None) -> Record | None:
    """Return the record of a game after a line of chat, with the last `MAX_TALK_BYTES` of talk.

    Texts are dropped before claims, so that nobody can push a claim out by talking.
    """
    if record is None or line is None:
        return record
    seat = line.seat if line.seat >= 0 else None
    name, text = sanitise(line.name, "?"), sanitise(line.text, "?")
    claim = None if line.claim is None else read_claim(line.claim)
    talk = list(record.add_utterance(seat, name, claim, text).talk)
    over = sum(map(_size, talk)) - MAX_TALK_BYTES
    for said in sorted(talk[:-1], key=lambda said: said.claim is not None):
        if over <= 0:
            break
        talk.remove(said)
        over -= _size(said)
    return dataclasses.replace(record, talk=tuple(talk))


def _size(said: Utterance) -> int:
    return len(format_utterance(said).encode()) + 1


def in_order(view: View, talk: ChatHistory) -> Iterator[Event | ChatLine]:
    """Yield this round's events and all chat in order; lines of earlier rounds come first."""
    now = moment(view.table, view.score)
    unplayed = now.unplayed + sum(isinstance(event, TurnEvent) for event in view.history)
    lines = deque(talk)
    while lines and lines[0].when.round < now.round:
        yield lines.popleft()
    for event in view.history:
        if isinstance(event, TurnEvent):
            while lines and lines[0].when.unplayed >= unplayed:
                yield lines.popleft()
            unplayed -= 1
        yield event
    yield from lines


def _person(lobby: Lobby, member: int) -> tuple[str, int]:
    return lobby.find_person(member).name, seat_code(lobby.seat_of(member))


def _bot(lobby: Lobby, seat: int) -> str:
    chair = lobby.chairs[seat]
    if not isinstance(chair, BotChair):
        raise LookupError(seat)  # noqa: TRY004 - the bot is what is missing
    return chair.name


_SEATS: Final = range(MAX_SEATS)
_TABLE_CLAIMS: Final[dict[Claim, TableClaim]] = {
    **{GoldAt(cell): TableClaim(Topic.GOLD_AT, at) for at, cell in enumerate(GOAL_CELLS)},
    **{StoneAt(cell): TableClaim(Topic.STONE_AT, at) for at, cell in enumerate(GOAL_CELLS)},
    **{DigsForUs(seat): TableClaim(Topic.DIGS_FOR_US, seat) for seat in _SEATS},
    **{DigsAgainstUs(seat): TableClaim(Topic.DIGS_AGAINST_US, seat) for seat in _SEATS},
    **{HelpMe(tool): TableClaim(Topic.HELP_ME, at) for at, tool in enumerate(Tool)},
    **{Bluff(seat): TableClaim(Topic.BLUFF, seat) for seat in _SEATS},
    WhoMe(): TableClaim(Topic.WHO_ME),
}
"""All claims of the engine's bots, as the table has them."""
_BOT_CLAIMS: Final = {at_table: claim for claim, at_table in _TABLE_CLAIMS.items()}


def table_claim(claim: Claim) -> TableClaim:
    return _TABLE_CLAIMS[claim]


def read_claim(claim: TableClaim) -> Claim:
    """Return the engine's claim for a claim at the table. Raises LookupError: there is none."""
    return _BOT_CLAIMS[claim]


def talk_of(view: View, lines: ChatHistory) -> Talk:
    """Return the claims of this round among lines of chat, for bots and hints that listen.

    Lines go back only so far, so nothing is known about how honest anybody was in earlier rounds.
    """
    score, players = view.score, view.table.players
    return SILENCE.after(
        Statement(line.seat, read_claim(line.claim), line.when.unplayed)
        for line in lines
        if line.claim is not None
        and line.claim.fits(players)
        and 0 <= line.seat < players
        and line.when.round == score.number
    )
