"""A game watched again, in words: what only one seat saw is told of that seat."""

from __future__ import annotations

from dataclasses import replace

from engine.edition import INTERNATIONAL
from engine.events import DiscardedCard, GoalPeeked, GoldReceived, GoldTaken, addressee
from engine.notation.record import Replay
from sabtui.after.text import step_lines
from sabtui.text.events import event_sentence
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import play


def test_gold_that_two_take_in_one_step_is_told_of_each() -> None:
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dario", "Eva"), None)
    found = 0
    for seed in range(12):
        record, _, _ = play(seed, 5, INTERNATIONAL)
        for step in Replay.of(record).steps:
            takers = [event.seat for event in step.events if isinstance(event, GoldTaken)]
            if len(takers) < 2:
                continue
            lines = step_lines(step, names, None)
            nuggets = {
                one.to: sum(one.nuggets) for one in step.events if isinstance(one, GoldReceived)
            }
            for seat in takers:
                told = [line for line in lines if line.startswith(f"{names.names[seat]} gets ")]
                assert len(told) == 1, lines
                assert f" {nuggets[seat]} " in told[0]
            found += 1
    assert found


def test_a_seat_is_told_what_it_saw_and_no_secret_of_another() -> None:
    replay = Replay.of(play(1, 5, INTERNATIONAL)[0])
    names = replace(PlayerNames.of(replay.names, 0), spelt=True)
    secrets = 0
    for step in replay.steps:
        lines = step_lines(step, names, step.view(0))
        for event in step.events:
            if addressee(event) in (None, 0) or not isinstance(event, DiscardedCard | GoalPeeked):
                continue
            assert event_sentence(event, names) not in lines
            secrets += 1
    assert secrets
