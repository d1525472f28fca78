"""Write every frame that crosses an interface to a file as pcap, for ever: INTERFACE FILE.

A guest with Wireshark, who is root of nothing but the namespace. Linux only. It prints a line
once frames are being caught.
"""

import socket
import struct
import sys
import time
from pathlib import Path

_ALL_PROTOCOLS = 3
_SOL_PACKET, _ADD_MEMBERSHIP, _PROMISCUOUS = 263, 1, 1


def sniff(interface: str, file: Path) -> None:
    """Catch frames until killed."""
    if sys.platform == "linux":
        with (
            socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS)) as wire,
            file.open("wb", buffering=0) as out,
        ):
            wire.bind((interface, 0))
            index = socket.if_nametoindex(interface)
            promiscuous = struct.pack("iHH8s", index, _PROMISCUOUS, 0, b"")
            wire.setsockopt(_SOL_PACKET, _ADD_MEMBERSHIP, promiscuous)
            out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0xFFFF, 1))
            print("catching", flush=True)  # noqa: T201 - it speaks through a pipe
            while frame := wire.recv(0xFFFF):
                seconds, nanoseconds = divmod(time.time_ns(), 10**9)
                size = len(frame)
                out.write(struct.pack("<IIII", seconds, nanoseconds // 1000, size, size) + frame)


if __name__ == "__main__":
    sniff(sys.argv[1], Path(sys.argv[2]))
