"""A game as plain values, to be written down and read back: the gold so far, a deal and moves.

Of the rounds before the present one nothing is left but who won them and who has which gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from engine.cards import Role
from engine.dealing import ALL_GOLD, Deal
from engine.edition import Edition
from engine.events import (
    ChoiceBegan,
    Dealt,
    Event,
    FaceUpPlay,
    GoldEvent,
    GoldReceived,
    HandDealt,
    Passed,
    RoundBegan,
    move_of,
)
from engine.game import Game, deal_round
from engine.gold import Purse
from engine.moves import Discard, KeepGold, Move
from engine.rules import Hand
from engine.state import Score, Table, check_rounds


class RoundSoFar(NamedTuple):
    """All that a game follows from, with every secret: what was before its present round, and that.

    `rounds` is the number of rounds to be played. `wins` are the winners of those before the
    present one, and `ledger` all events about gold before it, of all seats. `deal` is the present
    round's, with the `starter` that really began, and `moves` are all that were made in it.
    """

    edition: Edition
    rounds: int
    wins: tuple[Role, ...]
    ledger: tuple[GoldEvent, ...]
    deal: Deal
    moves: tuple[Move, ...]

    @staticmethod
    def of(game: Game) -> RoundSoFar:
        """Return what a game follows from. Raises `ValueError` if its history is not whole."""
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
            gold_dealt(shared, game.purse),
            events[0].starter,
        )
        return RoundSoFar(
            now.table.edition,
            score.rounds,
            score.wins[: score.number - 1],
            game.ledger[: len(game.ledger) - len(shared)],
            deal,
            tuple(moves_of(events, now.buried)),
        )

    def game(self) -> Game:
        """Return the game. Raises `ValueError` for what no game can have led to."""
        players = len(self.deal.roles)
        check_rounds(self.rounds)
        table = Table.bare(self.edition, players, self.deal.starter)
        score = Score.bare(self.rounds, players)
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


def gold_dealt(shared: Iterable[GoldEvent], purse: Purse) -> tuple[int, ...]:
    """Return the gold pile of a round's deal, from what was shared since, and the purse now."""
    gone = (event.nuggets for event in shared if isinstance(event, GoldReceived))
    return (*chain(*gone), *purse.offer, *purse.pile)


def moves_of(events: Iterable[Event], buried: Sequence[Hand]) -> Iterator[Move]:
    """Yield the moves that a round's events tell of, with the cards discarded face down by seat."""
    cards = [iter(hand) for hand in buried]
    is_choice = False
    for event in events:
        if isinstance(event, FaceUpPlay):
            yield move_of(event)
        elif isinstance(event, Passed):
            yield Discard(next(cards[event.seat]))
        elif isinstance(event, ChoiceBegan):
            is_choice = True
        elif isinstance(event, GoldReceived) and is_choice:  # not the last card, taken unasked (D4)
            yield KeepGold(*event.nuggets)
            is_choice = False
