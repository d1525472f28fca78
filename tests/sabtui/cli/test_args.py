"""Wrong usage ends with 2 and a line that says why; what options of games and tables ask for."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec import structs

from engine.bots import LEVELS
from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from net.secure.code import RoomCode
from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, Speed, tables
from sabtui.app.errors import UserError
from sabtui.app.requests import HostRequest, JoinRequest, PracticeRequest, ReopenRequest
from sabtui.cli import args
from sabtui.cli.main import main
from sabtui.cli.play import host_request, join_request, practice_request
from tests.engine.notation.games import RECORDS

GAME = shlex.quote(str(RECORDS / "whole.sab"))

ADDRESS = "192.168.1.20, box.local:7341"
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


def test_a_value_before_the_command_is_not_taken_for_it() -> None:
    values = [
        (option, str(next(iter(action.choices))))
        for action in args.parser()._actions
        for option in action.option_strings
        if action.choices is not None
    ]
    assert len(values) == 2
    for option, value in values:
        for words in ([option, value], [option[:-1], value], [f"{option}={value}"]):
            asked = args.read([*words, "practice", "--level", "easy"])
            assert (asked.command, asked.level) == ("practise", "easy")


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


@pytest.mark.parametrize("command", ["practise", "host"])
def test_bots_are_as_good_as_asked_for(command: str) -> None:
    assert args.read([command]).level == DEFAULT_BOT_LEVEL in LEVELS
    for level in LEVELS:
        assert args.read([command, "--level", level.title()]).level == level
    assert Settings().stand_in == DEFAULT_BOT_LEVEL
    assert (*LEVELS,) == BOT_LEVELS


AMBER = RoomCode.parse("amber-tulip")
BACK = ReopenRequest("a.table", (DoorKind.WEB,), 7400, Speed.SLOW)
NEW = HostRequest("Ana", "Rush", Settings(seats=5, stand_in="hard"), 2)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "practise --rounds 1 --speed fast --name Ana",
            PracticeRequest("Ana", rounds=1, speed=Speed.FAST),
        ),
        ("--language en practice --name Ana", PracticeRequest("Ana")),
        ("join practice --name A", JoinRequest("A", "practice", claims_name=True)),
        (
            "host Rush --bots 2 --level hard --port 7400 --ssh --speed fast --name Ana",
            structs.replace(NEW, level="hard", port=7400, doors=(DoorKind.SSH,), speed=Speed.FAST),
        ),
        ("host --resume --web --port 7400 --speed slow --headless --start-with 3", BACK),
        (
            "join Gold Rush --watch --code amber-tulip --name Ana",
            JoinRequest("Ana", "Gold Rush", AMBER, watch=True, claims_name=True),
        ),
        ("join 10.77.0.1 7341 --name A", JoinRequest("A", "10.77.0.1 7341", claims_name=True)),
        (
            "join 'ssh -p 7351 NAME@10.77.0.1' --code 'Codice: amber tulip' --name A",
            JoinRequest("A", "ssh -p 7351 NAME@10.77.0.1", AMBER, claims_name=True),
        ),
    ],
)
def test_what_is_typed_becomes_a_request(
    line: str, wanted: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "find_table_to_reopen", lambda _title: ReopenRequest("a.table"))
    asked = args.read(shlex.split(line))
    requests = {"practise": practice_request, "host": host_request, "join": join_request}
    assert asked.command is not None
    assert requests[asked.command](asked) == wanted


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ("", 5),
        ("--bots 7", 8),
        ("--players 3 --bots 2", 3),
        ("--headless --start-with 3", 5),
        ("--headless --start-with 7", 7),
        ("--headless --start-with 2 --bots 4", 6),
        ("--players 3 --bots 5", "takes 3 to 3 players, bots included, not 6"),
        ("--headless --start-with 2", "A game takes 3 to 10 players, bots included, not 2"),
        ("--headless --start-with 6 --bots 5", "bots included, not 11."),
        (
            "--headless --start-with 3 --bots 1 --players 3",
            "takes 3 to 3 players, bots included, not 4",
        ),
    ],
)
def test_a_table_has_room_for_all_who_play(words: str, seats: int | str) -> None:
    asked = args.read(["host", *words.split()])
    if isinstance(seats, str):
        with pytest.raises(UserError, match=re.escape(seats)):
            host_request(asked)
    else:
        request = host_request(asked)
        assert isinstance(request, HostRequest)
        assert request.settings.seats == seats
