"""The public state of a round (`Table`) and a game (`Score`), and whose move it is (RULES S8, D1).

Neither holds a secret. Both change only by public events, in their methods `after`, on the host and
on every client alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from engine.board import EMPTY, NO_PEEKS, Board, Cell, in_columns
from engine.cards import BREAK, Card, Goal, Role, Tool
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


# In the checks below, `True` and `1.0` are not numbers: they would be spelt differently from 1.


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
    """The public half of a round (RULES K)."""

    edition: Edition
    board: Board
    broken: tuple[int, ...]
    """The set of broken tools of each seat."""
    hands: tuple[int, ...]
    """The number of cards that each seat holds."""
    pile: int
    """The number of cards in the draw pile."""
    turn: int | None
    """The seat to play; `None` before the deal and after the end."""
    discards: tuple[Card, ...]
    """The cards discarded face up."""
    buried: tuple[int, ...]
    """The number of cards that each seat discarded face down."""
    looks: tuple[frozenset[Cell], ...]
    """The goals that each seat looked at with a map."""
    starter: int | None
    """The seat that begins the round; `None` if the first deal is still to draw one (S8)."""
    last_path: int | None
    """The seat that last laid a path card (N2)."""
    last_card: int | None
    """The seat that last played or discarded a card of any kind (N2)."""
    end: RoundEnded | None
    """The event that ended the round, `None` until then."""

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        turn = "nobody" if self.turn is None else f"seat {format_seat(self.turn)}"
        return f"<Table of {self.players} players, {turn} to play, {self.pile} cards in the pile>"

    @staticmethod
    def empty(edition: Edition, players: int, starter: int | None = None) -> Table:
        """Return the table before a round is dealt: no cards, and no seat's turn.

        Raises `TypeError` unless `edition` is an `Edition`, and `ValueError` for a number of
        players that S1 does not allow and for a seat that does not exist.
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

    def face_up(self) -> tuple[Card, ...]:
        """Return all cards of the deck that lie face up: tunnels, broken tools and discards."""
        tunnels = (self.board.cards[cell].card for cell in self.board.tunnels())
        broken = (BREAK[tool] for tools in self.broken for tool in Tool.within(tools))
        return (*self.discards, *tunnels, *broken)

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
        """Return a line for the pile and one for each seat, with these roles and hands.

        All is ASCII but the `names`; without them seats are called by their numbers.
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
                cleared = Table.empty(table.edition, len(event.hands), event.starter)
                table = cleared._replace(hands=event.hands, pile=event.pile)
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
        """Return this table after a card was played or discarded.

        `hands`, `pile` and `turn` become the new ones. A caller may pass the values at the end of
        the turn, after the draw: then a whole turn is one change, and takes a third of the time.
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
        # Not `Table(...)`, as that takes three times as long with that many arguments.
        return tuple.__new__(Table, now)

    def next_starter(self) -> int:
        """Return who begins the next round (N2). Raises `ValueError` before the first deal."""
        last = self.last_path if self.edition.next is StarterRule.PATH else self.last_card
        # No such card was played in the whole round (N2).
        if last is None:
            last = self.starter
        if last is None:
            raise ValueError("no round was dealt at this table")
        # Left is clockwise, even where the turns go the other way (N2).
        return (last + 1) % self.players


class Phase(StrEnum):
    """The step that a game waits for."""

    DEAL = "deal"
    PLAY = "play"
    GOLD = "gold"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Score:
    """The public half of a game beyond its present round (RULES K)."""

    rounds: int
    """The number of rounds to be played."""
    number: int
    """The number of the present round, from 1; 0 before the first deal."""
    wins: tuple[Role, ...]
    """The side that won each round so far."""
    cards: tuple[int, ...]
    """The number of gold cards of each seat (D7)."""
    chits: tuple[int, ...]
    """The number of chits of each seat (D8)."""
    pile: int
    """The number of gold cards that nobody has."""
    offer: int
    """The number of gold cards that may be chosen from (D4)."""
    chooser: int | None
    """The seat that is to choose a gold card, if any."""
    gold: tuple[tuple[int, ...], ...] | None
    """The gold cards of each seat, in nuggets, once the game is over (F1); `None` before."""

    def __str__(self) -> str:
        text = f"round {self.number} of {self.rounds}, gold cards {' '.join(map(str, self.cards))}"
        if self.winners is None:
            return text
        seats = " ".join(map(format_seat, self.winners))
        return f"{text}, nuggets {' '.join(map(str, self.nuggets or ()))}, won by seat {seats}"

    @staticmethod
    def empty(rounds: int, players: int) -> Score:
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


def why_not_now(table: Table, score: Score, move: Move) -> Reason | None:
    """Return the reason why no seat can make a move of that kind now, or `None`."""
    if score.chooser is not None:
        return None if isinstance(move, KeepGold) else GoldBeingShared(score.chooser)
    if table.turn is None:
        return DealAwaited() if score.gold is None else GameOver()
    return NotOnOffer(move.nuggets) if isinstance(move, KeepGold) else None
