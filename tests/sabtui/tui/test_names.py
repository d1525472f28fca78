"""Names and talk from others: in any script they keep columns straight, and nobody comes to harm.

Each screen is drawn twice, with names in other scripts and with Latin ones as wide: what is no name
has to stand in the same cells. What a cheating host may send is text on every screen.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest
from msgspec import structs
from rich.cells import cell_len
from textual.screen import Screen

from engine.view import View
from net.client.session import Status, Update
from net.protocol.chat import ChatLine
from net.protocol.cleaning import clean_name
from net.protocol.lobby import Lobby, Settings, TablePhase, Taken, clean_text
from sabtui.after import records_screen
from sabtui.after.records_screen import RecordsScreen
from sabtui.app.requests import ResumableTable
from sabtui.plain.overview import table_lines
from sabtui.text.layout import width
from sabtui.text.lobby import player_names
from sabtui.text.names import PlayerNames
from sabtui.text.summary import who_lines
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.output import Display
from sabtui.tui.screens.join import JoinDialog, ResumeScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, found_game, open_app
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.samples import first

WRITTEN: Final = (
    ("金剛石金剛石金剛石金剛石", "محمد السعيد", "Z\u0323\u0302o\u0308e\u0301", "שלום עולם"),
    ("สมชาย กิตติ", "각난다라마바사아자차카타", "कमलेश", "ﷺ\u200b\u3164x\u115f\u2800"),
    ("👩🍺", "\u1112\u1161\u11ab", "Ω\u034f\u0345", "\u3000全角\u3000\uff21\uff22\ufeff"),
    ("தமிழ்ச்செல்வி", "हिन्दी वाली", "කෝකිලා", "ក្រៅ"),
)
NAMES: Final = tuple(tuple(map(clean_name, names)) for names in WRITTEN)
LATIN: Final = "QJZV"
"""Letters that no text on these screens has."""

NAMED: Final = re.compile(rf"[{LATIN}](\S| (?! ))*")
"""A name of these, with what stands beside it up to two blanks."""

BLANK: Final = ("\u3164\u3164", "\u2800", "\u034f\u034f", "\u115f\u1160", "\uffa0 \u200b\u00ad")

SMALLEST, USUAL = (60, 18), (80, 24)
each_names = pytest.mark.parametrize(
    "names", first(1, [(names,) for names in NAMES], thorough=len(NAMES)), ids=range(len(NAMES))
)
each_size = pytest.mark.parametrize("size", first(1, [(SMALLEST,), (USUAL,)], thorough=2), ids=str)


def latin(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as wide, in letters of one cell, and with blanks in the same places."""
    return tuple(
        " ".join(letter * width(word) for word in name.split(" "))
        for letter, name in zip(LATIN, names, strict=True)
    )


def in_cells(line: str) -> list[str]:
    """What stands in each cell of a line."""
    cells: list[str] = []
    for character in line:
        cells += [character, *[""] * (cell_len(character) - 1)][: cell_len(character)]
    return cells


def moved_lines(shown: list[str], as_it_should: list[str]) -> Iterator[str]:
    """Lines in which something stands elsewhere that is no name, nor goes on after one."""
    for line, right in zip_longest(shown, as_it_should, fillvalue=""):
        named = {at for name in NAMED.finditer(right) for at in range(*name.span())}
        pairs = zip_longest(in_cells(line.rstrip()), right.rstrip(), fillvalue=" ")
        if any(here != there for at, (here, there) in enumerate(pairs) if at not in named):
            yield f"{line}\n{right}"


def in_the_lobby(names: tuple[str, ...], settings: Settings = Settings()) -> Lobby:  # noqa: B008 - frozen
    """People with these names before their game."""
    few = scenes.lobby(names)
    chairs = (*(Taken(member, ready=True) for member in range(1, 5)), few.chairs[4])
    return structs.replace(few, stage=TablePhase.LOBBY, settings=settings, chairs=chairs)


def now(lobby: Lobby, view: View | None, texts: tuple[str, ...]) -> Status:
    """What Ana holds where each of these texts was said by another seat."""
    talk = tuple(
        ChatLine(person.name, seat, text, None, scenes.LATELY)
        for seat, (person, text) in enumerate(zip(lobby.people, texts, strict=False))
    )
    held = scenes.now(scenes.view(), lobby, talk).game_state
    assert held is not None
    return Status(scenes.now().connection, 1, replace(held, view=view))


MOMENTS: Final[dict[str, tuple[View, tuple[str, ...]]]] = {
    "turn": (scenes.view(turn=2), ("c",)),
    "gold": (scenes.choosing(), ("p", "down")),
    "between": (scenes.between(), ()),
    "over": (scenes.over(), ()),
}
"""Moments at a table, each with the keys that are pressed there."""


async def draw_moments(names: tuple[str, ...], size: tuple[int, int]) -> AsyncIterator[str]:
    """The table at all these moments, line by line."""
    app = TableApp()
    async with app.run_test(size=size) as pilot:
        for view, pressed in MOMENTS.values():
            said = tuple(map(clean_text, names))
            await app.show(IdleSession(now(scenes.lobby(names), view, said)))
            await pilot.press(*pressed)
            await pilot.pause()
            for line in text_of(app).splitlines():
                yield line
            await app.switch_screen(Screen())


@pytest.mark.parametrize(
    ("names", "size"),
    [
        pytest.param(names, size, id=f"{number}-{size}", marks=marks)
        for number, names in enumerate(NAMES)
        for size, marks in (
            (SMALLEST, pytest.mark.level("thorough") if number else ()),
            (USUAL, pytest.mark.level("soak")),
        )
    ],
)
async def test_a_table_is_straight(names: tuple[str, ...], size: tuple[int, int]) -> None:
    right = [line async for line in draw_moments(latin(names), size)]
    shown = [line async for line in draw_moments(names, size)]
    assert [*moved_lines(shown, right)] == []


@each_names
async def test_lobby_lists_and_lines_are_straight(names: tuple[str, ...], tmp_path: Path) -> None:
    seen: list[list[str]] = []
    for called in (names, latin(names)):
        service, lobby = PreparedTables(), in_the_lobby(called)
        service.tables = tuple(
            ResumableTable(name, name, time.time() - 400, is_host=False) for name in called
        )
        async with open_app(tmp_path, service=service) as front:
            await front.go(ResumeScreen, "r")
            lines = front.lines
            front.sit(now(lobby, None, called))
            await front.is_on(LobbyScreen)
            await front.sees(called[1])
            lines += front.lines
        status, cast = now(lobby, scenes.over(), called), player_names(lobby, 1)
        lines += [*who_lines(scenes.over(), cast), *table_lines(status, lobby)]
        seen.append(lines)
    assert [*moved_lines(*seen)] == []


def test_a_name_that_nobody_can_see_is_called_by_its_seat() -> None:
    assert PlayerNames.of(BLANK, None).names == tuple(f"Player {seat}" for seat in range(1, 6))


@pytest.mark.parametrize("name", [name for names in NAMES for name in names])
def test_terminal_and_screen_agree_on_how_wide_a_name_is(name: str) -> None:
    assert 0 < width(name) == cell_len(name)


HOSTILE: Final = (
    "[red]Ana[/] [@click=app.quit]x",
    "\x1b[31m\x1b]0;owned\x07Bruno\x9b2J",
    "\u202eoraihC\u2066\u200f\u200b\ufeff",
    "\u91d1" * 18 + "a" + "\u0301" * 20 + "\n\r\t\v\u2028",
)
LONG: Final = "".join(f"{name} " for name in HOSTILE) * 90


def find_harm(text: str) -> Iterator[str]:
    """What a terminal might obey, or be led astray by."""
    for letter in text:
        if letter != "\n" and unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
            yield repr(letter)


def assert_safe(front: Front) -> None:
    """Nothing on the screen does harm, and none of it is wider than the terminal."""
    strips = front.app.screen._compositor.render_strips()
    assert [segment for strip in strips for segment in strip if "click" in str(segment.style)] == []
    assert [strip.text for strip in strips if strip.cell_length > front.app.size.width] == []
    assert [*find_harm(front.text)] == []


@each_size
@pytest.mark.parametrize("in_game", [False, True], ids=["lobby", "table"])
async def test_a_seat_is_shown_whatever_its_host_sends(
    size: tuple[int, int], tmp_path: Path, *, in_game: bool
) -> None:
    settings = Settings(edition=HOSTILE[1])
    people = scenes.lobby(HOSTILE) if in_game else in_the_lobby(HOSTILE, settings)
    lobby = structs.replace(people, name=LONG[:56])
    status = now(lobby, scenes.view() if in_game else None, (LONG,) * len(HOSTILE))
    async with open_app(tmp_path, size) as front:
        seats = front.sit(status)
        await front.is_on(TableScreen if in_game else LobbyScreen)
        await front.sees("[red]Ana[/]")
        assert_safe(front)
        for key in ("c", "p", "tab", "question_mark") if in_game else ("end", "x", "n", "g", "e"):
            await front.press(key)
            assert_safe(front)
        held = status.game_state
        assert held is not None
        seats[0].on_update(Update(replace(status, game_state=replace(held, step=held.step + 1))))
        await front.pilot.pause()
        assert_safe(front)


@each_size
async def test_lists_show_whatever_they_are_told(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = PreparedTables()
    texts = (*HOSTILE, LONG)
    service.tables = tuple(ResumableTable(text, text, 0.0, is_host=False) for text in texts)
    monkeypatch.setattr(records_screen, "records_folder", lambda: tmp_path)
    for number, name in enumerate(HOSTILE):
        kept = f"{number}{name}".replace("/", "").replace("\0", "")
        (tmp_path / f"{kept}.sab").write_text(LONG, encoding="utf-8")
    async with open_app(tmp_path, size, service) as front:
        await front.list_games(*(found_game(number, text) for number, text in enumerate(texts)))
        for _ in texts:
            await front.press("down")
            assert_safe(front)
        await front.go(JoinDialog, "enter")
        assert_safe(front)
        await front.go(ResumeScreen, "escape", "escape", "r")
        assert_safe(front)
        await front.go(RecordsScreen, "escape", "c")
        for _ in HOSTILE:
            await front.press("enter", "down")
            assert_safe(front)


def test_a_title_ends_where_it_has_to() -> None:
    written: list[str] = []
    display = Display(written.append)
    display.set_title(HOSTILE[1])
    display.set_title(LONG)
    assert written[0] == "\x1b]2;[31m]0;ownedBruno2J\x07"
    assert [*find_harm(written[1][4:-1])] == []
