"""Who gets how much gold (RULES D)."""

from collections import Counter
from itertools import product

from engine.edition import Edition, ShareRule

DUE = {1: 4, 2: 3, 3: 3, 4: 2}
"""Nuggets for each saboteur, by how many they are (D5)."""


def cards_shared(edition: Edition, roles: list[str]) -> int:
    """How many gold cards the miners share (D1, D2)."""
    if edition.share is ShareRule.EACH_MINER_ONE:
        return roles.count("m")
    return 9 if len(roles) == 10 else len(roles)


def choosers(roles: list[str], finder: int, cards: int) -> list[int]:
    """Which miner takes each of the cards in turn (D1 to D3): seat i-1 comes after seat i."""
    order: list[int] = []
    seat = finder
    while len(order) < cards:
        if roles[seat] == "m":
            order.append(seat)
        seat = (seat - 1) % len(roles)
    return order


Payment = tuple[tuple[int, ...], ...]
"""The gold cards of each saboteur, from most nuggets to least."""


def _sets_of_cards(at_most: int) -> list[tuple[int, ...]]:
    """Every set of gold cards that together has no more nuggets than that."""
    counts = product(range(at_most + 1), repeat=3)
    sets = [(3,) * threes + (2,) * twos + (1,) * ones for threes, twos, ones in counts]
    return [cards for cards in sets if sum(cards) <= at_most]


def payments(pile: list[int], saboteurs: int) -> list[Payment]:
    """Every payment that D5 and D8 allow: which saboteur gets which, they leave open.

    All ways to give each saboteur cards of no more than the due are tried, all together. Those
    that leave the fewest nuggets unpaid are kept (none at all, D5, wherever that can be done), and
    of those the ones that leave the most ones in the pile, then the most twos.
    """
    due = DUE[saboteurs]
    have = Counter(pile)
    possible: list[tuple[int, int, int, Payment]] = []
    for each in product(_sets_of_cards(due), repeat=saboteurs):
        used = Counter(card for cards in each for card in cards)
        if used <= have:
            left = have - used
            possible.append((sum(map(sum, each)), left[1], left[2], each))
    best = max(possible)[:3]
    return [each for *what, each in possible if tuple(what) == best]
