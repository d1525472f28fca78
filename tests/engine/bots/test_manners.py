"""Bots make no move that a person at the table would shake their head at."""

from random import Random

import pytest

from engine.actions import Break, Broke, Looked, Map, Repair, Rockfall
from engine.bots import BOTS, Playouts
from engine.bots.actions import observe
from engine.bots.beliefs import public_beliefs
from engine.bots.hints import hints
from engine.cards import Tool
from engine.events import Event, Passed
from engine.moves import Discard, Lay, Move
from engine.notation import format_move, parse_position
from engine.view import View
from tests.engine.cases import ROAD

LEVELS = ("greedy", "wary", "search")


def view_at(line: str, *history: Event) -> View:
    return parse_position(line).view(0)._replace(history=history)


def moves_of(name: str, view: View) -> list[Move]:
    """The moves that a bot makes here, with six different chances."""
    return [BOTS[name](view, Random(number), Playouts(60)) for number in range(6)]


KNOWN_GOLD = f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/+P/+L/+C,5,5 20 s??+?"
ANY_GOLD = f"{ROAD} ?/?/? 1 -,-,-,-,- NESW,5,5,5,5 40 s????+?"
KNOWN_STONE = f"{ROAD} (NESW)/(NE)/? 1 -,P,P NESW,1,1 9 s??+?"


def turns_up_a_goal(view: View, move: Move) -> bool:
    """Tell whether a move opens the tunnel onto a goal."""
    return isinstance(move, Lay) and bool(
        view.table.board.with_card(move.cell, move.path).opened_goals()
    )


@pytest.mark.level("broad")
@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("line", [KNOWN_GOLD, ANY_GOLD])
def test_a_saboteur_never_turns_up_a_goal_that_may_well_be_the_gold(name: str, line: str) -> None:
    view = view_at(line)
    assert any(turns_up_a_goal(view, move) for move in view.legal_moves()), "it could"
    assert not any(turns_up_a_goal(view, move) for move in moves_of(name, view))


def test_a_hint_never_tells_a_saboteur_to_turn_up_the_gold() -> None:
    for line in (KNOWN_GOLD, ANY_GOLD):
        view = view_at(line)
        for budget in (Playouts(0), Playouts(120)):
            offered = [one.move for one in hints(view, Random(1), budget)]
            assert offered
            assert not any(turns_up_a_goal(view, move) for move in offered)


def test_a_saboteur_may_turn_up_a_stone() -> None:
    view = view_at(KNOWN_STONE)
    assert any(turns_up_a_goal(view, one.move) for one in hints(view, Random(1), Playouts(0)))


@pytest.mark.parametrize("name", LEVELS)
def test_no_rockfall_is_spent_on_a_dead_end_far_behind_the_tunnels_end(name: str) -> None:
    far = f"{ROAD}/w@-1 ?/?/? 1 -,-,- R/-P,1,1 9 m??+?"
    assert not any(isinstance(move, Rockfall) for move in moves_of(name, view_at(far)))
    near = "EW@1/EW@2/w@3 ?/?/? 1 -,-,- R/-P,1,1 9 m??+?"
    assert all(isinstance(move, Rockfall) for move in moves_of(name, view_at(near)))


@pytest.mark.parametrize("name", LEVELS)
def test_miners_lay_no_dead_end_within_three_cards_of_the_way(name: str) -> None:
    view = view_at("EW@1 ?/?/? 1 -,-,- n/e,1,1 9 m??+?")
    assert all(isinstance(move, Discard) for move in moves_of(name, view))


@pytest.mark.parametrize("name", LEVELS)
def test_miners_who_know_the_gold_lay_no_dead_end_where_others_may_dig_for_it(name: str) -> None:
    tunnel = "EW@1/NEW@2/NS@2n1/ES@2n2/EW@3n2/EW@4n2/NEW@5n2/ew@-1"
    view = view_at(f"{tunnel} (NESW)/?/? 1 -,-,-,-,- e/-P,5,5,5,5 20 m????+?")
    lays = [move for move in moves_of(name, view) if isinstance(move, Lay)]
    assert not lays, [*map(format_move, lays)]


def test_who_has_to_wait_is_not_suspected_for_it() -> None:
    broke = Broke(1, Tool.PICK, 2)
    table = parse_position("- ?/?/? 1 -,-,P,-,- NE,6,6,6,6 40 m????+?")
    doubts = [
        public_beliefs(observe(table.view(None)._replace(history=(broke, *waits)))).saboteur[2]
        for waits in ((), (Passed(2),) * 5)
    ]
    assert doubts[0] == pytest.approx(doubts[1])


def test_a_miner_repairs_another_rather_than_throw_the_repair_away() -> None:
    view = view_at("EW@1 ?/?/? 1 -,P,-,-,- +P/n/-L/R,6,6,6,6 30 m????+?")
    assert all(isinstance(move, Repair) for move in moves_of("wary", view))


def test_a_saboteur_known_to_all_breaks_tools_instead_of_sitting_on_them() -> None:
    loud = (Broke(0, Tool.CART, 1), Broke(0, Tool.CART, 2), Broke(0, Tool.LANTERN, 3))
    view = view_at("EW@1 ?/?/? 1 P,C,C,L,- NEW/-L/NES,4,4,4,4 30 s????+?", *loud)
    assert public_beliefs(observe(view)).saboteur[0] > 0.75
    assert all(isinstance(move, Break) for move in moves_of("wary", view))


@pytest.mark.parametrize("name", LEVELS)
def test_a_map_is_not_spent_on_a_goal_that_its_player_has_looked_at(name: str) -> None:
    seen = view_at("EW@1 ?/(NE)/? 1 P,-,- M/NE/NS,1,1 9 s??+?")
    seen = seen._replace(table=seen.table.after(Looked(0, (8, 0))))
    again = [move for move in moves_of(name, seen) if isinstance(move, Map)]
    assert not any(move.cell == (8, 0) for move in again), [*map(format_move, again)]


def test_a_saboteur_lays_a_crossroads_rather_than_throw_it_away() -> None:
    view = view_at("- ?/?/? 1 -,-,-,-,-,-,-,- NESW/EW/EW/R,4,4,4,4,4,4,4 35 s???????+?")
    assert not any(isinstance(move, Discard) for move in moves_of("wary", view))


@pytest.mark.parametrize("name", LEVELS)
def test_miners_lay_no_tunnel_west_of_the_start_while_another_way_is_nearer(name: str) -> None:
    view = view_at("SW@1 ?/?/? 1 -,-,-,-,-,- EW/nw/-P/M,5,5,5,5,5 37 m?????+?")
    west = [move for move in moves_of(name, view) if isinstance(move, Lay) and move.cell[0] < 0]
    assert not west, [*map(format_move, west)]


@pytest.mark.parametrize("name", LEVELS)
def test_a_saboteur_repairs_nobody_whom_it_knows_for_a_miner(name: str) -> None:
    view = view_at("EW@1 ?/?/? 1 L,P,C,- +P/+C,1,1,1 0 s???+?")
    assert all(isinstance(move, Discard) for move in moves_of(name, view))


@pytest.mark.parametrize("name", ["wary", "search"])
def test_miners_dig_on_rather_than_break_a_suspects_third_tool(name: str) -> None:
    loud = (Broke(2, Tool.PICK, 0), Broke(2, Tool.CART, 1), Broke(2, Tool.PICK, 3))
    view = view_at("EW@1 ?/?/? 1 -,-,PC,-,- -L/NS/NW,6,6,6,6 30 m????+?", *loud)
    assert public_beliefs(observe(view)).saboteur[2] > 0.75
    assert all(isinstance(move, Lay) for move in moves_of(name, view))
