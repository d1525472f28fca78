"""Games sampled from all that agree with what is known (determinization; RULES D, K).

A bot knows what one seat knows; a game that goes on without its host (`assemble`) starts from what
several seats know together. The other seats are called the missing ones here.

A sample agrees with the cards that were seen, with what is known of the gold, and under R3 with the
fact that a round continued with an empty draw pile, or ended. All games that agree are equally
likely; weighing them by how the other players behave is up to bots. The sampled game has the seat's
own history, not the other seats'.

R3 needs to be checked for the present only. While players only pass, the table stays as it is and
hands only shrink: a card that can be played at the end of a run of passes could be played all the
time. And where the run ended with a play, the card played was in hand all along. So it is enough
that:

- in a round that continues, some seat holds a card that could be played now;
- in a round that R3 ended, none does; and if its last turn was a pass under an empty pile, the
  card discarded then could have been played.

About the gold, a seat knows its own cards, those it was shown at each of its choices, the number of
cards of each seat, and the number that each saboteur was paid. That number limits the nuggets in
the pile, because the table pays in one way only (D5). So all ways in which the gold can have been
handed out up to the last payment are enumerated, and one is drawn by its probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from math import comb, perm, prod
from random import Random
from typing import Final, TypeVar, assert_never

from engine import legality
from engine.actions import TurnEvent
from engine.cards import GOALS, Card, Goal, Role, in_order
from engine.dealing import ALL_GOLD, list_dwarves
from engine.edition import DeadTable
from engine.events import (
    ChoiceBegan,
    Drew,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    Passed,
    SaboteursPaid,
)
from engine.facts import Facts
from engine.game import Game, Payment, Purse, choose_payments
from engine.legality import Hand
from engine.readonly import ReadOnly
from engine.round import Round
from engine.view import History, View

GoldCards = tuple[int, ...]  # gold cards in nuggets


@dataclass(frozen=True, slots=True)
class _Sharing:
    """Gold shared by miners (D1, D2), as the seats whose knowledge the sample respects know it."""

    cards: int
    """The number of cards shared."""
    takers: tuple[int, ...] = ()
    """The seats that took a card so far, in order."""
    looks: tuple[tuple[int, GoldCards], ...] = ()
    """The offers that the knowing seats saw: cards taken before, and the nuggets on each card."""
    kept: tuple[tuple[int, int], ...] = ()
    """The cards that the knowing seats took: cards taken before, and the nuggets on this card."""

    @property
    def shown(self) -> GoldCards:
        """All cards of this sharing that the knowing seats ever saw: they saw most at first."""
        return self.looks[0][1] if self.looks else ()

    @property
    def unseen(self) -> int:
        """The number of cards that the knowing seats never saw."""
        return self.cards - len(self.shown)

    def took(self, nuggets: int) -> _Sharing:
        """Return this sharing after a knowing seat took a card with this number of nuggets.

        The last card is taken without a choice (D4), so taking it counts as a look too.
        """
        at = len(self.takers) - 1
        looks = self.looks
        if not any(before == at for before, _ in looks):
            looks = (*looks, (at, (nuggets,)))
        return replace(self, looks=looks, kept=(*self.kept, (at, nuggets)))

    def hand_out(self, unseen: GoldCards, rng: Random) -> tuple[list[Payment], GoldCards]:
        """Return each taker's card in order, and the cards still on offer, given the unseen cards.

        What another seat took is drawn from the cards that no knowing seat saw later.

        Raises `ValueError` if these cards could not have been taken.
        """
        offer = Counter(self.shown) + Counter(unseen)
        kept = dict(self.kept)
        took: list[Payment] = []
        for at in range(len(self.takers)):
            later = next((shown for before, shown in self.looks if before > at), ())
            free = _sort_gold(offer - Counter(later))
            nuggets = kept[at] if at in kept else rng.choice(free or (0,))  # 0 is never free
            if nuggets not in free:
                raise ValueError("no gold could have been taken as is known")
            offer -= Counter((nuggets,))
            took.append((nuggets,))
        return took, tuple(offer.elements())


@dataclass(frozen=True, slots=True)
class _Pay:
    """A payment of saboteurs (D5).

    `cards` are counts by seat, and `seats` are the saboteurs. The cards themselves need not be
    known: before the last round, their number says which they were.
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
    """Return a purse that agrees with all that is known. Raises `ValueError` if there is none."""
    if known.score.gold is not None:
        return Purse(_shuffle_gold_left(chain(*known.score.gold), rng), known.score.gold)
    return purse_after(sample_ledger(known, rng), known.table.players, rng)


def purse_after(ledger: Iterable[GoldEvent], players: int, rng: Random) -> Purse:
    """Return the purse after all these gold events, with a pile in random order."""
    held: list[GoldCards] = [()] * players
    offer: GoldCards = ()
    for event in ledger:
        offer = event.nuggets if isinstance(event, GoldShown) else ()
        if isinstance(event, GoldReceived):
            held[event.to] = tuple(sorted((*held[event.to], *event.nuggets), reverse=True))
    return Purse(_shuffle_gold_left(chain(*held, offer), rng), tuple(held), offer)


def sample_ledger(known: View | Facts, rng: Random) -> tuple[GoldEvent, ...]:
    """Return all events about gold; what each missing seat learnt about it is drawn at random.

    Raises `ValueError` if nothing agrees with all that is known.
    """
    story = _read_ledger(known.ledger)
    taken: list[int] = []
    drawn = _draw_unseen_of_all(story, rng)
    offers: list[GoldCards] = []
    gifts: list[GoldCards] = []
    for index, step in enumerate(story):
        if isinstance(step, _Sharing):
            unseen = drawn.pop(0) if drawn else _draw_unseen_of_first(story[index:], taken, rng)
            given, left = step.hand_out(unseen, rng)
            offers.append((*chain(*given), *left))
            taken += offers[-1]
        else:
            given = list(choose_payments(_list_gold_left(taken), len(step.seats)))
            taken += chain(*given)
        gifts += filter(None, given)
    if not Counter(taken) <= Counter(ALL_GOLD):
        raise ValueError("they know of more gold cards than there are")
    return tuple(_add_private_events(known.ledger, iter(offers), iter(gifts)))


def _add_private_events(
    ledger: Iterable[GoldEvent], offers: Iterator[GoldCards], gifts: Iterator[GoldCards]
) -> Iterator[GoldEvent]:
    """Yield the public events of a ledger, each followed by its private events (D4, D7).

    `offers` are the cards of each sharing; `gifts` are the cards of each seat that took or was paid
    any, in order.
    """
    offer: Counter[int] = Counter()
    for event in ledger:
        if isinstance(event, GoldShown | GoldReceived):
            continue
        yield event
        match event:
            case GoldDrawn():
                offer = Counter(next(offers))
            case ChoiceBegan(seat):
                yield GoldShown(seat, _sort_gold(offer)[::-1])
            case GoldTaken(seat):
                cards = next(gifts)
                offer -= Counter(cards)
                yield GoldReceived(seat, cards)
            case SaboteursPaid(_, counts):
                for seat in (seat for seat, count in enumerate(counts) if count):
                    yield GoldReceived(seat, next(gifts))
            case _:
                assert_never(event)


def _read_ledger(ledger: tuple[GoldEvent, ...]) -> GoldHistory:
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


def _draw_unseen_of_all(story: GoldHistory, rng: Random) -> list[GoldCards]:
    """Draw the unseen cards of each sharing before the last payment, by their probability.

    Returns nothing if nobody was paid. Raises `ValueError` if no cards agree with the story.
    """
    if not any(isinstance(step, _Pay) for step in story):
        return []
    ways, weights = _list_ways(story)
    if not ways:
        raise ValueError("no gold could have been shared and paid as this view tells")
    return list(rng.choices(ways, weights)[0])


@lru_cache(maxsize=64)
def _list_ways(story: GoldHistory) -> tuple[list[tuple[GoldCards, ...]], list[int]]:
    """Return all unseen cards possible up to the last payment, and the weight of each way."""
    found = list(_yield_ways(story, ALL_GOLD))
    return [way for way, _ in found], [weight for _, weight in found]


def _yield_ways(story: GoldHistory, pile: GoldCards) -> Iterator[tuple[tuple[GoldCards, ...], int]]:
    """Yield each way to hand out the gold up to the last payment, with its weight.

    A way is the unseen cards of each sharing; `pile` is the gold before the story begins.
    """
    there = Counter(pile)
    if not any(isinstance(step, _Pay) for step in story):
        seen = _count_shown(story)
        if seen <= there:
            yield (), _count_draws(there, seen)
        return
    step, rest = story[0], story[1:]
    if isinstance(step, _Pay):
        paid = choose_payments(pile, len(step.seats))
        if step.fits(paid):
            yield from _yield_ways(rest, _sort_gold(there - Counter(chain(*paid))))
        return
    shown = Counter(step.shown)
    for unseen in combinations_with_replacement((3, 2, 1), step.unseen):
        never_seen = Counter(unseen)
        offer = never_seen + shown
        if offer <= there:
            # Chance decided not only which cards were drawn, but also which of them were left for
            # the seat to see. So the ways to draw the shown cards are counted first, then the ways
            # to draw the unseen ones from the rest.
            chances = _count_draws(there, shown) * _count_draws(there - shown, never_seen)
            for way, weight in _yield_ways(rest, _sort_gold(there - offer)):
                yield (unseen, *way), weight * chances


def _draw_unseen_of_first(story: GoldHistory, taken: list[int], rng: Random) -> GoldCards:
    """Draw the unseen cards of the first sharing in `story`, which holds no payment.

    None of them is a card that a knowing seat is shown in that sharing or a later one.
    """
    sharing = story[0]
    assert isinstance(sharing, _Sharing)
    free = Counter(_list_gold_left(taken)) - _count_shown(story)
    return tuple(rng.sample(_sort_gold(free), sharing.unseen))


def _count_shown(story: GoldHistory) -> Counter[int]:
    """Return the cards that the knowing seats were shown, over all these sharings."""
    return Counter(chain(*(step.shown for step in story if isinstance(step, _Sharing))))


def _count_draws(there: Counter[int], drawn: Counter[int]) -> int:
    """Return the number of ways to draw cards like these from the pile."""
    return prod(comb(there[nuggets], count) for nuggets, count in drawn.items())


def _list_gold_left(taken: Iterable[int]) -> GoldCards:
    return _sort_gold(Counter(ALL_GOLD) - Counter(taken))


def _shuffle_gold_left(taken: Iterable[int], rng: Random) -> GoldCards:
    left = list(_list_gold_left(taken))
    rng.shuffle(left)
    return tuple(left)


def _sort_gold(cards: Counter[int]) -> GoldCards:
    return tuple(sorted(cards.elements()))


T = TypeVar("T")

MAX_FAIR_TRIES: Final = 64
"""Number of random deals tried before a card is put where R3 needs it."""

_NONE: Final[Mapping[int, Hand]] = ReadOnly({})


def sample_game(view: View, rng: Random) -> Game:
    """Return a random game in which this seat has this view.

    If the view has no role, as in a position without the seat's dwarf, a dwarf is drawn as well.

    Raises `ValueError` before the first deal, and for a view that no deal could lead to.
    """
    played = next(sample_rounds(view, rng))
    history = History((view.history,))
    return Game(view.score, played, sample_purse(view, rng), history, view.ledger)


def sample_rounds(known: View | Facts, rng: Random) -> Iterator[Round]:
    """Yield, for ever, random rounds that agree with all that is known.

    Raises `ValueError` before the first deal, and for knowledge that no deal could lead to.
    """
    known = Facts.of(known) if isinstance(known, View) else known
    table = known.table
    if table.turn is None and table.end is None:
        raise ValueError("nothing has been dealt yet")
    unseen = known.unseen()
    while True:
        roles, spare = _draw_dwarves(known, rng)
        goals = _draw_goals(known, rng)
        cards = _draw_cards(known, rng, unseen)
        yield Round(table, roles, spare, goals, cards.hands, cards.pile, cards.buried)


def _draw_dwarves(known: Facts, rng: Random) -> tuple[tuple[Role, ...], Role]:
    """Return the dwarves of all seats and the one left over (S2), the unknown ones at random."""
    if known.table.end is not None:
        return known.table.end.roles, known.table.end.spare
    box = Counter(list_dwarves(known.table.players))
    if not Counter(known.roles.values()) <= box:
        raise ValueError("they claim more dwarves of a side than there are")
    unseen = _remove_cards(box.elements(), known.roles.values())
    rng.shuffle(unseen)
    # From the lowest seat on: each insertion moves only the seats after it.
    for seat in sorted(known.roles):
        unseen.insert(seat, known.roles[seat])
    return tuple(unseen[:-1]), unseen[-1]


def _draw_goals(known: Facts, rng: Random) -> tuple[Goal, Goal, Goal]:
    """Return the goals, the unknown ones at random (S6, A5, G1)."""
    unseen = [goal for goal in GOALS if goal not in known.goals]
    rng.shuffle(unseen)
    north, middle, south = (goal or unseen.pop() for goal in known.goals)
    return north, middle, south


@dataclass(frozen=True, slots=True)
class _Cards:
    """The cards that are not public: hands and discards by seat, and the draw pile."""

    hands: tuple[Hand, ...]
    buried: tuple[Hand, ...]
    pile: Hand


def _draw_cards(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal the cards that are not public, as the known hands and R3 allow."""
    table = known.table
    if table.pile or table.edition.dead_table is DeadTable.PLAYED_OUT:
        return _deal_unseen(known, rng, unseen)
    if table.end is None:
        return _deal_with_play_left(known, rng, unseen)
    if table.end.winner is Role.SABOTEUR:
        return _deal_with_none_left(known, rng, unseen)
    # The treasure ended the round (R1): that says nothing about what could still be played.
    return _deal_unseen(known, rng, unseen)


def _deal_unseen(
    known: Facts,
    rng: Random,
    unseen: Iterable[Card],
    in_hand: Mapping[int, Hand] = _NONE,
    in_passes: Mapping[int, Hand] = _NONE,
) -> _Cards:
    """Deal the unseen cards at random, around the cards given by seat.

    Cards `in_hand` go to hands; those `in_passes` become the last discards of their seats.
    """
    cards = _shuffle(unseen, rng)

    def fill(
        sizes: tuple[int, ...], own: Mapping[int, Hand], given: Mapping[int, Hand]
    ) -> Iterator[Hand]:
        for seat, size in enumerate(sizes):
            if seat in own:
                yield own[seat]
            else:
                last = given.get(seat, ())
                yield (*_take(cards, size - len(last)), *last)

    table = known.table
    hands = tuple(in_order(hand) for hand in fill(table.hands, known.hands, in_hand))
    buried = tuple(fill(table.buried, known.buried, in_passes))
    return _Cards(hands, buried, _take(cards, table.pile))


def _shuffle(cards: Iterable[Card], rng: Random) -> list[Card]:
    """Return these cards in random order; `rng.shuffle` takes four times as long."""
    chance = rng.random
    return sorted(cards, key=lambda _: chance())


def _take(cards: list[Card], count: int) -> Hand:
    """Take a number of cards off the end of a list. Raises `ValueError` if it is too short."""
    if count > len(cards):
        raise ValueError("there are not enough cards for what is known")
    taken = tuple(cards[len(cards) - count :])
    del cards[len(cards) - count :]
    return taken


def _deal_with_play_left(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that some seat could play a card, because the round continues (R3)."""
    table = known.table
    if any(legality.can_play(table, seat, hand) for seat, hand in known.hands.items()):
        return _deal_unseen(known, rng, unseen)
    for _ in range(MAX_FAIR_TRIES):
        cards = _deal_unseen(known, rng, unseen)
        if any(legality.can_play(table, seat, hand) for seat, hand in enumerate(cards.hands)):
            return cards
    playable = [
        (seat, card)
        for seat, size in enumerate(table.hands)
        for card in unseen
        if size and seat not in known.hands and legality.can_play(table, seat, (card,))
    ]
    if not playable:
        raise ValueError("this round would have ended")
    seat, card = rng.choice(playable)
    return _deal_unseen(known, rng, _remove_cards(unseen, (card,)), in_hand={seat: (card,)})


def _deal_with_none_left(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that no seat could play a card, as the round has ended (R3).

    If the last turn was a missing seat's pass, the card it discarded then could have been played.
    """
    seat = _find_last_to_pass(known)
    if seat is None or seat in known.hands:
        return _deal_unseen(known, rng, *_deal_dead_hands(known, rng, unseen))
    playable = [card for card in unseen if legality.can_play(known.table, seat, (card,))]
    weights = [_count_dead_hands(known, _remove_cards(unseen, (card,))) for card in playable]
    if not any(weights):
        raise ValueError("this round would not have ended")
    (card,) = rng.choices(playable, weights)
    left, hands = _deal_dead_hands(known, rng, _remove_cards(unseen, (card,)))
    return _deal_unseen(known, rng, left, hands, {seat: (card,)})


def _count_dead_hands(known: Facts, unseen: list[Card]) -> int:
    """Return the number of ways to deal the missing seats hands without a playable card."""
    ways, dealt = 1, 0
    for seat in _sort_missing(known):
        dead = sum(not legality.can_play(known.table, seat, (card,)) for card in unseen)
        ways *= perm(max(dead - dealt, 0), known.table.hands[seat])
        dealt += known.table.hands[seat]
    return ways


def _sort_missing(known: Facts) -> list[int]:
    """Return the missing seats, those with sound tools first: the order to deal dead hands in.

    A dead hand has no card that its seat can play. What a seat with sound tools cannot play, a seat
    with a broken tool cannot play either. So all ways to deal the first seats their dead hands
    leave the same number of dead cards for the other seats.
    """
    table = known.table
    seats = [seat for seat in range(table.players) if seat not in known.hands]
    return sorted(seats, key=lambda seat: bool(table.broken[seat]))


def _deal_dead_hands(
    known: Facts, rng: Random, unseen: list[Card]
) -> tuple[list[Card], dict[int, Hand]]:
    """Return the unseen cards left, and hands for the missing seats without a playable card.

    Raises `ValueError` if there are not enough cards for them.
    """
    left = list(unseen)
    hands: dict[int, Hand] = {}
    for seat in _sort_missing(known):
        dead = [card for card in left if not legality.can_play(known.table, seat, (card,))]
        rng.shuffle(dead)
        hands[seat] = _take(dead, known.table.hands[seat])
        left = _remove_cards(left, hands[seat])
    return left, hands


def _find_last_to_pass(known: Facts) -> int | None:
    """Return the seat whose pass under an empty pile was the round's last turn, or `None`."""
    for event in reversed(known.history):
        match event:
            case Passed(seat):
                return seat
            case Drew() | TurnEvent():
                return None
            case _:
                pass
    return None


def _remove_cards(cards: Iterable[T], removed: Iterable[T]) -> list[T]:
    """Return cards without those `removed`. Raises `ValueError` if one is missing."""
    left = list(cards)
    for card in removed:
        left.remove(card)
    return left
