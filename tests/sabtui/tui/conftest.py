"""Apps in tests are waited for by their work, and not by the clock."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast

import pytest
from textual._compositor import Compositor
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.pilot import Pilot
from zeroconf.asyncio import AsyncZeroconf

from net.discovery import mdns, networks
from tests.net.server.journal_tools import quick_folder

PATIENCE_S = 0.1
"""Seconds of this thread's own work that are waited for apps that are never idle: bots play on in
them. While other programs have the processor, an app gets no nearer to being idle."""


async def idle(_least: float = 0.0, _most: float = 0.0) -> None:
    """Let the loop run until nothing is due in it.

    Textual's own waits for the whole process to be lazy for 20 ms, twice a key: on a machine with
    other work that is most of a test's time, and no surer.
    """
    due = cast("deque[object]", getattr(asyncio.get_running_loop(), "_ready"))  # noqa: B009 - the loop's own
    late = time.thread_time() + PATIENCE_S
    await asyncio.sleep(0)
    while due and time.thread_time() < late:  # noqa: ASYNC110 - other tasks' turn is what is given
        await asyncio.sleep(0)


async def _settle(_pilot: Pilot[object], _timeout_s: float = 0.0) -> bool:
    """Let the widgets take in what they were sent, which an idle loop has done.

    Textual's own sends each of them one message more, before and after each key.
    """
    await idle()
    return True


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", idle)
    monkeypatch.setattr("textual.pilot.wait_for_idle", idle)
    monkeypatch.setattr(Pilot, "_wait_for_screen", _settle)


_PARSED: Final[dict[object, list[RuleSet]]] = {}
_parse_rules: Final = Stylesheet._parse_rules


def _parse_once(  # noqa: PLR0913, PLR0917 - as Textual's
    sheet: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,  # noqa: FBT001, FBT002 - as Textual's
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    """Parse rules, or return them as an app before has parsed them, of the same colours."""
    source = (css, read_from, is_default_rules, tie_breaker, scope)
    key = (*source, frozenset(sheet._variables.items()))
    if key not in _PARSED:
        _PARSED[key] = _parse_rules(sheet, *source)
    return _PARSED[key]


@pytest.fixture(autouse=True)
def _sheets_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)


_render_update: Final = Compositor.render_update


def _drop_update(compositor: Compositor, *_how: object, **_else: object) -> None:
    """Drop what would be drawn."""
    compositor._dirty_regions.clear()


@pytest.fixture(autouse=True)
def _draw_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what tests look at; there is no terminal for the updates.

    They are a third of these tests' work. `every_update_drawn` has them where nothing else does.
    """
    monkeypatch.setattr(Compositor, "render_update", _drop_update)


@pytest.fixture
def every_update_drawn(_draw_when_looked_at: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw whatever changes, as at a terminal: for tests that look seldom at what goes on."""
    monkeypatch.setattr(Compositor, "render_update", _render_update)


@pytest.fixture(autouse=True)
def _without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabtui.tui.table.screen.PAUSE_S", 0.01)


@pytest.fixture(autouse=True)
def own_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give each test a library of its own, without the games that others have played."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def where() -> Iterator[Path]:
    """A folder for journals, quick as memory."""
    with quick_folder() as folder:
        yield folder


@pytest.fixture(autouse=True)
def alone_on_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the list of games hear nobody: what it shows is what a test gives it."""

    async def open_zeroconf() -> AsyncZeroconf:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(mdns, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(networks, "own_networks", lambda: ())
