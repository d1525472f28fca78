"""Every screen in every language at 80x24: nothing is cut off, and all of it is translated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from engine.cards import CARDS
from sabtui.text.i18n import Locale, load_locale
from sabtui.tui.table.hand import _words, slot
from sabtui.tui.widgets.footer import KEY_GAP_COLUMNS, _wide
from tests.sabtui.text.made_up_languages import Marked, Pseudo, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.pictures import FOLDER
from tests.sabtui.tui.tour import View, kept_texts, speak, tour
from tests.samples import first

FIRST_KEYS: Final = 3
"""How many keys a footer shows in any language, beside the way out."""

HEADER: Final = ("pile",)
"""What the header of a table shows in any language, beside whose turn it is and who one is.

How many saboteurs may be about is looked at in `test_table_widths`: it has a shorter form.
"""

NAMES: Final = (
    "Ana ana Bruno Chi Chia Chiara Dede Dora Eva Fay Zoe Borin Eitri Norri Gold Rush Old Mine "
    "Sabtui sabtui join club s table "
    "code amber tiger ssh localhost box two words the south one is stone trust me good luck to "
    "all of you whole Anna Chi ara Eve Club italia Txu"
)
"""Words on screens that are people's, or of notation, or typed into a shell."""

CUT: Final = ("lobby_help", "lobby_palette", "rules_15")
"""Screens on which not all is seen: a row of the palette is cut where its reason gets too long, for
help tells the rest of it; the help of a host's lobby scrolls; a page has first letters of tools."""

REPLAYED: Final = ("replay", "replay_seat", "replay_reviewed", "review")
"""What is left out in brief: a game is reviewed for it, and these are in `test_front_pictures`, and
in tests of their own."""

ANYWAY: Final = re.compile("settings_language_.*|rules_11|lobby_palette")
"""Screens that show words of other languages: what these call themselves, what books say. The box
of the palette cuts names in the lobby below it."""


def unfit(view: View, marked: Marked) -> list[str]:
    """What does not fit on a screen."""
    cut_off = [] if view.name in CUT else marked.cut_off(view.text)
    wrong, foot = [f"{view.name}: {message}" for message in cut_off], view.foot
    if view.name == "table_lay":
        [header, *_below] = view.text.splitlines()
        due = [marked.pgettext("header", message) for message in HEADER]
        wrong += [f"{view.name}: {message}" for message in due if message not in header]
    if foot is not None:
        placed = [key for _column, key in foot.placed]
        keys = (*foot.keys[:FIRST_KEYS], *foot.last)
        wrong += [f"{view.name}: key {key}" for key in keys if key not in placed]
        room = 1 + sum(_wide(key) + KEY_GAP_COLUMNS for key in placed) - KEY_GAP_COLUMNS
        wrong += [f"{view.name}: foot"] if room > foot.size.width else []
    return wrong


@pytest.mark.parametrize(
    ("language", "is_brief"),
    first(1, [("en", True), *((one, False) for one in FINISHED)], thorough=len(FINISHED) + 1),
)
async def test_screens_are_as_they_were_and_every_text_fits_its_place(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_brief: bool
) -> None:
    kept_names = [one for one in kept_texts(language) if not is_brief or one not in REPLAYED]

    def is_wanted(name: str) -> bool:
        return not is_brief or name in kept_names

    marked = Marked(load_locale(language).catalogue)
    wrong, texts = list[str](), dict[str, str]()
    async for view in tour(Locale(language, marked), tmp_path, monkeypatch, is_wanted):
        wrong += unfit(view, marked)
        if view.name in kept_names:
            texts[view.name] = marked.remove_signs(view.text)
    assert not wrong, "\n".join(["", *wrong])
    assert texts.keys() == {*kept_names}
    # Signs have no capitals: a message that begins a sentence or a title shows a small letter.
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / language).glob("*")}
    for name, text in texts.items():
        assert text.casefold() == kept[name].casefold(), name
    assert kept.keys() == {*kept_texts(language)}


@pytest.mark.parametrize("language", FINISHED)
def test_the_tools_of_a_card_stand_on_its_face(language: str) -> None:
    with speak(load_locale(language)):
        for card in [card for card in CARDS if card.tools]:
            [lines] = [line.split() for line in _words(card, 200) if line.strip()]
            shown = " ".join(" ".join(_words(card, slot(80) - 1)).split()).replace("- ", "")
            assert shown == " ".join(lines)


def test_no_language_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.glob("*/")) == sorted(FINISHED)


@pytest.mark.level("thorough")  # `test_catalogues` finds most text that is not translated
async def test_whatever_is_on_a_screen_goes_through_gettext(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = [
        f"{view.name}: {word}"
        async for view in tour(Locale("xx", Pseudo()), tmp_path, monkeypatch)
        if ANYWAY.fullmatch(view.name) is None
        for word in latin(view.text)
        if word not in NAMES.split()
    ]
    assert english == []


@pytest.mark.parametrize(
    ("language", "text", "key", "quits"),
    first(
        4,
        [
            ("en", "y: yes, n: no", "y", True),
            ("it", "s: sì, n: no", "y", True),
            ("fr", "o : oui, n : non", "o", True),
            ("fr", "o : oui, n : non", "s", False),
            ("pt_BR", "s: sim, n: não", "s", True),
            ("es_AR", "s: sí, n: no", "S", True),
            ("en", "y: yes, n: no", "o", False),
        ],
        thorough=7,
    ),
)
async def test_a_question_takes_yes_in_ones_own_language(
    language: str, text: str, key: str, tmp_path: Path, *, quits: bool
) -> None:
    async with open_app(tmp_path, language=language) as front:
        await front.press("u", "ctrl+c")
        assert front.said.endswith(text)
        await front.press(key)
        assert front.said == ""
        assert front.app.is_running is not quits
