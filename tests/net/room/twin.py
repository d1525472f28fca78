"""Two games that differ only in what one seat, or a watcher, must not know.

A round is played once. Then it is dealt anew so that every card which anybody saw is where it was,
and those that only others saw, or nobody, have changed places: cards thrown away face down by
others, kept to the end or never drawn; and up to the reveal also the others' dwarves, and goals
that the seat did not look at. Played again with the same public moves, it must look the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from engine import Card, Deal, Discard, Game, Keep, Move
from engine.board import GOAL_CELLS
from engine.cards import in_order


@dataclass
class Slot:
    """Where a card came from, what it is, and whether everybody came to see it."""

    card: Card
    owner: int | None = None
    public: bool = False


@dataclass(frozen=True)
class Twin:
    """A deal, and the moves that lead on from it."""

    deal: Deal
    moves: tuple[Move, ...]


def twin_of(deal: Deal, moves: Sequence[Move], me: int | None, rng: Random, game: Game) -> Twin:
    """The same round with the cards in other places that `me` never saw.

    `game` is at its first turn.
    """
    hands = [[Slot(card, seat) for card in hand] for seat, hand in enumerate(deal.hands)]
    pile = [Slot(card) for card in deal.pile]
    slots = [slot for hand in hands for slot in hand] + pile
    thrown: dict[int, Slot] = {}
    drawn = 0
    for number, move in enumerate(moves):
        seat = game.to_act
        assert seat is not None
        if not isinstance(move, Keep):
            slot = next(slot for slot in hands[seat] if slot.card is move.card)
            hands[seat].remove(slot)
            if isinstance(move, Discard):
                thrown[number] = slot
            else:
                slot.public = True
        before = game.round.table.pile
        game, _ = game.apply(move)
        if game.round.table.pile < before:
            pile[drawn].owner = seat
            hands[seat].append(pile[drawn])
            drawn += 1
    hidden = [slot for slot in slots if not slot.public and (me is None or slot.owner != me)]
    cards = [slot.card for slot in hidden]
    rng.shuffle(cards)
    for slot, card in zip(hidden, cards, strict=True):
        slot.card = card
    size = len(deal.hands[0])
    dealt = tuple(
        in_order(slot.card for slot in slots[seat * size : (seat + 1) * size])
        for seat in range(len(deal.hands))
    )
    new = replace(deal, hands=dealt, pile=tuple(slot.card for slot in pile))
    again = tuple(
        Discard(thrown[number].card) if number in thrown else move
        for number, move in enumerate(moves)
    )
    return Twin(new, again)


def other_dwarves_and_goals(deal: Deal, me: int | None, end: Game, rng: Random) -> Deal:
    """The deal with the dwarves of all others dealt anew, and the goals nobody else may know."""
    others = [seat for seat in range(len(deal.roles)) if seat != me]
    dwarves = [*(deal.roles[seat] for seat in others), deal.spare]
    rng.shuffle(dwarves)
    roles = list(deal.roles)
    for seat, role in zip(others, dwarves, strict=False):
        roles[seat] = role
    looked = frozenset() if me is None else end.round.table.looks[me]
    up = end.round.table.board.cards
    free = [at for at, cell in enumerate(GOAL_CELLS) if cell not in looked and cell not in up]
    faces = [deal.goals[at] for at in free]
    rng.shuffle(faces)
    goals = list(deal.goals)
    for at, goal in zip(free, faces, strict=True):
        goals[at] = goal
    return replace(
        deal, roles=tuple(roles), spare=dwarves[-1], goals=(goals[0], goals[1], goals[2])
    )
