"""Talk in a record: what players and watchers said during a game, as comments between the moves.

    {2 gold 8n2}    {3 "Who says so?"}    {2 "Wim" saboteur 1}    {"Ida" "Good luck!"}

First comes the speaker: a seat, with a name if that is not the name of the record, or for a watcher
a name alone. Then comes a claim, or a text in quotes. The tag `Talk` holds a CRC-32 of all that was
said and where, so that talk is as well guarded as moves are; without the tag, comments are ignored.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, assert_never

from engine.board import GOAL_CELLS
from engine.bots.talk import Bluff, Claim, DigsAgainstUs, DigsForUs, GoldAt, HelpMe, StoneAt, WhoMe
from engine.cards import Tool
from engine.tokens import format_cell, format_seat

MAX_SAID_CHARACTERS: Final = 200  # characters of the longest text, or name of a speaker

_COMMENT: Final = re.compile(
    r'\{(?:(?P<seat>[1-9][0-9]?) )?(?:"(?P<name>(?:[^"\\]|\\.)*)" )?'
    r'(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<claim>[a-z]+(?: [0-9A-Zns-]+)?))\}'
)
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "{": "\\(", "}": "\\)"}
"""Escapes within quotes: a comment has no braces in it."""
_ESCAPING: Final = str.maketrans(_ESCAPES)
_UNESCAPED: Final = {escape: character for character, escape in _ESCAPES.items()}
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something said aloud: a claim, or a text.

    It was said in the round `round`, after `moves` of its moves. `seat` is the speaker's, `None`
    for a watcher. `name` is the speaker's, empty if it is the name of the seat in the record.
    """

    round: int
    moves: int
    seat: int | None
    name: str = ""
    claim: Claim | None = None
    text: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """The round, and how many of its moves were made before."""
        return self.round, self.moves


def format_claim(claim: Claim) -> str:
    """Spell a claim."""
    match claim:
        case GoldAt(cell):
            return f"gold {format_cell(cell)}"
        case StoneAt(cell):
            return f"stone {format_cell(cell)}"
        case DigsAgainstUs(seat):
            return f"saboteur {format_seat(seat)}"
        case DigsForUs(seat):
            return f"miner {format_seat(seat)}"
        case HelpMe(tool):
            return f"help {tool.value}"
        case Bluff(seat):
            return f"bluff {format_seat(seat)}"
        case WhoMe():
            return "me"
        case _:
            assert_never(claim)


def claims(players: int) -> tuple[Claim, ...]:
    """Return every claim that can be made at a table with this number of players."""
    seats = range(players)
    return (
        *map(GoldAt, GOAL_CELLS),
        *map(StoneAt, GOAL_CELLS),
        *map(DigsAgainstUs, seats),
        *map(DigsForUs, seats),
        *map(HelpMe, Tool),
        *map(Bluff, seats),
        WhoMe(),
    )


@lru_cache
def spell_claims(players: int) -> Mapping[str, Claim]:
    """Return every claim that can be made by its spelling."""
    return MappingProxyType({format_claim(claim): claim for claim in claims(players)})


def format_utterance(said: Utterance) -> str:
    """Spell what was said, as the comment that stands where it was said."""
    words = [] if said.seat is None else [format_seat(said.seat)]
    if said.name or said.seat is None:
        words.append(_quote(said.name))
    words.append(_quote(said.text) if said.claim is None else format_claim(said.claim))
    return f"{{{' '.join(words)}}}"


def read_utterance(comment: str, place: tuple[int, int], players: int) -> Utterance | None:
    """Read the utterance in a comment at this `place`; `None` if it is no talk.

    `place` is the round, and the number of its moves that were made before.
    """
    found = _COMMENT.fullmatch(comment)
    if found is None:
        return None
    number, name, text, claim = found.group("seat", "name", "text", "claim")
    seats = {format_seat(seat): seat for seat in range(players)}
    spelt = spell_claims(players)
    if (number is None and name is None) or (number is not None and number not in seats):
        return None
    if claim is not None and claim not in spelt:
        return None
    seat = None if number is None else seats[number]
    claimed = None if claim is None else spelt[claim]
    said = Utterance(*place, seat, _unquote(name), claimed, _unquote(text))
    return said if format_utterance(said) == comment and is_printable(said) else None


def is_printable(said: Utterance) -> bool:
    """Return True if name and text of an utterance are short and have no control characters."""
    return all(
        len(text) <= MAX_SAID_CHARACTERS and text.isprintable() for text in (said.name, said.text)
    )


def talk_check(talk: Iterable[Utterance]) -> str:
    """Return the text of the tag `Talk`: a CRC-32 of all that was said, and where."""
    crc = 0
    for said in talk:
        line = f"{said.round} {said.moves} {format_utterance(said)}\n"
        crc = zlib.crc32(line.encode("utf-8", "surrogatepass"), crc)
    return f"{crc:08x}"


def _quote(text: str) -> str:
    """Return a text in quotes, with escapes for quotes, backslashes and braces."""
    return f'"{text.translate(_ESCAPING)}"'


def _unquote(text: str | None) -> str:
    """Return the text that `_quote` was given; an unknown escape stays as it is."""
    if text is None:
        return ""
    return _ESCAPE.sub(lambda found: _UNESCAPED.get(found[0], found[0]), text)
