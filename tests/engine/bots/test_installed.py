"""Bots of other packages are found by name, and no code of theirs runs before they play."""

import sys
from random import Random

import pytest

from engine import Discard, Game, deal
from engine.bots import BOTS, LEVELS, Playouts
from engine.bots.arena.__main__ import main
from engine.bots.arena.matches import bot_to_measure
from engine.bots.arena.statistics import Scale
from engine.bots.installed import bot_named, installed_bots, is_bot, offered_bots
from tests.engine.bots.foreign_package import MODULE, NAMES, package

__all__ = ["package"]


def test_bots_of_a_package_are_found_without_running_its_code() -> None:
    assert {*NAMES, "missing", "unmade"} == {*installed_bots()}
    assert offered_bots()[: len(LEVELS)] == tuple(LEVELS)
    assert offered_bots()[len(LEVELS) :] == tuple(sorted(installed_bots()))
    assert MODULE not in sys.modules


def test_our_names_stay_ours_and_odd_ones_are_left_out() -> None:
    assert bot_named("hard") is BOTS["hard"]
    names = ("hard", "search", "thrower", "Shouting", "far-too-long-a-name", "\x1b[31mred", "")
    assert [is_bot(name) for name in names] == [True, True, True, False, False, False, False]


def test_a_bot_is_loaded_by_the_name_of_its_entry_point() -> None:
    game, _ = Game.begin(deal(bytes(32), 1, 4), rounds=1)
    move = bot_named("thrower")(game.view(game.to_act), Random(1), Playouts(0))
    assert isinstance(move, Discard)
    assert bot_to_measure("thrower") is bot_named("thrower") is bot_to_measure(f"{MODULE}:thrower")


def test_a_bot_that_cannot_be_loaded_says_why() -> None:
    with pytest.raises(ValueError, match="no bot unmade: No module named 'no_such_module_of_their"):
        bot_named("unmade")
    with pytest.raises(ValueError, match=f"no bot {MODULE}:thrower: none of that name"):
        bot_named(f"{MODULE}:thrower")
    with pytest.raises(ValueError, match=r"no bot missing: .*has no attribute 'no_such_bot'"):
        bot_named("missing")


def test_the_arena_measures_it_by_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--against", "thrower"], Scale(rounds=1, fewer_playouts=0))
    assert "| thrower | greedy |" in capsys.readouterr().out
