"""Imagined gold against the exact posterior: every way the cards can have fallen, weighed anew.

Here each gold card falls singly, in the order in which it is taken or seen: where everybody takes
by chance, that is the same as drawing all of them first. So nothing is shared with
`engine.sampling` but the rule of payment, which has tests of its own.
"""

from collections import Counter
from random import Random

import pytest

from engine.dealing import ALL_GOLD
from engine.edition import EDITIONS
from engine.events import GoldDrawn, GoldEvent, GoldReceived, GoldShown, GoldTaken, SaboteursPaid
from engine.game import payments
from engine.sampling import sample_purse
from engine.view import View
from tests.engine.test_sampling_gold import story
from tests.samples import first

Counts = tuple[int, ...]
"""How many gold cards there are of one, two and three nuggets."""

State = tuple[Counts, Counts, tuple[Counts, ...]]
"""The cards nobody saw or took, those on offer once the seat has looked, and those of each seat."""

SAMPLES = 800
CLOSE = 0.07
"""Four standard deviations of a frequency in so many samples."""

NONE: Counts = (0, 0, 0)


def counts(cards: tuple[int, ...]) -> Counts:
    """So many gold cards as counts."""
    return cards.count(1), cards.count(2), cards.count(3)


def more(these: Counts, those: Counts, by: int = 1) -> Counts:
    """These counts with those added, or taken away."""
    one, two, three = (here + by * there for here, there in zip(these, those, strict=True))
    return one, two, three


def give(held: tuple[Counts, ...], seat: int, cards: Counts) -> tuple[Counts, ...]:
    """What the seats hold once one of them has got some more."""
    return (*held[:seat], more(held[seat], cards), *held[seat + 1 :])


def count_draws(pile: Counts, cards: Counts) -> int:
    """In how many ways these cards come from a pile, one after the other."""
    ways = 1
    for there, wanted in zip(pile, cards, strict=True):
        for taken in range(wanted):
            ways *= max(there - taken, 0)
    return ways


def posterior(view: View) -> Counter[tuple[Counts, ...]]:
    """What each seat may hold, as often as the ledger of a view makes it likely."""
    players = view.table.players
    now: Counter[State] = Counter({(counts(ALL_GOLD), NONE, (NONE,) * players): 1})
    looked = False
    ledger = list(view.ledger)
    for at, event in enumerate(ledger):
        after = ledger[at + 1] if at + 1 < len(ledger) else None
        states: Counter[State] = Counter()
        for (pile, offer, held), weight in now.items():
            for state, ways in _next(event, after, view.seat, (pile, offer, held), looked=looked):
                states[state] += weight * ways
        now = states
        if isinstance(event, GoldDrawn):
            looked = False
        looked = looked or isinstance(event, GoldShown)
    found: Counter[tuple[Counts, ...]] = Counter()
    for (_, _, held), weight in now.items():
        found[held] += weight
    return +found


def _next(
    event: GoldEvent, after: GoldEvent | None, me: int | None, state: State, *, looked: bool
) -> list[tuple[State, int]]:
    """What a state can become with an event, and in how many ways."""
    pile, offer, held = state
    match event:
        case GoldDrawn():
            return [((pile, NONE, held), 1)]
        case GoldShown(_, nuggets):
            shown = counts(nuggets)
            if looked:
                return [(state, 1)] if shown == offer else []
            return [((more(pile, shown, -1), shown, held), count_draws(pile, shown))]
        case GoldTaken(seat) if seat == me:
            assert isinstance(after, GoldReceived)
            got = counts(after.nuggets)
            if looked:
                return [((pile, more(offer, got, -1), give(held, seat, got)), 1)]
            return [((more(pile, got, -1), offer, give(held, seat, got)), count_draws(pile, got))]
        case GoldTaken(seat):
            found: list[tuple[State, int]] = []
            for one in (1, 2, 3):
                card = counts((one,))
                ways = count_draws(offer if looked else pile, card)
                piles = (pile, more(offer, card, -1)) if looked else (more(pile, card, -1), offer)
                found.append(((*piles, give(held, seat, card)), ways))
            return found
        case SaboteursPaid(_, cards, chits):
            seats = [seat for seat in range(len(cards)) if cards[seat] or chits[seat]]
            left = [nuggets for nuggets in (1, 2, 3) for _ in range(pile[nuggets - 1])]
            paid = dict(zip(seats, payments(left, len(seats)), strict=True))
            if [len(paid.get(seat, ())) for seat in range(len(cards))] != list(cards):
                return []
            if me is not None and paid.get(me):
                assert isinstance(after, GoldReceived)
                if paid[me] != after.nuggets:
                    return []
            for seat, got in paid.items():
                pile, held = more(pile, counts(got), -1), give(held, seat, counts(got))
            return [((pile, NONE, held), 1)]
        case _:
            return [(state, 1)]


def check_frequencies(view: View, rng: Random) -> int:
    """See that each seat is imagined to hold what it may hold, as often as is likely.

    Returns the most that one seat may hold instead.
    """
    exact = posterior(view)
    imagined: Counter[tuple[Counts, ...]] = Counter()
    for _ in range(SAMPLES):
        imagined[tuple(counts(held) for held in sample_purse(view, rng).held)] += 1
    assert set(imagined) <= set(exact)
    most = 0
    for seat in range(view.table.players):
        likely: Counter[Counts] = Counter()
        often: Counter[Counts] = Counter()
        for held, weight in exact.items():
            likely[held[seat]] += weight
        for held, times in imagined.items():
            often[held[seat]] += times
        most = max(most, len(likely))
        for cards, weight in likely.items():
            chance = weight / likely.total()
            assert abs(often[cards] / SAMPLES - chance) < CLOSE, (view.ledger, seat, cards, chance)
    return most


TEN = "ssssmmmmmm"
STORIES = {
    "ones seen, then paid": ("france", [("mmmss", 3), ("mmmss", 0), ("mmmss", 0)], "31111"),
    "twos seen, then paid": ("international", [("mmmms", 2), ("smmmm", 0), ("mmmsm", 0)], "12222"),
    "paid, shared and paid": ("argentina", [("mmms", 0), ("smmm", 2), ("mmms", 0)], "1122"),
    "threes seen last": ("italia", [("mmsms", 1), ("smmsm", 0), ("mmsms", 4)], "2113133332"),
    "ten, and threes in every hand": ("italia", [(TEN, 6), (TEN, 0), (TEN, 0)], "333311111"),
}


@pytest.mark.level("broad")
@pytest.mark.rule("K", "D4", "D5")
@pytest.mark.parametrize("title", first(1, STORIES))
def test_gold_is_imagined_as_often_as_the_exact_posterior_has_it_before_and_after_a_payment(
    title: str,
) -> None:
    rng = Random(20)
    book, rounds, gold = STORIES[title]
    players = len(rounds[0][0])
    told: set[tuple[GoldEvent, ...]] = set()
    doubts = 0
    for game in story(EDITIONS[book], rounds, gold, rng):
        for seat in (*range(min(players, 2)), None):
            view = game.view(seat, history=False)
            if view.score.gold is None and game.score.chooser is None and view.ledger not in told:
                told.add(view.ledger)
                doubts += check_frequencies(view, rng) > 1
    assert doubts > 2


@pytest.mark.level("broad")
@pytest.mark.rule("K", "D5")
def test_a_payment_in_ones_hardly_changes_what_the_card_taken_first_may_be() -> None:
    """Seat 2 saw four ones with one card taken: 1, 2 or 3 nuggets, as often as they are left."""
    rng = Random(7)
    rounds = [("mmmss", 3), ("mmmss", 0), ("mmmss", 0)]
    games = list(story(EDITIONS["france"], rounds, "11111", rng))
    before = next(game for game in games if game.score.chooser == 1)
    after = next(game for game in games if len(game.score.wins) == 2)
    assert before.view(1).offer == (1, 1, 1, 1)
    for game, chances in ((before, (0.50, 0.33, 0.17)), (after, (0.49, 0.34, 0.17))):
        taken = Counter(sample_purse(game.view(1), rng).held[2][0] for _ in range(SAMPLES))
        for nuggets, chance in enumerate(chances, 1):
            assert abs(taken[nuggets] / SAMPLES - chance) < CLOSE
