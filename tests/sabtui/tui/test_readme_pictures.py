"""The pictures of the README are what is seen today, and files that are drawn are drawn first."""

from __future__ import annotations

from tests.sabtui.tui import screen_pictures
from tests.sabtui.tui.readme_pictures import FOLDER, draw_all
from tests.sabtui.tui.screen_pictures import SCREENS

MOST_BYTES = 1_500_000


async def test_the_pictures_of_the_readme_are_what_is_seen() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    drawn = await draw_all()
    assert kept.keys() == drawn.keys()
    assert not [name for name in drawn if kept[name] != drawn[name]], "make art draws them"


def test_the_page_on_screens_shows_all_their_pictures_and_they_are_small() -> None:
    drawn = {picture.file for picture in SCREENS}
    kept = {path.name: path.stat().st_size for path in screen_pictures.FOLDER.iterdir()}
    assert kept.keys() == drawn
    page = (FOLDER.parent / "screens.md").read_text(encoding="utf-8")
    assert all(f"(pictures/screens/{name})" in page for name in drawn)
    assert sum(kept.values()) < MOST_BYTES
