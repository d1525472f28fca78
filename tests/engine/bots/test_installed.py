"""Bots of other packages, and programs of any kind: found by name, and asked for moves."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Protocol, cast

import pytest

from engine import Discard, Game, Move, Phase, View, deal
from engine.board import GOAL_CELLS
from engine.bots import BOTS, LEVELS, Bot, Playouts, Seconds, SpokenMove, greedy, installed
from engine.bots.bot import NO_CLAIM, NO_LIST, NO_TEXT, BadReply, bind_talk, call_bot
from engine.bots.executables import find_start_fault
from engine.bots.installed import (
    PROGRAMS_VARIABLE,
    OfferedProgram,
    installed_bots,
    is_bot,
    load_bot,
    offer_program,
    offered_bots,
    refused_bots,
)
from engine.bots.programs import (
    MAX_ANSWER_BYTES,
    ProgramBot,
    _find_pipes,
    _has_more,
    question_about,
)
from engine.bots.talk import (
    SILENCE,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Line,
    Statement,
    Talk,
    WhoMe,
)
from engine.cards import Goal
from engine.playing import play
from sabtui.app.errors import UserError
from sabtui.kit.arena import bot_to_measure, measure
from tests.engine.bots.foreign_package import MODULE, NAMES, forget_bots, package

__all__ = ["package"]


def test_bots_of_a_package_are_found_without_running_its_code() -> None:
    found = {*NAMES, "unmade", "no-function"}
    assert found <= {*installed_bots()}, "whoever runs this may have installed a bot of their own"
    assert len(set(offered_bots())) == len(offered_bots())
    assert offered_bots()[: len(LEVELS)] == tuple(LEVELS)
    assert offered_bots()[len(LEVELS) :] == tuple(sorted(installed_bots()))
    assert MODULE not in sys.modules


def test_our_names_stay_ours_and_odd_ones_are_left_out() -> None:
    assert load_bot("hard") is BOTS["hard"]
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
                load_bot(name)
    assert MODULE not in sys.modules, "its code was run"


def test_what_is_no_function_is_refused_when_it_is_loaded() -> None:
    with pytest.raises(ValueError, match="no bot no-function: it is no function"):
        load_bot("no-function")
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
    fault = installed._find_fault(point, 1)
    wanted = SOURCES[source]
    if fault is not None:
        fault = fault.replace("keyword-only ", "")  # which Python 3.14 adds
    if wanted and not wanted.startswith("it is"):
        wanted = f"it has to take (view, rng, budget), but {wanted}"
    assert fault == wanted
    for module in ("outer_of_theirs.none", "none_of_theirs.inner"):
        point = EntryPoint("bot", f"{module}:bot", "sabtui.bots")
        assert str(installed._find_fault(point, 1)).startswith("there is no module ")
    assert installed._find_fault(EntryPoint("bot", "sys:bot", "sabtui.bots"), 1) is None


def test_a_bot_is_loaded_by_the_name_of_its_entry_point() -> None:
    game, _ = Game.begin(deal(bytes(32), 1, 4), rounds=1)
    move = load_bot("thrower")(game.view(game.to_act), Random(1), Playouts(0))
    assert isinstance(move, Discard)
    assert bot_to_measure("thrower") is load_bot("thrower") is bot_to_measure(f"{MODULE}:thrower")


def test_a_bot_that_cannot_be_loaded_says_why() -> None:
    with pytest.raises(ValueError, match="no bot unmade: No module named 'no_such_module_of_their"):
        load_bot("unmade")
    with pytest.raises(ValueError, match=f"no bot {MODULE}:thrower: none of that name"):
        load_bot(f"{MODULE}:thrower")


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


# A program is a bot: a line of JSON with a seat's view in, one with its move out.

SHELL = pytest.mark.skipif(sys.platform == "win32", reason="there is no shell")
GAME = Game.new(players=4, seed=bytes(32), rounds=1)
VIEW = GAME.view(GAME.to_act)

FIRST = """
while read -r line; do
  move=${line#*'"moves": [["'}
  echo "{\\"move\\": \\"${move%%'"'*}\\"}"
done
"""
"""A bot that makes its first move."""


class Writer(Protocol):
    """Writes a program that is a bot into a file of this name and mode."""

    def __call__(self, code: str, name: str = "theirs.sh", mode: int = 0o755) -> Path: ...


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Writer]:
    """What writes programs; what is offered meanwhile is forgotten again."""

    def write_program(code: str, name: str = "theirs.sh", mode: int = 0o755) -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{code}\n")
        path.chmod(mode)
        return path

    monkeypatch.setenv(PROGRAMS_VARIABLE, "")
    forget_bots()
    yield write_program
    forget_bots()


def ask(bot: ProgramBot) -> object:
    return bot(VIEW, Random(1), Playouts(0))


def test_a_question_has_all_that_the_seat_knows_with_seats_from_1() -> None:
    games = [*play([greedy] * 5, bytes(32), rounds=1)]
    asked = [game for game in games if game.phase in (Phase.PLAY, Phase.GOLD)]
    for game in asked[::9] + asked[-1:]:
        view = game.view(game.to_act)
        assert view.seat is not None
        told = json.loads(json.dumps(question_about(view, 7, Seconds(0.4), SILENCE)))
        assert told["seat"] == view.seat + 1
        assert [way[0] for way in told["moves"]] == [*map(str, view.legal_moves())]
        assert [view.read(way[0]) for way in told["moves"]] == [*view.legal_moves()]
        seats = {event["seat"] for event in told["history"] if event["event"] == "TurnBegan"}
        assert seats <= set(range(1, 6))
        dwarves = {str(word) for event in told["history"] if (word := event.get("role"))}
        assert dwarves == {told["role"]}
        assert told["hand"] == [card.text for card in view.hand]
        assert [seat["cards"] for seat in told["seats"]] == [*view.table.hands]
        goals = {(goal["x"], goal["y"]): goal["gold"] for goal in told["mine"]["goals"]}
        golden = {None: None, Goal.TREASURE: True, Goal.STONE_NE: False, Goal.STONE_NW: False}
        assert goals == {cell: golden[view.goal_on(cell)] for cell in GOAL_CELLS}
        assert (told["seconds"], told["seed"]) == (0.4, 7)


def test_a_question_has_what_was_said() -> None:
    talk = Talk((Statement(1, DigsAgainstUs(2), 40),), (), (Line(3, "naïve", 39),))
    told = question_about(VIEW, 7, Playouts(3), talk)
    assert told["claims"] == [{"seat": 2, "claim": "saboteur 3"}]
    assert told["lines"] == [{"seat": 4, "text": "naïve"}]
    assert told["playouts"] == 3


@SHELL
def test_one_process_answers_one_question_after_the_other(write: Writer) -> None:
    bot = ProgramBot(write(FIRST))
    assert [ask(bot), ask(bot)] == [VIEW.legal_moves()[0]] * 2
    process = bot._process
    assert process is not None
    assert process.poll() is None
    bot.close()
    assert process.poll() is not None
    bot.close()


@SHELL
def test_what_it_has_started_ends_with_a_program_that_leads_a_group(write: Writer) -> None:
    bot = ProgramBot(write(f"sleep 60 &\n{FIRST}"), leads_group=True)
    ask(bot)
    process = bot._process
    assert process is not None
    if sys.platform != "win32":
        assert os.getpgid(process.pid) == process.pid
        bot.close()
        assert process.poll() == -signal.SIGKILL


@SHELL
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("exit 3", "no line, as its program has ended"),
        ("read -r line; printf '{'", "no line, as its program has ended"),
        ("read -r line; echo '{'; cat", "no JSON"),
        ("read -r line; printf '\\377\\n'; cat", "no JSON"),
        ("read -r line; echo '[]'; cat", "no object with a move"),
        ("read -r line; echo '{\"move\": 5}'; cat", "no object with a move"),
        ('read -r line; echo \'{"move": "NS"}\'; cat', "no legal move"),
        ('read -r line; echo \'{"move": "NS@9"}\'; cat', "no legal move"),
        ("read -r line; yes", "no JSON"),
        ("read -r line; yes | tr -d '\\n'", f"a line of more than {MAX_ANSWER_BYTES} bytes"),
    ],
)
def test_what_is_no_answer_ends_the_process_and_the_next_question_begins_another(
    code: str, why: str, write: Writer
) -> None:
    bot = ProgramBot(write(code))
    for _ in range(2):
        with pytest.raises(BadReply) as raised:
            ask(bot)
        assert str(raised.value) == why
        assert bot._process is None


@SHELL
@pytest.mark.parametrize(
    ("first", "fault"),
    [
        ("\ufeff#!/bin/sh\n", "a byte order mark stands before #!: save it without"),
        ("echo\n", "it has no first line with #! and the program that runs it"),
        ("", "it has no first line with #! and the program that runs it"),
    ],
)
def test_a_script_that_the_system_cannot_run_is_refused(
    first: str, fault: str, write: Writer
) -> None:
    path = write("")
    path.write_text(first, "utf-8")
    assert find_start_fault(path) == fault


def test_a_program_that_does_not_start_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadReply, match="no line, as its program does not start: "):
        ask(ProgramBot(tmp_path / "nothing"))


@SHELL
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ('"claims": ["gold 8n2", "saboteur 3"]', ((GoldAt((8, -2)), DigsAgainstUs(2)), "")),
        ('"claims": []', ((), "")),
        ('"text": "hello"', ((), "hello")),
        ('"text": "hello", "claims": null', ((), "hello")),
        ('"text": null, "claims": ["me"]', ((WhoMe(),), "")),
        ('"text": 5', ((), "", (NO_TEXT,))),
        ('"text": "hi", "claims": "gold 8n2"', ((), "hi", (NO_LIST,))),
        ('"claims": {"gold": "8n2"}, "text": []', ((), "", (NO_LIST, NO_TEXT))),
        ('"claims": ["gold 8n1", "miner 1", null, 7]', ((DigsForUs(0),), "", (NO_CLAIM,))),
        ('"claims": [["gold 8n1"], "saboteur 11"]', ((), "", (NO_CLAIM,))),
    ],
)
def test_what_it_says_is_heard_as_far_as_it_can_be_and_never_costs_its_move(
    said: str, heard: tuple[tuple[Claim, ...], str], write: Writer
) -> None:
    move = VIEW.legal_moves()[0]
    bot = ProgramBot(write(f'while read -r line; do echo \'{{"move": "{move!s}", {said}}}\'; done'))
    answer = call_bot(bind_talk(cast("Bot", bot), SILENCE), VIEW, Random(1), Playouts(0))
    assert answer == SpokenMove(move, *heard)
    bot.close()


@SHELL
@pytest.mark.parametrize("said", ['"claims": null', '"text": null', '"claims":null,"text":null'])
def test_a_program_whose_words_are_null_has_not_spoken(said: str, write: Writer) -> None:
    move = VIEW.legal_moves()[0]
    bot = ProgramBot(write(f'while read -r line; do echo \'{{"move": "{move!s}", {said}}}\'; done'))
    assert ask(bot) == move
    bot.close()


@SHELL
def test_an_answer_that_nobody_asked_for_is_named_and_shifts_no_other(write: Writer) -> None:
    twice = FIRST.replace("\n  echo", '\n  echo \'{"move": "M@8"}\'; echo')
    bot = ProgramBot(write(twice.replace("M@8", str(VIEW.legal_moves()[0]))))
    ask(bot)
    process = bot._process
    assert process is not None
    while not _has_more(_find_pipes(process)[1]):
        pass  # its second line is on its way
    with pytest.raises(BadReply, match=r"^an answer that nobody asked for$"):
        ask(bot)
    assert bot._process is None
    bot.close()


@SHELL
def test_a_program_whose_question_was_broken_off_is_started_again_for_the_next(
    write: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = ProgramBot(write(FIRST))

    def interrupt(_line: bytes, _view: View) -> Move:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("engine.bots.programs.read_answer", interrupt)
        with pytest.raises(KeyboardInterrupt):
            ask(bot)
    assert bot._process is None
    assert ask(bot) == VIEW.legal_moves()[0]
    bot.close()


@SHELL
@pytest.mark.parametrize(
    ("first", "why"),
    [
        ("#!/no/such/python3\n", "its first line names /no/such/python3, which is not there"),
        ("#!/usr/bin/env -S no-such-node -x\n", "its first line names no-such-node, which is not"),
        ("#!/usr/bin/env no-such-node\n", "its first line names no-such-node, which is not"),
        ("#!/bin/sh\r\n", "its first line ends as on Windows, with CR and LF: save it with LF"),
        ("#!/usr/bin/env sh\r\n", "its first line ends as on Windows, with CR and LF: save it"),
        ("#!\n", "its first line names no program after #!"),
    ],
)
def test_a_first_line_that_starts_nothing_is_named_before_a_game(
    first: str, why: str, write: Writer
) -> None:
    path = write("")
    path.write_text(f"{first}{FIRST}", newline="")
    name = offer_program(str(path))
    assert why in refused_bots()[name]
    with pytest.raises(BadReply, match=f"^no line, as {why}"):
        ask(ProgramBot(path))


@SHELL
def test_options_behind_its_path_stand_in_each_question(
    write: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(FIRST, "a bot.sh")
    monkeypatch.setenv(PROGRAMS_VARIABLE, str(path))
    for text, options in (
        (f"{path} depth=3 name=a.b-c", {"depth": "3", "name": "a.b-c"}),
        (f"{path} depth=", {"depth": ""}),
        (str(path), {}),
    ):
        program = OfferedProgram.read(text)
        assert (program.value, dict(program.options)) == (str(path), options)
        assert str(program) == text
        assert offer_program(text) == "a bot"
        assert os.environ[PROGRAMS_VARIABLE] == text, "the last one counts"
    monkeypatch.setenv(PROGRAMS_VARIABLE, "")
    named = write(FIRST, "theirs k=v")
    assert OfferedProgram.read(f"{named} k=w") == ("theirs k=v", str(named), (("k", "w"),))
    told = question_about(VIEW, 7, Playouts(3), SILENCE, {"depth": "3"})
    assert told["options"] == {"depth": "3"}


@SHELL
def test_a_program_that_is_offered_again_plays_with_its_new_options(write: Writer) -> None:
    path = write(FIRST)
    for depth in ("2", "3"):
        bot: object = load_bot(offer_program(f"{path} depth={depth}"))
        assert isinstance(bot, ProgramBot)
        question = json.loads(bot.write_question(VIEW, Random(1), Playouts(3), SILENCE))
        assert question["options"] == {"depth": depth}


def test_a_question_tells_what_may_be_said_at_the_table() -> None:
    levels = [
        question_about(VIEW, 7, Playouts(3), Talk(is_written=is_written))["talk"]
        for is_written in (True, False)
    ]
    assert levels == ["all", "claims"]
    assert question_about(VIEW, 7, Playouts(3), SILENCE)["players"] == 4


@pytest.mark.skipif(sys.platform != "linux", reason="there a program has no such limit")
def test_it_has_no_more_memory_than_it_may_have_wherever_it_plays(write: Writer) -> None:
    eats = f"exec {sys.executable} -c 'bytearray(1 << 30); print({{}})'"
    with pytest.raises(BadReply, match="its program has ended"):
        ask(ProgramBot(write(f"read -r line; {eats}")))


@SHELL
def test_it_is_offered_by_the_name_of_its_file(
    write: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(FIRST, "First.sh")
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv(PROGRAMS_VARIABLE, "./First.sh")
    assert offer_program(str(path)) == "first", "named before, in another way"
    monkeypatch.setenv(PROGRAMS_VARIABLE, "")
    assert offer_program(str(path)) == offer_program(str(path)) == "first"
    assert isinstance(bot_to_measure(str(path)), ProgramBot)
    assert os.environ[PROGRAMS_VARIABLE] == str(path)
    assert "first" in installed_bots()
    assert load_bot("first")(VIEW, Random(1), Playouts(0)) == VIEW.legal_moves()[0]


@SHELL
@pytest.mark.parametrize(
    ("name", "mode", "why"),
    [
        ("hard.sh", 0o755, "one of Sabtui's own bots has that name"),
        ("theirs.sh", 0o644, "its file may not be executed"),
        ("", 0o755, "there is no such file"),
    ],
)
def test_one_that_cannot_play_is_refused_with_a_sentence(
    name: str, mode: int, why: str, write: Writer
) -> None:
    path = write(FIRST, name, mode) if name else write(FIRST).with_name("none")
    offered = offer_program(str(path))
    assert refused_bots()[offered] == f"the bot {offered!r} ({path}) is not offered: {why}"
    assert offered not in installed_bots()


def test_no_fault_is_found_in_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert find_start_fault(tmp_path / "gone") is None


def test_a_program_that_is_no_script_has_no_line_to_find_fault_with(tmp_path: Path) -> None:
    (tmp_path / "compiled").write_bytes(b"\x7fELF")
    assert find_start_fault(tmp_path / "compiled") is None
