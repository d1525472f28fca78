"""Bots of other packages are offered wherever a bot is chosen, by name, and play."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.bots import LEVELS
from engine.bots.installed import PROGRAMS_VARIABLE
from net.protocol.requests import PutBot
from sabtui.app.requests import PracticeRequest
from sabtui.cli import args
from sabtui.cli.play import practise_in_lines
from sabtui.text.settings import level_choices, level_name, next_level
from tests.engine.bots.foreign_package import package
from tests.sabtui.plain_sessions import WIDE, at, now_at, type_lines
from tests.sabtui.script import Script
from tests.sabtui.tables import ANA, lobby

__all__ = ["package"]


def test_the_command_line_takes_them_as_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("practise", "host"):
        assert args.read([command, "--level", "thrower"]).level == "thrower"
    with pytest.raises(SystemExit):
        args.read(["practise", "--level", "nobody"])
    assert "thrower" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        args.read(["practise", "--level", "Shouting"])
    assert "is not offered: a name has at most 16 small letters" in capsys.readouterr().err
    assert args.read(["practise", "--level", "medium"]).level == "medium", "which is ours"


def test_lines_seat_them_by_name() -> None:
    here = at(now_at(lobby(), member=ANA), WIDE)
    answer = type_lines(here, "bot Old Gimli thrower")
    assert answer.requests == (PutBot(4, "Old Gimli", "thrower"),)
    refused = type_lines(here, "bot Old Gimli two")
    assert refused.is_told_only
    assert any("it has to take (view, rng, budget)" in line for line in refused.lines)


def test_forms_offer_them_behind_our_levels() -> None:
    offered = level_choices("medium")
    assert [option.typed for option in offered[: len(LEVELS)]] == [*LEVELS]
    assert next_level("hard") == "attentive"
    assert next_level("attentive", -1) == "hard"
    (theirs,) = (option for option in offered if option.typed == "thrower")
    assert theirs.shown == level_name("thrower") == "thrower"
    assert theirs.hint == "A third-party bot, not one of Sabtui's own."


def test_one_practises_against_them() -> None:
    typed_lines = iter(["auto", None])
    script = Script(lambda _prompt, _lines: next(typed_lines))
    wanted = PracticeRequest("Ana", 2, level="thrower", rounds=1, seed=bytes(32))
    assert practise_in_lines(wanted, script) == 0
    lines = [*script.lines, *script.since]
    assert any(line.startswith("The game is over.") for line in lines)
    assert not [line for line in lines if line.startswith(("Borin dug", "Dagna dug"))]


@pytest.mark.skipif(sys.platform == "win32", reason="there any file may be executed")
def test_the_command_line_takes_the_path_of_a_program_as_a_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(PROGRAMS_VARIABLE, "")
    path = tmp_path / "Digger.js"
    path.write_text("#!/usr/bin/env node\n")
    with pytest.raises(SystemExit):
        args.read(["practise", "--level", str(path)])
    assert "is not offered: its file may not be executed" in capsys.readouterr().err
    path.chmod(0o755)
    assert args.read(["practise", "--level", str(path)]).level == "digger"
    assert [option.typed for option in level_choices("medium")].count("digger") == 1
