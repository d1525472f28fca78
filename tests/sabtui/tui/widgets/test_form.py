"""Forms on the smallest terminal: hints are whole, and rows out of sight are told of."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from net.protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS
from sabtui.text import layout as widths
from sabtui.text.i18n import languages, load_locale
from sabtui.text.layout import width
from sabtui.tui.screens.host import MAIN_CHOICES, EditionChoices, HostScreen, _choices
from sabtui.tui.screens.join import JoinScreen
from sabtui.tui.widgets.form import MAX_HINT_LINES, ChoiceRow, FormHint, TextField, hint_lines
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.tour import speak

COLUMNS = 58
"""Columns of a hint at 60x18."""


@pytest.mark.parametrize("language", languages())
def test_every_hint_of_the_host_form_is_whole_and_no_line_begins_with_a_mark(language: str) -> None:
    with speak(load_locale(language)):
        rows = [*_choices(EditionChoices("italia"))]
    for option in (option for row in rows for option in row._options):
        lines = hint_lines(option.note, COLUMNS)
        assert " ".join(lines) == option.note
        assert [line for line in lines if line[0] in ":;!?" or width(line) > COLUMNS] == []


def test_a_hint_too_long_for_its_place_ends_in_dots() -> None:
    lines = hint_lines("five words are in here. " * 20, COLUMNS)
    assert len(lines) == MAX_HINT_LINES
    assert lines[-1].endswith("...")
    assert max(map(width, lines)) <= COLUMNS


async def test_a_hint_is_as_high_as_its_text(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18), language="es_AR") as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.press(*["down"] * 7, "space", "down", "right", "right")
        await front.sees("izquierda de quien jugó último.")
        [hint] = front.screen.query(FormHint)
        assert hint.size.height == 4


async def test_rows_of_a_form_that_are_out_of_sight_are_told_of(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.until(lambda: " line " not in front.text)  # it fits on any terminal
        await front.press(*["down"] * 7, "space")
        await front.sees("of 21, Down for more")
        await front.press("up", "up", *["up"] * 7)
        await front.sees("line 21 of 21")
    async with open_app(tmp_path, (80, 38)) as front:
        await front.press("h", *["down"] * 7, "space")
        await front.is_on(HostScreen)
        await front.sees("Next to begin")
        await front.until(lambda: " line " not in front.text)


async def test_a_form_shows_what_most_people_change_and_the_rest_behind_one_row(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, (80, 38)) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        rows = [row for row in front.screen.query(ChoiceRow) if row.size.height]
        labels = [row.label for row in rows]
        assert labels == ["Seats", "Bots", "SSH door", "Browser door", "Access"]
        assert all(row.label in front.text for row in rows)
        await front.press(*["down"] * 7)
        await front.sees("+ More rules...")
        for key in ("enter", "space", "right"):
            await front.press(key)
            await front.sees("- More rules...")
            assert "Turn time" in front.text
            assert "Gold cards" in front.text
            await front.press(key)
            await front.sees("+ More rules...")
            assert "Turn time" not in front.text
        await front.press("down")
        assert front.app.focused is front.screen.query_one(TextField), "folded rows are passed over"


async def test_what_was_changed_is_seen_in_a_folded_form(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.press(*["down"] * 7, "space", "down", "right")
        screen = await front.is_on(HostScreen)
        assert screen.choices["edition"].value != "international"
        await front.press("up", "space")
        await front.sees("+ More rules...")
        shown = [str(row.name) for row in screen.choices.values() if row.size.height]
        changed = [name for name, row in screen.choices.items() if row.is_changed]
        assert "edition" in changed
        assert len(changed) > 1, "a rule of that book differs, too"
        assert set(shown) == {*MAIN_CHOICES, *changed}
        await front.press("down", "left")
        assert screen.choices["edition"].field.has_focus
        await front.until(lambda: not screen.choices[changed[1]].size.height)
        assert screen.choices["edition"].size.height == 1, "nothing vanishes under the cursor"


@pytest.mark.parametrize(
    ("rows", "pasted", "kept"),
    [
        (0, "x" * 100_000, "x" * MAX_NAME_CELLS),
        (0, "金" * 100_000, "金" * (MAX_NAME_CELLS // 2)),
        (0, "a name", "a name"),
        (1, "x" * 100_000, "x" * MAX_NAME_CELLS),
    ],
    ids=["name", "wide name", "short name", "title"],
)
async def test_a_field_keeps_what_fits_of_a_paste_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, pasted: str, kept: str
) -> None:
    measured = list[int]()

    def measure(text: str) -> int:
        measured.append(len(text))
        assert len(measured) <= MAX_NAME_BYTES, "one for each letter that can stay"
        return width(text)

    async with open_app(tmp_path, (80, 30)) as front:
        await front.press("h")
        screen = await front.is_on(HostScreen)
        line = (screen.name_field, screen.title_line)[rows]
        line.fill("")
        monkeypatch.setattr(widths, "width", measure)
        line.post_message(events.Paste(pasted))
        await front.pilot.pause()
        monkeypatch.undo()
        assert line.value == kept
        assert 0 < max(measured) <= 2 * MAX_NAME_BYTES
        said = "The field is full: the rest was cut off."
        assert (front.said == said) is (kept != pasted)


async def test_an_address_that_is_too_long_is_cut_and_not_lost(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("j")
        screen = await front.is_on(JoinScreen)
        line = screen.address_field
        line.can_focus = True
        line.post_message(events.Paste("y" * 100_000))
        await front.sees("The field is full")
        assert line.value == "y" * 300
        line.cursor_position = 3
        line.post_message(events.Paste("z"))
        await front.pilot.pause()
        assert line.value == "y" * 300, "a full field takes nothing more"
