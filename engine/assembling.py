"""A game put together from what some of its seats know, so that it goes on without its host.

What these seats know stays exactly as it was. What none of them knows is drawn again from the cards
that are left: the pile's order, goals that nobody saw, the spare dwarf, and for all other seats the
dwarf, the hand, the cards discarded face down, and the gold. The game is complete: the other seats
get their private events too, so that each seat's view follows from its own history, and the present
round has a deal and moves that lead to it.

`RoundSoFar.of` reduces a game to plain values, and `RoundSoFar.game` makes it again from them. From
the rounds before the present one they keep only who won and who has which gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from random import Random
from typing import NamedTuple

from engine.cards import Card, Role, in_order
from engine.dealing import ALL_GOLD, Deal
from engine.edition import Edition
from engine.events import (
    ChoiceBegan,
    Dealt,
    Drew,
    Event,
    FaceUpPlay,
    GoldEvent,
    GoldReceived,
    HandDealt,
    Passed,
    RoundBegan,
    addressee,
)
from engine.facts import Facts, Secrets, join, secrets_of, watch
from engine.game import Game, Purse, deal_round
from engine.legality import Hand
from engine.moves import Discard, KeepGold, Move
from engine.round import Round
from engine.sampling import purse_after, sample_ledger, sample_rounds
from engine.state import Score, Table, check_rounds, check_seat
from engine.tokens import format_seat
from engine.view import View


class RoundSoFar(NamedTuple):
    """A game up to now as its deals and moves, with every secret."""

    edition: Edition
    rounds: int
    """The number of rounds to be played."""
    wins: tuple[Role, ...]
    """The winners of the rounds before the present one."""
    ledger: tuple[GoldEvent, ...]
    """All events about gold before the present round, of all seats."""
    deal: Deal
    """The deal of the present round; its `starter` is the seat that really began."""
    moves: tuple[Move, ...]
    """All moves of the present round."""

    @staticmethod
    def of(game: Game) -> RoundSoFar:
        """Take a game apart. Raises `ValueError` unless its history is complete."""
        now, score, players = game.round, game.score, game.round.table.players
        events = tuple(chain.from_iterable(game.history))
        hands = tuple(event.cards for event in events if isinstance(event, HandDealt))
        if not events or not isinstance(events[0], RoundBegan) or len(hands) != players:
            raise ValueError("the history of this game is not whole")
        shared = tuple(event for event in events if isinstance(event, GoldEvent))
        drawn = (event.card for event in events if isinstance(event, Dealt))
        deal = Deal(
            now.roles,
            now.spare,
            now.goals,
            hands,
            (*drawn, *now.pile),
            find_gold_dealt(shared, game.purse),
            events[0].starter,
        )
        return RoundSoFar(
            now.table.edition,
            score.rounds,
            score.wins[: score.number - 1],
            game.ledger[: len(game.ledger) - len(shared)],
            deal,
            tuple(list_moves(events, now.buried)),
        )

    def game(self) -> Game:
        """Return the game. Raises `ValueError` for values that no game can have led to."""
        players = len(self.deal.roles)
        check_rounds(self.rounds)
        table = Table.empty(self.edition, players, self.deal.starter)
        score = Score.empty(self.rounds, players)
        held: list[tuple[int, ...]] = [()] * players
        for event in self.ledger:
            score = score.after(event)
            if isinstance(event, GoldReceived):
                held[event.to] = tuple(sorted((*held[event.to], *event.nuggets), reverse=True))
        left = Counter(ALL_GOLD)
        left.subtract(chain(*held))
        if min(left.values()) < 0 or len(self.wins) >= self.rounds:
            raise ValueError("there is less gold, or there are fewer rounds")
        score = replace(score, number=len(self.wins), wins=self.wins)
        purse = Purse(tuple(left.elements()), tuple(held))
        game, _ = deal_round(score, table, purse, self.ledger, self.deal)
        for move in self.moves:
            game, _ = game.apply(move)
        return game


def find_gold_dealt(shared: Iterable[GoldEvent], purse: Purse) -> tuple[int, ...]:
    """Return the gold pile that a round was dealt, from the sharing since then and the purse."""
    taken = (event.nuggets for event in shared if isinstance(event, GoldReceived))
    # What was drawn for the miners is offered sorted, and payments are chosen by worth, so any
    # order of the cards taken deals the same.
    return (*chain(*taken), *purse.offer, *purse.pile)


def list_moves(events: Iterable[Event], buried: Sequence[Hand]) -> Iterator[Move]:
    """Yield the moves of a round from its events, and the cards discarded face down by seat."""
    cards = [iter(hand) for hand in buried]
    is_choice = False
    for event in events:
        if isinstance(event, FaceUpPlay):
            yield event.move
        elif isinstance(event, Passed):
            yield Discard(next(cards[event.seat]))
        elif isinstance(event, ChoiceBegan):
            is_choice = True
        elif isinstance(event, GoldReceived) and is_choice:  # not the last card, taken unasked (D4)
            yield KeepGold(*event.nuggets)
            is_choice = False


class Contradiction(ValueError):
    """The error for secrets of these `seats` that cannot be true.

    If `is_alone`, the secrets of each of the seats are impossible. Otherwise they contradict each
    other, and would not if any of the seats were left out.
    """

    def __init__(self, seats: tuple[int, ...], reason: str, is_alone: bool) -> None:  # noqa: FBT001 - copies are made from arguments by place
        super().__init__(seats, reason, is_alone)
        self.seats = seats
        self.reason = reason
        self.is_alone = is_alone

    def __str__(self) -> str:
        return f"seats {', '.join(map(format_seat, self.seats))}: {self.reason}"


def assemble(public: View, secrets: Secrets, seed: bytes) -> Game:
    """Return a game that agrees with all that everybody knows, and with the secrets of these seats.

    `public` is the view of any seat or watcher, with its history; only its public part is used.
    `secrets` are by seat, as `secrets_of` returns them for the view of each. All else is drawn from
    the `seed`; the same arguments always give the same game.

    Raises `Contradiction` for secrets that cannot be true, and `ValueError` for seats that do not
    exist, for a public view that no game leads to, before the first deal, and once the game is
    over.
    """
    with _plain_errors():
        public = watch(public)
    if public.score.gold is not None:
        raise ValueError("the game is over, and all is known")
    if not public.history or not isinstance(public.history[0], RoundBegan):
        raise ValueError("nothing has been dealt yet")
    for seat in secrets:
        check_seat(seat, public.table.players)
    try:
        return _assemble(public, secrets, seed)
    except ValueError as error:
        raise _blame(public, secrets, seed, error) from None


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Raise `ValueError` in place of whatever error impossible events lead to."""
    try:
        yield
    except (LookupError, TypeError) as error:
        raise ValueError("these events are those of no game") from error


def _blame(public: View, secrets: Secrets, seed: bytes, error: ValueError) -> ValueError:
    """Return the error that names the seats whose secrets cannot be true."""
    _assemble(public, {}, seed)  # if this fails without any secrets, it is the public view
    seats = sorted(secrets)
    alone = [seat for seat in seats if not _is_possible(public, {seat: secrets[seat]}, seed)]
    if alone:
        return Contradiction(tuple(alone), "what each tells cannot be true", is_alone=True)
    # A seat without which the others still contradict each other is not to blame.
    left = dict.fromkeys(seats)
    for seat in seats:
        fewer = {other: secrets[other] for other in left if other != seat}
        if not _is_possible(public, fewer, seed):
            del left[seat]
    return Contradiction(tuple(left), str(error), is_alone=False)


def _is_possible(public: View, secrets: Secrets, seed: bytes) -> bool:
    try:
        _assemble(public, secrets, seed)
    except ValueError:
        return False
    return True


@_plain_errors()
def _assemble(public: View, secrets: Secrets, seed: bytes) -> Game:
    """Return the game of `assemble`. Raises `ValueError`."""
    rng = Random(seed)
    known = join(public, secrets)
    now = next(sample_rounds(known, rng))
    ledger = sample_ledger(known, rng)
    purse = purse_after(ledger, known.table.players, rng)
    before, shared = _split(ledger, sum(isinstance(event, GoldEvent) for event in public.history))
    turns = (event for event in known.history if not isinstance(event, GoldEvent))
    moves = tuple(list_moves((*turns, *shared), now.buried))
    score, gold = known.score, find_gold_dealt(shared, purse)
    wins = score.wins[: score.number - 1]
    dealt = _make_deal(known, now, gold, rng)
    game = RoundSoFar(known.table.edition, score.rounds, wins, before, dealt, moves).game()
    # Secrets come from other programs, and may be made up. That the game could be played is not
    # enough: everybody must find in it what they knew before.
    if game.view(None) != public or any(
        secrets_of(game.view(seat)) != tuple(given) for seat, given in secrets.items()
    ):
        raise ValueError("this cannot have happened by the rules")
    return game


def _split(
    ledger: tuple[GoldEvent, ...], count: int
) -> tuple[tuple[GoldEvent, ...], tuple[GoldEvent, ...]]:
    """Return a ledger in two: the events before its last `count` public ones, and the rest."""
    at = len(ledger)
    while count:
        at -= 1
        count -= addressee(ledger[at]) is None
    return ledger[:at], ledger[at:]


def _make_deal(known: Facts, now: Round, gold: tuple[int, ...], rng: Random) -> Deal:
    """Return a deal that gives all seats the cards that they played and hold."""
    began = known.history[0]
    assert isinstance(began, RoundBegan)
    got = [
        _collect_cards(known, seat)
        if seat in known.hands
        else _imagine_cards(known, now, seat, rng)
        for seat in range(known.table.players)
    ]
    hands = tuple(in_order(cards[:size]) for cards, size in zip(got, began.hands, strict=True))
    later = [iter(cards[size:]) for cards, size in zip(got, began.hands, strict=True)]
    drawn = [next(later[event.seat]) for event in known.history if isinstance(event, Drew)]
    return Deal(now.roles, now.spare, now.goals, hands, (*drawn, *now.pile), gold, began.starter)


def _collect_cards(known: Facts, seat: int) -> list[Card]:
    """Return the cards that a seat with known secrets was dealt and drew, in that order."""
    cards: list[Card] = []
    for event in known.history:
        match event:
            case HandDealt(to, hand) if to == seat:
                cards += hand
            case Dealt(to, card) if to == seat:
                cards.append(card)
            case _:
                pass
    return cards


def _imagine_cards(known: Facts, now: Round, seat: int, rng: Random) -> list[Card]:
    """Return the cards of a seat without known secrets, in a random order of dealing and drawing.

    Each card has to come before the turn in which it was played. All such orders are equally
    likely: at each such turn the card takes one of the places that are still free so far.
    """
    places: list[Card | None] = []
    buried = iter(now.buried[seat])
    for event in known.history:
        card: Card | None = None
        match event:
            case RoundBegan(hands=sizes):
                places += [None] * sizes[seat]
            case Drew(who) if who == seat:
                places.append(None)
            case Passed(who) if who == seat:
                card = next(buried)
            case _ if isinstance(event, FaceUpPlay) and event.seat == seat:
                card = event.move.card
            case _:
                pass
        if card is not None:
            free = [at for at, there in enumerate(places) if there is None]
            places[rng.choice(free)] = card
    held = iter(rng.sample(now.hands[seat], len(now.hands[seat])))
    return [there or next(held) for there in places]
