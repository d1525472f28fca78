"""Commands: keys, footer, help and palette made from one list, and a reason instead of silence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from textual.content import Content
from textual.geometry import Size

from net.client.session import ConnectionState
from sabtui.tui.command import Command, key_names
from sabtui.tui.command_screen import BREADTHS, HEIGHTS, CommandScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.mine.tiles import CellMark, Sign
from sabtui.tui.palette import CommandPalette
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.table.selection import PlayerNote
from sabtui.tui.widgets.box import OverBox
from sabtui.tui.widgets.form import LabelledField, TextField
from sabtui.tui.widgets.text import TextPage, fit_last_lines
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.lobby_fixture import shown_table
from tests.sabtui.tui.table.pure_table import PureTable
from tests.samples import first


class Counter(CommandScreen):
    """A screen that counts, up to two."""

    def __init__(self) -> None:
        self.count = 0
        super().__init__()

    def commands(self) -> Iterable[Command]:
        yield Command("more", ("plus", "m"), "more", "count one more", self.more, self.why_not)
        yield Command("none", ("z",), "none", "count again", self.do_nothing, hidden=True)
        yield Command("ask", ("k",), "ask", "ask before counting", self.ask_first)
        yield Command("back", ("escape",), "back", "go back", self.back)

    def body(self) -> Iterable[LabelledField]:
        yield LabelledField("Word", TextField("word", "", 10, ""))

    def more(self) -> None:
        self.count += 1

    def do_nothing(self) -> None:
        self.count = 0

    def ask_first(self) -> None:
        self.ask("Count?", self.more)

    def why_not(self) -> str | None:
        return "Two is enough." if self.count == 2 else None


@asynccontextmanager
async def counting(
    folder: Path, size: tuple[int, int] = (80, 24), kind: type[Counter] = Counter
) -> AsyncIterator[tuple[Front, Counter]]:
    """The app, with a screen that counts on top."""
    async with open_app(folder, size) as front:
        screen = kind()
        await front.app.push_screen(screen)
        await front.pilot.pause()
        yield front, screen


async def test_the_footer_shows_what_can_be_done_now_and_a_key_that_cannot_says_why(
    tmp_path: Path,
) -> None:
    async with counting(tmp_path) as (front, screen):
        assert "? help  + more  k ask" in front.lines[-1]
        assert "none" not in front.lines[-1]
        await front.press("plus", "m", "m")
        assert "more" not in front.lines[-1]
        assert (screen.count, front.said) == (2, "Two is enough.")
        assert "Two is enough." in front.text
        await front.press("z")
        assert (screen.count, front.said) == (0, "")
        screen.query_one(TextField).focus()
        await front.press("m", "z")
        assert (screen.count, screen.query_one(TextField).value) == (0, "mz")
        assert front.lines[-1] == " F1 help  Ctrl+P all  Esc back"
    async with counting(tmp_path, (30, 18)) as (front, _screen):
        assert front.lines[-1] == " ? help  + more  Esc back", "never without the way out"


class Sized(Counter):
    """A screen that notes the classes which it has before its widgets have their styles."""

    HORIZONTAL_BREAKPOINTS = BREADTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    first = frozenset[str]()

    def body(self) -> Iterable[LabelledField]:
        self.first = self.classes
        return super().body()


@pytest.mark.parametrize(
    ("size", "classes"),
    [
        ((80, 23), {"-narrow", "-low"}),
        ((99, 24), {"-narrow", "-high"}),
        ((100, 36), {"-wide", "-roomy"}),
    ],
)
async def test_a_screen_is_styled_for_its_size_before_its_first_layout(
    tmp_path: Path, size: tuple[int, int], classes: set[str]
) -> None:
    async with counting(tmp_path, size, Sized) as (_front, screen):
        assert isinstance(screen, Sized)
        assert screen.first == screen.classes == classes


@pytest.mark.parametrize(("key", "count"), [("y", 1), ("enter", 1), ("n", 0), ("x", 0)])
async def test_a_question_is_answered_by_one_key_whatever_has_the_focus(
    tmp_path: Path, key: str, count: int
) -> None:
    async with counting(tmp_path) as (front, screen):
        line = screen.query_one(TextField)
        line.focus()
        await front.pilot.pause()
        screen.action_command("ask")
        await front.pilot.pause()
        assert front.said == "Count? y: yes, n: no"
        await front.press(key)
        assert (screen.count, front.said) == (count, "")
        assert (line.has_focus, line.value) == (True, "")


@pytest.mark.parametrize("leave", [Counter.back, Counter.help])
async def test_somebody_who_leaves_a_screen_as_it_is_replaced_stays_at_the_new_one(
    tmp_path: Path, leave: Callable[[Counter], None]
) -> None:
    async with counting(tmp_path) as (front, screen):
        new = Counter()
        front.app.call_later(front.app.switch_screen, new)  # as when a game begins
        leave(screen)
        await front.pilot.pause()
        assert front.app.screen is new
        await front.press("escape")
        assert front.app.screen is not new


async def test_an_answer_is_picked_over_the_screen_by_arrows_or_letters(tmp_path: Path) -> None:
    picked, answers = list[int](), ["ana", "Bruno", "[b]Chiara"]
    async with counting(tmp_path) as (front, screen):
        for keys in (("down", "enter"), (*"chi", "enter"), ("escape",)):
            screen.pick("Who is it?", answers, picked.append)
            await front.sees("Who is it?")
            assert all(answer in front.text for answer in answers), "as they are, and no markup"
            await front.press(*keys)
            assert screen.palette is None
        assert picked == [1, 2]
        screen.pick("Who is it?", answers, picked.append)
        await front.sees("Who is it?")
        await front.press("3")
        assert (screen.palette, picked) == (None, [1, 2, 2])
        screen.pick("How many?", ["1", "11"], picked.append)
        await front.sees("How many?")
        await front.press("1", "1", "enter")
        assert picked[3:] == [1], "an answer with digits is typed"
        screen.pick("Who is it?", answers, picked.append)
        await front.sees("Who is it?")
        await front.press(*"zz[/b]")
        await front.sees("Nothing matches: zz[/b].")


async def test_help_shows_what_works_now_and_more_shows_every_command(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        await front.press("m", "m", "question_mark")
        assert front.screen is screen
        assert [line.strip("│ ") for line in front.lines if "│" in line] == [
            "z    count again",
            "k    ask before counting",
            "Esc  go back",
        ], "two is enough, so that no more can be counted"
        await front.go(HelpScreen, "question_mark")
        for command in screen.by_name.values():
            assert f" {command.spelt} " in front.text
            assert command.purpose in front.text
        assert "not now" not in front.text
        await front.go(Counter, "escape")
        await front.press("question_mark", "x")
        assert (screen.palette, screen.count) == (None, 2), "any other key closes the box alone"


async def test_a_box_is_as_wide_as_its_letters(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        screen.open_box(
            "Words", lambda _columns: [Content("\u5b89\u5a1c \u5b89\u5a1c \u5b89\u5a1c")]
        )
        await front.sees("Words")
        (box,) = front.screen.query(OverBox)
        assert box.max_scroll_y == 0
        await front.sees("\u5b89\u5a1c \u5b89\u5a1c \u5b89\u5a1c")


async def test_a_long_box_says_that_there_is_more_until_its_end(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        screen.open_box(
            "Words", lambda _columns: [Content(f"this is line {at}") for at in range(24)]
        )
        await front.sees("Down for more")
        await front.press("down")
        await front.sees("this is line 23")
        await front.sees("any key closes")
        await front.press("up")
        await front.sees("Down for more")


async def test_help_at_the_table_has_groups_and_then_every_sign_on_a_page() -> None:
    async with shown_table() as at:
        await at.press("question_mark")
        assert "suggest a move, and why" in at.shown
        assert "Ana" in at.shown, "the table stays in sight"
        await at.press("enter")
        page = at.app.screen.query_one(TextPage)
        groups = [line.plain for line in page._draw_lines(78) if not line.plain.startswith(" ")]
        assert groups[0] == "Play"
        assert "Chat" in groups
        assert at.shown.count("choose a card") == 1
        assert "Arrows hjkl asw" in at.shown
        await at.press("enter")
        assert "2/2 Signs" in at.shown
        told = "\n".join(line.plain for line in page._draw_lines(78))
    signs = told.split()
    for mark in set(CellMark) - {CellMark.NONE}:
        assert (f"[{mark.value}]" if mark is CellMark.FITS else mark.value) in signs
    for sign in (*PlayerNote, *Sign):
        assert f" {sign.value}" in f" {told}"


def test_somebody_who_plays_alone_is_offered_nothing_that_a_host_does_for_others() -> None:
    hosted = {"pause", "next round", "give host", "lock", "new code", "close"}
    lobby = structs.replace(scenes.lobby(), host=1)
    at = PureTable(scenes.now(at=lobby))
    assert hosted <= at.offered
    titles = {command.group for command in at.commands.values() if command.name in hosted}
    assert titles == {"Host"}
    practice = PureTable(scenes.now(at=structs.replace(lobby, name="")))
    assert hosted.isdisjoint(practice.offered)


@pytest.mark.parametrize("key", first(1, ["ctrl+p", "f10", "colon"], thorough=3))
async def test_the_palette_finds_a_command_by_a_word_and_does_it(tmp_path: Path, key: str) -> None:
    async with counting(tmp_path) as (front, screen):
        await front.press(key)
        assert front.lines[-1] == " Enter do it  Esc back"
        await front.type_in("one mo")
        assert "Count again" not in front.text
        await front.press("enter")
        await front.until(lambda: screen.count == 1)
        assert screen.palette is None


async def test_the_palette_lies_over_its_screen_which_takes_keys_again_once_it_is_closed(
    tmp_path: Path,
) -> None:
    async with counting(tmp_path) as (front, screen):
        screen.query_one(TextField).focus()
        for close in ("escape", "ctrl+p", "f10"):
            await front.press("ctrl+p", "m")
            assert front.app.screen is screen
            assert "Word" in front.lines[0]
            assert "Count one more" in front.text
            await front.press(close)
            assert "Count one more" not in front.text
            assert screen.query_one(TextField).has_focus
        await front.press("x")
        assert (screen.query_one(TextField).value, screen.count) == ("x", 0)


async def test_the_mouse_does_what_it_clicks_in_the_palette_or_closes_it(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        for column in (3, 18):  # of the footer: do it, back
            await front.press("ctrl+p", *"one")
            await front.click(screen.footer, column, 1)
            await front.until(lambda: screen.palette is None)
            assert screen.count == 1
        await front.press("ctrl+p", *"one")
        assert isinstance(screen.palette, CommandPalette)
        await front.click(screen.palette.menu, 5, 0)
        await front.until(lambda: screen.count == 2)
        await front.press("ctrl+p")
        screen.query_one("LabelledField > TextField").focus()
        await front.pilot.pause()
        assert screen.palette is None


async def test_the_palette_folds_what_cannot_be_done_and_says_why(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        names = names_in(palette_of(screen))
        assert names == ["help", "more", "ask", "back", "none"], "hidden ones come after others"
        await front.press("m", "m", "ctrl+p")
        assert "Count one more" not in front.text
        assert "+ 1 more, not now" in front.text
        await front.press("pagedown", "enter")
        assert "Count one more (not now). Two is enough." in front.text
        await front.press("pagedown", "enter")
        await front.until(lambda: front.said == "Two is enough.")
        assert screen.count == 2


def palette_of(screen: CommandScreen) -> CommandPalette:
    """The palette of a screen, for 80x24, whose rows are looked at and not seen."""
    palette = CommandPalette(
        "", "", screen.list_palette_commands(), lambda _text: None, lambda _command: None
    )
    palette.fit(Size(80, 24))
    return palette


def names_in(palette: CommandPalette, typed: str = "") -> list[str]:
    """The commands that it lists."""
    palette.find(typed)
    return [command.name for command in palette.found]


def test_keys_are_called_as_they_are_labelled() -> None:
    keys = "question_mark escape ctrl+p f10 colon a A space left shift+tab slash"
    assert key_names(keys.split()) == "? Esc Ctrl+P F10 : a A Space Left Shift+Tab /"


class Phrases(CommandScreen):
    """A screen of commands whose purposes share words."""

    def commands(self) -> Iterable[Command]:
        yield Command("hint", ("i",), "hint", "a good move; once more for another", self._no)
        yield Command("begin", (), "begin", "go on boldly", self._no, lambda: "Not yet.")
        yield Command("pause", (), "pause", "host: pause, or go on", self._no)
        yield Command("never", (), "never", "go on for ever", self._no, concerns=lambda: False)

    def _no(self) -> None:
        raise AssertionError


async def test_palette_and_help_find_a_phrase_before_scattered_words_and_only_what_is_ones_own(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        screen = Phrases()
        await front.app.push_screen(screen)
        palette = palette_of(screen)
        assert names_in(palette, "go on") == ["pause", "begin", "hint"]
        assert names_in(palette, "on go") == ["pause", "begin", "hint"]
        assert names_in(palette, "o")[0] == "hint", "equal matches: what can be done, in its order"
        assert names_in(palette, "a") == ["hint"], "and not pAuse"
        assert names_in(palette, "st") == ["pause"], "nothing begins like hoST"
        await front.press("question_mark")
        await front.go(HelpScreen, "enter")
        assert "go on for ever" not in front.text
        [line] = [line for line in front.lines if "host: pause" in line]
        assert line.strip("│ ").split()[0] == "Ctrl+P", "what has no key is in the palette"


async def test_a_key_that_does_nothing_says_so(tmp_path: Path) -> None:
    async with counting(tmp_path) as (front, screen):
        await front.press("w")
        assert front.said == "w does nothing here. ? shows what you can do."
        await front.press("m")
        assert (screen.count, front.said) == (1, "")
        screen.query_one(TextField).focus()
        await front.press("w", "f7")
        assert screen.query_one(TextField).value == "w"
        assert front.said == "F7 does nothing here. F1 shows what you can do."
        screen.action_command("ask")
        await front.press("f7")
        assert front.said == "", "any key answers a question"


class Saver(Counter):
    """A screen with a key for others."""

    def commands(self) -> Iterable[Command]:
        yield from super().commands()
        yield Command("save", ("v",), "save", "save it", self.more, concerns=lambda: False)


async def test_a_key_for_others_is_not_offered_and_a_capital_asks_for_caps_lock(
    tmp_path: Path,
) -> None:
    async with counting(tmp_path, kind=Saver) as (front, screen):
        labels = [label for _spelt, label, _name in screen.footer.keys]
        assert "more" in labels
        assert "save" not in labels
        screen.set_focus(None)
        for key in ("W", "V", "v"):  # nothing to anybody, and to this player
            await front.press(key)
            assert front.said == f"{key} does nothing here. ? shows what you can do."
        assert screen.count == 0, "nor does the key do anything"
        await front.press("M")
        assert front.said == "M does nothing here, but m does. Is Caps Lock on?"


LONG = "This sentence is a good deal longer than the columns of the smallest terminal are."


async def test_a_long_sentence_takes_lines_from_above_and_gives_them_back(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        welcome, before, keys = front.screen, front.lines, front.lines[-1]
        welcome.say(LONG * 9)
        await front.pilot.pause()
        assert welcome.footer.size.height == 4, "there is room left for the screen"
        assert front.lines[-1] == keys
        welcome.say(LONG)
        await front.pilot.pause()
        assert front.lines[-3:] == [
            " This sentence is a good deal longer than the columns of",
            " the smallest terminal are.",
            keys,
        ]
        await front.pilot.resize_terminal(120, 24)
        await front.until(lambda: welcome.footer.size.height == 2)
        await front.pilot.resize_terminal(60, 18)
        await front.until(lambda: welcome.footer.size.height == 3)
        await front.click(welcome.footer, 1, 1)
        assert front.screen is welcome, "the sentence is no key"
        await front.click(welcome.footer, 1, 2)
        await front.sees("What you can do here")
        await front.press("escape")
        welcome.say("")
        await front.until(lambda: front.lines == before)


async def test_at_the_table_the_newest_line_the_hand_and_the_keys_stay_in_sight() -> None:
    async with shown_table(size=(60, 18)) as at:
        await at.receive(replace(scenes.now(), connection=ConnectionState.LOST))
        lines = at.shown.splitlines()
        assert lines[-1] == " ? help  i hint  t chat  c claim  Tab page  q leave"
        assert lines[-2] == " table back."
        assert "╚═ NE" in lines[-5]
        assert lines[-7].endswith("│   you!")
        await at.receive(scenes.now())
        assert at.table.footer.size.height == 2


async def test_in_a_crowded_lobby_the_line_for_talk_stays_in_sight(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        await front.go(LobbyScreen, "h", *(["down"] * 2), *(["right"] * 5), "enter")
        await front.sees("3 free")
        assert " Chat" in front.text
        front.screen.say(LONG)
        await front.pilot.pause()
        assert " Chat" in front.text
        assert "? help" in front.lines[-1]


def test_the_log_of_a_lobby_shows_no_line_from_its_middle_on() -> None:
    lines = ("the first of them is long", "short")
    assert fit_last_lines(lines, 12, 2) == ["short"]
    assert fit_last_lines(lines, 12, 4) == ["the first of", "  them is", "  long", "short"]
    assert fit_last_lines(lines[:1], 12, 2) == ["the first of", "  them is"], (
        "unless none would fit"
    )
    assert fit_last_lines(lines, 12, 0) == []
