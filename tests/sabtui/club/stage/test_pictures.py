"""The stage as it is kept: `python -m tests.sabtui.club.stage.stage_pictures` draws it anew."""

from __future__ import annotations

import pytest

from sabtui.tui.theme import ASCII
from tests.sabtui.club.stage.stage_pictures import StagePicture, draw_picture, pictures
from tests.sabtui.tui.pictures import FOLDER
from tests.samples import first

KEPT = pictures()


@pytest.mark.parametrize(
    "picture",
    first(6, KEPT[::2] + KEPT[1::2], thorough=len(KEPT)),
    ids=lambda picture: picture.file.stem,
)
async def test_the_stage_is_as_it_was(picture: StagePicture) -> None:
    text = await draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")
    assert text.isascii() or picture.glyphs is not ASCII
    assert max(map(len, text.splitlines())) <= picture.size[0]


def test_no_picture_is_left_over() -> None:
    kept = {path.name for path in FOLDER.glob("stage_*.txt")}
    assert kept == {picture.file.name for picture in KEPT}
