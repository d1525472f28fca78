"""Rows of text: cut and filled by terminal cells, compared column by column."""

from __future__ import annotations

from sabtui.tui.widgets.panel import (
    Look,
    Row,
    StyledSpan,
    cut,
    differences,
    fill_row,
    fit_text,
    merge_pieces,
    overlaid,
    plain,
)

ROW: Row = (StyledSpan("ab"), StyledSpan("金"), StyledSpan("cd", Look.DIM))


def test_text_is_cut_and_filled_by_cells() -> None:
    assert fit_text("金金", 3) == "金 "
    assert fit_text("a", -1) == ""
    assert cut("Bruno", 5) == "Bruno"
    assert cut("Bruno", 4) == "Bru."
    assert cut("金金", 3) == "金."
    assert cut("Bruno", 0) == ""


def test_a_row_takes_exactly_its_room() -> None:
    assert plain(fill_row(ROW, 8)) == "ab金cd  "
    assert plain(fill_row(ROW, 3)) == "ab "
    assert plain(fill_row(ROW, 4)) == "ab金"


def test_neighbours_that_look_alike_become_one() -> None:
    assert merge_pieces(
        (StyledSpan("a"), StyledSpan(""), StyledSpan("b"), StyledSpan("c", Look.DIM))
    ) == (StyledSpan("ab"), StyledSpan("c", Look.DIM))


def test_what_differs_is_told_by_columns() -> None:
    row: Row = (StyledSpan("abcd"), StyledSpan("ef", Look.DIM))
    assert differences(row, row) == []
    assert differences(row, (StyledSpan("abcd"), StyledSpan("eg", Look.DIM))) == [range(5, 6)]
    assert differences(row, (StyledSpan("axcdef"),)) == [range(1, 6)]
    assert differences(row, row[:1]) == [range(4, 6)]
    assert differences((), row) == [range(6)]


def test_a_row_with_a_wide_letter_differs_as_a_whole() -> None:
    assert differences(ROW, (*ROW[:2], StyledSpan("ce", Look.DIM))) == [range(6)]
    assert differences((StyledSpan("ab"),), ROW) == [range(6)]


def test_a_piece_laid_over_a_row_leaves_the_rest_in_its_columns() -> None:
    assert plain(overlaid(ROW, 0, StyledSpan("x"))) == "xb金cd"
    assert plain(overlaid(ROW, 1, StyledSpan("xx"))) == "axx cd", "a halved letter is a blank"
    assert plain(overlaid(ROW, 3, StyledSpan("x"))) == "ab xcd"
    assert plain(overlaid(ROW, 8, StyledSpan("x"))) == "ab金cd  x"
    assert overlaid(ROW, 2, StyledSpan("")) is ROW


def test_an_end_that_has_moved_is_different_although_its_text_is_the_same() -> None:
    name, end = StyledSpan("Borin", Look.STRONG), StyledSpan(" passed")
    more = (name, StyledSpan(" and "), StyledSpan("Dagna", Look.STRONG), end)
    assert differences((name, end), more) == [range(6, 22)]
    assert differences(more, (name, end)) == [range(6, 22)]


def test_half_of_a_wide_letter_beside_what_is_laid_over_it_becomes_a_blank() -> None:
    row: Row = (StyledSpan("金bc"),)
    assert plain(overlaid(row, 0, StyledSpan("x"))) == "x bc"
    assert plain(overlaid(row, 1, StyledSpan("x"))) == " xbc"
