"""Players as boards of two rows, drawn: where there is room, and told by shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Tool
from engine.view import View
from net.client.session import Status
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import FIRST_SIGN, Sent
from sabtui.tui.table.animation import Animation, flash
from sabtui.tui.table.layout import MIN_BOARDS_PANE_ROWS, Layout
from sabtui.tui.table.side import Side
from sabtui.tui.theme import DRAWN, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Paint, Row, plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

LARGE = (120, 40)
BRUNO = 1


def open_table(
    status: Status | None = None, glyphs: Glyphs = DRAWN, size: tuple[int, int] = LARGE
) -> PureTable:
    table = PureTable(status, size)
    table.open(glyphs)
    return table


def rows_of(table: PureTable) -> list[Row]:
    """Return the rows of the players, without the rule below them."""
    return Side(scenes.sight(table.status), table.model, MIN_BOARDS_PANE_ROWS).players[:-1]


def break_tools(tools: int) -> View:
    """Ana's view, with these tools of Bruno broken."""
    view = scenes.view()
    return view._replace(table=view.table._replace(broken=(0, tools, 0, 0, 0)))


@pytest.mark.parametrize(
    ("size", "players", "has_boards"),
    [
        ((80, 24), 3, False),
        ((100, 30), 5, False),
        ((120, 40), 5, True),
        ((120, 40), 6, False),
        ((200, 60), 6, True),
        ((200, 60), 7, False),
    ],
)
def test_there_are_boards_where_the_pane_keeps_its_room(
    size: tuple[int, int], players: int, *, has_boards: bool
) -> None:
    layout = Layout.of(*size, is_drawn=True)
    room = layout.seats(players, is_drawn=True)
    assert room.has_boards is has_boards
    assert not has_boards or room.pane >= MIN_BOARDS_PANE_ROWS
    assert not layout.seats(players).has_boards, "without drawn cards there are none"


@pytest.mark.parametrize("is_titled", [False, True])
def test_each_player_is_found_in_both_rows_of_their_board(*, is_titled: bool) -> None:
    room = Layout.of(*LARGE, is_drawn=True).seats(5, titled=is_titled, is_drawn=True)
    assert room.has_boards
    for seat in range(5):
        column, row = room.corner_of(seat)
        found = [room.at(column + 3, row + line) for line in range(room.each)]
        assert found == [seat] * room.each
    assert room.at(3, room.rows - 1) is None, "the rule is nobody"


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize("tool", Tool)
def test_a_broken_tool_has_another_shape(tool: Tool, blocks: BlockSet) -> None:
    glyphs = replace(DRAWN, blocks=blocks)
    whole, pieces = (
        [plain(row) for row in rows_of(open_table(scenes.now(break_tools(tools)), glyphs))]
        for tools in (0, tool.bit)
    )
    differing = [
        at for at, pair in enumerate(zip(whole, pieces, strict=True)) if pair[0] != pair[1]
    ]
    assert differing
    assert {at // 2 for at in differing} == {BRUNO}, "nobody else has lost a tool"


@pytest.mark.parametrize("what", ["cursor", "flash"])
def test_what_lies_over_a_board_leaves_its_pictures(what: str) -> None:
    """A terminal is sent a picture by the number that is the colour of its cells."""
    table = open_table(glyphs=PICTURED)
    resting = rows_of(table)
    selection = replace(table.model.selection, seat=BRUNO)
    table.model = (
        replace(table.model, selection=selection)
        if what == "cursor"
        else replace(table.model, animation=Animation((flash(BRUNO),)))
    )
    rows = rows_of(table)
    lower = 2 * BRUNO + 1
    assert {at for at, row in enumerate(rows) if row != resting[at]} == {lower - 1, lower}
    assert plain(rows[lower])[0] == (">" if what == "cursor" else " "), "no colour alone tells it"
    assert [plain(row)[1:] for row in rows] == [plain(row)[1:] for row in resting]
    looks = {span.look for row in rows for span in row if max(span.text, default="") >= FIRST_SIGN}
    sent = Sent()
    for look in looks:
        assert isinstance(look, Paint)
        assert sent.send(int(look.front[1:], 16), (8, 16))
