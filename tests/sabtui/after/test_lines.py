"""A game watched again in lines: what is typed, and what it answers."""

from __future__ import annotations

import pytest

from engine.notation import format_record
from engine.notation.record import Replay
from net.client.session import Received, Update
from net.protocol.lobby_events import StepShown
from net.protocol.requests import ShowStep
from sabtui.after.lines import answer
from sabtui.after.replays import ReplayPosition, WatchedGame
from sabtui.text.layout import TerminalSize
from tests.engine.notation.test_replays import talking
from tests.sabtui.cases import DIG
from tests.sabtui.games import game_record
from tests.sabtui.plain.test_parser import OVER
from tests.sabtui.plain_sessions import WIDE, Answer, Place, playing, type_lines
from tests.sabtui.tables import BRUNO

SIZE = TerminalSize()
OTHERS = ("Bruno ", 'Chi"ara ', "D")
"""Beginnings of the names of all but the first player."""


def begin_replay() -> ReplayPosition:
    record = talking(5, 4)
    return WatchedGame(Replay.of(record), format_record(record)).begin()


def after(position: ReplayPosition, *typed: str) -> ReplayPosition:
    for line in typed:
        position, lines = answer(position, line, SIZE)
        assert lines
        assert all(isinstance(line, str) for line in lines)
    return position


def test_enter_goes_on_and_back_goes_back() -> None:
    position = begin_replay()
    assert after(position, "", "next", "N").at == 3
    assert after(position, "", "", "b", "back").at == 0
    assert answer(position, "back", SIZE)[1] == ["There is no more to see here."]
    assert answer(after(position, "last"), "", SIZE)[1] == ["There is no more to see here."]


def test_turns_rounds_and_numbers_lead_where_they_say() -> None:
    position = begin_replay()
    assert after(position, "turn", "t").frame.step == 2
    assert after(position, "turn", "t", "turn back").frame.step == 1
    assert after(position, "round").step.round == 2
    assert after(position, "round", "r", "round back").step.round == 2
    assert after(position, "go 12").frame.step == 11
    for wrong in ("go", "go 0", "go x", "go 99999", "go ²"):
        there, lines = answer(position, wrong, SIZE)
        assert there == position
        assert "Type go 12" in lines[0]


def test_the_hands_the_mine_the_players_and_help_are_told() -> None:
    position = begin_replay()

    def told(line: str, at: ReplayPosition = position) -> list[str]:
        return answer(at, line, SIZE)[1]

    assert len(told("hands")) == 4
    assert all("miner" in line or "saboteur" in line for line in told("hands"))
    assert len(told("hands", after(position, "seat 2"))) == 1
    assert "nuggets" in " ".join(told("hands", after(position, "last")))
    assert "Goals: " in told("mine")[0]
    assert " the treasure" in told("mine")[0]
    assert "your map" not in told("mine")[0], "all cards are open"
    assert "8n2" in " ".join(told("mine 8n2"))
    assert len(told("draw")) > 5
    assert len(told("who")) > 4
    assert any(line.startswith("quit") for line in told("?"))
    assert "not understand xyzzy" in told("xyzzy")[0]


def test_play_tells_the_rest_with_what_was_true() -> None:
    position, lines = answer(begin_replay(), "play", SIZE)
    assert position.is_last
    text = "\n".join(lines)
    for words in ("(a lie)", "(false)", "(true)", "Saboteurs:", "wins the"):
        assert words in text
    assert answer(position, "play", SIZE)[1] == ["There is no more to see here."]


def test_the_finished_game_is_watched_again_at_its_table_and_left_again() -> None:
    table = playing(OVER, record=format_record(game_record(6)))
    begun = type_lines(table, "replay")
    assert begun.lines[0].startswith("1 ")
    assert "step 1 of " in begun.place.prompt()
    after = type_lines(begun.place, "")
    assert after.requests == (ShowStep(1),), "the host shows each step to all"
    assert type_lines(after.place, "hands").is_told_only, "it is no step"
    assert after.place.prompt().count("step 2 of ") == 1
    left = type_lines(after.place, "who", "quit")
    assert left.lines[0].startswith("replay: watch a finished game again")


def test_guests_read_each_step_of_the_finished_game_that_the_host_shows() -> None:
    guest = playing(OVER, BRUNO, record=format_record(game_record(6)))

    def show(place: Place, step: int) -> Answer:
        return place.after(Update(place.status, Received(news=(StepShown(step),))))

    begun = show(guest, 0)
    assert begun.lines[0] == "Ana shows the game again, step by step."
    later = show(begun.place, 2)
    assert later.lines == type_lines(guest, "replay", "go 3").lines
    assert "step" not in later.place.prompt(), "they may type what they like"
    alone = type_lines(later.place, "replay").place
    assert "step 4 of " in show(alone, 3).place.prompt()
    assert show(playing(OVER, BRUNO, record="no record"), 1).lines == ()


def test_a_new_game_ends_the_replay_of_the_last_one() -> None:
    table = type_lines(playing(OVER, record=format_record(game_record(6))), "replay").place
    assert "step 1 of" in table.prompt()
    again = playing(DIG).status
    assert "step" not in table.after(Update(again, Received(renewed=True))).place.prompt()


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("", "You can do that once the game is over."),
        ("no record", "Gold Rush: not a valid record"),
    ],
)
def test_without_a_valid_record_there_is_nothing_to_watch(record: str, said: str) -> None:
    answer = type_lines(playing(OVER, record=record, size=WIDE), "replay")
    assert " ".join(answer.lines).startswith(said)
    assert "step" not in answer.place.prompt()


def test_one_side_is_told_no_secret_of_another() -> None:
    position = begin_replay()
    told = {
        side: answer(answer(position, side, SIZE)[0], "play", SIZE)[1]
        for side in ("open", "seat 1", "watch")
    }
    discarded, seen = (
        [line for line in told["open"] if words in line and line.startswith(OTHERS)]
        for words in (" discarded: ", " looked at ")
    )
    assert discarded
    assert seen
    assert not {*discarded, *seen} & {*told["seat 1"], *told["watch"]}
