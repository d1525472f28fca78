"""What bots do in positions where it is plain: `tests/data/positions/bots.txt`.

    # wary search: miners break a tool of whom they suspect.
    at: - ?/?/? 1 P,-,- -L/n,1,1 9 m??+?
    told: Broke 3 P 1; Broke 3 C 1
    does: -L>3
    never: x*

Seat 1 is one bot after the other. With six different chances each makes moves that `does` has as
patterns, and none that `never` has. Of the moves that `hints` offers, `may` has one and `why` the
reason. `first` is the move that ranks first; `play-out` is a seat in one, and plays a card.
"""

from fnmatch import fnmatchcase
from random import Random

import pytest

from engine.bots import BOTS, Playouts, rollout
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs, rank_moves
from engine.bots.hints import hints, reason_for
from engine.bots.rollout import FastRound
from engine.cards import CARDS, Card, CardKind
from tests.engine.bots.positions import view_at
from tests.engine.cases import Case, play_of, read, round_at
from tests.engine.events_text import say

CASES = read("bots")


def moves_of(who: str, line: str, events: str) -> set[str]:
    """The moves that a bot makes, or a hint offers."""
    view = view_at(line, events)
    match who:
        case "first":
            return {str(rank_moves(view, infer_beliefs(observe(view)), Random(1))[0][1])}
        case "hints":
            budgets = Playouts(0), Playouts(120)
            return {str(hint.move) for each in budgets for hint in hints(view, Random(1), each)}
        case "play-out":
            seats = FastRound(round_at(line), [False] * view.table.players)
            policy = rollout.miner_policy if seats.miner[0] else rollout.saboteur_policy
            return {CARDS[policy(seats, 0)].text}
        case _:
            return {str(BOTS[who](view, Random(chance), Playouts(60))) for chance in range(6)}


def is_among(move: str, patterns: str) -> bool:
    """Whether a move has one of these patterns."""
    return any(fnmatchcase(move, pattern) for pattern in patterns.split())


@pytest.mark.parametrize(
    ("case", "who"),
    [pytest.param(case, who, id=f"{who}: {case.title}") for case in CASES for who in case.rules],
)
def test_what_is_plain_is_done(case: Case, who: str) -> None:
    lines = dict(case.lines)
    moves = moves_of(who, case.at, lines.pop("told", ""))
    assert moves
    assert lines
    for key, text in lines.items():
        match key:
            case "does":
                assert all(is_among(move, text) for move in moves), moves
            case "never":
                assert not any(is_among(move, text) for move in moves), moves
                legal = view_at(case.at).legal_moves()
                assert any(is_among(str(move), text) for move in legal), "it could"
            case "may":
                assert any(is_among(move, text) for move in moves), moves
            case _:
                view, (move, reason) = view_at(case.at), text.split(maxsplit=1)
                assert key == "why"
                assert say(reason_for(view, infer_beliefs(observe(view)), play_of(move))) == reason


def test_cards_of_all_kinds_are_played_or_thrown_away_in_play_outs() -> None:
    played = [dict(case.lines)["does"] for case in CASES if case.rules == ["play-out"]]
    assert {Card.read(text).kind for text in played} == set(CardKind)
