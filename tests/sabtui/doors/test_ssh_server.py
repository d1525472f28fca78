"""The SSH door's server by itself: a name begins anew, and a connection has one session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import asyncssh
import pytest

from sabtui.doors.guests import MAX_SCREENS, Caller, Guest, GuestBook
from sabtui.doors.ssh_door import SshServer
from sabtui.doors.ssh_session import DoorConnection, GuestSession, SshDoor
from sabtui.doors.table_link import TableLink
from sabtui.text.doors import door_full


def server() -> SshServer:
    return SshServer(cast("SshDoor", None))


def test_what_was_proven_under_one_name_counts_for_no_other() -> None:
    coming = server()
    coming.begin_auth("Ana")
    coming._proven = "the mark of Ana's key"
    coming.begin_auth("Bruno")
    caller = coming.caller
    assert (caller.name, caller.proven, caller.offered) == ("Bruno", "", ())


def test_a_connection_has_one_session() -> None:
    coming = server()
    assert coming.session_requested() is False
    coming.connection = cast("DoorConnection", object())
    coming.begin_auth("Ana")
    assert isinstance(coming.session_requested(), GuestSession)
    assert coming.session_requested() is False


async def test_whoever_has_the_last_place_keeps_it_from_who_comes_at_the_same_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[str]()

    class Table:
        async def is_seated(self, _key: bytes) -> bool:
            return False

    class Channel:
        def write(self, data: bytes) -> None:
            shown.append(data.decode())

        def exit(self, _code: int) -> None:
            pass

    async def settle(session: GuestSession) -> Guest:
        return Guest("1", session._caller.name, b"")

    async def show(_session: GuestSession, _channel: object, guest: Guest) -> int:
        shown.append(guest.name)
        return 0

    monkeypatch.setattr(GuestSession, "_settle", settle)
    monkeypatch.setattr(GuestSession, "_show", show)
    book = GuestBook(tmp_path)
    book.add(Caller("Bruno"))
    door = SshDoor(cast("TableLink", Table()), book)
    door.screens = MAX_SCREENS - 1
    connection = cast("DoorConnection", SimpleNamespace(went_in=asyncio.Event()))
    sessions = [GuestSession(door, connection, "", Caller(name)) for name in ("Ana", "Bruno")]
    for session in sessions:
        session.pty_requested("xterm", (80, 24, 0, 0), {})
        session.connection_made(cast("asyncssh.SSHServerChannel[bytes]", Channel()))
        session.session_started()
    await asyncio.gather(*(session._task for session in sessions if session._task is not None))
    assert shown == ["Ana", f"{door_full()}\r\n"]
