"""Programs for laptops of a test LAN: `python -m tests.lan.programs PROGRAM ...`.

    table NAME [ID]        a table that is told of and played by nobody
    watch                  prints the list of games as JSON, a line each time it changes
    impostor [open]        a stranger who hosts a table in the name of one of this LAN
    sniff INTERFACE FILE   a guest with Wireshark, root of nothing but the namespace: writes pcap

Each prints the time first, in seconds of the clock that all laptops share, once it is open.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from net.discovery.advert import HIGHEST_TERM, OURS, Advert, AdvertStage, new_id
from net.discovery.networks import claim_port
from net.discovery.service import Announcer, Browser
from net.protocol.cleaning import clean_name
from net.protocol.lobby import Settings
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.live_table import TableServer
from net.server.tables import ServerOptions, create

_ALL_PROTOCOLS = 3
_SOL_PACKET, _ADD_MEMBERSHIP, _PROMISCUOUS = 263, 1, 1


def write_line(*words: object) -> None:
    """Print a line at once."""
    print(*words, flush=True)  # noqa: T201 - it speaks through a pipe


async def table(name: str, table: str = "") -> None:
    """Open a table, tell its port, and do as told: `players N`, `leave`. Tell when it is done."""
    claimed = claim_port()
    advert = Advert(table or new_id(), clean_name(name), OURS, AdvertStage.LOBBY, 1, 5)
    async with Announcer(advert, claimed.port, claimed.udp) as announcer:
        write_line(time.monotonic(), claimed.port)
        while line := (await asyncio.to_thread(sys.stdin.readline)).split():
            write_line(time.monotonic())
            if line[0] == "leave":
                break
            announcer.update(replace(announcer.advert, players=int(line[1])))
    claimed.close()


def end_with_the_test() -> None:
    """End when nobody is left to tell."""
    sys.stdin.read()
    os._exit(0)


async def watch() -> None:
    """Watch until standard input ends."""
    threading.Thread(target=end_with_the_test, daemon=True).start()
    async with Browser(OURS) as browser:
        write_line(time.monotonic())
        async for games in browser:
            told = {
                game.title: {
                    "status": game.status,
                    "players": str(game.advert.players),
                    "address": str(game.addresses[0]),
                }
                for game in games
            }
            write_line(json.dumps({"at": time.monotonic(), "games": told}))


async def find() -> Advert:
    """Return what the first table that is found says of itself."""
    async with Browser(OURS) as browser:
        async for games in browser:
            if games:
                return games[0].advert
    raise AssertionError("it looks for ever")


async def impostor(how: str = "") -> None:
    """Host until cancelled, and claim to have been elected after all others.

    What the true table says in public is all that is known. The code is another, or there is none.
    """
    true = await find()
    table = create(
        Path(tempfile.mkdtemp()),
        name=true.name,
        host_key=SeatKey.new().public,
        settings=Settings(is_open=how == "open"),
        port=0,
        code=RoomCode("lantern", "tiger"),
    )
    claimed = claim_port()
    server = TableServer(table, claimed, ServerOptions(announce=False))
    async with Announcer(replace(true, term=HIGHEST_TERM), claimed.port, claimed.udp):
        write_line(time.monotonic())
        await server.run()


async def sniff(interface: str, file: str) -> None:
    """Catch every frame that crosses an interface, until killed."""
    if sys.platform == "linux":
        with (
            socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS)) as wire,
            Path(file).open("wb", buffering=0) as out,  # noqa: ASYNC230 - nothing else runs here
        ):
            wire.bind((interface, 0))
            index = socket.if_nametoindex(interface)
            promiscuous = struct.pack("iHH8s", index, _PROMISCUOUS, 0, b"")
            wire.setsockopt(_SOL_PACKET, _ADD_MEMBERSHIP, promiscuous)
            out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0xFFFF, 1))
            write_line(time.monotonic())
            while frame := wire.recv(0xFFFF):
                seconds, nanoseconds = divmod(time.time_ns(), 10**9)
                size = len(frame)
                out.write(struct.pack("<IIII", seconds, nanoseconds // 1000, size, size) + frame)


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
