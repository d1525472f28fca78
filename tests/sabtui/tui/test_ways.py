"""The two ways that CONTRIBUTING draws: from a key to the wire, and from a frame to the screen.

A real app at a real host's table takes them, and they are noted call by call.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from types import FrameType

import pytest
from textual.app import App

from engine.bots import BOTS, Playouts
from net.client.session import SessionThread
from net.secure.connection import Connection
from sabtui.tui.app import SabtuiApp
from sabtui.tui.widgets.panel import Panel
from tests.sabtui.tui.test_real_links import party

MOST_HOPS = 7
PAGE = Path(__file__).parents[3] / "CONTRIBUTING.md"
OURS = ("net.", "sabtui.")


def calls() -> tuple[str, ...]:
    """Our functions that wait for this one, the first caller first."""
    frame: FrameType | None = sys._getframe(1)
    found = list[str]()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(OURS):
            found.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return tuple(reversed(found))


class Passes:
    """The calls that led to each of some functions, every time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: dict[str, set[tuple[str, ...]]] = {}
        self._monkeypatch = monkeypatch

    def watch(self, owner: type, name: str) -> None:
        """Note the calls that lead to a method."""
        method, key = getattr(owner, name), f"{owner.__name__}.{name}"
        passes = self.seen.setdefault(key, set())

        def note_call(*values: object, **options: object) -> object:
            passes.add((*calls(), key))
            return method(*values, **options)

        self._monkeypatch.setattr(owner, name, note_call)

    def to(self, key: str, first: str, *others: str) -> tuple[str, ...]:
        """The one way to a function that begins with this call, and passes by the others."""
        ways = {way[way.index(first) :] for way in self.seen[key] if {first, *others}.issubset(way)}
        assert len(ways) == 1, (key, ways)
        return ways.pop()


def read_ways() -> list[tuple[str, ...]]:
    """The calls of each way, as CONTRIBUTING draws them."""
    text = PAGE.read_text(encoding="utf-8").split("call by call:")[1].split("```")[1]
    return [tuple(re.findall(r"\w+\.\w+", way)) for way in text.split("\n\n")]


@pytest.mark.level("thorough")  # only pages would be wrong; a real link is in `test_real_links`
async def test_contributing_draws_both_ways_as_they_are_and_neither_is_long(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = Passes(monkeypatch)
    passes.watch(App, "on_event")
    passes.watch(SabtuiApp, "call_later")
    async with party(where, tmp_path) as table:
        await table.begin()
        await table.ann.until(lambda: table.ann.is_asked or table.ben.is_asked)
        mover = table.ann if table.ann.is_asked else table.ben
        for owner, name in ((SessionThread, "request"), (Connection, "send"), (Panel, "show")):
            passes.watch(owner, name)
        before = mover.view
        mover.press(*mover.keys_for(BOTS["greedy"](before, Random(0), Playouts(0))))
        await mover.until(lambda: mover.view is not before)
    key = (
        *passes.to("App.on_event", "Keyboard.run")[:-1],
        *passes.to("SessionThread.request", "CommandScreen.action_command"),
        *passes.to("Connection.send", "RemoteSession.request"),
    )
    frame = (
        *passes.to("SabtuiApp.call_later", "RemoteSession._read", "StatusPublisher.receive")[:-1],
        *passes.to("Panel.show", "Navigator._show_update"),
    )
    assert read_ways() == [key, frame]
    assert max(len(key), len(frame)) - 1 <= MOST_HOPS
