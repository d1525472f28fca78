"""Forms for hosting, practice and preferences: what they show, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widgets import OptionList

from engine.edition import FRANCE
from net.client.local import LocalSession
from net.protocol.cleaning import MAX_NAME_CELLS
from net.protocol.doors import DoorKind
from net.protocol.lobby import Absence, Settings
from sabtui.app import Speed, launcher
from sabtui.app.preferences import Bell, Preferences, PreferencesStore, Theme
from sabtui.app.requests import HASTY_BUDGET, PACES_S, PracticeRequest, TableHandle, practise
from sabtui.art import Art
from sabtui.text.door_words import extra_missing
from sabtui.text.i18n import languages, load_locale
from sabtui.text.layout import width
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import FormScreen
from sabtui.tui.screens.host import (
    MAIN_CHOICES,
    EditionChoices,
    HostScreen,
    PractiseScreen,
    _list_choices,
)
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import ASCII
from sabtui.tui.widgets.form import (
    MAX_HINT_LINES,
    ChoiceRow,
    FormHint,
    MoreRow,
    TextField,
    wrap_hint,
)
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.sabtui.tui.tour import speak

COLUMNS = 58
"""Columns of a hint at 60x18."""


def find_choice(front: Front, name: str) -> ChoiceRow:
    """A choice of the form that is shown."""
    return next(choice for choice in front.screen.query(ChoiceRow) if choice.name == name)


async def go_to_more_rules(front: Front) -> None:
    """Put the cursor on the row that unfolds the others."""
    front.screen.query_one(MoreRow).focus()
    await front.pilot.pause()


async def test_a_table_is_opened_as_the_form_says(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        host = await front.go(HostScreen, "h")
        host.title_line.fill("Mine")
        await go_to_more_rules(front)
        await front.press("space", "down", "right")
        await front.sees("Round ends: pile empty and nobody can play")
        turns = {"rounds": -2, "seats": 1, "bots": 2, "is_open": 1, "absent": 1}
        turns |= {"turn_seconds": 2, "level": 1, "stand_in": -1, "hints": 1}
        for name, times in turns.items():
            find_choice(front, name).action_turn(times)
        await front.pilot.pause()
        find_choice(front, "ssh").action_turn(1)
        await front.go(LobbyScreen, "enter")
        (asked,) = front.service.hosted
        named = (asked.name, asked.title, asked.bots, asked.level)
        assert named == ("Ana", "Mine", 2, "hard")
        assert asked.doors == (DoorKind.SSH,), "the browser's closed, as no code is needed"
        assert asked.settings == Settings(
            edition="argentina",
            rounds=1,
            seats=6,
            is_open=True,
            absent=Absence.WAIT,
            turn_seconds=60,
            stand_in="easy",
            hints=False,
        )


async def test_a_table_may_mix_the_rules_of_the_books_and_a_book_sets_them_all(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        await front.go(HostScreen, "h")
        edition = find_choice(front, "edition")

        async def turn(*names: str, by: int = 1) -> None:
            for name in names:
                find_choice(front, name).action_turn(by)
            await front.pilot.pause()

        await turn("ConnectRule", "Direction")
        assert edition.value == "international+counter-clockwise+adjacent"
        assert "custom" in front.text
        assert edition.note == (
            "Your own mix: international (direction: counter-clockwise; path cards: "
            "touch any path card)."
        )
        await turn("edition", by=-1)
        rows = [find_choice(front, type(row).__name__).value for row in FRANCE.rows]
        assert (edition.value, rows) == ("france", [*FRANCE.rows])
        await turn("edition")
        assert edition.value == "international+counter-clockwise+adjacent", "the mix is kept"
        assert find_choice(front, "Direction").value == "counter-clockwise"
        await turn("ShareRule", "StarterRule")
        await front.sees("Italy 2004")
        find_choice(front, "ShareRule").action_turn(1)
        find_choice(front, "bots").action_turn(-1)
        await front.go(LobbyScreen, "enter")
        (asked,) = front.service.hosted
        assert asked.settings.edition == "italia+each-miner-one"
        assert asked.bots == 4, "there is a seat for the host, however many bots are wished for"
        await front.sees("Italy 2004 (gold cards: one for each")


async def test_a_choice_is_turned_by_keys_and_by_the_mouse(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.go(HostScreen, "h")
        seats, door = find_choice(front, "seats"), find_choice(front, "web")
        await front.press("down", "down", "right", "right", "left")
        assert seats.value == "6"
        await front.press("space", "down", "enter")
        assert seats.value == "7"
        assert "Enter open the table" in front.lines[-1]
        await front.go(HostScreen, "space", "up", "escape")
        assert seats.value == "7", "a list that is left changes nothing"
        await front.click(seats.field, 3, 0)
        await front.until(lambda: isinstance(front.app.focused, OptionList))
        assert "Enter open" not in front.lines[-1]
        await front.press("home", "enter")
        await front.until(lambda: seats.value == "3")
        await front.click(door.field, 3, 0)
        await front.until(lambda: door.value == "closed")
        door.focus()
        await front.sees("Enter switch")
        assert "Ctrl+O open the table" in front.lines[-1]
        await front.press("enter", "space", "enter")
        assert door.value == "open"
        assert not front.service.hosted, "Enter is the switch's"
        await front.press(*(["down"] * 3))
        await front.sees("Enter unfold")
        await front.press("enter")
        await front.sees("- More rules...")
        await front.go(LobbyScreen, "ctrl+o")


async def test_every_choice_of_a_form_has_its_line_of_explanation(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        for key in "hps":
            form = await front.go(FormScreen, key)
            rows = [*form.query(ChoiceRow)]
            assert rows
            options = [(row.name, option) for row in rows for option in row.options]
            assert [(name, option.value) for name, option in options if not option.note] == []
            await front.go(WelcomeScreen, "escape")


async def test_doors_begin_open_where_they_can_be_at_a_table_with_a_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(tmp_path) as front:
        host = await front.go(HostScreen, "h")
        assert host.table_request().doors == tuple(DoorKind)
        access = find_choice(front, "is_open")
        access.action_turn(1)
        await front.until(lambda: host.table_request().doors == ())
        access.action_turn(1)
        await front.until(lambda: host.table_request().doors == tuple(DoorKind))
        find_choice(front, "web").action_turn(1)
        access.action_turn(1)
        access.action_turn(1)
        await front.until(lambda: host.table_request().doors == (DoorKind.SSH,))
        await front.press("escape")
        monkeypatch.setattr(launcher, "find_spec", lambda _name: None)
        host = await front.go(HostScreen, "h")
        assert host.table_request().doors == ()
        assert find_choice(front, "ssh").note == extra_missing(DoorKind.SSH)


async def test_a_table_is_named_after_its_host_until_it_is_given_a_name(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        host = await front.go(HostScreen, "h", *(["backspace"] * 3), *"Bea")
        await front.sees("Bea's table")
        assert host.table_request().title == "Bea's table"
        await front.press("tab", "x", "shift+tab", "t")
        await front.until(lambda: host.name_field.value == "Beat")
        assert "'s table" not in front.text
        await front.go(LobbyScreen, "enter")
        assert (front.service.hosted[0].name, front.service.hosted[0].title) == ("Beat", "x")
        assert front.app.preferences.name == "Beat", "they are called so from now on"
        assert PreferencesStore(tmp_path / "settings").read()[0].name == "Beat"


async def test_settings_are_kept_as_they_are_changed(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.go(SettingsScreen, "s", *(["backspace"] * 3), *"Bea", "down", "down", "right")
        assert front.app.glyphs is ASCII
        await front.press("down", "right", "down", "right", "escape")
        kept = PreferencesStore(tmp_path / "settings").read()
        liked = Preferences(name="Bea", art=Art.ASCII, theme=Theme.LIGHT, bell=Bell.OFF)
        assert kept == (liked, "")
    async with open_app(tmp_path) as front:
        assert (front.app.glyphs, front.app.theme) == (ASCII, "sabtui-light")


async def test_a_switch_that_is_off_says_what_off_does(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.go(SettingsScreen, "s", *(["down"] * 4), "right")
        await front.until(lambda: "No sound" in front.text)
        await front.press("down", "right")
        await front.until(lambda: "nothing says who laughs" in front.text)


async def test_another_language_takes_away_neither_the_typed_name_nor_what_went_wrong(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "settings"
    async with open_app(tmp_path) as front:
        folder.unlink()
        folder.mkdir()
        before = await front.go(SettingsScreen, "s")
        before.query_one(TextField).fill("Zoe")
        await front.press("down", "right")
        await front.until(lambda: front.app.screen is not before)
        await front.is_on(SettingsScreen)
        await front.until(lambda: str(folder)[:20] in front.said)
        assert (front.app.preferences.name, front.app.preferences.language) == ("Zoe", "en")


class Dealer(PreparedTables):
    """Keeps the practice games that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.practised: list[PracticeRequest] = []

    def practise(self, request: PracticeRequest) -> TableHandle:
        """The real way, unless the door is shut."""
        self._may_be_shut()
        self.practised.append(request)
        return super().practise(request)


async def test_bots_level_rounds_speed_and_rules_are_as_chosen(tmp_path: Path) -> None:
    dealer = Dealer()
    async with open_app(tmp_path, service=dealer) as front:
        await front.go(PractiseScreen, "p", "right", "right", "down", "right", "down", "right")
        keys = ("down", "space", "down", "left", "left", "down", "right", "enter")
        table = await front.go(TableScreen, *keys)
        (asked,) = dealer.practised
        assert (asked.name, asked.bots, asked.level, asked.rounds) == ("Ana", 6, "hard", 1)
        assert asked.speed is Speed.FAST
        assert asked.edition != PracticeRequest("").edition
        view = table.status.view
        assert view is not None
        played = (view.table.players, view.table.edition, view.score.rounds)
        assert played == (7, asked.edition, 1)


async def test_where_no_game_can_begin_the_form_says_why_and_stays(tmp_path: Path) -> None:
    dealer = Dealer()
    dealer.trouble = "no bots today"
    async with open_app(tmp_path, service=dealer) as front:
        await front.go(PractiseScreen, "p", "enter")
        assert front.said == "no bots today"
        await front.go(WelcomeScreen, "escape")


@pytest.mark.parametrize("speed", [None, *Speed])
async def test_bots_pause_as_long_as_the_speed_says_or_else_as_the_interface_has_them(
    speed: Speed | None,
) -> None:
    asked = PracticeRequest("Ana", 2, speed=speed)
    for usual in (Speed.NORMAL, Speed.INSTANT):
        session = practise(asked, usual=usual).make(lambda _update: None)
        assert isinstance(session, LocalSession)
        assert session._opponents.pace == PACES_S[speed or usual]
        thinks_little = session._opponents.thought == HASTY_BUDGET
        assert thinks_little is ((speed or usual) in {Speed.FAST, Speed.INSTANT})
    assert list(PACES_S.values()) == sorted(PACES_S.values(), reverse=True)


@pytest.mark.parametrize("language", languages())
def test_every_hint_of_the_host_form_is_whole_and_no_line_begins_with_a_mark(language: str) -> None:
    with speak(load_locale(language)):
        rows = [*_list_choices(EditionChoices("italia"))]
    for option in (option for row in rows for option in row.options):
        lines = wrap_hint(option.note, COLUMNS)
        assert " ".join(lines) == option.note
        assert [line for line in lines if line[0] in ":;!?" or width(line) > COLUMNS] == []


def test_a_hint_too_long_for_its_place_ends_in_dots() -> None:
    lines = wrap_hint("five words are in here. " * 20, COLUMNS)
    assert len(lines) == MAX_HINT_LINES
    assert lines[-1].endswith("...")
    assert max(map(width, lines)) <= COLUMNS


async def test_a_hint_is_as_high_as_its_text(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18), language="es_AR") as front:
        await front.go(HostScreen, "h")
        await go_to_more_rules(front)
        await front.press("space", "down", "right", "right")
        await front.sees("izquierda de quien jugó último.")
        [hint] = front.screen.query(FormHint)
        assert hint.size.height == 4


async def test_rows_of_a_form_that_are_out_of_sight_are_told_of(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        await front.go(HostScreen, "h")
        await front.until(lambda: " line " not in front.text)  # it fits on any terminal
        await go_to_more_rules(front)
        await front.press("space")
        await front.sees("of 21, Down for more")
        front.screen.query_one(TextField).focus()
        await front.press("up")
        await front.sees("line 21 of 21")
        await front.pilot.resize_terminal(80, 38)
        await front.until(lambda: "Goes first" in front.text and " line " not in front.text)


async def test_a_form_shows_what_most_people_change_and_the_rest_behind_one_row(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, (80, 38)) as front:
        screen = await front.go(HostScreen, "h")
        rows = [row for row in screen.query(ChoiceRow) if row.size.height]
        labels = [row.label for row in rows]
        assert labels == ["Seats", "Bots", "SSH door", "Browser door", "Access", "Turn time"]
        assert all(row.label in front.text for row in rows)
        await go_to_more_rules(front)
        await front.sees("+ More rules...")
        for key in ("enter", "space", "right"):
            await front.press(key)
            await front.sees("- More rules...")
            assert "Hints" in front.text
            assert "Gold cards" in front.text
            await front.press(key)
            await front.sees("+ More rules...")
            assert "Hints" not in front.text
        await front.press("down")
        assert front.app.focused is screen.query_one(TextField), "folded rows are passed over"
        await front.press("up", "space", "down", "right", "up", "space")
        await front.sees("+ More rules...")
        shown = {str(row.name) for row in screen.choices.values() if row.size.height}
        changed = [name for name, row in screen.choices.items() if row.is_changed]
        assert changed[0] == "edition"
        assert len(changed) > 1, "a rule of that book differs, too"
        assert shown == {*MAIN_CHOICES, *changed}, "what was changed is seen in a folded form"
        await front.press("down", "left")
        assert screen.choices["edition"].field.has_focus
        await front.until(lambda: not screen.choices[changed[1]].size.height)
        assert screen.choices["edition"].size.height == 1, "nothing vanishes under the cursor"


async def test_a_field_keeps_what_fits_of_a_paste_and_says_so(tmp_path: Path) -> None:
    pastes = {
        "x" * 100_000: "x" * MAX_NAME_CELLS,
        "金" * 100_000: "金" * (MAX_NAME_CELLS // 2),
        "a name": "a name",
    }
    async with open_app(tmp_path) as front:
        screen = await front.go(HostScreen, "h")
        for pasted, kept in pastes.items():
            screen.say("")
            screen.title_line.fill("")
            screen.title_line.post_message(events.Paste(pasted))
            await front.pilot.pause()
            assert screen.title_line.value == kept
            said = "That was too long: the rest was cut off."
            assert (front.said == said) is (kept != pasted)
