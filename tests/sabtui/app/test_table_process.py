"""The port of a table's process: the one that was asked for, or an error that says what to do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from net.protocol.lobby import Settings
from net.secure.address import PORTS
from net.server.live_table import TableServer
from sabtui.app import table_process
from sabtui.app.errors import UserError
from sabtui.app.launcher import credential_store, state_folder
from sabtui.app.requests import HostRequest, ReopenRequest
from sabtui.cli.main import main

WHY = r"^In use here: port {port}\. Close a table, or choose another port with --port\.$"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tables in the test's folder, and serve none."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    async def serve_nothing(server: TableServer) -> None:
        server.entrance.close()
        await server._writer.close()

    monkeypatch.setattr(TableServer, "run", serve_nothing)


@pytest.fixture
def taken_port() -> Iterator[int]:
    """Give a port that another program listens on."""
    with socket.create_server(("", 0)) as listening:
        yield int(listening.getsockname()[1])


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


def table_on(port: int) -> HostRequest:
    """Return the request for a table on a port."""
    return HostRequest("Ana", "Rush", Settings(seats=3), port=port)


def test_a_port_that_is_asked_for_is_taken() -> None:
    port = free_port()
    assert open_at(table_on(port)) == port


def test_where_none_is_asked_for_it_is_a_port_that_firewalls_may_let_in() -> None:
    assert open_at(table_on(0)) in PORTS


def test_no_other_port_is_taken_for_one_that_is_in_use(taken_port: int) -> None:
    with pytest.raises(UserError, match=WHY.format(port=taken_port)):
        open_at(table_on(taken_port))


def test_a_table_is_brought_back_at_the_port_that_is_asked_for_now(taken_port: int) -> None:
    before, now = free_port(), free_port()
    open_at(table_on(before))
    (journal,) = map(str, (state_folder() / "tables").glob("*.table"))
    assert open_at(ReopenRequest(journal)) == before
    assert open_at(ReopenRequest(journal, port=now)) == now
    with pytest.raises(UserError, match=WHY.format(port=taken_port)):
        open_at(ReopenRequest(journal, port=taken_port))
    assert open_at(ReopenRequest(journal)) == before, "nobody holds its journal"


def test_a_table_without_a_screen_prints_the_line_that_brings_it_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "host Rush --headless --start-with 1 --bots 2 --open --speed instant"
    again = "host --resume Rush --headless --speed instant"
    for typed in (words, again):
        assert main(typed.split()) == 0
        out = capsys.readouterr().out
        assert "The game starts automatically once 1 person is ready.\n" in out
        assert out.endswith(f"\nCtrl+C stops it; sabtui {again} brings it back.\n")


def test_the_command_ends_with_1_and_that_sentence(
    taken_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["host", "--headless", "--port", str(taken_port)]) == 1
    assert capsys.readouterr().err == (
        f"sabtui: In use here: port {taken_port}. Close a table, or choose another port with "
        "--port.\n"
    )
