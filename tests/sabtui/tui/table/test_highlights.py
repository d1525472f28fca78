"""What stands out in the mine: places of the chosen card, and what a lay would join and open."""

from __future__ import annotations

from dataclasses import replace

from engine.board import GOAL_CELLS
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table.selection import Selection, highlights
from tests.sabtui.tui import scenes

VIEW = scenes.view()


def test_places_of_a_card_are_marked_whichever_way_up_it_lies_there() -> None:
    for turned in (False, True):
        selection = replace(Selection().choosing(1, VIEW), turned=turned)
        shown = highlights(VIEW, selection)
        choice = selection.choice(VIEW)
        assert choice is not None
        fits = {cell for cell, mark in shown.marks.items() if mark is CellMark.FITS}
        assert fits == {target.place for target in choice.targets}
        assert len(fits) == 4


def test_a_lay_lights_what_it_joins_and_the_stretch_that_it_connects() -> None:
    shown = highlights(VIEW, Selection().choosing(1, VIEW))
    joined = {cell for cell, mark in shown.marks.items() if mark is CellMark.JOINED}
    assert joined == {(3, 0), (4, -1), (4, 1), (3, -1)}
    opened = {
        cell: shown.labels[cell] for cell, mark in shown.marks.items() if mark is CellMark.OPENED
    }
    assert opened == {(3, -2): "^"}, "at the far end of the stretch"


def test_a_goal_that_a_lay_would_reach_is_lit() -> None:
    view = scenes.view("EW@1/EW@2/NESW@3/NESW@4/NESW@5/NESW@6 ?/?/?", "EW/NES/ew/-L/+PC/R")
    shown = highlights(view, Selection().choosing(0, view))
    assert shown.cursor == (7, 0)
    assert (shown.marks[GOAL_CELLS[1]], shown.labels[GOAL_CELLS[1]]) == (CellMark.OPENED, ">")


def test_where_a_card_does_not_fit_nothing_is_lit_but_places() -> None:
    shown = highlights(VIEW, replace(Selection().choosing(1, VIEW), cell=(0, 0)))
    assert shown.ghost is not None
    assert not shown.ghost[1]
    assert not {CellMark.JOINED, CellMark.OPENED} & {*shown.marks.values()}


def test_without_a_card_or_with_one_to_discard_only_the_cursor_stands_out() -> None:
    for selection in (Selection(), replace(Selection().choosing(1, VIEW), discarding=True)):
        shown = highlights(VIEW, selection)
        assert not shown.marks
        assert shown.ghost is None
        assert shown.cursor is not None
        assert shown.new == (4, -1)
