"""Time from the loss of a host's computer to the next move, on a LAN of network namespaces.

Three real programs play by themselves, as fast as they can, with up to three guests whose screens
run at the host's computer, as at its doors. That computer is lost: its processes are killed, its
cable is pulled, or it freezes. In every third run it was the host's turn. Needs root;
`SABTUI_TAKEOVERS` is the number of runs, `SABTUI_TAKEOVERS_FROM` the first seed.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

assert sys.platform != "win32"  # so that types know, too

from tests.lan.lan import Lan  # noqa: E402 - POSIX
from tests.lan.players import NEW_HOST, Player, can_go_on  # noqa: E402 - POSIX
from tests.lan.test_playing import MOVED, all_read, host, join  # noqa: E402 - POSIX
from tests.lan.test_takeover import pause, table_process  # noqa: E402 - POSIX

FAULTS: Final = ("killed", "cable out", "frozen")
"""Ways in which the host's computer is lost."""

LONGEST_S: Final = 60.0
"""Seconds after which a table counts as stuck."""

LATEST_S: Final = 0.6
"""Seconds after the game has begun at which the host is lost at the latest; a game takes few."""

QUIET_S: Final = 2.0
"""Seconds without a line after which it is the turn of a host whose program was stopped."""

WANTED_S: Final = 8.0
"""Seconds from the fault to the first move, in 95 of 100 runs."""

ALARM: Final = "^No word from the host: another computer"
GUESTS: Final = ("Dan", "Eve", "Fay")
"""Who may sit at the host's computer besides the host."""

FIRST_MOVE: Final = f"(You|Ann|Ben|Cleopatra|Dan|Eve|Fay) {MOVED}"


class Watch:
    """Reads on what a player's program prints, and notes when it said what for the first time."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.last = time.monotonic()
        self.lost_at: float | None = None
        self.gone = self.open = self.move = 0.0

    async def run(self) -> None:
        """Read until the program ends, or this is cancelled."""
        while True:
            line = await self.player.program.line()
            self.player.lines.append((time.monotonic(), line))
            self.last = time.monotonic()
            if self.lost_at is None:
                continue
            since = self.last - self.lost_at
            if not self.gone and re.search(ALARM, line):
                self.gone = since
            if not self.open and re.search(NEW_HOST, line):
                self.open = since
            if self.open and not self.move and re.search(FIRST_MOVE, line):
                self.move = since


async def lose(lan: Lan, fault: str, ann: Player, table: int) -> None:
    """Lose the computer of the host."""
    if fault == "cable out":
        await lan.run("cable", "h1", "out")
        return
    name = "KILL" if fault == "killed" else "STOP"
    os.kill(table, signal.Signals[f"SIG{name}"])
    ann.program.signal(name)


async def begin_game(lan: Lan, folder: Path, guests: Sequence[str]) -> tuple[Player, ...]:
    """Begin a game of three laptops and these guests at the first; return the laptops' players."""
    ann = await host(lan, folder / "ann", "--rounds", "3", "--players", str(3 + len(guests)))
    for name in guests:
        await join(lan, "h1", folder / name, name)
    ben = await join(lan, "h2", folder / "ben", "Ben")
    cleo = await join(lan, "h3", folder / "cleo", "Cleopatra")
    for name in (*guests, "Ben", "Cleopatra"):
        if f"{name} is ready" not in ann.said:
            await ann.reads(f"^{name} is ready")
    ann.says("start")
    await all_read("^The game begins", ann, ben, cleo)
    return ann, ben, cleo


async def take_over(seed: int, folder: Path) -> tuple[float, float, float] | None:
    """Return the seconds until the host was said to be gone, until another was, and to a move.

    `None` if the table is stuck.
    """
    rng = Random(seed)
    fault, is_hosts_turn, guests = FAULTS[seed % 3], seed // 3 % 3 == 0, GUESTS[: seed // 9 % 4]
    async with Lan(3) as lan:
        ann, ben, cleo = await begin_game(lan, folder, guests)
        await pause(ann, ben, cleo)
        await can_go_on(folder / "ben", folder / "cleo")
        table = table_process(folder / "ann")
        ann.says("go")
        await ben.reads("^The game goes on")
        if not is_hosts_turn:
            await asyncio.sleep(rng.uniform(0, LATEST_S))
        else:
            ann.program.signal("STOP")
        watches = [Watch(ben), Watch(cleo)]
        reading = [asyncio.create_task(watch.run()) for watch in watches]
        if is_hosts_turn:
            while any(time.monotonic() - one.last < QUIET_S for one in watches):  # noqa: ASYNC110 - lines
                await asyncio.sleep(0.1)
        await lose(lan, fault, ann, table)
        lost_at = time.monotonic()
        for watch in watches:
            watch.lost_at = lost_at
        until = lost_at + LONGEST_S
        while not all(watch.move for watch in watches) and time.monotonic() < until:  # noqa: ASYNC110 - lines
            await asyncio.sleep(0.05)
        for task in reading:
            task.cancel()
            with suppress(asyncio.CancelledError, EOFError):
                await task
        for name in ("CONT", "KILL"):
            with suppress(ProcessLookupError):
                ann.program.signal(name)
            with suppress(ProcessLookupError):
                os.kill(table, signal.Signals[f"SIG{name}"])
    turn = ", at the turn of the host" if is_hosts_turn else ""
    print(f"  seed {seed}, {fault}{turn}, guests at the host's: {len(guests)}:", end=" ")
    if any("The game is over" in watch.player.said for watch in watches):
        print("over before that")
        return None
    if not all(watch.move for watch in watches):
        print("STUCK", *(watch.player.said[-1500:] for watch in watches), sep="\n")
        return None
    took = [max(getattr(one, what) for one in watches) for what in ("gone", "open", "move")]
    print("gone {:.1f} s, open {:.1f} s, first move {:.1f} s".format(*took), flush=True)
    return took[0], took[1], took[2]


def main() -> None:
    """Print the figures."""
    if os.geteuid() != 0:
        print("takeovers on a LAN: not measured, as only root can make one")
        return
    runs = int(os.environ.get("SABTUI_TAKEOVERS", "3"))
    begin = int(os.environ.get("SABTUI_TAKEOVERS_FROM", "0"))
    took = []
    for seed in range(begin, begin + runs):
        with TemporaryDirectory() as folder:
            took.append(asyncio.run(take_over(seed, Path(folder))))
    done = [one for one in took if one is not None]
    print(f"takeovers on a LAN: {len(took) - len(done)} of {len(took)} are stuck, or were over")
    if not done:
        return
    for at, what in enumerate(("host said to be gone", "new host", "first move")):
        times = sorted(one[at] for one in done)
        last = times[min(len(times) - 1, int(0.95 * len(times)))]
        print(f"{what}: p50 {median(times):.1f} s, p95 {last:.1f} s, most {times[-1]:.1f} s")
    late = sum(one[2] > WANTED_S for one in done)
    print(f"first moves later than {WANTED_S:.0f} s: {late}")


if __name__ == "__main__":
    main()
