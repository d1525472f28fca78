"""What a game may begin with, and that the examples in the engine's docstrings are true."""

import doctest
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

import pytest

import engine
import engine.notation
from engine import FRANCE, Game, Move, Path, Table, Tool, View, deal
from engine.bots.claims import claim_when_blamed
from engine.dealing import dwarves
from engine.notation import ObservedRecord, parse_position

DEALT = deal(bytes(32), 1, 3)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (engine, engine.notation):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0


NOBODYS_SEAT = [-1, 3, 10]
POSITION = parse_position("- ?/?/? 1 -,-,- NE,NS,EW 9 m??+?")


@pytest.mark.parametrize("seat", NOBODYS_SEAT)
@pytest.mark.parametrize(
    "asked",
    [
        Game.begin(DEALT)[0].view,
        Game.begin(DEALT)[0].round.seen_by,
        POSITION.view,
        lambda seat: View.before(FRANCE, 3, 3, seat),
        lambda seat: ObservedRecord(("Anna", "Bruno", "Chiara"), seat).before(),
        partial(claim_when_blamed, POSITION.view(0)),
    ],
    ids=["game", "round", "position", "view", "record", "claim"],
)
def test_a_seat_that_is_not_there_is_refused(asked: Callable[[int], object], seat: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {seat + 1} among 3"):
        asked(seat)


@pytest.mark.rule("S1")
@pytest.mark.parametrize("number", [-1, 0, 1 << 32])
def test_rounds_are_counted_from_one(number: int) -> None:
    with pytest.raises(ValueError, match=f"counted from 1, not {number}"):
        deal(bytes(32), number, 5)


@pytest.mark.rule("S1", "S2")
@pytest.mark.parametrize("players", [-1, 0, 2, 11])
def test_three_to_ten_play(players: int) -> None:
    for asked in (lambda: deal(bytes(32), 1, players), lambda: dwarves(players)):
        with pytest.raises(ValueError, match=f"3 to 10 play, not {players}"):
            asked()


@pytest.mark.rule("N2")
def test_nobody_begins_after_a_round_that_was_not_dealt() -> None:
    with pytest.raises(ValueError, match="no round was dealt"):
        Table.bare(FRANCE, 3).next_starter()


@pytest.mark.rule("S3")
def test_no_path_card_can_be_forged() -> None:
    index = Path.read("NE").index
    with pytest.raises(ValueError, match=re.escape("Path.of and Path.read")):
        Path(15, True, index)  # noqa: FBT003 - as the dataclass would be called
    with pytest.raises(ValueError, match="paths are not made"):
        replace(Path.read("NE"), edges=15)


@pytest.mark.parametrize("bits", [-1, 8])
def test_a_set_of_tools_has_three(bits: int) -> None:
    with pytest.raises(KeyError):
        Tool.within(bits)


@pytest.mark.rule("S1")
@pytest.mark.parametrize("players", [0, 2, 11])
def test_no_view_is_of_a_game_with_fewer_than_three_players_or_more_than_ten(players: int) -> None:
    with pytest.raises(ValueError, match=f"3 to 10 play, not {players}"):
        View.before(FRANCE, players, 3, 0)


@pytest.mark.parametrize("text", ["EW@1", "nonsense", "$2"])
def test_a_move_as_text_is_read_before_it_is_made(text: str) -> None:
    game, _ = Game.begin(DEALT)
    with pytest.raises(TypeError, match=r"is no move; use `game\.read`"):
        game.apply(cast(Move, text))
