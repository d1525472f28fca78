"""The engine as a library: what a user at the prompt imports, prints, reads and catches."""

import pydoc
from random import Random
from typing import get_args

import pytest

import engine
from engine import bots
from engine.board import EMPTY
from engine.cards import Goal
from engine.events import Event
from engine.game import Game
from engine.moves import Move
from engine.notation import parse_position
from engine.reasons import Reason
from engine.state import Score
from tests.engine.cases import WON, game_of, last_step_position, play, round_at

LINE = "EW@1/nesw@1n1/NS@3 (NE)/(NESW)/(NW) 1 -,PC,- NE/-L/R,NS,M NE/NW mms+m"

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


def test_a_board_and_a_table_print_what_lies_face_up() -> None:
    now = round_at(LINE)
    assert str(now.table.board) + "\n" == MINE.format("?", "?", "?")
    assert str(now.table) == MINE.format("?", "?", "?") + (
        "pile 2\n>  seat 1  3 cards\n   seat 2  1 cards  broken P C\n   seat 3  1 cards"
    )
    assert str(now).startswith(MINE.format("o", "$", "o"))


def test_after_a_round_everybody_sees_its_dwarves_and_goals() -> None:
    game, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
    text = str(game.view(None))
    assert text.startswith("round 1 of 3, gold cards 0 0 0 0: seat 2 to choose gold\n")
    assert "saboteur" in text
    assert "[o]" in text
    assert Goal.TREASURE in {game.view(None).goal_on(cell) for cell in ((8, -2), (8, 0), (8, 2))}


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


@pytest.mark.parametrize("rounds", [-1, 0, 4])
def test_a_view_before_the_first_deal_is_of_one_to_three_rounds(rounds: int) -> None:
    with pytest.raises(ValueError, match=f"one to three rounds, not {rounds}"):
        engine.View.before(engine.FRANCE, 4, rounds, 0)
