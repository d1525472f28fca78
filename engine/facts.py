"""All that seats know of a game: one of them, or several together at one moment (RULES K).

The secrets of a seat are what it knows beside what everybody knows. Where a secret belongs among
the events follows from the public ones: a seat was dealt a card after it drew, and saw a goal after
it looked. So all that a seat has to tell is its secrets in their order, and with what everybody
knows its whole view follows from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, assert_never

from engine.actions import Looked
from engine.board import GOAL_CELLS, Peeks
from engine.cards import BREAK, DECK, Card, Goal, Role, Tool, with_card
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
from engine.rules import Hand
from engine.state import GOLD_CARDS, Score, Table
from engine.view import View


class Facts(NamedTuple):
    """The public `table` and `score`, and what the seats that tell what they know hold beside them.

    `roles`, `hands` and the cards `buried` are by seat, and have only seats that tell. `goals` are
    the faces that somebody knows, from north to south. `ledger` and `history` hold the public
    events, and after each of them what these seats alone were told.
    """

    table: Table
    score: Score
    roles: Mapping[int, Role]
    hands: Mapping[int, Hand]
    buried: Mapping[int, Hand]
    goals: Peeks
    ledger: tuple[GoldEvent, ...]
    history: tuple[Event, ...]

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
        """Return the cards of the deck that lie neither face up nor before a seat that tells.

        Raises `ValueError` if more copies of a card are known than there are.
        """
        table = self.table
        seen = Counter(table.discards)
        seen.update(table.board.cards[cell].card for cell in table.board.tunnels())
        seen.update(BREAK[tool] for broken in table.broken for tool in Tool.within(broken))
        seen.update(chain(*self.hands.values(), *self.buried.values()))
        left = Counter(DECK)
        left.subtract(seen)
        if min(left.values()) < 0:
            raise ValueError("more copies of a card are known than there are")
        return list(left.elements())


Secrets = Mapping[int, Sequence[Private]]
"""All that each of some seats alone was told, as `secrets_of` its view has it."""


def secrets_of(view: View) -> tuple[Private, ...]:
    """Return what this seat alone was told: of gold since the game began, else of this round."""
    events = (*gold_before(view), *view.history)
    return tuple(event for event in events if isinstance(event, Private))


def gold_before(view: View) -> tuple[GoldEvent, ...]:
    """Return the gold events that a seat received before the present round."""
    gold = sum(isinstance(event, GoldEvent) for event in view.history)
    return view.ledger[: len(view.ledger) - gold]


def watch(view: View) -> View:
    """Return what a watcher knows at the moment of anybody's view: the fold of its public events.

    Raises `ValueError` for a view that does not follow from its events, as one without history.
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
    """Return what seats know together, from what a watcher knows and from what each was told.

    Raises `ValueError` for secrets that are not those of these seats at this moment, and for goals
    that contradict each other.
    """
    told = {seat: iter(secrets[seat]) for seat in sorted(secrets)}
    before = tuple(_insert(gold_before(public), told))
    history = tuple(_insert(public.history, told))
    if any(next(left, None) is not None for left in told.values()):
        raise ValueError("a seat was not told so much")
    roles: dict[int, Role] = {}
    hands: dict[int, Hand] = {}
    buried: dict[int, Hand] = dict.fromkeys(told, ())
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
                hands[to] = _without(hands[to], card)
                buried[to] += (card,)
            case GoalPeeked(_, cell, goal):
                if seen[cell] not in {None, goal}:
                    raise ValueError("different goals are known in one place")
                seen[cell] = goal
            case _ if isinstance(event, FaceUpPlay) and event.seat in told:
                hands[event.seat] = _without(hands[event.seat], event.move.card)
            case _:
                pass
    north, middle, south = seen.values()
    known = [goal for goal in seen.values() if goal]
    if len(set(known)) < len(known):
        raise ValueError("one goal is known in two places")
    ledger = tuple(event for event in (*before, *history) if isinstance(event, GoldEvent))
    goals = north, middle, south
    return Facts(public.table, public.score, roles, hands, buried, goals, ledger, history)


def _insert(public: Iterable[Event], told: Mapping[int, Iterator[Private]]) -> Iterator[Event]:
    """Yield public events, and after each what these seats alone were told then, seat by seat."""
    offer = 0
    for event in public:
        yield event
        if isinstance(event, GoldDrawn):
            offer = event.cards
        for seat, left in told.items():
            for kind, cards in _secrets_after(event, seat, offer):
                secret = next(left, None)
                if not isinstance(secret, kind) or secret.to != seat:
                    raise ValueError("these are not the secrets of this seat in this game")
                if not _fits(secret, event, cards):
                    raise ValueError("a secret does not agree with what everybody knows")
                yield secret
        offer -= isinstance(event, GoldTaken)


def _secrets_after(event: Event, seat: int, offer: int) -> tuple[tuple[type[Private], int], ...]:
    """Return the kinds of what a seat alone is told after a public event, each with its cards.

    `offer` is the number of gold cards on offer.
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
    """Return True if a secret is of this number of cards that there are, and of the goal seen."""
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


def _without(hand: Hand, card: Card) -> Hand:
    """Return a hand without a card. Raises `ValueError` if it is not there."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
