"""Comparison of the board of play-outs with the board of the rules."""

from collections.abc import Mapping

from engine.board import SITE_STATES, Board, Cell
from engine.bots.fast_board import FastBoard, unpack_cell
from engine.cards import Path


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
