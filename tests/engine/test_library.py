"""The engine as a library: what a user at the prompt imports, prints, reads and catches."""

import doctest
import json
import pydoc
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from random import Random
from typing import get_args

import pytest

import engine.bots.review
import engine.notation
from engine import bots
from engine.board import EMPTY
from engine.bots import greedy, random_bot
from engine.cards import Path
from engine.edition import FRANCE
from engine.events import Event, Laid, event_dict
from engine.game import Game
from engine.moves import KeepGold, Move, NotOnOffer, Reason
from engine.notation import Position, parse_position
from engine.playing import play as play_bots
from engine.state import Phase, Score
from tests.engine.cases import game_of, round_at

LINE = "EW@1/nesw@1n1/NS@3 (NE)/(NESW)/(NW) 1 -,PC,- NE/-L/R,NS,M NE/NW mms+m"

SEEN = "EW@1 ?/(NE)/? 1 -,P,- NS/NE/-L/M,3,2 0 m??+?"
SEED = bytes(32)

MINE = """\
    0  1  2  3  4  5  6  7  8
n2                         [{}]
n1    ~X~
0  -S----    :             [{}]
s1
s2                         [{}]
"""


def test_every_event_reason_and_move_is_exported() -> None:
    for union in (Event, Reason, Move):
        for kind in get_args(union):
            assert getattr(engine, kind.__name__) is kind
            assert kind.__name__ in engine.__all__
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (engine, engine.notation):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0


def test_every_bot_is_exported() -> None:
    for bot in bots.BOTS.values():
        assert bot in [getattr(bots, name) for name in bots.__all__ if not name.isupper()]


def test_help_opens_with_a_game_in_ten_lines() -> None:
    text = pydoc.plain(pydoc.render_doc(engine))
    opening = text[: text.index("print(game.score)")].splitlines()
    assert sum(line.strip().startswith((">>>", "...")) for line in opening) <= 10
    assert "game.apply(" in text[: text.index("print(game.score)")]


def test_a_game_prints_with_all_its_secrets() -> None:
    assert str(game_of(round_at(LINE))) == (
        "round 1 of 3, gold cards 0 0 0: seat 1 to play\n" + MINE.format("o", "$", "o") + "pile 2\n"
        ">  seat 1  miner     NE -L R\n"
        "   seat 2  miner     NS       broken P C\n"
        "   seat 3  saboteur  M"
    )


def test_a_view_prints_what_its_seat_knows() -> None:
    assert str(parse_position("- ?/(NESW)/? 2 -,-,- 3,M,- 0 ?s?+?").view(1)) == (
        "round 1 of 1, gold cards 0 0 0: seat 2 to play\n"
        "    0  1  2  3  4  5  6  7  8\n"
        "n2                         [?]\n"
        "n1\n"
        "0  -S-                     [$]\n"
        "s1\n"
        "s2                         [?]\n"
        "pile 0\n"
        "   seat 1            3 cards\n"
        ">  seat 2  saboteur  M\n"
        "   seat 3            0 cards"
    )
    watched = str(game_of(round_at(LINE)).view(None))
    assert "miner" not in watched
    assert "NE" not in watched
    assert MINE.format("?", "?", "?") in watched


def test_winners_are_none_until_the_game_is_over(rng: Random) -> None:
    seed = rng.randbytes(32)
    game, _ = Game.begin(engine.deal(seed, 1, 3), rounds=1)
    assert game.score.winners is None
    while game.phase is not engine.Phase.OVER:
        game, _ = game.apply(rng.choice(game.legal_moves()))
    assert game.score.winners
    assert "won by seat" in str(game)
    assert repr(game).endswith(", over>")
    between = Score.bare(3, 3)
    assert str(between) == "round 0 of 3, gold cards 0 0 0"


def test_what_prints_on_many_lines_shows_on_one() -> None:
    game = game_of(round_at(LINE))
    shown = {
        game: "<Game: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.view(1): "<View of seat 2: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.view(None): "<View of a watcher: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.round: "<Round at <Table of 3 players, seat 1 to play, 2 cards in the pile>>",
        EMPTY: "<Board with 0 tunnels, 3 goals face down>",
        engine.Table.bare(engine.FRANCE, 3): "<Table of 3 players, nobody to play, 0 cards in the "
        "pile>",
    }
    for value, line in shown.items():
        assert repr(value) == line
        assert str(value).isascii()


def test_a_new_game_is_dealt_from_its_seed_and_tells_why_a_move_is_illegal() -> None:
    dealt, _ = Game.begin(engine.deal(SEED, 1, 5), FRANCE, rounds=2, youngest=3)
    game = Game.new(5, seed=SEED, edition=FRANCE, rounds=2, youngest=3)
    assert game == dealt
    assert [game.why_not(move) for move in game.legal_moves()] == [None] * len(game.legal_moves())
    assert game.why_not(KeepGold(1)) == NotOnOffer(1)


def test_bots_play_a_whole_game_which_the_seed_decides() -> None:
    seats = (greedy, random_bot, greedy)
    first, *_, last = games = list(play_bots(seats, SEED, rounds=2))
    assert first == Game.new(3, seed=SEED, rounds=2)
    assert [game.phase for game in games].count(Phase.DEAL) == 1
    assert last.phase is Phase.OVER
    assert list(play_bots(seats, SEED, rounds=2)) == games


def test_an_event_becomes_plain_values() -> None:
    assert event_dict(Laid(2, Path.read("nes"), (3, -1))) == {
        "event": "Laid",
        "seat": 2,
        "path": "nes",
        "cell": [3, -1],
    }
    for game in play_bots((greedy,) * 3, SEED, rounds=1):
        for event in chain.from_iterable(game.history):
            assert json.loads(json.dumps(event_dict(event))) == event_dict(event)


def test_a_position_is_played_on_as_a_game() -> None:
    position = parse_position(LINE)
    game = position.game()
    assert [game.view(seat) for seat in (0, 1, 2, None)] == [
        position.view(seat) for seat in (0, 1, 2, None)
    ]
    while game.phase is not Phase.OVER:
        game, _ = game.apply(game.legal_moves()[0])
    assert game.score.nuggets
    with pytest.raises(ValueError, match="to play on, one must know"):
        parse_position(SEEN).game()
    with pytest.raises(ValueError, match="no seat is to move"):
        Position.of(game.round).game()


def test_no_function_hides_the_module_of_its_name() -> None:
    for package in (engine, engine.bots, engine.notation):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            found = import_module(module.name)
            assert getattr(package, module.name.rpartition(".")[2]) is found
