"""Bots that listen: what claims prove, how far they are believed, and that liars gain nothing."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from benchmarks.arena.players import TALKERS, DeafPlayer
from engine.actions import Broke, Looked, Repaired
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Playouts, greedy, search, wary
from engine.bots.actions import observe
from engine.bots.beliefs import Beliefs, form_beliefs, infer_beliefs
from engine.bots.bot import hearing, listens
from engine.bots.talk import (
    MAX_LINES,
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    Honesty,
    Line,
    Statement,
    StoneAt,
    Talk,
    TrackRecord,
    WhoMe,
)
from engine.cards import Card, Goal, Role, Tool
from engine.edition import INTERNATIONAL
from engine.events import Event, Passed
from engine.notation import parse_position
from engine.view import View
from sabtui.kit.arena import Player, play_round

NORTH, MIDDLE, SOUTH = GOAL_CELLS
LOOKS = Looked(1, NORTH), Looked(2, NORTH), Looked(3, MIDDLE)


def view_at(*history: Event, goals: str = "?/?/?", roles: str = "m????+?") -> View:
    seats = roles.index("+")
    broken, hands = ",".join("-" * seats), ",".join(["NE", *"1" * (seats - 1)])
    view = parse_position(f"- {goals} 1 {broken} {hands} 9 {roles}").view(0)
    return view._replace(history=history)


def infer_from(
    *said: tuple[int, Claim], records: Sequence[TrackRecord] = (), goals: str = "?/?/?"
) -> Beliefs:
    talk = Talk(tuple(Statement(seat, claim, 40) for seat, claim in said), tuple(records))
    return infer_beliefs(observe(view_at(*LOOKS, goals=goals), talk))


DEAF = infer_from()
DEAF_IN_NORTH = infer_from(goals="(NE)/?/?")


def test_what_somebody_saw_and_told_is_likelier_then() -> None:
    assert infer_from((1, GoldAt(NORTH))).gold[0] > DEAF.gold[0] + 0.1
    assert infer_from((1, StoneAt(NORTH))).gold[0] < DEAF.gold[0] - 0.1
    both = infer_from((1, GoldAt(NORTH)), (2, GoldAt(NORTH)))
    assert both.gold[0] > infer_from((1, GoldAt(NORTH))).gold[0]


def test_who_tells_of_a_goal_unseen_is_not_listened_to() -> None:
    assert infer_from((4, GoldAt(NORTH))).gold == pytest.approx(DEAF.gold)
    assert infer_from((1, GoldAt(SOUTH))).gold == pytest.approx(DEAF.gold)


def test_a_lie_that_is_found_out_convicts_and_a_truth_absolves_a_little() -> None:
    lied = infer_from((1, GoldAt(NORTH)), goals="(NE)/?/?").saboteur[1]
    told = infer_from((1, StoneAt(NORTH)), goals="(NE)/?/?").saboteur[1]
    before = DEAF_IN_NORTH.saboteur[1]
    assert lied > before + 0.15
    assert before - 0.2 < told < before
    assert lied - before > before - told


def test_of_two_who_contradict_each_other_one_lies_rather_who_tells_what_is_less_likely() -> None:
    said = infer_from((1, GoldAt(NORTH)), (2, StoneAt(NORTH)))
    assert sum(said.saboteur[1:3]) > sum(DEAF.saboteur[1:3]) + 0.1
    assert said.saboteur[1] > said.saboteur[2]
    assert said.gold[0] == pytest.approx(DEAF.gold[0], abs=0.1)


def test_accused_players_are_suspected_more_and_those_vouched_for_less() -> None:
    assert infer_from((1, DigsAgainstUs(4))).saboteur[4] > DEAF.saboteur[4]
    assert infer_from((1, Bluff(4))) == infer_from((1, DigsAgainstUs(4)))
    assert infer_from((1, DigsForUs(4))).saboteur[4] < DEAF.saboteur[4]


def test_who_accuses_everybody_says_nothing() -> None:
    all_others = [(1, DigsAgainstUs(seat)) for seat in (0, 2, 3, 4)]
    assert infer_from(*all_others).saboteur == pytest.approx(DEAF.saboteur)
    one, two = infer_from(all_others[3]).saboteur[4], infer_from(*all_others[2:]).saboteur[4]
    assert DEAF.saboteur[4] < two < one


def test_requests_and_denials_and_what_one_says_oneself_are_no_evidence() -> None:
    said = infer_from(
        (1, HelpMe(Tool.PICK)), (2, WhoMe()), (0, GoldAt(SOUTH)), (0, DigsAgainstUs(4))
    )
    assert said.saboteur == pytest.approx(DEAF.saboteur)
    assert said.gold == pytest.approx(DEAF.gold)


def test_who_keeps_what_was_seen_to_themselves_is_suspected_where_others_tell() -> None:
    history = *LOOKS, Passed(2)
    view, told = view_at(*history), Talk((Statement(1, StoneAt(NORTH), 40),))
    beliefs = infer_beliefs(observe(view, told))
    assert beliefs.saboteur[2] > beliefs.saboteur[4]
    unspoken = infer_beliefs(observe(view, Talk((Statement(4, WhoMe(), 40),))))
    assert unspoken == infer_beliefs(observe(view))


def test_saying_a_thing_again_adds_nothing_and_who_says_both_has_told_nothing() -> None:
    said: list[tuple[int, Claim]] = [(1, GoldAt(NORTH)), (1, DigsAgainstUs(4))]
    assert infer_from(*said * 30) == infer_from(*said)
    both = infer_from((1, StoneAt(NORTH)), (1, GoldAt(NORTH)))
    assert both.gold == pytest.approx(DEAF.gold)
    assert infer_from((1, DigsAgainstUs(4)), (1, DigsForUs(4))) == infer_from((1, DigsForUs(4)))


def test_only_the_last_lines_of_text_are_kept() -> None:
    lines = [Line(1, f"line {number}", 40) for number in range(MAX_LINES + 5)]
    assert SILENCE.with_lines(lines[:3]).with_lines(lines[3:]).lines == tuple(lines[5:])


def test_no_talk_decides_alone() -> None:
    claims: list[tuple[int, Claim]] = [
        (seat, claim)
        for seat in range(1, 5)
        for claim in (GoldAt(NORTH), StoneAt(MIDDLE), DigsAgainstUs(4), DigsForUs(1))
    ]
    said = infer_from(*claims)
    assert all(0.02 < doubt < 0.98 for doubt in said.saboteur[1:])
    assert all(0.01 < gold < 0.99 for gold in said.gold)


def test_a_liar_is_believed_less_from_round_to_round() -> None:
    gained = [
        infer_from((1, GoldAt(NORTH)), records=[TrackRecord(Honesty(0, lies))] * 5).gold[0]
        for lies in range(4)
    ]
    assert gained == sorted(gained, reverse=True)
    assert gained[0] > DEAF.gold[0] + 0.1
    assert gained[3] < DEAF.gold[0] + 0.05


def test_records_come_from_what_the_end_of_a_round_proves() -> None:
    sides = {role: Player("greedy", Playouts(0)) for role in Role}
    rounds = (play_round(number, 5, INTERNATIONAL, sides)[0][-1].round for number in range(20))
    now = next(one for one in rounds if any(one.table.looks))
    table, seat = now.table, next(seat for seat in range(5) if now.table.looks[seat])
    assert table.end is not None
    cell = min(table.looks[seat])
    gold = now.goals[GOAL_CELLS.index(cell)] is Goal.TREASURE
    truth, lie = (GoldAt, StoneAt) if gold else (StoneAt, GoldAt)
    unseen = next(cell for cell in GOAL_CELLS if cell not in table.looks[seat])
    talk = SILENCE.after(
        [
            Statement(seat, truth(cell), 30),
            Statement(seat, GoldAt(unseen), 30),
        ]
    )
    later = talk.after_round(table)
    own = (
        TrackRecord(Honesty(1, 0))
        if table.end.roles[seat] is Role.MINER
        else TrackRecord(saboteur=Honesty(1, 0))
    )
    assert later.said == ()
    assert later.records == tuple(own if one == seat else TrackRecord() for one in range(5))
    lies = later.after([Statement(seat, lie(cell), 30)]).after_round(table)
    assert sum(sum(honesty.false for honesty in record) for record in lies.records) == 1
    assert table.end is not None
    roles = tuple(Role.SABOTEUR if role is Role.MINER else Role.MINER for role in table.end.roles)
    swapped = talk.after_round(table._replace(end=replace(table.end, roles=roles)))
    assert swapped.records[seat] == TrackRecord(*reversed(own))


def test_bots_that_listen_say_so_by_a_parameter_and_others_are_left_alone() -> None:
    assert {name for name, bot in BOTS.items() if listens(bot)} == {
        "wary",
        "search",
        "medium",
        "hard",
    }
    assert hearing(greedy, SILENCE) is greedy
    view = parse_position("- ?/?/? 1 -,-,-,-,- NS/NE,1,1,1,1 9 m????+?").view(0)
    view = view._replace(history=LOOKS)
    told = Talk(tuple(Statement(seat, GoldAt(NORTH), 40) for seat in (1, 2)))
    for bot in (wary, search):
        move = hearing(bot, told)(view, Random(1), Playouts(12))
        assert view.why_not(move) is None


@pytest.mark.parametrize("role", ["m", "s"])
def test_miners_believe_what_was_said_and_saboteurs_do_not(role: str) -> None:
    line = f"EW@1/NESW@2 ?/?/? 1 -,-,-,-,- NS/EW/NE/NW,4,4,4,4 9 {role}????+?"
    view = parse_position(line).view(0)._replace(history=LOOKS)
    told = Talk((Statement(1, GoldAt(NORTH), 40), Statement(2, DigsAgainstUs(4), 40)))
    is_swayed = form_beliefs(observe(view, told)) != form_beliefs(observe(view))
    assert is_swayed == (role == "m")


def test_deaf_players_play_the_same_beside_any_talk() -> None:
    rounds = [
        play_round(
            2,
            4,
            INTERNATIONAL,
            {role: DeafPlayer("wary", Playouts(0), TALKERS[name]) for role in Role},
        )
        for name in ("silent", "own", "flooder")
    ]
    assert rounds[0][0] == rounds[1][0] == rounds[2][0]
    assert rounds[0][1] == SILENCE


def test_talkers_who_mean_ill_say_the_opposite_or_what_others_say_or_everything(
    rng: Random,
) -> None:
    stone = view_at(*LOOKS, goals="(NE)/?/?")
    look, blame = Looked(0, NORTH), Statement(1, DigsAgainstUs(0), 40)
    liar, parrot, flooder = TALKERS["liar"], TALKERS["parrot"], TALKERS["flooder"]
    assert TALKERS["own"](stone, look, SILENCE, rng) == (StoneAt(NORTH),)
    assert liar(stone, look, SILENCE, rng) == (GoldAt(NORTH),)
    gold = view_at(*LOOKS, goals="(NESW)/?/?")
    assert liar(gold, look, SILENCE, rng) == (StoneAt(NORTH),)
    assert liar(stone, blame, SILENCE, rng) == (WhoMe(),)
    loud = (Broke(2, Tool.PICK, 0), Broke(2, Tool.CART, 0), Broke(2, Tool.LANTERN, 1))
    assert liar(view_at(*loud), blame, SILENCE, rng) == (DigsForUs(2),)
    helped = Repaired(1, Card.read("+P"), 0, Tool.PICK)
    assert TALKERS["own"](stone, helped, SILENCE, rng) == (DigsForUs(1),)
    assert liar(stone, helped, SILENCE, rng) == (DigsAgainstUs(1),)
    told = Talk((Statement(2, GoldAt(SOUTH), 40),))
    assert parrot(stone, look, told, rng) == (GoldAt(NORTH),)
    assert parrot(stone, look, SILENCE, rng) in {(GoldAt(NORTH),), (StoneAt(NORTH),)}
    assert parrot(stone, blame, told, rng) == (DigsAgainstUs(0),)
    repeated = told.after([Statement(0, DigsAgainstUs(0), 40)])
    assert parrot(stone, blame, repeated, rng) == ()
    assert len(flooder(stone, look, SILENCE, rng)) == 3 * 2 + 4 * 2
    assert flooder(stone, blame, SILENCE, rng) == ()
