"""Connections that the system's ssh carries: what may be typed, and a table behind a login."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.client import dialer
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import ConnectionState, Update
from net.secure import connection
from net.secure.address import AddressMistake, BadAddress, parse_tunnel
from net.secure.connection import ConnectionFailed, ConnectionFault, connect, ssh_command
from tests.net.server.journal_tools import quick_folder
from tests.net.server.served_table import CODE, hosting, until

pytest.importorskip("fcntl", reason="no socket can be a program's input here")

STAND_IN = """
import os, select, socket, sys
log, sys.argv[:2] = sys.argv[1], []
open(log, "a").write(f"{os.getpid()} {' '.join(sys.argv)}\\n")
host, port = sys.argv[sys.argv.index("-W") + 1].split(":")
there = socket.create_connection(("127.0.0.1", int(port)))
while True:
    for ready in select.select([0, there], [], [])[0]:
        data = os.read(0, 65536) if ready == 0 else there.recv(65536)
        if not data:
            sys.exit()
        there.sendall(data) if ready == 0 else os.write(1, data)
"""
"""An ssh that has logged in, to this computer: the command is `STARTED`."""

STARTED = '#!/bin/sh\nexec {python} -c {program} {log} "$@"\n'
"""Starts it by a shell: the first line of a script can name no Python in a folder with a space."""


NO_LOGINS = {
    AddressMistake.LOGIN: (
        *("ssh://", "ssh://@box", "ssh://-oProxyCommand=id", "ssh://-l@box", "ssh://a b", "box"),
        *("ssh://box:x", "ssh://box/../x", "ssh://box;id", "ssh://$(id)", "ssh://b\nx", "ssh://é"),
    ),
    AddressMistake.PORT: ("ssh://box:0", "ssh://box:65536", "ssh://box/0"),
}


@pytest.mark.parametrize(
    ("typed", "mistake"), [(typed, why) for why, texts in NO_LOGINS.items() for typed in texts]
)
def test_what_is_no_login_is_refused(typed: str, mistake: AddressMistake) -> None:
    with pytest.raises(BadAddress) as bad:
        parse_tunnel(typed)
    assert bad.value.mistake is mistake


def test_the_command_names_user_port_and_host_each_in_its_place() -> None:
    command = ssh_command("ssh://ana@[fe80::1]:2222", 7342)
    assert command[0] == "ssh"
    assert command[-8:] == ("-p", "2222", "-l", "ana", "-W", "localhost:7342", "--", "fe80::1")
    assert ssh_command("ssh://box", 7341)[-4:] == ("-W", "localhost:7341", "--", "box")


@given(st.text(max_size=40))
def test_nothing_that_is_typed_becomes_an_option(text: str) -> None:
    try:
        address = parse_tunnel(f"ssh://{text}")
    except BadAddress:
        return
    command = ssh_command(address.host, address.port)
    assert not command[-1].startswith("-")
    assert command[-2] == "--"
    assert "-l" not in command or not command[command.index("-l") + 1].startswith("-")


@pytest.fixture
async def logins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Path]:
    log, folder = tmp_path / "logins", tmp_path / "bin"
    folder.mkdir()
    words = {"python": sys.executable, "program": STAND_IN, "log": str(log)}
    quoted = {name: shlex.quote(word) for name, word in words.items()}
    (folder / "ssh").write_text(STARTED.format(**quoted))
    (folder / "ssh").chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    yield log
    await until(lambda: not connection._carrying)  # each ssh ends with its connection


async def test_a_player_joins_behind_a_login_and_ssh_ends_with_the_connection(
    logins: Path, tmp_path: Path
) -> None:
    with quick_folder() as where:
        async with hosting(where) as hosted:
            address = parse_tunnel(f"ssh://ana@box/{hosted.port}")
            updates: list[Update] = []
            session = RemoteSession(
                Credentials("Dede", (address,), code=CODE),
                updates.append,
                CredentialStore(tmp_path / "seats"),
            )
            running = asyncio.create_task(session.run())
            settled = ConnectionState.CONNECTED, ConnectionState.ENDED
            await until(lambda: session.status.connection in settled)
            assert session.status.ending is None
            session.leave()
            await running
            (pid, *arguments) = lines_of(logins)
            assert "BatchMode=yes" in arguments
            await until(lambda: not connection._carrying)
            assert _is_dead(int(pid))


def lines_of(logins: Path) -> list[str]:
    return logins.read_text().split()


def _is_dead(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_newcomer_whose_ssh_does_not_get_there_hears_of_it_after_one_login(
    logins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialer, "DIAL_INTERVAL_S", 0.05)
    newcomer = Credentials("Dede", (parse_tunnel("ssh://box/1"),), code=CODE)
    session = RemoteSession(newcomer, lambda _update: None, CredentialStore(tmp_path / "seats"))
    await session.run()
    assert session.status.ending is ConnectionFault.SSH
    assert lines_of(logins).count("-W") == 1


async def test_without_ssh_that_is_told_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ConnectionFailed) as failed:
        await connect("ssh://box", 1)
    assert failed.value.why is ConnectionFault.SSH
