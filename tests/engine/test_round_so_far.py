"""A game written down as plain values, and read back."""

from dataclasses import replace
from random import Random

import pytest

from engine.assembling import RoundSoFar
from engine.cards import Role
from engine.edition import EDITIONS, Edition
from engine.events import GoldReceived
from engine.game import Game
from engine.moves import IllegalMove
from engine.sampling import sample_game
from engine.state import Phase
from tests.engine.random_games import DRIVERS, anyhow, games
from tests.engine.test_assemble import SHUFFLED
from tests.samples import first


@pytest.mark.level("broad")
@pytest.mark.parametrize(("edition", "players", "driver"), first(4, SHUFFLED[30:], thorough=12))
def test_a_game_follows_from_what_is_written_of_it(
    edition: Edition, players: int, driver: str, rng: Random
) -> None:
    whole = list(games(edition, players, DRIVERS[driver], rng))
    some = [game for game in whole if game.phase is not Phase.PLAY or rng.random() < 0.1]
    for game in some:
        again = RoundSoFar.of(game).game()
        assert again == game
        assert RoundSoFar.of(again) == RoundSoFar.of(game)
        for seat in (*range(players), None):
            assert again.view(seat) == game.view(seat)


def test_a_game_of_which_one_seat_alone_knows_is_not_written(rng: Random) -> None:
    game, *_ = games(EDITIONS["france"], 4, anyhow, rng)
    for part in (sample_game(game.view(0), rng), Game(game.score, game.round, game.purse)):
        with pytest.raises(ValueError, match="not whole"):
            RoundSoFar.of(part)


def test_what_no_game_has_led_to_is_not_read(rng: Random) -> None:
    *_, over = games(EDITIONS["italia"], 4, anyhow, rng)
    written = RoundSoFar.of(over)
    gold = tuple(GoldReceived(0, (3,)) for _ in range(5))
    move = written.moves[0]
    for wrong, why in (
        (written._replace(rounds=4), "one to three rounds"),
        (written._replace(wins=(Role.MINER,) * 3), "fewer rounds"),
        (written._replace(ledger=gold), "less gold"),
        (written._replace(deal=replace(written.deal, pile=())), "not made of the cards"),
        (written._replace(deal=replace(written.deal, starter=4)), "no seat"),
    ):
        with pytest.raises(ValueError, match=why):
            wrong.game()
    with pytest.raises(IllegalMove):
        written._replace(moves=(*written.moves, move)).game()
