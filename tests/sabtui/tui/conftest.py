"""Apps in tests are waited for by their work, and not by the clock."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final, cast
from weakref import WeakKeyDictionary

import pytest
from textual import screen
from textual._compositor import Compositor
from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from net.client import credentials
from net.discovery import networks, service
from net.discovery.joined_mdns import JoinedMdns
from net.server import live_table
from sabtui.tui.table import screen as table_screen
from tests.net.server.conftest import no_suspension
from tests.net.server.journal_tools import quick_folder

__all__ = ["no_suspension"]

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


_SHEETS: Final[dict[object, tuple[list[RuleSet], dict[str, list[RuleSet]]]]] = {}
_parse: Final = Stylesheet.parse


def _parse_once(sheet: Stylesheet) -> None:
    """Parse a sheet, or take its rules as an app before has sorted them, of the same colours.

    Textual parses it all again with each kind of widget that comes to it.
    """
    key = (tuple(sheet.source.items()), frozenset(sheet._variables.items()))
    if key not in _SHEETS:
        _parse(sheet)
        _SHEETS[key] = (sheet._rules, _sort_once(sheet))
    sheet._rules, sheet._rules_map = _SHEETS[key]
    sheet._require_parse = False


def _sort_once(sheet: Stylesheet) -> dict[str, list[RuleSet]]:
    """Return the rules by what they select; a sheet that was parsed before has them already."""
    if sheet._require_parse:
        sheet.parse()
    if sheet._rules_map is None:
        by_name: dict[str, list[RuleSet]] = {}
        for rule in sheet._rules:
            for name in rule.selector_names:
                by_name.setdefault(name, []).append(rule)
        sheet._rules_map = by_name
    return sheet._rules_map


Styled = tuple[RulesMap, bool, bool, bool, bool]
_STYLES: Final[dict[object, Styled]] = {}
_STYLED: Final[WeakKeyDictionary[DOMNode, Styled]] = WeakKeyDictionary()
"""What each widget has of `_STYLES` now."""

_apply: Final = Stylesheet.apply


def _find_state(node: DOMNode) -> tuple[int, ...]:
    """What rules ask of a widget itself, whatever it is in."""
    if not isinstance(node, Widget):
        return node._pseudo_classes_cache_key
    return (node.mouse_hover, node.has_focus, node.disabled, node.allow_focus())


def _apply_once(
    sheet: Stylesheet,
    node: DOMNode,
    *,
    animate: bool = False,
    cache: dict[tuple[object, ...], RulesMap] | None = None,
) -> None:
    """Style a widget, or as one was styled before that rules cannot tell from it.

    Textual compares each widget with all rules, and again whenever a class of it changes or the
    focus moves; and sets every property of it, also to what it is.
    """
    del cache
    app, *_below = path = node.css_path_nodes
    if not isinstance(app, App):
        _apply(sheet, node, animate=animate)
        return
    focused: object = next((one.focused for one in path if isinstance(one, Screen)), None)
    around = set(focused.ancestors_with_self) if isinstance(focused, Widget) else set()
    kinds = [
        (type(one), one._id, frozenset(one._classes), *_find_state(one), one in around)
        for one in path
    ]
    terminal = (app.app_focus, app.is_inline, app.native_ansi_color, app.no_color)
    key = (id(sheet.rules), app.current_theme.dark, *terminal, *kinds)
    known = _STYLES.get(key)
    if known is None:
        _STYLED.pop(node, None)
        found: dict[tuple[object, ...], RulesMap] = {}  # stays empty where siblings matter
        _apply(sheet, node, animate=animate, cache=found)
        for rules in found.values():
            _STYLED[node] = _STYLES[key] = (
                rules,
                node._has_hover_style,
                node._has_focus_within,
                node._has_order_style,
                node._has_odd_or_even,
            )
        return
    before = _STYLED.get(node)
    if before is known:
        return
    (
        rules,
        node._has_hover_style,
        node._has_focus_within,
        node._has_order_style,
        node._has_odd_or_even,
    ) = _STYLED[node] = known
    if before is None or before[0] != rules:
        sheet.replace_rules(node, rules, animate=animate)
    sheet._process_component_classes(node)


@pytest.fixture(autouse=True)
def _sheets_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stylesheet, "apply", _apply_once)
    beside = Stylesheet._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE - {"focus-within"}
    monkeypatch.setattr(Stylesheet, "_EXCLUDE_PSEUDO_CLASSES_FROM_CACHE", beside)
    monkeypatch.setattr(Stylesheet, "parse", _parse_once)
    monkeypatch.setattr(Stylesheet, "rules_map", property(_sort_once))
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)  # as Textual's, but in C


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
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a host in this very thread be slow to answer: the first app to start reads all styles."""
    monkeypatch.setattr(credentials, "JOIN_TIMEOUT_S", 60.0)


@pytest.fixture(autouse=True)
def _short_periods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for what the program does after a while, or now and then."""
    monkeypatch.setattr(screen, "UPDATE_PERIOD", 0.001)
    monkeypatch.setattr(table_screen, "PAUSE_S", 0.01)
    monkeypatch.setattr(live_table, "TICK_S", 0.05)


@pytest.fixture(autouse=True)
def own_records(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give each test a library of its own, without the games that others have played.

    The program makes the folder, if need be: `tmp_path` would be made for every test.
    """
    folder = tmp_path_factory.getbasetemp() / f"data-{next(_numbers)}"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))


_numbers: Final = count()


@pytest.fixture
def where() -> Iterator[Path]:
    """A folder for journals, quick as memory."""
    with quick_folder() as folder:
        yield folder


@pytest.fixture(autouse=True)
def alone_on_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the list of games hear nobody: what it shows is what a test gives it."""

    async def join_mdns() -> JoinedMdns:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(service, "join_mdns", join_mdns)
    alone = (networks.Network("192.0.2.7", 32),)  # nobody hears a call of a test there
    monkeypatch.setattr(networks, "own_networks", lambda: alone)
