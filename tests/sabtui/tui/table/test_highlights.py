"""What stands out in the mine: places with their numbers, and what a lay would join and open."""

from __future__ import annotations

from dataclasses import replace

from engine.board import GOAL_CELLS
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table.hand import title
from sabtui.tui.table.highlights import highlights
from sabtui.tui.table.selection import Selection
from tests.sabtui.tui import scenes

VIEW = scenes.view()


def test_places_carry_the_digits_that_lead_to_them() -> None:
    shown = highlights(VIEW, Selection().choosing(1, VIEW))
    assert shown.labels[4, 0] == "1"
    assert {shown.labels[cell]: shown.marks[cell] for cell in ((0, -2), (0, 1))} == {
        "2": CellMark.BOTH,
        "3": CellMark.BOTH,
    }


def test_beyond_the_tenth_place_a_mark_has_no_number() -> None:
    shown = highlights(VIEW, Selection().choosing(5, VIEW))
    here = [cell for cell, mark in shown.marks.items() if mark is CellMark.HERE]
    assert len(here) == 12
    assert sorted(shown.labels.values()) == list("0123456789")


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


def test_a_dead_end_opens_nothing() -> None:
    selection = Selection().choosing(2, VIEW)
    shown = highlights(VIEW, selection)
    assert shown.ghost is not None
    assert shown.ghost[1]
    assert CellMark.OPENED not in shown.marks.values()


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


def test_an_r_at_a_place_is_explained_in_the_title_of_the_hand() -> None:
    away = replace(Selection().choosing(1, VIEW), cell=(-5, 5))
    assert highlights(VIEW, away).marks[4, 0] is CellMark.TURNED
    assert title(VIEW, away, 76).endswith("places; 1r: turned, 2/r: either way")
    turned = title(VIEW, replace(away, turned=True), 56)
    assert turned == "NSW: 4 places; 4r: turned, 2/r: either way"


def test_the_sign_under_the_cursor_is_not_explained_as_the_card_hides_it() -> None:
    selection = Selection().choosing(1, VIEW)
    assert selection.place == (4, 0)
    assert title(VIEW, selection, 76).endswith("places; 2/r: either way")


def test_a_card_that_cannot_be_turned_or_is_discarded_has_nothing_to_explain() -> None:
    for selection in (
        Selection().choosing(2, VIEW),
        Selection().choosing(3, VIEW),
        replace(Selection().choosing(1, VIEW), discarding=True),
    ):
        assert ";" not in title(VIEW, selection, 76)
