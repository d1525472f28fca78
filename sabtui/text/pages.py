"""Pages to read, as values: paragraphs, columns, pictures of cards, and tables of signs.

Each interface draws them in its own way. Which cards lie in a picture is all that they say of it.
Signs are the same in the rules and in the table's help, and with every set of glyphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.board import CardState
from engine.cards import Goal, Path
from sabtui.text.i18n import _
from sabtui.text.names import width

TILE_COLUMNS: Final = 5
"""Columns of a card in a picture."""

CARD_GAP_COLUMNS: Final = 3
"""Columns between two cards with captions."""

Signs: TypeAlias = Sequence[tuple[str, str]]
"""Rows of a sign and its meaning."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, to be wrapped."""

    text: str


@dataclass(frozen=True, slots=True)
class TwoColumns:
    """Rows of a word and its meaning."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PicturedCard:
    """A path card that lies face up."""

    path: Path
    state: CardState = CardState.REACHED
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class PicturedGoal:
    """A goal that lies face down; `goal` is its face if it is known."""

    goal: Goal | None


PicturedCell: TypeAlias = PicturedCard | PicturedGoal | None
"""A cell of a picture; `None` is an empty one."""

DrawCell: TypeAlias = Callable[[PicturedCell], Sequence[str]]
"""Function that draws a cell as lines of `TILE_COLUMNS` columns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Cells side by side, as they lie in the mine; with `captions`, separate cards."""

    cells: Sequence[PicturedCell]
    captions: Sequence[str] = ()

    @staticmethod
    def of(*cards: tuple[PicturedCell, str]) -> Picture:
        """Return a picture of separate cards with their captions."""
        cells, captions = zip(*cards, strict=True)
        return Picture(cells, captions)

    def lines(self, draw: DrawCell) -> list[str]:
        """Return the lines of the cells."""
        return [self._line(parts) for parts in zip(*map(draw, self.cells), strict=True)]

    @property
    def caption_lines(self) -> list[str]:
        """The line of captions below the cards, none without captions."""
        return [self._line(self.captions)] if self.captions else []

    def _line(self, parts: Sequence[str]) -> str:
        """Return a part of each cell, or the captions, in one line."""
        if not self.captions:
            return "  " + "".join(parts)
        rooms = [max(TILE_COLUMNS, width(caption)) for caption in self.captions]
        return "  " + "".join(map(_centred, parts, rooms))


def _centred(text: str, columns: int) -> str:
    """Return a text centred in `columns`, with the gap to the next card on its right."""
    room = columns - width(text)
    left = room // 2
    return " " * left + text + " " * (room - left + CARD_GAP_COLUMNS)


Block: TypeAlias = Paragraph | TwoColumns | Picture
PageBlocks: TypeAlias = Sequence[Block]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page of the rules: blocks with a blank line before each one that is no picture."""

    title: str
    blocks: PageBlocks
    teaches: Sequence[str] = ()
    """Numbers of docs/rules.md, of which every one is taught by some page."""


def notation_signs() -> Signs:
    """Return how places, cards and moves are written."""
    return (
        ("4n1", _("a place: 4 east of the start and 1 north; s is south, -4 is west")),
        ("4", _("a place in the row of the start: 4 east of it")),
        ("NES", _("a tunnel, open to north, east and south; small letters: a dead end")),
        ("SW@4n1", _("a card laid at that place")),
        ("-P -L -C", _("a broken pick, lantern or cart")),
        ("+P +PC", _("a repair of the pick; of pick or cart")),
        ("R M", _("rockfall, map")),
    )


def mine_signs() -> Signs:
    """Return the signs of the mine and the cards that lie there."""
    return (
        ("S ? $ o", _("the start; a goal: unknown, the treasure, a stone")),
        ("[?] [$] [o]", _("a goal still face down: unknown, or as you alone saw it")),
        ("x X ^ v", _("in the middle of a card: a dead end")),
        ("~ : .", _("cut off from the start, like thin and hatched cards")),
        ("<3 3>", _("this many cards are out of sight on that side")),
    )


def place_signs() -> Signs:
    """Return the signs of the places for the chosen card."""
    return (
        ("[2] 2r 2/r", _("place 2 for your card: as it is; turned with r; either way")),
        ("[+] [r] +/r", _("the same for a place without a number")),
        ("*", _("your card can be played on this path, goal or player")),
        ("=", _("your card would join this one")),
        ("^ > v <", _("your card would open a tunnel that way")),
        ("x   x", _("around your card: it does not fit there")),
    )


def player_signs() -> Signs:
    """Return the signs in the list of players and in the hand."""
    return (
        (">", _("whose turn it is, or the card that you chose")),
        ("6+", _("the card that you drew last")),
        ("+ - ?", _("before a name: your mark (friend, foe or unsure)")),
        ("! ~", _("after a name: connection lost, or shaky")),
        ("! = x", _("after a claim: disputed, true or false")),
        ("-PLC", _("broken: pick, lantern and cart")),
        ("2? 2?+1", _("two gold cards face down; with an IOU for one nugget")),
        ("$2", _("gold of 2 nuggets, open or your own")),
    )
