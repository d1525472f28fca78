"""Speed of the engine, relative to python-chess in the same run.

Both take turns in short slices, so that noise on the machine affects both. Printed are the median
of each figure over the slices, and the median of the slices' ratios.

- moves/s: uniform random play, `Game.legal_moves` and `Game.apply`, against `Board.legal_moves`
  and `Board.push`. The first deal of a round is not counted, nor is a chess board's set-up.
- lists/s: legal-move lists of positions met once each in random play, against
  `list(board.legal_moves)` of the same kind.
- play-outs/s: `sample_game`, then greedy play to the end of the round, from positions in the
  middle of greedy rounds, against chess plies.
- search's play-outs/s: play-outs that `search` makes, imagined rounds and all, from such positions
  in the last round of a game, against chess plies.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import median
from time import thread_time
from typing import Final, TypeVar

import chess

from engine import Game, Move, Phase, View, deal
from engine.bots import Playouts, greedy
from engine.bots.beliefs import infer_beliefs
from engine.bots.evidence import observe
from engine.bots.searching import search_moves
from engine.sampling import sample_game

SEED: Final = 7341
PLAYERS: Final = 5
SLICES: Final = 25
"""Number of slices measured for each figure."""
BUDGET: Final = Playouts(1)
"""A budget for the greedy bot, which ignores it."""

T = TypeVar("T")

Choose = Callable[[Game, Random], Move]
"""A function that chooses a move in a game."""


@dataclass
class Figure:
    """Rates of one kind of work per second of processor time, one rate for each slice."""

    name: str
    rates: list[float] = field(default_factory=list)

    def time(self, work: Callable[[], int]) -> None:
        """Run a slice of work, which returns the number of items it did."""
        # Collections would fall into slices at random.
        gc.collect()
        gc.disable()
        start = thread_time()
        done = work()
        self.rates.append(done / (thread_time() - start))
        gc.enable()

    def report(self, yardstick: Figure | None = None, wanted: str = "") -> None:
        """Print the median rate, and the median of its ratios to the yardstick's slices."""
        line = f"  {self.name:<34}{median(self.rates):>12,.0f} /s"
        if yardstick is not None:
            ratios = [mine / its for mine, its in zip(self.rates, yardstick.rates, strict=True)]
            line += f"   {median(ratios):8.3f} x {yardstick.name} {wanted}"
        print(line)


def main() -> None:
    """Measure, and print the figures."""
    rng = Random(SEED)
    plies, moves = Figure("chess plies"), Figure("moves of random play")
    chess_lists, lists = Figure("chess legal-move lists"), Figure("legal-move lists")
    playouts = Figure("imagine and greedy play-out")
    thinking, thought = Figure("play-outs of search"), last_rounds(rng, 4)
    games, views = Figure("whole random games"), Figure("views of all seats after each move")
    for _ in range(SLICES):
        plies.time(partial(random_chess, rng, 400))
        starts = [begin(rng) for _ in range(8)]
        moves.time(partial(total, starts, partial(play, choose=uniform_move, rng=rng)))
        boards = chess_positions(rng, 200)
        chess_lists.time(partial(each, boards, chess_list))
        positions = [game for start in starts for game in play_round(start, uniform_move, rng)][
            :400
        ]
        lists.time(partial(each, positions, Game.legal_moves))
        views.time(partial(total, starts[:2], partial(play_seen, rng=rng)))
        middles = [middle_of_a_greedy_round(rng) for _ in range(10)]
        playouts.time(partial(each, middles, partial(play_out, rng=rng)))
        thinking.time(partial(total, thought, partial(think, rng=rng)))
        games.time(partial(each, range(3), lambda _: whole_game(rng)))
    print(f"engine: Python {sys.version.split()[0]}, {PLAYERS} players, seed {SEED}")
    moves.report(plies, "(at least 2.8)")
    lists.report(chess_lists, "(at least 10)")
    playouts.report(plies, "(at least 1/50 = 0.020)")
    thinking.report(plies)
    games.report()
    views.report()
    plies.report()
    chess_lists.report()
    print(f"  {'memory of a state in a round':<34}{bytes_per_state(rng):>12,.0f} bytes")


def each(items: Collection[T], work: Callable[[T], object]) -> int:
    """Do the work on each item, and return their number."""
    for item in items:
        work(item)
    return len(items)


def total(items: Collection[T], work: Callable[[T], int]) -> int:
    """Do the work on each item, and return the sum of the results."""
    return sum(work(item) for item in items)


def chess_list(board: chess.Board) -> list[chess.Move]:
    """Return all legal moves of a chess position."""
    return list(board.legal_moves)


def play_out(view: View, rng: Random) -> int:
    """Sample a game from a view, play it greedily to the end of the round, and count the moves."""
    return play(sample_game(view, rng), greedy_move, rng)


def uniform_move(game: Game, rng: Random) -> Move:
    """Return a legal move, each equally likely."""
    return rng.choice(game.legal_moves())


def greedy_move(game: Game, rng: Random) -> Move:
    """Return the move of the greedy bot."""
    return greedy(game.view(game.to_act, history=False), rng, BUDGET)


def begin(rng: Random) -> Game:
    """Return a game whose first round has just been dealt."""
    return Game.begin(deal(rng.randbytes(32), 1, PLAYERS))[0]


def play(game: Game, choose: Choose, rng: Random) -> int:
    """Play to the end of the round, and return the number of moves."""
    moves = 0
    while game.round.table.end is None:
        game, _ = game.apply(choose(game, rng))
        moves += 1
    return moves


def play_seen(game: Game, rng: Random) -> int:
    """Play to the end of the round with a view of each seat at every step, and count the views."""
    views = 0
    while game.round.table.end is None:
        views += sum(game.view(seat).seat == seat for seat in range(PLAYERS))
        game, _ = game.apply(uniform_move(game, rng))
    return views


def play_round(game: Game, choose: Choose, rng: Random) -> list[Game]:
    """Play to the end of the round, and return every state on the way."""
    states = []
    while game.round.table.end is None:
        states.append(game)
        game, _ = game.apply(choose(game, rng))
    return states


def whole_game(rng: Random) -> Game:
    """Play a game of three rounds with random moves to the end, and return its last state."""
    seed = rng.randbytes(32)
    game, _ = Game.begin(deal(seed, 1, PLAYERS))
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            game, _ = game.deal(seed)
        else:
            game, _ = game.apply(uniform_move(game, rng))
    return game


def middle_of_a_greedy_round(rng: Random) -> View:
    """Return the view of the seat to act, half-way through a round between greedy bots."""
    states = play_round(begin(rng), greedy_move, rng)
    game = states[len(states) // 2]
    return game.view(game.to_act)


def last_rounds(rng: Random, count: int) -> list[View]:
    """Return views half-way through the last rounds of greedy games."""
    views: list[View] = []
    while len(views) < count:
        seed = rng.randbytes(32)
        game, _ = Game.begin(deal(seed, 1, PLAYERS))
        while game.phase is not Phase.OVER and game.score.number < game.score.rounds:
            if game.phase is Phase.DEAL:
                game, _ = game.deal(seed)
            else:
                game, _ = game.apply(greedy_move(game, rng))
        states = play_round(game, greedy_move, rng)
        middle = states[len(states) // 2]
        views.append(middle.view(middle.to_act))
    return views


def think(view: View, rng: Random) -> int:
    """Search for the best move of a view, and return the number of play-outs."""
    observed = observe(view)
    candidates = search_moves(observed, infer_beliefs(observed), rng, Playouts(60))
    return sum(len(candidate.ends) for candidate in candidates)


def random_chess(rng: Random, plies: int) -> int:
    """Play this many random plies, in chess games of at most 80, and return their number."""
    board = chess.Board()
    for ply in range(plies):
        moves = list(board.legal_moves)
        if not moves or ply % 80 == 0:
            board = chess.Board()
            moves = list(board.legal_moves)
        board.push(rng.choice(moves))
    return plies


def chess_positions(rng: Random, count: int) -> list[chess.Board]:
    """Return this many chess positions from random play."""
    board = chess.Board()
    boards: list[chess.Board] = []
    while len(boards) < count:
        moves = list(board.legal_moves)
        if not moves or len(boards) % 80 == 0:
            board = chess.Board()
            moves = list(board.legal_moves)
        boards.append(board.copy(stack=False))
        board.push(rng.choice(moves))
    return boards


def bytes_per_state(rng: Random) -> float:
    """Return the memory of each further state of a round, in bytes, if all are kept."""
    start = begin(rng)
    moves = len(play_round(start, uniform_move, rng))
    tracemalloc.start()
    states = play_round(start, uniform_move, rng)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / (len(states) or moves)
