"""A record as steps: the views that each seat had, what was said, and whether it was true."""

from dataclasses import replace

import pytest

from engine.board import GOAL_CELLS
from engine.bots.talk import Bluff, Claim, DigsAgainstUs, DigsForUs, GoldAt, HelpMe, StoneAt, WhoMe
from engine.cards import Goal, Role, Tool
from engine.edition import INTERNATIONAL, ITALIA, Edition
from engine.events import visible_to
from engine.game import Game
from engine.notation import ObservedRecord, Record, Utterance, replay
from engine.notation.record import Replay, ReplayStep, Truth
from engine.view import View
from tests.engine.notation.games import NAMES, play, record_of_seat
from tests.engine.notation.test_talk import talking
from tests.samples import first


@pytest.mark.parametrize(
    ("players", "edition"), first(1, [(3, INTERNATIONAL), (7, ITALIA)], thorough=2)
)
def test_each_step_has_the_view_that_each_seat_then_had(players: int, edition: Edition) -> None:
    record, _, told = play(players, players, edition)
    replayed = Replay.of(record)
    assert [step.events for step in replayed.steps] == told
    assert replayed.seats == (None, *range(players))
    for seat in replayed.seats:
        view = View.before(edition, players, record.rounds, seat)
        for step in replayed.steps:
            for event in visible_to(step.events, seat):
                view = view.after(event)
            assert step.view(seat) == view


def test_the_steps_are_the_deals_and_the_moves_in_their_order() -> None:
    record, _, _ = play(7, 4, INTERNATIONAL)
    replayed = Replay.of(record)
    moves = [step.move for step in replayed.steps if step.move is not None]
    assert moves == [move for played in record.moves for move in played]
    assert [step.number for step in replayed.steps] == list(range(len(replayed.steps)))
    deals = [step for step in replayed.steps if step.seat is None]
    assert [(step.round, step.moves) for step in deals] == [(1, 0), (2, 0), (3, 0)]
    last = replayed.steps[-1]
    assert (last.round, last.moves) == (3, len(record.moves[2]))


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_seats_own_record_has_the_steps_and_views_of_that_seat(seat: int | None) -> None:
    record, _, told = play(21, 3, ITALIA)
    whole, own = Replay.of(record), Replay.of(record_of_seat(seat, record, told))
    assert own.seats == (seat,)
    assert not own.is_whole
    assert own.steps[-1].view(seat) == whole.steps[-1].view(seat)
    turns = [step for step in whole.steps if step.is_turn]
    seen = [step for step in own.steps if step.is_turn]
    assert [step.seat for step in seen] == [step.seat for step in turns]
    for step, other in zip(seen, turns, strict=True):
        assert step.view(seat).table == other.view(seat).table
        assert step.move in (None, other.move)
        assert step.move == other.move or (step.seat != seat and other.move is not None)
    with pytest.raises(LookupError, match="does not know what seat 2 saw"):
        own.steps[0].view(1)


def test_the_record_of_a_game_not_begun_has_no_steps() -> None:
    assert Replay.of(ObservedRecord(NAMES[:3], None)).steps == ()
    assert Replay.of(Record(NAMES[:3], seed=bytes(32))).steps == ()


def test_what_was_said_is_in_the_step_after_which_it_was_said() -> None:
    record = talking(3, 4)
    steps = Replay.of(record).steps
    assert tuple(said for step in steps for said in step.said) == record.talk
    assert all(said.place == (step.round, step.moves) for step in steps for said in step.said)


def deal_game() -> tuple[Record, Game]:
    """Return a game just dealt, with what its rounds hold."""
    record, game, _ = play(1, 5, INTERNATIONAL, rounds=1, steps=1)
    return record, game


def worth(claim: Claim, seat: int | None, *before: Utterance) -> Truth | None:
    """Return the worth of a claim made right after the deal."""
    record, _ = deal_game()
    record = replace(record, talk=before).add_utterance(seat, "Ida", claim)
    replayed = Replay.of(record)
    step: ReplayStep = replayed.steps[0]
    return replayed.truth(step, step.said[-1])


def test_a_claim_is_true_false_or_a_lie_of_whoever_knew_better() -> None:
    _, game = deal_game()
    now = game.round
    gold = now.goals.index(Goal.TREASURE)
    stone = GOAL_CELLS[(gold + 1) % 3]
    miner, saboteur = now.roles.index(Role.MINER), now.roles.index(Role.SABOTEUR)
    assert worth(GoldAt(GOAL_CELLS[gold]), 0) is Truth.TRUE
    assert worth(StoneAt(stone), None) is Truth.TRUE
    assert worth(GoldAt(stone), 0) is Truth.FALSE, "nobody has looked yet"
    assert worth(StoneAt(GOAL_CELLS[gold]), None) is Truth.FALSE
    assert worth(DigsAgainstUs(saboteur), miner) is Truth.TRUE
    assert worth(DigsAgainstUs(miner), saboteur) is Truth.FALSE
    assert worth(DigsForUs(saboteur), miner) is Truth.FALSE
    assert worth(DigsForUs(saboteur), saboteur) is Truth.LIE
    assert worth(WhoMe(), miner) is Truth.TRUE
    assert worth(WhoMe(), saboteur) is Truth.LIE
    assert worth(HelpMe(Tool.PICK), miner) is Truth.LIE, "nothing of theirs is broken"
    assert worth(WhoMe(), None) is None
    assert worth(HelpMe(Tool.PICK), None) is None
    lie = Utterance(1, 0, saboteur, claim=WhoMe())
    assert worth(Bluff(saboteur), miner, lie) is Truth.TRUE
    assert worth(Bluff(saboteur), miner) is Truth.FALSE
    assert worth(Bluff(miner), None, lie) is Truth.FALSE


def test_who_has_seen_a_goal_and_says_otherwise_lies() -> None:
    found = 0
    for seed in range(20):
        record, _, _ = play(seed, 5, INTERNATIONAL, rounds=1)
        steps = [one for one in Replay.of(record).steps if one.seat is not None]
        for step in steps:
            seat = step.seat
            assert seat is not None
            game = step.game
            assert game is not None
            peeks = game.view(seat).peeks
            for cell, goal in zip(GOAL_CELLS, peeks, strict=True):
                if goal is None:
                    continue
                claim = StoneAt(cell) if goal is Goal.TREASURE else GoldAt(cell)
                said = Utterance(step.round, step.moves, seat, claim=claim)
                talked = Replay.of(replace(record, talk=(said,)))
                there = talked.steps[step.number]
                assert talked.truth(there, there.said[0]) is Truth.LIE
                found += 1
        if found > 10:
            return
    raise AssertionError(found)


def test_a_text_is_neither_true_nor_false() -> None:
    record, _ = deal_game()
    replayed = Replay.of(record.add_utterance(0, "A", None, "gold!"))
    step = replayed.steps[0]
    assert replayed.truth(step, step.said[0]) is None
    game = next(replay(record))[0]
    assert step.game == game
