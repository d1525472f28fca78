"""A guest who asks a table more than anybody wants to know: HOST NUMBER. For a test LAN.

It prints the time once all is asked.
"""

import socket
import sys
import time

from net.discovery.advert import write_question
from net.secure.address import PORTS


def main(host: str, number: int) -> None:
    """Ask so often, for about a second."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        for each in range(number):
            wire.sendto(write_question(each.to_bytes(8, "big")), (host, PORTS[0]))
            if each % 50 == 0:
                time.sleep(50 / number)
    print(time.monotonic(), flush=True)  # noqa: T201 - it speaks through a pipe


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
