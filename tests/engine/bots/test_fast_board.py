"""The board of play-outs is that of the rules, move by move, and knows where each card leads."""

from collections.abc import Mapping
from random import Random

import pytest

from engine.actions import Rockfall
from engine.board import EMPTY, GOAL_CELLS, LINKED, OPEN_SHIFT, SITE_STATES, Board, Cell
from engine.bots import fast_board as sites
from engine.bots.fast_board import (
    NO_FIT_RANK,
    RANK_SCALE,
    SITE_DISTANCES,
    UNREACHABLE_CARDS,
    FastBoard,
    SiteDistances,
    pack_cell,
    unpack_cell,
)
from engine.cards import Card, E, Path
from engine.dealing import deal
from engine.edition import EDITIONS, FRANCE
from engine.game import Game
from engine.moves import Lay, Move
from engine.round import Round
from tests.engine.bots.positions import view_at
from tests.engine.cases import play_of, round_at
from tests.engine.random_games import keen


def cards_of(fast_board: FastBoard) -> Mapping[Cell, Path]:
    """The face-up cards on a board of play-outs."""
    return {unpack_cell(cell): path for cell, path in fast_board.cards.items()}


def expect_same_board(fast_board: FastBoard, board: Board) -> None:
    """See that the two boards are the same in each part."""
    assert cards_of(fast_board) == board.cards
    assert tuple(map(unpack_cell, fast_board.hidden)) == board.hidden
    assert {unpack_cell(cell) for cell in fast_board.reached} == board.reached
    assert {unpack_cell(at): asked for at, asked in fast_board.sites.items()} == board.sites
    openings = [divmod(site, SITE_STATES) for site in sorted(fast_board.openings.values())]
    assert tuple((unpack_cell(at), asked) for at, asked in openings) == board.openings
    assert fast_board.openings.keys() == {at for at, _ in openings}


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


ROAD = "EW@1/EW@2/NEW@4/NEW@5/NEW@6"


@pytest.mark.parametrize(
    "tunnels",
    ["NESW@7", "NEW@7/ES@7n1/SW@8n1/n@8s1"],
    ids=["opens the goal there", "a stone lies as more of its neighbours agree"],
)
def test_a_card_that_joins_a_far_tunnel_to_the_start(tunnels: str) -> None:
    line = f"{ROAD}/{tunnels} (NESW)/(NE)/(NW) 1 -,-,- EW,NS,NS M mms+m"
    now, move = round_at(line, FRANCE), play_of("EW@3")
    fast_board = FastBoard(now.table.board)
    follow(fast_board, now, move)
    expect_same_board(fast_board, now.apply(move)[0].table.board)
    assert len(fast_board.hidden) == 2
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


# Where a card leads, worked out once for each site.

MIDDLE = SITE_DISTANCES[2]


def test_the_tunnel_is_as_far_away_as_its_nearest_opening() -> None:
    assert SITE_DISTANCES[7].ahead(EMPTY) == 7
    assert SITE_DISTANCES[1].ahead(EMPTY) == 9
    assert SITE_DISTANCES[0].ahead(EMPTY) == UNREACHABLE_CARDS
    board = round_at("EW@1/EW@2 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    assert MIDDLE.ahead(board) == 5


def test_a_card_is_ranked_by_where_it_leads_and_then_by_what_it_opens() -> None:
    site = next(site for site in EMPTY.openings if site[0] == (1, 0))
    ranks = MIDDLE.ranks[site]
    assert ranks[-1] == 7
    assert ranks[Card.EW.index] // RANK_SCALE == ranks[Card.NESW.index] // RANK_SCALE == 6
    assert ranks[Card.NESW.index] < ranks[Card.NEW.index] < ranks[Card.EW.index]
    assert ranks[Card.NS.index] == NO_FIT_RANK
    assert ranks[Card.DEAD_EW.index] // RANK_SCALE == UNREACHABLE_CARDS
    assert sites.path_of_rank(ranks[Card.NEW.index]) is Path.read("NEW")


def test_a_side_that_a_neighbour_has_shut_leads_nowhere() -> None:
    board = round_at("EW@1/nw@2n1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    site = (2, 0), board.sites[2, 0]
    assert MIDDLE.distance_after(Path.read("ESW"), site) == 5
    assert MIDDLE.distance_after(Path.read("SW"), site) == 7
    assert MIDDLE.distance_after(Path.read("esw"), site) == UNREACHABLE_CARDS


def test_a_card_fits_however_far_the_gold_is_and_leads_no_nearer_where_it_leads_nowhere() -> None:
    far = (-30, 0), E | E << OPEN_SHIFT | LINKED
    assert MIDDLE.ranks[far][-1] == UNREACHABLE_CARDS
    assert MIDDLE.ranks[far][Card.EW.index] < NO_FIT_RANK == MIDDLE.ranks[far][Card.NS.index]
    assert MIDDLE.distance_after(Path.read("e"), far) >= MIDDLE.distance[far[0]]


def test_goals_are_a_set() -> None:
    assert sites.targets_of(((8, -2), (8, 2))) == 5
    assert SITE_DISTANCES[5].distance[8, 1] == 1
    assert SITE_DISTANCES[2].distance[8, 0] == 0


def test_the_gold_may_be_where_nobody_has_looked_or_where_it_was_seen() -> None:
    def may_be(goals: str) -> list[tuple[int, int]]:
        line = f"- {goals} 1 -,-,- NE,1,1 9 m??+?"
        return list(sites.where_gold_may_be(view_at(line)))

    assert may_be("?/?/?") == [(8, -2), (8, 0), (8, 2)]
    assert may_be("?/(NE)/?") == [(8, -2), (8, 2)]
    assert may_be("?/(NESW)/?") == [(8, 0)]
    assert may_be("(NW)/(NE)/?") == [(8, 2)]
    assert may_be("(NW)/(NE)/(NESW)") == [(8, 2)]


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_MAX_REMEMBERED", 2)
    few = SiteDistances(7)
    for site in EMPTY.openings:
        assert few.ranks[site] == SITE_DISTANCES[7].ranks[site]
        assert len(few.ranks) <= 2
    assert [few.distance[x, 0] for x in range(7)] == [8 - x for x in range(7)]
    assert len(few.distance) <= 2
