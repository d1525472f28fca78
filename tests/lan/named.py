"""A computer whose name mDNS tells: NAME ADDRESS. For laptops of a test LAN.

It prints the time once it answers.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time

from zeroconf import ServiceInfo

from net.discovery.service import join_mdns


async def main(name: str, address: str) -> None:
    """Answer for a name until cancelled."""
    joined = await join_mdns()
    kind = "_files._tcp.local."
    addresses = [socket.inet_aton(address)]
    info = ServiceInfo(kind, f"x.{kind}", port=9, server=f"{name}.", addresses=addresses)
    await (await joined.async_register_service(info))
    print(time.monotonic(), flush=True)  # noqa: T201 - it speaks through a pipe
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
