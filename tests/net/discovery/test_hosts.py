"""The hosts of one table in the list of games: where it answers, and what makes another row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from net.discovery.advert import Advert
from net.discovery.candidates import LOST_AFTER_S
from net.protocol import Versions
from tests.net.discovery.catalog_fixture import (
    ANA,
    BRUNO,
    FAR_AWAY,
    HERE,
    THERE,
    answer_probe,
    find_game,
    new_games,
)

FORMER = replace(ANA, people=1)
"""Ana's table at its former host, who is alone."""

LATER = replace(ANA, term=18, plays=True, people=2)
"""Ana's table, which goes on at the computer of another."""


def test_each_host_of_a_table_is_known_with_the_standing_of_its_own() -> None:
    catalog = find_game(FORMER)
    answer_probe(catalog, LATER, THERE, 0.1)
    answer_probe(catalog, BRUNO, FAR_AWAY, 0.1)
    hosts = catalog.hosts(ANA.id, 0.2)
    assert dict(hosts) == {HERE: (False, 1, 0), THERE: (True, 2, 18)}
    assert len(hosts) == 2
    assert catalog.hosts(BRUNO.id, 0.2) == ((FAR_AWAY, BRUNO.standing),)
    assert catalog.hosts("cccc000000000003", 0.2) == ()


def test_a_host_that_is_silent_or_was_only_named_is_none() -> None:
    catalog = find_game(FORMER)
    catalog.hint(LATER, [THERE], 0.1)
    assert catalog.hosts(ANA.id, 0.2) == ((HERE, FORMER.standing),)
    answer_probe(catalog, LATER, THERE, 1.0)
    assert catalog.hosts(ANA.id, LOST_AFTER_S) == ((THERE, LATER.standing),)
    assert catalog.hosts(ANA.id, 1.0 + LOST_AFTER_S) == ()


def test_hosts_that_give_a_table_another_name_or_version_are_among_its_hosts() -> None:
    catalog = find_game(FORMER)
    answer_probe(catalog, replace(LATER, name="Ana again"), THERE, 0.1)
    answer_probe(catalog, replace(LATER, versions=Versions(9, 9)), FAR_AWAY, 0.1)
    assert {address for address, _standing in catalog.hosts(ANA.id, 0.2)} == {HERE, THERE, FAR_AWAY}


@pytest.mark.parametrize(
    "other",
    [
        BRUNO,
        replace(ANA, name="Anna"),
        replace(ANA, versions=Versions(2, 2)),
        replace(ANA, versions=Versions(3, 3)),
    ],
    ids=["another table", "another name", "an older version", "a newer version"],
)
def test_no_two_games_of_a_list_have_one_row(other: Advert) -> None:
    catalog = new_games()
    answer_probe(catalog, ANA, HERE, 0.0)
    answer_probe(catalog, other, THERE, 0.0)
    rows = {game.row for game in catalog.listing(0.1)}
    assert len(rows) == 2


def test_a_row_stays_the_same_as_a_game_begins_and_as_it_moves() -> None:
    catalog = find_game(FORMER)
    (before,) = catalog.listing(0.1)
    answer_probe(catalog, replace(LATER, players=5), THERE, 0.2)
    (after,) = catalog.listing(0.3)
    assert after.advert != before.advert
    assert after.row == before.row
