"""A table that is told of and played by nobody: NAME [ID]. For laptops of a test LAN.

It prints the time and its port once it is open, then takes lines: `players N`, `leave`. Each is
answered by the time at which it was done, in seconds of the clock that all laptops share.
"""

import asyncio
import sys
import time
from dataclasses import replace

from net.discovery.advert import OURS, Advert, AdvertStage, new_id
from net.discovery.networks import claim_port
from net.discovery.service import Announcer
from net.protocol.text import clean_name


def print_time(*more: object) -> None:
    """Print the time."""
    print(time.monotonic(), *more, flush=True)  # noqa: T201 - it speaks through a pipe


async def main(name: str, table: str) -> None:
    """Open a table and do as told."""
    claimed = claim_port()
    advert = Advert(table, clean_name(name), OURS, AdvertStage.LOBBY, 1, 5)
    async with Announcer(advert, claimed.port, claimed.udp) as announcer:
        print_time(claimed.port)
        while line := (await asyncio.to_thread(sys.stdin.readline)).split():
            if line[0] == "leave":
                print_time()
                break
            print_time()
            announcer.update(
                replace(announcer.advert, stage=AdvertStage.LOBBY, players=int(line[1]), seats=5)
            )
    claimed.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else new_id()))
