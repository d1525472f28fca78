"""Games that are over, in words: what only one seat saw, who was suspected, and a plot."""

from __future__ import annotations

from dataclasses import replace

from engine.bots.review import Suspicion
from engine.edition import INTERNATIONAL
from engine.events import DiscardedCard, GoalPeeked, GoldReceived, GoldTaken, addressee
from engine.notation.record import Replay
from sabtui.after.replays import step_lines
from sabtui.after.review import found_out_lines
from sabtui.after.screens.review import area
from sabtui.text.events import event_sentence
from sabtui.text.names import PlayerNames
from tests.engine.notation.games import play
from tests.sabtui.games import game_record


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
                event.to: sum(event.nuggets)
                for event in step.events
                if isinstance(event, GoldReceived)
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


def test_of_miners_more_suspected_it_is_said_than_which_saboteur() -> None:
    replay = Replay.of(game_record(5))
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dede", "Eitri"), None)
    suspicions = Suspicion(1, 3, None, (1, 2)), Suspicion(1, 4, None, (1,))
    lines = [line for suspicion in suspicions for line in found_out_lines(replay, suspicion, names)]
    assert "At the end of round 1, Bruno and Chiara looked more suspicious than Dede." in lines
    assert "At the end of round 1, Bruno looked more suspicious than Eitri." in lines


def test_an_area_is_filled_from_below_to_half_a_row() -> None:
    assert area([0, 0.25, 0.5, 1, 2], 2) == ["   ██", " ▄███"]
    assert area([0, 0.25, 0.5, 1, -1], 2, ascii_only=True) == ["   # ", "  ## "]
