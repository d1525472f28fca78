"""Put a laptop far away: LAPTOP MILLISECONDS PERCENT. For the bridge of a test LAN, until killed.

What comes from the laptop and goes to it waits so long, and is lost with that chance: what netem
does, which not every kernel has. Killed, it leaves a laptop cut off of which nobody is told. It
prints a line once it carries frames.
"""

import select
import socket
import subprocess
import sys
import time
from collections import deque
from random import Random

_ALL_PROTOCOLS = 3
_SOL_PACKET, _VNET_HEADER, _OUTGOING = 263, 15, 4
_MOST = 1 << 17


def carry(near: str, far: str, delay: float, loss: float) -> None:
    """Carry frames between two interfaces until killed."""
    if sys.platform == "linux":
        wires = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW) for _ in range(2)]
        for wire, interface in zip(wires, (near, far), strict=True):
            # With this header goes what a card would still do to a frame: sum it up, cut it up.
            wire.setsockopt(_SOL_PACKET, _VNET_HEADER, 1)
            wire.bind((interface, _ALL_PROTOCOLS))
        other = dict(zip(wires, reversed(wires), strict=True))
        chance, flying = Random(7341), deque[tuple[float, socket.socket, bytes]]()
        print("far", flush=True)  # noqa: T201 - it speaks through a pipe
        while True:
            wait = max(0.0, flying[0][0] - time.monotonic()) if flying else None
            for wire in select.select(wires, (), (), wait)[0]:
                frame, sender = wire.recvfrom(_MOST)
                if sender[2] != _OUTGOING and chance.random() >= loss:
                    flying.append((time.monotonic() + delay, other[wire], frame))
            while flying and flying[0][0] <= time.monotonic():
                _, out, frame = flying.popleft()
                out.send(frame)


def between(laptop: str) -> str:
    """Take a laptop's port off the bridge; returns the port whose other end stands in for it."""
    far, port = f"{laptop}far", f"{laptop}port"
    if far not in (name for _, name in socket.if_nameindex()):
        _ip(f"link set {laptop} nomaster")
        _ip(f"link add {far} type veth peer name {port}")
        _ip(f"link set {port} master bridge up")
        _ip(f"link set {far} up")
    return far


def _ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)  # noqa: S603, S607 - ours, on any PATH


if __name__ == "__main__":
    name, milliseconds, percent = sys.argv[1:]
    carry(name, between(name), float(milliseconds) / 1000, float(percent) / 100)
