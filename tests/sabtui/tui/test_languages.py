"""All screens in each language, and in made-up ones."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from engine.cards import CARDS
from net.protocol.lobby import Settings
from net.protocol.requests import Start
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableHandle
from sabtui.text import i18n
from sabtui.text.i18n import Locale, load_locale
from sabtui.tui import app as app_module
from sabtui.tui.app import SabtuiApp
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.settings import SettingsScreen as Wishes
from sabtui.tui.table.hand import _words, slot
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.footer import KEY_GAP_COLUMNS, _wide
from sabtui.tui.widgets.form import ChoiceRow
from tests.sabtui.text.made_up_languages import SIGNS, Marked, Pseudo, Signed, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.sabtui.tui.pictures import FOLDER, text_of
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


SPOKEN: Final = ("en", "es_AR", "fr", "it", "pt_BR")
GUESTS: Final = ("Ana", "Belén", "Chloé", "Dario", "Édson")
SIGN_OF: Final = dict(zip(SPOKEN, SIGNS, strict=False))


def sign_language(language: str) -> Locale:
    """A language with its sign."""
    return Locale(language, Signed(i18n.load_locale(language).catalogue, SIGN_OF[language]))


class Guest(Front):
    """A person at their terminal."""

    @property
    def seated(self) -> SessionScreen:
        """The lobby or the table."""
        assert isinstance(self.app.screen, SessionScreen)
        return self.app.screen

    @property
    def signs(self) -> set[str]:
        """The languages that are to be seen."""
        with speak(self.app._locale):
            seen = text_of(self.app)
        return {language for language, sign in SIGN_OF.items() if sign in seen}


class Apps:
    """Apps at one table, each in a language."""

    def __init__(self, count: int) -> None:
        self.inn = RoomInProcess(settings=Settings(rounds=1, seats=count))
        self.guests: list[Guest] = []

    async def come(self, guest: Guest, name: str) -> None:
        """Sit down in the lobby; who comes first is the host."""
        is_host = not self.guests
        self.guests.append(guest)
        guest.app.sit(
            TableHandle(lambda on_update: self.inn.seat(name, on_update, is_host=is_host))
        )
        await guest.is_on(LobbyScreen)

    async def start(self) -> None:
        """Begin the game."""
        host, count = self.guests[0], len(self.guests)
        await host.until(lambda: len(self.inn.room.lobby.sitting) == count)
        host.seated.session.request(Start())
        for guest in self.guests:
            await guest.is_on(TableScreen)

    @property
    def to_act(self) -> int | None:
        """Whose turn it is."""
        view = self.inn.seats[1].status.view
        return None if view is None else view.to_act

    async def play(self) -> None:
        """Let whose turn it is make a legal move, and all hear of it."""
        assert self.to_act is not None
        mover = self.guests[self.to_act]
        view = mover.seated.status.view
        assert view is not None
        before = self.steps
        mover.seated.session.request(
            mover.seated.session.status.move_request(next(iter(view.legal_moves())))
        )
        await mover.until(
            lambda: all(now > was for now, was in zip(self.steps, before, strict=True))
        )
        await self.wait_until_told()

    @property
    def steps(self) -> list[int]:
        """How much each seat has heard."""
        held = [seat.status.game_state for seat in self.inn.seats.values()]
        return [0 if one is None else one.step for one in held]

    async def wait_until_told(self) -> None:
        """Wait until every screen shows what its seat knows."""
        for seat, guest in zip(self.inn.seats.values(), self.guests, strict=True):
            await guest.until(lambda: guest.seated.status == seat.status)  # noqa: B023 - is awaited here

    @property
    def signs(self) -> list[set[str]]:
        """The languages that are to be seen on each terminal."""
        return [guest.signs for guest in self.guests]


@asynccontextmanager
async def apps(folder: Path, spoken: Sequence[str] = SPOKEN) -> AsyncIterator[Apps]:
    """An app for each language at one table, in its lobby."""
    table = Apps(len(spoken))
    async with AsyncExitStack() as stack:
        for language, name in zip(spoken, GUESTS, strict=False):
            file = folder / name
            file.write_text(f"name = {name}\nlanguage = {language}\n", encoding="utf-8")
            app = SabtuiApp(PreparedTables, PreferencesStore(file))
            pilot = await stack.enter_async_context(app.run_test(size=(80, 24)))
            await table.come(Guest(app, pilot, PreparedTables(table.inn)), name)
        yield table


async def test_a_language_is_changed_at_the_table_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "load_locale", sign_language)
    async with apps(tmp_path, ("es_AR", "pt_BR", "fr")) as table:
        await table.start()
        await table.play()
        chloe = table.guests[2]
        screen = chloe.seated
        assert isinstance(screen, TableScreen)
        while (pane := screen.model.pane) is not SidePanel.CARDS:
            await chloe.press("tab")
        await chloe.press("f2")
        await chloe.is_on(Wishes)
        await chloe.press("down", "right")  # Italian comes after French
        await chloe.until(lambda: chloe.signs == {"it"})
        assert isinstance(chloe.screen, Wishes)
        await chloe.until(
            lambda: (
                isinstance(row := getattr(chloe.screen.focused, "parent", None), ChoiceRow)
                and row.name == "language"
            )
        )
        await chloe.press("escape")
        await chloe.is_on(TableScreen)
        anew = chloe.seated
        assert isinstance(anew, TableScreen)
        assert (anew is screen, anew.model.pane) == (False, pane)
        assert anew.autopilot is screen.autopilot, "a bot that plays for her goes on"
        for _turn in table.guests:
            await table.play()
        assert table.signs == [{now} for now in ("es_AR", "pt_BR", "it")]
        assert "language = it" in (tmp_path / "Chloé").read_text(encoding="utf-8")
