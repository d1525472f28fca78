"""Dwarves in the lobby: who has one, and where there are none."""

from __future__ import annotations

import pytest

from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BotChair, Free, Lobby, Settings
from sabtui.art.catalogue import find_dwarf
from sabtui.text.colours import table_colours
from sabtui.tui.lobby.rows import draw_company
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.mine.cards import draw_picture
from sabtui.tui.theme import DRAWN, PICTURED, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.gallery import resize_to
from tests.sabtui.tui.run_app import IdleSession, TableApp


def seat_bots(*names: str, free: int = 0) -> Lobby:
    """A table at which bots sit, and some seats are free."""
    return Lobby(
        "Gold Rush", Settings(), (*(BotChair(name, "easy") for name in names), *[Free()] * free)
    )


@pytest.mark.parametrize("glyphs", [DRAWN, PICTURED])
def test_everybody_who_sits_has_the_dwarf_of_their_colour_above_their_name(glyphs: Glyphs) -> None:
    lobby = scenes.lobby()
    rows = draw_company(lobby, (80, 20), glyphs)
    assert {width(row) for row in rows} == {80}
    names = [lobby.name_at(seat) for seat in range(5)]
    assert plain(rows[-1]).split() == names
    for at, colour in enumerate(table_colours(lobby)):
        face = [plain(row) for row in draw_picture(find_dwarf(colour), (12, 6), glyphs)]
        assert [plain(row)[1 + 13 * at : 13 + 13 * at] for row in rows[:-1]] == face


@pytest.mark.parametrize("columns", [80, 120])
def test_the_largest_table_has_room_for_all_its_dwarves(columns: int) -> None:
    names = "ABCDEFGHIJ"
    assert len(names) == MAX_SEATS
    rows = draw_company(seat_bots(*names), (columns, 7), DRAWN)
    assert plain(rows[-1]).split() == [*names]
    assert max(map(width, rows)) == columns


async def test_dwarves_stand_in_a_usual_lobby_where_talk_leaves_room_for_them() -> None:
    app = TableApp(DRAWN)
    async with app.run_test(size=(80, 24)) as pilot:
        seat = IdleSession(scenes.now(at=scenes.lobby()))
        screen = LobbyScreen(seat, seat.status)
        await app.push_screen(screen)
        await pilot.pause()
        assert screen.company.size.height == len(screen.company.rows) > 1
        assert screen.log_lines.size.height >= 4
        await resize_to(pilot, (60, 18))
        assert not screen.company.display
