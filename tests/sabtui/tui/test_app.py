"""The app: from the welcome screen to a table and back, with every update of a seat, in order."""

from __future__ import annotations

import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.app import App
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.events import AppFocus, Resize
from textual.theme import Theme
from textual.widget import Widget

from engine.actions import Broke
from engine.cards import Tool
from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.lobby_events import RecordPublished
from net.protocol.messages import CloseReason
from net.protocol.requests import Start
from sabtui.app import Speed
from sabtui.app.preferences import Bell, PreferencesStore, records_folder
from sabtui.app.requests import PracticeRequest, TableHandle
from sabtui.art import Art
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.art.store import Size
from sabtui.art.terminal import QUESTIONS, REGISTERS, REGISTERS_WISH
from sabtui.tui.app import SabtuiApp
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.output import ShownCells
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.host import HostScreen
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.screens.podium import EveningScreen
from sabtui.tui.screens.rules import RulesScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.log import LogKind
from sabtui.tui.table.model import open_table
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import (
    BLUE_ORANGE,
    BOX,
    DARK,
    DRAWN,
    DRAWN_IN_256,
    LIGHT,
    TERMINAL,
    Answered,
)
from tests.engine.notation.games import RECORDS
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, ScriptedSession, open_app
from tests.samples import first

SMALL = (60, 18)


class HastyTables(PreparedTables):
    """Bots of practice games do not let themselves be waited for."""

    def practise(self, request: PracticeRequest) -> TableHandle:
        """The real way, at the highest speed."""
        return super().practise(replace(request, speed=Speed.INSTANT))


async def test_two_keys_from_the_welcome_screen_begin_a_game_with_bots(tmp_path: Path) -> None:
    async with open_app(tmp_path, service=HastyTables()) as front:
        table = await front.go(TableScreen, "p", "enter")
        assert table.status.view is not None
        assert table.status.view.table.players == 5
        assert table.status.seat == 0
        begun = len(table.status.view.history)
        await front.until(lambda: table.status.view is not None and table.status.view.to_act == 0)
        assert len(table.status.view.history) >= begun


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


TABLE_GOES_ON = "Your table goes on without you. To come back: sabtui join. To close it then: C."


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_where_nothing_can_be_lost_a_key_quits_at_once(tmp_path: Path, key: str) -> None:
    async with open_app(tmp_path) as front:
        await front.press(key)
        await front.until(lambda: not front.app.is_running)
        assert front.app.return_code == 0


async def test_quitting_lets_go_of_the_seat_and_keeps_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.go(LobbyScreen, "h", "enter")
        room, seat = front.service.inn.room, front.service.inn.seats[1]
        await front.press("ctrl+c")
        assert "Your seat is kept" in front.said
        await front.press("y")
    assert front.app.farewell == TABLE_GOES_ON
    assert seat.left.is_set()
    assert room.lobby.chairs[0] != room.lobby.chairs[1]


async def test_a_player_who_left_a_table_is_told_the_way_back_at_the_end(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.go(LobbyScreen, "h", "enter")
        await front.go(WelcomeScreen, "escape", "y")
        assert front.app.farewell == TABLE_GOES_ON
        await front.go(LobbyScreen, "h", "enter")
        assert front.app.farewell == "", "there is nothing to come back to while at a table"


async def test_what_is_wrong_in_the_settings_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("theme = pink\nname = Ana\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        assert "theme" in front.said
        assert front.app.preferences.name == "Ana"


async def test_a_game_that_begins_takes_the_rules_away_and_shows_the_table(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        lobby = await front.go(LobbyScreen, "h", "enter")
        await front.go(RulesScreen, "b", "down", "b", "down", "f3")
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
        await front.go(LobbyScreen, "enter")


@pytest.mark.parametrize(
    ("animations", "asked", "expected"),
    [("", False, False), ("", True, True), ("none", False, True), ("full", False, False)],
)
def test_nothing_is_animated_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, animations: str, *, asked: bool, expected: bool
) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", animations)
    app = SabtuiApp(PreparedTables, PreferencesStore(tmp_path / "settings"), is_calm=asked)
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


@pytest.mark.parametrize("theme", [DARK, LIGHT, BLUE_ORANGE])
async def test_the_first_frame_has_the_players_colours_and_all_styles_are_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    parsed: list[Stylesheet] = []
    monkeypatch.setattr(Stylesheet, "reparse", parsed.append)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    name = theme.name.removeprefix("sabtui-")
    (tmp_path / "settings").write_text(f"theme = {name}\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        await front.is_on(WelcomeScreen)
        assert front.app.current_theme is theme
        assert theme.background is not None
        assert front.app.screen.styles.background == Color.parse(theme.background)
        assert parsed == []


async def test_the_bell_rings_for_whoever_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as front:
        rung: list[Bell] = []
        for bell in Bell:
            front.app.save_preferences(replace(front.app.preferences, bell=bell))
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


@pytest.mark.parametrize(
    ("answers", "theme", "environ"),
    first(
        1,
        [
            (KITTY, DARK.name, {"COLORTERM": "truecolor"}),
            (XTERM, DARK.name, {"COLORTERM": "truecolor"}),
            (XTERM, TERMINAL, {"TERM": "xterm"}),  # as it begins
        ],
        thorough=3,
    ),
)
async def test_an_open_table_shows_pictures_once_the_terminal_says_that_it_can(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    theme: str,
    environ: dict[str, str],
) -> None:
    async with in_colour(tmp_path, monkeypatch, "auto", **environ) as front:
        assert front.app.theme == theme
        assert FIRST_SIGN not in front.text
        front.app.post_message(Answered(answers))
        await front.until(lambda: FIRST_SIGN in front.text)
        assert front.app.theme == DARK.name
        front.app.save_preferences(replace(front.app.preferences, art=Art.BLOCKS))
        await front.until(lambda: FIRST_SIGN not in front.text)


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
        before = len(forgotten)
        front.app.post_message(AppFocus())
        await front.until(lambda: len(forgotten) > before)  # xterm forgets covered pictures


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


async def test_keys_typed_ahead_get_to_the_screen_to_which_those_before_them_led(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("ctrl+p", *"page by", "enter", "right", "question_mark", "enter")
        await front.is_on(HelpScreen)
        front.type_ahead("escape")
        await front.sees("2/16 Your turn")
        front.type_ahead("escape", "h", "enter")
        await front.is_on(LobbyScreen)
        front.type_ahead("t", *"subtext", "enter", "escape", "w")
        await front.is_on(WelcomeScreen)
        talk = front.service.inn.room.state.talk
        assert [line.text for line in talk] == ["subtext"], "what is said is no command"
        front.type_ahead("p", "enter")
        await front.is_on(TableScreen)
        front.type_ahead("q", "n", "q", "y", "u")  # a question is answered by the next key
        await front.is_on(RulesScreen)


async def test_a_paste_goes_where_the_keys_before_it_led(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.type_ahead("j", "a")
        front.app.post_message(events.Paste("box.local"))
        front.type_ahead(*":7342")
        await front.sees("box.local:7342")


COUNT = 35
RECORD = (RECORDS / "whole.sab").read_text(encoding="utf-8")


class Breaker(ScriptedSession):
    """A seat with a bug."""

    async def run(self) -> None:
        raise ZeroDivisionError


async def test_each_update_is_shown_once_while_lobby_and_table_change_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, show = list[int](), SessionScreen.show_update

    def listen(screen: SessionScreen, update: Update) -> None:
        numbers.append(update.status.unanswered)
        show(screen, update)

    monkeypatch.setattr(SessionScreen, "show_update", listen)
    table = scenes.now()
    lobby = scenes.in_lobby(scenes.lobby())
    stages = [table if number // 7 % 2 else lobby for number in range(COUNT)]
    told = [replace(status, unanswered=number) for number, status in enumerate(stages)]
    async with open_app(tmp_path) as front:
        front.sit(*told)
        await front.until(lambda: bool(numbers) and numbers[-1] == COUNT - 1)
        assert numbers == list(range(numbers[0], COUNT))
        await front.is_on(TableScreen if told[-1].view is not None else LobbyScreen)
        screen = await front.is_on(SessionScreen)
        assert screen.status == told[-1]
        assert sum(isinstance(screen, SessionScreen) for screen in front.app.screen_stack) == 1


async def test_nothing_that_a_screen_drew_is_kept_once_another_has_taken_its_place(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        seats = front.sit(scenes.in_lobby(scenes.lobby()))
        await front.is_on(LobbyScreen)
        await front.sees("Ana")
        widgets = front.screen.walk_children(Widget)
        drawn = [weakref.ref(widget._styles_cache) for widget in widgets]
        del widgets
        assert len(drawn) > 3
        seats[0].on_update(Update(scenes.now()))
        await front.is_on(TableScreen)

        def is_let_go() -> bool:
            gc.collect()
            return all(reference() is None for reference in drawn)

        await front.until(is_let_go)


async def test_a_seat_that_breaks_says_so_and_the_app_goes_on(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.app.enter_table(TableHandle(lambda on_update: Breaker([], on_update)))
        await front.is_on(WelcomeScreen)
        await front.until(lambda: "ZeroDivisionError" in front.said)


async def test_a_game_that_ends_is_kept_and_one_that_cannot_be_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, folders = scenes.finished_status(), [tmp_path / "records", tmp_path / "file" / "no"]
    (tmp_path / "file").write_text("")
    assert status.game_state is not None
    over = replace(status, game_state=replace(status.game_state, record=RECORD))
    monkeypatch.setattr("sabtui.app.records.records_folder", lambda: folders[0])
    async with open_app(tmp_path) as front:
        for done in (lambda: any(folders[0].glob("*.sab")), lambda: "Cannot write " in front.said):
            front.sit(Update(over, Received((RecordPublished(RECORD),))))
            await front.is_on(TableScreen)
            await front.until(done)
            folders.reverse()


async def test_an_app_that_has_ended_takes_no_more_updates_and_says_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_told: object, **_named: object) -> bool:
        raise RuntimeError("Event loop is closed")

    async with open_app(tmp_path) as front:
        with monkeypatch.context() as ended:
            ended.setattr(App, "call_later", refuse)
            assert not front.app.call_later(print)


async def test_a_player_who_comes_back_reads_what_was_played_for_them(tmp_path: Path) -> None:
    view = scenes.view(turn=2)
    left = scenes.now(view._replace(history=view.history[:1]))
    later = scenes.now(view._replace(history=(*view.history[:1], Broke(0, Tool.PICK, 1))))
    async with open_app(tmp_path) as front:
        front.sit(left)
        await front.is_on(TableScreen)
        await front.press("q", "y")
        await front.is_on(WelcomeScreen)
        front.sit(Status(), replace(later, left_at=left.place))
        await front.sees("While you were away: You broke Bruno's pick.")
        table = await front.is_on(TableScreen)
        done, _effects = open_table(table.remake().model, table.status, BOX)
        kinds = [line.kind for line in done.log.lines]
        assert LogKind.STOOD_IN not in kinds, "in another language, it is not told again"


async def test_a_table_that_closes_after_several_games_leaves_its_podium(tmp_path: Path) -> None:
    lobby, _news = scenes.between_games()
    closed = replace(lobby, connection=ConnectionState.ENDED, ending=CloseReason.CLOSED)
    async with open_app(tmp_path) as front:
        front.sit(lobby, closed)
        await front.is_on(EveningScreen)
        for text in ("The end of the evening", "Ana has won the evening.", "Dede    1     0    1"):
            await front.sees(text)
        await front.press("I")
        await front.sees("Saved:")
        (picture,) = records_folder().glob("*-Gold-Rush.png")
        assert picture.read_bytes().startswith(b"\x89PNG")
        await front.go(WelcomeScreen, "escape")
