"""The league: who wins more is rated higher, on the same deals for all."""

from random import Random

import pytest

from engine.bots import Playouts
from engine.cards import Role
from sabtui.app.errors import UserError
from sabtui.kit.arena import LEAGUE_COLUMNS, LeagueRound, measure, play_deal, ratings

M, S = Role.MINER, Role.SABOTEUR
FIVE = (M, S, M, M, S)


def test_a_deal_is_played_by_all_teams_and_by_all_rotations_of_the_seats() -> None:
    played = play_deal(["greedy", "easy", "random"], 5, Playouts(0), 3)
    assert len({one.roles for one in played}) == 1
    teams, mixed = played[:6], played[6:]
    pairs = {
        tuple(
            frozenset(bot for bot, role in zip(one.bots, one.roles, strict=True) if role is side)
            for side in Role
        )
        for one in teams
    }
    assert len(pairs) == 6
    assert all(len(side) == 1 for pair in pairs for side in pair)
    assert [one.bots for one in mixed] == [(0, 1, 2, 0, 1), (1, 2, 0, 1, 2), (2, 0, 1, 2, 0)]
    assert played == play_deal(["greedy", "easy", "random"], 5, Playouts(0), 3)


def test_a_seat_counts_for_its_share_of_its_side() -> None:
    one = LeagueRound((0, 1, 0, 1, 0), FIVE, won=True)
    assert one.weights(2) == (2 / 3 - 1 / 2, 1 / 3 - 1 / 2)
    assert LeagueRound((0, 0, 1), (M, M, M), won=True).weights(2) == (2 / 3, 1 / 3)


def test_ratings_find_the_strengths_by_which_rounds_were_won() -> None:
    rng, strengths, rounds = Random(7341), (200.0, 0.0, -200.0), []
    for _ in range(6000):
        bots = tuple(rng.randrange(3) for _ in FIVE)
        weights = LeagueRound(bots, FIVE, won=True).weights(3)
        points = 80 + sum(map(float.__mul__, weights, strengths))
        rounds.append(LeagueRound(bots, FIVE, rng.random() < 1 / (1 + 10 ** (-points / 400))))
    found = ratings(rounds, 3)
    assert sum(found) == pytest.approx(0)
    assert found == pytest.approx(strengths, abs=25)


def test_who_wins_every_round_has_a_rating_all_the_same() -> None:
    digs = LeagueRound((0, 1, 0, 0, 1), FIVE, won=True)
    hides = LeagueRound((1, 0, 1, 1, 0), FIVE, won=False)
    first, second = ratings([digs, hides] * 50, 2)
    assert 300 < first == -second < 3000


def test_a_tournament_is_a_table_with_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    measure(["random", "greedy"], 4, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"| {' | '.join(LEAGUE_COLUMNS)} |"
    best, last = (line.strip("|").split("|") for line in lines[2:4])
    assert (best[0].strip(), last[0].strip()) == ("greedy", "random")
    assert best[2].strip()
    assert not last[2].strip()
    assert "seed 7341" in lines[-1]


def test_a_league_is_between_bots_that_exist() -> None:
    with pytest.raises(UserError, match="no bot nobody"):
        measure(["greedy", "nobody"], 1, 1)
