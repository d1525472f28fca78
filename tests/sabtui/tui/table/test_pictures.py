"""Kept pictures of the table are as they are drawn."""

from __future__ import annotations

import unicodedata

import pytest

from sabtui.tui.theme import Glyphs
from tests.sabtui.tui import pictures, scenes
from tests.samples import each_in_turn, first

KEPT = pictures.pictures()


@pytest.mark.parametrize(
    "picture",
    first(9, KEPT[::2] + KEPT[1::2], thorough=len(KEPT)),
    ids=lambda picture: picture.file.stem,
)
async def test_the_table_is_as_it_was(picture: pictures.Picture) -> None:
    text = await pictures.draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["hostile", "gold"])
def test_ascii_screens_are_ascii_but_for_what_people_write(name: str) -> None:
    for path in pictures.FOLDER.glob(f"table_{name}_*_ascii.txt"):
        text = path.read_text(encoding="utf-8")
        written = str(scenes.hostile())
        cleaned = unicodedata.normalize("NFC", written)
        assert {letter for letter in text if not letter.isascii()} <= {*written, *cleaned}


@pytest.mark.parametrize(
    ("scene", "glyphs"), each_in_turn(pictures.TABLES, pictures.SETS), ids=pictures.name_of
)
async def test_the_table_is_as_it_was_at_every_size(scene: str, glyphs: Glyphs) -> None:
    pictures.check(await pictures.at_table(scene, glyphs), glyphs)
