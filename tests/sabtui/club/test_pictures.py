"""Hall and stage as they are kept: `python -m tests.sabtui.club.pictures` draws them anew."""

from __future__ import annotations

import pytest

from sabtui.tui.theme import ASCII
from tests.sabtui.club.pictures import ClubPicture, draw_picture, pictures
from tests.sabtui.tui.pictures import FOLDER
from tests.samples import first

KEPT = pictures()


@pytest.mark.parametrize(
    "picture",
    first(12, KEPT[::2] + KEPT[1::2], thorough=len(KEPT)),
    ids=lambda picture: picture.file.stem,
)
async def test_hall_and_stage_are_as_they_were(picture: ClubPicture) -> None:
    text = await draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")
    assert text.isascii() or picture.glyphs is not ASCII
    assert max(map(len, text.splitlines())) <= picture.size[0]


def test_no_picture_is_left_over() -> None:
    kept = {path.name for kind in ("stage", "hall") for path in FOLDER.glob(f"{kind}_*.txt")}
    assert kept == {picture.file.name for picture in KEPT}
