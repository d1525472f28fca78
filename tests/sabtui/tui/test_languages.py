"""All screens in each language, and in made-up ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from engine.cards import CARDS
from net.client.session import Status
from net.protocol.lobby import Settings
from net.protocol.requests import SetReady, Start
from sabtui.app.requests import TableHandle
from sabtui.text.i18n import Locale, load_locale
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.table.hand import _words, slot
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.footer import KEY_GAP_COLUMNS, _wide
from sabtui.tui.widgets.form import ChoiceRow
from tests.sabtui.text.made_up_languages import Marked, Pseudo, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.pictures import FOLDER
from tests.sabtui.tui.table_server import RoomInProcess
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
"""What is left out in brief: a game is reviewed for it, and these are in `test_pictures`, and
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
    first(
        1, [("en", True), *((language, False) for language in FINISHED)], thorough=len(FINISHED) + 1
    ),
)
async def test_screens_are_as_they_were_and_every_text_fits_its_place(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_brief: bool
) -> None:
    kept_names = [name for name in kept_texts(language) if not is_brief or name not in REPLAYED]

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


async def test_a_language_is_changed_at_the_table_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_text("name = Chloé\nlanguage = fr\nart = lines\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        inn = front.service.inn = RoomInProcess(settings=Settings(rounds=1, seats=3))
        front.app.sit(TableHandle(lambda hear: inn.seat("Chloé", hear, is_host=True)))
        lobby = await front.is_on(LobbyScreen)
        bruno, dede = inn.guest("Bruno"), inn.guest("Dede")
        for guest in (bruno, dede):
            guest.request(SetReady(ready=True))
        await front.until(lambda: lobby.status.why_not(Start()) is None)
        lobby.session.request(Start())
        before = await front.is_on(TableScreen)
        while (pane := before.model.pane) is not SidePanel.CARDS:
            await front.press("tab")
        await front.press("f2")
        await front.is_on(SettingsScreen)
        await front.press("down", "right")  # Italian comes after French
        await front.sees("L'aspetto")
        assert front.app.focused is not None
        row = front.app.focused.parent
        assert (isinstance(row, ChoiceRow), row.name if row else "") == (True, "language")
        await front.press("escape")
        anew = await front.is_on(TableScreen)
        assert (anew is before, anew.model.pane) == (False, pane)
        assert anew.autopilot is before.autopilot, "a bot that plays for her goes on"
        for _turn in range(3):
            view = anew.status.view
            mover = next(seat for seat in inn.seats.values() if _is_asked(seat.status))
            assert mover.status.view is not None
            mover.request(mover.status.move_request(next(iter(mover.status.view.legal_moves()))))
            await front.until(lambda: anew.status.view != view)  # noqa: B023 - is awaited here
        assert "language = it" in file.read_text(encoding="utf-8")


def _is_asked(status: Status) -> bool:
    """Return True if a seat's player is to play."""
    return status.view is not None and status.view.to_act == status.view.seat
