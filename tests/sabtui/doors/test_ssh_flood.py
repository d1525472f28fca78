"""A flood of SSH requests of every kind: the door's memory stays bounded, and the table goes on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
import pytest
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import String

from benchmarks.attack import Player, play
from net.protocol.lobby import Settings
from net.secure.keys import SeatKey
from sabtui.doors import ssh_door, ssh_session
from sabtui.doors.ssh_session import MAX_UNREAD_BYTES, MIN_PACKET_BYTES, DoorConnection
from tests.net.server.served_table import new_table
from tests.sabtui.doors.open_doors import memory_of_door
from tests.sabtui.doors.ssh_flood import ask, ask_globally, variable
from tests.sabtui.doors.ssh_table import beside, quick_door
from tests.sabtui.doors.web_guest import echoing

Links = list[DoorConnection]

MANY = {f"V{number}": "x" for number in range(300)}
MOST_ASKED = 10_000
MAX_DOOR_BYTES = 120 << 20


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> Links:
    """The connections to doors in this process, as the doors have them."""
    made = Links()

    class Noted(DoorConnection):
        def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
            super().__init__(options)
            made.append(self)

    monkeypatch.setattr(ssh_door, "DoorConnection", Noted)
    return made


@asynccontextmanager
async def echo(
    where: Path, folder: Path, env: Mapping[str, str] = {}
) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, asyncssh.SSHClientProcess[str]]]:
    """A guest who sees what they type, in capitals: their connection, and what runs on it."""
    with echoing():
        async with quick_door(where, folder) as opened, opened.login("Dede") as login:
            process = await login.create_process(term_type="xterm", env=env)
            assert await process.stdout.readuntil("hello")
            yield login, process


async def test_variables_that_are_not_read_are_not_kept(
    links: Links, where: Path, tmp_path: Path
) -> None:
    env = {"LANG": "it_IT.UTF-8", "LC_ALL": "C", "COLORTERM": "x" * 1000} | MANY
    async with echo(where, tmp_path / "door", env) as (login, process):
        (channel,) = links[0]._channels.values()
        assert dict(channel.get_environment_bytes()) == {b"LANG": b"it_IT.UTF-8"}
        login.send_packet(*variable(b"x"))
        login.send_packet(*ask("env", String("LANG") + String("x" * 65), reply=False))
        process.stdin.write("seen")
        assert await process.stdout.readuntil("SEEN")
        assert len(channel.get_environment_bytes()) == 1


async def test_nobody_has_what_is_drawn_in_packets_of_a_few_bytes(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with quick_door(where, tmp_path / "door") as opened:
            async with opened.login("Dede") as login:
                with pytest.raises(asyncssh.ChannelOpenError):
                    await login.create_process(term_type="xterm", max_pktsize=MIN_PACKET_BYTES - 1)
            async with opened.login("Dede") as login:
                usual = await login.create_process(term_type="xterm", max_pktsize=MIN_PACKET_BYTES)
                assert await usual.stdout.readuntil("hello")


async def test_who_sends_much_before_there_is_a_screen_is_cut_off(
    links: Links, where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened, opened.login("Dede") as login:
        while not login.is_closed():
            login.send_packet(MSG_IGNORE, String(bytes(8000)))
            await asyncio.sleep(0)
        assert links[0]._left < 0


async def test_a_screen_draws_no_more_while_much_waits_and_too_much_ends_its_connection(
    links: Links, where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with echo(where, tmp_path / "door") as (login, process):
        links[0].pause_writing()
        process.stdin.write("seen")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await process.stdout.readuntil("SEEN")
        links[0].resume_writing()
        assert await process.stdout.readuntil("SEEN")
        waiting = MAX_UNREAD_BYTES
        monkeypatch.setattr(links[0]._line, "get_write_buffer_size", lambda: waiting)
        process.stdin.write("again")
        assert await process.stdout.readuntil("AGAIN")
        waiting += 1
        process.stdin.write("not seen any more")
        await login.wait_closed()


async def test_a_client_that_never_ends_a_key_exchange_is_cut_off(
    links: Links, where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_session, "BYTES_PER_S", 1 << 30)
    async with echo(where, tmp_path / "door") as (login, _process):
        login._send_kexinit()
        login._kex_complete = True  # or the client would wait for the end
        asked = 0
        while links[0]._transport is not None:  # it reads none of the answers
            login.send_packet(*ask_globally("keepalive@openssh.com"))
            await asyncio.sleep(0)
            asked += 1
            assert asked < MOST_ASKED


@pytest.mark.parametrize("seconds", [2, pytest.param(60, marks=pytest.mark.level("soak"))])
async def test_requests_as_fast_as_the_link_takes_them_fill_no_memory_and_the_table_goes_on(
    seconds: int, where: Path, tmp_path: Path
) -> None:
    key = SeatKey.new()
    table = new_table(where, key, Settings(seats=3, rounds=3))
    async with beside(table, key, tmp_path / "door") as opened:
        players = [Player("Ann", key), Player("Ben", SeatKey.new()), Player("Cleo", SeatKey.new())]
        for player in players:
            await player.come(opened.hosted.port)
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.sabtui.doors.ssh_flood"),
            *(str(opened.port), str(seconds)),
            stdout=asyncio.subprocess.PIPE,
        )
        assert flood.stdout is not None
        peak = 0

        async def watch() -> None:
            nonlocal peak
            while True:
                peak = max(peak, memory_of_door())
                await asyncio.sleep(0.05)

        watching = asyncio.create_task(watch())
        took = await play(players, seconds)
        sent, links = map(int, (await flood.stdout.read()).split())
        await flood.wait()
        watching.cancel()
        print(  # noqa: T201 - the figures, for who runs the minute
            f"{sent / seconds / 1e6:.2f} MB/s on {links} connections; the door at most "
            f"{peak / 2**20:.0f} MB; longest of {len(took)} moves {max(took):.0f} ms"
        )
        for player in players:
            await player.leave()
        assert took, "moves were made meanwhile"
        assert links > seconds
        assert peak < MAX_DOOR_BYTES
