"""The page that an evening leaves: a podium where cards are drawn, and its table."""

from __future__ import annotations

import pytest

from sabtui.tui.screens.podium import MOST_ON_PODIUM, EveningScreen, rank_people
from sabtui.tui.theme import BOX, DRAWN, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import TableApp

GOLD = [("Ana", 12), ("Bruno", 12), ("Cleo", 7), ("Dede", 3), ("Eva", 2), ("Fay", 1)]


def test_the_first_stand_on_the_podium_and_equals_as_high_as_each_other() -> None:
    ranked = rank_people(GOLD, ["Ana"])
    assert [row.name for row in ranked] == ["Ana", "Bruno", "Cleo", "Dede", "Eva"]
    assert len(ranked) == MOST_ON_PODIUM
    assert [row.rank for row in ranked] == [0, 0, 2, 3, 4]
    assert [row.name for row in ranked if row.is_first] == ["Ana"]


@pytest.mark.parametrize("glyphs", [BOX, DRAWN])
async def test_the_page_of_an_evening_has_its_podium_above_its_table(glyphs: Glyphs) -> None:
    app = TableApp(glyphs)
    async with app.run_test(size=(100, 40)) as pilot:
        await app.push_screen(EveningScreen(scenes.EVENING, ["Ana has won the evening."]))
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, EveningScreen)
        lines = [line.plain for line in screen.tell(100)]
        assert lines[-1] == "Ana has won the evening."
        drawn = "\n".join(lines[:-1])
        assert ("Ana" in drawn and "$9" in drawn) is (glyphs is DRAWN)
