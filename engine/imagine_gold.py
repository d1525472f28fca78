"""The gold as one seat may imagine it: who has which cards, and what is left (RULES D, K).

A seat knows its own gold, what it was shown at each of its choices, how many cards everybody
has, and how many each saboteur was paid. The last tells something of the pile, because the table
pays in one way only (D5). So up to the last such payment every way is gone through in which the
gold can have fallen, and one of them is drawn, each as often as chance would have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from math import comb, prod
from random import Random

from engine.deals import ALL_GOLD
from engine.events import (
    GoldDrawn,
    GoldEvent,
    GoldGot,
    GoldShown,
    GoldTaken,
    SaboteursPaid,
)
from engine.gold import Payment, Purse, payments
from engine.view import View

Cards = tuple[int, ...]
"""Gold cards in nuggets."""


@dataclass(frozen=True, slots=True)
class _Sharing:
    """Gold that miners share (D1, D2): how many cards, and which seats took one so far.

    `looks` are what the seat saw, each with how many cards had been taken before; `kept` are its
    own takes, likewise.
    """

    cards: int
    takers: tuple[int, ...] = ()
    looks: tuple[tuple[int, Cards], ...] = ()
    kept: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> Cards:
        """All of this gold that the seat ever saw."""
        return self.looks[0][1] if self.looks else ()

    @property
    def unseen(self) -> int:
        """How many of the cards the seat never saw."""
        return self.cards - len(self.shown)

    def took(self, nuggets: int) -> _Sharing:
        """The same, once the seat knows what it took last; a last card is taken unasked (D4)."""
        at = len(self.takers) - 1
        looks = self.looks
        if not any(before == at for before, _ in looks):
            looks = (*looks, (at, (nuggets,)))
        return replace(self, looks=looks, kept=(*self.kept, (at, nuggets)))

    def handed_out(self, unseen: Cards, rng: Random) -> tuple[list[Payment], Cards]:
        """What each taker took, and what is still on offer, if those were the unseen cards."""
        offer = Counter(self.shown) + Counter(unseen)
        kept = dict(self.kept)
        took: list[Payment] = []
        for at in range(len(self.takers)):
            if at in kept:
                nuggets = kept[at]
            else:
                later = next((shown for before, shown in self.looks if before > at), ())
                nuggets = rng.choice(sorted((offer - Counter(later)).elements()))
            offer -= Counter((nuggets,))
            took.append((nuggets,))
        return took, tuple(offer.elements())


@dataclass(frozen=True, slots=True)
class _Pay:
    """Saboteurs paid (D5): how many cards by seat, who was one, and what this seat got."""

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    own: tuple[int, Payment] | None = None

    def fits(self, paid: tuple[Payment, ...]) -> bool:
        """Whether this payment is what the seat saw."""
        return all(
            len(payment) == self.cards[seat]
            and (self.own is None or self.own[0] != seat or self.own[1] == payment)
            for seat, payment in zip(self.seats, paid, strict=True)
        )


Story = tuple[_Sharing | _Pay, ...]


def imagine_purse(view: View, rng: Random) -> Purse:
    """Gold that agrees with all that this seat knows of it.

    Raises `ValueError` where none does.
    """
    players = view.table.players
    if view.score.gold is not None:
        return Purse(_pile(chain(*view.score.gold), rng), view.score.gold)
    story = _story(view.ledger)
    held: list[Cards] = [()] * players
    gone: list[int] = []
    offer: Cards = ()
    drawn = _draw(story, rng)
    for index, step in enumerate(story):
        if isinstance(step, _Sharing):
            unseen = drawn.pop(0) if drawn else _unseen(story[index:], gone, rng)
            took, offer = step.handed_out(unseen, rng)
            gone += offer
            given = list(zip(step.takers, took, strict=True))
        else:
            paid = payments(_left(gone), len(step.seats))
            given = list(zip(step.seats, paid, strict=True))
        for seat, cards in given:
            held[seat] = tuple(sorted((*held[seat], *cards), reverse=True))
            gone += cards
    return Purse(_pile(gone, rng), tuple(held), tuple(sorted(offer, reverse=True)))


def _story(ledger: tuple[GoldEvent, ...]) -> Story:
    """What a seat heard of gold, round by round."""
    story: list[_Sharing | _Pay] = []
    for event in ledger:
        last = story[-1] if story else None
        match event, last:
            case GoldDrawn(cards), _:
                story.append(_Sharing(cards))
            case SaboteursPaid(_, cards, chits), _:
                paid = zip(cards, chits, strict=True)
                seats = tuple(seat for seat, got in enumerate(paid) if any(got))
                story.append(_Pay(cards, seats))
            case GoldShown(_, shown), _Sharing():
                look = len(last.takers), shown
                story[-1] = replace(last, looks=(*last.looks, look))
            case GoldTaken(seat), _Sharing():
                story[-1] = replace(last, takers=(*last.takers, seat))
            case GoldGot(_, nuggets), _Sharing():
                story[-1] = last.took(*nuggets)
            case GoldGot(seat, nuggets), _Pay():
                story[-1] = replace(last, own=(seat, nuggets))
            case _:
                pass
    return tuple(story)


def _draw(story: Story, rng: Random) -> list[Cards]:
    """The cards never seen of each sharing before the last payment, one way of all there are."""
    if not any(isinstance(step, _Pay) for step in story):
        return []
    ways, weights = _ways(story)
    if not ways:
        raise ValueError("no gold could have been shared and paid as this view tells")
    return list(rng.choices(ways, weights)[0])


@lru_cache(maxsize=64)
def _ways(story: Story) -> tuple[list[tuple[Cards, ...]], list[int]]:
    """Every way in which the unseen gold can have fallen up to the last payment, and how likely."""
    found = list(_every_way(story, ALL_GOLD))
    return [way for way, _ in found], [weight for _, weight in found]


def _every_way(story: Story, pile: Cards) -> Iterator[tuple[tuple[Cards, ...], int]]:
    there = Counter(pile)
    if not any(isinstance(step, _Pay) for step in story):
        seen = _all_shown(story)
        if seen <= there:
            yield (), _chances(there, seen)
        return
    step, rest = story[0], story[1:]
    if isinstance(step, _Pay):
        paid = payments(pile, len(step.seats))
        if step.fits(paid):
            yield from _every_way(rest, _elements(there - Counter(chain(*paid))))
        return
    shown = Counter(step.shown)
    for unseen in combinations_with_replacement((3, 2, 1), step.unseen):
        never_seen = Counter(unseen)
        offer = never_seen + shown
        if offer <= there:
            # Any of the cards drawn could have been those that were left to see, not just these:
            # so those are drawn first, and the unseen ones from what remains.
            chances = _chances(there, shown) * _chances(there - shown, never_seen)
            for way, weight in _every_way(rest, _elements(there - offer)):
                yield (unseen, *way), weight * chances


def _unseen(story: Story, gone: list[int], rng: Random) -> Cards:
    """The unseen cards of the first of these sharings, none of which is ever shown later."""
    sharing = story[0]
    assert isinstance(sharing, _Sharing)
    free = Counter(_left(gone)) - _all_shown(story)
    return tuple(rng.sample(_elements(free), sharing.unseen))


def _all_shown(story: Story) -> Counter[int]:
    return Counter(chain(*(step.shown for step in story if isinstance(step, _Sharing))))


def _chances(there: Counter[int], drawn: Counter[int]) -> int:
    """In how many ways cards like these can be drawn from the pile."""
    return prod(comb(there[nuggets], count) for nuggets, count in drawn.items())


def _left(gone: Iterable[int]) -> Cards:
    return _elements(Counter(ALL_GOLD) - Counter(gone))


def _pile(gone: Iterable[int], rng: Random) -> Cards:
    left = list(_left(gone))
    rng.shuffle(left)
    return tuple(left)


def _elements(cards: Counter[int]) -> Cards:
    return tuple(sorted(cards.elements()))
