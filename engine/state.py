"""The public state of a round (`Table`) and a game (`Score`), and whose move it is (RULES S8, D1).

Each is a fold of public events: `after` is the only place where they change, on the host as on
every client. Neither holds a secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from engine.board import EMPTY, NO_PEEKS, Board, Cell, in_columns
from engine.cards import Card, Goal, Role, Tool
from engine.edition import Edition, StarterRule, check_edition
from engine.events import (
    ChoiceBegan,
    Drew,
    Event,
    GameEnded,
    GoldDrawn,
    GoldTaken,
    Laid,
    Passed,
    PlayedTurn,
    Public,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
)
from engine.moves import DealAwaited, GameOver, GoldBeingShared, KeepGold, Move, NotOnOffer, Reason
from engine.readonly import ReadOnly, with_added
from engine.tokens import format_seat

GOLD_CARDS: Final = ReadOnly({1: 16, 2: 8, 3: 4})
"""Number of gold cards of one, two and three nuggets (S5)."""

MAX_PLAYERS: Final = 10  # the most players allowed (S1)
PLAYERS: Final = range(3, MAX_PLAYERS + 1)  # the numbers of players allowed (S1)
ROUNDS: Final = 3  # the number of rounds of a game, unless the table says otherwise (S1)


# In the checks below, `True` and `1.0` are no numbers: they would be spelt otherwise than 1.


def check_players(players: int) -> None:
    """Raise `ValueError` for a number of players that S1 does not allow."""
    if type(players) is not int or players not in PLAYERS:
        raise ValueError(f"3 to 10 play, not {players}")


def check_rounds(rounds: int) -> None:
    """Raise `ValueError` unless a game may have that many rounds (S1)."""
    if type(rounds) is not int or rounds not in range(1, ROUNDS + 1):
        raise ValueError(f"a game has one to three rounds, not {rounds}")


def check_seat(seat: int, players: int) -> None:
    """Raise `ValueError` unless the seat is one of that many players."""
    if type(seat) is not int:
        raise ValueError(f"there is no seat {seat!r}: a seat is an int, from 0")
    if seat not in range(players):
        raise ValueError(f"there is no seat {format_seat(seat)} among {players}")


class Table(NamedTuple):
    """The public half of a round (RULES K).

    By seat, `broken` is the set of broken tools, `hands` the number of cards held, `buried` the
    number discarded face down and `looks` the goals looked at with a map. `pile` is the number of
    cards in the draw pile, and `discards` are the cards discarded face up. `turn` is the seat to
    play, `None` before the deal and after the end.
    `starter` begins, or began, the round: `None` before a first deal that is to draw one (S8).
    `last_path` and `last_card` are the seats that last laid a path card, and last played or
    discarded a card of any kind (N2). `end` is the event that ended the round, `None` until then.
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

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        turn = "nobody" if self.turn is None else f"seat {format_seat(self.turn)}"
        return f"<Table of {self.players} players, {turn} to play, {self.pile} cards in the pile>"

    @staticmethod
    def bare(edition: Edition, players: int, starter: int | None = None) -> Table:
        """Return the table before a round is dealt: no cards, and no seat's turn.

        Raises `TypeError` for what is no edition, and `ValueError` for a number of players that S1
        does not allow and for a seat that does not exist.
        """
        check_edition(edition)
        check_players(players)
        if starter is not None:
            check_seat(starter, players)
        none = (0,) * players
        looks: tuple[frozenset[Cell], ...] = (frozenset(),) * players
        return Table(
            edition, EMPTY, none, none, 0, None, (), none, looks, starter, None, None, None
        )

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def unplayed(self) -> int:
        """The number of cards still to be played or discarded: each turn takes one (T1)."""
        return sum(self.hands) + self.pile

    def text(
        self,
        goals: Sequence[Goal | None] = NO_PEEKS,
        roles: Mapping[int, Role] = ReadOnly({}),
        hands: Mapping[int, tuple[Card, ...]] = ReadOnly({}),
    ) -> str:
        """Return the mine and the seats in ASCII, with what is known of goals, roles and hands."""
        if self.end is not None:
            goals = self.end.goals
        rows = self.seat_rows(roles, hands)
        return "\n".join((*self.board.draw(goals, large=False), *rows))

    def seat_rows(
        self,
        roles: Mapping[int, Role],
        hands: Mapping[int, tuple[Card, ...]],
        names: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """Return the pile and the seats, with what is known of roles and hands, in ASCII but names.

        Seats are called by their numbers where there are no `names`.
        """
        if self.end is not None:
            roles = dict(enumerate(self.end.roles))
        rows = [
            (
                ">" if seat == self.turn else "",
                name_seat(seat, names),
                roles[seat].name.lower() if seat in roles else "",
                " ".join(map(str, hands[seat])) if seat in hands else f"{held} cards",
                " ".join(("broken", *Tool.within(bits))) if (bits := self.broken[seat]) else "",
            )
            for seat, held in enumerate(self.hands)
        ]
        return f"pile {self.pile}", *in_columns(rows)

    def after(self, *events: Public) -> Table:
        """Return this table after these events."""
        table = self
        for event in events:
            # Not `match`: its class patterns take twice as long.
            if isinstance(event, PlayedTurn):
                hands = with_added(table.hands, event.seat, -1)
                table = table.after_turn(event, hands, table.pile, table.turn)
            elif isinstance(event, Drew):
                hands = with_added(table.hands, event.seat, 1)
                table = table._replace(hands=hands, pile=table.pile - 1)
            elif isinstance(event, TurnBegan):
                table = table._replace(turn=event.seat)
            elif isinstance(event, Revealed):
                table = table._replace(board=table.board.with_card(event.cell, event.path))
            elif isinstance(event, RoundBegan):
                bare = Table.bare(table.edition, len(event.hands), event.starter)
                table = bare._replace(hands=event.hands, pile=event.pile)
            elif isinstance(event, RoundEnded):
                table = table._replace(turn=None, end=event)
            elif not isinstance(
                event, Skipped | GoldDrawn | ChoiceBegan | GoldTaken | SaboteursPaid | GameEnded
            ):
                assert_never(event)
        return table

    def after_turn(
        self, played: PlayedTurn, hands: tuple[int, ...], pile: int, turn: int | None
    ) -> Table:
        """Return this table after a card was played or discarded, written once.

        `hands`, `pile` and `turn` are as they are then, or later: after the seat has drawn and the
        next one's turn has begun, if nothing else happened. So a whole turn takes as long as an
        event.
        """
        edition, board, broken, _, _, _, discards, buried, looks, starter, path, _, end = self
        seat = played.seat
        if isinstance(played, Passed):
            buried = with_added(buried, seat, 1)
        elif isinstance(played, Laid):
            board = board.with_card(played.cell, played.path)
            path = seat
        else:
            parts = played.change((board, broken, looks, discards))
            board, broken, looks, discards = parts
        now = (
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
            path,
            seat,
            end,
        )
        # Not `Table(...)`, as that takes thrice as long with so many arguments.
        return tuple.__new__(Table, now)

    def next_starter(self) -> int:
        """Return the seat that begins the next round (N2).

        Raises `ValueError` for a table at which no round was dealt.
        """
        last = self.last_path if self.edition.next is StarterRule.PATH else self.last_card
        if last is None:
            last = self.starter
        if last is None:
            raise ValueError("no round was dealt at this table")
        return (last + 1) % self.players


class Phase(StrEnum):
    """The step that a game waits for."""

    DEAL = "deal"
    PLAY = "play"
    GOLD = "gold"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Score:
    """The public half of a game beyond its present round (RULES K).

    `number` is the number of the present round, from 1 to `rounds`, or 0 before the first deal.
    `wins` are the winning sides of the rounds so far. `cards` and `chits` are the numbers of gold
    cards and chits by seat (D7, D8), `pile` the number of gold cards that nobody has. `offer` is
    the number of cards that `chooser` may choose from (D4). `gold` is each seat's cards in
    nuggets, once the game is over (F1), and `None` before.
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

    def __str__(self) -> str:
        text = f"round {self.number} of {self.rounds}, gold cards {' '.join(map(str, self.cards))}"
        if self.winners is None:
            return text
        seats = " ".join(map(format_seat, self.winners))
        return f"{text}, nuggets {' '.join(map(str, self.nuggets or ()))}, won by seat {seats}"

    @staticmethod
    def bare(rounds: int, players: int) -> Score:
        """Return the score before the first round is dealt."""
        nothing = (0,) * players
        return Score(rounds, 0, (), nothing, nothing, sum(GOLD_CARDS.values()), 0, None, None)

    def after(self, event: Event) -> Score:
        """Return this score after an event, which need not concern the score."""
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
                cards = with_added(self.cards, seat, 1)
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
        """The nuggets of each seat, chits included; `None` until the game is over (F1)."""
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
    """Return the step that a game with this table and this score waits for."""
    if score.gold is not None:
        return Phase.OVER
    if score.chooser is not None:
        return Phase.GOLD
    return Phase.DEAL if table.turn is None else Phase.PLAY


def to_act(table: Table, score: Score) -> int | None:
    """Return the seat that is to play or to choose gold, or `None` if there is none."""
    return table.turn if score.chooser is None else score.chooser


def name_seat(seat: int, names: Sequence[str] = ()) -> str:
    """Return the name of a seat, or its number where there are no `names`."""
    return names[seat] if names else f"seat {format_seat(seat)}"


def describe_awaited(table: Table, score: Score, names: Sequence[str] = ()) -> str:
    """Return the step that a game waits for, in English for developers."""
    seat = to_act(table, score)
    if seat is None:
        return "over" if score.gold is not None else "a deal awaited"
    return f"{name_seat(seat, names)} to {'play' if score.chooser is None else 'choose gold'}"


def not_now(table: Table, score: Score, move: Move) -> Reason | None:
    """Return the reason why no seat can make a move of that kind now, or `None`."""
    if score.chooser is not None:
        return None if isinstance(move, KeepGold) else GoldBeingShared(score.chooser)
    if table.turn is None:
        return DealAwaited() if score.gold is None else GameOver()
    return NotOnOffer(move.nuggets) if isinstance(move, KeepGold) else None
