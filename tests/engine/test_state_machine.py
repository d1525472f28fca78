"""What holds at every step of any game, played by Hypothesis.

Where a law breaks, Hypothesis prints the shortest game it could find that breaks it.
"""

from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.actions import Map, Rockfall
from engine.board import Board
from engine.cards import GOALS, PATHS, Path, Tool
from engine.dealing import deal
from engine.edition import (
    INTERNATIONAL,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    ShareRule,
    StarterRule,
)
from engine.events import Event, addressee, visible_to
from engine.game import Game
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import PLAYERS, Phase
from engine.view import View
from tests.oracle import mine
from tests.oracle.oracle_deck import (
    CARD_LYING,
    DECK,
    GOAL_CELLS,
    GOLD,
    OPEN,
    START,
    TEXT,
    TURNED,
    Cell,
)

pytestmark = pytest.mark.level("broad")

EDITIONS = st.tuples(
    *map(st.sampled_from, (Direction, ConnectRule, DeadTable, ShareRule, StarterRule))
).map(lambda rows: INTERNATIONAL.replace(*rows))
CHOICES = st.integers(0, 999)


class Games(RuleBasedStateMachine):
    """A game played anyhow, from any seed, under any rows, with all who watch it."""

    game: Game
    edition: Edition
    seed: bytes
    players: int

    @initialize(
        seed=st.binary(min_size=32, max_size=32),
        players=st.sampled_from(PLAYERS),
        edition=EDITIONS,
        rounds=st.integers(1, 3),
        youngest=st.none() | st.integers(0, 2),
    )
    def begin(
        self, seed: bytes, players: int, edition: Edition, rounds: int, youngest: int | None
    ) -> None:
        """A game begins, and everybody sits down to it."""
        self.seed, self.players, self.edition = seed, players, edition
        self.everybody = (*range(players), None)
        self.views = {seat: View.before(edition, players, rounds, seat) for seat in self.everybody}
        self.past: list[tuple[Game, str]] = []
        self.go_on(Game.begin(deal(seed, 1, players), edition, rounds, youngest))

    def go_on(self, step: tuple[Game, tuple[Event, ...]]) -> None:
        """Keep the new game, remember the old, and tell everybody what is for their ears."""
        self.game, events = step
        self.past = [*self.past[-3:], (self.game, repr(self.game))]
        for seat in self.everybody:
            for event in visible_to(events, seat):
                assert addressee(event) in (None, seat)
                self.views[seat] = self.views[seat].after(event)

    def make(self, kinds: type[Move] | tuple[type[Move], ...], choice: int) -> None:
        """Make one of the legal moves of some kinds, or, where there are none, of any."""
        moves = self.game.legal_moves()
        some = [move for move in moves if isinstance(move, kinds)] or moves
        self.go_on(self.game.apply(some[choice % len(some)]))

    def is_being_played(self) -> bool:
        """Whether somebody is to play."""
        return self.game.phase is Phase.PLAY

    @precondition(is_being_played)
    @rule(choice=CHOICES)
    def play(self, choice: int) -> None:
        """Somebody does anything."""
        self.make((), choice)

    @precondition(is_being_played)
    @rule(choice=st.integers(0, 3))
    def dig(self, choice: int) -> None:
        """Somebody lays a card as far east as may be, near the goals' rows."""
        lays = [m for m in self.game.legal_moves() if isinstance(m, Lay) and m.path.through]
        lays.sort(key=lambda lay: (abs(lay.cell[0] - 8), abs(lay.cell[1])))
        if lays:
            self.go_on(self.game.apply(lays[min(choice, len(lays) - 1)]))
        else:
            self.make(Discard, choice)

    @precondition(is_being_played)
    @rule(choice=CHOICES)
    def act(self, choice: int) -> None:
        """Somebody brings down a tunnel or looks at a goal."""
        self.make((Rockfall, Map), choice)

    @precondition(is_being_played)
    @rule(choice=CHOICES, laps=st.integers(1, 20))
    def rest(self, choice: int, laps: int) -> None:
        """Everybody passes for a while, so that rounds come to their end."""
        for _ in range(laps * self.players):
            if self.is_being_played():
                self.make(Discard, choice)

    @precondition(lambda self: self.game.phase is Phase.GOLD)
    @rule(choice=CHOICES)
    def keep(self, choice: int) -> None:
        """Miners choose their gold."""
        while self.game.phase is Phase.GOLD:
            self.make(KeepGold, choice)
            self.gold_is_conserved()

    @precondition(lambda self: self.game.phase is Phase.DEAL)
    @rule()
    def deal_again(self) -> None:
        """The next round is dealt."""
        following = deal(self.seed, self.game.score.number + 1, self.players, self.game.purse.pile)
        self.go_on(self.game.deal(following))

    @precondition(lambda self: self.game.phase is Phase.OVER)
    @rule(edition=EDITIONS)
    def begin_again(self, edition: Edition) -> None:
        """The same people play another game."""
        self.begin(self.seed[1:] + self.seed[:1], self.players, edition, 1, None)

    @invariant()
    def cards_are_conserved(self) -> None:
        """67 cards are somewhere, each once (S3, S4)."""
        played = self.game.round
        board = played.table.board
        assert (
            Counter(
                [
                    *(card.text for hand in played.hands for card in hand),
                    *(card.text for card in played.pile),
                    *(card.text for cards in played.buried for card in cards),
                    *(card.text for card in played.table.discards),
                    *(CARD_LYING[TEXT[board.cards[cell]]] for cell in tunnels_of(board)),
                    *(f"-{tool}" for bits in played.table.broken for tool in Tool.within(bits)),
                ]
            )
            == DECK
        )

    @invariant()
    def gold_is_conserved(self) -> None:
        """28 gold cards are somewhere, each once (S5)."""
        purse = self.game.purse
        held = [nuggets for cards in purse.held for nuggets in cards]
        assert Counter([*purse.pile, *purse.offer, *held]) == GOLD

    @invariant()
    def what_all_can_count_is_true(self) -> None:
        """The public half agrees with the secret one (RULES K)."""
        played, purse, score = self.game.round, self.game.purse, self.game.score
        table = played.table
        assert table.hands == tuple(map(len, played.hands))
        assert table.pile == len(played.pile)
        assert table.buried == tuple(map(len, played.buried))
        assert set(table.board.hidden) | set(table.board.cards) >= set(GOAL_CELLS)
        assert score.cards == tuple(map(len, purse.held))
        assert (score.pile, score.offer) == (len(purse.pile), len(purse.offer))
        assert (score.gold is not None) == (self.game.phase is Phase.OVER)
        assert (table.turn is not None) == (self.game.phase is Phase.PLAY)
        if table.end is None:
            assert table.turn is not None
        else:
            assert (table.end.roles, table.end.spare) == (played.roles, played.spare)
            assert table.end.goals == played.goals
            assert score.wins[-1] is table.end.winner

    @invariant()
    def the_mine_is_as_if_worked_out_from_nothing(self) -> None:
        """Reach and sites, kept up to date, are what a flood finds (P2, P3, P5)."""
        check_board(self.game.round.table.board)

    @invariant()
    def a_view_is_the_fold_of_what_its_seat_was_told(self) -> None:
        """Nobody knows more or less than they heard (RULES K)."""
        for seat in self.everybody:
            assert self.game.view(seat) == self.views[seat], f"seat {seat}"

    @invariant()
    def only_who_is_to_act_may_move(self) -> None:
        """Nobody else is offered a move, and who is to act always has one (S8, T5)."""
        for seat in self.everybody:
            acts = seat is not None and seat == self.game.to_act
            assert bool(self.views[seat].legal_moves()) == acts

    @invariant()
    def games_gone_by_are_as_they_were(self) -> None:
        """A step leaves the game it came from alone."""
        for game, text in self.past:
            assert repr(game) == text


def tunnels_of(board: Board) -> list[Cell]:
    """Where tunnel cards lie: neither the start nor a goal (A4)."""
    return [cell for cell in board.cards if cell != START and cell not in GOAL_CELLS]


def check_board(board: Board) -> None:
    """Compare a board that was kept up to date with one worked out from nothing, and a flood."""
    cards = {cell: TEXT[path] for cell, path in board.cards.items()}
    laid = {cell: path for cell, path in board.cards.items() if cell != START}
    anew = Board.of(laid, board.hidden)
    assert board == anew
    assert board.reached == anew.reached == mine.flood(cards)
    assert dict(board.sites) == dict(anew.sites)
    spots = mine.spots(cards, board.hidden)
    assert sorted(board.sites) == [cell for cell, _ in spots]
    linked = [
        cell
        for cell, neighbours in spots
        if any(
            there in board.reached and TURNED[side] in OPEN[cards[there]]
            for side, there in neighbours.items()
        )
    ]
    assert [cell for cell, _ in board.openings] == linked
    opened = {goal for goal in board.hidden if mine.openings(cards, board.reached, goal)}
    assert set(board.opened_goals()) == opened


class Mines(RuleBasedStateMachine):
    """A mine in which cards come and go far more freely than any game would let them."""

    CELLS: ClassVar[st.SearchStrategy[Cell]] = st.tuples(st.integers(-3, 4), st.integers(-3, 3))

    def __init__(self) -> None:
        super().__init__()
        self.board = Board.of({}, GOAL_CELLS)
        self.past: list[tuple[Board, str]] = []

    def go_on(self, board: Board) -> None:
        """Keep the new board, and remember the old."""
        self.past = [*self.past[-3:], (self.board, repr(self.board))]
        self.board = board

    @rule(path=st.sampled_from(PATHS), choice=CHOICES)
    def lay_where_it_fits(self, path: Path, choice: int) -> None:
        """A card is laid where P2 allows it, linked or not."""
        cards = {cell: way.text for cell, way in self.board.cards.items()}
        spots = [
            cell
            for cell, neighbours in mine.spots(cards, self.board.hidden)
            if mine.fits(cards, path.text, neighbours)
        ]
        if spots:
            self.go_on(self.board.with_card(spots[choice % len(spots)], path))

    @rule(choice=CHOICES)
    def rockfall(self, choice: int) -> None:
        """A tunnel comes down."""
        if tunnels := tunnels_of(self.board):
            self.go_on(self.board.without_card(tunnels[choice % len(tunnels)]))

    @precondition(lambda self: self.board.hidden)
    @rule(choice=CHOICES)
    def reveal(self, choice: int) -> None:
        """A goal is turned up, in either way, whatever lies beside it."""
        hidden = self.board.hidden
        ways = [way for goal in GOALS for way in goal.ways]
        self.go_on(self.board.with_card(hidden[choice % len(hidden)], ways[choice % len(ways)]))

    @invariant()
    def the_mine_is_as_if_worked_out_from_nothing(self) -> None:
        """Reach and sites, kept up to date, are what a flood finds (P2, P3, P5)."""
        check_board(self.board)

    @invariant()
    def mines_gone_by_are_as_they_were(self) -> None:
        """A step leaves the board it came from alone."""
        for board, text in self.past:
            assert repr(board) == text


TestGames = Games.TestCase
TestGames.settings = settings(
    max_examples=6, stateful_step_count=50, derandomize=True, deadline=None
)
TestMines = Mines.TestCase
TestMines.settings = settings(
    max_examples=15, stateful_step_count=50, derandomize=True, deadline=None
)


@pytest.mark.level("soak")
@pytest.mark.parametrize("machine", [Games, Mines])
def test_many_more_games_and_mines(machine: type[RuleBasedStateMachine]) -> None:
    many = settings(max_examples=500, stateful_step_count=50, deadline=None)
    run_state_machine_as_test(machine, settings=many)
