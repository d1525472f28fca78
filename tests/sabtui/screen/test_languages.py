"""Every screen in every language at 80x24: nothing is cut off, and all of it is translated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from sabtui.screen.foot import GAP, _wide
from sabtui.words.languages import tongue
from sabtui.words.tongue import Tongue
from tests.sabtui.screen.pictures import FOLDER
from tests.sabtui.screen.tour import KEPT, View, kept, tour
from tests.sabtui.words.made_up import Marked, Pseudo
from tests.sabtui.words.test_catalogues import FINISHED

FIRST_KEYS: Final = 3
"""How many keys a footer shows in any language, beside the way out."""

NAMES: Final = (
    "Ana ana Bruno Chia Chiara Dede Zoe Borin Eitri Norri Gold Rush Old Mine Sabtui sabtui join "
    "code amber tiger ssh localhost box two words the south one is stone trust me good luck "
    "all of you NES NESW nesw whole"
)
"""Words on screens that are people's, or of notation, or typed into a shell."""

ANYWAY: Final = re.compile("settings_language_.*|rules_9")
"""Screens that show words of other languages: what these call themselves, what books say."""


def unfit(view: View, marked: Marked) -> list[str]:
    """What does not fit on a screen."""
    # A row of the palette is cut where its reason gets too long; help tells the rest of it.
    cut_off = [] if view.name == "lobby_palette" else marked.cut_off(view.text)
    wrong, foot = [f"{view.name}: {message}" for message in cut_off], view.foot
    if foot is not None:
        placed = [key for _column, key in foot.placed]
        due = (*foot.keys[:FIRST_KEYS], *foot.last)
        wrong += [f"{view.name}: key {key}" for key in due if key not in placed]
        room = 1 + sum(_wide(key) + GAP for key in placed) - GAP
        wrong += [f"{view.name}: foot"] if room > foot.size.width else []
    return wrong


@pytest.mark.parametrize("language", FINISHED)
async def test_every_text_fits_its_place(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = Marked(tongue(language).catalogue)
    wrong = [
        one
        async for view in tour(Tongue(language, marked), tmp_path, monkeypatch)
        for one in unfit(view, marked)
    ]
    assert not wrong, "\n".join(["", *wrong])


@pytest.mark.parametrize("language", FINISHED)
async def test_screens_are_as_they_were(language: str) -> None:
    texts = {view.name: view.text async for view in kept(language)}
    assert texts.keys() == {*KEPT}
    folder = FOLDER / language
    assert {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*")} == texts


def test_no_language_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.glob("*/")) == sorted(FINISHED)


async def test_whatever_is_on_a_screen_goes_through_gettext(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = [
        f"{view.name}: {word}"
        async for view in tour(Tongue("xx", Pseudo()), tmp_path, monkeypatch)
        if ANYWAY.fullmatch(view.name) is None
        for word in sorted(set(re.findall(r"(?<!\w)[A-Za-z]{3,}(?!\w)", view.text)))
        if word not in NAMES.split() and re.search("[aeiouAEIOU]", word)
    ]
    assert english == []
