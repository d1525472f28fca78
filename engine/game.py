"""A whole game on the host's side: rounds, gold, and each seat's view (RULES K, D, N).

A gold card is an int, the number of nuggets on it.

`Game` holds every secret, so only the host may have one. Its methods are pure: they return a new
game and the addressed events, and leave the old game unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.cards import Role
from engine.dealing import ALL_GOLD, Deal, check_deal, deal
from engine.edition import INTERNATIONAL, Edition, ShareRule
from engine.events import (
    ChoiceBegan,
    DwarfDealt,
    Event,
    GameEnded,
    GoldDrawn,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    TurnBegan,
    visible_to,
)
from engine.moves import IllegalMove, KeepGold, Move, NotOnOffer, Reason, check_move, parse_move
from engine.readonly import ReadOnly
from engine.round import Round
from engine.state import (
    ROUNDS,
    Phase,
    Score,
    Table,
    check_rounds,
    check_seat,
    describe_awaited,
    phase,
    to_act,
    why_not_now,
)
from engine.view import History, View

NUGGETS_DUE: Final = ReadOnly({1: 4, 2: 3, 3: 3, 4: 2})
"""Nuggets due to each saboteur, by the number of saboteurs among the players (D5)."""

MAX_OFFERED_CARDS: Final = 9
"""Maximum number of gold cards that are offered to the miners, even with ten players (D2)."""

Payment = tuple[int, ...]  # the gold cards that one saboteur is paid, in nuggets, most first


@dataclass(frozen=True, slots=True)
class Purse:
    """The secret half of the gold: the nuggets on each card."""

    pile: tuple[int, ...]
    """The cards that nobody has, the next one first."""
    held: tuple[tuple[int, ...], ...]
    """The cards of each seat, most nuggets first."""
    offer: tuple[int, ...] = ()
    """The cards that are passed round the miners, most nuggets first."""

    def share(
        self, edition: Edition, end: RoundEnded, finder: int | None
    ) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Begin to share the gold of a round that has ended (D1 to D6).

        `finder` is the seat that laid the last path card. Returns the purse afterwards and the
        events.
        """
        if end.winner is Role.SABOTEUR:
            return self._pay(end.roles)
        # Only a path card reveals the treasure (G4), so some seat laid one.
        assert finder is not None
        count = count_offered(edition, end.roles)
        purse = replace(self, pile=self.pile[count:], offer=_sort_gold(self.pile[:count]))
        purse, events = purse.offer_to(find_first_miner(end.roles, finder))
        return purse, (GoldDrawn(count), *events)

    def keep(
        self, roles: Sequence[Role], seat: int, nuggets: int
    ) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Let the miner who chooses keep a card from the offer (D1, D2).

        At least one other card is left, because the last card is given without asking (D4).
        Returns the purse afterwards and the events.
        """
        purse, took = self._take(seat, nuggets)
        purse, asked = purse.offer_to(find_next_miner(roles, seat))
        return purse, (*took, *asked)

    def offer_to(self, seat: int) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Let a seat choose, or give it the last card (D4); return the purse and the events."""
        if len(self.offer) == 1:
            return self._take(seat, self.offer[0])
        return self, (ChoiceBegan(seat), GoldShown(seat, self.offer))

    def _take(self, seat: int, nuggets: int) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Move one card from the offer to a seat."""
        held = _add_payments(self.held, {seat: (nuggets,)})
        purse = Purse(self.pile, held, _remove_gold(self.offer, (nuggets,)))
        return purse, (GoldTaken(seat), GoldReceived(seat, (nuggets,)))

    def _pay(self, roles: Sequence[Role]) -> tuple[Purse, tuple[GoldEvent, ...]]:
        """Pay the saboteurs among the players, if there are any (D5, D6, D8)."""
        seats = [seat for seat, role in enumerate(roles) if role is Role.SABOTEUR]
        # With three or four players the only saboteur may be the dwarf left over (S2, D6).
        if not seats:
            return self, ()
        due = NUGGETS_DUE[len(seats)]
        paid = dict(zip(seats, choose_payments(self.pile, len(seats)), strict=True))
        pile = self.pile
        for payment in paid.values():
            pile = _remove_gold(pile, payment)
        everybody = [paid.get(seat, ()) for seat in range(len(roles))]
        event = SaboteursPaid(
            due,
            tuple(len(cards) for cards in everybody),
            tuple(due - sum(paid[seat]) if seat in paid else 0 for seat in range(len(roles))),
        )
        got = (GoldReceived(seat, cards) for seat, cards in paid.items() if cards)
        return Purse(pile, _add_payments(self.held, paid)), (event, *got)


def count_offered(edition: Edition, roles: Sequence[Role]) -> int:
    """Return the number of gold cards drawn for the miners who found the treasure (D1, D2)."""
    if edition.share is ShareRule.EACH_MINER_ONE:
        return roles.count(Role.MINER)
    return min(len(roles), MAX_OFFERED_CARDS)


def find_first_miner(roles: Sequence[Role], finder: int) -> int:
    """Return the seat that chooses first: the `finder` of the treasure, if it is a miner (D1).

    If the finder is a saboteur, the next miner chooses first (D3).
    """
    return finder if roles[finder] is Role.MINER else find_next_miner(roles, finder)


def find_next_miner(roles: Sequence[Role], seat: int) -> int:
    """Return the next miner counter-clockwise (D1, D3): the seat itself if there is no other."""
    players = len(roles)
    # Gold goes to seat i-1 in every edition, whichever way the turns go (D1).
    around = ((seat - away) % players for away in range(1, players + 1))
    return next(other for other in around if roles[other] is Role.MINER)


def choose_payments(pile: Sequence[int], saboteurs: int) -> tuple[Payment, ...]:
    """Return the cards that each saboteur is paid from a pile, one payment per saboteur (D5, D8).

    Nobody is paid more than is due. Among the ways to pay, the largest total wins; then the largest
    smallest payment, then the most one-nugget cards left in the pile, then the most two-nugget
    cards left.
    """
    return _choose_payments(tuple(sorted(pile)), saboteurs)


@lru_cache(maxsize=1 << 10)
def _choose_payments(pile: tuple[int, ...], saboteurs: int) -> tuple[Payment, ...]:
    """Choose from a sorted pile. This is cached, as sampling asks for the same piles often."""
    there = Counter(pile)
    best: tuple[Payment, ...] = ()
    best_rank: tuple[int, int, int, int] | None = None
    for paid in combinations_with_replacement(_list_payments(NUGGETS_DUE[saboteurs]), saboteurs):
        spent = Counter(nuggets for payment in paid for nuggets in payment)
        if spent <= there:
            sums = [sum(payment) for payment in paid]
            rank = sum(sums), min(sums), -spent[1], -spent[2]
            if best_rank is None or rank > best_rank:
                best, best_rank = paid, rank
    return best


def _list_payments(due: int) -> list[Payment]:
    """Return every set of gold cards worth at most `due` nuggets, fewest cards first."""
    return [
        payment
        for cards in range(due + 1)
        for payment in combinations_with_replacement((3, 2, 1), cards)
        if sum(payment) <= due
    ]


def _add_payments(
    held: tuple[tuple[int, ...], ...], more: dict[int, Payment]
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        [
            _sort_gold((*cards, *more[seat])) if seat in more else cards
            for seat, cards in enumerate(held)
        ]
    )


def _remove_gold(cards: tuple[int, ...], removed: Sequence[int]) -> tuple[int, ...]:
    """Return gold cards without those `removed`. Raises `ValueError` if one is missing."""
    left = list(cards)
    for nuggets in removed:
        left.remove(nuggets)
    return tuple(left)


def _sort_gold(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(cards, reverse=True))


Transition = tuple["Game", tuple[Event, ...]]
"""The game after a step, and the events of that step in order."""


class Game(NamedTuple):
    """A game from its first deal on: the public `score`, the present `round`, and the gold."""

    score: Score
    round: Round
    purse: Purse
    history: History = History()
    """The events since the present round was dealt, step by step."""
    ledger: tuple[GoldEvent, ...] = ()
    """The events about gold since the game began."""

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
        exist, and for a deal that is not made of the game's cards, and `TypeError` unless `edition`
        is an `Edition`.
        """
        players = len(deal.roles)
        check_rounds(rounds)
        if youngest is not None:
            check_seat(youngest, players)
        purse = Purse(ALL_GOLD, ((),) * players)
        table = Table.empty(edition, players, deal.starter if youngest is None else youngest)
        return deal_round(Score.empty(rounds, players), table, purse, (), deal)

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

        Raises `ValueError` for a seed of the wrong length, and for a number of players that S1 does
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
        """Begin the next round, dealt from a 32-byte seed or as this `Deal` says (N1, N2).

        Raises `ValueError` if the game does not wait for a deal, for a seed of the wrong length,
        and for a deal that is not made of the game's cards.
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
        table = Table.empty(table.edition, table.players, table.next_starter())
        return deal_round(self.score, table, self.purse, self.ledger, dealt)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all moves of the seat `to_act`; none if there is no such seat."""
        if self.score.chooser is not None:
            # Two cards with the same number of nuggets are one choice.
            return tuple(KeepGold(nuggets) for nuggets in dict.fromkeys(self.purse.offer))
        return self.round.legal_moves()

    def read(self, text: str) -> Move:
        """Read a legal move of the seat `to_act`, such as `NES@3n1`.

        Raises `NotationError` for text that is not a move, and `IllegalMove` for an illegal one.
        """
        move = parse_move(text)
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return move

    def why_not(self, move: Move) -> Reason | None:
        """Return the reason why a move is illegal for the seat `to_act`, `None` if it is legal.

        Raises `TypeError` unless it is a `Move`: text, for example, is not one.
        """
        check_move(move)
        reason = why_not_now(self.round.table, self.score, move)
        return reason or self.view(self.to_act, history=False).why_not(move)

    def apply(self, move: Move) -> Transition:
        """Return the game after the seat `to_act` has made a move, and the events.

        Raises `IllegalMove`, and `TypeError` unless it is a `Move`: text, for example, is not one.
        """
        check_move(move)
        score, now, purse, history, ledger = self
        # `_keep` refuses any move that cannot be made while gold is shared, or after the game.
        if score.chooser is not None or score.gold is not None or isinstance(move, KeepGold):
            return self._keep(move)
        played, events = now.apply(move)
        if played.table.end is None:
            # Not `Game(...)`, for the reason in `Table.after_turn`.
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
        """Let the choosing miner keep gold (D1 to D4). Raises `IllegalMove` for other moves."""
        reason = why_not_now(self.round.table, self.score, move)
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
        """Add the gold events to score and ledger, and end the game after its last gold (F1).

        `before` are the events of the move that led here.
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


def deal_round(
    score: Score, table: Table, gold: Purse, ledger: tuple[GoldEvent, ...], deal: Deal
) -> Transition:
    """Lay out a deal on an empty table, as the next round of a game (S2 to S8, N1).

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
