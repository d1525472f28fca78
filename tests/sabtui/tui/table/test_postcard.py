"""The picture of a finished game for friends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.board import GOAL_CELLS, Board, Cell
from engine.cards import Path
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, Tint
from sabtui.art.pixels import Canvas
from sabtui.art.store import Size
from sabtui.table.sight import Sight
from sabtui.tui.table import moments
from sabtui.tui.table.moments import CARD, draw_postcard
from sabtui.tui.theme import spell_dots
from tests.sabtui.tui import scenes

DAY = "2026-11-23"


class Painted(Canvas):
    """A canvas that tells what is painted on it."""

    pasted: list[tuple[str, tuple[int, int], tuple[int, int], Tint]]
    written: list[tuple[str, ...]]
    inks: set[Colour]

    def paste(
        self, drawing: Drawing, left: int, top: int, size: tuple[int, int], tint: Tint = Tint.PLAIN
    ) -> None:
        """Note a picture."""
        assert 0 <= left <= self.size[0] - size[0]
        assert 0 <= top <= self.size[1] - size[1]
        self.pasted.append((drawing.name, (left, top), size, tint))

    def write(self, dots: Sequence[str], place: Size, side: int, colour: Colour) -> None:
        """Note a text."""
        assert 0 <= place[0] <= self.size[0] - side * len(dots[0])
        self.written.append(tuple(dots))
        self.inks.add(colour)


@pytest.fixture
def painted_cards(monkeypatch: pytest.MonkeyPatch) -> type[Painted]:
    """What is painted on each card."""
    Painted.pasted, Painted.written, Painted.inks = [], [], set()
    monkeypatch.setattr(moments, "Canvas", Painted)
    return Painted


def finished_sight(board: Board | None = None) -> Sight:
    sight = scenes.sight(scenes.finished_status())
    if board is None:
        return sight
    return replace(sight, view=sight.view._replace(table=sight.view.table._replace(board=board)))


def test_it_shows_the_mine_and_everybody_with_their_gold(painted_cards: type[Painted]) -> None:
    sight = finished_sight()
    assert draw_postcard(sight, DAY).startswith(b"\x89PNG")
    cards = [name for name, _place, size, _tint in painted_cards.pasted if size == CARD]
    board = sight.view.table.board
    assert len(cards) == len(board.cards) + len(board.hidden)
    assert sum(name.startswith("dwarf-") for name, *_rest in painted_cards.pasted) == 5
    for text in ("gold rush", DAY, "ana", "bruno", "chiara", "dede", "norri", "5", "3", "1"):
        assert tuple(spell_dots(text)) in painted_cards.written
    assert len(painted_cards.inks) == 2
    saboteurs = "saboteurs   1: chiara, norri   2: dede, norri   3: bruno"
    assert tuple(spell_dots(saboteurs)) in painted_cards.written


def dig(*cells: Cell) -> Board:
    """A mine of straight tunnels from the start to the goal in the middle, which lies open."""
    tunnels = dict.fromkeys(cells, Path.read("EW")) | {GOAL_CELLS[1]: Path.read("NESW")}
    return Board.of(tunnels, (GOAL_CELLS[0], GOAL_CELLS[2]))


@pytest.mark.parametrize(("last", "shining"), [(7, 9), (6, 0)])
def test_the_way_to_the_gold_shines_once_it_is_dug(
    painted_cards: type[Painted], last: int, shining: int
) -> None:
    board = dig(*((x, 0) for x in range(1, last + 1)), (1, 4))
    draw_postcard(finished_sight(board), DAY)
    lit = [place for _name, place, _size, tint in painted_cards.pasted if tint is Tint.NEW]
    assert len({top for _left, top in lit}) <= 1
    assert len(lit) == shining


def test_names_that_cannot_be_drawn_are_numbers_and_ten_players_have_room(
    painted_cards: type[Painted],
) -> None:
    draw_postcard(replace(finished_sight(), names=scenes.sight(scenes.hostile()).names), DAY)
    assert tuple(spell_dots("1")) in painted_cards.written
    Painted.written.clear()
    draw_postcard(scenes.sight(scenes.crowd_finished()), DAY)
    assert all(tuple(spell_dots(name.lower())) in painted_cards.written for name in scenes.CROWD)
