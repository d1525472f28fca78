"""Watching a game again: where each key leads, and what is seen from each side."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Goal
from engine.notation import Record, format_record
from engine.notation.record import Replay, Truth
from sabtui.after.replays import (
    ALL_OPEN,
    PointOfView,
    WatchedGame,
    read_replay,
    watched_text,
)
from sabtui.app.errors import UserError
from tests.engine.notation.games import RECORDS
from tests.engine.notation.test_replays import talking
from tests.sabtui.tui import scenes


def game(players: int = 4, seed: int = 5) -> WatchedGame:
    """Return a whole game with a lot of talk."""
    record = talking(seed, players)
    return WatchedGame(Replay.of(record), format_record(record))


def test_frames_are_the_steps_and_what_was_said_after_each() -> None:
    watching = game()
    position = watching.begin()
    told = []
    while not position.is_last:
        if position.said is not None:
            told.append(position.said)
        position = position.move(1)
    if position.said is not None:
        told.append(position.said)
    assert tuple(told) == tuple(said for step in watching.replay.steps for said in step.said)
    assert position.move(1) == position
    assert watching.begin().move(-1) == watching.begin()


def test_each_step_forward_is_undone_by_a_step_back() -> None:
    position = game().begin()
    for _ in range(60):
        after = position.move(1)
        assert after.move(-1) == position
        position = after


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
    assert sorted(map(str, position.view.peeks)) == sorted(
        map(str, (Goal.TREASURE, *{goal for goal in Goal if goal is not Goal.TREASURE}))
    )
    for step in (0, 17, 40):
        there = position.at_step(step)
        game_then = there.step.game
        assert game_then is not None
        for seat in (0, 3, None):
            assert there.look_from(PointOfView(seat)).view == game_then.view(seat)


def test_truth_is_told_only_with_all_cards_open() -> None:
    position = game().begin()
    worth = set()
    while not position.is_last:
        position = position.move(1)
        if position.said is not None:
            worth.add(position.truth(position.step, position.said))
            assert position.look_from(PointOfView(1)).truth(position.step, position.said) is None
    assert {Truth.TRUE, Truth.FALSE, Truth.LIE, None} == worth


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
