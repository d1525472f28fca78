"""The board of play-outs obeys the rules: move by move it is the board of `engine.board`."""

from random import Random

import pytest

from engine.actions import Rockfall
from engine.board import GOAL_CELLS
from engine.bots.fast_board import FastBoard, pack_cell, unpack_cell
from engine.cards import Path
from engine.dealing import deal
from engine.edition import EDITIONS, FRANCE
from engine.game import Game
from engine.moves import Lay, Move
from engine.round import Round
from tests.engine.bots.fast_boards import expect_same_board
from tests.engine.cases import play_of, round_at
from tests.engine.random_games import keen


def follow(fast_board: FastBoard, before: Round, move: Move) -> None:
    """Make a move on the board of play-outs."""
    match move:
        case Lay(path, cell):
            may_open = fast_board.lay(pack_cell(cell), path)
            assert fast_board.reveal(before.goals, pack_cell(cell)) == [] or may_open
        case Rockfall(cell):
            fast_board.remove(pack_cell(cell))
        case _:
            pass


@pytest.mark.level("broad")
@pytest.mark.parametrize("book", EDITIONS)
def test_move_by_move_it_is_the_board_of_the_rules(book: str, rng: Random) -> None:
    turned = collapsed = 0
    for players in (3, 6, 10) * 6:
        game, _ = Game.begin(deal(rng.randbytes(32), 1, players), EDITIONS[book], rounds=2)
        fast_board = FastBoard(game.round.table.board)
        while game.round.table.end is None:
            move = keen(game, rng)
            before = game.round
            game, _ = game.apply(move)
            follow(fast_board, before, move)
            expect_same_board(fast_board, game.round.table.board)
            collapsed += isinstance(move, Rockfall)
        turned += len(GOAL_CELLS) - len(fast_board.hidden)
    assert turned > 6
    assert collapsed > 6


def test_a_card_that_joins_a_far_tunnel_to_the_start_opens_the_goal_there() -> None:
    road = "EW@1/EW@2/NEW@4/NEW@5/NEW@6/NESW@7"
    now = round_at(f"{road} (NESW)/(NE)/(NW) 1 -,-,- EW,NS,NS M mms+m", FRANCE)
    move = play_of("EW@3")
    fast_board = FastBoard(now.table.board)
    follow(fast_board, now, move)
    expect_same_board(fast_board, now.apply(move)[0].table.board)
    assert len(fast_board.hidden) == 2


def test_a_stone_that_fits_two_tunnels_both_ways_lies_as_more_of_its_neighbours_agree() -> None:
    road = "EW@1/EW@2/NEW@4/NEW@5/NEW@6/NEW@7/ES@7n1/SW@8n1/n@8s1"
    now = round_at(f"{road} (NESW)/(NE)/(NW) 1 -,-,- EW,NS,NS M mms+m", FRANCE)
    move = play_of("EW@3")
    fast_board = FastBoard(now.table.board)
    follow(fast_board, now, move)
    expect_same_board(fast_board, now.apply(move)[0].table.board)
    assert fast_board.cards[pack_cell((8, 0))] is Path.read("SW")


def test_a_copy_is_changed_by_itself() -> None:
    board = round_at("EW@1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    fast_board = FastBoard(board)
    other = fast_board.copy()
    other.lay(pack_cell((2, 0)), Path.read("EW"))
    other.remove(pack_cell((1, 0)))
    expect_same_board(fast_board, board)
    expect_same_board(other, board.with_card((2, 0), Path.read("EW")).without_card((1, 0)))


@pytest.mark.parametrize("cell", [(0, 0), (8, -2), (-84, 84), (84, -84)])
def test_packed_cells_are_unpacked_and_sort_as_cells_do(cell: tuple[int, int]) -> None:
    x, y = cell
    assert unpack_cell(pack_cell(cell)) == cell
    cells = [(x, y - 1), cell, (x, y + 1), (x + 1, -127)]
    assert sorted(cells, key=pack_cell) == cells
