"""The app: from the welcome screen to a table and back, also on the smallest terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.events import Resize
from textual.widget import Widget

from net.protocol.requests import Start
from sabtui.after.screens.records import RecordsScreen
from sabtui.app import Speed
from sabtui.app.preferences import Bell, PreferencesStore
from sabtui.app.requests import PracticeRequest, TableHandle
from sabtui.art import Art
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.art.store import Size
from sabtui.art.terminal import QUESTIONS, REGISTERS, REGISTERS_WISH
from sabtui.tui.app import SabtuiApp
from sabtui.tui.commands import CommandScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.output import ShownCells
from sabtui.tui.screens.host import HostScreen
from sabtui.tui.screens.join import JoinDialog, JoinScreen, ResumeScreen
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.screens.rules import RulesScreen
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import DARK, DRAWN, DRAWN_IN_256, TERMINAL, Answered, GlyphsChanged
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.samples import first

SMALL = (60, 18)
SCREENS = [
    ((), WelcomeScreen),
    (("h",), HostScreen),
    (("question_mark",), HelpScreen),
    (("j",), JoinScreen),
    (("r",), ResumeScreen),
    (("c",), RecordsScreen),
    (("u",), RulesScreen),
    (("s",), SettingsScreen),
    (("j", "a", "b", "o", "x", "enter"), JoinDialog),
    (("h", "enter"), LobbyScreen),
]


@pytest.mark.parametrize(
    "ascii_only", first(1, [True, False]), ids=lambda ascii_only: "ascii" if ascii_only else "box"
)
@pytest.mark.parametrize(
    ("keys", "kind"),
    first(2, SCREENS, thorough=len(SCREENS)),  # `test_front_pictures` has the others as small
    ids=[kind.__name__ for _, kind in SCREENS],
)
async def test_every_screen_fits_on_60x18_and_tells_how_to_get_out(
    tmp_path: Path, keys: tuple[str, ...], kind: type[CommandScreen], *, ascii_only: bool
) -> None:
    async with open_app(tmp_path, SMALL, art=Art.ASCII if ascii_only else None) as front:
        for key in keys:
            await front.press(key)
        await front.is_on(kind)
        await front.until(lambda: bool(front.lines[-1]))
        assert "help" in front.lines[-1]
        assert len(front.lines[-1]) <= SMALL[0]
        if kind is not WelcomeScreen:
            assert "Esc " in front.lines[-1]
        for widget in front.screen.walk_children(Widget):
            scrolls = any(isinstance(one, Widget) and one.max_scroll_y for one in widget.ancestors)
            if widget.display and widget.region.area and not scrolls:
                assert front.screen.region.contains_region(widget.region), widget
        if ascii_only:
            assert front.text.isascii()


class HastyTables(PreparedTables):
    """Bots of practice games do not let themselves be waited for."""

    def practise(self, request: PracticeRequest) -> TableHandle:
        """The real way, at the highest speed."""
        return super().practise(replace(request, speed=Speed.INSTANT))


async def test_two_keys_from_the_welcome_screen_begin_a_game_with_bots(tmp_path: Path) -> None:
    async with open_app(tmp_path, service=HastyTables()) as front:
        await front.press("p", "enter")
        await front.is_on(TableScreen)
        table = front.screen
        assert isinstance(table, TableScreen)
        assert table.status.view is not None
        assert table.status.view.table.players == 5
        assert table.status.seat == 0
        begun = len(table.status.view.history)
        await front.until(lambda: table.status.view is not None and table.status.view.to_act == 0)
        assert len(table.status.view.history) >= begun


@pytest.mark.parametrize("keys", first(1, ["hu", "jrcs"], thorough=2))
async def test_escape_goes_back_and_never_quits(keys: str, tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        for key in keys:
            await front.press(key)
            await front.until(lambda: not isinstance(front.screen, WelcomeScreen))
            await front.press("escape")
            await front.is_on(WelcomeScreen)
        await front.press("escape", "escape")
        assert front.app.is_running


async def test_control_c_asks_and_only_yes_quits(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("u", "ctrl+c")
        assert front.said.startswith("Quit Sabtui?")
        await front.press("n")
        assert front.app.is_running
        assert front.said == ""
        await front.press("ctrl+c", "ctrl+c")
        await front.until(lambda: not front.app.is_running)
        assert front.app.return_code == 0


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_where_nothing_can_be_lost_a_key_quits_at_once(tmp_path: Path, key: str) -> None:
    async with open_app(tmp_path) as front:
        await front.press(key)
        await front.until(lambda: not front.app.is_running)
        assert front.app.return_code == 0


async def test_quitting_lets_go_of_the_seat_and_keeps_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h", "enter")
        await front.is_on(LobbyScreen)
        seat = front.service.inn.seats[1]
        await front.press("ctrl+c")
        assert "Your seat is kept" in front.said
        await front.press("y")
    assert seat.left.is_set()
    assert front.service.inn.room.lobby.chairs[0] != front.service.inn.room.lobby.chairs[1]


async def test_what_is_wrong_in_the_settings_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("theme = pink\nname = Ana\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        assert "theme" in front.said
        assert front.app.preferences.name == "Ana"


async def test_a_game_that_begins_takes_help_away_and_shows_the_table(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("h", "enter")
        await front.is_on(LobbyScreen)
        await front.press("b", "down", "b", "down", "question_mark")
        await front.is_on(HelpScreen)
        lobby = front.app.screen_stack[-2]
        assert isinstance(lobby, LobbyScreen)
        await front.until(lambda: lobby.status.why_not(Start()) is None)
        lobby.action_command("start")
        await front.is_on(TableScreen)


async def test_a_door_that_is_shut_says_why_and_the_form_stays(tmp_path: Path) -> None:
    service = PreparedTables()
    service.trouble = "The disk is full: make room."
    async with open_app(tmp_path, service=service) as front:
        await front.press("h", "enter")
        await front.until(lambda: front.said == service.trouble)
        assert isinstance(front.screen, HostScreen)
        service.trouble = ""
        await front.press("enter")
        await front.is_on(LobbyScreen)


@pytest.mark.parametrize(
    ("animations", "is_calm", "expected"),
    [("", False, False), ("", True, True), ("none", False, True), ("full", False, False)],
    ids=["by itself", "asked for", "in the environment", "all of Textual's"],
)
def test_nothing_is_animated_where_that_is_asked_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    animations: str,
    *,
    is_calm: bool,
    expected: bool,
) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", animations)
    app = SabtuiApp(PreparedTables, PreferencesStore(tmp_path / "settings"), is_calm=is_calm)
    assert app.is_calm is expected


@pytest.mark.parametrize(("has_played", "row"), [(False, "learn"), (True, "join")])
async def test_a_player_who_never_played_finds_the_cursor_on_learn(
    tmp_path: Path, *, has_played: bool, row: str
) -> None:
    store, service = PreferencesStore(tmp_path / "settings"), PreparedTables()
    app = SabtuiApp(lambda: service, store, has_played=has_played)
    async with app.run_test(size=SMALL) as pilot:
        front = Front(app, pilot, service)
        await front.is_on(WelcomeScreen)
        (line,) = [line for line in front.lines if line.lstrip().startswith(">")]
        assert front.screen.by_name[row].label in line.split()


async def test_the_bell_rings_for_whoever_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as front:
        rung: list[Bell] = []
        for bell in Bell:
            front.app.prefer(replace(front.app.preferences, bell=bell))
            monkeypatch.setattr(front.app, "bell", partial(rung.append, bell))
            front.app.ring()
        assert rung == [Bell.ON]


KITTY = "\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c"


XTERM = f"\x1bP>|XTerm(379)\x1b\\\x1b[?1;0;{REGISTERS}S\x1b[6;20;10t\x1b[?62;4c"
"""Answers of a terminal with sixel."""


@asynccontextmanager
async def in_colour(
    folder: Path, patch: pytest.MonkeyPatch, theme: str = "dark", **environ: str
) -> AsyncIterator[Front]:
    """A table in a terminal that may show pictures, but has not said so yet."""
    for name in ("NO_COLOR", "TMUX", "COLORTERM"):
        patch.delenv(name, raising=False)
    for name, value in {"LC_ALL": "C.UTF-8", "TERM": "x", **environ}.items():
        patch.setenv(name, value)
    (folder / "settings").write_text(f"name = Ana\ntheme = {theme}\n", encoding="utf-8")
    async with open_app(folder, (120, 40)) as front:
        front.sit(scenes.now())
        await front.is_on(TableScreen)
        yield front


@pytest.mark.parametrize("answers", first(1, [KITTY, XTERM], thorough=2))
async def test_an_open_table_shows_pictures_once_the_terminal_says_that_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    async with in_colour(tmp_path, monkeypatch, COLORTERM="truecolor") as front:
        assert front.app.glyphs is DRAWN
        front.app.post_message(Answered(answers))
        await front.until(lambda: FIRST_SIGN in front.text)
        front.app.prefer(replace(front.app.preferences, art=Art.BLOCKS))
        front.screen.post_message(GlyphsChanged())
        await front.until(lambda: FIRST_SIGN not in front.text)


async def test_in_xterm_as_it_begins_a_table_has_pictures_once_sixel_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_colour(tmp_path, monkeypatch, "auto", TERM="xterm") as front:
        assert front.app.theme == TERMINAL
        front.app.post_message(Answered(XTERM))
        await front.until(lambda: FIRST_SIGN in front.text)
        assert front.app.theme == DARK.name


async def test_in_an_xterm_without_sixel_all_is_drawn_again_in_all_its_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    redrawn = list[bool]()
    async with in_colour(tmp_path, monkeypatch, TERM="xterm-256color") as front:
        assert front.app.glyphs is DRAWN_IN_256
        monkeypatch.setattr(SabtuiApp, "action_redraw", lambda _app: redrawn.append(True))
        front.app.post_message(Answered("\x1bP>|XTerm(379)\x1b\\\x1b[?64;1;22c"))
        await front.until(lambda: front.app.glyphs is DRAWN)
        await front.until(lambda: redrawn == [True])
        front.app.post_message(Answered("\x1b[?1;3S\x1b[?64;1;22c"))
        await front.pilot.pause()
        assert redrawn == [True]


async def test_by_sixel_all_is_drawn_again_in_other_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, asked = list[Size | None](), list[str]()

    def note(app: SabtuiApp) -> SabtuiApp:
        drawn.append(app.cell_by_sixel)
        return app

    monkeypatch.setattr(SabtuiApp, "_ask", lambda _app, questions: asked.append(questions))
    forgotten = list[bool]()
    monkeypatch.setattr(ShownCells, "forget", lambda _shown: forgotten.append(True))
    async with in_colour(tmp_path, monkeypatch, COLORTERM="truecolor") as front:
        assert front.app.cell_by_sixel is None
        front.app.post_message(Answered(XTERM))
        await front.until(lambda: FIRST_SIGN in front.text)
        assert asked[-1] == REGISTERS_WISH
        monkeypatch.setattr(SabtuiApp, "refresh", note)
        before = len(forgotten)
        front.app.post_message(Resize(front.app.size, front.app.size))
        await front.until(lambda: asked[-1] == QUESTIONS)
        assert len(forgotten) > before
        before = len(forgotten)
        front.app.post_message(Answered("\x1b[6;24;12t"))
        await front.until(lambda: drawn == [(12, 24)])
        assert len(forgotten) > before


@pytest.mark.parametrize("is_guest", [True, False])
async def test_the_terminal_of_a_player_is_asked_what_it_shows_and_that_of_a_guest_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_guest: bool
) -> None:
    asked = list[str]()
    monkeypatch.setattr(SabtuiApp, "_ask", lambda _app, questions: asked.append(questions))
    monkeypatch.setenv("TERM", "xterm-kitty")
    monkeypatch.delenv("TMUX", raising=False)
    app = SabtuiApp(PreparedTables, PreferencesStore(tmp_path / "settings"), is_guest=is_guest)
    async with app.run_test():
        assert asked == [QUESTIONS] * (not is_guest)


async def test_what_is_typed_for_the_next_screen_gets_there(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("ctrl+p", *"page by", "enter", "right", "question_mark")
        await front.is_on(HelpScreen)
        await front.press("escape")
        await front.is_on(RulesScreen)
        await front.sees("2/16 Your turn")


async def test_what_is_said_is_no_command(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("h", "enter")
        await front.is_on(LobbyScreen)
        front.type_ahead("t", *"subtext", "enter", "escape", "w")
        await front.is_on(WelcomeScreen)
        assert [line.text for line in front.service.inn.room.state.talk] == ["subtext"]


async def test_a_question_is_answered_by_the_next_key_however_fast(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("p", "enter")
        await front.is_on(TableScreen)
        front.type_ahead("q", "n", "q", "y", "u")
        await front.is_on(RulesScreen)


async def test_a_paste_goes_where_the_keys_before_it_led(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("j", "a")
        front.app.post_message(events.Paste("box.local"))
        front.type_ahead(*":7342")
        await front.sees("box.local:7342")
