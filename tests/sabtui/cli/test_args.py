"""Wrong usage ends with 2 and a line that says why; what options of games and tables ask for."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from engine.bots import LEVELS
from net.protocol.lobby import Settings
from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, Speed
from sabtui.app.errors import UserError
from sabtui.app.requests import HostRequest
from sabtui.cli import args
from sabtui.cli.main import main
from sabtui.cli.requests import host_request, practice_request
from tests.engine.notation.games import RECORDS

GAME = shlex.quote(str(RECORDS / "whole.sab"))

ADDRESS = "192.168.1.20:7341"
KEPT = "not allowed with argument --resume"
WRONG = {
    "bogus": "'doctor', 'games', 'club', 'stage', 'replay'",
    "--bogus": "sabtui: unrecognized arguments: --bogus; see sabtui --help\n",
    "--language xx": "choose from 'en'",
    "--plain=yes": "",
    "learn twice": "",
    "practise --bots 1": "invalid choice: '1' (choose from 2-9)",
    "practise --bots 10": "2-9",
    "practise --bots two": "invalid choice: 'two' (choose from 2-9)",
    "practise --level silly": "invalid choice: 'silly' (choose from easy, medium, hard)",
    "practise --rounds 4": "(choose from 1-3)",
    "practise --seed 0x7": "invalid choice: '0x7' (choose from [0-9a-f]{1,64})",
    f"practise --seed {'a' * 65}": "(choose from [0-9a-f]{1,64})",
    "practise --edition klingon": "choose from international, argentina, italia, france",
    "practise --edition italia+fast": "italia+linked",
    "practise --edition 'a\nb\x1b[2J'": r"a\nb\x1b[2J",
    "practise '\x1b[2J\n'": r"\x1b[2J\n",
    "host Rush Gold": "",
    "host --players 2": "3-10",
    "host --bots 10": "0-9",
    "host --rounds 0": "1-3",
    "host --turn 3601": "0-3600",
    "host --port 80": "1024-65535",
    "host --port 65536": "1024-65535",
    "host --plain --players 3 --bots 5": "",
    "host --plain --players 9 --bots 9": "",
    "host --start-with 3": "arguments are required: --headless; see",
    "host --code amber-tiger --open": "",
    "host --code tiger": "",
    "host --headless --autopilot": "",
    "host --resume --headless --autopilot": "",
    "host Rush --resume": KEPT,
    "host --resume Rush --players 5": KEPT,
    "host --resume --bots 2": KEPT,
    "host --resume --level hard": KEPT,
    "host --resume --name Ann": KEPT,
    "host --resume --code amber-tiger": KEPT,
    "join --code tiger": "",
    "join --watch --autopilot": "",
    "join --plain box:0": ADDRESS,
    "join --plain box:65536": ADDRESS,
    "join --plain ssh://": "",
    "join --plain ssh://box:65536": ADDRESS,
    "join --plain ssh://box/65536": ADDRESS,
    "join --plain ssh://box/0": "",
    "join --plain ssh://-l@box": "",
    "rules bogus": "invalid choice: 'bogus' (choose from 'aim', 'turn'",
    "host --bogus": "sabtui host: unrecognized arguments: --bogus; see sabtui host --help\n",
    "games here": "sabtui games: unrecognized arguments: here; see sabtui games --help\n",
    "doctor --plain": "sabtui doctor: unrecognized arguments: --plain; see sabtui doctor --help\n",
    "record": "",
    f"record {GAME} {GAME}": "",
    "review": "FILE",
    "standings Ana": "",
}
"""Command lines that are wrong whatever tables and files there are, with what is said of them."""


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
def test_wrong_usage_ends_with_2_and_a_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("sabtui")
    assert WRONG.get(line, "") in err
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


def test_what_a_table_that_is_brought_back_does_take_is_taken() -> None:
    words = "host --resume Rush --port 7345 --ssh --headless --start-with 3 --speed fast"
    asked = args.read(words.split())
    assert (asked.resume, asked.port, asked.start_with) == ("Rush", 7345, 3)


@pytest.mark.parametrize("command", ["practise", "host"])
def test_bots_are_as_good_as_asked_for(command: str) -> None:
    assert args.read([command]).level == DEFAULT_BOT_LEVEL in LEVELS
    for level in LEVELS:
        assert args.read([command, "--level", level.title()]).level == level
    assert Settings().stand_in == DEFAULT_BOT_LEVEL
    assert (*LEVELS,) == BOT_LEVELS


def read_host_request(*options: str) -> HostRequest:
    """Return the request for a new table with these options."""
    request = host_request(args.read(["host", *options]))
    assert isinstance(request, HostRequest)
    return request


def test_a_practice_game_is_as_short_and_as_fast_as_asked_for() -> None:
    asked = practice_request(args.read(["practise", "--rounds", "1", "--speed", "fast"]))
    assert (asked.rounds, asked.speed) == (1, Speed.FAST)
    assert practice_request(args.read(["practise"])).speed is None


def test_a_table_has_room_for_its_bots_and_its_host() -> None:
    for words, seats in ((), 5), (("--bots", "7"), 8), (("--players", "3", "--bots", "2"), 3):
        assert read_host_request(*words).settings.seats == seats
    with pytest.raises(
        UserError, match=r"A game here has 3 to 3 players, bots included: 6 do not fit\."
    ):
        read_host_request("--players", "3", "--bots", "5")


def test_a_table_that_starts_by_itself_has_room_for_all_and_enough_players() -> None:
    for words, seats in ("3", 5), ("7", 7), ("2 --bots 4", 6):
        assert (
            read_host_request("--headless", "--start-with", *words.split()).settings.seats == seats
        )
    for words, problem in (
        ("2", "A game here has 3 to 10 players, bots included: 2 do not fit."),
        ("6 --bots 5", "A game here has 3 to 10 players, bots included: 11 do not fit."),
        ("3 --bots 1 --players 3", "has 3 to 3 players, bots included: 4 do not fit"),
    ):
        with pytest.raises(UserError, match=re.escape(problem)):
            read_host_request("--headless", "--start-with", *words.split())
