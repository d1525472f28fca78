"""The gold cards on offer, in the place of the hand, to the miner who chooses (D1).

Knows plain values. The digit of a card is its nuggets.
"""

from __future__ import annotations

from collections import Counter

from engine.view import View
from sabtui.screen.rows import Ground, Look, Row, Span, filled, fitted, joined
from sabtui.screen.table.hand import slot
from sabtui.words.cards import cards_counted, nuggets_counted
from sabtui.words.tongue import _


def offered(view: View) -> tuple[int, ...]:
    """The kinds of cards on offer, in nuggets, from most to least."""
    return tuple(dict.fromkeys(view.offer))


def title() -> str:
    """Above the cards."""
    return _("keep one of these gold cards")


def offer_rows(view: View, chosen: int | None, columns: int, rows: int) -> list[Row]:
    """The kinds of cards with how many there are of each."""
    wide = slot(columns)
    counts = Counter(view.offer)
    cards = [_card(kind, counts[kind], wide, chosen=kind == chosen) for kind in counts]
    if rows == 1:
        cards = [[card[0]] for card in cards]
    indent = (Span(" "),)
    return [
        filled(joined((indent, *(card[part] for card in cards))), columns)
        for part in range(min(rows, 4) if cards else 0)
    ]


def _card(nuggets: int, count: int, columns: int, *, chosen: bool) -> list[Row]:
    ground = Ground.CURSOR if chosen else Ground.CARD
    inner = columns - 1
    top = (
        Span(f"{'>' if chosen else ' '}{nuggets} ", Look.KEY, ground),
        Span(fitted("$" * nuggets, inner - 3), Look.GOLD, ground),
        Span(" "),
    )
    lines = ("", nuggets_counted(nuggets), cards_counted(count))
    return [
        top,
        *((Span(fitted(f" {line}", inner), Look.PLAIN, ground), Span(" ")) for line in lines),
    ]
