"""Doors that cannot be opened here: one sentence says why, before any table is opened."""

import re
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import pytest

from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from sabtui.app import launcher
from sabtui.app.errors import UserError
from sabtui.app.launcher import check_doors, find_doors, serve_doors, why_no_door
from sabtui.app.requests import HostRequest
from sabtui.app.tables import open_table
from sabtui.text.doors import INSTALL_COMMAND, no_doors_here


def nothing_is_installed(_name: str) -> ModuleSpec | None:
    return None


def test_every_kind_of_door_has_a_program_that_there_is() -> None:
    assert set(find_doors()) == set(serve_doors()) == set(DoorKind)
    assert all(find_spec(door.arguments[1]) for door in find_doors().values())


@pytest.mark.parametrize("kind", DoorKind)
async def test_a_missing_library_is_told_in_one_sentence_with_how_to_install_it(
    kind: DoorKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "find_spec", nothing_is_installed)
    with pytest.raises(UserError, match=re.escape(INSTALL_COMMAND)) as told:
        await open_table(HostRequest("Ana", "Rush", Settings(), doors=(kind,)))
    assert "\n" not in str(told.value)
    check_doors([])


def test_windows_has_no_terminals_for_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "HAS_TERMINALS", False)
    assert why_no_door(DoorKind.SSH) == no_doors_here()
