"""What strangers and guests can do to the SSH door by its own protocol: cut, alter, hold it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import asyncssh

from net.secure.limits import ALARM_WRONG_CODES, MAX_PENDING_PER_ADDRESS
from tests.net.cable import Tap, cable
from tests.net.server.served_table import HERE, OTHER_CODE, until
from tests.sabtui.doors.ssh_table import quick_door
from tests.sabtui.doors.test_ssh_limits import goes_on

assert sys.platform != "win32"  # so that types know, too


def slip(seed: int, slipped: Callable[[], object]) -> Tap:
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
                    cable(opened.port, up=slip(seed, hang_up_soon)) as line,
                    replace(opened, via=line.port).login("Eva"),
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
