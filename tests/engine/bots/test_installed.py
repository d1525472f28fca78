"""Bots of other packages are found by name, and no code of theirs runs before they play."""

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest

from engine import Discard, Game, deal
from engine.bots import BOTS, LEVELS, Playouts, installed
from engine.bots.installed import bot_named, installed_bots, is_bot, offered_bots, refused_bots
from sabtui.app.errors import UserError
from sabtui.kit.arena import bot_to_measure, measure
from tests.engine.bots.foreign_package import MODULE, NAMES, package

__all__ = ["package"]


def test_bots_of_a_package_are_found_without_running_its_code() -> None:
    found = {*NAMES, "unmade", "no-function"}
    assert found <= {*installed_bots()}, "whoever runs this may have installed a bot of their own"
    assert len(set(offered_bots())) == len(offered_bots())
    assert offered_bots()[: len(LEVELS)] == tuple(LEVELS)
    assert offered_bots()[len(LEVELS) :] == tuple(sorted(installed_bots()))
    assert MODULE not in sys.modules


def test_our_names_stay_ours_and_odd_ones_are_left_out() -> None:
    assert bot_named("hard") is BOTS["hard"]
    names = ("hard", "search", "thrower", "Shouting", "far-too-long-a-name", "\x1b[31mred", "")
    assert [is_bot(name) for name in names] == [True, True, True, False, False, False, False]


REFUSED = {
    "hard": "one of Sabtui's own bots has that name",
    "medium": "one of Sabtui's own bots has that name",
    "Shouting": "a name has at most 16 small letters",
    "far-too-long-a-name": "a name has at most 16 small letters",
    "\x1b[31mred": "a name has at most 16 small letters",
    "twin": "several bots have that name",
    "nowhere": "there is no module no_such_module_of_theirs",
    "no-module": "there is no module their_bots.no_such_module",
    "missing": "it is not in their_bots",
    "a-class": "it is a class, and a bot is a function",
    "two": "it has to take (view, rng, budget), but too many positional arguments",
    "four": "it has to take (view, rng, budget), but missing a required argument: 'depth'",
}


def test_a_bot_that_cannot_be_offered_is_refused_with_a_sentence_for_its_author() -> None:
    assert refused_bots().keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert refused_bots()[name].startswith(f"the bot {name!r} ("), name
        assert reason in refused_bots()[name]
        assert name not in offered_bots() or name in BOTS
        if name not in BOTS:
            assert not is_bot(name)
            with pytest.raises(ValueError, match=re.escape(reason)):
                bot_named(name)
    assert MODULE not in sys.modules, "its code was run"


def test_what_is_no_function_is_refused_when_it_is_loaded() -> None:
    with pytest.raises(ValueError, match="no bot no-function: it is no function"):
        bot_named("no-function")
    with pytest.raises(ValueError, match=r"no bot .*:two: it has to take \(view, rng, budget\)"):
        bot_to_measure(f"{MODULE}:two")


SOURCES = {
    "def bot(view, rng, budget): ...": None,
    "def bot(view, rng, budget, talk): ...": None,
    "def bot(view, /, rng, budget=None, *, talk=None, depth=4): ...": None,
    "def bot(*asked, **named): ...": None,
    "def bot(view, rng, budget, *, depth): ...": "missing a required argument: 'depth'",
    "def bot(): ...": "too many positional arguments",
    "@twice\ndef bot(view): ...": None,
    "def bot(view): ...\nbot = wrapped(bot)": None,
    "from elsewhere import bot": None,
    "from elsewhere import *": None,
    "import elsewhere as bot": None,
    "if True:\n    def bot(view): ...": None,
    "def __getattr__(name): ...": None,
    "def robot(view, rng, budget): ...": "it is not in outer_of_theirs.inner",
    "": "it is not in outer_of_theirs.inner",
    "async def bot(view): ...": None,
    "class bot:\n    def __call__(self, view): ...": "it is a class, and a bot is a function",
    "class Bot: ...\nbot = Bot()": None,
    "def bot(view": None,
}


@pytest.mark.parametrize("source", SOURCES)
def test_the_parameters_of_a_plain_function_are_read_from_its_source(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outer_of_theirs").mkdir()
    (tmp_path / "outer_of_theirs" / "__init__.py").write_text("raise SystemExit")
    (tmp_path / "outer_of_theirs" / "inner.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("bot", "outer_of_theirs.inner:bot", "sabtui.bots")
    fault = installed._fault(point, 1)
    wanted = SOURCES[source]
    if fault is not None:
        fault = fault.replace("keyword-only ", "")  # which Python 3.14 adds
    if wanted and not wanted.startswith("it is"):
        wanted = f"it has to take (view, rng, budget), but {wanted}"
    assert fault == wanted
    for module in ("outer_of_theirs.none", "none_of_theirs.inner"):
        point = EntryPoint("bot", f"{module}:bot", "sabtui.bots")
        assert str(installed._fault(point, 1)).startswith("there is no module ")
    assert installed._fault(EntryPoint("bot", "sys:bot", "sabtui.bots"), 1) is None


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


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("raising", r"raising raised RuntimeError: seat .* \(.*their_bots.py:\d+\)"),
        ("nonsense", "nonsense returned 'any card will do', which is no move"),
        ("silent", "silent returned None, which is no move"),
        ("Shouting", "the bot 'Shouting' .* is not offered: a name has at most 16 small letters"),
        (f"{MODULE}:two", r"no bot .*: it has to take \(view, rng, budget\)"),
        (f"{MODULE}:cheating", "cheating made an illegal move, .*: .* is not in the hand"),
    ],
)
def test_the_arena_says_in_one_line_what_is_wrong_with_a_bot(bot: str, problem: str) -> None:
    with pytest.raises(UserError, match=problem) as told:
        measure([bot], 1, 1)
    assert "\n" not in str(told.value)
