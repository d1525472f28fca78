"""A review is worked out once, goes on where it stopped, and is kept as figures."""

from dataclasses import replace
from functools import lru_cache

import msgspec
import pytest

from engine.bots.review import Effort
from engine.notation import Record, parse_record
from engine.notation.record import Replay
from sabtui.after.review import (
    GameReview,
    StoredReview,
    review_game,
    steps_of,
    tell_story,
)
from sabtui.app.errors import UserError
from tests.sabtui.after.export.test_export import RECORDS
from tests.sabtui.games import game_record

LITTLE, LEAST = Effort(2, 6, 6), Effort(1, 1, 1)
GAME = Replay.of(game_record(5, rounds=1, talks=True))


@lru_cache
def review_whole_game() -> tuple[GameReview, bytes]:
    """The whole review of the game, and what is kept of it."""
    done, kept = review_game(GAME, effort=LITTLE)
    assert done is not None
    return done, kept


def test_a_review_that_was_kept_is_there_at_once_and_equal() -> None:
    done, kept = review_whole_game()
    told: list[int] = []

    def tell(steps: int, _all: int) -> bool:
        told.append(steps)
        return True

    again, kept_again = review_game(GAME, kept, tell, LITTLE)
    assert again == done
    assert kept_again == kept
    assert told == [], "no step was worked out anew"


def test_a_review_that_was_stopped_goes_on_where_it_stopped() -> None:
    whole, _ = review_whole_game()
    stopped, kept = review_game(GAME, None, lambda done, _all: done < 7, LITTLE)
    assert stopped is None
    told: list[int] = []

    def tell(step: int, _all: int) -> bool:
        told.append(step)
        return True

    done, _ = review_game(GAME, kept, tell, LITTLE)
    assert done == whole
    assert told[0] == 8


@pytest.mark.parametrize(
    "stored",
    [b"", b"\xff", b"{}", b'{"version": 1, "effort": [1, 2], "steps": []}'],
)
def test_what_cannot_be_read_is_worked_out_anew(stored: bytes) -> None:
    told: list[int] = []

    def tell(step: int, _all: int) -> bool:
        told.append(step)
        return len(told) < 3

    stopped, kept = review_game(GAME, stored, tell, LEAST)
    assert stopped is None
    assert told == [1, 2, 3]
    assert len(msgspec.json.decode(kept, type=StoredReview).steps) == len(told)


def test_what_does_not_fit_the_game_is_worked_out_anew() -> None:
    done, kept = review_whole_game()
    stored = msgspec.json.decode(kept, type=StoredReview)
    first, second, *others = stored.steps
    odd = [
        *(
            msgspec.structs.replace(stored, steps=(first, wrong, *others))
            for wrong in (msgspec.structs.replace(second, best=best) for best in ("NESW@0", "?"))
        ),
        msgspec.structs.replace(stored, version=0, steps=(first,) * len(stored.steps)),
    ]
    for one, begins_at in zip(odd, (2, 2, 1), strict=True):
        told: list[int] = []

        def tell(step: int, _all: int, told: list[int] = told) -> bool:
            told.append(step)
            return False

        again, _ = review_game(GAME, msgspec.json.encode(one), tell, LITTLE)
        assert again is None
        assert told == [begins_at]
    again, _ = review_game(GAME, msgspec.json.encode(odd[0]), effort=LITTLE)
    assert again == done


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
    claims = sum(one.claim is not None for step in GAME.steps for one in step.said)
    assert claims > 2
    assert sum(map(len, said.values())) == claims
    for number, statements in said.items():
        assert {one.unplayed for one in statements} == {steps[number].game.round.table.unplayed}


def test_a_story_has_each_rounds_end_its_roles_and_turning_points_but_no_shares() -> None:
    done, _ = review_whole_game()
    lines = tell_story(GAME, done)
    told = " ".join(" ".join(lines).split())
    assert "%" not in told, "figures are for those who ask for them"
    rounds = max(one.round for one in done.steps)
    assert [line for line in lines if line.startswith("Round ") and ":" not in line] == [
        f"Round {number}" for number in range(1, rounds + 1)
    ]
    assert told.count("win the round.") + told.count("wins the round.") == rounds
    assert told.count("A turning point.") == len(done.summary.turning_points)
    assert told.count(" a saboteur") >= len(done.summary.suspicions) > 0
    assert "The game is over." in told
    assert max(map(len, lines)) <= 80, "short names"
