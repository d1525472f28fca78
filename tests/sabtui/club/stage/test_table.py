"""A table on the stage: its headline, the line below it, and what does nothing there."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Broke
from engine.cards import Path, Tool
from engine.events import Event, Laid, Passed
from net.client.session import ConnectionState, Update
from sabtui.app.requests import Invitation
from sabtui.club.stage import draw_headline, find_headline, join_sentence
from sabtui.table.sight import Sight
from sabtui.text.connection import standing
from sabtui.tui.table.log import TableLog
from sabtui.tui.theme import BOX, large
from sabtui.tui.widgets.panel import plain
from tests.sabtui.club.stage.stage_pictures import in_play, show_table, watching
from tests.sabtui.tui.pictures import text_of

TOLD = "Dede laid a bend at 4 east, 1 north."
BRIEF = "Dede: bend"


def test_the_headline_is_the_last_thing_that_happened_and_no_talk() -> None:
    status = in_play()
    sight = Sight.of(status)
    assert sight is not None
    log = TableLog.of(status)
    events: tuple[Event, ...] = (
        Laid(3, Path.read("SW"), (4, -1)),
        Broke(3, Tool.PICK, 1),
        Passed(2),
    )
    told = ((TOLD, BRIEF), ("Dede broke Bruno's pick.", ""), ("Chiara passed.", ""))
    for event, words in zip(events, told, strict=True):
        log = log.with_past([event], sight)
        log = log.with_chat(sight.said[0], sight.names)
        assert find_headline(log, sight) == words
    assert find_headline(TableLog(), sight) == ("", "")


def test_of_a_card_that_is_laid_where_is_written_below_who_laid_what_if_not_all_fits() -> None:
    drawn = [plain(row).strip() for row in draw_headline(TOLD, 120, 4, BOX, BRIEF)]
    assert drawn == [*(row.strip() for row in large("dede: bend", BOX)), TOLD]
    for columns, rows in ((120, 3), (40, 4)):
        written = [plain(row).strip() for row in draw_headline(TOLD, columns, rows, BOX, BRIEF)]
        assert [line for line in written if line] == [TOLD]
    whole = draw_headline(TOLD, 200, 4, BOX, BRIEF)
    assert whole == draw_headline(TOLD, 200, 4, BOX)


def test_the_line_below_tells_how_to_join_and_the_code_only_where_it_is_known() -> None:
    known = Invitation("Gold Rush", "amber-tiger", ("192.168.1.20:7341", "[fd00::2]:7341"))
    text = join_sentence(known)
    assert "sabtui join 192.168.1.20:7341" in text
    assert "amber-tiger" in text
    assert "amber" not in join_sentence(replace(known, code=""))
    assert join_sentence(Invitation("Gold Rush", "")) == ""


async def test_a_key_hides_the_code_and_shows_it_again() -> None:
    async with show_table(in_play()) as (app, pilot, _screen):
        assert "amber-tiger" in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert "amber-tiger" not in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert "amber-tiger" in text_of(app)


async def test_who_thinks_and_since_when_stands_in_large_letters_once_they_take_long() -> None:
    letters = [row.strip() for row in large("turn: ana 0:20", BOX)]
    sight = Sight.of(in_play())
    assert sight is not None
    async with show_table(in_play()) as (_app, _pilot, screen):
        for waited, is_told in ((10, False), (20, True)):
            shown = screen.bottom(sight, replace(screen.model, waited=waited))
            assert ([plain(row).strip() for row in shown[1:]] == letters) is is_told


async def test_trouble_with_the_connection_stands_in_place_of_the_way_to_join() -> None:
    async with show_table(in_play()) as (_app, pilot, screen):
        lost = replace(watching(), connection=ConnectionState.LOST)
        screen.show_update(Update(lost))
        await pilot.pause()
        assert screen.footer.text == standing(lost)


async def test_a_click_chooses_nothing_and_escape_and_enter_do_nothing() -> None:
    async with show_table(in_play()) as (_app, pilot, screen):
        before = screen.model.selection
        await pilot.click(screen.players, offset=(3, 1))
        await pilot.click(screen.mine, offset=(30, 6))
        await pilot.press("escape", "enter", "1")
        await pilot.pause()
        assert screen.model.selection == before
