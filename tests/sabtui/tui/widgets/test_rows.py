"""Rows of text: cut and filled by terminal cells, compared column by column."""

from __future__ import annotations

from sabtui.tui.widgets.rows import (
    Look,
    Row,
    StyledSpan,
    cut,
    differ,
    filled,
    fitted,
    merged,
    overlaid,
    plain,
    ruled,
)

ROW: Row = (StyledSpan("ab"), StyledSpan("金"), StyledSpan("cd", Look.DIM))


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
    assert merged(
        (StyledSpan("a"), StyledSpan(""), StyledSpan("b"), StyledSpan("c", Look.DIM))
    ) == (
        StyledSpan("ab"),
        StyledSpan("c", Look.DIM),
    )


def test_what_differs_is_told_by_columns() -> None:
    assert differ(ROW, ROW) is None
    assert differ(ROW, (*ROW[:2], StyledSpan("ce", Look.DIM))) == (4, 6)
    assert differ(ROW, (StyledSpan("ab"), StyledSpan("xy"), ROW[2])) == (2, 4)
    assert differ(ROW, ROW[:2]) == (4, 6)
    assert differ((), ROW) == (0, 6)


def test_a_rule_has_its_title_and_joints() -> None:
    assert plain(ruled("hand", 14, "-", 10, "+")) == "-- hand --+---"
    assert plain(ruled("", 6, "-")) == "------"
    assert plain(ruled("a long title", 12, "-")) == "-- a long. -"


def test_a_piece_laid_over_a_row_leaves_the_rest_in_its_columns() -> None:
    assert plain(overlaid(ROW, 0, StyledSpan("x"))) == "xb金cd"
    assert plain(overlaid(ROW, 1, StyledSpan("xx"))) == "axx cd", "a halved letter is a blank"
    assert plain(overlaid(ROW, 3, StyledSpan("x"))) == "ab xcd"
    assert plain(overlaid(ROW, 8, StyledSpan("x"))) == "ab金cd  x"
    assert overlaid(ROW, 2, StyledSpan("")) is ROW


def test_an_end_that_has_moved_is_different_although_its_text_is_the_same() -> None:
    name, end = StyledSpan("Borin", Look.STRONG), StyledSpan(" passed")
    more = (name, StyledSpan(" and "), StyledSpan("Dagna", Look.STRONG), end)
    assert differ((name, end), more) == (5, 22)
    assert differ(more, (name, end)) == (5, 22)
