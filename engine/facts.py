"""All that one seat, or several seats together, know of a game at one moment (RULES K).

The secrets of a seat are the private events that it alone received. Where each of them belongs
among the public events follows from these: a seat was dealt a card after it drew, and saw a goal
after it looked. So to share what it knows, a seat need only send its secrets, in order: together
with the public events they determine its whole view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, assert_never

from engine.actions import Looked
from engine.board import GOAL_CELLS, Peeks
from engine.cards import DECK, Card, Goal, Role, with_card, without_card
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    FaceUpPlay,
    GoalPeeked,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Passed,
    Private,
    RoundBegan,
    SaboteursPaid,
    addressee,
)
from engine.legality import Hand
from engine.state import GOLD_CARDS, Score, Table
from engine.view import View


class Facts(NamedTuple):
    """The public `table` and `score`, and the secrets of the seats that share what they know.

    These seats are the keys of `roles`, `hands` and `buried`.
    """

    table: Table
    score: Score
    roles: Mapping[int, Role]
    hands: Mapping[int, Hand]
    buried: Mapping[int, Hand]
    """The cards that each of the seats discarded face down."""
    goals: Peeks
    """The goals that one of the seats knows, from north to south."""
    ledger: tuple[GoldEvent, ...]
    """The public events about gold, each followed by what only the seats learnt then."""
    history: tuple[Event, ...]
    """The public events of the round, each followed by what only the seats learnt then."""

    @staticmethod
    def of(view: View) -> Facts:
        """Return what one seat knows, or a watcher."""
        seat = view.seat
        north, middle, south = map(view.goal_on, GOAL_CELLS)
        return Facts(
            view.table,
            view.score,
            {} if seat is None or view.role is None else {seat: view.role},
            {} if seat is None else {seat: view.hand},
            {} if seat is None else {seat: view.buried},
            (north, middle, south),
            view.ledger,
            view.history,
        )

    def unseen(self) -> list[Card]:
        """Return the cards of the deck that neither lie face up nor are known to these seats.

        Raises `ValueError` if more copies of a card are known than there are.
        """
        left = Counter(DECK)
        left.subtract(chain(self.table.face_up(), *self.hands.values(), *self.buried.values()))
        if min(left.values()) < 0:
            raise ValueError("more copies of a card are known than there are")
        return list(left.elements())


Secrets = Mapping[int, Sequence[Private]]
"""The secrets of some seats, as `secrets_of` returns them for the view of each."""


def secrets_of(view: View) -> tuple[Private, ...]:
    """Return the private events of a seat: this round's, after those about gold from before."""
    events = (*gold_before(view), *view.history)
    return tuple(event for event in events if isinstance(event, Private))


def gold_before(view: View) -> tuple[GoldEvent, ...]:
    """Return the part of the ledger from before the present round."""
    gold = sum(isinstance(event, GoldEvent) for event in view.history)
    return view.ledger[: len(view.ledger) - gold]


def watch(view: View) -> View:
    """Return what a watcher knows at the moment of this view, computed from its public events.

    Raises `ValueError` if the view does not follow from its events, as one without a history.
    """
    table, score = view.table, view.score
    again = View.before(table.edition, table.players, score.rounds, None)
    for gold in filter(_is_public, gold_before(view)):
        again = again.after(gold)
    wins = score.wins[: score.number - 1]
    again = again._replace(score=replace(again.score, wins=wins))
    for event in filter(_is_public, view.history):
        again = again.after(event)
    if (again.table, again.score) != (table, score):
        raise ValueError("this view does not follow from its events")
    return again


def _is_public(event: Event) -> bool:
    return addressee(event) is None


def join(public: View, secrets: Secrets) -> Facts:
    """Return what seats know together, from a watcher's view and their secrets.

    Raises `ValueError` for secrets that do not fit the public events, and for goals that contradict
    each other.
    """
    unused = {seat: iter(secrets[seat]) for seat in sorted(secrets)}
    before = tuple(_insert(gold_before(public), unused))
    history = tuple(_insert(public.history, unused))
    if any(next(left, None) is not None for left in unused.values()):
        raise ValueError("a seat was not told so much")
    roles: dict[int, Role] = {}
    hands: dict[int, Hand] = {}
    buried: dict[int, Hand] = dict.fromkeys(unused, ())
    seen = dict(zip(GOAL_CELLS, map(public.goal_on, GOAL_CELLS), strict=True))
    for event in history:
        match event:
            case DwarfDealt(to, role):
                roles[to] = role
            case HandDealt(to, cards):
                hands[to] = cards
            case Dealt(to, card):
                hands[to] = with_card(hands[to], card)
            case DiscardedCard(to, card):
                hands[to] = without_card(hands[to], card)
                buried[to] += (card,)
            case GoalPeeked(_, cell, goal):
                if seen[cell] not in {None, goal}:
                    raise ValueError("different goals are known in one place")
                seen[cell] = goal
            case _ if isinstance(event, FaceUpPlay) and event.seat in unused:
                hands[event.seat] = without_card(hands[event.seat], event.move.card)
            case _:
                pass
    north, middle, south = seen.values()
    known = [goal for goal in seen.values() if goal]
    if len(set(known)) < len(known):
        raise ValueError("one goal is known in two places")
    ledger = tuple(event for event in (*before, *history) if isinstance(event, GoldEvent))
    goals = north, middle, south
    return Facts(public.table, public.score, roles, hands, buried, goals, ledger, history)


def _insert(public: Iterable[Event], unused: Mapping[int, Iterator[Private]]) -> Iterator[Event]:
    """Yield public events, each followed by the secrets that seats then learnt, seat by seat."""
    offer = 0
    for event in public:
        yield event
        if isinstance(event, GoldDrawn):
            offer = event.cards
        for seat, left in unused.items():
            for kind, cards in _list_secrets_after(event, seat, offer):
                secret = next(left, None)
                if not isinstance(secret, kind) or secret.to != seat:
                    raise ValueError("these are not the secrets of this seat in this game")
                if not _fits(secret, event, cards):
                    raise ValueError("a secret does not agree with what everybody knows")
                yield secret
        offer -= isinstance(event, GoldTaken)


def _list_secrets_after(
    event: Event, seat: int, offer: int
) -> tuple[tuple[type[Private], int], ...]:
    """Return the kinds of secrets that a seat is told after a public event, with their numbers.

    Such a number is how many cards the secret names; `offer` is how many gold cards are offered.
    """
    match event:
        case RoundBegan(hands=hands):
            return (DwarfDealt, 1), (HandDealt, hands[seat])
        case Drew(who) if who == seat:
            return ((Dealt, 1),)
        case Passed(who) if who == seat:
            return ((DiscardedCard, 1),)
        case Looked(who) if who == seat:
            return ((GoalPeeked, 1),)
        case ChoiceBegan(who) if who == seat:
            return ((GoldShown, offer),)
        case GoldTaken(who) if who == seat:
            return ((GoldReceived, 1),)
        case SaboteursPaid(_, paid) if paid[seat]:
            return ((GoldReceived, paid[seat]),)
        case _:
            return ()


def _fits(secret: Private, event: Event, count: int) -> bool:
    """Return True if a secret names this number of existing cards, and the goal looked at."""
    match secret:
        case DwarfDealt(_, role):
            return isinstance(role, Role)
        case HandDealt(_, cards):
            return len(cards) == count and all(isinstance(card, Card) for card in cards)
        case Dealt(_, card) | DiscardedCard(_, card):
            return isinstance(card, Card)
        case GoalPeeked(_, cell, goal):
            return isinstance(event, Looked) and cell == event.cell and isinstance(goal, Goal)
        case GoldShown(_, nuggets) | GoldReceived(_, nuggets):
            return len(nuggets) == count and all(
                type(worth) is int and worth in GOLD_CARDS for worth in nuggets
            )
        case _:
            assert_never(secret)
