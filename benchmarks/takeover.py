"""Time from a host's death to play at another, and what the programs say to each other meanwhile.

Real programs would take five seconds to notice, and the start of a process; both are simulated, as
is the network. What is measured is the protocol: how long it takes in simulated seconds, over a
hundred tables of three to five people, and the processor time of one whole takeover.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from tests.net.client.takeover_world import World

RUNS = 100
"""Number of tables whose host is killed."""


def taken_over(seed: int) -> tuple[float, float]:
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


def main() -> None:
    """Print the figures."""
    times, costs = zip(*map(taken_over, range(RUNS)), strict=True)
    ordered = sorted(times)
    last = ordered[int(0.99 * len(ordered))]
    print(f"takeover, simulated: p50 {median(ordered):.1f} s, p99 {last:.1f} s")
    print(f"its processor time, all programs: {1000 * median(costs):.0f} ms")
