"""Names and talk in any script keep the columns straight: what is beside them stays where it is.

Each screen is drawn twice, with names in other scripts and with Latin ones as wide. What is no name
has to stand in the same cells.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest
from msgspec import structs
from rich.cells import cell_len
from textual.app import App
from textual.screen import Screen

from net.client.session import OnUpdate, Status
from net.protocol.chat import ChatLine
from net.protocol.lobby import Lobby, Settings, Stage, Taken, clean_text
from net.protocol.text import clean_name
from sabtui.app.requests import ResumableTable, TableHandle
from sabtui.plain.lobby import table_lines
from sabtui.text.layout import width
from sabtui.text.lobby import cast_of
from sabtui.text.names import PlayerNames
from sabtui.text.summary import who_lines
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.join import ResumeScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import PreparedTables, open_app
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.test_navigation import ScriptedSession
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

each_names = pytest.mark.parametrize(
    "names", first(1, [(names,) for names in NAMES], thorough=len(NAMES)), ids=range(len(NAMES))
)


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


def lines_of(app: App[None]) -> list[str]:
    """What is to be seen."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def at_the_table(names: tuple[str, ...]) -> dict[str, Status]:
    """Moments at a table of people with these names, who have said something."""
    table = scenes.lobby(names)
    talk = tuple(ChatLine(name, seat, clean_text(name)) for seat, name in enumerate(names))
    views = {
        "turn": scenes.view(turn=2),
        "gold": scenes.choosing(),
        "between": scenes.between(),
        "over": scenes.over(),
    }
    moments = {name: scenes.now(view, table) for name, view in views.items()}
    return {
        name: replace(status, game_state=replace(status.game_state, talk=talk))
        for name, status in moments.items()
        if status.game_state is not None
    }


def in_the_lobby(names: tuple[str, ...]) -> Lobby:
    """The same people before their game."""
    chairs = (*(Taken(member, ready=True) for member in range(1, 5)), scenes.lobby().chairs[4])
    return structs.replace(
        scenes.lobby(names), stage=Stage.LOBBY, settings=Settings(), chairs=chairs
    )


async def draw_moments(names: tuple[str, ...], size: tuple[int, int]) -> AsyncIterator[str]:
    """The table at all these moments, and with what keys show there, line by line."""
    moments = at_the_table(names)
    keys = {"turn": ("c",), "gold": ("p", "down"), "between": (), "over": ()}
    app = TableApp()
    async with app.run_test(size=size) as pilot:
        for moment, pressed in keys.items():
            await app.show(IdleSession(moments[moment]))
            await pilot.press(*pressed)
            await pilot.pause()
            for line in lines_of(app):
                yield line
            await app.switch_screen(Screen())


@pytest.mark.parametrize(
    ("names", "size"),
    [
        pytest.param(names, size, id=f"{number}-{size}", marks=marks)
        for number, names in enumerate(NAMES)
        for size, marks in (
            ((60, 18), pytest.mark.level("thorough") if number else ()),
            ((80, 24), pytest.mark.level("soak")),
        )
    ],
)
async def test_a_table_is_straight(names: tuple[str, ...], size: tuple[int, int]) -> None:
    right = [line async for line in draw_moments(latin(names), size)]
    shown = [line async for line in draw_moments(names, size)]
    assert [*moved_lines(shown, right)] == []


@each_names
async def test_a_lobby_is_straight(names: tuple[str, ...], tmp_path: Path) -> None:
    seen: list[list[str]] = []
    for called in (names, latin(names)):
        held = scenes.now().game_state
        assert held is not None
        talk = tuple(ChatLine(name, seat, name) for seat, name in enumerate(called))
        status = Status(
            scenes.now().connection,
            1,
            replace(held, lobby=in_the_lobby(called), view=None, talk=talk),
        )

        def teller(on_update: OnUpdate, current: Status = status) -> ScriptedSession:
            return ScriptedSession([current], on_update)

        async with open_app(tmp_path) as front:
            front.app.sit(TableHandle(teller))
            await front.is_on(LobbyScreen)
            await front.sees(called[1])
            seen.append(front.lines)
    assert [*moved_lines(*seen)] == []


@each_names
async def test_lists_are_straight(names: tuple[str, ...], tmp_path: Path) -> None:
    seen: list[list[str]] = []
    when = time.time() - 400
    for called in (names, latin(names)):
        service = PreparedTables()
        service.tables = tuple(ResumableTable(name, name, when, is_host=False) for name in called)
        async with open_app(tmp_path, service=service) as front:
            await front.press("r")
            await front.is_on(ResumeScreen)
            seen.append(front.lines)
    assert [*moved_lines(*seen)] == []


@each_names
def test_lines_are_straight(names: tuple[str, ...]) -> None:
    lines = []
    for called in (names, latin(names)):
        status, table = scenes.now(scenes.over(), scenes.lobby(called)), in_the_lobby(called)
        assert status.view is not None
        assert status.lobby is not None
        lines.append(
            [*who_lines(status.view, cast_of(status.lobby, 1)), *table_lines(status, table)]
        )
    assert [*moved_lines(*lines)] == []


def test_a_name_that_nobody_can_see_is_called_by_its_seat() -> None:
    assert PlayerNames.of(BLANK, None).names == tuple(f"Player {seat}" for seat in range(1, 6))


@pytest.mark.parametrize("name", [name for names in NAMES for name in names])
def test_terminal_and_screen_agree_on_how_wide_a_name_is(name: str) -> None:
    assert 0 < width(name) == cell_len(name)
