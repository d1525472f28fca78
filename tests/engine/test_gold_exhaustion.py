"""How saboteurs are paid, for every gold pile that a game can leave (RULES D5, D8).

A pile is told as (ones, twos, threes). What can be drawn before each round follows from who wins
the rounds before: miners take any cards, as many as the edition and the players have it (D1, D2),
and saboteurs take what the engine pays them.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from engine.dealing import ALL_GOLD, MINERS, SABOTEURS
from engine.edition import EDITIONS, ShareRule
from engine.game import NUGGETS_DUE, payments
from engine.state import PLAYERS

Pile = tuple[int, int, int]
"""How many gold cards of one, two and three nuggets."""

FULL: Pile = (16, 8, 4)

NO_EXACT_PAYMENT = {
    (3, (0, 8, 2)),
    (3, (1, 8, 1)),
    (3, (2, 8, 0)),
    (4, (5, 1, 4)),
    (4, (6, 0, 4)),
    (4, (7, 0, 3)),
    (4, (7, 0, 4)),
}
"""How many saboteurs, and the piles from which they cannot be paid exactly (D8).

The last is the one that leaves more than ten cards: miners take all twos and a one, then four
saboteurs must be paid in ones, then four saboteurs win again.
"""


def saboteurs_among(players: int) -> range:
    """How many saboteurs can be among this many players: one dwarf is left over (S2)."""
    return range(SABOTEURS[players] - 1, SABOTEURS[players] + 1)


def offers(share: ShareRule, players: int) -> set[int]:
    """How many cards the miners can be offered (D1, D2)."""
    if share is ShareRule.ALL_PLAYERS:
        return {min(players, 9)}
    return {players - saboteurs for saboteurs in saboteurs_among(players)}


def piles_left(pile: Pile, cards: int) -> Iterator[Pile]:
    """What can be left once this many cards are drawn."""
    ones, twos, threes = pile
    for two, three in product(range(twos + 1), range(threes + 1)):
        one = cards - two - three
        if 0 <= one <= ones:
            yield ones - one, twos - two, threes - three


@cache
def engine_payments(pile: Pile, saboteurs: int) -> tuple[tuple[int, ...], ...]:
    """What the engine pays."""
    return payments([nuggets for nuggets, n in enumerate(pile, 1) for _ in range(n)], saboteurs)


def rest_of_pile(pile: Pile, spent: tuple[tuple[int, ...], ...]) -> Pile:
    """What is left of a pile after a payment."""
    gone = Counter(nuggets for cards in spent for nuggets in cards)
    ones, twos, threes = pile
    return ones - gone[1], twos - gone[2], threes - gone[3]


@cache
def reachable(share: ShareRule, players: int, number: int) -> frozenset[Pile]:
    """Every pile there can be when round `number` ends, before its gold is shared."""
    if number == 1:
        return frozenset({FULL})
    after: set[Pile] = set()
    for pile in reachable(share, players, number - 1):
        for cards in offers(share, players):
            after.update(piles_left(pile, cards))
        for saboteurs in saboteurs_among(players):
            after.add(rest_of_pile(pile, engine_payments(pile, saboteurs)) if saboteurs else pile)
    return frozenset(after)


@cache
def ways_to_pay(saboteurs: int, due: int) -> frozenset[tuple[tuple[int, ...], Pile]]:
    """Each thing this many saboteurs could get: their sums in order, and the cards that takes."""
    if not saboteurs:
        return frozenset({((), (0, 0, 0))})
    each = [
        (one + 2 * two + 3 * three, (one, two, three))
        for one, two, three in product(range(due + 1), repeat=3)
        if one + 2 * two + 3 * three <= due
    ]
    return frozenset(
        (tuple(sorted((*sums, nuggets))), (ones + share, twos + two, threes + three))
        for sums, (ones, twos, threes) in ways_to_pay(saboteurs - 1, due)
        for nuggets, (share, two, three) in each
    )


@cache
def best(pile: Pile, saboteurs: int) -> tuple[tuple[int, ...], Pile]:
    """By brute force, the sums that D5 and D8 want to be paid, and what they leave."""
    due = {1: 4, 2: 3, 3: 3, 4: 2}[saboteurs]
    have = [
        (sums, (pile[0] - ones, pile[1] - twos, pile[2] - threes))
        for sums, (ones, twos, threes) in ways_to_pay(saboteurs, due)
        if ones <= pile[0] and twos <= pile[1] and threes <= pile[2]
    ]
    most = max(sum(sums) for sums, _ in have)
    fullest = [(sums, left) for sums, left in have if sum(sums) == most]
    lowest = max(sums[0] for sums, _ in fullest)
    return max(
        ((sums, left) for sums, left in fullest if sums[0] == lowest),
        key=lambda way: (way[1][0], way[1][1]),
    )


CASES = [(share, players) for share in ShareRule for players in PLAYERS]


@pytest.mark.level("broad")
@pytest.mark.rule("D5", "D8", "E-share")
@pytest.mark.parametrize(("share", "players"), CASES)
def test_from_every_pile_saboteurs_are_paid_as_brute_force_would(
    share: ShareRule, players: int
) -> None:
    for number in (1, 2, 3):
        for pile in reachable(share, players, number):
            for saboteurs in saboteurs_among(players):
                if saboteurs:
                    given = engine_payments(pile, saboteurs)
                    assert len(given) == saboteurs
                    sums = tuple(sorted(map(sum, given)))
                    assert (sums, rest_of_pile(pile, given)) == best(pile, saboteurs), (
                        f"{saboteurs} saboteurs, pile of ones, twos, threes {pile}"
                    )


def unpaid(share: ShareRule) -> set[tuple[int, int, int, Pile]]:
    """Each round, players, saboteurs and pile that leave something unpaid."""
    return {
        (number, players, saboteurs, pile)
        for players in PLAYERS
        for number in (1, 2, 3)
        for pile in reachable(share, players, number)
        for saboteurs in saboteurs_among(players)
        if saboteurs and sum(best(pile, saboteurs)[0]) < saboteurs * NUGGETS_DUE[saboteurs]
    }


@pytest.mark.rule("D8")
def test_with_all_players_there_is_no_exact_payment_in_just_the_cases_told() -> None:
    cases = unpaid(ShareRule.ALL_PLAYERS)
    assert {number for number, *_ in cases} == {3}
    assert {players for _, players, *_ in cases} == {9, 10}
    assert {(saboteurs, pile) for *_, saboteurs, pile in cases} == NO_EXACT_PAYMENT
    assert {pile for _, players, _, pile in cases if players == 9} == {
        pile for saboteurs, pile in NO_EXACT_PAYMENT if saboteurs == 3
    }


@pytest.mark.rule("D5", "D8")
def test_with_each_miner_one_there_is_always_an_exact_payment() -> None:
    assert unpaid(ShareRule.EACH_MINER_ONE) == set()


@pytest.mark.rule("D8")
@pytest.mark.parametrize(("saboteurs", "pile"), sorted(NO_EXACT_PAYMENT))
def test_where_exact_payment_is_impossible_nobody_is_left_far_behind(
    saboteurs: int, pile: Pile
) -> None:
    due = NUGGETS_DUE[saboteurs]
    missing = [due - sum(cards) for cards in engine_payments(pile, saboteurs)]
    assert 1 <= sum(missing) <= 2
    assert max(missing) == 1
    ones, _, _ = rest_of_pile(pile, engine_payments(pile, saboteurs))
    assert ones == 0


def test_every_edition_has_one_of_the_two_rows_counted_here() -> None:
    assert {edition.share for edition in EDITIONS.values()} == set(ShareRule)
    assert Counter(ALL_GOLD) == dict(enumerate(FULL, 1))
    assert all(MINERS[players] + SABOTEURS[players] == players + 1 for players in PLAYERS)
