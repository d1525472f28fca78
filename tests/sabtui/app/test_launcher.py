"""The process of a table: its port, its doors, and whether it ever tells where it is."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import socket
import subprocess
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from net.client.credentials import Credentials
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import Settings
from net.secure.address import PORTS
from net.secure.code import RoomCode
from net.server.live_table import TableServer
from sabtui.app import launcher, table_process, tables
from sabtui.app.errors import UserError
from sabtui.app.launcher import credential_store, state_folder
from sabtui.app.requests import HostRequest, ReopenRequest
from sabtui.app.tables import open_table
from sabtui.cli.main import main
from sabtui.text.door_words import INSTALL_COMMAND, no_doors_here

HANGS = """
import sys, time
if "sabtui.app.table_process" in sys.orig_argv:
    time.sleep(60)
"""
"""A start of Python at which the process of any table hangs."""

MINE = HostRequest("Ana", "Mine")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tables in the test's folder; serve none here, and let their own processes hang."""

    async def serve_nothing(server: TableServer) -> None:
        server.entrance.close()
        await server._writer.close()

    (tmp_path / "sitecustomize.py").write_text(HANGS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(TableServer, "run", serve_nothing)


async def test_somebody_who_quits_meanwhile_ends_it_and_waits_for_nothing() -> None:
    opening = asyncio.create_task(open_table(MINE))
    async with asyncio.timeout(60):
        while not launcher._opening:  # noqa: ASYNC110 - a thread sets it
            await asyncio.sleep(0.01)
    (process,) = launcher._opening
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert await asyncio.to_thread(process.wait, 10) != 0
    async with asyncio.timeout(60):
        while launcher._opening:  # noqa: ASYNC110 - a thread clears it
            await asyncio.sleep(0.01)


def test_it_is_ended_after_a_while_and_forgotten_and_its_log_is_private_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "TABLE_START_TIMEOUT_S", 0.05)
    monkeypatch.setattr(launcher, "MAX_LOG_BYTES", 5)
    for before, after in ((b"small", b"small"), (b"large!", b"")):
        with pytest.raises(UserError, match=r"could not be opened \(.*tables\.log\)"):
            launcher.start_table(MINE)
        launcher._started[-1].wait()
        (log,) = (tmp_path / "state").rglob(launcher.LOG_NAME)
        log.write_bytes(before)
        with pytest.raises(UserError):
            launcher.start_table(MINE)
        assert log.read_bytes() == after
        assert not launcher._opening
        assert len(launcher._started) == 1
        launcher._started[-1].wait()
    for path in (tmp_path / "state", *(tmp_path / "state").rglob("*")):
        assert os.name == "nt" or path.stat().st_mode & 0o077 == 0, path


def test_it_is_said_that_the_system_has_no_process_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_command: object, **_how: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(UserError, match=r"could not be opened \(Resource temporarily unavailable"):
        launcher.start_table(MINE)


@pytest.mark.parametrize("wanted", [MINE, ReopenRequest("a.table")], ids=["new", "reopened"])
def test_a_process_is_asked_for_what_the_player_wants(wanted: HostRequest | ReopenRequest) -> None:
    options = launcher.LaunchOptions(wanted, idle_minutes=5, language="fr")
    assert msgspec.json.decode(msgspec.json.encode(options), type=launcher.LaunchOptions) == options


def test_the_host_joins_with_the_seat_that_the_tables_process_names() -> None:
    seats = [Credentials(name, (), table="one table", pin=bytes(32)) for name in ("Ana", "Bruno")]
    for seat in seats:
        launcher.credential_store().store(seat)
    for seat in seats:
        opened = launcher.TableOpened(table="one table", seat=seat.key.public)
        assert launcher.host_credentials(opened).name == seat.name
    with pytest.raises(UserError, match="cannot be read"):
        launcher.host_credentials(launcher.TableOpened(table="one table", seat=bytes(32)))


def test_every_kind_of_door_has_a_program_that_there_is() -> None:
    assert set(launcher.find_doors()) == set(launcher.serve_doors()) == set(DoorKind)
    assert all(find_spec(door.arguments[1]) for door in launcher.find_doors().values())


@pytest.mark.parametrize("kind", DoorKind)
async def test_a_missing_library_is_told_in_one_sentence_with_how_to_install_it(
    kind: DoorKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "find_spec", lambda _name: None)
    with pytest.raises(UserError, match=re.escape(INSTALL_COMMAND)) as told:
        await open_table(HostRequest("Ana", "Rush", Settings(), doors=(kind,)))
    assert "\n" not in str(told.value)
    launcher.check_doors([])


def test_windows_has_no_terminals_for_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "HAS_TERMINALS", False)
    assert launcher.why_no_door(DoorKind.SSH) == no_doors_here()


WHY = r"^Port already in use: {port}\. Close a table, or choose another with --port\.$"


def free_port() -> int:
    """Return a port that was free just now."""
    with socket.create_server(("", 0)) as listening:
        return int(listening.getsockname()[1])


def open_at(request: HostRequest | ReopenRequest) -> int:
    """Open a table; return its port."""
    table, claim = table_process._open(request, credential_store())
    claim.close()
    table.journal.close()
    return claim.port


def test_the_port_is_the_one_that_is_asked_for_or_had_before_or_one_of_ours_but_never_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, now = free_port(), free_port()
    new, why = HostRequest("Ana", "Rush", Settings(seats=3)), WHY.format(port=now)
    assert open_at(new) in PORTS, "which firewalls may let in"
    (state_folder() / "tables").rename(state_folder() / "others")
    assert open_at(structs.replace(new, port=before)) == before
    (journal,) = map(str, (state_folder() / "tables").glob("*.table"))
    back = ReopenRequest(journal)
    assert open_at(back) == before
    assert open_at(structs.replace(back, port=now)) == now
    with socket.create_server(("", now)):
        for wanted in (new, back):
            with pytest.raises(UserError, match=why):
                open_at(structs.replace(wanted, port=now))
        assert main(["host", "--headless", "--port", str(now)]) == 1
    assert open_at(back) == before, "nobody holds its journal"
    assert re.fullmatch(f"sabtui: {why[1:-1]}\n", capsys.readouterr().err)


def test_a_table_without_a_screen_prints_the_line_that_brings_it_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "LOOK_FIRST_S", 0.0)
    words = "host Rush --headless --start-with 1 --bots 2 --open --speed instant"
    again = "host --resume Rush --headless --speed instant"
    for typed in (words, again):
        assert main(typed.split()) == 0
        out = capsys.readouterr().out
        assert "The game starts automatically once 1 person is ready.\n" in out
        assert out.endswith(f"\nCtrl+C stops it; sabtui {again} brings it back.\n")


def test_a_table_without_a_screen_prints_each_line_with_its_code_again_once_that_is_renewed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def renew(server: TableServer) -> None:
        opened = capsys.readouterr().out
        server.entrance.doors.now[DoorKind.SSH] = DoorNow(DoorKind.SSH, 7351, "SHA256:...")
        for code in (RoomCode("lantern", "tiger"), None):
            monkeypatch.setattr(TableServer, "code", code)
            server.entrance.note_code()
        lines = capsys.readouterr().out.splitlines()
        for line in opened.splitlines():
            if "amber-tulip" in line:
                assert line.replace("amber-tulip", "lantern-tiger") in lines
        assert opened.count("amber-tulip") == 2
        assert lines.count("No code: anybody on this network can join and take a free seat.") == 1
        assert len([line for line in lines if "ssh -p 7351" in line]) == 2
        server.entrance.close()
        await server._writer.close()

    monkeypatch.setattr(TableServer, "run", renew)
    assert main(["host", "Rush", "--headless", "--code", "amber-tulip"]) == 0
