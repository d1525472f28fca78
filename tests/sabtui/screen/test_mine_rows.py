"""Rows of text: cut and filled by terminal cells, compared column by column."""

from __future__ import annotations

from sabtui.screen.rows import (
    Look,
    Row,
    Span,
    cut,
    differ,
    filled,
    fitted,
    merged,
    overlaid,
    plain,
    ruled,
)

ROW: Row = (Span("ab"), Span("金"), Span("cd", Look.DIM))


def test_text_is_cut_and_filled_by_cells() -> None:
    assert fitted("金金", 3) == "金 "
    assert fitted("a", -1) == ""
    assert cut("Bruno", 5) == "Bruno"
    assert cut("Bruno", 4) == "Bru."
    assert cut("金金", 3) == "金."
    assert cut("Bruno", 0) == ""


def test_a_row_takes_exactly_its_room() -> None:
    assert plain(filled(ROW, 8)) == "ab金cd  "
    assert plain(filled(ROW, 3)) == "ab "
    assert plain(filled(ROW, 4)) == "ab金"


def test_neighbours_that_look_alike_become_one() -> None:
    assert merged((Span("a"), Span(""), Span("b"), Span("c", Look.DIM))) == (
        Span("ab"),
        Span("c", Look.DIM),
    )


def test_what_differs_is_told_by_columns() -> None:
    assert differ(ROW, ROW) is None
    assert differ(ROW, (*ROW[:2], Span("ce", Look.DIM))) == (4, 6)
    assert differ(ROW, (Span("ab"), Span("xy"), ROW[2])) == (2, 4)
    assert differ(ROW, ROW[:2]) == (4, 6)
    assert differ((), ROW) == (0, 6)


def test_a_rule_has_its_title_and_joints() -> None:
    assert plain(ruled("hand", 14, "-", 10, "+")) == "-- hand --+---"
    assert plain(ruled("", 6, "-")) == "------"
    assert plain(ruled("a long title", 12, "-")) == "-- a long. -"


def test_a_piece_laid_over_a_row_leaves_the_rest_in_its_columns() -> None:
    assert plain(overlaid(ROW, 0, Span("x"))) == "xb金cd"
    assert plain(overlaid(ROW, 1, Span("xx"))) == "axx cd", "a halved letter is a blank"
    assert plain(overlaid(ROW, 3, Span("x"))) == "ab xcd"
    assert plain(overlaid(ROW, 8, Span("x"))) == "ab金cd  x"
    assert overlaid(ROW, 2, Span("")) is ROW
