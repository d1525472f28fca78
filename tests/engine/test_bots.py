"""The bots play whole games, by the rules, from a view alone."""

from random import Random

import pytest

from engine.bots import BOTS, LEVELS, Bot, Playouts, greedy
from engine.cards import Role
from engine.dealing import deal
from engine.edition import EDITIONS
from engine.events import RoundEnded
from engine.game import Game
from engine.moves import KeepGold
from engine.state import Phase
from tests.engine.cases import WON, game_of, last_step_position, play, round_at
from tests.samples import first, pairs

EACH = [name for name in BOTS if name not in LEVELS]
"""Every bot once: a level is one of them."""

SLOWEST_LAST = sorted(EACH, key="wary".__eq__)
TABLES = pairs([*EDITIONS], (5, 10, 3))


def play_out(bot: Bot, game: Game, seed: bytes, rng: Random) -> list[RoundEnded]:
    """Play a game to its end; every move is legal, or `apply` would say so."""
    ends: list[RoundEnded] = []
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            players = game.round.table.players
            dealt = deal(seed, game.score.number + 1, players, game.purse.pile)
            game, _ = game.deal(dealt)
        view = game.view(game.to_act)
        move = bot(view, rng, Playouts(1))
        assert move in view.legal_moves()
        game, events = game.apply(move)
        ends += [event for event in events if isinstance(event, RoundEnded)]
    return ends


@pytest.mark.level("broad")
@pytest.mark.parametrize(("name", "table"), first(3, pairs(SLOWEST_LAST, TABLES), thorough=4))
def test_a_bot_plays_whole_games_in_every_edition(
    name: str, table: tuple[str, int], rng: Random
) -> None:
    book, players = table
    seed = rng.randbytes(32)
    game, _ = Game.begin(deal(seed, 1, players), EDITIONS[book], rounds=2)
    assert len(play_out(BOTS[name], game, seed, rng)) == 2


@pytest.mark.parametrize("name", EACH)
def test_a_bot_asked_out_of_turn_says_so(name: str, rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 4), youngest=0)
    for seat in (1, 2, 3, None):
        whose = "a watcher" if seat is None else f"seat {seat + 1}"
        with pytest.raises(ValueError, match=f"^{whose} is not to act"):
            BOTS[name](game.view(seat), rng, Playouts(1))


def test_every_name_fits_into_the_messages_of_a_table() -> None:
    assert {"random", "greedy", "wary", "search", "easy", "medium", "hard"} == set(BOTS)
    assert list(LEVELS) == ["easy", "medium", "hard"]
    assert all(0 < len(name) <= 16 for name in BOTS)


def test_greedy_miners_and_saboteurs_each_win_some_rounds(rng: Random) -> None:
    won = {Role.MINER: 0, Role.SABOTEUR: 0}
    for players in (3, 4, 5, 7) * 3:
        seed = rng.randbytes(32)
        game, _ = Game.begin(deal(seed, 1, players), rounds=1)
        for end in play_out(greedy, game, seed, rng):
            won[end.winner] += 1
    assert min(won.values()) > 2


def test_greedy_keeps_the_most_nuggets(rng: Random) -> None:
    game, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
    assert greedy(game.view(1), rng, Playouts(0)) == KeepGold(3)
