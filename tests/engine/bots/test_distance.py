"""Where a card leads, worked out once for each site."""

import pytest

from engine.board import EMPTY, LINKED, OPEN_SHIFT
from engine.bots import fast_board as sites
from engine.bots.fast_board import (
    NO_FIT_RANK,
    RANK_SCALE,
    SITE_DISTANCES,
    UNREACHABLE_CARDS,
    SiteDistances,
    path_of_rank,
    targets_of,
    where_gold_may_be,
)
from engine.cards import Card, E, Path
from engine.notation import parse_position
from tests.engine.cases import round_at

MIDDLE = SITE_DISTANCES[2]


def test_the_tunnel_is_as_far_away_as_its_nearest_opening() -> None:
    assert SITE_DISTANCES[7].ahead(EMPTY) == 7
    assert SITE_DISTANCES[1].ahead(EMPTY) == 9
    assert SITE_DISTANCES[0].ahead(EMPTY) == UNREACHABLE_CARDS
    board = round_at("EW@1/EW@2 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    assert MIDDLE.ahead(board) == 5


def test_a_card_is_ranked_by_where_it_leads_and_then_by_what_it_opens() -> None:
    site = next(site for site in EMPTY.openings if site[0] == (1, 0))
    ranks = MIDDLE.ranks[site]
    assert ranks[-1] == 7
    assert ranks[Card.EW.index] // RANK_SCALE == ranks[Card.NESW.index] // RANK_SCALE == 6
    assert ranks[Card.NESW.index] < ranks[Card.NEW.index] < ranks[Card.EW.index]
    assert ranks[Card.NS.index] == NO_FIT_RANK
    assert ranks[Card.DEAD_EW.index] // RANK_SCALE == UNREACHABLE_CARDS
    assert path_of_rank(ranks[Card.NEW.index]) is Path.read("NEW")


def test_a_side_that_a_neighbour_has_shut_leads_nowhere() -> None:
    board = round_at("EW@1/nw@2n1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m").table.board
    site = (2, 0), board.sites[2, 0]
    assert MIDDLE.distance_after(Path.read("ESW"), site) == 5
    assert MIDDLE.distance_after(Path.read("SW"), site) == 7
    assert MIDDLE.distance_after(Path.read("esw"), site) == UNREACHABLE_CARDS


def test_a_card_fits_however_far_the_gold_is_and_leads_no_nearer_where_it_leads_nowhere() -> None:
    far = (-30, 0), E | E << OPEN_SHIFT | LINKED
    assert MIDDLE.ranks[far][-1] == UNREACHABLE_CARDS
    assert MIDDLE.ranks[far][Card.EW.index] < NO_FIT_RANK == MIDDLE.ranks[far][Card.NS.index]
    assert MIDDLE.distance_after(Path.read("e"), far) >= MIDDLE.distance[far[0]]


def test_goals_are_a_set() -> None:
    assert targets_of(((8, -2), (8, 2))) == 5
    assert SITE_DISTANCES[5].distance[8, 1] == 1
    assert SITE_DISTANCES[2].distance[8, 0] == 0


def test_the_gold_may_be_where_nobody_has_looked_or_where_it_was_seen() -> None:
    def may_be(goals: str) -> list[tuple[int, int]]:
        line = f"- {goals} 1 -,-,- NE,1,1 9 m??+?"
        return list(where_gold_may_be(parse_position(line).view(0)))

    assert may_be("?/?/?") == [(8, -2), (8, 0), (8, 2)]
    assert may_be("?/(NE)/?") == [(8, -2), (8, 2)]
    assert may_be("?/(NESW)/?") == [(8, 0)]
    assert may_be("(NW)/(NE)/?") == [(8, 2)]
    assert may_be("(NW)/(NE)/(NESW)") == [(8, 2)]


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_MAX_REMEMBERED", 2)
    few = SiteDistances(7)
    for site in EMPTY.openings:
        assert few.ranks[site] == SITE_DISTANCES[7].ranks[site]
        assert len(few.ranks) <= 2
    assert [few.distance[x, 0] for x in range(7)] == [8 - x for x in range(7)]
    assert len(few.distance) <= 2
