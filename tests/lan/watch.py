"""Print the list of games as JSON, one line each time it changes. For laptops of a test LAN.

The first line is the time at which the list was open.
"""

import asyncio
import json
import os
import sys
import threading
import time

from net.discovery.advert import OURS
from net.discovery.service import Browser


def end_with_the_test() -> None:
    """End when nobody is left to tell."""
    sys.stdin.read()
    os._exit(0)


async def main() -> None:
    """Watch until standard input ends."""
    threading.Thread(target=end_with_the_test, daemon=True).start()
    async with Browser(OURS) as browser:
        print(time.monotonic(), flush=True)  # noqa: T201 - it speaks through a pipe
        async for games in browser:
            told = {
                game.title: {
                    "status": game.status,
                    "players": str(game.advert.players),
                    "address": str(game.addresses[0]),
                }
                for game in games
            }
            line = json.dumps({"at": time.monotonic(), "games": told})
            print(line, flush=True)  # noqa: T201 - it speaks through a pipe


if __name__ == "__main__":
    asyncio.run(main())
