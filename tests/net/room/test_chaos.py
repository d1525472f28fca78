"""Whole games over bad connections with a host that dies: nothing is lost, doubled or differs.

A failing seed is in the test's name, and plays the same again.
"""

from functools import lru_cache

import pytest

from tests.net.room.world import World
from tests.samples import first

pytestmark = pytest.mark.broad


WORLDS = 8
"""Worlds that are looked at together. Tests share them: they come first, so that each is played
once."""


@lru_cache(maxsize=WORLDS)
def played(seed: int) -> World:
    """Return a world in which a game was played to its end."""
    world = World(seed)
    world.run()
    return world


def worlds() -> list[World]:
    """Return the worlds that are looked at together."""
    return [played(seed) for seed in range(WORLDS)]


def test_hosts_die_in_games_that_are_sealed() -> None:
    assert sum(world.sealed for world in worlds()) > 5


def test_each_copy_of_the_log_opens_to_the_table_as_it_was() -> None:
    assert sum(world.copies for world in worlds()) > 5
    assert sum(world.opened for world in worlds()) > 5


def test_bots_speak_between_all_of_it() -> None:
    assert sum(len(world.claims) for world in worlds()) > 20
    assert any(world.claims and world.crashes for world in worlds())


def test_a_seed_plays_the_same_again() -> None:
    first, second = played(7), World(7)
    second.run()
    assert first.truth == second.truth
    assert (first.now, first.cuts, first.compared) == (second.now, second.cuts, second.compared)


@pytest.mark.parametrize("seed", first(WORLDS, range(2600)))
def test_a_game_survives_what_happens_to_its_links_and_its_host(seed: int) -> None:
    played(seed)
