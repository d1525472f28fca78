"""What others may hold, as far as what they did tells."""

from random import Random

import pytest

from benchmarks.arena.counts import LIFT_COLUMNS, lifts
from benchmarks.arena.statistics import Scale
from engine.actions import Broke
from engine.bots.actions import ActionKind, observe
from engine.bots.beliefs import infer_beliefs
from engine.bots.hand_model import CardUse, determinize, digging, hand_models, uses
from engine.cards import CARDS, Card, Role, Tool
from engine.cards import Path as Way
from engine.events import Drew, Event, Laid, Passed
from engine.notation import parse_position
from engine.view import View

EW = Way.read("EW")


def view_at(*history: Event, buried: tuple[int, ...] = (0, 0, 0)) -> View:
    view = parse_position("- ?/?/? 1 -,-,- NE,3,2 30 m??+?").view(0)
    return view._replace(table=view.table._replace(buried=buried), history=history)


def test_what_a_card_could_be_used_for_depends_on_the_tools_and_the_tunnel() -> None:
    told = Broke(0, Tool.PICK, 1), Broke(0, Tool.CART, 2), Laid(0, EW, (1, 0)), Passed(1)
    *_, last = observe(view_at(*told)).actions
    could = dict(zip(CARDS, uses(last, digging(last.board)), strict=True))
    for text, use in (
        ("EW", CardUse.DIG),
        ("NS", CardUse.LAY),
        ("nesw", CardUse.BLOCK),
        ("-L", CardUse.BREAK),
        ("+P", CardUse.MEND_OWN),
        ("+PC", CardUse.MEND_OWN),
        ("+C", CardUse.MEND),
        ("+L", CardUse.KEEP),
        ("R", CardUse.COLLAPSE),
        ("M", CardUse.LOOK),
    ):
        assert could[Card.read(text)] is use, text


def test_of_the_card_drawn_last_nothing_is_known_and_most_of_those_held_longest() -> None:
    one = hand_models(observe(view_at(Passed(1), Drew(1))))[1][Role.MINER]
    new, *old = (odds[Card.read("EW").index] for odds in one.hand)
    assert new == 1
    assert len(set(old)) == 1
    assert old[0] < 0.5
    two = hand_models(observe(view_at(Passed(1), Drew(1), Passed(1), Drew(1))))[1][Role.MINER]
    new, once, twice = (odds[Card.read("EW").index] for odds in two.hand)
    assert (new, once) == (1, old[0])
    assert twice == pytest.approx(old[0] ** 2)
    undrawn = hand_models(observe(view_at(Passed(1))))[1][Role.MINER]
    assert [odds[Card.read("EW").index] for odds in undrawn.hand] == [old[0]] * 3


def test_what_is_thrown_away_is_what_its_side_needs_least() -> None:
    told = view_at(Passed(1), Broke(0, Tool.PICK, 1), Passed(1), buried=(0, 2, 0))
    dead_end, tunnel = Card.read("nesw").index, Card.read("EW").index
    for role, least, most in ((Role.MINER, tunnel, dead_end), (Role.SABOTEUR, dead_end, tunnel)):
        sound, broken = hand_models(observe(told))[1][role].passes
        assert sound[least] < 1 < sound[most]
        assert broken[least] < broken[most]
    assert hand_models(observe(told))[2][Role.MINER].passes == []


def test_a_history_that_fits_no_table_is_borne(rng: Random) -> None:
    for buried in ((0, 3, 1), (0, 1, 0), (0, 0, 0)):
        view = view_at(Drew(1), Passed(1), Drew(1), Passed(1), buried=buried)
        observed = observe(view)
        known = hand_models(observed)
        assert [len(one[Role.MINER].passes) for one in known] == [*buried]
        now = next(determinize(observed, infer_beliefs(observed), rng))
        assert tuple(map(len, now.buried)) == buried
        assert tuple(map(len, now.hands)) == view.table.hands


@pytest.mark.level("thorough")  # `test_arena_tables` has the table of lifts; plays many rounds
def test_lifts_are_counted_from_true_hands() -> None:
    little = Scale(rounds=2, fewer=8, games=1, playouts=0, fewer_playouts=0)
    rows = {(role, tools, deed): row for role, tools, deed, *row in lifts(little)}
    idle, thrown = rows["miner", "sound", ActionKind.IDLED], rows["miner", "sound", "thrown away"]
    assert idle[0] == thrown[0]
    assert len(idle) - 1 == len(CardUse) == len(LIFT_COLUMNS) - 4
    gone = [float(str(lift)) for lift in thrown[1:]]
    assert gone[CardUse.LAY] < 0 < gone[CardUse.BLOCK]
