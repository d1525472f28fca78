"""Players as boards: tools told by shape, gold as a pile, and no more than there is to tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Tool
from engine.view import View
from net.client.session import Status
from sabtui.tui.table.side import Side
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.panel import Row, plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.samples import each_in_turn

ANA, BRUNO, CHIARA = range(3)


def boards(
    status: Status | None = None, size: tuple[int, int] = (80, 24), glyphs: Glyphs = BOX
) -> list[Row]:
    """Return the rows of the players, without the rule below them."""
    table = PureTable(status, size)
    table.open(glyphs)
    return Side(scenes.sight(table.status), table.model, 10).players[:-1]


def row_texts(*rows: Row) -> list[str]:
    return [plain(row).rstrip() for row in rows]


def break_tools(*tools: int) -> View:
    """Ana's view, with these tools of each player broken."""
    view = scenes.view()
    return view._replace(table=view.table._replace(broken=tools))


@pytest.mark.parametrize("glyphs", [BOX, ASCII], ids=lambda glyphs: str(glyphs.name))
def test_a_tool_is_told_in_words_once_it_is_broken_and_not_before(glyphs: Glyphs) -> None:
    def tell_row(*tools: Tool) -> str:
        broken = sum(tool.bit for tool in tools)
        return row_texts(*boards(scenes.now(break_tools(0, broken, 0, 0, 0)), glyphs=glyphs))[1]

    assert "no" not in tell_row().split()
    assert " no pick " in tell_row(Tool.PICK)
    assert " no pick, cart " in tell_row(Tool.PICK, Tool.CART)


def test_where_words_on_tools_would_leave_no_name_there_are_their_first_letters() -> None:
    both = Tool.PICK.bit | Tool.LANTERN.bit
    view = break_tools(0, both, both, 0, 0)
    assert row_texts(*boards(scenes.now(view)))[1].endswith(" no pick, lantern ≡1")
    last = view._replace(table=view.table._replace(pile=0))
    assert row_texts(*boards(scenes.now(last)))[1].endswith(" pl 5 cards ≡1")
    assert row_texts(*boards())[CHIARA].endswith(" no tools")


def test_gold_of_others_is_a_pile_with_a_count_and_ones_own_is_in_nuggets() -> None:
    assert [line.split()[-1] for line in row_texts(*boards())] == ["$2", "≡1", "tools", "≡2", "≡1"]
    assert row_texts(*boards(glyphs=ASCII))[1].endswith("=1")
    owed = scenes.view()
    owed = owed._replace(score=replace(owed.score, chits=(0, 1, 0, 0, 0)))
    assert row_texts(*boards(scenes.now(owed)))[1].endswith("≡1+1")


def test_cards_held_are_shown_where_there_is_room_or_nothing_is_left_to_draw() -> None:
    assert not any("cards" in line for line in row_texts(*boards()))
    assert all("cards" in line for line in row_texts(*boards(size=(120, 24))))
    view = scenes.view()
    last = view._replace(table=view.table._replace(pile=0))
    lines = row_texts(*boards(scenes.now(last)))
    held = [next(count for count in range(9) if f" {count} cards" in line) for line in lines]
    assert held == [6, 5, 6, 6, 4]


@pytest.mark.parametrize(
    ("size", "glyphs"), each_in_turn([(60, 18), (80, 24), (120, 40), (200, 60)], [BOX, ASCII])
)
def test_every_board_has_its_width_with_any_number_of_players(
    size: tuple[int, int], glyphs: Glyphs
) -> None:
    for status in (
        None,
        scenes.crowd_now(),
        scenes.hostile(),
        scenes.round_over(),
        scenes.crowd_finished(),
    ):
        table = PureTable(status, size)
        for row in boards(status, size, glyphs):
            assert width(row) == table.model.layout.text
