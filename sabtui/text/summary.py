"""Numbered lists of cards and plays; the player's own knowledge and the piles in words.

Both interfaces share them. Plays are sorted with cells nearest to a possible treasure first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import Break, Rockfall
from engine.board import Cell
from engine.cards import BREAK, CARDS, Card, Path, Role, Tool
from engine.dealing import SABOTEURS
from engine.mistakes import NotationError
from engine.moves import Discard, KeepGold, Lay, Move
from engine.tokens import parse_cell
from engine.view import View
from sabtui.text import cards
from sabtui.text.events import your_role
from sabtui.text.i18n import _, capitalise, lazy, ngettext, pgettext, put_title
from sabtui.text.moves import move_effect, pile_words, player_words, waiting, your_gold
from sabtui.text.names import PlayerNames
from sabtui.text.settings import row_words

no_cards_left: Final = lazy("You have no cards left.")
cells_sentence: Final = lazy(
    "A cell is a column east of the start, then a row north or south: 3n1, 8s2, 4."
)


@dataclass(frozen=True, slots=True)
class HandEntry:
    """A kind of card in the hand, its count, and all its legal moves except discarding."""

    card: Card
    count: int
    plays: tuple[Move, ...]


def hand_entries(view: View) -> tuple[HandEntry, ...]:
    """Return the hand by kinds of card, in the hand's order; positions are the cards' numbers."""
    plays: dict[Card, list[Move]] = {card: [] for card in view.hand}
    for move in view.legal_moves():
        if not isinstance(move, Discard | KeepGold):
            plays[move.card].append(move)
    return tuple(
        HandEntry(card, view.hand.count(card), tuple(sorted(moves, key=lambda m: _rank(m, view))))
        for card, moves in plays.items()
    )


def hand_lines(view: View) -> list[str]:
    """Return the hand as lines, with the number of plays per card on the player's turn."""
    lines = list[str]()
    for number, kind in enumerate(hand_entries(view), 1):
        words = cards.card_words(kind.card)
        if kind.count > 1:
            words = f"{kind.count}x {words}"
        if view.to_act == view.seat:
            facts = plays_counted(kind.card, len(kind.plays), view)
            words = put_title(words, facts)
        lines.append(f"{number:2} {kind.card.text:<4} {words}")
    return lines


def play_lines(plays: Sequence[Move], view: View, names: PlayerNames) -> list[str]:
    spelt = [str(move) for move in plays]
    longest = max(map(len, spelt), default=0)
    return [
        f"{at:2} {move:<{longest}} {move_effect(play, view, names)}"
        for at, (move, play) in enumerate(zip(spelt, plays, strict=True), 1)
    ]


def marks(plays: Sequence[Move]) -> dict[Cell, str]:
    """Return the numbers of the plays that lay a path, by cell, for the drawing of the mine."""
    places: dict[Cell, str] = {}
    for at, move in enumerate(plays, 1):
        if isinstance(move, Lay):
            before = places.get(move.cell)
            places[move.cell] = f"{before}/{at}" if before else str(at)
    return places


def gold_lines(view: View) -> list[str]:
    """Return the gold cards on offer; they are chosen by nuggets, and have no other number."""
    return [
        f"{cards.nuggets_counted(nuggets)}, {cards.cards_counted(count)}"
        for nuggets, count in Counter(view.offer).items()
    ]


def named_card(line: str) -> Card | None:
    """Return the card that a line names in notation, either way up, `None` if it names none."""
    try:
        return Card.read(line)
    except NotationError:
        pass
    try:
        return Path.read(line).card
    except NotationError:
        return None


def _rank(move: Move, view: View) -> tuple[int, int]:
    """Return a sort key for plays: cells near the gold first, and other players before oneself."""
    match move:
        case Lay(_, cell) | Rockfall(cell):
            return cards.rank_by_treasure(cell, view)
        case Break(_, target):
            return int(target == view.seat), 0
        case _:
            return 0, 0


def plays_counted(card: Card, count: int, view: View) -> str:
    """Return the number of plays of a card in the hand, or why there are none."""
    if not card.ways:
        # Translators: how many tools, goals or cards an action card can be played on now.
        return ngettext("{count} target", "{count} targets", count).format(count=count)
    if view.seat is not None and view.table.broken[view.seat]:
        return _("not with a broken tool")
    if not count:
        return _("fits nowhere")
    return ngettext("{count} place", "{count} places", count).format(count=count)


def who_lines(view: View, names: PlayerNames) -> list[str]:
    """Return the players by seat, a line each, then the direction of turns and the turn."""
    lines = player_lines(view, names)
    order = capitalise(row_words(view.table.edition.direction))
    about = saboteurs_sentence(view.table.players)
    return [*lines, f"{order}. {about}", waiting(view, names)]


def saboteurs_sentence(players: int) -> str:
    """Return a sentence on how many of this number of players may be saboteurs (S2)."""
    most = SABOTEURS[players]
    text = ngettext(
        "At most {count} of you is a saboteur.", "At most {count} of you are saboteurs.", most
    )
    return text.format(count=most)


def player_lines(view: View, names: PlayerNames) -> list[str]:
    """Return the players by seat, a line each; a mark shows whose turn it is."""
    return [
        f"{'>' if seat == view.to_act else ' '}{seat + 1:2} {player_words(seat, view, names)}"
        for seat in range(view.table.players)
    ]


def round_words(view: View) -> str:
    """Give the round's number, and the rounds that each side has won."""
    text = _("Round {number} of {rounds}. Rounds won: miners {miners}, saboteurs {saboteurs}.")
    wins, played = Counter(view.score.wins), view.score
    won = {"miners": wins[Role.MINER], "saboteurs": wins[Role.SABOTEUR]}
    return text.format(number=played.number, rounds=played.rounds, **won)


def pile_lines(view: View) -> list[str]:
    counted = Counter(view.table.discards)
    shown = [
        f"{counted[card]}x {card.text}" if counted[card] > 1 else card.text
        for card in CARDS
        if counted[card]
    ]
    return [
        pile_words(view),
        _("Discarded face up: {cards}.").format(cards=" ".join(shown) or cards.cards_counted(0)),
        _("Discarded face down: {count}.").format(count=sum(view.table.buried)),
    ]


@dataclass(frozen=True, slots=True)
class UnseenCards:
    """Numbers of cards that the reader has not seen in the present round, by kind."""

    total: int
    paths: Mapping[cards.PathShape, int]
    breaks: Mapping[Tool, int]
    repairs: Mapping[Tool, int]
    doubles: int  # cards that repair either of two tools, which `repairs` does not count
    others: Mapping[Card, int]

    @staticmethod
    def of(view: View) -> UnseenCards:
        """Return the numbers for a view: cards in hands, in the pile, or discarded face down."""
        unseen = Counter(view.unseen())
        paths = dict.fromkeys(cards.PathShape, 0)
        for card, count in unseen.items():
            if card.ways:
                paths[cards.PathShape.of(card.ways[0])] += count
        return UnseenCards(
            unseen.total(),
            paths,
            {tool: unseen[BREAK[tool]] for tool in Tool},
            {tool: sum(unseen[card] for card in CARDS if card.repairs == (tool,)) for tool in Tool},
            sum(unseen[card] for card in CARDS if len(card.repairs) > 1),
            {card: unseen[card] for card in CARDS if not card.ways and not card.tools},
        )


def double_repair() -> str:
    # Translators: a card that repairs either of two tools; at most 25 columns.
    return pgettext("card", "double repair")


def unseen_lines(view: View) -> list[str]:
    unseen = UnseenCards.of(view)
    paths = {cards.shape_name(shape): count for shape, count in unseen.paths.items()}
    actions = {
        **{cards.broken_card(tool): unseen.breaks[tool] for tool in Tool},
        **{cards.repair_card(tool): unseen.repairs[tool] for tool in Tool},
        double_repair(): unseen.doubles,
        **{cards.card_words(card): count for card, count in unseen.others.items()},
    }
    return [
        ngettext(
            "{count} card not seen yet: in hands, in the pile, or face down.",
            "{count} cards not seen yet: in hands, in the pile, or face down.",
            unseen.total,
        ).format(count=unseen.total),
        _list_counts(_("Path cards"), paths),
        _list_counts(_("Action cards"), actions),
    ]


def _list_counts(title: str, counts: Mapping[str, int]) -> str:
    each = (f"{name} {count}" for name, count in counts.items())
    return put_title(title, f"{', '.join(each)}.")


def own_lines(view: View) -> list[str]:
    """Return the player's own secrets, none for watchers: role, gold, discards; then rounds won."""
    lines = [] if view.role is None else [your_role(view.role)]
    if view.seat is not None:
        gold = cards.nuggets_counted(sum(view.gold))
        if len(view.gold) > 1:
            gold = f"{gold} ({' + '.join(map(str, view.gold))})"
        lines.append(put_title(your_gold(), f"{gold}."))
    if view.buried:
        buried = ", ".join(map(cards.card_name, view.buried))
        lines.append(_("You discarded face down: {cards}.").format(cards=buried))
    return [*lines, round_words(view)]


def mine_shown(rest: str, view: View) -> list[str]:
    """Return the mine in words, or the surroundings of the cell that `rest` names."""
    if not rest:
        return cards.mine_words(view)
    try:
        return cards.around_words(parse_cell(rest), view)
    except NotationError:
        return [cells_sentence()]
