"""Accepting connections: none is lost, and none is left open, whenever the host stops."""

from __future__ import annotations

import asyncio
import socket

import pytest

from net.secure.listener import accept

HERE = "127.0.0.1"


async def test_a_connection_is_accepted_with_its_address() -> None:
    with socket.create_server((HERE, 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003 - the socket's own way to say it
        accepting = asyncio.create_task(accept(listener))
        await asyncio.sleep(0)
        with socket.create_connection(listener.getsockname()) as guest:
            connection, address = await accepting
            with connection:
                assert address == HERE
                assert not connection.getblocking()
                assert connection.getpeername() == guest.getsockname()


@pytest.mark.parametrize("turns", range(5))
async def test_a_host_that_stops_just_as_somebody_comes_leaves_nothing_open(turns: int) -> None:
    with socket.create_server((HERE, 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003 - as above
        accepting = asyncio.create_task(accept(listener))
        await asyncio.sleep(0)
        with socket.create_connection(listener.getsockname()):
            for _ in range(turns):  # of the loop: in one of them the connection is there
                await asyncio.sleep(0)
            accepting.cancel()
            await asyncio.gather(accepting, return_exceptions=True)
            if not accepting.cancelled():
                accepting.result()[0].close()
            else:  # it waits for the next who accepts: nothing was opened that nobody closes
                async with asyncio.timeout(5):
                    connection, _address = await accept(listener)
                connection.close()
