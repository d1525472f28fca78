"""The SSH door: a guest with nothing but ssh plays, comes back to their seat, and does no more."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import asyncssh
import pytest

from net.protocol.doors import DoorTrouble
from net.protocol.requests import Chat, NewCode
from net.secure.keys import SeatKey
from net.server.tables import resume
from net.tasks import wait_for_event
from sabtui.doors import ssh_door, ssh_session
from sabtui.doors.guest_screen import GuestTerminal
from sabtui.doors.ssh_door import MAX_TRIES
from sabtui.text.door_words import SshMistake, log_in_again, ssh_mistake_sentence
from tests.net.server.served_table import CODE, HERE, Guest, until
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.ssh_table import (
    beside,
    connect,
    quick_door,
    shell,
    typed_ssh,
)
from tests.sabtui.doors.watched import OWN_TERMINAL
from tests.sabtui.doors.web_guest import echoing
from tests.terminal import Terminal

KEY = asyncssh.generate_private_key("ssh-ed25519")
needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="OpenSSH's ssh is not here")

MUCH_BYTES = 8 << 20
"""More than the buffers on the way to a client hold."""

MISTAKES = {
    (None, None): SshMistake.NO_TERMINAL,
    ("sabtui join", None): SshMistake.NO_GAME,
    ("scpx", None): SshMistake.NO_GAME,
    (None, "netconf"): SshMistake.NO_GAME,
    ("scp -t .", None): SshMistake.NO_GAME,
    ("rsync --server . .", None): SshMistake.NO_GAME,
    (None, "sftp"): SshMistake.NO_GAME,
}
"""Requests that are no game, by command and subsystem."""

NAMES = ("Dede", "Eva", "Finn")


async def test_a_known_key_needs_no_code_nobody_takes_its_seat_by_name_and_it_has_one_terminal(
    where: Path, tmp_path: Path
) -> None:
    with echoing() as started:
        async with quick_door(where, tmp_path / "door") as opened:
            async with opened.guest("Dede", keys=(KEY,)) as dede:
                await dede.sees("hello")
                ((order, _screen),) = started
                seated = Guest("Dede", opened.hosted.port, SeatKey(order.key))
                opened.hosted.guests.append(await seated.join())  # as the screen would
            async with opened.guest("Dede") as other:
                await other.sees("hello")
            async with opened.guest("Dede", password=None, keys=(KEY,)) as first:
                await first.sees("hello")
                async with opened.guest("Dede", password=None, keys=(KEY,)) as second:
                    await second.sees("hello")
                    await first.end()
            with pytest.raises(asyncssh.PermissionDenied):
                async with opened.login("Eva", password=None, keys=(KEY,)):
                    pass
        once, other_seat, again, at_last = (order.key for order, _ in started)
        assert once == again == at_last != other_seat


@needs_ssh
async def test_a_code_may_be_mistyped_but_not_for_ever(where: Path, tmp_path: Path) -> None:
    async with (
        quick_door(where, tmp_path / "door") as opened,
        await typed_ssh(opened, "eva", tmp_path, "not a code") as eva,
    ):
        for tried in range(1, MAX_TRIES):
            await eva.sees(f"(?s:That is not this table's code.*two words:.*){{{tried}}}")
            eva.type("\r")
        with suppress(TimeoutError):
            async with asyncio.timeout(60):
                await eva.process.wait()
        assert eva.process.returncode == 255, eva.text
        assert opened.names() == ["Ann"]


@pytest.mark.parametrize(
    "damaged", [None, b"", b"-----BEGIN OPENSSH PRIVATE KEY-----\n\xff\0"], ids=repr
)
async def test_a_door_keeps_its_host_key_and_makes_another_only_if_that_is_damaged(
    damaged: bytes | None, where: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "door"
    if damaged is not None:
        folder.mkdir()
        (folder / "ssh_host_key").write_bytes(damaged)
    async with quick_door(where, folder) as opened:
        wanted = DoorTrouble.NONE if damaged is None else DoorTrouble.NEW_KEY
        assert opened.now.trouble is wanted
        fingerprint = opened.now.fingerprint
        path, key = opened.hosted.table.journal.path, opened.hosted.host_key
        async with opened.login("Dede"):
            pass
    assert stat.S_IMODE((folder / "ssh_host_key").stat().st_mode) == 0o600
    assert damaged is None or (folder / "ssh_host_key.bad").read_bytes() == damaged
    async with in_this_process(), beside(resume(path), key, folder) as opened:
        assert (opened.now.trouble, opened.now.fingerprint) == (DoorTrouble.NONE, fingerprint)


async def test_the_window_is_followed_if_it_has_a_size_and_the_language_is_the_guests(
    where: Path, tmp_path: Path
) -> None:
    env = {"LANG": "fr_FR.UTF-8", "LD_PRELOAD": "/nowhere", "PYTHONPATH": "/nowhere"}
    with echoing() as started:
        async with (
            quick_door(where, tmp_path / "door") as opened,
            opened.guest("Dede", env=env, size=(100, 40)) as dede,
            opened.login("Eva") as connection,
            shell(connection, size=(0, 24)) as eva,
        ):
            await dede.sees("hello")
            await eva.until(lambda: b"hello" in eva.raw)
            screens = {order.name: screen for order, screen in started}
            screen = screens["Dede"]
            assert screen.terminal == GuestTerminal(
                "xterm-256color", "fr_FR.UTF-8", columns=100, rows=40
            )
            assert screens["Eva"].size == (80, 24)
            for size in ((0, 0), (80, 0), (0, 24)):
                dede.resize(60, 18)
                await until(lambda: screen.size == (60, 18))
                dede.resize(*size)
                await until(lambda: screen.size == (80, 24))


@pytest.mark.parametrize("terminal", [None, "xterm"])
async def test_each_thing_that_is_no_game_has_its_own_sentence(
    terminal: str | None, where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened:
        for (command, subsystem), mistake in MISTAKES.items():
            if (command, subsystem, terminal) == (None, None, "xterm"):
                continue  # that is the game
            async with opened.login("Dede") as connection, asyncio.timeout(60):
                told = await connection.run(command, subsystem=subsystem, term_type=terminal)
            sentence = ssh_mistake_sentence(mistake, opened.port, HERE, "Dede")
            assert f"ssh -t -p {opened.port} Dede@{HERE}" in sentence
            assert told.stderr == f"{sentence}\r\n"
            assert (told.stdout, told.exit_status) == ("", 1)
            assert opened.names() == ["Ann"]


async def test_a_login_without_a_session_is_told_so_and_ended(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_door, "SESSION_TIMEOUT_S", 0.3)
    reasons = list[str]()

    class Client(asyncssh.SSHClient):
        def connection_lost(self, exc: Exception | None) -> None:
            assert isinstance(exc, asyncssh.DisconnectError)
            reasons.append(exc.reason)

    async with quick_door(where, tmp_path / "door") as opened, asyncio.timeout(60):
        async with connect(opened.port, "Dede", str(CODE), client_factory=Client) as silent:
            await silent.wait_closed()
        sentence = ssh_mistake_sentence(SshMistake.NO_GAME, opened.port, HERE, "Dede")
        assert reasons == [sentence]


async def test_somebody_who_hangs_up_before_they_have_a_screen_is_waited_for_no_longer(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_door, "SESSION_TIMEOUT_S", 1e9)
    ended = list[bool]()

    async def note(event: asyncio.Event, seconds: float) -> bool:
        ended.append(await wait_for_event(event, seconds))
        return ended[-1]

    monkeypatch.setattr("sabtui.doors.ssh_door.wait_for_event", note)
    async with quick_door(where, tmp_path / "door") as opened:
        async with opened.login("Dede"):
            assert ended == []
        await until(lambda: ended == [True])


DROPBEAR = ("dbclient", "-y", "-y", "-p")
PUTTY = ("plink", "-ssh", "-P")


@pytest.mark.parametrize("client", [DROPBEAR, PUTTY], ids=lambda client: client[0])
async def test_other_usual_clients_come_in_by_the_code(
    client: tuple[str, ...], where: Path, tmp_path: Path
) -> None:
    found = shutil.which(client[0])
    if found is None:
        pytest.skip(f"{client[0]} is not here")
    env = {**os.environ, "TERM": "xterm-256color", "HOME": str(tmp_path), "SSH_AUTH_SOCK": ""}
    with echoing():
        async with quick_door(where, tmp_path / "door") as opened:
            line = (found, *client[1:], str(opened.port), f"dora@{HERE}")
            shown = await Terminal.start(sys.executable, "-c", OWN_TERMINAL, *line, env=env)
            async with shown:
                if client is PUTTY:
                    await shown.sees("Store key in cache")
                    shown.type("y\r")
                await shown.sees("Room code of Gold Rush, two words:")
                shown.type(f"{CODE}\r")
                if client is PUTTY:
                    await shown.sees("Press Return to begin session")
                    shown.type("\r")
                await shown.sees("hello")


async def close_channel_alone(connection: asyncssh.SSHClientConnection) -> None:
    """End a session, and keep its connection."""
    process = await connection.create_process(term_type="xterm", encoding=None)
    await process.stdout.read(1)
    process.channel.close()


async def keep_channel(connection: asyncssh.SSHClientConnection) -> None:
    """Let the door end a session, and never close one's own side of it."""
    process = await connection.create_process("id", encoding=None)
    process.channel._packet_handlers = {}  # of its class: what the door says goes unanswered


@pytest.mark.parametrize("end", [close_channel_alone, keep_channel])
async def test_a_session_that_ends_takes_its_connection_along(
    end: Callable[[asyncssh.SSHClientConnection], Awaitable[None]],
    where: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ssh_session, "HANG_UP_S", 0.3)
    with echoing():
        async with quick_door(where, tmp_path / "door") as opened, AsyncExitStack() as stack:
            logins = [await stack.enter_async_context(opened.login(name)) for name in NAMES]
            async with asyncio.timeout(60):
                for login in logins:
                    await end(login)
                for login in logins:
                    await login.wait_closed()


async def test_nothing_is_forwarded_and_a_connection_has_one_screen(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with quick_door(where, tmp_path / "door") as opened:
            async with opened.login("Dede") as connection:
                port = opened.hosted.port
                for opening in (
                    connection.open_connection("127.0.0.1", port),
                    connection.open_unix_connection("/tmp/x"),  # noqa: S108 - refused
                    connection.start_sftp_client(),
                ):
                    with pytest.raises((asyncssh.ChannelOpenError, asyncssh.SFTPError)):
                        await opening
            async with opened.login("Dede") as connection:
                with pytest.raises(asyncssh.ChannelListenError):
                    await connection.forward_remote_port("", 0, "127.0.0.1", port)
                with pytest.raises(asyncssh.ChannelListenError):
                    await connection.forward_remote_path(str(tmp_path / "x"), "/nowhere")
                async with shell(connection) as dede:
                    await dede.sees("hello")
                    with pytest.raises(asyncssh.ChannelOpenError):
                        async with shell(connection):
                            pass


async def test_somebody_who_does_not_read_stalls_their_own_screen_and_the_table_goes_on(
    where: Path, tmp_path: Path
) -> None:
    with echoing() as started:
        async with (
            quick_door(where, tmp_path / "door") as opened,
            opened.login("Dede") as connection,
        ):
            process = await connection.create_process(term_type="xterm", encoding=None)
            process.stdout.channel.pause_reading()
            await until(lambda: bool(started))
            ((_order, screen),) = started
            for _ in range(MUCH_BYTES >> 16):
                screen.draw(bytes(1 << 16))
            for _ in range(30):
                process.stdin.write(b"?\x1b\x1b[<35;10;10M" + b"\xff\0\x1b]0;x" * 100)
            async with opened.guest("Eva") as eva:
                await eva.sees("hello")
                eva.type("still here")
                await eva.sees("STILL HERE")
            assert await opened.host.wants(Chat("hello")) is None
            assert screen.waiting, "the rest is not even read from the screen"
            process.close()


async def test_somebody_who_has_logged_in_by_a_code_that_was_renewed_since_gets_no_screen(
    where: Path, tmp_path: Path
) -> None:
    async with (
        quick_door(where, tmp_path / "door") as opened,
        opened.login("Mallory") as connection,
    ):
        assert await opened.host.wants(NewCode()) is None
        late = await connection.create_process(term_type="xterm")
        assert await late.stdout.read() == f"{log_in_again()}\r\n"
        assert opened.names() == ["Ann"]
