"""Sampled games that are consistent with what one seat knows (determinization), gold included.

The gold as one seat may imagine it: who has which cards, and what is left (RULES D, K).

A seat knows its own gold, what it was shown at each of its choices, how many cards everybody
has, and how many each saboteur was paid. The last tells something of the pile, because the table
pays in one way only (D5). So up to the last such payment every way is gone through in which the
gold can have fallen, and one of them is drawn, each as often as chance would have it.

Games that one seat cannot tell from the real one: the hidden cards dealt anew (RULES K).

All that the seat can know is respected: what it has seen, what it saw of the gold, and under R3
what a round proves by going on with an empty draw pile, or by having ended. Within that the
cards fall by chance alone; how likely the other players' doings make a deal is for bots to
weigh. The game imagined has the history of the seat and nobody else's.

What R3 proves comes down to the present. While nobody lays or plays a card the table stays as it
is and hands only shrink, so of a run of passes its last moment proves the most; and a run that
a play ended proves nothing, for the card played was in hand all along. What is left is:

- a round that goes on: somebody holds a card that could be played now;
- a round that R3 ended: nobody does; and where its last turn was a pass under an empty pile, the
  card thrown away then could have been played.
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
    """Gold that miners share (D1, D2): how many cards, and which seats took one so far.

    `looks` are what the seat saw, each with how many cards had been taken before; `kept` are its
    own takes, likewise.
    """

    cards: int
    takers: tuple[int, ...] = ()
    looks: tuple[tuple[int, GoldCards], ...] = ()
    kept: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> GoldCards:
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

    def handed_out(self, unseen: GoldCards, rng: Random) -> tuple[list[Payment], GoldCards]:
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


GoldHistory = tuple[_Sharing | _Pay, ...]


def imagine_purse(view: View, rng: Random) -> Purse:
    """Gold that agrees with all that this seat knows of it.

    Raises `ValueError` where none does.
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
            case GoldReceived(_, nuggets), _Sharing():
                story[-1] = last.took(*nuggets)
            case GoldReceived(seat, nuggets), _Pay():
                story[-1] = replace(last, own=(seat, nuggets))
            case _:
                pass
    return tuple(story)


def _draw(story: GoldHistory, rng: Random) -> list[GoldCards]:
    """The cards never seen of each sharing before the last payment, one way of all there are."""
    if not any(isinstance(step, _Pay) for step in story):
        return []
    ways, weights = _ways(story)
    if not ways:
        raise ValueError("no gold could have been shared and paid as this view tells")
    return list(rng.choices(ways, weights)[0])


@lru_cache(maxsize=64)
def _ways(story: GoldHistory) -> tuple[list[tuple[GoldCards, ...]], list[int]]:
    """Every way in which the unseen gold can have fallen up to the last payment, and how likely."""
    found = list(_every_way(story, ALL_GOLD))
    return [way for way, _ in found], [weight for _, weight in found]


def _every_way(story: GoldHistory, pile: GoldCards) -> Iterator[tuple[tuple[GoldCards, ...], int]]:
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


def _unseen_gold(story: GoldHistory, gone: list[int], rng: Random) -> GoldCards:
    """The unseen cards of the first of these sharings, none of which is ever shown later."""
    sharing = story[0]
    assert isinstance(sharing, _Sharing)
    free = Counter(_left(gone)) - _all_shown(story)
    return tuple(rng.sample(_elements(free), sharing.unseen))


def _all_shown(story: GoldHistory) -> Counter[int]:
    return Counter(chain(*(step.shown for step in story if isinstance(step, _Sharing))))


def _chances(there: Counter[int], drawn: Counter[int]) -> int:
    """In how many ways cards like these can be drawn from the pile."""
    return prod(comb(there[nuggets], count) for nuggets, count in drawn.items())


def _left(gone: Iterable[int]) -> GoldCards:
    return _elements(Counter(ALL_GOLD) - Counter(gone))


def _pile(gone: Iterable[int], rng: Random) -> GoldCards:
    left = list(_left(gone))
    rng.shuffle(left)
    return tuple(left)


def _elements(cards: Counter[int]) -> GoldCards:
    return tuple(sorted(cards.elements()))


MAX_FAIR_TRIES: Final = 64
"""How often cards are dealt by chance alone before one is put where R3 wants it."""

_NONE: Final[Mapping[int, Hand]] = MappingProxyType({})


def sample_game(view: View, rng: Random) -> Game:
    """A game in which this seat would have been told just what it was told.

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
    """The dwarves of all seats and the one left over (S2)."""
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
    """The goals, of which those revealed and those looked at are known (S6, A5, G1)."""
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
    """The cards that only some or none have seen: hands and passes by seat, and the draw pile."""

    hands: tuple[Hand, ...]
    buried: tuple[Hand, ...]
    pile: Hand


def _cards(view: View, rng: Random) -> _Cards:
    """All cards, of which the seat knows its own (S7), as R3 allows them to lie."""
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
    """The cards of the deck that lie neither before all nor before this seat."""
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
    """The unseen cards dealt by chance, once some are where they have to be.

    Of a seat's passes those given are its last.
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
    """So many cards, taken from the end of a list. Raises `ValueError` if it is too short."""
    if count > len(cards):
        raise ValueError("there are not enough cards for what this view tells")
    taken = tuple(cards[len(cards) - count :])
    del cards[len(cards) - count :]
    return taken


def _with_play_left(view: View, rng: Random, unseen: list[Card]) -> _Cards:
    """Cards of which somebody could play one, for the round goes on (R3)."""
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
    """Cards of which nobody could play one, though the last one thrown away could be (R3)."""
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
    """What is left of the unseen cards, and the other seats' hands, that hold nothing to play.

    What a seat with sound tools cannot play, one with a broken tool cannot either: so who has
    the lesser choice chooses first, and then there is enough for all.
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
    """The seat whose pass under an empty pile was the round's last turn, where there is one."""
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
