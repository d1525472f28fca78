"""What the first second after a deal tells a sniffer of roles: lengths and times on Ben's TLS link.

Rounds with the same public past are dealt at real hosts, on loopback. A coin says if Ben or Ann is
the saboteur. Half of the rounds teach a threshold for each feature, and the mean of each role; the
other half is guessed. `SABTUI_ROUNDS` is their number.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias
from unittest.mock import patch

from engine import Deal, Role, deal
from net.protocol.requests import SetReady, Start
from net.secure.connection import Connection
from tests.net.cable import cable
from tests.net.server.served_table import Guest, hosting, until

RECORDS: Final = 8
"""Records from the host of which length and time are features."""

LISTEN_S: Final = 1.0
"""Seconds after the deal in which records are looked at."""

Features: TypeAlias = tuple[float, ...]


class TimedList(list[int]):
    """Lengths, and when each was noted."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def append(self, length: int) -> None:
        """Note a length."""
        self.times.append(time.perf_counter())
        super().append(length)


class Quiet(Guest):
    """Somebody who says nothing by the clock."""

    async def _beat(self, connection: Connection) -> None:
        del connection


class RecordLengths:
    """Notes the length of each TLS record that passes."""

    def __init__(self) -> None:
        self.lengths = TimedList()
        self._begun = bytearray()

    def __call__(self, data: bytes) -> bytes:
        """Note the records in these bytes, and pass them on."""
        self._begun += data
        while len(self._begun) >= 5:
            length = int.from_bytes(self._begun[3:5], "big")
            if len(self._begun) < 5 + length:
                break
            self.lengths.append(length)
            del self._begun[: 5 + length]
        return data


def deal_to(role: Role, rng: Random) -> Deal:
    """Return a deal in which Ben, in seat 1, has this role, and Ann the other one."""
    while True:
        dealt = deal(rng.randbytes(32), 1, 3)
        if set(dealt.roles[:2]) == set(Role):
            break
    ann, ben, *others = dealt.roles
    roles = (ann, ben, *others) if ben is role else (ben, ann, *others)
    return replace(dealt, roles=roles)


async def listen(dealt: Deal, where: Path) -> Features:
    """Return the features of Ben's link in the second after this deal."""
    tap = RecordLengths()
    down = tap.lengths
    async with hosting(where) as hosted, cable(hosted.port, down=tap) as line:
        for name, port in (("Ann", hosted.port), ("Ben", line.port), ("Cleo", hosted.port)):
            guest = Quiet(name, port, hosted.host_key if name == "Ann" else None)
            hosted.guests.append(await guest.join())
            assert await guest.wants(SetReady(ready=True)) is None
        await hosted.all_know()
        before = len(down)
        with patch("engine.notation.record.deal", lambda *_: dealt):
            ann = hosted.guests[0]
            begun = time.perf_counter()
            ann.say(*ann.state.request(Start()))
            await until(lambda: hosted.state.game is not None)
            await asyncio.sleep(LISTEN_S)
        lengths, times = down[before:], down.times[before:]
    gaps = [later - earlier for earlier, later in zip([begun, *times], times, strict=False)]
    pad = [0.0] * RECORDS
    return (len(lengths), *[*lengths, *pad][:RECORDS], *[*gaps, *pad][:RECORDS])


Guess: TypeAlias = Callable[[Features], bool]


def threshold(at: int, rows: Sequence[Features], roles: Sequence[bool]) -> tuple[float, Guess]:
    """Return the best threshold on a feature, as a guess, and how often it is right."""
    found: list[tuple[float, float, bool]] = []
    for limit in {row[at] for row in rows}:
        right = fmean((row[at] >= limit) == role for row, role in zip(rows, roles, strict=True))
        found += [(right, limit, True), (1 - right, limit, False)]
    right, limit, above = max(found)
    return right, lambda row: (row[at] >= limit) == above


def nearest_mean(rows: Sequence[Features], roles: Sequence[bool]) -> Guess:
    """Return a guess of the role whose mean is nearest, over all features by their spread."""
    spread = [pstdev(column) or 1.0 for column in zip(*rows, strict=True)]

    def mean(role: bool) -> Features:  # noqa: FBT001 - which of two
        mine = [row for row, its in zip(rows, roles, strict=True) if its is role]
        return tuple(fmean(column) for column in zip(*mine, strict=True))

    yes, no = mean(True), mean(False)  # noqa: FBT003 - which of two

    def guess(row: Features) -> bool:
        def far(other: Features) -> float:
            pairs = zip(row, other, spread, strict=True)
            return sum(((one - two) / wide) ** 2 for one, two, wide in pairs)

        return far(yes) < far(no)

    return guess


def main() -> None:
    """Print how often guesses are right, and what chance would give."""
    rounds, rng = int(os.environ.get("SABTUI_ROUNDS", "20")), Random(0)
    rows, roles = [], []
    for _ in range(rounds):
        saboteur = rng.random() < 0.5
        dealt = deal_to(Role.SABOTEUR if saboteur else Role.MINER, rng)
        with TemporaryDirectory() as folder:
            rows.append(asyncio.run(listen(dealt, Path(folder))))
        roles.append(saboteur)
    half = rounds // 2
    learn, known, tried, true = rows[:half], roles[:half], rows[half:], roles[half:]
    right = partial(rate, tried, true)
    best = max(
        (threshold(at, learn, known) for at in range(len(rows[0]))), key=lambda pair: pair[0]
    )
    print(
        f"lengths: {len({row[: 1 + RECORDS] for row in rows})} different lists in {rounds} rounds"
    )
    print(f"best feature by training: right in {right(best[1]):.2f} of the other half")
    print(f"nearest mean: right in {right(nearest_mean(learn, known)):.2f}")
    off = 1.96 * sqrt(0.25 / len(tried))
    print(f"chance, 95 in 100: {0.5 - off:.2f} to {0.5 + off:.2f}")


def rate(rows: Sequence[Features], roles: Sequence[bool], guess: Guess) -> float:
    """Return how often a guess is right."""
    return fmean(guess(row) == role for row, role in zip(rows, roles, strict=True))


if __name__ == "__main__":
    main()
