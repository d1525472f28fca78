"""The board as a value: reach, sites and openings (RULES P2, P3, P5, G1, G3); the mine as drawn.

That a board kept up to date is as one worked out from nothing is for test_against_oracle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

import pytest

from engine.board import EMPTY, GOAL_CELLS, START, Board, CardState, Cell
from engine.cards import CROSSROADS, PATHS, Goal, Path
from engine.notation import parse_position
from engine.picture import draw_card, draw_mine
from engine.readonly import ReadOnly
from engine.view import View
from tests.engine.cases import game_of, round_at


def board(tunnels: str, goals: str = "?/?/?") -> Board:
    """The board of a position."""
    return parse_position(f"{tunnels} {goals} 1 -,-,- 1,0,0 0 ???+?").table.board


@pytest.mark.rule("S6", "P3")
def test_an_empty_mine_is_open_around_its_start() -> None:
    assert EMPTY.cards == {START: CROSSROADS}
    assert EMPTY.reached == {START}
    assert [cell for cell, _ in EMPTY.openings] == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert EMPTY.tunnels() == ()
    assert EMPTY.opened_goals() == ()


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
    assert board("EW@1", "?/SW/?").tunnels() == ((1, 0),), "a goal is none"


@pytest.mark.rule("P5")
def test_a_tunnel_of_any_length_is_reached_to_its_end() -> None:
    """No deck has so many cards; the grid has no edge all the same."""
    way: dict[Cell, Path] = {(x, 0): Path.read("EW") for x in range(-40, 0)}
    way |= {(-40, -y): Path.read("NS") for y in range(1, 31)} | {(-40, 0): Path.read("NE")}
    mine = Board.of(way, GOAL_CELLS)
    assert mine.reached == {START, *way}
    assert mine.with_card((-40, -31), Path.read("NS")).reached == {START, *way, (-40, -31)}
    assert mine.without_card((-1, 0)).reached == {START}


# The mine as text.

WIDE, NARROW = (80, 24), (60, 14)
"""Columns and rows of terminals."""


def mine_lines(
    view: View,
    size: tuple[int, int],
    marks: Mapping[Cell, str] = ReadOnly({}),
    *,
    large: bool | None = None,
) -> list[str]:
    return view.draw(marks, columns=size[0], rows=size[1], large=large)


MINE = "EW@1/NEW@2/NESW@2n1/nesw@2n2/EW@3/ns@4s1/NES@5/nw@5s1/NS@6n1 SW/(NW)/(NESW)"
VIEW = parse_position(f"{MINE} 1 -,P,- EW/M,3,2 0 m??+?").view(0)

LARGE = """\
     0    1    2    3    4    5    6    7    8
               |
n2           - x -                         ..o
               |                             :
               |                   :
n1           --+--                 :
               |                   :
     |         |              :            .---.
0  --S---------+-------       +..          | o |
     |                        :            '---'
                         :    :
s1                       x  . x
                         :
                                           .---.
s2                                         | $ |
                                           '---'
"""

SMALL = """\
    0  1  2  3  4  5  6  7  8
n2       -X-               ~o
n1       -+-          :
0  -S-----'----    +~      [o]
s1              X ~^
s2                         [$]
"""


@pytest.mark.parametrize(
    ("size", "large", "drawn"),
    [(WIDE, None, LARGE), ((60, 18), None, LARGE), (NARROW, None, SMALL), (WIDE, False, SMALL)],
)
def test_dead_ends_look_dead_and_what_is_cut_off_differs_in_large_tiles_and_in_small(
    size: tuple[int, int], drawn: str, *, large: bool | None
) -> None:
    assert "\n".join([*mine_lines(VIEW, size, large=large), ""]) == drawn
    watched = parse_position(f"{MINE} 1 -,P,- 2,3,2 0 m??+?").view(None)
    assert "".join(mine_lines(watched, size, large=large)).count("?") == 2


def test_a_mine_too_wide_comes_in_strips() -> None:
    lines = mine_lines(VIEW, (20, 10))
    assert lines[0] == "    0  1  2  3  4"
    assert lines[6] == "    5  6  7  8"
    assert all(len(line) <= 20 for line in lines)


def test_places_of_a_chosen_card_have_their_numbers() -> None:
    lines = mine_lines(VIEW, NARROW, {(4, 0): "1/2", (7, 0): "13"})
    assert lines[3] == "0  -S-----'----1/2 +~   13 [o]"


def test_columns_and_rows_beyond_the_usual_ones_have_their_names() -> None:
    far = parse_position("EW@-1/NS@0n1/NS@0n2/NS@0n3 ?/?/? 1 -,-,- EW,3,2 0 m??+?").view(0)
    lines = mine_lines(far, NARROW)
    assert lines[0].split()[:2] == ["-1", "0"]
    assert [line.split()[0] for line in lines[1:]] == ["n3", "n2", "n1", "0", "s1", "s2"][:6]


# As a picture: well formed, with all that its seat knows, and nothing else.

SVG = "{http://www.w3.org/2000/svg}"
LINE = "EW@1/ew@2/NS@5s1 (NE)/(NESW)/(NW) 1 -,PL,- NS/NE/-P,NS/NS/R,-L/M NE mms+m"


def draw_picture(view: View) -> ET.Element:
    return ET.fromstring(view.picture())  # noqa: S314 - it is our own


def texts(picture: ET.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def test_a_card_has_an_arm_for_each_open_side_and_dead_ends_a_cross() -> None:
    for path in PATHS:
        for state in CardState:
            drawn = draw_card(path, state, 0, 0)
            assert len(re.findall(r"M\d+ \d+L", drawn)) == path.edges.bit_count()
            assert ('class="dead"' in drawn) == (not path.through)
            assert ("dasharray" in drawn) == (state is CardState.CUT_OFF)


def test_a_picture_is_well_formed_and_shows_each_card_once() -> None:
    picture = draw_picture(game_of(round_at(LINE)).view(0))
    cards = [group.get("class") for group in picture.iter(f"{SVG}g") if group.get("class")]
    assert cards == ["axes", "NESW reached", "EW reached", "ew dead", "NS cut off"]


def test_a_picture_tells_what_its_seat_knows_and_no_more() -> None:
    game = game_of(round_at(LINE))
    mine, everybodys = draw_picture(game.view(0)), draw_picture(game.view(None))
    assert any("miner" in text and "NS NE -P" in text for text in texts(mine))
    assert any("broken P L" in text for text in texts(mine))
    assert not any("miner" in text or "NS NE" in text for text in texts(everybodys))
    assert texts(mine).count("?") == texts(everybodys).count("?") == 3
    knowing = draw_picture(parse_position("EW@1 ?/(NE)/(NESW) 1 -,-,- NS,3,2 4 m??+?").view(0))
    assert texts(knowing).count("?") == 1
    titles = [element.text for element in knowing.iter(f"{SVG}title")]
    assert {"8n2", "8: stone", "8s2: treasure"} <= set(titles)


@pytest.mark.parametrize(("goals", "pale"), [("?/(NE)/(NESW)", 3), ("?/NE/(NESW)", 2)])
def test_in_a_picture_goals_are_pale_as_long_as_they_lie_face_down(goals: str, pale: int) -> None:
    picture = draw_picture(parse_position(f"EW@1 {goals} 1 -,-,- NS,3,2 4 m??+?").view(0))
    groups = [list(group.attrib) for group in picture.iter(f"{SVG}g")]
    assert groups.count(["opacity"]) == pale


def test_all_texts_are_escaped() -> None:
    board = round_at(LINE).table.board
    goals = (Goal.TREASURE, Goal.STONE_NE, None)
    text = draw_mine(board, goals, "<b>", ("A & B",))
    picture = ET.fromstring(text)  # noqa: S314 - it is our own
    assert {"<b>", "A & B"} <= set(texts(picture))
    titles = [element.text for element in picture.iter(f"{SVG}title")]
    assert titles == ["<b>", "8n2: treasure", "8: stone", "8s2"]


def test_a_picture_calls_players_by_their_names() -> None:
    view = game_of(round_at(LINE)).view(0)
    named = texts(ET.fromstring(view.picture(("Ann", "Bo & Co", "Cy"))))  # noqa: S314 - our own
    assert named[0] == str(view).splitlines()[0].replace("seat 1", "Ann")
    assert [name for name in ("Ann", "Bo & Co", "Cy") if any(name in text for text in named[1:])]
    assert not any("seat" in text for text in named)
    assert view._repr_svg_() == view.picture()
    with pytest.raises(ValueError, match="3 play, and there are 2 names"):
        view.picture(("Ann", "Bo"))
