"""The board as a value: reach, sites and openings (RULES P2, P3, P5, G1, G3).

That a board kept up to date is as one worked out from nothing is for test_against_oracle.
"""

import pytest

from engine.board import EMPTY, GOAL_CELLS, LINKED, OPEN_SHIFT, START, Board, Cell, neighbours
from engine.cards import CROSSROADS, E, N, Path, S, W
from engine.notation import parse_position


def board(tunnels: str, goals: str = "?/?/?") -> Board:
    """The board of a position."""
    return parse_position(f"{tunnels} {goals} 1 -,-,- 1,0,0 0 ???+?").table.board


def site_demands(what: Board, cell: Cell) -> tuple[int, int, bool]:
    """What a site asks: sides with a neighbour, those that must be open, and whether linked."""
    site = what.sites[cell]
    return site & 15, site >> OPEN_SHIFT & 15, bool(site & LINKED)


@pytest.mark.rule("S6", "P3")
def test_an_empty_mine_is_open_around_its_start() -> None:
    assert EMPTY.cards == {START: CROSSROADS}
    assert EMPTY.reached == {START}
    assert [cell for cell, _ in EMPTY.openings] == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert site_demands(EMPTY, (1, 0)) == (W, W, True)
    assert site_demands(EMPTY, (0, -1)) == (S, S, True)
    assert EMPTY.tunnels() == ()
    assert EMPTY.opened_goals() == ()


@pytest.mark.rule("P2", "P3")
def test_a_site_asks_for_open_and_closed_sides() -> None:
    mine = board("NESW@0n1/EW@1")
    assert site_demands(mine, (1, -1)) == (S | W, W, True)
    assert site_demands(mine, (1, 1)) == (N, 0, False)
    assert site_demands(mine, (2, 0)) == (W, W, True)


@pytest.mark.rule("P5")
def test_a_card_laid_or_taken_leaves_the_old_board_alone() -> None:
    mine = board("EW@1")
    longer = mine.with_card((2, 0), Path.read("EW"))
    shorter = longer.without_card((1, 0))
    assert mine == board("EW@1")
    assert longer == board("EW@1/EW@2")
    assert shorter == board("EW@2")
    assert shorter.reached == {START}
    assert shorter.tunnels() == ((2, 0),)


@pytest.mark.rule("A4")
def test_tunnels_go_from_west_to_east_then_north_to_south_however_they_were_laid() -> None:
    mine = EMPTY
    for cell in ((0, 1), (1, 0), (-1, 0), (0, -1)):
        mine = mine.with_card(cell, CROSSROADS)
    assert mine.tunnels() == ((-1, 0), (0, -1), (0, 1), (1, 0))


@pytest.mark.rule("P5")
def test_a_tunnel_of_any_length_is_reached_to_its_end() -> None:
    """No deck has so many cards; the grid has no edge all the same."""
    way: dict[Cell, Path] = {(x, 0): Path.read("EW") for x in range(-40, 0)}
    way |= {(-40, -y): Path.read("NS") for y in range(1, 31)} | {(-40, 0): Path.read("NE")}
    mine = Board.of(way, GOAL_CELLS)
    assert mine.reached == {START, *way}
    assert site_demands(mine, (-40, -31)) == (S, S, True)
    assert mine.with_card((-40, -31), Path.read("NS")).reached == {START, *way, (-40, -31)}
    assert mine.without_card((-1, 0)).reached == {START}


@pytest.mark.rule("G1", "P5")
def test_goals_are_opened_by_reached_through_cards_alone() -> None:
    onto = Path.read("NESW")
    mine = board("EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6")
    assert mine.with_card((7, 0), onto).opened_goals() == ((8, 0),)
    assert mine.with_card((7, 0), Path.read("nesw")).opened_goals() == ()
    assert mine.with_card((7, 0), Path.read("NW")).opened_goals() == ()
    assert EMPTY.with_card((7, 0), onto).opened_goals() == ()
    assert list(mine.with_card((7, 0), onto).tunnels_onto((8, 0))) == [W]
    assert list(mine.tunnels_onto((8, 0))) == []


@pytest.mark.rule("G3")
def test_a_card_opens_onto_a_goal_beside_it_or_not() -> None:
    mine = board("NS@8n1/EW@7/ns@8s1")
    assert mine.opens_onto((8, -1), (8, 0)) == N
    assert mine.opens_onto((8, 1), (8, 0)) == S
    assert mine.opens_onto((7, 0), (8, 0)) == W
    assert mine.opens_onto((7, 0), (8, -2)) == 0
    assert mine.opens_onto(START, (8, 0)) == 0
    assert mine.agreeing((8, 0), Path.read("NW")) == 2
    assert mine.agreeing((8, 0), Path.read("ES")) == 1
    assert mine.agreeing((8, 0), CROSSROADS) == 3


@pytest.mark.rule("G1", "G3")
def test_a_revealed_goal_is_a_through_card_like_any_other() -> None:
    mine = board("EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6/NEW@7", "?/SW/?")
    assert mine.hidden == ((8, -2), (8, 2))
    assert (8, 0) in mine.reached
    assert site_demands(mine, (8, 1)) == (N, N, True)
    assert site_demands(mine, (9, 0)) == (W, 0, False)
    assert (8, 0) not in mine.tunnels()


def test_each_neighbour_is_told_with_both_sides_between() -> None:
    assert neighbours((3, -2)) == (
        (N, S, (3, -3)),
        (E, W, (4, -2)),
        (S, N, (3, -1)),
        (W, E, (2, -2)),
    )
