"""Opening a table whose process never tells where it is, and doors that cannot be opened."""

from __future__ import annotations

import asyncio
import errno
import re
import subprocess
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from net.client.credentials import Credentials, CredentialStore
from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from sabtui.app import launcher
from sabtui.app.errors import UserError
from sabtui.app.requests import HostRequest, ReopenRequest
from sabtui.app.tables import open_table
from sabtui.text.doors import INSTALL_COMMAND, no_doors_here

HANGS = """
import sys, time
if "sabtui.app.table_process" in sys.orig_argv:
    time.sleep(60)
"""
MINE = HostRequest("Ana", "Mine")


@pytest.fixture(autouse=True)
def hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of any table hang before it begins."""
    (tmp_path / "sitecustomize.py").write_text(HANGS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path / "state")


async def find_process() -> subprocess.Popen[bytes]:
    """The process that is opening a table, once there is one."""
    async with asyncio.timeout(60):
        while not launcher._opening:  # noqa: ASYNC110 - a thread sets it
            await asyncio.sleep(0.01)
    (process,) = launcher._opening
    return process


async def test_who_quits_meanwhile_ends_it_and_waits_for_nothing() -> None:
    opening = asyncio.create_task(open_table(MINE))
    process = await find_process()
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert await asyncio.to_thread(process.wait, 10) != 0
    async with asyncio.timeout(60):
        while launcher._opening:  # noqa: ASYNC110 - a thread clears it
            await asyncio.sleep(0.01)


def test_it_is_said_that_the_system_has_no_process_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_command: object, **_how: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(UserError, match=r"could not be opened \(Resource temporarily unavailable"):
        launcher.start_table(MINE)


def test_it_is_ended_after_a_while_and_its_log_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "TABLE_START_TIMEOUT_S", 0.2)
    with pytest.raises(UserError, match=r"could not be opened \(.*tables\.log\)"):
        launcher.start_table(MINE)
    assert not launcher._opening


def test_a_log_that_has_grown_large_is_begun_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "TABLE_START_TIMEOUT_S", 0.2)
    monkeypatch.setattr(launcher, "MAX_LOG_BYTES", 5)
    log = launcher.state_folder() / launcher.LOG_NAME
    for before, after in ((b"small", b"small"), (b"large!", b"")):
        log.parent.mkdir(exist_ok=True)
        log.write_bytes(before)
        with pytest.raises(UserError):
            launcher.start_table(MINE)
        assert log.read_bytes() == after


def test_processes_that_have_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "TABLE_START_TIMEOUT_S", 0.2)
    for _ in range(2):
        with pytest.raises(UserError):
            launcher.start_table(MINE)
        launcher._started[-1].wait()
    assert len(launcher._started) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_what_a_table_leaves_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state"
    monkeypatch.setattr(launcher, "state_folder", lambda: state / "sabtui")
    monkeypatch.setattr(launcher, "TABLE_START_TIMEOUT_S", 0.2)
    with pytest.raises(UserError):
        launcher.start_table(MINE)
    for path in (state, *state.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
    assert list(state.rglob("*.log"))


@pytest.mark.parametrize("wanted", [MINE, ReopenRequest("a.table")], ids=["new", "reopened"])
def test_a_process_is_asked_for_what_the_player_wants(wanted: HostRequest | ReopenRequest) -> None:
    options = launcher.LaunchOptions(wanted, idle_minutes=5, language="fr")
    assert msgspec.json.decode(msgspec.json.encode(options), type=launcher.LaunchOptions) == options


def test_the_host_joins_with_the_seat_that_the_tables_process_names(tmp_path: Path) -> None:
    store = CredentialStore(tmp_path / "state" / "seats")
    seats = [
        Credentials(
            name=name, addresses=(), table="one table", title="Mine", code=None, pin=bytes(32)
        )
        for name in ("Ana", "Bruno")
    ]
    for seat in seats:
        store.store(seat)
    for seat in seats:
        opened = launcher.TableOpened(table="one table", seat=seat.key.public)
        assert launcher.host_credentials(opened).name == seat.name
    with pytest.raises(UserError, match="make room there"):
        launcher.host_credentials(launcher.TableOpened(table="one table", seat=bytes(32)))


def test_a_table_at_which_nobody_is_connected_ends_after_two_minutes() -> None:
    assert launcher.LaunchOptions(HostRequest("Ana", "Rush")).idle_minutes == 2


def nothing_is_installed(_name: str) -> ModuleSpec | None:
    return None


def test_every_kind_of_door_has_a_program_that_there_is() -> None:
    assert set(launcher.find_doors()) == set(launcher.serve_doors()) == set(DoorKind)
    assert all(find_spec(door.arguments[1]) for door in launcher.find_doors().values())


@pytest.mark.parametrize("kind", DoorKind)
async def test_a_missing_library_is_told_in_one_sentence_with_how_to_install_it(
    kind: DoorKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "find_spec", nothing_is_installed)
    with pytest.raises(UserError, match=re.escape(INSTALL_COMMAND)) as told:
        await open_table(HostRequest("Ana", "Rush", Settings(), doors=(kind,)))
    assert "\n" not in str(told.value)
    launcher.check_doors([])


def test_windows_has_no_terminals_for_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "HAS_TERMINALS", False)
    assert launcher.why_no_door(DoorKind.SSH) == no_doors_here()
