"""The gold: the cards each seat has, how miners choose and how saboteurs are paid (RULES D).

A gold card is an int, the number of nuggets on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from engine.cards import Role
from engine.edition import Edition, ShareRule
from engine.events import (
    ChoiceBegan,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    RoundEnded,
    SaboteursPaid,
)
from engine.readonly import ReadOnly

NUGGETS_DUE: Final = ReadOnly({1: 4, 2: 3, 3: 3, 4: 2})
"""Nuggets due to each saboteur, by the number of saboteurs among the players (D5)."""

MAX_OFFERED_CARDS: Final = 9
"""Most gold cards that are offered to the miners, even with ten players (D2)."""

Payment = tuple[int, ...]  # the gold cards that one saboteur is paid, in nuggets, most first


@dataclass(frozen=True, slots=True)
class Purse:
    """The secret half of the gold: the nuggets on each card.

    `pile` are the cards that nobody has, the next one first; `held` are those of each seat;
    `offer` are those passed round the miners. `held` and `offer` go from most nuggets to least.
    """

    pile: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    offer: tuple[int, ...] = ()

    def share(
        self, edition: Edition, end: RoundEnded, finder: int | None
    ) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Begin to share the gold of a round that has ended (D1 to D6).

        `finder` is the seat that laid the last path card. Returns the purse afterwards and the
        events.
        """
        if end.winner is Role.SABOTEUR:
            return self._pay(end.roles)
        assert finder is not None
        count = count_offered(edition, end.roles)
        purse = replace(self, pile=self.pile[count:], offer=_most_first(self.pile[:count]))
        purse, events = purse.offer_to(first_miner(end.roles, finder))
        return purse, (GoldDrawn(count), *events)

    def keep(
        self, roles: Sequence[Role], seat: int, nuggets: int
    ) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Let the miner who chooses keep a card from the offer (D1, D2).

        At least one other card is left, because the last card is given without asking (D4).
        Returns the purse afterwards and the events.
        """
        purse, took = self._take(seat, nuggets)
        purse, asked = purse.offer_to(next_miner(roles, seat))
        return purse, (*took, *asked)

    def offer_to(self, seat: int) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Let a seat choose, or give it the last card without asking (D4)."""
        if len(self.offer) == 1:
            return self._take(seat, self.offer[0])
        return self, (ChoiceBegan(seat), GoldShown(seat, self.offer))

    def _take(self, seat: int, nuggets: int) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Move one card from the offer to a seat."""
        held = _add_payments(self.held, {seat: (nuggets,)})
        purse = Purse(self.pile, held, _without(self.offer, (nuggets,)))
        return purse, (GoldTaken(seat), GoldReceived(seat, (nuggets,)))

    def _pay(self, roles: Sequence[Role]) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Pay the saboteurs among the players, if there are any (D5, D6, D8)."""
        seats = [seat for seat, role in enumerate(roles) if role is Role.SABOTEUR]
        if not seats:
            return self, ()
        due = NUGGETS_DUE[len(seats)]
        paid = dict(zip(seats, payments(self.pile, len(seats)), strict=True))
        pile = self.pile
        for payment in paid.values():
            pile = _without(pile, payment)
        everybody = [paid.get(seat, ()) for seat in range(len(roles))]
        event = SaboteursPaid(
            due,
            tuple(len(cards) for cards in everybody),
            tuple(due - sum(paid[seat]) if seat in paid else 0 for seat in range(len(roles))),
        )
        got = (GoldReceived(seat, cards) for seat, cards in paid.items() if cards)
        return Purse(pile, _add_payments(self.held, paid)), (event, *got)


def count_offered(edition: Edition, roles: Sequence[Role]) -> int:
    """Return the number of gold cards drawn for the miners who found the treasure (D1, D2)."""
    if edition.share is ShareRule.EACH_MINER_ONE:
        return roles.count(Role.MINER)
    return min(len(roles), MAX_OFFERED_CARDS)


def first_miner(roles: Sequence[Role], finder: int) -> int:
    """Return the seat that chooses first: the one that reached the treasure, if it is a miner (D1).

    If it is a saboteur, the next miner does (D3).
    """
    return finder if roles[finder] is Role.MINER else next_miner(roles, finder)


def next_miner(roles: Sequence[Role], seat: int) -> int:
    """Return the next miner counter-clockwise from a seat (D1, D3).

    That is the seat itself if it is the only miner.
    """
    players = len(roles)
    around = ((seat - away) % players for away in range(1, players + 1))
    return next(other for other in around if roles[other] is Role.MINER)


def payments(pile: Sequence[int], saboteurs: int) -> tuple[Payment, ...]:
    """Return the cards that each saboteur is paid from a pile, one payment per saboteur (D5, D8).

    The payment with the largest total wins, then the one with the largest smallest share, then
    the one that leaves the most one-nugget cards in the pile, then the most two-nugget cards.
    Each share is at most what is due.
    """
    return _payments(tuple(sorted(pile)), saboteurs)


@lru_cache(maxsize=1 << 10)
def _payments(pile: tuple[int, ...], saboteurs: int) -> tuple[Payment, ...]:
    """Return `payments` of a sorted pile; cached, as sampling asks for the same piles often."""
    there = Counter(pile)
    best: tuple[Payment, ...] = ()
    best_rank: tuple[int, int, int, int] | None = None
    for paid in combinations_with_replacement(
        _possible_payments(NUGGETS_DUE[saboteurs]), saboteurs
    ):
        spent = Counter(nuggets for payment in paid for nuggets in payment)
        if spent <= there:
            sums = [sum(payment) for payment in paid]
            rank = sum(sums), min(sums), -spent[1], -spent[2]
            if best_rank is None or rank > best_rank:
                best, best_rank = paid, rank
    return best


def _possible_payments(due: int) -> list[Payment]:
    """Return every set of gold cards worth at most `due` nuggets, fewest cards first."""
    return [
        payment
        for cards in range(due + 1)
        for payment in combinations_with_replacement((3, 2, 1), cards)
        if sum(payment) <= due
    ]


def _add_payments(
    held: tuple[tuple[int, ...], ...], more: dict[int, Payment]
) -> tuple[tuple[int, ...], ...]:
    """Return the cards held by each seat, with these payments added."""
    return tuple(
        [
            _most_first((*cards, *more[seat])) if seat in more else cards
            for seat, cards in enumerate(held)
        ]
    )


def _without(cards: tuple[int, ...], gone: Sequence[int]) -> tuple[int, ...]:
    left = list(cards)
    for nuggets in gone:
        left.remove(nuggets)
    return tuple(left)


def _most_first(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(cards, reverse=True))
