"""Games sampled from all that are consistent with what is known (determinization; RULES K).

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

The gold is sampled apart, in `sampling_gold`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import perm
from random import Random
from typing import Final, TypeVar

from engine import rules
from engine.cards import GOALS, Card, Goal, Role, in_order
from engine.dealing import dwarves
from engine.edition import DeadTable
from engine.events import Drew, Passed, TurnEvent
from engine.facts import Facts
from engine.game import Game
from engine.readonly import ReadOnly
from engine.round import Round
from engine.rules import Hand
from engine.sampling_gold import sample_purse
from engine.view import History, View

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
    """Yield rounds without end in which one seat, or some of them, would have seen the same.

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
    box = Counter(dwarves(known.table.players))
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
    """Return all cards that are not public, as the cards of present seats and R3 allow."""
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
