"""The SSH door's server by itself: a name begins anew, and a connection has one session."""

from __future__ import annotations

from typing import cast

import asyncssh

from sabtui.doors.ssh_door import SshServer
from sabtui.doors.ssh_session import GuestSession, SshDoor


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
    coming.connection = cast("asyncssh.SSHServerConnection", object())
    coming.begin_auth("Ana")
    assert isinstance(coming.session_requested(), GuestSession)
    assert coming.session_requested() is False
