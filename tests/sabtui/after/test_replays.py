"""Watching a game again: where each key leads, and what is seen from each side."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Goal
from engine.edition import INTERNATIONAL
from engine.events import GoldReceived, GoldTaken
from engine.notation import Record, format_record
from engine.notation.record import Replay, Truth, Utterance
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    WatchedGame,
    read_replay,
    step_lines,
    watched_text,
)
from sabtui.app.errors import UserError
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import RECORDS, play
from tests.engine.notation.test_replays import talking
from tests.sabtui.tui import scenes


def game(players: int = 4, seed: int = 5) -> WatchedGame:
    """Return a whole game with a lot of talk."""
    record = talking(seed, players)
    return WatchedGame(Replay.of(record), format_record(record))


def test_each_frame_is_a_step_or_what_was_said_after_it_and_truth_is_told_to_who_sees_all() -> None:
    watching, told, worth = game(), list[Utterance](), set[Truth | None]()
    position = watching.begin()
    assert position.move(-1) == position
    while True:
        if (said := position.said) is not None:
            told.append(said)
            worth.add(position.truth(position.step, said))
            assert position.look_from(PointOfView(1)).truth(position.step, said) is None
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
        with pytest.raises(UserError, match="no game to watch"):
            read_replay(path)
        with pytest.raises(UserError, match="no game to watch"):
            watched_text(text, scenes.lobby())


def test_gold_that_two_take_in_one_step_is_told_of_each() -> None:
    names, found = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dario", "Eva"), None), 0
    for seed in range(12):
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
