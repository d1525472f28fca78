"""Own knowledge and piles in words (shared by both faces).

What a player can do, as numbered lists: first the cards, then what one card can do.

The likeliest places come first: those nearest to where gold may be.

What a player asks to see: who sits there, the pile, one's own secrets, the mine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import Cell
from engine.cards import CARDS, Card, Path, Role
from engine.deal import SABOTEURS
from engine.edition import Direction
from engine.moves import Break, Discard, KeepGold, Lay, Move, Rockfall
from engine.notation import NotationError, format_move, parse_cell
from engine.view import View
from sabtui.text.cards import card_words, nuggets_counted
from sabtui.text.errors import problem
from sabtui.text.events import your_role
from sabtui.text.i18n import _, ngettext, pgettext
from sabtui.text.mine import around_words, mine_words, nearest_gold
from sabtui.text.moves import pile_words, standing, waiting, would
from sabtui.text.names import PlayerNames


@dataclass(frozen=True, slots=True)
class HandEntry:
    """A kind of card in the hand, how many of it, and all that it can do now but be discarded."""

    card: Card
    count: int
    plays: tuple[Move, ...]


def hand_entries(view: View) -> tuple[HandEntry, ...]:
    """The hand by kinds, in its order, which gives them their numbers."""
    plays: dict[Card, list[Move]] = {card: [] for card in view.hand}
    for move in view.legal_moves():
        if not isinstance(move, Discard | KeepGold):
            plays[move.card].append(move)
    return tuple(
        HandEntry(card, view.hand.count(card), tuple(sorted(moves, key=lambda m: _rank(m, view))))
        for card, moves in plays.items()
    )


def hand_lines(view: View) -> list[str]:
    """The hand, numbered, and on one's turn how much each card can do."""
    return [_hand_line(at, kind, view) for at, kind in enumerate(hand_entries(view), 1)]


def play_lines(plays: Sequence[Move], view: View, names: PlayerNames, first: int = 0) -> list[str]:
    """What a card can do, numbered from `first`, counted from 0."""
    spelt = [format_move(move) for move in plays]
    longest = max(map(len, spelt), default=0)
    return [
        f"{at:2} {move:<{longest}} {would(play, view, names)}"
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


def _hand_line(at: int, kind: HandEntry, view: View) -> str:
    words = card_words(kind.card)
    if kind.count > 1:
        words = _("{count}x {card}").format(count=kind.count, card=words)
    if view.to_act == view.seat:
        words = _("{card}: {can}").format(card=words, can=_can(kind, view))
    return f"{at:2} {kind.card.text:<4} {words}"


def _can(kind: HandEntry, view: View) -> str:
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


def who_lines(view: View, names: PlayerNames) -> list[str]:
    """The players, a line each, in the order of their seats, and how turns pass."""
    lines = player_lines(view, names)
    up = view.table.edition.direction is Direction.CLOCKWISE
    order = _("Turns go down this list.") if up else _("Turns go up this list.")
    most = SABOTEURS[view.table.players]
    about = ngettext(
        "At most {count} of you is a saboteur.", "At most {count} of you are saboteurs.", most
    ).format(count=most)
    return [*lines, f"{order} {about}", waiting(view, names)]


def player_lines(view: View, names: PlayerNames) -> list[str]:
    """The players, a line each, in the order of their seats."""
    return [standing(seat, view, names) for seat in range(view.table.players)]


def round_words(view: View) -> str:
    """Which round it is."""
    return _("Round {number} of {rounds}.").format(
        number=view.score.number, rounds=view.score.rounds
    )


def pile_lines(view: View) -> list[str]:
    """What is left to draw, and what was discarded, face up and face down."""
    counted = Counter(view.table.discards)
    shown = [
        f"{counted[card]}x {card.text}" if counted[card] > 1 else card.text
        for card in CARDS
        if counted[card]
    ]
    return [
        pile_words(view),
        _("Discarded face up: {cards}.").format(cards=" ".join(shown) or pgettext("cards", "none")),
        _("Discarded face down: {count}.").format(count=sum(view.table.buried)),
    ]


def own_lines(view: View) -> list[str]:
    """What one is and has: dwarf, gold, cards discarded in passes."""
    lines = [] if view.role is None else [your_role(view.role)]
    lines.append(_own_gold(view))
    if view.buried:
        buried = " ".join(card.text for card in view.buried)
        lines.append(_("You discarded face down: {cards}.").format(cards=buried))
    wins = Counter(view.score.wins)
    lines.append(
        _("Round {number} of {rounds}. Won by miners: {miners}, by saboteurs: {saboteurs}.").format(
            number=view.score.number,
            rounds=view.score.rounds,
            miners=wins[Role.MINER],
            saboteurs=wins[Role.SABOTEUR],
        )
    )
    return lines


def _own_gold(view: View) -> str:
    """One's own gold, and the cards it is on where they are several."""
    if len(view.gold) > 1:
        return _("Your gold: {sum} ({cards}).").format(
            sum=sum(view.gold), cards=" + ".join(map(str, view.gold))
        )
    gold = "".join(map(nuggets_counted, view.gold)) or pgettext("nuggets", "none")
    return _("Your gold: {gold}.").format(gold=gold)


def hand_shown(view: View) -> list[str]:
    """The hand."""
    if view.seat is None:
        return [_("You are watching: you have no cards.")]
    return hand_lines(view) or [_("You have no cards.")]


def mine_shown(rest: str, view: View) -> list[str]:
    """The mine in words, or what is around a cell."""
    if not rest:
        return mine_words(view)
    try:
        return around_words(parse_cell(rest), view)
    except NotationError as error:
        return [_("{text}: {problem}.").format(text=rest, problem=problem(error))]
