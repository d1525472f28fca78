"""What strangers and guests can do to the SSH door by its own protocol: cut, alter, hold it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeAlias

import asyncssh
import pytest

from net.protocol.lobby import Settings
from net.secure.limits import ALARM_WRONG_CODES, MAX_PENDING_PER_ADDRESS
from tests.net.server.served_table import HERE, OTHER_CODE, until
from tests.sabtui.doors.open_doors import processes_in
from tests.sabtui.doors.ssh_table import Door, door, quick_door
from tests.sabtui.doors.test_ssh_limits import goes_on
from tests.samples import first

assert sys.platform != "win32"  # so that types know, too

Alter = Callable[[bytes], bytes]


@asynccontextmanager
async def alter_traffic(port: int, alter: Alter) -> AsyncIterator[int]:
    """Pass connections on to a port, and what the client sends as `alter` makes it; b"" ends it."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(HERE, port)

        async def pump(out: asyncio.StreamReader, to: asyncio.StreamWriter, how: Alter) -> None:
            while (data := await out.read(1 << 16)) and (data := how(data)):
                to.write(data)
                await to.drain()
            to.write_eof()

        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(pump(reader, back, alter), pump(there, writer, bytes))
        back.close()
        writer.close()

    async with await asyncio.start_server(pass_on, HERE, 0) as server:
        yield server.sockets[0].getsockname()[1]


def slip(seed: int, slipped: Callable[[], object]) -> Alter:
    """Return what cuts a stream, turns a bit of it, or doubles a part, somewhere in a login."""
    chance = Random(seed)
    at, seen = chance.randrange(2500), 0

    def alter(data: bytes) -> bytes:
        nonlocal seen
        before, seen = seen, seen + len(data)
        place = at - before
        if not 0 <= place < len(data):
            return data
        slipped()
        return {
            0: data[:place],
            1: data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :],
            2: data[:place] + data,
            3: data[:place] + chance.randbytes(40) + data[place:],
        }[seed % 4]

    return alter


async def test_a_login_that_is_cut_or_altered_anywhere_ends_its_own_connection_alone(
    where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened:

        async def log_in(seed: int) -> None:
            def hang_up_soon() -> None:
                limit.reschedule(asyncio.get_running_loop().time() + 0.3)

            with suppress(asyncssh.Error, OSError, TimeoutError):
                async with (
                    asyncio.timeout(60) as limit,
                    alter_traffic(opened.port, slip(seed, hang_up_soon)) as port,
                    replace(opened, via=port).login("Eva"),
                ):
                    pass

        await asyncio.gather(*map(log_in, range(16)))
        assert opened.names() == ["Ann"]
        await goes_on(opened)


async def test_logins_without_a_screen_hold_no_more_than_the_places_of_strangers(
    where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened, AsyncExitStack() as stack:
        earliest = await stack.enter_async_context(opened.login("Eva"))
        for _ in range(MAX_PENDING_PER_ADDRESS):
            await stack.enter_async_context(opened.login("Eva"))
        async with asyncio.timeout(60):
            await earliest.wait_closed()
        await goes_on(opened)


async def test_guesses_from_many_addresses_are_told_to_the_host_and_keep_no_friend_out(
    where: Path, tmp_path: Path
) -> None:
    addresses = [f"127.0.0.{number}" for number in range(2, 2 + ALARM_WRONG_CODES)]
    async with quick_door(where, tmp_path / "door") as opened:

        async def guess(address: str) -> None:
            with suppress(asyncssh.Error, OSError):
                async with asyncssh.connect(
                    HERE,
                    opened.port,
                    local_addr=(address, 0),
                    username="Mallory",
                    password=str(OTHER_CODE),
                    client_keys=None,
                    agent_path=None,
                    known_hosts=None,
                    config=None,
                ):
                    raise AssertionError("nobody guesses")

        guesses = opened.hosted.host.entrance.guesses
        guessing = [asyncio.create_task(guess(one)) for one in addresses for _ in range(3)]
        await until(lambda: guesses.wrong_codes >= 2 * ALARM_WRONG_CODES)
        await goes_on(opened)
        for task in guessing:
            task.cancel()
        ended = await asyncio.gather(*guessing, return_exceptions=True)
        assert not [one for one in ended if isinstance(one, AssertionError)]
        assert opened.names() == ["Ann"]


Odd: TypeAlias = tuple[str, bytes, tuple[int, int]]

ODD: list[Odd] = [
    ("x\x1b[2J" * 20, b"\xff\xfe\x1b]0;x\x07", (0, 0)),
    ("xterm" * 200, b"a" * 30_000, (2**32 - 1, 2**32 - 1)),
    (" ", b"", (1, 1)),
    ("../../etc/passwd", b"../../x", (80, 2**31)),
]
"""Names of terminals, languages, and sizes."""


@pytest.mark.level("thorough")  # `test_guest_screen` has what is checked of it
@pytest.mark.parametrize("terminals", first(1, [(ODD[:2],), (ODD[2:],)], thorough=2))
async def test_what_clients_say_of_odd_terminals_breaks_nothing(
    terminals: list[Odd], where: Path, tmp_path: Path
) -> None:
    async with door(where, tmp_path / "door", Settings(seats=6, rounds=1)) as opened:

        async def come(name: str, term: str, language: bytes, size: tuple[int, int]) -> None:
            async with opened.login(name) as login:
                process = await login.create_process(
                    term_type=term,
                    term_size=size,
                    env={b"LANG": language, b"\xff\xfe": b"\xff", b"COLORTERM": language},
                    encoding=None,
                )
                process.change_terminal_size(2**32 - 1, 0, 2**32 - 1, 0)
                process.send_signal("KILL")
                process.send_break(1000)
                process.stdin.write(b"\x1b[200~" + bytes(range(256)) + b"\x1b[201~\x1b]52;c;x\x07")
                await until(lambda: name in opened.names() or process.is_closing())
                process.close()

        coming = (come(f"Eva{number}", *odd) for number, odd in enumerate(terminals))
        await asyncio.gather(*coming)
        await goes_on(opened)


def screen_of(opened: Door) -> int:
    """The process of the only screen that runs."""
    (home,) = [path.parent for path in opened.folder.glob("guests/*/*/guest.json")]
    (process,) = processes_in(home)
    return process
