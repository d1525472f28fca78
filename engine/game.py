"""A whole game on the host's side: rounds, gold, and each seat's view (RULES S to K).

`Game` holds every secret, so only the host may have one. Its methods are pure: they return a new
game and the addressed events, and leave the old game unchanged.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.dealing import ALL_GOLD, Deal, check_deal, deal
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
from engine.moves import IllegalMove, KeepGold, Move, NotOnOffer, Reason, check_move, parse_own_move
from engine.round import Round
from engine.state import (
    ROUNDS,
    Phase,
    Score,
    Table,
    check_rounds,
    check_seat,
    describe_awaited,
    not_now,
    phase,
    to_act,
)
from engine.view import History, View

Transition = tuple["Game", tuple[Event, ...]]
"""The game after a step, and the events of that step in order."""


class Game(NamedTuple):
    """A game from its first deal on: the public `score`, the present `round`, and the gold.

    `history` holds the events since the present round was dealt, step by step; `ledger` holds the
    events about gold since the game began.
    """

    score: Score
    round: Round
    purse: Purse
    history: History = History()
    ledger: tuple[GoldEvent, ...] = ()

    def __str__(self) -> str:
        return f"{self.score}: {describe_awaited(self.round.table, self.score)}\n{self.round}"

    def __repr__(self) -> str:
        return f"<Game: {self.score}, {describe_awaited(self.round.table, self.score)}>"

    @staticmethod
    def begin(
        deal: Deal,
        edition: Edition = INTERNATIONAL,
        rounds: int = ROUNDS,
        youngest: int | None = None,
    ) -> Transition:
        """Begin a game with the deal of its first round (S1, S8).

        `youngest` is the seat to begin; if it is `None`, the deal's `starter` begins. Raises
        `ValueError` for a number of rounds other than one to three, for a seat that does not
        exist, and for a deal that is not made of the game's cards, and `TypeError` for what is no
        edition.
        """
        players = len(deal.roles)
        check_rounds(rounds)
        if youngest is not None:
            check_seat(youngest, players)
        purse = Purse(ALL_GOLD, ((),) * players)
        table = Table.bare(edition, players, deal.starter if youngest is None else youngest)
        return deal_round(Score.bare(rounds, players), table, purse, (), deal)

    @staticmethod
    def new(
        players: int,
        *,
        seed: bytes,
        edition: Edition = INTERNATIONAL,
        rounds: int = ROUNDS,
        youngest: int | None = None,
    ) -> Game:
        """Return a new game whose first round is dealt from a 32-byte seed: see `begin`.

        Raises `ValueError` for a seed of another length, and for a number of players that S1 does
        not allow.
        """
        return Game.begin(deal(seed, 1, players), edition, rounds, youngest)[0]

    @property
    def phase(self) -> Phase:
        """The step that the game waits for."""
        return phase(self.round.table, self.score)

    @property
    def to_act(self) -> int | None:
        """The seat that is to play or to choose gold, `None` if the game waits for no seat."""
        return to_act(self.round.table, self.score)

    def deal(self, source: bytes | Deal) -> Transition:
        """Begin the next round, dealt from a 32-byte seed or as a deal has it (N1, N2).

        Raises `ValueError` if the game does not wait for a deal, for a seed of another length, and
        for a deal that is not made of the game's cards.
        """
        if self.phase is not Phase.DEAL:
            raise ValueError(
                f"no deal is awaited: {describe_awaited(self.round.table, self.score)}"
            )
        if isinstance(source, Deal):
            dealt = source
        else:
            number, players = self.score.number + 1, self.round.table.players
            dealt = deal(source, number, players, self.purse.pile)
        table = self.round.table
        table = Table.bare(table.edition, table.players, table.next_starter())
        return deal_round(self.score, table, self.purse, self.ledger, dealt)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all moves of the seat `to_act`; none if there is no such seat."""
        if self.score.chooser is not None:
            return tuple(KeepGold(nuggets) for nuggets in dict.fromkeys(self.purse.offer))
        return self.round.legal_moves()

    def read(self, text: str) -> Move:
        """Read a legal move of the seat `to_act`, such as `NES@3n1`.

        Raises `NotationError` for what is no move, and `IllegalMove` for one that is illegal now.
        """
        move = parse_own_move(text)
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return move

    def why_not(self, move: Move) -> Reason | None:
        """Return the reason why a move is illegal for the seat `to_act`, `None` if it is legal.

        Raises `TypeError` for what is no move, such as a move as text.
        """
        check_move(move)
        reason = not_now(self.round.table, self.score, move)
        return reason or self.view(self.to_act, history=False).why_not(move)

    def apply(self, move: Move) -> Transition:
        """Return the game after the seat `to_act` has made a move, and the events.

        Raises `IllegalMove`, and `TypeError` for what is no move, such as a move as text.
        """
        check_move(move)
        score, now, purse, history, ledger = self
        if score.chooser is not None or score.gold is not None or isinstance(move, KeepGold):
            return self._keep(move)
        played, events = now.apply(move)
        if played.table.end is None:
            # Not `Game(...)`: see `Table.after`.
            fields = score, played, purse, history.then(events), ledger
            return tuple.__new__(Game, fields), events
        return self._share(played, events)

    def view(self, seat: int | None, *, history: bool = True) -> View:
        """Return all that a seat knows, or for `None` a watcher (RULES K).

        With `history=False` the view has no `history`, and is otherwise the same. Raises
        `ValueError` for a seat that does not exist.
        """
        now = self.round
        if seat is not None:
            check_seat(seat, len(now.hands))
        events = self.history.seen_by(seat) if history else ()
        ledger = visible_to(self.ledger, seat) if self.ledger else ()
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
            self._offer_to(seat),
            ledger,
            events,
        )

    def _offer_to(self, seat: int) -> tuple[int, ...]:
        """Return the gold on offer if this seat is the one to choose (D4)."""
        return self.purse.offer if self.score.chooser == seat else ()

    def _keep(self, move: Move) -> Transition:
        """Let the miner who chooses keep a gold card (D1 to D4).

        Raises `IllegalMove` for all other moves, and if no seat is to choose.
        """
        reason = not_now(self.round.table, self.score, move)
        if reason is not None:
            raise IllegalMove(move, reason)
        assert isinstance(move, KeepGold)
        if move.nuggets not in self.purse.offer:
            raise IllegalMove(move, NotOnOffer(move.nuggets))
        seat = self.score.chooser
        assert seat is not None
        purse, events = self.purse.keep(self.round.roles, seat, move.nuggets)
        return self._settle(self.round, self.score, purse, events)

    def _share(self, played: Round, events: tuple[Event, ...]) -> Transition:
        """Begin to share the gold of the round that just ended (D1 to D6)."""
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
        """Fold the gold events into score and ledger, and end the game after its last sharing (F1).

        `before` are the events of the move that led here. A sharing is over when no seat is to
        choose.
        """
        for event in shared:
            score = score.after(event)
        events: tuple[Event, ...] = (*before, *shared)
        if score.number == score.rounds and score.chooser is None:
            ended = GameEnded(purse.held)
            score = score.after(ended)
            events = (*events, ended)
        history = self.history.then(events)
        return Game(score, played, purse, history, self.ledger + shared), events


def knowledge_of(game: Game, seat: int | None) -> tuple[object, ...]:
    """Return all that a seat's own half of its view follows from, made without making the view.

    As long as it holds the same objects, all fields of the view stay equal but for those that
    everybody knows and the `history`. It holds secrets of others, and is for comparison alone.
    Raises `ValueError` for a seat that does not exist.
    """
    if seat is None:
        return (game.ledger,)
    now, purse = game.round, game.purse
    check_seat(seat, len(now.hands))
    offer = purse.offer if game.score.chooser == seat else ()
    looks = now.table.looks[seat]
    cards = now.roles[seat], now.hands[seat], now.goals, looks, now.buried[seat]
    return (*cards, purse.held[seat], offer, game.ledger)


def knowledge_but_hands(game: Game) -> tuple[object, ...]:
    """Return all that `knowledge_of` the seats is taken from, but for their hands.

    As long as it holds the same objects, all that a seat's own half follows from is its hand.
    """
    now, purse = game.round, game.purse
    gold = purse.held, purse.offer, game.score.chooser, game.ledger
    return (now.roles, now.goals, now.table.looks, now.buried, *gold)


def deal_round(
    score: Score, table: Table, gold: Purse, ledger: tuple[GoldEvent, ...], deal: Deal
) -> Transition:
    """Lay out a deal on a bare table, as the next round of a game (S2 to S8, N1).

    Raises `ValueError` for a deal that is not made of the game's cards.
    """
    check_deal(deal, table.players, gold.pile)
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
    return Game(score.after(began), played, purse, History((events,)), ledger), events
