"""The mine as text, from position lines: open the drawings and look."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Cell
from engine.notation import parse_position
from engine.readonly import ReadOnly
from engine.view import View

WIDE, NARROW, TINY = (80, 24), (60, 14), (30, 10)
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


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_dead_ends_look_dead_and_what_is_cut_off_differs() -> None:
    assert text(mine_lines(VIEW, WIDE)) == LARGE


def test_where_large_tiles_do_not_fit_small_ones_say_the_same() -> None:
    assert text(mine_lines(VIEW, NARROW)) == SMALL
    assert text(mine_lines(VIEW, WIDE, large=False)) == SMALL


def test_the_usual_mine_fits_a_terminal_of_60_by_18_in_large_tiles() -> None:
    lines = mine_lines(VIEW, (60, 18))
    assert text(lines) == LARGE
    assert len(lines) < 18


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


def test_a_watcher_sees_only_what_lies_face_up() -> None:
    watched = parse_position(f"{MINE} 1 -,P,- 2,3,2 0 m??+?").view(None)
    assert [line[43:] for line in mine_lines(watched, WIDE) if "?" in line] == ["| ? |"] * 2


def test_the_drawing_is_ascii() -> None:
    assert "".join(mine_lines(VIEW, WIDE) + mine_lines(VIEW, TINY)).isascii()
