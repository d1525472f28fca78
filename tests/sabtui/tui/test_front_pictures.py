"""Screens as they are kept: `python -m tests.sabtui.tui.front_pictures` draws them anew."""

from __future__ import annotations

import pytest

from sabtui.tui.theme import ASCII
from tests.sabtui.tui.front_pictures import SMALLEST, FrontPicture, draw_picture, front_pictures
from tests.sabtui.tui.gallery import files
from tests.sabtui.tui.pictures import FOLDER
from tests.samples import first

KEPT = front_pictures()
ALWAYS = [one for one in KEPT if one.name in {"host", "lobby_host", "palette", "replay", "resume"}]
OTHERS = [one for one in KEPT if one not in ALWAYS]
"""Screens that the tour of `test_languages` shows, too, at a usual size."""


@pytest.mark.parametrize(
    "picture",
    first(len(ALWAYS), ALWAYS + OTHERS, thorough=len(KEPT)),
    ids=lambda picture: picture.file.stem,
)
async def test_the_screen_is_as_it_was(picture: FrontPicture) -> None:
    text = await draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")
    if picture.glyphs is ASCII and picture.name not in {
        "record",
        "records",
        "replay",
    }:  # people have the names they have
        assert text.isascii()
    assert max(map(len, text.splitlines())) <= SMALLEST[0]


def test_no_picture_is_left_over() -> None:
    kept = {path.name for path in FOLDER.glob("front_*.txt")}
    assert kept == {picture.file.name for picture in KEPT} | files("front")
