"""Tables that go on while hosts die and networks part: the elections, and nothing lost.

A failing seed is in the test's name, and plays the same again.
"""

import pytest

from tests.net.takeover.takeover_mishaps import RoughWorld
from tests.samples import first

pytestmark = pytest.mark.broad


WORLDS = (1, 3, 6, 8)
"""Seeds of worlds that are looked at together, in every run: all is short, and all happens."""


def play_world(seed: int) -> RoughWorld:
    """Return a world in which a game was played to its end."""
    world = RoughWorld(seed)
    world.run()
    return world


def test_tables_do_move_and_some_are_handed_over() -> None:
    worlds = [play_world(seed) for seed in WORLDS]
    assert sum(world.takeovers for world in worlds) > 8
    assert any(world.handed_over for world in worlds)
    deaths = {when for world in worlds for when in world.deaths}
    assert deaths == {"any time", "gold", "draw", "new"}
    assert any(world.gone_for_good for world in worlds)


@pytest.mark.parametrize(
    "seed", first(0, [seed for seed in range(2000) if seed not in WORLDS], thorough=50)
)
def test_a_game_goes_on_whatever_happens_to_its_hosts(seed: int) -> None:
    play_world(seed)
