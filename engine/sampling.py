"""Games sampled from all that are consistent with one seat's view (determinization; RULES K).

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

Of the gold (RULES D), a seat knows its own cards, those it was shown at each of its choices, the
number of cards of each seat, and the number that each saboteur was paid. That number limits the
nuggets in the pile, because the table pays in one way only (D5). So all ways in which the gold can
have fallen up to the last payment are enumerated, and one is drawn by its probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from math import comb, prod
from random import Random
from types import MappingProxyType
from typing import Final

from engine import rules
from engine.board import GOAL_CELLS
from engine.cards import BREAK, DECK, GOALS, Card, Goal, Role, Tool, in_order
from engine.deal import ALL_GOLD, dwarves
from engine.edition import DeadTable
from engine.events import (
    Broke,
    Collapsed,
    Drew,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    Laid,
    Looked,
    Passed,
    Repaired,
    SaboteursPaid,
)
from engine.game import Game
from engine.gold import Payment, Purse, payments
from engine.round import Round
from engine.rules import Hand
from engine.view import View

GoldCards = tuple[int, ...]
"""Gold cards in nuggets."""


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

    def handed_out(self, unseen: GoldCards, rng: Random) -> tuple[list[Payment], GoldCards]:
        """Return each taker's card in order, and the cards still on offer, given the unseen cards.

        Another seat's take is drawn from the cards that need not be there for a later look.
        """
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
    """A payment of saboteurs (D5).

    `cards` are counts by seat, `seats` are the saboteurs, and `own` is the viewing seat with what
    it received, or `None` if it received nothing.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    own: tuple[int, Payment] | None = None

    def fits(self, paid: tuple[Payment, ...]) -> bool:
        """Return True if a payment agrees with what the viewing seat knows of it."""
        return all(
            len(payment) == self.cards[seat]
            and (self.own is None or self.own[0] != seat or self.own[1] == payment)
            for seat, payment in zip(self.seats, paid, strict=True)
        )


GoldHistory = tuple[_Sharing | _Pay, ...]


def imagine_purse(view: View, rng: Random) -> Purse:
    """Return a purse that agrees with all that a seat knows of the gold.

    Raises `ValueError` if there is none.
    """
    players = view.table.players
    if view.score.gold is not None:
        return Purse(_pile(chain(*view.score.gold), rng), view.score.gold)
    story = _story(view.ledger)
    held: list[GoldCards] = [()] * players
    gone: list[int] = []
    offer: GoldCards = ()
    drawn = _draw(story, rng)
    for index, step in enumerate(story):
        if isinstance(step, _Sharing):
            unseen = drawn.pop(0) if drawn else _unseen_gold(story[index:], gone, rng)
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
            case GoldReceived(seat, nuggets), _Pay():
                story[-1] = replace(last, own=(seat, nuggets))
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
    free = Counter(_left(gone)) - _all_shown(story)
    return tuple(rng.sample(_elements(free), sharing.unseen))


def _all_shown(story: GoldHistory) -> Counter[int]:
    """Return the cards that the viewing seat was shown, over all these sharings."""
    return Counter(chain(*(step.shown for step in story if isinstance(step, _Sharing))))


def _chances(there: Counter[int], drawn: Counter[int]) -> int:
    """Return the number of ways to draw cards like these from the pile."""
    return prod(comb(there[nuggets], count) for nuggets, count in drawn.items())


def _left(gone: Iterable[int]) -> GoldCards:
    """Return the gold cards that are not among `gone`, sorted."""
    return _elements(Counter(ALL_GOLD) - Counter(gone))


def _pile(gone: Iterable[int], rng: Random) -> GoldCards:
    """Return the gold cards that are not among `gone`, shuffled."""
    left = list(_left(gone))
    rng.shuffle(left)
    return tuple(left)


def _elements(cards: Counter[int]) -> GoldCards:
    return tuple(sorted(cards.elements()))


MAX_FAIR_TRIES: Final = 64
"""Number of random deals tried before a card is placed by force where R3 needs it."""

_NONE: Final[Mapping[int, Hand]] = MappingProxyType({})


def sample_game(view: View, rng: Random) -> Game:
    """Return a random game in which this seat would have received just the events of its view.

    Raises `ValueError` before the first deal, and for a view that no deal could lead to.
    """
    if view.table.turn is None and view.table.end is None:
        raise ValueError("nothing has been dealt yet")
    roles, spare = _dwarves(view, rng)
    goals = _goals(view, rng)
    cards = _cards(view, rng)
    played = Round(view.table, roles, spare, goals, cards.hands, cards.pile, cards.buried)
    return Game(view.score, played, imagine_purse(view, rng), (view.history,), view.ledger)


def _dwarves(view: View, rng: Random) -> tuple[tuple[Role, ...], Role]:
    """Return the dwarves of all seats and the one left over (S2), the unknown ones at random."""
    if view.table.end is not None:
        return view.table.end.roles, view.table.end.spare
    unseen = list(dwarves(view.table.players))
    if view.role is not None:
        unseen.remove(view.role)
    rng.shuffle(unseen)
    if view.role is not None and view.seat is not None:
        unseen.insert(view.seat, view.role)
    return tuple(unseen[:-1]), unseen[-1]


def _goals(view: View, rng: Random) -> tuple[Goal, Goal, Goal]:
    """Return the goals, the unknown ones at random (S6, A5, G1).

    The goals revealed and those that the seat looked at are known.
    """
    if view.table.end is not None:
        return view.table.end.goals
    up = view.table.board.cards
    known = [
        Goal.lying(up[cell]) if cell in up else peek
        for cell, peek in zip(GOAL_CELLS, view.peeks, strict=True)
    ]
    unseen = [goal for goal in GOALS if goal not in known]
    rng.shuffle(unseen)
    north, middle, south = (goal or unseen.pop() for goal in known)
    return north, middle, south


@dataclass(frozen=True, slots=True)
class _Cards:
    """The cards that are not public: hands and discards by seat, and the draw pile."""

    hands: tuple[Hand, ...]
    buried: tuple[Hand, ...]
    pile: Hand


def _cards(view: View, rng: Random) -> _Cards:
    """Return all cards that are not public, as the seat's own cards (S7) and R3 allow."""
    unseen = _unseen(view)
    table = view.table
    if table.pile or table.edition.dead_table is DeadTable.PLAYED_OUT:
        return _dealt(view, rng, unseen)
    if table.end is None:
        return _with_play_left(view, rng, unseen)
    if table.end.winner is Role.SABOTEUR:
        return _with_none_left(view, rng, unseen)
    return _dealt(view, rng, unseen)


def _unseen(view: View) -> list[Card]:
    """Return the cards of the deck that lie neither face up nor before this seat."""
    table = view.table
    seen = Counter(table.discards)
    seen.update(table.board.cards[cell].card for cell in table.board.tunnels())
    seen.update(BREAK[tool] for broken in table.broken for tool in Tool.within(broken))
    seen.update(view.hand)
    seen.update(view.buried)
    return list((Counter(DECK) - seen).elements())


def _dealt(
    view: View,
    rng: Random,
    unseen: Iterable[Card],
    in_hand: Mapping[int, Hand] = _NONE,
    in_passes: Mapping[int, Hand] = _NONE,
) -> _Cards:
    """Deal the unseen cards at random, around the cards given by seat.

    Cards `in_hand` go to hands; those `in_passes` become the last discards of their seats.
    """
    cards = list(unseen)
    rng.shuffle(cards)

    def filled(sizes: tuple[int, ...], own: Hand, given: Mapping[int, Hand]) -> Iterator[Hand]:
        for seat, size in enumerate(sizes):
            if seat == view.seat:
                yield own
            else:
                last = given.get(seat, ())
                yield (*_taken(cards, size - len(last)), *last)

    table = view.table
    hands = tuple(in_order(hand) for hand in filled(table.hands, view.hand, in_hand))
    buried = tuple(filled(table.buried, view.buried, in_passes))
    return _Cards(hands, buried, _taken(cards, table.pile))


def _taken(cards: list[Card], count: int) -> Hand:
    """Take a number of cards off the end of a list. Raises `ValueError` if it is too short."""
    if count > len(cards):
        raise ValueError("there are not enough cards for what this view tells")
    taken = tuple(cards[len(cards) - count :])
    del cards[len(cards) - count :]
    return taken


def _with_play_left(view: View, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that some seat could play a card, because the round goes on (R3)."""
    table = view.table
    for _ in range(MAX_FAIR_TRIES):
        cards = _dealt(view, rng, unseen)
        if any(rules.can_play(table, seat, hand) for seat, hand in enumerate(cards.hands)):
            return cards
    could = [
        (seat, card)
        for seat, size in enumerate(table.hands)
        for card in unseen
        if size and seat != view.seat and rules.can_play(table, seat, (card,))
    ]
    if not could:
        raise ValueError("this round would have ended")
    seat, card = rng.choice(could)
    return _dealt(view, rng, _without(unseen, (card,)), in_hand={seat: (card,)})


def _with_none_left(view: View, rng: Random, unseen: list[Card]) -> _Cards:
    """Deal so that no seat could play a card, as the round has ended (R3).

    If the last turn was another seat's pass, the card it discarded then could have been played.
    """
    seat = _last_to_pass(view)
    if seat is None or seat == view.seat:
        return _dealt(view, rng, *_dead_hands(view, rng, unseen))
    could = [card for card in unseen if rules.can_play(view.table, seat, (card,))]
    rng.shuffle(could)
    for card in could:
        left = _without(unseen, (card,))
        try:
            left, hands = _dead_hands(view, rng, left)
        except ValueError:
            continue
        return _dealt(view, rng, left, hands, {seat: (card,)})
    raise ValueError("this round would not have ended")


def _dead_hands(view: View, rng: Random, unseen: list[Card]) -> tuple[list[Card], dict[int, Hand]]:
    """Return the unseen cards left, and hands for the other seats without a playable card.

    A card that a seat with sound tools cannot play, a seat with a broken tool cannot play either.
    So the seats with sound tools, which have the smaller choice, are dealt first; then enough
    cards are left for the others. Raises `ValueError` if there are not enough.
    """
    table = view.table
    left = list(unseen)
    hands: dict[int, Hand] = {}
    for seat in sorted(range(table.players), key=lambda seat: bool(table.broken[seat])):
        if seat != view.seat:
            dead = [card for card in left if not rules.can_play(table, seat, (card,))]
            rng.shuffle(dead)
            hands[seat] = _taken(dead, table.hands[seat])
            left = _without(left, hands[seat])
    return left, hands


def _last_to_pass(view: View) -> int | None:
    """Return the seat whose pass under an empty pile was the round's last turn, or `None`."""
    for event in reversed(view.history):
        match event:
            case Passed(seat):
                return seat
            case Drew() | Laid() | Broke() | Repaired() | Collapsed() | Looked():
                return None
            case _:
                pass
    return None


def _without(cards: Iterable[Card], gone: Iterable[Card]) -> list[Card]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left
