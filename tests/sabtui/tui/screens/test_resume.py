"""The screen that tells of lost moves: the record of what was seen is kept, but not a guest's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.events import Passed
from net.client.trail import Rollback, SeenMove
from sabtui.tui.screens.resume import RollbackScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import IdleSession, TableApp


@pytest.mark.parametrize("is_guest", [False, True])
async def test_a_guest_at_a_door_keeps_no_record_on_the_hosts_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_guest: bool
) -> None:
    monkeypatch.setattr("sabtui.tui.screens.resume.records_folder", lambda: tmp_path)
    status = scenes.now()
    lost = SeenMove("Bruno", Passed(1))
    undone = Rollback(2, 5, (lost,), is_whole=True, held=status.game_state)
    app = TableApp()
    app.is_guest = is_guest
    async with app.run_test(size=(80, 24)) as pilot:
        told = replace(status, undone=undone)
        await app.push_screen(RollbackScreen(IdleSession(told), told))
        await pilot.press("q")
    assert count_files(tmp_path) == (not is_guest)
    assert [not text for text in app.stood] == [is_guest]


def count_files(folder: Path) -> int:
    """Return how many files are in a folder."""
    return len([*folder.iterdir()])
