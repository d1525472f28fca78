"""The replay as values, without an app: what each side is shown at a position, and no more."""

from __future__ import annotations

from dataclasses import replace

from engine.bots.talk import GoldAt, StoneAt
from engine.notation.record import Replay
from engine.state import Phase
from sabtui.after.replays import ALL_OPEN, PointOfView, ReplayPosition, read_replay
from sabtui.after.screens import replay as rows
from sabtui.after.screens.replay import ReplayModel, ReplayScreen, log_at
from sabtui.tui.table.log import LogKind
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.panel import plain
from tests.engine.notation.games import RECORDS
from tests.sabtui.after.screens.test_replay_screen import game


def at_step(number: int) -> ReplayPosition:
    return game().begin().at_step(number)


def test_what_was_said_after_a_step_is_told_once_it_is_reached() -> None:
    replay: Replay = game().replay
    step = next(one for one in replay.steps if one.said and one.moves)
    position = at_step(step.number)
    before = len(log_at(position).lines)
    for more in range(1, len(step.said) + 1):
        assert len(log_at(position.move(more)).lines) == before + more


def test_claims_about_goals_are_claims_in_the_log() -> None:
    step = next(
        one
        for one in game().replay.steps
        if one.said and isinstance(one.said[0].claim, GoldAt | StoneAt)
    )
    position = at_step(step.number).move(1)
    assert log_at(position).lines[-1].kind is LogKind.CLAIM


def test_with_all_cards_open_the_hand_is_that_of_who_plays_next() -> None:
    for number in range(12):
        position = at_step(number)
        view = position.view
        if view.phase is not Phase.PLAY or view.to_act is None:
            continue
        model = ReplayModel.of(position, BOX)
        title = plain(rows.ReplayRows(model).bottom[0])
        assert f"next: {game().replay.names[view.to_act]}, " in title


def test_the_record_of_one_player_has_no_other_side() -> None:
    seen = ReplayScreen(read_replay(RECORDS / "seat_2.sab"))
    reasons = {one.name: one.why_not() for one in seen.commands() if one.name.startswith("side ")}
    assert reasons["side 0"] is not None
    seat = seen.model.position.seen_from.seat
    assert seat is not None
    assert reasons[f"side {seat + 1}"] is None
    whole = ReplayScreen(game())
    assert all(
        one.why_not() is None for one in whole.commands() if one.name in ("side 0", "side 1")
    )


def test_no_side_but_its_own_is_told_a_secret_in_the_sentence() -> None:
    model = ReplayModel.of(game().begin(), BOX)
    every = (replace(at_step(step.number), seen_from=ALL_OPEN) for step in game().replay.steps)
    position = next(at for at in every if " discarded: " in rows.sentence(model.at(at)))
    for seat in (None, *range(5)):
        seen = position.look_from(PointOfView(seat))
        if seat != position.step.seat:
            assert " discarded: " not in rows.sentence(model.at(seen))
