"""The hosts of one table in the list of games: where it answers, and what makes another row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from net.discovery.advert import Advert
from net.discovery.browser import LOST_AFTER_S
from net.protocol import Versions
from tests.net.discovery.browser_fixture import (
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
    listed = find_game(FORMER)
    answer_probe(listed, LATER, THERE, 0.1)
    answer_probe(listed, BRUNO, FAR_AWAY, 0.1)
    hosts = listed.hosts(ANA.id, 0.2)
    assert dict(hosts) == {HERE: (False, 1, 0), THERE: (True, 2, 18)}
    assert len(hosts) == 2
    assert listed.hosts(BRUNO.id, 0.2) == ((FAR_AWAY, BRUNO.standing),)
    assert listed.hosts("cccc000000000003", 0.2) == ()


def test_a_host_that_is_silent_or_was_only_named_is_none() -> None:
    listed = find_game(FORMER)
    listed.hint(LATER, [THERE], 0.1)
    assert listed.hosts(ANA.id, 0.2) == ((HERE, FORMER.standing),)
    answer_probe(listed, LATER, THERE, 1.0)
    assert listed.hosts(ANA.id, LOST_AFTER_S) == ((THERE, LATER.standing),)
    assert listed.hosts(ANA.id, 1.0 + LOST_AFTER_S) == ()


def test_hosts_that_give_a_table_another_name_or_version_are_among_its_hosts() -> None:
    listed = find_game(FORMER)
    answer_probe(listed, replace(LATER, name="Ana again"), THERE, 0.1)
    answer_probe(listed, replace(LATER, versions=Versions(9, 9)), FAR_AWAY, 0.1)
    assert {address for address, _standing in listed.hosts(ANA.id, 0.2)} == {HERE, THERE, FAR_AWAY}


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
    listed = new_games()
    answer_probe(listed, ANA, HERE, 0.0)
    answer_probe(listed, other, THERE, 0.0)
    rows = {game.advert.row for game in listed.games(0.1)}
    assert len(rows) == 2


def test_a_row_stays_the_same_as_a_game_begins_and_as_it_moves() -> None:
    listed = find_game(FORMER)
    (before,) = listed.games(0.1)
    answer_probe(listed, replace(LATER, players=5), THERE, 0.2)
    (after,) = listed.games(0.3)
    assert after.advert != before.advert
    assert after.advert.row == before.advert.row
