"""A record's game at a glance, for lists: read without playing the game again.

All checksums are checked, but not the moves: whether the game was possible at all is known only
after `parse_record`. That makes it ten times as fast.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.cards import Role
from engine.edition import Edition
from engine.notation.lexer import END_WORD, Token
from engine.notation.record_parser import UNFINISHED_RESULT, record_parts
from engine.notation.record_writer import LineKind
from engine.notation.tags import Extra, read_tags

_COUNT: Final = re.compile(r"[0-9]{1,3}")

GAME_ID_CHARACTERS: Final = 32  # characters of the id of a game: 16 bytes in hexadecimal digits


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The side that won a round, and the dwarves by seat."""

    winner: Role
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """A game as its record tells it.

    `id` is the same for all records of the game with the same moves, whatever comments and extra
    tags they have. `seen` holds the one seat whose record it is, or `None` for a watcher; it is
    `None` itself if the record is whole. `nuggets` are by seat, `None` if the game is not over.
    `played` are the rounds that are over.
    """

    id: str
    names: tuple[str, ...]
    edition: Edition
    rounds: int
    seen: tuple[int | None] | None
    nuggets: tuple[int, ...] | None
    played: tuple[RoundSummary, ...]
    extra: Extra


def parse_summary(text: str | bytes) -> RecordSummary:
    """Read the summary of a record's game. Raises `NotationError` with the line of a fault."""
    head, body, _comments = record_parts(text)
    tags = read_tags(head, body[0].span)
    own = {name for name, _ in tags.extra}
    said = [word.text for word in head if word.name not in own and word.name != "Talk"]
    digest = sha256("\n".join([*sorted(said), *(word.text for word in body)]).encode()).hexdigest()
    return RecordSummary(
        id=digest[:GAME_ID_CHARACTERS],
        names=tags.names,
        edition=tags.edition,
        rounds=tags.rounds,
        seen=tags.seen,
        nuggets=_nuggets(tags.result, len(tags.names), body, head),
        played=_rounds(body, len(tags.names)),
        extra=tags.extra,
    )


def _nuggets(
    result: str, players: int, body: list[Token], head: list[Token]
) -> tuple[int, ...] | None:
    """Return the nuggets by seat, `None` if the game is not over. Raises `NotationError`."""
    end = next((at for at, word in enumerate(body) if word.text == END_WORD), len(body))
    ended = " ".join(word.text for word in body[end + 1 :])
    tag = next(word.span for word in head if word.name == "Result")
    if ended != result:
        raise tag.error('going by what follows, the result is "{result}"', result=ended)
    if result == UNFINISHED_RESULT:
        return None
    counts = result.split(" ")
    if len(counts) != players or not all(map(_COUNT.fullmatch, counts)):
        raise tag.error("this game has {players} players", players=players)
    return tuple(map(int, counts))


def _rounds(body: list[Token], players: int) -> tuple[RoundSummary, ...]:
    """Return the rounds that are over. Raises `NotationError`."""
    found: list[RoundSummary] = []
    for at, word in enumerate(body):
        if word.text != LineKind.WON:
            continue
        winner, dwarves, *_rest = (*(word.text for word in body[at + 1 : at + 3]), "", "")
        roles, _plus, _spare = dwarves.partition("+")
        letters = {str(role) for role in Role}
        if winner not in letters or len(roles) != players or not letters.issuperset(roles):
            raise word.span.error(
                "a round cannot end like this with {players} dwarves", players=players
            )
        found.append(RoundSummary(Role(winner), tuple(map(Role, roles))))
    return tuple(found)
