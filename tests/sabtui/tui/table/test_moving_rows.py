"""Rows of players that flash or that gold falls along, where letters are wide or have marks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from net.protocol.lobby import BotChair
from sabtui.tui.table.animation import GOLD_FRAMES, Animation, Frame, SeatFrame, flash
from sabtui.tui.table.side import Side
from sabtui.tui.widgets.panel import Ground, Row, plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

MARKED, WIDE = "e\u0301\u0301" * 10, "\u77ff" * 12
NAMES = ("Ana", MARKED, WIDE, "\u0e17\u0e35\u0e48" * 5, "\U0001f600" * 6, WIDE[:5], MARKED[:9])
SIZES = [(60, 18), (80, 24), (200, 60)]


def table_of_ten(size: tuple[int, int]) -> PureTable:
    """A table of ten, of whom most have such names."""
    status = scenes.crowd_now()
    held = status.game_state
    assert held is not None
    ten = (*NAMES, "Hulda", "Ivald", "Norri")
    chairs = tuple(BotChair(name, "easy") for name in ten)
    lobby = structs.replace(held.lobby, chairs=(held.lobby.chairs[0], *chairs[1:]))
    return PureTable(replace(status, game_state=replace(held, lobby=lobby)), size)


def rows_at(at: PureTable, frame: Frame | None = None) -> list[Row]:
    """The rows of the players, at rest or in a frame."""
    animation = None if frame is None else Animation(((frame,),))
    model = replace(at.model, animation=animation)
    return Side.above(at.said, scenes.sight(at.status), model).players


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seat", range(10))
def test_a_row_that_flashes_says_what_it_said(size: tuple[int, int], seat: int) -> None:
    at = table_of_ten(size)
    resting, flashing = rows_at(at), rows_at(at, flash(seat)[0])
    assert [plain(row) for row in flashing] == [plain(row) for row in resting]
    (moving,) = (row for row, was in zip(flashing, resting, strict=True) if row != was)
    lit = "".join(span.text for span in moving if span.ground is Ground.TURN)
    assert str(seat + 1) in lit


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("gold", range(GOLD_FRAMES))
def test_gold_falls_on_blanks_alone(size: tuple[int, int], gold: int) -> None:
    at = table_of_ten(size)
    resting = rows_at(at)
    for seat in range(10):
        falling = rows_at(at, Frame(seats={seat: SeatFrame(gold=gold + 1)}))
        assert [*map(width, falling)] == [*map(width, resting)]
        for row, was in zip(falling, resting, strict=True):
            if row != was:
                assert plain(row).replace("$", "").replace(" ", "") == plain(was).replace(" ", "")
