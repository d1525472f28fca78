"""Hosting's form, the settings, the rules, the records: what they show and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from engine.edition import FRANCE
from net.protocol.lobby import Absence
from sabtui.after.screens import records
from sabtui.after.screens.records import RecordsScreen
from sabtui.app import RULES_TOPICS
from sabtui.app.preferences import Bell, Preferences, PreferencesStore, Theme
from sabtui.art import Art
from sabtui.plain.rules import printed_rules
from sabtui.text.i18n import load_locale
from sabtui.text.rules import CardRows, rules_pages
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.host import HostScreen
from sabtui.tui.screens.rules import page_lines
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.theme import ASCII, BOX, DRAWN, DRAWN_IN_256, PICTURED, Glyphs
from sabtui.tui.widgets.form import ChoiceRow, TextField
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.tour import speak

SMALLEST_COLUMNS = 60
RECORDS = Path(__file__).parent.parent.parent / "data" / "records"


def find_choice(front: Front, name: str) -> ChoiceRow:
    """A choice of the form that is shown."""
    return next(choice for choice in front.screen.query(ChoiceRow) if choice.name == name)


async def test_a_table_is_opened_as_the_form_says(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.press("down", *(["backspace"] * 20), *"Mine", *(["down"] * 6), "space")
        await front.press("down", "right")
        await front.sees("Round ends: pile empty and nobody can play")
        for name, times in (
            ("rounds", -2),
            ("seats", 1),
            ("bots", 2),
            ("is_open", 1),
            ("absent", 1),
        ):
            find_choice(front, name).action_turn(times)
        find_choice(front, "turn_seconds").action_turn(2)
        find_choice(front, "level").action_turn(1)
        find_choice(front, "stand_in").action_turn(-1)
        find_choice(front, "hints").action_turn(1)
        await front.press("enter")
        await front.is_on(LobbyScreen)
        request = front.service.hosted[0]
        assert (request.name, request.title, request.bots, request.level) == (
            "Ana",
            "Mine",
            2,
            "hard",
        )
        settings = request.settings
        assert (settings.edition, settings.rounds, settings.seats) == ("argentina", 1, 6)
        assert settings.is_open
        assert settings.absent is Absence.WAIT
        assert settings.turn_seconds == 60
        assert settings.stand_in == "easy"
        assert not settings.hints


async def test_a_table_may_mix_the_rules_of_the_books(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        edition = find_choice(front, "edition")
        find_choice(front, "ConnectRule").action_turn(1)
        find_choice(front, "Direction").action_turn(1)
        await front.pilot.pause()
        assert edition.value == "international+counter-clockwise+adjacent"
        assert "custom" in front.text
        assert edition.note == (
            "Your own mix: international (direction: counter-clockwise; path cards: "
            "touch any path card)."
        )
        find_choice(front, "ShareRule").action_turn(1)
        find_choice(front, "StarterRule").action_turn(1)
        await front.sees("Italy 2004")
        find_choice(front, "ShareRule").action_turn(1)
        await front.press("enter")
        await front.is_on(LobbyScreen)
        assert front.service.hosted[0].settings.edition == "italia+each-miner-one"
        await front.sees("Italy 2004 (gold cards: one for each miner)")


async def test_a_book_sets_all_rules_and_the_mixture_can_be_gone_back_to(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        find_choice(front, "Direction").action_turn(1)
        await front.pilot.pause()
        edition = find_choice(front, "edition")
        edition.action_turn(-1)
        await front.pilot.pause()
        rows = [find_choice(front, type(row).__name__).value for row in FRANCE.rows]
        assert (edition.value, rows) == ("france", [*FRANCE.rows])
        edition.action_turn(1)
        await front.pilot.pause()
        assert find_choice(front, "Direction").value == "counter-clockwise"
        assert find_choice(front, "ConnectRule").value == "linked"


async def test_a_choice_is_turned_by_keys_and_by_the_mouse(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        seats, door = find_choice(front, "seats"), find_choice(front, "web")
        await front.press("down", "down", "right", "right", "left")
        assert seats.value == "6"
        await front.press("space", "down", "enter")
        assert seats.value == "7"
        assert "Enter open the table" in front.lines[-1]
        await front.press("space", "up", "escape")
        assert seats.value == "7", "a list that is left changes nothing"
        await front.is_on(HostScreen)
        await front.click(seats.field, 3, 0)
        await front.until(lambda: isinstance(front.app.focused, OptionList))
        assert "Enter open" not in front.lines[-1]
        await front.press("home", "enter")
        await front.until(lambda: seats.value == "3")
        await front.click(door.field, 3, 0)
        await front.until(lambda: door.value == "open")
        door.focus()
        await front.press("space")
        assert door.value == "closed"


async def test_a_table_has_a_seat_for_its_host_however_many_bots_are_wished(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        find_choice(front, "bots").action_turn(-1)
        await front.press("enter")
        await front.is_on(LobbyScreen)
        assert front.service.hosted[0].bots == 4


async def test_a_table_is_named_after_its_host_until_it_is_given_a_name(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        host = await front.is_on(HostScreen)
        await front.press(*(["backspace"] * 3), *"Bea")
        await front.until(lambda: host.title_line.value == "Bea's table")
        await front.press("tab", "x", "shift+tab", "t")
        await front.until(lambda: host.name_field.value == "Beat")
        assert host.title_line.value == "Bea's tablex"
        await front.press("enter")
        await front.is_on(LobbyScreen)
        assert front.service.hosted[0].name == "Beat"
        assert front.app.preferences.name == "Beat", "they are called so from now on"
        assert PreferencesStore(tmp_path / "settings").read()[0].name == "Beat"


async def test_settings_are_kept_as_they_are_changed(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("s")
        await front.is_on(SettingsScreen)
        await front.press(*(["backspace"] * 3), *"Bea", "down", "down", "right")
        assert front.app.glyphs is ASCII
        await front.press("down", "right", "down", "right")
        assert front.app.theme == "sabtui-light"
        await front.press("escape")
        kept = PreferencesStore(tmp_path / "settings").read()
        liked = Preferences(name="Bea", art=Art.ASCII, theme=Theme.LIGHT, bell=Bell.OFF)
        assert kept == (liked, "")
    async with open_app(tmp_path) as front:
        assert front.app.glyphs is ASCII
        assert front.app.theme == "sabtui-light"


async def test_cards_are_drawn_by_default_and_lines_can_be_wished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": ""}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "settings").write_text("name = Ana\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        assert front.app.glyphs is DRAWN_IN_256
        await front.press("s")
        await front.is_on(SettingsScreen)
        glyphs = find_choice(front, "art")
        glyphs.action_turn(1)
        await front.until(lambda: front.app.preferences.art is Art.PICTURES)
        assert front.app.glyphs is DRAWN_IN_256
        glyphs.action_turn(1)
        await front.until(lambda: front.app.preferences.art is Art.BLOCKS)
        assert front.app.glyphs is DRAWN_IN_256
        glyphs.action_turn(1)
        await front.until(lambda: front.app.preferences.art is Art.LINES)
        assert front.app.glyphs is BOX
    async with open_app(tmp_path, art=Art.ASCII) as front:
        assert front.app.glyphs is ASCII


async def test_a_name_that_was_typed_is_saved_with_the_next_choice(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("s")
        await front.is_on(SettingsScreen)
        front.screen.query_one(TextField).fill("Zoe")
        before = front.app.preferences
        await front.press("down", "right")
        await front.until(lambda: front.app.preferences.language != before.language)
        await front.is_on(SettingsScreen)
        await front.press("escape")
        assert front.app.preferences.name == "Zoe"


async def test_where_settings_cannot_be_written_it_stays_told_in_the_new_language_too(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "settings"
    async with open_app(tmp_path) as front:
        folder.unlink()
        folder.mkdir()
        await front.press("s")
        await front.is_on(SettingsScreen)
        before = front.app.screen
        await front.press("down", "right")
        await front.until(lambda: isinstance(front.app.screen, SettingsScreen))
        await front.until(lambda: front.app.screen is not before)
        await front.is_on(SettingsScreen)
        await front.until(lambda: str(folder)[:20] in front.said)


@pytest.mark.parametrize("glyphs", [DRAWN, DRAWN_IN_256, PICTURED], ids=lambda item: item.name)
def test_cards_of_the_rules_are_drawn_and_stand_where_those_in_lines_do(glyphs: Glyphs) -> None:
    drawn = 0
    for page in rules_pages():
        if any(isinstance(block, CardRows) for block in page.blocks):
            continue  # cards of the hand are drawn beside words, where in lines there are none
        lined, lines = (page_lines(page, 78, glyph_set) for glyph_set in (BOX, glyphs))
        assert [line.cell_length <= 78 for line in lines] == [True] * len(lined)
        for before, after in zip(lined, lines, strict=True):
            if before.plain == after.plain:
                continue
            drawn += 1
            kept = zip(before.plain, after.plain.ljust(len(before.plain)), strict=False)
            assert all(one == other for one, other in kept if one.isalnum() and one not in "xSo")
            assert all(span.style for span in after.spans)
    assert drawn > 3 * 3, "at least three pictures have three rows"


@pytest.mark.parametrize("language", FINISHED)
def test_every_page_of_the_rules_fits_the_smallest_terminal(language: str) -> None:
    columns = SMALLEST_COLUMNS - 2
    with speak(load_locale(language)):
        for page in rules_pages():
            lines = page_lines(page, columns, BOX)
            assert [line.plain for line in lines if len(line.plain.rstrip()) > columns] == []
        topics = list(RULES_TOPICS)
        printed = printed_rules(topics, SMALLEST_COLUMNS)
        assert [line for line in printed if len(line) > SMALLEST_COLUMNS] == []


async def test_the_pages_are_turned_to_the_last_and_back(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("u")
        count = len(rules_pages())
        for number in range(1, count + 1):
            await front.sees(f"{number}/{count} ")
            await front.press("right")
        assert front.said == "There is no more to see here."
        await front.press("left")
        await front.sees(f"{count - 1}/{count} ")


async def test_a_lesson_longer_than_the_terminal_scrolls(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 14)) as front:
        await front.press("u", "right", "right")
        await front.sees("Down for more")
        await front.press("end")
        await front.sees("line 13 of 13")
        await front.sees("cut off   cut off")


async def test_a_spoilt_record_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "records_folder", lambda: tmp_path)
    (tmp_path / "bad\x1b[31m.sab").write_text("[Sabtui \x1b[2J", encoding="utf-8")
    async with open_app(tmp_path) as front:
        await front.press("c")
        await front.is_on(RecordsScreen)
        await front.sees("bad?[31m")
        await front.press("enter")
        assert "not a valid record: line 1" in front.said
        assert "\x1b" not in front.said
        assert "bad?[31m" in front.text
