"""One table, five terminals, five languages: each reads what happens in its own, and may change it.

The apps run in one process and one loop. Below each language is its catalogue, as far as that is
finished; a sign at the beginning of each message tells whose it is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from net.protocol.lobby import Settings
from net.protocol.requests import Start
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import TableHandle
from sabtui.text import i18n
from sabtui.text.i18n import Locale
from sabtui.tui import app as app_module
from sabtui.tui.app import SabtuiApp
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.settings import SettingsScreen as Wishes
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.form import ChoiceRow
from tests.sabtui.text.made_up_languages import SIGNS, Signed
from tests.sabtui.tui.app_fixture import Front, PreparedTables
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.table_server import RoomInProcess
from tests.sabtui.tui.tour import speak

SPOKEN: Final = ("en", "es_AR", "fr", "it", "pt_BR")
NAMES: Final = ("Ana", "Belén", "Chloé", "Dario", "Édson")
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
        for language, name in zip(spoken, NAMES, strict=False):
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
