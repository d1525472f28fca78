"""Through all screens, in a language, at the size that most terminals have.

Knows how one gets to each screen, and how a scene at the table is shown. What is looked for there,
others know. Made-up languages are spoken like those that have a catalogue.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from msgspec import structs
from textual.app import App

from net.client.seat import Now, Standing
from net.discovery.address import Address
from net.discovery.advert import OURS, Advert, Stage
from net.discovery.game import Game, Status, titled
from net.lobby import BotChair
from net.messages import Say, SetReady
from sabtui.preferences import Store
from sabtui.screen import records
from sabtui.screen.app import SabtuiApp
from sabtui.screen.commands import Commanded
from sabtui.screen.doors import Comeback
from sabtui.screen.enter import Enter
from sabtui.screen.foot import Foot
from sabtui.screen.form import Choice, Note
from sabtui.screen.help import Help
from sabtui.screen.host import Host
from sabtui.screen.join import Join
from sabtui.screen.lobby import Lobby
from sabtui.screen.lobby.terms import TermsScreen
from sabtui.screen.palette import Palette
from sabtui.screen.records import Records
from sabtui.screen.resume import Resume
from sabtui.screen.rules import Rules
from sabtui.screen.rules.pages import lessons
from sabtui.screen.settings import Settings
from sabtui.words.languages import tongue
from sabtui.words.tongue import Tongue, speak
from tests.sabtui.cases import seen
from tests.sabtui.screen import scenes
from tests.sabtui.screen.front import Front, Porter
from tests.sabtui.screen.parlour import Parlour, Still
from tests.sabtui.screen.pictures import Picture, text_of

USUAL: Final = (80, 24)
TALL: Final = (80, 80)
"""For what scrolls: as wide, and all of it is seen at once."""

RECORD: Final = Path(__file__).parents[2] / "data" / "records" / "whole.sab"


WATCHED: Final = seen(f"{scenes.MINE} 1 -,P,PLC,-,- 6,5,6,6,4 18 ?????+?", None)
"""What those see of the table who have no seat."""

KEPT: Final = (
    *("welcome", "join_1", "join_address", "enter", "resume", "settings", "host"),
    *("lobby", "lobby_guests", "lobby_terms", "lobby_help", "rules_1", "rules_3", "rules_7"),
    *("table_lay", "table_break", "table_repair", "table_rockfall", "table_discard"),
    *("table_claims", "table_known", "table_gold", "table_round_over", "table_game_over"),
)
"""What is kept as text in each language, to be read in a diff."""


@dataclass(frozen=True, slots=True)
class View:
    """A screen on the tour: its name, its text, and its foot where it has one."""

    name: str
    text: str
    foot: Foot | None


@contextmanager
def spoken(speaking: Tongue) -> Iterator[None]:
    """Speak here too: what is asked of a screen from a test is said in the test's context."""
    speak(speaking)
    try:
        yield
    finally:
        speak(tongue("en"))


async def tour(
    speaking: Tongue,
    folder: Path,
    patch: pytest.MonkeyPatch,
    wanted: Callable[[str], bool] = lambda _name: True,
) -> AsyncIterator[View]:
    """All screens, one after the other; of those at the table, all that are wanted."""
    patch.setattr(records, "folder", lambda: folder)
    shutil.copy(RECORD, folder / "whole.sab")
    with spoken(speaking):
        async for view in _before_the_table(speaking, folder):
            yield view
        async for view in _pages(speaking, folder):
            yield view
        for picture in at_the_table():
            if not wanted(f"table_{picture.name}"):
                continue
            app = Parlour(picture.glyphs)
            async with app.run_test(size=picture.size) as pilot:
                await app.show(Still(picture.now))
                await pilot.pause()
                await pilot.press(*picture.keys)
                await pilot.pause()
                yield _seen(f"table_{picture.name}", app)


async def kept(language: str) -> AsyncIterator[View]:
    """What is kept of a language."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        async for view in tour(tongue(language), Path(folder), patch, KEPT.__contains__):
            if view.name in KEPT:
                yield view


def at_the_table() -> list[Picture]:
    """What there is to see at a table."""
    turn = scenes.now()
    held = turn.held
    assert held is not None
    shown: dict[str, tuple[Now, tuple[str, ...]]] = {
        "lay": (turn, ("2",)),
        "lay_wrong": (turn, ("1", "left")),
        "break": (turn, ("4",)),
        "repair": (turn, ("5", "n")),
        "rockfall": (turn, ("6",)),
        "discard": (turn, ("2", "x")),
        "claims": (turn, ("c",)),
        "known": (turn, ("tab",)),
        "asked": (turn, ("q",)),
        "noted": (turn, ("p", "down", "m")),
        "paused": (scenes.now(at=structs.replace(scenes.lobby(), paused=True)), ()),
        "watching": (Now(Standing.LINKED, 9, replace(held, view=WATCHED)), ()),
        "veiled": (turn, ("v",)),
        "waiting": (scenes.now(scenes.view(turn=4)), ()),
        "gold": (scenes.now(scenes.choosing()), ("3",)),
        "round_over": (scenes.now(scenes.between()), ()),
        "game_over": (scenes.now(scenes.over()), ()),
    }
    return [Picture(name, now, keys) for name, (now, keys) in shown.items()]


@asynccontextmanager
async def _opened(
    speaking: Tongue, folder: Path, size: tuple[int, int] = USUAL
) -> AsyncIterator[Front]:
    file, porter = folder / "settings", Porter()
    porter.tables = (
        Comeback("1", "Gold Rush", time.time() - 400, is_host=True),
        Comeback("2", "Old Mine", time.time() - 90_000, is_host=False),
    )
    file.write_text("name = Ana\nglyphs = box\ntheme = dark\n", encoding="utf-8")
    app = SabtuiApp(lambda: porter, Store(file))
    app._tongue.learn(speaking)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Front(app, pilot, porter)


def _seen(name: str, app: App[None]) -> View:
    screen = app.screen
    return View(name, text_of(app), screen.foot if isinstance(screen, Commanded) else None)


async def _before_the_table(speaking: Tongue, folder: Path) -> AsyncIterator[View]:
    async with _opened(speaking, folder) as front:
        yield _seen("welcome", front.app)
        await front.press("j")
        await front.is_on(Join)
        join = front.screen
        assert isinstance(join, Join)
        join.workers.cancel_all()  # what is on this network is another test's
        join.list_games(())
        await front.pilot.pause()
        yield _seen("join_none", front.app)
        join.list_games(titled(_games()))
        for number in range(len(_games())):
            await front.pilot.pause()
            yield _seen(f"join_{number + 1}", front.app)
            await front.press("down")
        await front.press("a", *"box")
        yield _seen("join_address", front.app)
        await front.press("enter")
        await front.is_on(Enter)
        yield _seen("enter", front.app)
        await front.press("escape")
        await front.is_on(Join)
        await front.press("escape", "escape")
        for key, kind in (("r", Resume), ("c", Records), ("s", Settings), ("h", Host)):
            await front.press(key)
            await front.is_on(kind)
            yield _seen(kind.__name__.lower(), front.app)
            if kind is Records:
                await front.press("enter")
                yield _seen("record", front.app)
                await front.press("escape")
            for choice in list(front.screen.query(Choice)):
                choice.focus()
                for option in choice._options:
                    await front.pilot.pause()
                    yield _seen(f"{kind.__name__.lower()}_{choice.name}_{option.value}", front.app)
                    choice._at = (choice._at + 1) % len(choice._options)
                    front.screen.query_one(Note).follow(choice)
                    choice.refresh()
            if kind is not Host:
                await front.press("escape")
        async for view in _in_the_lobby(front):
            yield view


async def _knows(front: Front, *, talk: int, bots: int) -> None:
    """Wait until the lobby shows so many lines of talk and so many bots."""

    def has_come() -> bool:
        lobby = front.screen
        assert isinstance(lobby, Lobby)
        held = lobby.now.held
        return held is not None and (
            (len(held.talk), sum(isinstance(one, BotChair) for one in held.lobby.chairs))
            == (talk, bots)
        )

    await front.until(has_come)
    await front.pilot.pause()


async def _in_the_lobby(front: Front) -> AsyncIterator[View]:
    """From the form of hosting on: the lobby as the host sees it."""
    await front.press("enter")
    await front.is_on(Lobby)
    yield _seen("lobby", front.app)
    inn = front.porter.inn
    await front.press("b")
    await _knows(front, talk=0, bots=1)
    await front.press("down", "down", "b")
    await _knows(front, talk=0, bots=2)
    bruno, zoe = inn.guest("Bruno"), inn.guest("Zoe", watch=True)
    bruno.want(SetReady(ready=True))
    zoe.want(Say("good luck to all of you!"))
    await _knows(front, talk=1, bots=2)
    yield _seen("lobby_guests", front.app)
    kinds: dict[str, type[Commanded]] = {"terms": TermsScreen, "palette": Palette, "help": Help}
    for command, kind in kinds.items():
        await front.press(front.screen.by_name[command].keys[0])
        await front.is_on(kind)
        yield _seen(f"lobby_{command}", front.app)
        await front.press("escape")
        await front.is_on(Lobby)


async def _pages(speaking: Tongue, folder: Path) -> AsyncIterator[View]:
    """What scrolls."""
    async with _opened(speaking, folder, TALL) as front:
        await front.press("question_mark")
        await front.is_on(Help)
        yield _seen("help", front.app)
        await front.press("escape", "u")
        await front.is_on(Rules)
        for number in range(len(lessons())):
            yield _seen(f"rules_{number + 1}", front.app)
            await front.press("right")
    app = Parlour()
    async with app.run_test(size=TALL) as pilot:
        await app.show(Still(scenes.now()))
        await pilot.press("question_mark")
        await pilot.pause()
        yield _seen("table_help", app)


def _games() -> list[Game]:
    """A game of each kind."""
    kinds = [(Stage.LOBBY, status) for status in Status]
    kinds += [(stage, Status.JOINABLE) for stage in Stage if stage is not Stage.LOBBY]
    return [
        Game(
            "Gold Rush",
            Advert(f"{number:016x}", "Gold Rush", OURS, stage, 2, 5),
            status,
            (Address("192.168.1.20", 7341 + number),),
        )
        for number, (stage, status) in enumerate(kinds)
    ]
