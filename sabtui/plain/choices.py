"""What a player can do, as numbered lists: first the cards, then what one card can do.

Knows a view and the names. The likeliest places come first: those nearest to where gold may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import Cell
from engine.cards import Card, Path
from engine.moves import Break, Discard, Keep, Lay, Move, Rockfall
from engine.notation import format_move
from engine.view import View
from sabtui.words.cards import card_words, nuggets_counted
from sabtui.words.cast import Cast
from sabtui.words.mine import nearest_gold
from sabtui.words.moves import would
from sabtui.words.tongue import _, ngettext


@dataclass(frozen=True, slots=True)
class Held:
    """A kind of card in the hand, how many of it, and all that it can do now but be discarded."""

    card: Card
    count: int
    plays: tuple[Move, ...]


def held(view: View) -> tuple[Held, ...]:
    """The hand by kinds, in its order, which gives them their numbers."""
    plays: dict[Card, list[Move]] = {card: [] for card in view.hand}
    for move in view.legal_moves():
        if not isinstance(move, Discard | Keep):
            plays[move.card].append(move)
    return tuple(
        Held(card, view.hand.count(card), tuple(sorted(moves, key=lambda m: _rank(m, view))))
        for card, moves in plays.items()
    )


def hand_lines(view: View) -> list[str]:
    """The hand, numbered, and on one's turn how much each card can do."""
    return [_hand_line(at, kind, view) for at, kind in enumerate(held(view), 1)]


def play_lines(plays: Sequence[Move], view: View, cast: Cast, first: int = 0) -> list[str]:
    """What a card can do, numbered from `first`, counted from 0."""
    spelt = [format_move(move) for move in plays]
    longest = max(map(len, spelt), default=0)
    return [
        f"{at:2} {move:<{longest}} {would(play, view, cast)}"
        for at, (move, play) in enumerate(zip(spelt, plays, strict=True), first + 1)
    ]


def marks(plays: Sequence[Move]) -> dict[Cell, str]:
    """The numbers of the places where a card can be laid, for the drawing."""
    places: dict[Cell, str] = {}
    for at, move in enumerate(plays, 1):
        if isinstance(move, Lay):
            before = places.get(move.cell)
            places[move.cell] = f"{before}/{at}" if before else str(at)
    return places


def gold_lines(view: View) -> list[str]:
    """The gold cards on offer. The number to type is that of the nuggets: no other to mix up."""
    return [
        ngettext("{nuggets}, {count} card", "{nuggets}, {count} cards", count).format(
            nuggets=nuggets_counted(nuggets), count=count
        )
        for nuggets, count in Counter(view.offer).items()
    ]


def named_card(line: str) -> Card | None:
    """The card that a line names, either way up."""
    try:
        return Card.read(line)
    except KeyError:
        pass
    try:
        return Path.read(line).card
    except KeyError:
        return None


def _rank(move: Move, view: View) -> tuple[int, int]:
    """What to list first: places near the gold, and other players before oneself."""
    match move:
        case Lay(_, cell) | Rockfall(cell):
            return nearest_gold(cell, view)
        case Break(_, target):
            return int(target == view.seat), 0
        case _:
            return 0, 0


def _hand_line(at: int, kind: Held, view: View) -> str:
    words = card_words(kind.card)
    if kind.count > 1:
        words = _("{count}x {card}").format(count=kind.count, card=words)
    if view.to_act == view.seat:
        words = _("{card}: {can}").format(card=words, can=_can(kind, view))
    return f"{at:2} {kind.card.text:<4} {words}"


def _can(kind: Held, view: View) -> str:
    """How much a card can do, or why it cannot do anything."""
    card, count = kind.card, len(kind.plays)
    if card.ways:
        if view.seat is not None and view.table.broken[view.seat]:
            return _("not with a broken tool")
        if not count:
            return _("fits nowhere")
        return ngettext("{count} place", "{count} places", count).format(count=count)
    if card.breaks is not None:
        return _players(count) if count else _("all are broken")
    if card.repairs:
        return _repairs(count) if count else _("nothing to repair")
    if card is Card.MAP:
        return ngettext("{count} goal", "{count} goals", count).format(count=count)
    if not count:
        return _("no tunnel to bring down")
    return ngettext("{count} tunnel", "{count} tunnels", count).format(count=count)


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count).format(count=count)


def _repairs(count: int) -> str:
    return ngettext("{count} broken tool", "{count} broken tools", count).format(count=count)
