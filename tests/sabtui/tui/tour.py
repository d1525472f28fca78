"""Through all screens, in a language, at the size that most terminals have.

Knows how one gets to each screen, and how a scene at the table is shown. What is looked for there,
others know. Made-up languages are spoken like those that have a catalogue.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from msgspec import structs
from textual.app import App
from textual.screen import Screen

from engine.bots.review import Effort
from net.client.session import ConnectionState, Received, Status, Update
from net.discovery.advert import AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import BotChair
from net.protocol.requests import Chat, SetReady
from sabtui.after import records_screen, review_screen
from sabtui.after.records_screen import RecordsScreen
from sabtui.after.replay_screen import ReplayScreen
from sabtui.after.replays import read_replay
from sabtui.after.review import GameReview, review_game
from sabtui.after.review_screen import ReviewScreen
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import ResumableTable
from sabtui.text.evening import farewell_lines
from sabtui.text.i18n import Locale, load_locale, set_language
from sabtui.text.rules import rules_pages
from sabtui.tui.app import SabtuiApp
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.host import HostScreen, PractiseScreen, TableSettingsScreen
from sabtui.tui.screens.join import JoinDialog, JoinScreen, ResumeScreen
from sabtui.tui.screens.living import LivingMine
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.screens.podium import EveningScreen
from sabtui.tui.screens.rules import RulesScreen
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.widgets.footer import StatusFooter
from sabtui.tui.widgets.form import ChoiceRow, FormHint, MoreRow
from tests.sabtui.cases import view_of
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, found_game
from tests.sabtui.tui.pictures import Picture, text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp

USUAL: Final = (80, 24)
TALL: Final = (80, 140)
"""For what scrolls: as wide, and all of it is seen at once."""

RECORD: Final = Path(__file__).parents[2] / "data" / "records" / "whole.sab"


PLAYED: Final = time.mktime((2026, 11, 21, 20, 15, 0, 0, 0, -1))
"""When the kept game was played, in seconds since 1970: the same time of day in every time zone."""

WATCHED: Final = view_of(f"{scenes.MINE} 1 -,P,PLC,-,- 6,5,6,6,4 18 ?????+?", None)
"""What those see of the table who have no seat."""

KEPT: Final = (
    *("replay", "replay_seat", "records", "replay_reviewed", "review"),
    *("welcome", "join_1", "join_address", "enter", "resume", "settings", "practise", "host"),
    *("lobby", "lobby_evening", "lobby_guests", "lobby_terms", "lobby_help"),
    *("rules_1", "rules_3", "rules_7"),
    *("table_lay", "table_break", "table_repair", "table_rockfall", "table_discard"),
    *("table_claims", "table_known", "table_gold", "table_round_over", "table_game_over"),
    *("table_role", "table_ways"),
)
"""What is kept as text in English, to be read in a diff."""

LAID_OUT: Final = (
    *("host", "settings", "lobby_guests", "records", "review"),
    *("table_lay", "table_known", "table_game_over"),
)
"""What is kept in other languages: where words set columns beside each other, or share a row."""


@dataclass(frozen=True, slots=True)
class TourStop:
    """A screen on the tour: its name, its text, and its foot where it has one."""

    name: str
    text: str
    foot: StatusFooter | None
    on_top: str
    """The text of the box over it, which cuts off words below; without one, the same text."""
    kind: type


@contextmanager
def speak(speaking: Locale) -> Iterator[None]:
    """Speak here too: what is asked of a screen from a test is said in the test's context."""
    set_language(speaking)
    try:
        yield
    finally:
        set_language(load_locale("en"))


def keep_record(path: Path, when: float) -> None:
    """Keep the game of these pictures."""
    path.write_bytes(RECORD.read_bytes())
    os.utime(path, (when, when))


async def tour(
    speaking: Locale,
    folder: Path,
    patch: pytest.MonkeyPatch,
    wanted: Callable[[str], bool] = lambda _name: True,
) -> AsyncIterator[TourStop]:
    """All screens, one after another; where each takes long, those that are wanted."""
    patch.setattr(records_screen, "records_folder", lambda: folder)
    patch.setattr(review_screen, "review_game", lambda *_given: _review_quickly())
    keep_record(folder / "whole.sab", PLAYED)
    with speak(speaking):
        async for view in _before_the_table(speaking, folder, wanted):
            yield view
        async for view in _pages(speaking, folder):
            yield view
        async for view in _between_games():
            yield view
        app = TableApp()
        async with app.run_test(size=USUAL) as pilot:
            for picture in at_the_table():
                if not wanted(f"table_{picture.name}"):
                    continue
                await app.show(IdleSession(picture.status))
                await pilot.pause()
                await pilot.press(*picture.keys)
                await pilot.pause()
                yield _view_of(f"table_{picture.name}", app)
                await app.pop_screen()


async def _replay(front: Front) -> AsyncIterator[TourStop]:
    """A game that is watched again: with all cards open, and as one player saw it."""
    await front.go(ReplayScreen, "enter")
    await front.press("pagedown", *["down"] * 9)
    yield _view_of("replay", front.app)
    await front.press("2")
    yield _view_of("replay_seat", front.app)
    await front.press("0", "end")
    yield _view_of("replay_over", front.app)
    await front.go(ReviewScreen, "r")
    await front.until(lambda: isinstance(front.screen, ReviewScreen) and front.screen.panel.display)
    await front.press("down")
    yield _view_of("review", front.app)
    await front.go(ReplayScreen, "escape")
    await front.press("home", "pagedown", *["down"] * 9)
    yield _view_of("replay_reviewed", front.app)
    await front.go(RecordsScreen, "escape")


QUICK: Final = Effort(2, 6, 6)
"""Play-outs of a review that need not be good."""


@lru_cache
def _review_quickly() -> GameReview:
    """Return the review of the game that is watched."""
    done = review_game(read_replay(RECORD).replay, effort=QUICK)
    assert done is not None
    return done


def kept_texts(language: str) -> tuple[str, ...]:
    """What is kept as text in a language."""
    return KEPT if language == "en" else LAID_OUT


async def draw_kept(language: str) -> AsyncIterator[TourStop]:
    """What is kept of a language, drawn."""
    names = kept_texts(language)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        async for view in tour(load_locale(language), Path(folder), patch, names.__contains__):
            if view.name in names:
                yield view


DOORS = (DoorNow(DoorKind.SSH, 7351), DoorNow(DoorKind.WEB, 7363))


def at_the_table() -> list[Picture]:
    """What there is to see at a table."""
    turn = scenes.now()
    held = turn.game_state
    assert held is not None
    shown: dict[str, tuple[Status, tuple[str, ...]]] = {
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
        "watching": (Status(ConnectionState.CONNECTED, 9, replace(held, view=WATCHED)), ()),
        "role": (turn, ("u",)),
        "ways": (replace(turn, code="lantern-tiger", doors=DOORS), ("o",)),
        "fair": (turn, ("F",)),
        "unseen": (turn, ("tab", "tab")),
        "waiting": (scenes.now(scenes.view(turn=4)), ()),
        "gold": (scenes.now(scenes.choosing()), ("3",)),
        "round_over": (scenes.now(scenes.between()), ()),
        "game_over": (scenes.finished_status(), ()),
    }
    return [Picture(name, status, keys) for name, (status, keys) in shown.items()]


@asynccontextmanager
async def _open_front(
    speaking: Locale, folder: Path, size: tuple[int, int] = USUAL
) -> AsyncIterator[Front]:
    file, service = folder / "settings", PreparedTables()
    service.tables = (
        ResumableTable("1", "Gold Rush", time.time() - 400, is_host=True),
        ResumableTable("2", "Old Mine", time.time() - 90_000, is_host=False),
    )
    file.write_text("name = Ana\nart = lines\ntheme = dark\n", encoding="utf-8")
    app = SabtuiApp(lambda: service, PreferencesStore(file))
    app._locale.learn(speaking)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Front(app, pilot, service)


def _name(kind: type[Screen[None]]) -> str:
    """Return what a screen is called in these pictures: its class without the word."""
    return kind.__name__.lower().removesuffix("screen")


def _view_of(name: str, app: App[None]) -> TourStop:
    screen, text = app.screen, text_of(app)
    if not isinstance(screen, CommandScreen):
        return TourStop(name, text, None, text, type(screen))
    on_top = text
    if screen.palette is not None:
        column, row, columns, rows = screen.palette.region
        lines = text.splitlines()[row : row + rows]
        on_top = "\n".join(line[column : column + columns] for line in lines)
    return TourStop(name, text, screen.footer, on_top, type(screen))


async def _before_the_table(
    speaking: Locale, folder: Path, wanted: Callable[[str], bool]
) -> AsyncIterator[TourStop]:
    async with _open_front(speaking, folder) as front:
        await front.until(lambda: any(mine.rows for mine in front.screen.query(LivingMine)))
        await front.pilot.pause()
        yield _view_of("welcome", front.app)
        await front.list_games()
        yield _view_of("join_none", front.app)
        await front.list_games(*_games())
        for number in range(len(_games())):
            await front.pilot.pause()
            yield _view_of(f"join_{number + 1}", front.app)
            await front.press("down")
        await front.press("a", *"box")
        yield _view_of("join_address", front.app)
        await front.go(JoinDialog, "enter")
        yield _view_of("enter", front.app)
        await front.go(JoinScreen, "escape")
        await front.press("escape", "escape")
        for key, kind in (
            ("r", ResumeScreen),
            ("c", RecordsScreen),
            ("s", SettingsScreen),
            ("p", PractiseScreen),
            ("h", HostScreen),
        ):
            await front.go(kind, key)
            await front.until(lambda: bool(getattr(front.screen, "every", True)))
            yield _view_of(_name(kind), front.app)
            if isinstance(front.screen, RecordsScreen) and wanted("review"):
                async for view in _replay(front):
                    yield view
            for more in front.screen.query(MoreRow):
                more.action_fold()
            for choice in list(front.screen.query(ChoiceRow)):
                choice.focus()
                first = choice.value
                for option in choice.options:
                    name = f"{_name(kind)}_{choice.name}_{option.value}"
                    if not wanted(name):
                        continue
                    choice.choose(option.value)
                    front.screen.query_one(FormHint).follow(choice)
                    await front.pilot.pause()
                    yield _view_of(name, front.app)
                choice.choose(first)
            if kind is not HostScreen:
                await front.press("escape")
        async for view in _tour_lobby(front):
            yield view


async def _until_known(front: Front, *, talk: int, bots: int) -> None:
    """Wait until the lobby shows this many lines of talk and this many bots."""

    def has_come() -> bool:
        lobby = front.screen
        assert isinstance(lobby, LobbyScreen)
        held = lobby.status.game_state
        return held is not None and (
            (len(held.talk), sum(isinstance(chair, BotChair) for chair in held.lobby.chairs))
            == (talk, bots)
        )

    await front.until(has_come)
    await front.pilot.pause()


async def _tour_lobby(front: Front) -> AsyncIterator[TourStop]:
    """From the form of hosting on: the lobby as the host sees it."""
    await front.go(LobbyScreen, "enter")
    await front.pilot.pause()
    yield _view_of("lobby", front.app)
    inn = front.service.inn
    await front.press("b")
    await _until_known(front, talk=0, bots=1)
    await front.press("down", "down", "b")
    await _until_known(front, talk=0, bots=2)
    bruno, zoe = inn.guest("Bruno"), inn.guest("Zoe", watch=True)
    bruno.request(SetReady(ready=True))
    zoe.request(Chat("good luck to all of you!"))
    await _until_known(front, talk=1, bots=2)
    yield _view_of("lobby_guests", front.app)
    kinds: dict[str, type[CommandScreen]] = {
        "terms": TableSettingsScreen,
        "palette": LobbyScreen,
        "help": LobbyScreen,
    }
    for command, kind in kinds.items():
        await front.go(kind, front.screen.by_name[command].keys[0])
        yield _view_of(f"lobby_{command}", front.app)
        await front.go(LobbyScreen, "escape")


async def _between_games() -> AsyncIterator[TourStop]:
    """The lobby between two games of an evening, as the host sees it."""
    over, news = scenes.between_games()
    assert over.lobby is not None
    lobby = over.lobby
    for event in news:
        lobby = event.change(lobby)
    app = TableApp()
    async with app.run_test(size=USUAL) as pilot:
        screen = LobbyScreen(IdleSession(over), over)
        await app.push_screen(screen)
        await pilot.pause()
        screen.show_update(Update(scenes.in_lobby(lobby), Received(news)))
        await pilot.pause()
        yield _view_of("lobby_evening", app)
        await app.push_screen(EveningScreen(lobby, farewell_lines(over)))
        await pilot.pause()
        yield _view_of("evening", app)


async def _pages(speaking: Locale, folder: Path) -> AsyncIterator[TourStop]:
    """What scrolls."""
    async with _open_front(speaking, folder, TALL) as front:
        await front.go(HelpScreen, "question_mark", "enter")
        yield _view_of("help", front.app)
        await front.go(RulesScreen, "escape", "u")
        for number in range(len(rules_pages())):
            yield _view_of(f"rules_{number + 1}", front.app)
            await front.press("right")
    app = TableApp()
    async with app.run_test(size=TALL) as pilot:
        await app.show(IdleSession(scenes.now()))
        await pilot.press("question_mark", "enter")
        await pilot.pause()
        yield _view_of("table_help", app)


def _games() -> list[DiscoveredGame]:
    """A game of each kind."""
    kinds = [(status, AdvertStage.LOBBY) for status in GameStatus]
    kinds += [(GameStatus.JOINABLE, stage) for stage in AdvertStage if stage != AdvertStage.LOBBY]
    return [found_game(number, "Gold Rush", *kind) for number, kind in enumerate(kinds)]
