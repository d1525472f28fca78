"""Time from a host's death to play at another, and what it costs to be prepared for that.

Real programs would take five seconds to notice, and the start of a process; both are simulated, as
is the network. The protocol is measured: the simulated seconds that it takes, over a hundred tables
of three to five people, and the processor time of one whole takeover.

Being prepared costs something at a table whose host stays, too: at its start, where each program
makes a certificate and is told of the others; with each step, which comes sealed as well; and when
the host is restarted, as each program then asks for its whole copy again.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

import msgspec

from benchmarks.sealing import CREATED, KEYS, give_shares, steps_of_a_round, write_steps
from net.client.log_copy import LogCopy
from net.protocol.election import Elector, Electors
from net.room.copies import CopiedLog, without_news
from net.room.sealing import SealedLog, Sealer
from net.room.state import read_step, write
from net.secure.keys import TableCertificate
from tests.net.takeover.takeover_world import World

RUNS = 100
"""Number of tables whose host is killed."""

REPEATS = 200
"""Number of times that a quick measurement is repeated."""


def time_takeover(seed: int) -> tuple[float, float]:
    """Return the simulated seconds and the processor time of one takeover."""
    world = World(seed)
    world.begin()
    world.run_until(lambda: all(player.state.copy.last > 12 for player in world.players))
    world.kill(world.hosts[0])
    killed, begun = world.now, process_time()
    world.run_until(lambda: all_are_back(world))
    return world.now - killed, process_time() - begun


def all_are_back(world: World) -> bool:
    """Return True if everybody is at a new host."""
    return len(world.hosts) > 1 and all(
        player.state.entered and lobby is not None and lobby.term
        for player in world.players
        for lobby in (player.state.status.lobby,)
    )


def seconds(act: Callable[[], object]) -> float:
    """Return the processor time of an act, which is shorter than some clocks tick."""
    begun = process_time()
    for _ in range(REPEATS):
        act()
    return (process_time() - begun) / REPEATS


def start_costs() -> tuple[float, int]:
    """Return the seconds of a certificate, and the bytes in which ten programs are told of."""
    addresses = bytes(4), bytes(16)
    electors = tuple(
        Elector(member, key.public, bytes(32), 7350, addresses)
        for member, key in enumerate(KEYS, 1)
    )
    told = Electors("0123456789abcdef", electors)
    return seconds(TableCertificate.new), len(msgspec.msgpack.encode(told))


def step_costs(journal: list[bytes]) -> tuple[float, float]:
    """Return the bytes that a step adds to its frame, and the seconds of all steps of a round."""
    steps = [read_step(payload) for payload in journal]
    added = [without_news(step) for step in steps if step.sealed]

    def copy_log() -> None:
        log = CopiedLog(write(CREATED))
        for payload, step in zip(journal, steps, strict=True):
            log.add(payload, ())
            read_step(without_news(step))

    return median(map(len, added)), seconds(copy_log)


def resume_costs(journal: list[bytes]) -> tuple[int, float]:
    """Return the bytes of a copy that is asked for again, and the seconds on both sides."""
    log = SealedLog([read_step(payload) for payload in journal])
    give_shares(log)
    sealer, copied, sizes = Sealer(), CopiedLog(write(CREATED)), list[int]()
    sealer.go_on(log.key(), log.open_steps(log.key()))
    copied.load(log.steps)

    def renew_copy() -> None:
        copy = LogCopy()
        sizes.clear()
        while (after := copy.lacks_after) is not None:
            part = copied.part(after, sealer)
            sizes.append(len(msgspec.msgpack.encode(part)))
            copy.take(part, len(journal))

    took = seconds(renew_copy)
    return sum(sizes), took


def main() -> None:
    """Print the figures."""
    journal = write_steps(steps_of_a_round(), seals=True)
    certificate, told = start_costs()
    print(f"added to a start: {1000 * certificate:.1f} ms for a certificate, {told} bytes told")
    size, took = step_costs(journal)
    print(f"added to a step: {size:.0f} bytes, {1e6 * took / len(journal):.0f} microseconds")
    size, took = resume_costs(journal)
    print(f"added to a resume, {len(journal)} steps: {size} bytes, {1000 * took:.1f} ms")
    times, costs = zip(*map(time_takeover, range(RUNS)), strict=True)
    ordered = sorted(times)
    last = ordered[int(0.99 * len(ordered))]
    print(f"takeover, simulated: p50 {median(ordered):.1f} s, p99 {last:.1f} s")
    print(f"its processor time, all programs: {1000 * median(costs):.0f} ms")
