"""What the tests of finding games have in common: tables and lists on laptops, and bounds."""

from __future__ import annotations

from pathlib import Path

from tests.lan.lan import Lan, Program

BUSY_MACHINE_FACTOR = 3
"""How many times as long all may take where other tests run beside: a fault takes longer still."""


class Allowance:
    """By what factor bounds of time are stretched: 1 at the level `soak`, on a quiet machine."""

    factor = BUSY_MACHINE_FACTOR


async def table(lan: Lan, laptop: str, *arguments: str) -> tuple[Program, float, int]:
    """Open a table; when it was open, and its port."""
    program = await lan.module(laptop, "tests.lan.table", *arguments)
    opened, port = (await program.line()).split()
    return program, float(opened), int(port)


async def watch(lan: Lan, laptop: str) -> tuple[Program, float]:
    """Open a list; when it was open."""
    program = await lan.module(laptop, "tests.lan.watch")
    return program, float(await program.line())


async def tell_table(program: Program, line: str) -> float:
    """Tell a table something; when it was done."""
    program.say(line)
    return float(await program.line())


def within(seconds: float, what: str, since: float, until: float) -> None:
    """Print how long something took, and fail if that is too long by `Allowance`."""
    print(f"{what}: {until - since:.3f} s of {seconds}")  # noqa: T201 - the measured figure
    assert until - since <= seconds * Allowance.factor, what


async def on(lan: Lan, laptop: str, *command: str) -> None:
    """Run a command on a laptop to its end."""
    await lan.run("on", laptop, *command)


async def wall(lan: Lan, laptop: str, *what: str, how: str = "drop") -> None:
    """Let a laptop's firewall drop, or reject, what comes to these, such as `udp dport 7341`."""
    chain = "add chain inet wall in { type filter hook input priority 0; }"
    rules = [f"add rule inet wall in iifname eth0 {each} {how}" for each in what]
    await on(lan, laptop, "nft", "; ".join(["add table inet wall", chain, *rules]))


async def mute(lan: Lan, laptop: str) -> None:
    """Keep a laptop from calling, so that it finds by mDNS alone."""
    chain = "add chain inet mute out { type filter hook output priority 0; }"
    rule = "add rule inet mute out fib daddr type broadcast drop"
    await on(lan, laptop, "nft", f"add table inet mute; {chain}; {rule}")


def read_packets(capture: Path) -> list[bytes]:
    """The IPv4 packets in a capture, from the header on."""
    data, at, packets = capture.read_bytes(), 24, list[bytes]()
    while at + 16 <= len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "little")
        frame = data[at + 16 : at + 16 + size]
        at += 16 + size
        if frame[12:14] == b"\x08\x00":
            packets.append(frame[14:])
    return packets
