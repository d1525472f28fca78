"""Games sampled from all that are consistent with what is known (determinization; RULES D, K).

What is known is one seat's view for a bot, and what several seats know together for a game that
goes on without its host (`assemble`).

A sample respects all that the seat can know: the cards it has seen, its knowledge of the gold, and
under R3 what follows from a round going on with an empty draw pile, or having ended. Within that
the cards fall by chance alone; weighing deals by the other players' behaviour is for bots. The
sampled game has the seat's own history, not the other seats'.

The consequences of R3 concern the present only. While players only pass, the table stays as it is
and hands only shrink, so the last moment of a run of passes implies the earlier ones; and a run
that ended with a play implies nothing, because the card played was in hand all along. This is left:

- in a round that goes on, some seat holds a card that could be played now;
- in a round that R3 ended, none does; and if its last turn was a pass under an empty pile, the
  card discarded then could have been played.

Of the gold, a seat knows its own cards, those it was shown at each of its choices, the number of
cards of each seat, and the number that each saboteur was paid. That number limits the nuggets in
the pile, because the table pays in one way only (D5). So all ways in which the gold can have fallen
up to the last payment are enumerated, and one is drawn by its probability.
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

from engine import rules
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
from engine.readonly import ReadOnly
from engine.round import Round
from engine.rules import Hand
from engine.view import History, View

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
            given = list(choose_payments(_subtract(gone), len(step.seats)))
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
        paid = choose_payments(pile, len(step.seats))
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


T = TypeVar("T")

MAX_FAIR_TRIES: Final = 64
"""Number of random deals tried before a card is placed by force where R3 needs it."""

_NONE: Final[Mapping[int, Hand]] = ReadOnly({})


def sample_game(view: View, rng: Random) -> Game:
    """Return a random game in which this seat would have received just the events of its view.

    Where a pasted position does not tell the seat's own dwarf, that is drawn as well, and so the
    seat's view of the game has a role. In all else it equals the view given.

    Raises `ValueError` before the first deal, and for a view that no deal could lead to.
    """
    played = next(sample_rounds(view, rng))
    history = History((view.history,))
    return Game(view.score, played, sample_purse(view, rng), history, view.ledger)


def sample_rounds(of: View | Facts, rng: Random) -> Iterator[Round]:
    """Yield, for ever, random rounds that agree with all that a seat knows, or several together.

    Raises `ValueError` before the first deal, and for what no deal could lead to.
    """
    known = Facts.of(of) if isinstance(of, View) else of
    table = known.table
    if table.turn is None and table.end is None:
        raise ValueError("nothing has been dealt yet")
    unseen = known.unseen()
    while True:
        roles, spare = _dwarves(known, rng)
        goals = _goals(known, rng)
        cards = _cards(known, rng, unseen)
        yield Round(table, roles, spare, goals, cards.hands, cards.pile, cards.buried)


def _dwarves(known: Facts, rng: Random) -> tuple[tuple[Role, ...], Role]:
    """Return the dwarves of all seats and the one left over (S2), the unknown ones at random."""
    if known.table.end is not None:
        return known.table.end.roles, known.table.end.spare
    box = Counter(list_dwarves(known.table.players))
    if not Counter(known.roles.values()) <= box:
        raise ValueError("they claim more dwarves of a side than there are")
    unseen = _without(box.elements(), known.roles.values())
    rng.shuffle(unseen)
    for seat in sorted(known.roles):
        unseen.insert(seat, known.roles[seat])
    return tuple(unseen[:-1]), unseen[-1]


def _goals(known: Facts, rng: Random) -> tuple[Goal, Goal, Goal]:
    """Return the goals, the unknown ones at random (S6, A5, G1).

    The goals revealed and those that a present seat looked at are known.
    """
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


def _cards(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal the cards that are not public, as the known hands and R3 allow."""
    table = known.table
    if table.pile or table.edition.dead_table is DeadTable.PLAYED_OUT:
        return _deal_unseen(known, rng, unseen)
    if table.end is None:
        return _with_play_left(known, rng, unseen)
    if table.end.winner is Role.SABOTEUR:
        return _with_none_left(known, rng, unseen)
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


def _with_play_left(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that some seat could play a card, because the round goes on (R3)."""
    table = known.table
    if any(rules.can_play(table, seat, hand) for seat, hand in known.hands.items()):
        return _deal_unseen(known, rng, unseen)
    for _ in range(MAX_FAIR_TRIES):
        cards = _deal_unseen(known, rng, unseen)
        if any(rules.can_play(table, seat, hand) for seat, hand in enumerate(cards.hands)):
            return cards
    could = [
        (seat, card)
        for seat, size in enumerate(table.hands)
        for card in unseen
        if size and seat not in known.hands and rules.can_play(table, seat, (card,))
    ]
    if not could:
        raise ValueError("this round would have ended")
    seat, card = rng.choice(could)
    return _deal_unseen(known, rng, _without(unseen, (card,)), in_hand={seat: (card,)})


def _with_none_left(known: Facts, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that no seat could play a card, as the round has ended (R3).

    If the last turn was a missing seat's pass, the card it discarded then could have been played.
    """
    seat = _last_to_pass(known)
    if seat is None or seat in known.hands:
        return _deal_unseen(known, rng, *_dead_hands(known, rng, unseen))
    could = [card for card in unseen if rules.can_play(known.table, seat, (card,))]
    weights = [_ways_to_deal_dead_hands(known, _without(unseen, (card,))) for card in could]
    if not any(weights):
        raise ValueError("this round would not have ended")
    (card,) = rng.choices(could, weights)
    left, hands = _dead_hands(known, rng, _without(unseen, (card,)))
    return _deal_unseen(known, rng, left, hands, {seat: (card,)})


def _ways_to_deal_dead_hands(known: Facts, unseen: list[Card]) -> int:
    """Return the number of ways to deal the missing seats hands without a playable card."""
    ways, dealt = 1, 0
    for seat in _soundest_first(known):
        dead = sum(not rules.can_play(known.table, seat, (card,)) for card in unseen)
        ways *= perm(max(dead - dealt, 0), known.table.hands[seat])
        dealt += known.table.hands[seat]
    return ways


def _soundest_first(known: Facts) -> list[int]:
    """Return the missing seats, those with sound tools before those with broken tools.

    A card that a seat with sound tools cannot play, a seat with a broken tool cannot play either.
    So the seats with sound tools, which have the smaller choice, are dealt dead hands first; then
    each way to deal theirs leaves as many dead cards to the others.
    """
    table = known.table
    seats = [seat for seat in range(table.players) if seat not in known.hands]
    return sorted(seats, key=lambda seat: bool(table.broken[seat]))


def _dead_hands(
    known: Facts, rng: Random, unseen: list[Card]
) -> tuple[list[Card], dict[int, Hand]]:
    """Return the unseen cards left, and hands for the missing seats without a playable card.

    Raises `ValueError` if there are not enough cards for them.
    """
    left = list(unseen)
    hands: dict[int, Hand] = {}
    for seat in _soundest_first(known):
        dead = [card for card in left if not rules.can_play(known.table, seat, (card,))]
        rng.shuffle(dead)
        hands[seat] = _take(dead, known.table.hands[seat])
        left = _without(left, hands[seat])
    return left, hands


def _last_to_pass(known: Facts) -> int | None:
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


def _without(cards: Iterable[T], gone: Iterable[T]) -> list[T]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left
