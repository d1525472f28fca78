"""Forms on the smallest terminal: hints are whole, and rows out of sight are told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabtui.text.i18n import languages, load_locale
from sabtui.text.names import width
from sabtui.tui.screens.host import EditionChoices, HostScreen, _choices
from sabtui.tui.widgets.form import MAX_HINT_LINES, FormHint, _hint_lines
from tests.sabtui.tui.app_fixture import opened
from tests.sabtui.tui.tour import spoken

COLUMNS = 58
"""Columns of a hint at 60x18."""


@pytest.mark.parametrize("language", languages())
def test_every_hint_of_the_host_form_is_whole_and_no_line_begins_with_a_mark(language: str) -> None:
    with spoken(load_locale(language)):
        rows = [*_choices(EditionChoices("italia"))]
    for option in (option for row in rows for option in row._options):
        lines = _hint_lines(option.note, COLUMNS)
        assert " ".join(lines) == option.note
        assert [line for line in lines if line[0] in ":;!?" or width(line) > COLUMNS] == []


def test_a_hint_too_long_for_its_place_ends_in_dots() -> None:
    lines = _hint_lines("five words are in here. " * 20, COLUMNS)
    assert len(lines) == MAX_HINT_LINES
    assert lines[-1].endswith("...")
    assert max(map(width, lines)) <= COLUMNS


async def test_a_hint_is_as_high_as_its_text(tmp_path: Path) -> None:
    async with opened(tmp_path, (60, 18), language="es_AR") as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.press("down", "down", "right", "right")
        await front.sees(" quien jugó la última carta.")
        [hint] = front.screen.query(FormHint)
        assert hint.size.height == 5


async def test_rows_of_a_form_that_are_out_of_sight_are_told_of(tmp_path: Path) -> None:
    async with opened(tmp_path, (60, 18)) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        await front.sees("line 11 of 20, Down for more")
        await front.press("up")
        await front.sees("line 20 of 20, the end")
    async with opened(tmp_path, (80, 26)) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        assert "of 20" not in front.text
