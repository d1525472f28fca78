"""The rounds of a game in sentences, and how far a published record is believed."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from engine.board import GOAL_CELLS
from engine.bots.talk import GoldAt, StoneAt
from engine.cards import Goal, Role
from engine.events import Event, RoundBegan, visible_to
from engine.notation import Record, format_record, parse_record, replay
from engine.tally import RoundTally, SeatTally, Tally
from engine.view import View
from net.client.trail import GameState
from sabtui.text.names import PlayerNames
from sabtui.text.results import award_lines, final_lines, round_line, tally_of
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes

RECORD = Path(__file__).parents[2] / "data" / "records" / "whole.sab"
TEXT = RECORD.read_text(encoding="utf-8")
SEAT = 1


def whole() -> tuple[Record, tuple[Event, ...]]:
    """A game that is over, and all its events."""
    record = parse_record(TEXT)
    assert isinstance(record, Record)
    return record, tuple(event for _game, step in replay(record) for event in step)


def held(record: str = TEXT) -> GameState:
    """What a seat holds of that game when a record of it was published."""
    game, events = whole()
    seen = visible_to(events, SEAT)
    before = View.before(game.edition, len(game.names), game.rounds, SEAT)
    view = reduce(View.after, seen, before)
    last = max(at for at, event in enumerate(seen) if isinstance(event, RoundBegan))
    return GameState(1, 9, scenes.lobby(), view, record=record, past=seen[:last])


def counted(state: GameState) -> Tally:
    """What is known of who did what."""
    assert state.view is not None
    return tally_of(state.view, state.past, state.record)


def test_the_record_of_a_finished_game_tells_everybodys_nuggets_by_rounds() -> None:
    _game, events = whole()
    assert counted(held()) == Tally.of(events, 5)
    assert all(None not in one.nuggets for one in counted(held()).rounds)


def test_who_came_late_has_all_rounds_from_the_record() -> None:
    assert counted(replace(held(), past=None)) == counted(held())
    late = replace(held(""), past=None)
    assert [one.number for one in counted(late).rounds] == [2], "no more than was seen"


def unfinished_record() -> str:
    """A record of the same game without its last move."""
    game, _events = whole()
    first, second = game.moves
    return format_record(replace(game, moves=(first, second[:-1])))


@pytest.mark.parametrize("record", ["", "no record", TEXT[:-5], unfinished_record()])
def test_a_record_that_is_broken_or_tells_another_game_is_not_believed(record: str) -> None:
    _game, events = whole()
    assert counted(held(record)) == Tally.of(visible_to(events, SEAT), 5)


def test_a_record_with_the_same_gold_but_other_moves_is_not_believed() -> None:
    past = held().past
    assert past is not None
    assert counted(replace(held(), past=past[:-30])) != counted(held())


def test_a_finished_game_is_told_round_by_round_and_then_player_by_player() -> None:
    names = PlayerNames(("Ana", "Bruno", "Chiara", "Dede", "Norri"), 0)
    state = scenes.finished().game_state
    assert state is not None
    lines = final_lines(counted(state), names)
    assert lines[0] == (
        "Round 1 went to the miners. Ana (you): miner, 3 nuggets; Bruno: miner, 3 nuggets; "
        "Chiara: saboteur, no gold; Dede: miner, 1 nugget; Norri: saboteur, no gold."
    )
    assert lines[1].startswith("Round 2 went to the saboteurs. ")
    assert lines[3:5] == [
        "What each player did:",
        "Ana (you): 6 tunnels and 3 passes",
    ]
    assert len(lines) == 9


def test_of_gold_that_was_not_seen_the_cards_are_told() -> None:
    names = PlayerNames(("Anna", "Bruno", "Chiara", "Dede", "Eve"), SEAT)
    seen = counted(held("")).rounds[0]
    assert round_line(seen, names).endswith(
        "Anna: miner, 1 card; Bruno (you): miner, 4 nuggets; Chiara: miner, 2 cards; "
        "Dede: saboteur, no gold; Eve: saboteur, no gold."
    )


def test_a_round_that_no_saboteur_played_in_was_won_by_nobody() -> None:
    names = PlayerNames(("Anna", "Bruno", "Chiara"), 0)
    round_played = replace(RoundTally.begin(1, 3), winner=Role.SABOTEUR, roles=(Role.MINER,) * 3)
    assert round_line(round_played, names).startswith("Nobody won round 1. Anna (you): miner")


def test_awards_go_to_who_did_most_and_to_at_most_two() -> None:
    names = PlayerNames.of(("Ana", "Bruno", "Chiara"), 0)
    tally = Tally((SeatTally(3, breaks=1), SeatTally(2, breaks=1), SeatTally(breaks=1)))
    assert award_lines(tally, "", names) == ["Most tunnels: you, 3."]
    tally = Tally((SeatTally(3), SeatTally(3, breaks=2), SeatTally()))
    assert award_lines(tally, "no record", names) == [
        "Most tunnels: you and Bruno, 3.",
        "Most broken tools: Bruno, 2.",
    ]


def test_the_best_liar_made_most_false_claims_about_goals() -> None:
    record = game_record(1, ("Ana", "Bruno", "Chiara"), talks=True)
    *_others, (game, _events) = replay(record)
    assert game.round.table.end is not None
    said, lies = [one for one in record.talk if one.seat is not None], [0, 0, 0]
    for one in said:
        if isinstance(one.claim, GoldAt | StoneAt):
            face = game.round.table.end.goals[GOAL_CELLS.index(one.claim.cell)]
            lies[one.seat or 0] += isinstance(one.claim, GoldAt) != (face is Goal.TREASURE)
    assert lies.count(max(lies)) == 1, "there is one best liar"
    names = PlayerNames.of(("Ana", "Bruno", "Chiara"), None)
    best = lies.index(max(lies))
    [line] = [one for one in award_lines(Tally(()), format_record(record), names) if "liar" in one]
    assert line == f"Best liar: {names.names[best]}, false claims: {max(lies)}."
    begun = replace(record, moves=(record.moves[0][:-6],), talk=record.talk[:1])
    assert award_lines(Tally(()), format_record(begun), names) == [], "the round did not end"
