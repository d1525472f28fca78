"""A review of a whole game, told as a story."""

from dataclasses import replace

import pytest

from engine.bots.review import Effort, Suspicion
from engine.notation import Record, parse_record
from engine.notation.record import Replay
from sabtui.after.review import found_out_lines, review_game, steps_of, tell_story
from sabtui.app.errors import UserError
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import RECORDS
from tests.sabtui.games import game_record

LITTLE, LEAST = Effort(2, 6, 6), Effort(1, 1, 1)
GAME = Replay.of(game_record(5, rounds=1, talks=True))


def test_a_review_that_is_stopped_is_none() -> None:
    assert review_game(GAME, lambda done, _all: done < 3, LEAST) is None


def test_only_whole_games_that_are_over_are_reviewed() -> None:
    seen = Replay.of(parse_record((RECORDS / "seat_2.sab").read_bytes()))
    with pytest.raises(UserError, match="what one player saw"):
        review_game(seen)
    record = game_record(5)
    begun = replace(record, moves=(record.moves[0][:3],), talk=())
    for unfinished in (begun, Record(("A", "B", "C"))):
        with pytest.raises(UserError, match="that is over"):
            review_game(Replay.of(unfinished))


def test_what_was_said_is_heard_where_it_was_said() -> None:
    steps, said = steps_of(GAME)
    claims = sum(statement.claim is not None for step in GAME.steps for statement in step.said)
    assert claims > 2
    assert sum(map(len, said.values())) == claims
    for number, statements in said.items():
        assert {statement.unplayed for statement in statements} == {
            steps[number].game.round.table.unplayed
        }


def test_a_story_has_each_rounds_end_its_roles_and_turning_points_but_no_shares() -> None:
    done = review_game(GAME, effort=LITTLE)
    assert done is not None
    lines = tell_story(GAME, done)
    told = " ".join(" ".join(lines).split())
    assert "%" not in told, "figures are for those who ask for them"
    rounds = max(step.round for step in done.steps)
    assert [line for line in lines if line.startswith("Round ") and ":" not in line] == [
        f"Round {number}" for number in range(1, rounds + 1)
    ]
    assert told.count("win the round.") + told.count("wins the round.") == rounds
    assert told.count("A turning point.") == len(done.summary.turning_points)
    assert told.count(" a saboteur") >= len(done.summary.suspicions) > 0
    assert "The game is over." in told
    assert max(map(len, lines)) <= 80, "short names"


def test_of_miners_more_suspected_it_is_said_than_which_saboteur() -> None:
    replay = Replay.of(game_record(5))
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dede", "Eitri"), None)
    suspicions = Suspicion(1, 3, None, (1, 2)), Suspicion(1, 4, None, (1,))
    lines = [line for suspicion in suspicions for line in found_out_lines(replay, suspicion, names)]
    assert "At the end of round 1, Bruno and Chiara looked more suspicious than Dede." in lines
    assert "At the end of round 1, Bruno looked more suspicious than Eitri." in lines
