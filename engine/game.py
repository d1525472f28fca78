"""A whole game on the host's side: rounds, gold, and what each seat is told (RULES S to K).

`Game` holds every secret; nobody but a host should. Its steps are pure: they return a new game
and the addressed events, and leave the old one as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from engine.cards import DECK, GOALS, in_order
from engine.deal import ALL_GOLD, HAND_SIZES, PLAYERS, Deal, dwarves
from engine.edition import INTERNATIONAL, Edition
from engine.events import (
    DwarfDealt,
    Event,
    GameEnded,
    GoldEvent,
    HandDealt,
    RoundBegan,
    TurnBegan,
    visible_to,
)
from engine.gold import Purse
from engine.moves import KeepGold, Move
from engine.reasons import NotOnOffer
from engine.round import IllegalMove, Round
from engine.state import Phase, Score, Table, check_seat, not_now, phase, to_act
from engine.view import View

ROUNDS: Final = 3
"""How many rounds a game has, unless the table says otherwise (S1)."""

Transition = tuple["Game", tuple[Event, ...]]
"""A game after something was done, and what happened, in order."""


class Game(NamedTuple):
    """A game from its first deal on: the public `score`, the present `round`, and the gold.

    `history` is what happened since the present round was dealt, step by step; `ledger` is all
    that happened to gold since the game began.
    """

    score: Score
    round: Round
    purse: Purse
    history: tuple[tuple[Event, ...], ...] = ()
    ledger: tuple[GoldEvent, ...] = ()

    @staticmethod
    def begin(
        deal: Deal,
        edition: Edition = INTERNATIONAL,
        rounds: int = ROUNDS,
        youngest: int | None = None,
    ) -> Transition:
        """Begin a game with the deal of its first round (S1, S8).

        `youngest` is the seat to begin; where the table names none, the deal drew one. Raises
        `ValueError` for other than one to three rounds, for a seat that is not there, and for a
        deal that cannot be made with the cards of the game.
        """
        players = len(deal.roles)
        if not 1 <= rounds <= ROUNDS:
            raise ValueError(f"a game has one to three rounds, not {rounds}")
        if youngest is not None:
            check_seat(youngest, players)
        purse = Purse(ALL_GOLD, ((),) * players)
        table = Table.bare(edition, players, deal.starter if youngest is None else youngest)
        return _dealt(Score.bare(rounds, players), table, purse, (), deal)

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        return phase(self.round.table, self.score)

    @property
    def to_act(self) -> int | None:
        """The seat that is to play or to choose gold, `None` where the game waits for nobody."""
        return to_act(self.round.table, self.score)

    def deal(self, deal: Deal) -> Transition:
        """Begin the next round with its deal (N1, N2).

        Raises `ValueError` where no round is awaited, or for a deal that cannot be made with the
        cards of the game.
        """
        if self.phase is not Phase.DEAL:
            raise ValueError(f"no deal is awaited: {self.phase}")
        table = self.round.table
        table = Table.bare(table.edition, table.players, table.next_starter())
        return _dealt(self.score, table, self.purse, self.ledger, deal)

    def legal_moves(self) -> Sequence[Move]:
        """All that the seat `to_act` may do, nothing where there is none."""
        if self.score.chooser is not None:
            return [KeepGold(nuggets) for nuggets in dict.fromkeys(self.purse.offer)]
        return self.round.legal_moves()

    def apply(self, move: Move) -> Transition:
        """The game after the seat `to_act` has made a move, and what happened.

        Raises `IllegalMove`.
        """
        reason = not_now(self.round.table, self.score, move)
        if reason is not None:
            raise IllegalMove(move, reason)
        if isinstance(move, KeepGold):
            return self._keep(move)
        played, events = self.round.apply(move)
        if played.table.end is None:
            history = (*self.history, events)
            return Game(self.score, played, self.purse, history, self.ledger), events
        return self._share(played, events)

    def view(self, seat: int | None, *, history: bool = True) -> View:
        """All that a seat knows, or for `None` a watcher (RULES K).

        Without its history a view is made much faster, and knows the same of the present. Raises
        `ValueError` for a seat that is not there.
        """
        now = self.round
        if seat is not None:
            check_seat(seat, len(now.hands))
        events = visible_to(seat, chain.from_iterable(self.history)) if history else ()
        ledger = visible_to(seat, self.ledger) if self.ledger else ()
        if seat is None:
            return View(None, now.table, self.score, ledger=ledger, history=events)
        return View(
            seat,
            now.table,
            self.score,
            now.roles[seat],
            now.hands[seat],
            now.seen_by(seat),
            now.buried[seat],
            self.purse.held[seat],
            self.purse.offer if self.score.chooser == seat else (),
            ledger,
            events,
        )

    def _keep(self, move: KeepGold) -> Transition:
        """A miner keeps a gold card (D1 to D4)."""
        if move.nuggets not in self.purse.offer:
            raise IllegalMove(move, NotOnOffer(move.nuggets))
        seat = self.score.chooser
        assert seat is not None
        purse, events = self.purse.keep(self.round.roles, seat, move.nuggets)
        return self._settle(self.round, self.score, purse, events)

    def _share(self, played: Round, events: tuple[Event, ...]) -> Transition:
        """The round is over: begin to share the gold (D1 to D6)."""
        table = played.table
        assert table.end is not None
        purse, shared = self.purse.share(table.edition, table.end, table.last_path)
        score = self.score.after(table.end)
        return self._settle(played, score, purse, shared, before=events)

    def _settle(
        self,
        played: Round,
        score: Score,
        purse: Purse,
        shared: tuple[GoldEvent, ...],
        before: tuple[Event, ...] = (),
    ) -> Transition:
        """Keep the ledger, and end the game with its last round's sharing (F1)."""
        for event in shared:
            score = score.after(event)
        events: tuple[Event, ...] = (*before, *shared)
        if score.number == score.rounds and score.chooser is None:
            ended = GameEnded(purse.held)
            score = score.after(ended)
            events = (*events, ended)
        return Game(score, played, purse, (*self.history, events), self.ledger + shared), events


def _dealt(
    score: Score, table: Table, gold: Purse, ledger: tuple[GoldEvent, ...], deal: Deal
) -> Transition:
    """Lay out a round on a bare table as it was dealt (S2 to S8, N1)."""
    _check(deal, table.players, gold)
    assert table.starter is not None
    hands = tuple(len(hand) for hand in deal.hands)
    began = RoundBegan(score.number + 1, table.starter, hands, len(deal.pile))
    turn = TurnBegan(table.starter)
    table = table.after(began, turn)
    events: tuple[Event, ...] = (
        began,
        *(DwarfDealt(seat, role) for seat, role in enumerate(deal.roles)),
        *(HandDealt(seat, hand) for seat, hand in enumerate(deal.hands)),
        turn,
    )
    played = Round(
        table,
        deal.roles,
        deal.spare,
        deal.goals,
        deal.hands,
        deal.pile,
        ((),) * table.players,
    )
    purse = Purse(deal.gold, gold.held)
    return Game(score.after(began), played, purse, (events,), ledger), events


def _check(deal: Deal, players: int, gold: Purse) -> None:
    """Raise `ValueError` unless a deal is one of the game's own cards (S2 to S5, N1)."""
    fair = (
        players in PLAYERS
        and len(deal.roles) == len(deal.hands) == players
        and sorted((*deal.roles, deal.spare)) == sorted(dwarves(players))
        and set(deal.goals) == set(GOALS)
        and all(len(hand) == HAND_SIZES[players] for hand in deal.hands)
        and all(hand == in_order(hand) for hand in deal.hands)
        and 0 <= deal.starter < players
        and in_order((*chain(*deal.hands), *deal.pile)) == DECK
        and sorted(deal.gold) == sorted(gold.pile)
    )
    if not fair:
        raise ValueError("this deal is not made of the cards of this game")
