"""Kept screens are as they are drawn, and so are the pictures of the README."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise, product

import pytest

from sabtui.tui.theme import ASCII, Glyphs
from tests.sabtui.tui import docs_pictures, front_pictures, pictures
from tests.sabtui.tui.front_pictures import FRONTS, SMALLEST, FrontPicture, before_table
from tests.sabtui.tui.pictures import (
    FOLDER,
    SETS,
    SIZES,
    TABLES,
    Picture,
    check,
    file_name,
    name_of,
)
from tests.sabtui.tui.readme_film import FILE
from tests.samples import first, pairs

FRONT = front_pictures.front_pictures()
ALWAYS = [picture for picture in FRONT if picture.name in {"host", "palette", "replay", "resume"}]
OTHERS = [picture for picture in FRONT if picture not in ALWAYS]
"""Screens that the tour of `test_languages` shows, too, at a usual size."""


@pytest.mark.parametrize(
    "picture",
    first(len(ALWAYS), ALWAYS + OTHERS, thorough=len(FRONT)),
    ids=lambda picture: picture.file.stem,
)
async def test_the_screen_is_as_it_was(picture: FrontPicture) -> None:
    text = await front_pictures.draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")
    has_names = picture.name in {"records", "replay"}  # people have the names they have
    assert picture.glyphs is not ASCII or has_names or text.isascii()
    assert max(map(len, text.splitlines())) <= SMALLEST[0]


@pytest.mark.parametrize(
    ("kind", "drawn", "scenes_of"),
    [("table", pictures.pictures(), TABLES), ("front", FRONT, FRONTS)],
)
def test_no_picture_is_left_over(
    kind: str, drawn: Sequence[Picture | FrontPicture], scenes_of: Collection[str]
) -> None:
    kept = {path.name for path in FOLDER.glob(f"{kind}_*.txt")}
    of_scenes = {file_name(kind, *parts) for parts in product(scenes_of, SIZES, SETS)}
    assert kept == {picture.file.name for picture in drawn} | of_scenes


@pytest.mark.parametrize(
    ("scene", "glyphs"),
    first(1, pairs([*FRONTS], SETS), thorough=len(FRONTS) * len(SETS)),
    ids=name_of,
)
async def test_screens_before_a_table_are_as_they_were_at_every_size(
    scene: str, glyphs: Glyphs
) -> None:
    check(await before_table(scene, glyphs), glyphs)


MOST_BYTES = 1_500_000


async def test_the_picture_of_the_readme_is_what_is_seen() -> None:
    [kept] = docs_pictures.FOLDER.glob("*.svg")
    assert kept.name == "phone.svg"
    is_same = kept.read_text(encoding="utf-8") == await docs_pictures.draw_phone()
    assert is_same, "make art draws it"


def test_the_page_on_screens_shows_all_their_pictures_and_they_are_small() -> None:
    folder = docs_pictures.SCREENS_FOLDER
    drawn = {picture.file for picture in docs_pictures.SCREENS}
    kept = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert kept.keys() == drawn
    page = (folder.parents[1] / "screens.md").read_text(encoding="utf-8")
    assert all(f"(pictures/screens/{name})" in page for name in drawn)
    assert sum(kept.values()) < MOST_BYTES


def starts_of(words: str, film: str) -> float:
    """The share of the film, in percent, after which words are first to be seen."""
    groups = re.findall(r'<g id="(s\d+)">\n(.*?)</g>', film, re.DOTALL)
    names = [name for name, drawn in groups if words in drawn]
    assert names, words
    found = [
        re.search(rf"@keyframes {name}{{.*?([\d.]+)%{{visibility:visible}}", film) for name in names
    ]
    return min(float(match[1]) for match in found if match)


def test_the_film_shows_what_its_words_in_the_readme_say_in_that_order() -> None:
    film = FILE.read_text(encoding="utf-8")
    told = (
        "broke your cart",
        "I think Frida is a saboteur",
        "Enter: lay it",
        "Gold!",
        "Saboteurs: Frida.",
    )
    assert all(
        before < after for before, after in pairwise(starts_of(words, film) for words in told)
    )


def test_the_film_takes_eight_to_ten_seconds_and_less_than_four_megabytes() -> None:
    film = FILE.read_text(encoding="utf-8")
    assert 8 <= float(re.findall(r"([\d.]+)s step-end", film)[0]) <= 10
    assert FILE.stat().st_size < 4_000_000
    assert "<script" not in film
