"""Suspicion is Bayes over the dwarves and the gold, and no more certain than the cards allow."""

from dataclasses import replace
from math import exp
from random import Random

import pytest

from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.bots.actions import ActionKind, observe
from engine.bots.beliefs import MAX_LOG_ODDS_STEP, infer_beliefs, likely_gold, public_beliefs
from engine.cards import Card, Path, Role, Tool
from engine.dealing import MINERS, SABOTEURS, deal
from engine.edition import INTERNATIONAL
from engine.events import Event, Laid, Passed, Revealed, TurnBegan
from engine.game import Game
from engine.notation import parse_position
from engine.state import PLAYERS
from engine.view import View

EW, NS, NE, NESW, STUB = (Path.read(text) for text in ("EW", "NS", "NE", "NESW", "e"))


def view_at(*history: Event, roles: str = "m????+?", goals: str = "?/?/?") -> View:
    """What seat 1 knows after that was done."""
    seats = roles.index("+")
    broken, hands = ",".join("-" * seats), ",".join(["NE", *"1" * (seats - 1)])
    view = parse_position(f"- {goals} 1 {broken} {hands} 9 {roles}").view(0)
    return view._replace(history=history)


def doubts(*history: Event, roles: str = "m????+?") -> list[float]:
    return list(infer_beliefs(observe(view_at(*history, roles=roles))).saboteur)


def test_before_anything_is_done_all_others_are_suspected_alike() -> None:
    for players in PLAYERS:
        for role in Role:
            of = doubts(roles=role + "?" * (players - 1) + "+?")
            cards = SABOTEURS[players] - (role is Role.SABOTEUR)
            assert of[0] == (role is Role.SABOTEUR)
            assert of[1:] == pytest.approx([cards / players] * (players - 1))


def test_a_watcher_suspects_everybody() -> None:
    watched = public_beliefs(observe(view_at()))
    assert watched.saboteur == pytest.approx([2 / 6] * 5)
    assert len(watched.hypotheses) == 3 * 15
    before = View.before(INTERNATIONAL, 10, 3, None)
    assert len(infer_beliefs(observe(before)).hypotheses) == 3 * 330


def test_one_deed_never_decides() -> None:
    deeds: list[Event] = [
        Broke(1, Tool.PICK, 0),
        Laid(1, STUB, (1, 0)),
        Collapsed(1, (1, 0), EW),
        Laid(1, EW, (1, 0)),
    ]
    for deed in deeds:
        of = doubts(deed)
        most = 0.4 * exp(2 * MAX_LOG_ODDS_STEP) / (0.6 + 0.4 * exp(2 * MAX_LOG_ODDS_STEP))
        assert 1 - most < of[1] < most
        assert of[1] != pytest.approx(0.4)


def test_suspicion_is_never_certain_however_much_was_done() -> None:
    much = [Broke(seat, Tool.PICK, 0) for seat in (1, 2)] * 20
    of = doubts(*much, *[Laid(3, EW, (1 + at, 0)) for at in range(6)])
    assert all(0 < doubt < 1 for doubt in of[1:])
    assert min(of[1:3]) > 0.9
    assert of[3] < 0.1


def test_who_harms_is_suspected_and_who_digs_trusted() -> None:
    assert doubts(Laid(1, STUB, (1, 0)))[1] > 0.5
    assert doubts(Laid(1, EW, (1, 0)))[1] < 0.3
    assert doubts(Laid(1, EW, (1, 0)), Collapsed(2, (1, 0), EW))[2] > 0.5
    assert doubts(Laid(1, STUB, (1, 0)), Collapsed(2, (1, 0), STUB))[2] < 0.4
    assert doubts(Passed(1))[1] > doubts(Broke(2, Tool.PICK, 1), Passed(1))[1] - 0.2


def test_what_is_done_to_whom_tells_of_both() -> None:
    broke = doubts(Laid(1, STUB, (1, 0)), Broke(2, Tool.PICK, 1))
    against_me = doubts(Laid(1, STUB, (1, 0)), Broke(2, Tool.PICK, 0))
    assert broke[1] > 0.5
    assert broke[2] < against_me[2]
    helped = doubts(Broke(1, Tool.PICK, 0), Repaired(2, Card.REPAIR_PICK, 0, Tool.PICK))
    assert helped[2] < 0.35
    assert broke[1] > doubts(Laid(1, STUB, (1, 0)))[1]


def test_what_a_seat_did_itself_tells_it_nothing() -> None:
    assert doubts(Broke(0, Tool.PICK, 1), Laid(0, STUB, (1, 0))) == doubts()
    harm = view_at(Broke(0, Tool.PICK, 1), Laid(0, STUB, (1, 0)))
    assert public_beliefs(observe(harm)).saboteur[0] > 0.5


def test_with_every_saboteur_found_out_the_others_are_cleared() -> None:
    loud: list[Event] = [Laid(1, STUB, (1, 0)), Broke(1, Tool.PICK, 0), Broke(1, Tool.CART, 0)]
    of = doubts(*loud, roles="m??+?")
    assert of[1] > 0.9
    assert of[2] < 0.1
    assert MINERS[3] + SABOTEURS[3] == 4


def test_own_maps_decide_where_the_gold_may_be() -> None:
    assert infer_beliefs(observe(view_at())).gold == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert infer_beliefs(observe(view_at(goals="?/(NE)/?"))).gold == pytest.approx(
        (1 / 2, 0, 1 / 2)
    )
    assert infer_beliefs(observe(view_at(goals="(NESW)/?/?"))).gold == pytest.approx((1, 0, 0))


def test_where_somebody_digs_who_has_looked_the_gold_is_thought_to_be() -> None:
    north: list[Event] = [Laid(0, NESW, (1, 0)), Looked(1, (8, -2)), Laid(1, NS, (1, -1))]
    gold = infer_beliefs(observe(view_at(*north))).gold
    assert gold[0] > 0.5
    assert gold[1] == pytest.approx(gold[2])
    assert likely_gold(infer_beliefs(observe(view_at(*north)))) == 1
    away: list[Event] = [Laid(0, NESW, (1, 0)), Looked(1, (8, -2)), Laid(1, NS, (1, 1))]
    assert infer_beliefs(observe(view_at(*away))).gold[0] < 0.25


def test_deeds_are_told_apart() -> None:
    story: list[tuple[Event, ActionKind | None]] = [
        (TurnBegan(0), None),
        (Laid(0, EW, (1, 0)), ActionKind.DUG),
        (Laid(1, NS, (0, -1)), ActionKind.TURNED_AWAY),
        (Laid(2, STUB, (2, 0)), ActionKind.BLOCKED),
        (Collapsed(3, (2, 0), STUB), ActionKind.CLEARED),
        (Laid(0, EW, (2, 0)), ActionKind.DUG),
        (Laid(0, EW, (3, 0)), ActionKind.DUG),
        (Laid(2, STUB, (-1, 0)), ActionKind.STRAYED),
        (Collapsed(3, (1, 0), EW), ActionKind.RUINED),
        (Passed(4), ActionKind.IDLED),
        (Broke(3, Tool.CART, 4), ActionKind.BROKE),
        (Passed(4), ActionKind.WAITED),
        (Repaired(4, Card.REPAIR_CART, 4, Tool.CART), ActionKind.MENDED_OWN),
        (Passed(4), ActionKind.IDLED),
        (Broke(0, Tool.CART, 1), ActionKind.BROKE),
        (Repaired(4, Card.REPAIR_CART, 1, Tool.CART), ActionKind.MENDED),
        (Looked(2, (8, 0)), ActionKind.LOOKED),
        (Revealed((8, 0), NE), None),
    ]
    found = [one.kinds[1] for one in observe(view_at(*(event for event, _ in story))).actions]
    assert found == [kind for _, kind in story if kind is not None]


def test_what_is_observed_then_is_what_would_have_been_observed_at_once(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 5))
    observed = observe(game.view(None))
    while game.round.table.end is None:
        game, _ = game.apply(rng.choice(game.round.legal_moves()))
        whole = observe(game.view(None))
        told = len(observed.view.history)
        observed = replace(observed.after(whole.view.history[told:]), view=whole.view)
        assert observed == whole


def test_what_digging_is_depends_on_where_the_gold_is_for_who_has_looked() -> None:
    story: list[Event] = [Laid(0, NESW, (1, 0)), Looked(1, (8, -2)), Laid(1, NS, (1, -1))]
    *_, last = observe(view_at(*story)).actions
    assert last.kinds == (ActionKind.DUG, ActionKind.TURNED_AWAY, ActionKind.TURNED_AWAY)


def test_ways_are_drawn_as_often_as_they_are_likely(rng: Random) -> None:
    beliefs = infer_beliefs(observe(view_at(Laid(1, STUB, (1, 0)), goals="?/(NE)/?")))
    drawn = [beliefs.draw(rng) for _ in range(2000)]
    assert sum(1 in way for way, _ in drawn) / 2000 == pytest.approx(beliefs.saboteur[1], abs=0.04)
    assert {gold for _, gold in drawn} == {0, 2}
