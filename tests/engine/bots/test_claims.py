"""What bots say suits their side, comes from their view alone, and has deeds for reasons."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Broke, Collapsed, Looked, Repaired, TurnEvent
from engine.bots.actions import AGAINST, IN_FAVOUR, find_deed, observe
from engine.bots.claims import (
    claim_after_map,
    claim_when_blamed,
    claim_when_broken,
    claim_when_harmed,
    claim_when_helped,
    claim_when_redeemed,
    harm_doer,
)
from engine.bots.talk import DigsAgainstUs, DigsForUs, GoldAt, HelpMe, StoneAt, WhoMe
from engine.cards import Card, Path, Tool
from engine.dealing import deal
from engine.events import Event, Laid, Passed
from engine.game import Game
from engine.notation import parse_position
from engine.view import View

NORTH, MIDDLE = (8, -2), (8, 0)
STUB, EW = Path.read("e"), Path.read("EW")


def view_at(role: str, *history: Event, goals: str = "?/?/?", broken: str = "-,-,-") -> View:
    line = f"- {goals} 1 {broken} NE,1,1 9 {role}??+?"
    return parse_position(line).view(0)._replace(history=history)


def test_miners_tell_what_they_saw() -> None:
    view = view_at("m", goals="(NESW)/(NE)/?")
    assert claim_after_map(view, NORTH) == GoldAt(NORTH)
    assert claim_after_map(view, MIDDLE) == StoneAt(MIDDLE)
    assert claim_after_map(view, (8, 2)) is None


def test_saboteurs_lie_only_about_the_treasure_and_where_nobody_finds_them_out() -> None:
    alone = view_at("s", goals="(NESW)/?/?")
    assert claim_after_map(alone, NORTH) == StoneAt(NORTH)
    assert claim_after_map(view_at("s", goals="(NE)/?/?"), NORTH) == StoneAt(NORTH)
    witnessed = alone._replace(table=alone.table.after(Looked(1, NORTH)))
    assert claim_after_map(witnessed, NORTH) == GoldAt(NORTH)
    own = alone._replace(table=alone.table.after(Looked(0, NORTH)))
    assert claim_after_map(own, NORTH) == StoneAt(NORTH)


def test_a_saboteur_calls_a_stone_the_treasure_only_if_the_truth_would_give_the_treasure_away() -> (
    None
):
    two_stones = view_at("s", goals="(NE)/(NW)/?")
    assert claim_after_map(two_stones, MIDDLE) == GoldAt(MIDDLE)
    assert claim_after_map(view_at("m", goals="(NE)/(NW)/?"), MIDDLE) == StoneAt(MIDDLE)
    witnessed = two_stones._replace(table=two_stones.table.after(Looked(1, MIDDLE)))
    assert claim_after_map(witnessed, MIDDLE) == StoneAt(MIDDLE)
    lied_before = view_at("s", goals="(NESW)/(NE)/?")
    assert claim_after_map(lied_before, MIDDLE) == StoneAt(MIDDLE)


def test_blamed_miners_name_whom_they_suspect_or_defend_themselves() -> None:
    loud = Broke(2, Tool.PICK, 0), Laid(2, STUB, (1, 0)), Broke(2, Tool.CART, 0)
    assert claim_when_blamed(view_at("m", *loud), by=1) == DigsAgainstUs(2)
    honest = tuple(Laid(1, EW, (1 + at, 0)) for at in range(3))
    assert claim_when_blamed(view_at("m", *honest), by=1) == WhoMe()
    assert claim_when_blamed(view_at("m"), by=1) == WhoMe()


def test_blamed_saboteurs_name_whom_all_suspect_and_never_themselves() -> None:
    loud = Broke(0, Tool.PICK, 1), Laid(0, STUB, (1, 0)), Broke(0, Tool.CART, 1)
    assert claim_when_blamed(view_at("s", *loud), by=1) == WhoMe()
    other = Laid(2, STUB, (1, 0)), Broke(2, Tool.CART, 1), Broke(2, Tool.PICK, 1)
    assert claim_when_blamed(view_at("s", *other), by=1) == DigsAgainstUs(2)


def test_whose_tool_is_broken_asks_for_help() -> None:
    assert claim_when_broken(view_at("m", broken="LC,-,-")) == HelpMe(Tool.LANTERN)
    assert claim_when_broken(view_at("s", broken="-,P,-")) is None


def test_a_bot_accuses_of_its_own_accord_whom_it_takes_for_a_saboteur_alone() -> None:
    harms = (Broke(1, Tool.PICK, 2), Laid(1, STUB, (1, 0)), Broke(1, Tool.CART, 2))
    for role in "ms":
        assert claim_when_harmed(view_at(role, *harms), 1) == DigsAgainstUs(1)
        assert claim_when_harmed(view_at(role, *harms), 2) is None
        assert claim_when_harmed(view_at(role, *harms), 0) is None, "nobody accuses themselves"


def test_harm_is_a_broken_tool_a_dead_end_or_a_tunnel_brought_down() -> None:
    at = (3, 0)
    assert harm_doer(Broke(1, Tool.PICK, 2)) == 1
    assert harm_doer(Laid(2, STUB, at)) == 2
    assert harm_doer(Laid(2, EW, at)) is None
    assert harm_doer(Collapsed(0, at, EW)) == 0
    assert harm_doer(Collapsed(0, at, STUB)) is None
    assert harm_doer(Passed(1)) is None


def test_a_bot_thanks_for_a_repair_unless_a_saboteur_made_it() -> None:
    harms = (Broke(1, Tool.PICK, 2), Laid(1, STUB, (1, 0)), Broke(1, Tool.CART, 2))
    assert claim_when_helped(view_at("m"), 1) == DigsForUs(1)
    assert claim_when_helped(view_at("m", *harms), 1) is None


def test_a_bot_changes_its_mind_only_when_it_believes_the_other_side() -> None:
    broke = Broke(1, Tool.PICK, 2)
    mended = Repaired(1, Card.read("+C"), 0, Tool.CART)
    assert claim_when_redeemed(view_at("m", mended, mended), 1) == DigsForUs(1)
    assert claim_when_redeemed(view_at("m", broke, broke), 1) is None


# Deeds that speak against a player, or for one: the reasons that bots give.


def play_randomly(seed: int, moves: int) -> View:
    """Return what everybody knows of a round of five after so many moves by chance."""
    chance = Random(seed)
    game, _events = Game.begin(deal(bytes([seed]) * 32, 1, 5))
    for _move in range(moves):
        legal = game.legal_moves()
        if not legal:
            break
        game, _events = game.apply(chance.choice(sorted(legal, key=str)))
    return game.view(None)


@pytest.mark.parametrize("seed", range(6))
def test_the_last_deed_of_the_worst_kind_is_found(seed: int) -> None:
    view = play_randomly(seed, 45)
    events = [event for event in view.history if isinstance(event, TurnEvent)]
    actions = list(zip(events, observe(view).actions, strict=False))
    for seat in range(5):
        for kinds in (AGAINST, IN_FAVOUR):
            plain = [
                (event, one)
                for event, one in actions
                if one.seat == seat and len(set(one.kinds)) == 1
            ]
            there = {one.kinds[0]: event for event, one in plain}
            worst = next((kind for kind in kinds if kind in there), None)
            found = find_deed(view, seat, kinds)
            assert (found is None) is (worst is None)
            if found is not None:
                assert (found.kind, found.event) == (worst, there[found.kind])
                assert found.event.seat == seat


def test_what_was_done_after_a_claim_is_no_reason_for_it() -> None:
    view = play_randomly(1, 45)
    for seat in range(5):
        found = find_deed(view, seat, AGAINST)
        assert found is not None, "who plays by chance does harm"
        assert found.ways == len({cell for cell, _ in found.board.openings})
        earlier = find_deed(view, seat, AGAINST, view.table.unplayed + 40)
        events = [event for event in view.history if isinstance(event, TurnEvent)]
        assert earlier is None or earlier.event in events[: len(events) - 40]
        assert find_deed(view, seat, AGAINST, view.table.unplayed) == found
