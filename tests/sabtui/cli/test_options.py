"""Options of games and tables: what they ask for, and which of them do not go together."""

from __future__ import annotations

import re

import pytest

from engine.bots import LEVELS
from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, Speed
from sabtui.app.errors import UserError
from sabtui.app.requests import HostRequest
from sabtui.cli import args
from sabtui.cli.requests import host_request, practice_request


@pytest.mark.parametrize("command", ["practise", "host"])
def test_bots_are_as_good_as_asked_for(command: str) -> None:
    assert args.read([command]).level == DEFAULT_BOT_LEVEL in LEVELS
    for level in LEVELS:
        assert args.read([command, "--level", level]).level == level
    assert Settings().stand_in == DEFAULT_BOT_LEVEL
    assert (*LEVELS,) == BOT_LEVELS


def read_host_request(*options: str) -> HostRequest:
    """Return the request for a new table with these options."""
    request = host_request(args.read(["host", *options]))
    assert isinstance(request, HostRequest)
    return request


def test_what_was_asked_for_reaches_bots_and_those_who_stand_in() -> None:
    opened = read_host_request("--level", "hard", "--name", "Ana")
    assert (opened.level, opened.settings.stand_in) == ("hard", "hard")
    practised = practice_request(args.read(["practise", "--level", "easy", "--name", "Ana"]))
    assert practised.level == "easy"


def test_a_door_is_opened_where_it_is_asked_for() -> None:
    assert read_host_request().doors == ()
    assert DoorKind.SSH in read_host_request("--ssh").doors


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


def test_the_bots_of_a_table_are_as_fast_as_asked_for() -> None:
    assert read_host_request().speed is Speed.NORMAL
    assert read_host_request("--speed", "instant").speed is Speed.INSTANT


@pytest.mark.parametrize(
    ("typed", "level"), [("medium", "medium"), ("Medium", "medium"), ("hard", "hard")]
)
def test_the_level_is_typed_as_it_is_shown(typed: str, level: str) -> None:
    assert args.read(["practise", "--level", typed]).level == level
