"""A stranger who answers in the name of a table of this LAN, and hosts a table there: [open].

What the true table says in public is all that it knows. Its own code is another, or there is none.
It claims to have been elected after all others, and prints the time once it answers.
"""

import asyncio
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from net.discovery.advert import HIGHEST_TERM, OURS, Advert
from net.discovery.networks import claim_port
from net.discovery.service import Announcer, Browser
from net.protocol.lobby import Settings
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.live_table import TableServer
from net.server.tables import ServerOptions, create


async def find() -> Advert:
    """Return what the first table that is found says of itself."""
    async with Browser(OURS) as browser:
        async for games in browser:
            if games:
                return games[0].advert
    raise AssertionError("it looks for ever")


async def main(*, is_open: bool) -> None:
    """Host until cancelled."""
    true = await find()
    table = create(
        Path(tempfile.mkdtemp()),
        name=true.name,
        host_key=SeatKey.new().public,
        settings=Settings(is_open=is_open),
        port=0,
        code=RoomCode("lantern", "tiger"),
    )
    claimed = claim_port()
    forged = replace(true, term=HIGHEST_TERM)
    server = TableServer(table, claimed, ServerOptions(announce=False))
    async with Announcer(forged, claimed.port, claimed.udp):
        print(time.monotonic(), flush=True)  # noqa: T201 - it speaks through a pipe
        await server.run()


if __name__ == "__main__":
    asyncio.run(main(is_open=sys.argv[1:] == ["open"]))
