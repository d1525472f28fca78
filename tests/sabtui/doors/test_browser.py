"""The browser that tests drive: an answer that comes too late, or never, holds up nothing else."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("websockets")

from websockets.asyncio.server import ServerConnection, serve

from tests.net.server.served_table import HERE
from tests.sabtui.doors.browser import Page


async def answer(socket: ServerConnection) -> None:
    """Answer as a browser: `slow` after the next command, `end` never."""
    late = list[int]()
    async for message in socket:
        said = json.loads(message)
        match said["method"]:
            case "slow":
                late.append(said["id"])
            case "end":
                return
            case _:
                for number in (*late, said["id"]):
                    await socket.send(json.dumps({"id": number, "result": {"value": number}}))


async def test_an_answer_that_nobody_waits_for_any_more_leaves_the_next_ones() -> None:
    async with serve(answer, HERE, 0) as server:
        page = await Page.link(f"ws://{HERE}:{next(iter(server.sockets)).getsockname()[1]}")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await page.command("slow")
        async with asyncio.timeout(20):
            assert await page.command("quick") == {"value": 2}
            assert await page.command("quick") == {"value": 3}
        await page.close()


async def test_a_browser_that_has_gone_is_waited_for_no_longer() -> None:
    async with serve(answer, HERE, 0) as server:
        page = await Page.link(f"ws://{HERE}:{next(iter(server.sockets)).getsockname()[1]}")
        async with asyncio.timeout(20):
            with pytest.raises(AssertionError, match="the browser has gone: end"):
                await page.command("end")
        await page.close()
