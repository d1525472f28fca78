"""PublicState of a round, Score, Phase, to_act.

All that lies face up, which everybody knows: of a round (`Table`) and of a game (`Score`).

Each is a fold of public events: `after` is the one place where they change, on the host as on
every client. Nothing here has ever held a secret.

Whose move it is, in a round as in the sharing of gold (RULES S8, D1).

Asked before anybody's cards are looked at, of what lies face up and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from engine.board import EMPTY, Board, Cell
from engine.cards import BREAK, Card, Role
from engine.edition import Edition, StarterRule
from engine.events import (
    Broke,
    ChoiceBegan,
    Collapsed,
    Drew,
    Event,
    GameEnded,
    GoldDrawn,
    GoldTaken,
    Laid,
    Looked,
    Passed,
    Public,
    Repaired,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
)
from engine.moves import KeepGold, Move
from engine.readonly import ReadOnly
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, NotOnOffer, Reason

GOLD_CARDS: Final = ReadOnly({1: 16, 2: 8, 3: 4})
"""How many gold cards there are of one, two and three nuggets (S5)."""


def changed(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """These counts with one of them changed by so much."""
    now = list(counts)
    now[at] += by
    return tuple(now)


def check_seat(seat: int, players: int) -> None:
    """Raise `ValueError` unless so many players have that seat."""
    if not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} among {players}")


class Table(NamedTuple):
    """The public half of a round (RULES K).

    By seat, `broken` is the set of broken tools, `hands` how many cards are held, `buried` how
    many were discarded face down and `looks` the goals looked at with a map. `pile` is how many
    cards may still be drawn, and `discards` are those discarded face up. `turn` is the seat to
    play, `None` before the deal and after the end.
    `starter` begins, or began, the round: `None` before a first deal that is to draw one (S8).
    `last_path` and `last_card` are the seats that last laid a path card, and last played or
    discarded a card of any kind (N2). `end` is what was turned up when the round ended.
    """

    edition: Edition
    board: Board
    broken: tuple[int, ...]
    hands: tuple[int, ...]
    pile: int
    turn: int | None
    discards: tuple[Card, ...]
    buried: tuple[int, ...]
    looks: tuple[frozenset[Cell], ...]
    starter: int | None
    last_path: int | None
    last_card: int | None
    end: RoundEnded | None

    @staticmethod
    def bare(edition: Edition, players: int, starter: int | None = None) -> Table:
        """The table before a round is dealt: no cards, and nobody's turn."""
        none = (0,) * players
        looks: tuple[frozenset[Cell], ...] = (frozenset(),) * players
        return Table(
            edition, EMPTY, none, none, 0, None, (), none, looks, starter, None, None, None
        )

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def unplayed(self) -> int:
        """How many cards are still to be played or discarded: each turn takes one (T1)."""
        return sum(self.hands) + self.pile

    def after(self, *events: Public) -> Table:
        """This table after these events."""
        (
            edition,
            board,
            broken,
            hands,
            pile,
            turn,
            discards,
            buried,
            looks,
            starter,
            last_path,
            last_card,
            end,
        ) = self
        held = list(hands)
        for event in events:
            # Bare class patterns: one that takes the attributes apart costs three times as much.
            match event:
                case Drew():
                    pile -= 1
                    held[event.seat] += 1
                case TurnBegan():
                    turn = event.seat
                case Laid():
                    board = board.with_card(event.cell, event.path)
                    held[event.seat] -= 1
                    last_path = last_card = event.seat
                case Passed():
                    buried = changed(buried, event.seat, 1)
                    held[event.seat] -= 1
                    last_card = event.seat
                case Broke():
                    broken = changed(broken, event.target, event.tool.bit)
                    held[event.seat] -= 1
                    last_card = event.seat
                case Looked():
                    looks = _with_look(looks, event.seat, event.cell)
                    discards = (*discards, Card.MAP)
                    held[event.seat] -= 1
                    last_card = event.seat
                case Repaired():
                    broken = changed(broken, event.target, -event.tool.bit)
                    discards = (*discards, event.card, BREAK[event.tool])
                    held[event.seat] -= 1
                    last_card = event.seat
                case Collapsed():
                    board = board.without_card(event.cell)
                    discards = (*discards, Card.ROCKFALL, event.path.card)
                    held[event.seat] -= 1
                    last_card = event.seat
                case Revealed():
                    board = board.with_card(event.cell, event.path)
                case RoundBegan():
                    held, pile, starter = list(event.hands), event.pile, event.starter
                    turn = last_path = last_card = end = None
                    _, board, broken, _, _, _, discards, buried, looks, *_ = Table.bare(
                        edition, len(held)
                    )
                case RoundEnded():
                    turn, end = None, event
                case Skipped() | GoldDrawn() | ChoiceBegan() | GoldTaken():
                    pass
                case SaboteursPaid() | GameEnded():
                    pass
                case _:
                    assert_never(event)
        return Table(
            edition,
            board,
            broken,
            tuple(held),
            pile,
            turn,
            discards,
            buried,
            looks,
            starter,
            last_path,
            last_card,
            end,
        )

    def next_starter(self) -> int:
        """Who begins the round after this one (N2).

        Raises `ValueError` for a table whose round was not dealt.
        """
        last = self.last_path if self.edition.next is StarterRule.PATH else self.last_card
        if last is None:
            last = self.starter
        if last is None:
            raise ValueError("no round was dealt at this table")
        return (last + 1) % self.players


def _with_look(
    looks: tuple[frozenset[Cell], ...], seat: int, cell: Cell
) -> tuple[frozenset[Cell], ...]:
    return (*looks[:seat], looks[seat] | {cell}, *looks[seat + 1 :])


class Phase(StrEnum):
    """What a game waits for."""

    DEAL = "deal"
    PLAY = "play"
    GOLD = "gold"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Score:
    """The public half of a game beyond its present round (RULES K).

    `number` is the present round's, 0 before the first deal, of `rounds`. `wins` are the sides
    that won so far. `cards` and `chits` are each seat's gold cards and chits (D7, D8), `pile`
    the gold cards nobody has. `offer` is how many `chooser` may choose from (D4). `gold` is each
    seat's cards in nuggets, once the game is over (F1).
    """

    rounds: int
    number: int
    wins: tuple[Role, ...]
    cards: tuple[int, ...]
    chits: tuple[int, ...]
    pile: int
    offer: int
    chooser: int | None
    gold: tuple[tuple[int, ...], ...] | None

    @staticmethod
    def bare(rounds: int, players: int) -> Score:
        """The score before the first round is dealt."""
        nothing = (0,) * players
        return Score(rounds, 0, (), nothing, nothing, sum(GOLD_CARDS.values()), 0, None, None)

    def after(self, event: Event) -> Score:
        """This score after an event."""
        match event:
            case RoundBegan(number):
                return replace(self, number=number)
            case RoundEnded(winner):
                return replace(self, wins=(*self.wins, winner))
            case GoldDrawn(cards):
                return replace(self, pile=self.pile - cards, offer=cards)
            case ChoiceBegan(seat):
                return replace(self, chooser=seat)
            case GoldTaken(seat):
                cards = changed(self.cards, seat, 1)
                return replace(self, cards=cards, offer=self.offer - 1, chooser=None)
            case SaboteursPaid(_, cards, chits):
                return replace(
                    self,
                    cards=_sum(self.cards, cards),
                    chits=_sum(self.chits, chits),
                    pile=self.pile - sum(cards),
                )
            case GameEnded(gold):
                return replace(self, gold=gold)
            case _:
                return self

    @property
    def nuggets(self) -> tuple[int, ...] | None:
        """What each seat has won, chits included; `None` until the game is over (F1)."""
        if self.gold is None:
            return None
        return _sum(tuple(sum(cards) for cards in self.gold), self.chits)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with the most nuggets; `None` until the game is over (F1)."""
        nuggets = self.nuggets
        if nuggets is None:
            return None
        return tuple(seat for seat, won in enumerate(nuggets) if won == max(nuggets))


def _sum(these: tuple[int, ...], those: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(this + that for this, that in zip(these, those, strict=True))


def phase(table: Table, score: Score) -> Phase:
    """What a game with this table and this score waits for."""
    if score.gold is not None:
        return Phase.OVER
    if score.chooser is not None:
        return Phase.GOLD
    return Phase.DEAL if table.turn is None else Phase.PLAY


def to_act(table: Table, score: Score) -> int | None:
    """The seat that is to play or to choose gold, `None` where nobody is."""
    return table.turn if score.chooser is None else score.chooser


def not_now(table: Table, score: Score, move: Move) -> Reason | None:
    """What forbids everybody a move of that kind now, `None` where nothing does."""
    if score.chooser is not None:
        return None if isinstance(move, KeepGold) else GoldBeingShared(score.chooser)
    if table.turn is None:
        return DealAwaited() if score.gold is None else GameOver()
    return NotOnOffer(move.nuggets) if isinstance(move, KeepGold) else None
