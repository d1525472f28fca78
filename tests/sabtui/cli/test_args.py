"""Wrong usage: whatever is wrong in a command line ends with 2, and in one line that says why."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sabtui.cli import args
from sabtui.cli.main import main
from tests.engine.notation.games import RECORDS

GAME = shlex.quote(str(RECORDS / "whole.sab"))

WRONG = [
    "bogus",
    "--bogus",
    "--language xx",
    "--plain=yes",
    "learn twice",
    "practise --bots 1",
    "practise --seed 0x7",
    "host Rush Gold",
    "host --plain --players 3 --bots 5",
    "host --plain --players 9 --bots 9",
    "host --code amber-tiger --open",
    "host --code tiger",
    "host --headless --autopilot",
    "host --resume --headless --autopilot",
    "host Rush --resume",
    "host --resume Rush --players 5",
    "host --resume --bots 2",
    "host --resume --edition italia",
    "host --resume --rounds 2",
    "host --resume --level hard",
    "host --resume --name Ann",
    "host --resume --code amber-tiger",
    "host --resume --open",
    "host --resume --absent wait",
    "host --resume --no-hints",
    "host --resume --turn 60",
    "join --code tiger",
    "join --watch --autopilot",
    "join --plain box:0",
    "join --plain box:65536",
    "join --plain ssh://",
    "join --plain ssh://box:65536",
    "join --plain ssh://box/0",
    "join --plain ssh://-l@box",
    "games here",
    "doctor --plain",
    "record",
    f"record {GAME} {GAME}",
    "review",
    "standings Ana",
]
"""Command lines that are wrong whatever tables and files there are."""


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    (chosen,) = (
        action
        for action in args.parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(chosen.choices)


def wrong_values() -> Iterator[str]:
    """Yield each option of each command without its value, or with one that it does not take."""
    for name, parser in commands().items():
        for action in parser._actions:
            for option in action.option_strings:
                if action.nargs == 0 and option.startswith("--"):
                    yield f"{name} {option}=x"
                elif action.nargs not in (0, "?"):
                    yield f"{name} {option}"
                if action.type is not None or action.choices is not None:
                    yield f"{name} {option} ?"


@pytest.fixture(autouse=True)
def nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no tables on the network and no folder of a player's own."""

    async def find_nothing(wanted: str) -> tuple[()]:
        del wanted
        return ()

    monkeypatch.setattr("sabtui.app.joining._look", find_nothing)
    monkeypatch.chdir(tmp_path)
    for folder in "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME":
        monkeypatch.setenv(folder, str(tmp_path))


def options_once(lines: Iterable[str]) -> Iterable[str]:
    """Leave out what is wrong of an option that another command has, too."""
    return {line.partition(" ")[2]: line for line in lines}.values()


@pytest.mark.parametrize("line", [*WRONG, *options_once(wrong_values())])
def test_wrong_usage_ends_with_2_and_one_line_that_says_why(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(line)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("sabtui")
    assert err.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("join 10.77.0.1 7341", "10.77.0.1 7341"),
        ("join Gold Rush --name Ana", "Gold Rush"),
        ("join ssh -p 7351 NAME@10.77.0.1 --name Ana", "ssh -p 7351 NAME@10.77.0.1"),
        ("stage sabtui join 10.77.0.1", "sabtui join 10.77.0.1"),
        ("join", ""),
    ],
)
def test_an_address_needs_no_quotes(line: str, where: str) -> None:
    assert args.read(shlex.split(line)).where == where


@pytest.mark.parametrize(
    "typed", ["attic-coffee", "Room code: attic-coffee", "codice: attic coffee"]
)
def test_the_line_of_the_lobby_is_understood_as_the_code(typed: str) -> None:
    assert str(args.read(["join", "--code", typed]).code) == "attic-coffee"


@pytest.mark.parametrize(
    ("line", "range_"),
    [
        ("practise --bots 10", "2-9"),
        ("practise --rounds 4", "1-3"),
        ("host --players 2", "3-10"),
        ("host --bots 10", "0-9"),
        ("host --rounds 0", "1-3"),
        ("host --turn 3601", "0-3600"),
        ("host --port 80", "1024-65535"),
        ("host --port 65536", "1024-65535"),
        ("join --plain box:65536", "192.168.1.20:7341"),
        ("join --plain ssh://box:65536", "192.168.1.20:7341"),
        ("join --plain ssh://box/65536", "192.168.1.20:7341"),
    ],
)
def test_a_number_out_of_range_is_told_the_range(
    line: str, range_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(line)) == 2
    assert range_ in capsys.readouterr().err


def test_what_a_table_that_is_brought_back_does_take_is_taken() -> None:
    words = "host --resume Rush --port 7345 --ssh --headless --start-with 3 --speed fast"
    asked = args.read(words.split())
    assert (asked.resume, asked.port, asked.start_with) == ("Rush", 7345, 3)
