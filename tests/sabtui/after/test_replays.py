"""Watching a game again: where each move and line leads, and what is seen from each side."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.cards import Goal
from engine.edition import INTERNATIONAL
from engine.events import GoldReceived, GoldTaken
from engine.notation import Record, format_record
from engine.notation.record import Replay, Truth, Utterance
from net.client.session import Received, Update
from net.protocol.lobby_events import StepShown
from net.protocol.requests import ShowStep
from sabtui.after.lines import ReplayInLines
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    ReplayPosition,
    WatchedGame,
    read_replay,
    step_lines,
    watched_text,
)
from sabtui.app.errors import UserError
from sabtui.cli.main import main
from sabtui.text.layout import TerminalSize
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import RECORDS, play
from tests.engine.notation.test_replays import talking
from tests.sabtui.cases import DIG, OVER
from tests.sabtui.games import game_record
from tests.sabtui.plain_sessions import WIDE, Answer, Place, playing, type_lines
from tests.sabtui.tables import BRUNO
from tests.sabtui.tui import scenes


@cache
def game(players: int = 5, seed: int = 5) -> WatchedGame:
    """Return a whole game with a lot of talk."""
    record = talking(seed, players)
    return WatchedGame(Replay.of(record), format_record(record), "Gold Rush")


def test_each_frame_is_a_step_or_what_was_said_after_it_and_truth_is_told_to_who_sees_all() -> None:
    watching, told, worth = game(), list[Utterance](), set[Truth | None]()
    position = watching.begin()
    assert position.move(-1) == position
    while True:
        if (said := position.said) is not None:
            told.append(said)
            worth.add(position.truth(position.step, said))
            assert position.look_from(PointOfView(1)).truth(position.step, said) is None
            assert position.turn(-1) == position.at_step(position.frame.step)
        if position.is_last:
            break
        before, position = position, position.move(1)
        assert position.move(-1) == before
    assert position.move(1) == position
    assert told == [said for step in watching.replay.steps for said in step.said]
    assert worth == {Truth.TRUE, Truth.FALSE, Truth.LIE, None}


def test_rounds_begin_with_their_deals_and_the_last_key_ends_at_the_end() -> None:
    watching = game()
    first = watching.begin()
    second, third = first.at_round(1), first.at_round(1).at_round(1)
    assert [replay.step.round for replay in (first, second, third)] == [1, 2, 3]
    assert [replay.step.moves for replay in (first, second, third)] == [0, 0, 0]
    assert third.at_round(1).is_last
    assert third.turn(5).at_round(-1) == third
    assert third.at_round(-1) == second
    assert first.at_round(-1) == first
    assert third.at_round(1).at_round(-1) == third


def test_open_shows_all_goals_and_a_seat_only_what_it_saw() -> None:
    position = game().begin()
    assert position.seen_from == ALL_OPEN
    assert sorted(map(str, position.view.peeks)) == sorted(map(str, Goal))
    for step in (0, 17, 40):
        there = position.at_step(step)
        assert there.step.game is not None
        for seat in (0, 3, None):
            assert there.look_from(PointOfView(seat)).view == there.step.game.view(seat)


@pytest.mark.parametrize("name", ["whole", "begun", "begun_dealt", "seat_2", "watched", "talk"])
def test_every_kind_of_record_can_be_watched(name: str) -> None:
    watching = read_replay(RECORDS / f"{name}.sab")
    position = watching.begin()
    assert position.seen_from.is_open == watching.replay.is_whole
    while not position.is_last:
        position = position.move(1)
        assert position.view.score.number == position.step.round


def test_a_record_is_watched_in_lines_if_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = list[str]()

    def watch(game: WatchedGame, _console: object) -> int:
        watched.append(game.title)
        return 0

    monkeypatch.setattr("sabtui.after.lines.watch_in_lines", watch)
    assert main(["replay", str(RECORDS / "whole.sab"), "--plain"]) == 0
    assert watched == ["whole"]


def test_what_is_no_record_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.sab"
    with pytest.raises(UserError, match="Cannot read"):
        read_replay(path)
    path.write_bytes(b"\x1b[2J")
    with pytest.raises(UserError, match="not a valid record"):
        read_replay(path)
    never_begun = format_record(Record(("Ana", "Bruno", "Chiara"), seed=bytes(32)))
    for text in (format_record(replace(talking(1, 3), moves=(), talk=())), never_begun):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UserError, match="not a valid record"):
            read_replay(path)
        with pytest.raises(UserError, match="not a valid record"):
            watched_text(text, scenes.lobby())


def test_gold_that_two_take_in_one_step_is_told_of_each() -> None:
    names, found = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dario", "Eva"), None), 0
    for seed in (0, 2):  # games in which that happens
        for step in Replay.of(play(seed, 5, INTERNATIONAL)[0]).steps:
            takers = [event.seat for event in step.events if isinstance(event, GoldTaken)]
            got = (event for event in step.events if isinstance(event, GoldReceived))
            nuggets = {event.to: sum(event.nuggets) for event in got}
            lines = step_lines(step, names, None)
            for seat in takers if len(takers) > 1 else ():
                (told,) = (line for line in lines if line.startswith(f"{names.names[seat]} gets "))
                assert f" {nuggets[seat]} " in told
                found += 1
    assert found


SIZE = TerminalSize()
OTHERS = ("Bruno ", 'Chi"ara ', "D", "Eve ")
"""Beginnings of the names of all but the first player."""

NO_MORE = ["There is no more to see here."]


def type_at(*typed: str) -> tuple[ReplayPosition, list[str]]:
    """Type lines at the beginning of a game; where they lead, and what the last one answers."""
    replay, told = ReplayInLines(game().begin()), list[str]()
    for line in typed:
        told = replay.answer(line, SIZE) or []
        assert told
    return replay.at, told


def test_typed_lines_lead_where_they_say() -> None:
    assert type_at("", "next", "NEXT")[0].at == 3
    assert type_at("", "", "back", "back")[0].at == 0
    assert type_at("turn", "turn")[0].frame.step == 2
    assert type_at("turn", "turn", "turn back")[0].frame.step == 1
    assert type_at("round")[0].step.round == 2
    assert type_at("round", "round", "round back")[0].step.round == 2
    assert type_at("go 12", "go 12")[0].frame.step == 11
    assert type_at("back") == (game().begin(), NO_MORE)
    assert type_at("last", "")[1] == NO_MORE
    for wrong in ("go", "go 0", "go x", "go 99999", "go ²"):
        there, lines = type_at("turn", wrong)
        assert there.frame.step == 1
        assert "Type go 12" in lines[0]


def test_the_hands_the_mine_the_players_and_help_are_ask() -> None:
    def ask(*typed: str) -> list[str]:
        return type_at(*typed)[1]

    assert len(ask("hands")) == 5
    assert all("miner" in line or "saboteur" in line for line in ask("hands"))
    assert len(ask("seat 2", "hands")) == 1
    for wrong, words in (("seat", "Type seat 2"), ("seat 9", "view: all cards open; as ")):
        (line,) = ask(wrong)
        assert words in line
    assert len(ask("seat 2")) > 1, "what was seen from there"
    assert "nuggets" in " ".join(ask("last", "hands"))
    assert "Goals: " in ask("mine")[0]
    assert " the treasure" in ask("mine")[0]
    assert "your map" not in ask("mine")[0], "all cards are open"
    assert "8n2" in " ".join(ask("mine 8n2"))
    assert len(ask("draw")) > 5
    assert len(ask("who")) > 4
    assert any(line.startswith("quit") for line in ask("?"))
    assert "Unknown command: xyzzy" in ask("xyzzy")[0]


def test_play_tells_the_rest_with_what_was_true_and_one_side_no_secret_of_another() -> None:
    position, told = type_at("play")
    assert position.is_last
    for words in ("(a lie)", "(false)", "(true)", "Saboteurs:", "wins the"):
        assert words in "\n".join(told)
    assert type_at("play", "play")[1] == NO_MORE
    one_side = {*type_at("seat 1", "play")[1], *type_at("watch", "play")[1]}
    for words in (" discarded: ", " looked at "):
        secrets = {line for line in told if words in line and line.startswith(OTHERS)}
        assert secrets
        assert not secrets & one_side


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
    assert begun.lines[0] == "Ana is replaying the game, step by step."
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
