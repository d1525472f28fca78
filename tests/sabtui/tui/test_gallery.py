"""The main screens at every size and in every set of signs are as they are kept."""

from __future__ import annotations

import pytest

from sabtui.tui.theme import ASCII, Glyphs
from tests.sabtui.tui.gallery import BEFORE_TABLE, FRONTS, SETS, TABLES, at_table, before_table
from tests.sabtui.tui.pictures import FOLDER
from tests.samples import each_in_turn, first, pairs


def check(texts: dict[str, str], glyphs: Glyphs) -> None:
    """See that screens are as they are kept, and no wider than their terminals."""
    for file, text in texts.items():
        assert text == (FOLDER / file).read_text(encoding="utf-8"), file
        columns, rows = map(int, file.split("_")[-2].split("x"))
        assert max(map(len, text.splitlines())) <= columns
        assert len(text.splitlines()) == rows
        assert text.isascii() or glyphs is not ASCII


def name_of(value: str | Glyphs) -> str:
    """Name a scene, or signs."""
    return value if isinstance(value, str) else value.name


@pytest.mark.parametrize(("scene", "glyphs"), each_in_turn(TABLES, SETS), ids=name_of)
async def test_the_table_is_as_it_was_at_every_size(scene: str, glyphs: Glyphs) -> None:
    check(await at_table(scene, glyphs), glyphs)


@pytest.mark.parametrize(
    ("scene", "glyphs"), first(1, pairs([*FRONTS], SETS), thorough=len(BEFORE_TABLE)), ids=name_of
)
async def test_screens_before_a_table_are_as_they_were_at_every_size(
    scene: str, glyphs: Glyphs
) -> None:
    check(await before_table(scene, glyphs), glyphs)
