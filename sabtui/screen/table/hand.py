"""The hand along the bottom: cards with their digits, drawn as they would lie.

Knows plain values. In low terminals the cards are one row. A card that can do nothing now is dim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from engine.cards import Card, Path
from engine.moves import Lay
from engine.view import View
from sabtui.plain.wrap import confined
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.mine.tiles import Size, card_drawn
from sabtui.screen.rows import Ground, Look, Row, Span, filled, fitted, joined
from sabtui.screen.table.choice import Choice
from sabtui.screen.table.desk import Desk
from sabtui.words.cards import card_words, path_words, tool
from sabtui.words.tongue import _, ngettext, pgettext

MOST_CARDS: Final = 6
SLOT: Final = 13
"""The most columns of a card; six of them fit into 80."""

DRAWN: Final = 3
"""Rows of a drawn card."""


def slot(columns: int) -> int:
    """How many columns a card has."""
    return min(SLOT, columns // MOST_CARDS)


def card_at(column: int, columns: int, cards: int) -> int | None:
    """Which of so many cards is under the mouse."""
    at = (column - 1) // slot(columns)
    return at if column and at < cards else None


@dataclass(frozen=True, slots=True)
class _Held:
    """A card at its place in the hand, and how it would lie, if it is a path card."""

    at: int
    card: Card
    path: Path | None
    chosen: bool
    idle: bool

    @staticmethod
    def of(at: int, card: Card, view: View, desk: Desk) -> _Held:
        """A card of a hand."""
        choice, chosen = Choice.of(view, card), at == desk.card
        path = _lying(choice, desk if chosen else None)
        return _Held(at, card, path, chosen, idle=not choice.targets)

    @property
    def key(self) -> Span:
        """Its digit."""
        return Span(f"{'>' if self.chosen else ' '}{self.at + 1}", Look.KEY, self.ground)

    @property
    def text(self) -> str:
        """Its notation."""
        return self.card.text if self.path is None else self.path.text

    @property
    def ground(self) -> Ground:
        """What it lies on."""
        if self.chosen:
            return Ground.CURSOR
        return Ground.ODD_CARD if self.at % 2 else Ground.CARD

    def line(self, text: str, columns: int) -> Span:
        """Text on it, in so many columns."""
        look = Look.DIM if self.idle and not self.chosen else Look.STRONG
        return Span(fitted(text, columns), look, self.ground)


def hand(view: View, desk: Desk, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """The cards in so many rows."""
    if view.seat is None or not view.hand:
        none = _("You are watching.") if view.seat is None else _("You have no cards left.")
        return [(Span(f" {none}", Look.DIM),)]
    wide, draw = slot(columns) - 1, _drawn if rows > DRAWN else _in_a_row
    cards = [
        draw(_Held.of(at, card, view, desk), wide, glyphs) for at, card in enumerate(view.hand)
    ]
    gap = (Span(" "),)
    return [
        filled(joined((gap, *(part for card in cards for part in (card[row], gap)))), columns)
        for row in range(len(cards[0]))
    ]


def title(view: View, desk: Desk, columns: int) -> str:
    """What the chosen card is, and how much it can do; else what these cards are.

    A card is told in notation where there is no room for words.
    """
    choice = desk.choice(view)
    if choice is None:
        return _("your hand") if view.hand else ""
    card = choice.card
    path = _lying(choice, desk)
    words = card_words(card) if path is None else path_words(path)
    told, can = _("{card}: {can}"), _can(choice)
    full = told.format(card=words, can=can)
    if cell_len(full) <= columns:
        return full
    return told.format(card=card.text if path is None else path.text, can=can)


def _in_a_row(held: _Held, columns: int, glyphs: Glyphs) -> list[Row]:
    """A card in one row."""
    tile = "" if held.path is None else card_drawn(held.path, Size.SMALL, glyphs)[0] + " "
    return [(held.key, held.line(f"{tile or ' '}{held.text}", columns - 2))]


def _drawn(held: _Held, columns: int, glyphs: Glyphs) -> list[Row]:
    """A card in a row of its notation and three of what it is."""
    if held.path is None:
        lines = _words(held.card, columns)
    else:
        before = " " * ((columns - Size.NORMAL.columns) // 2)
        lines = [before + line for line in card_drawn(held.path, Size.NORMAL, glyphs)]
    top = (held.key, held.line(f" {held.text}", columns - 2))
    return [top, *((held.line(line, columns),) for line in lines)]


def _lying(choice: Choice, desk: Desk | None) -> Path | None:
    """How a path card would lie: by the desk if it is chosen; as printed if it is discarded."""
    if not choice.card.ways:
        return None
    wish = None if desk is None or desk.discarding else choice.way(desk.place, desk.turned)
    return wish.path if isinstance(wish, Lay) else choice.card.ways[0]


def _words(card: Card, columns: int) -> list[str]:
    """What an action card is, in three rows."""
    told = card_words(card)
    if card.repairs:
        told = _repairs(card)
    elif card is Card.ROCKFALL:
        # Translators: short, each word of at most 10 columns.
        told = pgettext("card face", "rockfall")
    lines = confined([told], columns - 2, 0)[:DRAWN]
    lines += [""] * (DRAWN - len(lines))
    return [f" {line}" for line in lines]


def _repairs(card: Card) -> str:
    """What a card repairs, in words that fit on its face."""
    one, *others = map(tool, card.repairs)
    if not others:
        return pgettext("card face", "repair {tool}").format(tool=one)
    return pgettext("card face", "repair {one} or {other}").format(one=one, other=others[0])


def _can(choice: Choice) -> str:
    """How much a card can do now."""
    count, card = len(choice.targets), choice.card
    if card.ways:
        if not count:
            return _cannot_lay(choice)
        return ngettext("{count} place", "{count} places", count).format(count=count)
    if choice.on_seats:
        if not count:
            return _("all are broken") if card.breaks is not None else _("nothing to repair")
        return ngettext("{count} player", "{count} players", count).format(count=count)
    if card is Card.MAP:
        return ngettext("{count} goal", "{count} goals", count).format(count=count)
    if not count:
        return _("no tunnel to bring down")
    return ngettext("{count} tunnel", "{count} tunnels", count).format(count=count)


def _cannot_lay(choice: Choice) -> str:
    view = choice.view
    assert view.seat is not None
    if view.table.broken[view.seat]:
        return _("not with a broken tool")
    return _("fits nowhere")
