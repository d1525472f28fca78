"""Gold sampled from all that is consistent with what one seat knows, or some of them (RULES D, K).

Of the gold, a seat knows its own cards, those it was shown at each of its choices, the number of
cards of each seat, and the number that each saboteur was paid. That number limits the nuggets in
the pile, because the table pays in one way only (D5). So all ways in which the gold can have fallen
up to the last payment are enumerated, and one is drawn by its probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from math import comb, prod
from random import Random
from typing import assert_never

from engine.dealing import ALL_GOLD
from engine.events import (
    ChoiceBegan,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    SaboteursPaid,
)
from engine.facts import Facts
from engine.gold import Payment, Purse, payments
from engine.view import View

GoldCards = tuple[int, ...]  # gold cards in nuggets


@dataclass(frozen=True, slots=True)
class _Sharing:
    """Gold shared by miners (D1, D2): the number of cards, and the seats that took one so far.

    `looks` are the offers that the viewing seat saw, as (number of cards taken before, nuggets of
    each card); `kept` are its own takes, as (number of cards taken before, nuggets).
    """

    cards: int
    takers: tuple[int, ...] = ()
    looks: tuple[tuple[int, GoldCards], ...] = ()
    kept: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> GoldCards:
        """All cards of this sharing that the viewing seat ever saw: those of its first look."""
        return self.looks[0][1] if self.looks else ()

    @property
    def unseen(self) -> int:
        """The number of cards that the viewing seat never saw."""
        return self.cards - len(self.shown)

    def took(self, nuggets: int) -> _Sharing:
        """Return this sharing with the nuggets of the viewing seat's last take filled in.

        A last card is taken without a choice (D4), so the take then counts as a look too.
        """
        at = len(self.takers) - 1
        looks = self.looks
        if not any(before == at for before, _ in looks):
            looks = (*looks, (at, (nuggets,)))
        return replace(self, looks=looks, kept=(*self.kept, (at, nuggets)))

    def hand_out(self, unseen: GoldCards, rng: Random) -> tuple[list[Payment], GoldCards]:
        """Return each taker's card in order, and the cards still on offer, given the unseen cards.

        Another seat's take is drawn from the cards that need not be there for a later look.
        """
        offer = Counter(self.shown) + Counter(unseen)
        kept = dict(self.kept)
        took: list[Payment] = []
        for at in range(len(self.takers)):
            later = next((shown for before, shown in self.looks if before > at), ())
            free = _elements(offer - Counter(later))
            nuggets = kept[at] if at in kept else rng.choice(free or (0,))
            if nuggets not in free:
                raise ValueError("no gold could have been taken as is known")
            offer -= Counter((nuggets,))
            took.append((nuggets,))
        return took, tuple(offer.elements())


@dataclass(frozen=True, slots=True)
class _Pay:
    """A payment of saboteurs (D5).

    `cards` are counts by seat, and `seats` are the saboteurs. Which cards a saboteur received tells
    nobody more: until the last round a number of cards is paid in one way alone.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]

    def fits(self, paid: tuple[Payment, ...]) -> bool:
        """Return True if a payment agrees with what is known of it."""
        return all(
            len(payment) == self.cards[seat] for seat, payment in zip(self.seats, paid, strict=True)
        )


GoldHistory = tuple[_Sharing | _Pay, ...]


def sample_purse(known: View | Facts, rng: Random) -> Purse:
    """Return a purse that agrees with all that is known of the gold.

    Raises `ValueError` if there is none.
    """
    if known.score.gold is not None:
        return Purse(_pile(chain(*known.score.gold), rng), known.score.gold)
    return purse_after(sample_ledger(known, rng), known.table.players, rng)


def purse_after(ledger: Iterable[GoldEvent], players: int, rng: Random) -> Purse:
    """Return the purse after all these gold events, with a pile in random order."""
    held: list[GoldCards] = [()] * players
    offer: GoldCards = ()
    for event in ledger:
        offer = event.nuggets if isinstance(event, GoldShown) else ()
        if isinstance(event, GoldReceived):
            held[event.to] = tuple(sorted((*held[event.to], *event.nuggets), reverse=True))
    return Purse(_pile(chain(*held, offer), rng), tuple(held), offer)


def sample_ledger(known: View | Facts, rng: Random) -> tuple[GoldEvent, ...]:
    """Return all events about gold, with what each missing seat was told of it drawn at random.

    Raises `ValueError` if nothing agrees with all that is known.
    """
    story = _story(known.ledger)
    gone: list[int] = []
    drawn = _draw(story, rng)
    offers: list[GoldCards] = []
    gifts: list[GoldCards] = []
    for index, step in enumerate(story):
        if isinstance(step, _Sharing):
            unseen = drawn.pop(0) if drawn else _unseen_gold(story[index:], gone, rng)
            given, left = step.hand_out(unseen, rng)
            offers.append((*chain(*given), *left))
            gone += offers[-1]
        else:
            given = list(payments(_subtract(gone), len(step.seats)))
            gone += chain(*given)
        gifts += filter(None, given)
    if not Counter(gone) <= Counter(ALL_GOLD):
        raise ValueError("they know of more gold cards than there are")
    return tuple(_tell(known.ledger, iter(offers), iter(gifts)))


def _tell(
    ledger: Iterable[GoldEvent], offers: Iterator[GoldCards], gifts: Iterator[GoldCards]
) -> Iterator[GoldEvent]:
    """Yield the public events of a ledger, and after each what seats alone were told (D4, D7)."""
    offer: Counter[int] = Counter()
    for event in ledger:
        if isinstance(event, GoldShown | GoldReceived):
            continue
        yield event
        match event:
            case GoldDrawn():
                offer = Counter(next(offers))
            case ChoiceBegan(seat):
                yield GoldShown(seat, _elements(offer)[::-1])
            case GoldTaken(seat):
                cards = next(gifts)
                offer -= Counter(cards)
                yield GoldReceived(seat, cards)
            case SaboteursPaid(_, counts):
                for seat in (seat for seat, count in enumerate(counts) if count):
                    yield GoldReceived(seat, next(gifts))
            case _:
                assert_never(event)


def _story(ledger: tuple[GoldEvent, ...]) -> GoldHistory:
    """Return the sharings and payments that a ledger tells of, in order."""
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
            case GoldReceived(_, nuggets), _Sharing():
                story[-1] = last.took(*nuggets)
            case _:
                pass
    return tuple(story)


def _draw(story: GoldHistory, rng: Random) -> list[GoldCards]:
    """Draw the unseen cards of each sharing before the last payment, by their probability.

    Returns nothing if nobody was paid. Raises `ValueError` if no cards agree with the story.
    """
    if not any(isinstance(step, _Pay) for step in story):
        return []
    ways, weights = _ways(story)
    if not ways:
        raise ValueError("no gold could have been shared and paid as this view tells")
    return list(rng.choices(ways, weights)[0])


@lru_cache(maxsize=64)
def _ways(story: GoldHistory) -> tuple[list[tuple[GoldCards, ...]], list[int]]:
    """Return all unseen cards possible up to the last payment, and the weight of each way."""
    found = list(_every_way(story, ALL_GOLD))
    return [way for way, _ in found], [weight for _, weight in found]


def _every_way(story: GoldHistory, pile: GoldCards) -> Iterator[tuple[tuple[GoldCards, ...], int]]:
    """Yield the unseen cards of each sharing up to the last payment, and that way's weight."""
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
            # Chance decided not only which cards were drawn, but also which of them were left for
            # the seat to see. So the ways to draw the shown cards are counted first, then the ways
            # to draw the unseen ones from the rest.
            chances = _chances(there, shown) * _chances(there - shown, never_seen)
            for way, weight in _every_way(rest, _elements(there - offer)):
                yield (unseen, *way), weight * chances


def _unseen_gold(story: GoldHistory, gone: list[int], rng: Random) -> GoldCards:
    """Draw the unseen cards of the first sharing in `story`, which holds no payment.

    None of them is a card that the seat is shown in that sharing or a later one.
    """
    sharing = story[0]
    assert isinstance(sharing, _Sharing)
    free = Counter(_subtract(gone)) - _all_shown(story)
    return tuple(rng.sample(_elements(free), sharing.unseen))


def _all_shown(story: GoldHistory) -> Counter[int]:
    """Return the cards that the viewing seat was shown, over all these sharings."""
    return Counter(chain(*(step.shown for step in story if isinstance(step, _Sharing))))


def _chances(there: Counter[int], drawn: Counter[int]) -> int:
    """Return the number of ways to draw cards like these from the pile."""
    return prod(comb(there[nuggets], count) for nuggets, count in drawn.items())


def _subtract(gone: Iterable[int]) -> GoldCards:
    """Return the gold cards that are not among `gone`, sorted."""
    return _elements(Counter(ALL_GOLD) - Counter(gone))


def _pile(gone: Iterable[int], rng: Random) -> GoldCards:
    """Return the gold cards that are not among `gone`, shuffled."""
    left = list(_subtract(gone))
    rng.shuffle(left)
    return tuple(left)


def _elements(cards: Counter[int]) -> GoldCards:
    return tuple(sorted(cards.elements()))
