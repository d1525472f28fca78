"""The board of claims: who said what, and what others say against it."""

from __future__ import annotations

import pytest

from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Statement,
    StoneAt,
    Talk,
)
from engine.view import View
from sabtui.text.talk import ClaimStatus, Opinion, claim_lines, goal_claims, player_claims
from tests.sabtui.cases import CAST, view_of
from tests.sabtui.tui import scenes

NORTH, MIDDLE, SOUTH = (8, -2), (8, 0), (8, 2)
UNKNOWN = view_of("EW@1 ?/?/? 1 -,-,- NES/NW,3,2 9 m??+?")
NORTH_IS_STONE = view_of("EW@1 (NE)/?/? 1 -,-,- NES/NW,3,2 9 m??+?")
NORTH_IS_GOLD = view_of("EW@1 (NESW)/?/? 1 -,-,- NES/NW,3,2 9 m??+?")


def make_talk(*claims: tuple[int, Claim]) -> Talk:
    return SILENCE.after(Statement(seat, claim, 9) for seat, claim in claims)


def claim_statuses(talk: Talk, view: View = UNKNOWN) -> dict[tuple[int, bool], ClaimStatus]:
    """How each claim about a goal stands."""
    return {(one.goal, one.gold): one.status for one in goal_claims(view, talk)}


def test_a_claim_that_nobody_contradicts_is_open() -> None:
    talk = make_talk((1, GoldAt(MIDDLE)), (2, StoneAt(NORTH)), (2, GoldAt(MIDDLE)))
    assert set(claim_statuses(talk).values()) == {ClaimStatus.OPEN}
    assert [one.seats for one in goal_claims(UNKNOWN, talk)] == [(2,), (1, 2)]


@pytest.mark.parametrize(
    "talk",
    [
        make_talk((1, GoldAt(MIDDLE)), (2, StoneAt(MIDDLE))),
        make_talk((1, GoldAt(MIDDLE)), (2, GoldAt(NORTH))),
        make_talk((1, GoldAt(MIDDLE)), (1, StoneAt(MIDDLE))),
    ],
    ids=["the opposite", "another goal", "both by one"],
)
def test_what_cannot_be_true_together_is_disputed(talk: Talk) -> None:
    assert set(claim_statuses(talk).values()) == {ClaimStatus.DISPUTED}


def test_stone_at_two_goals_is_no_contradiction() -> None:
    talk = make_talk((1, StoneAt(MIDDLE)), (2, StoneAt(NORTH)), (1, GoldAt(SOUTH)))
    assert set(claim_statuses(talk).values()) == {ClaimStatus.OPEN}


def test_what_the_reader_knows_proves_claims_true_or_false() -> None:
    talk = make_talk((1, GoldAt(NORTH)), (2, StoneAt(NORTH)), (2, GoldAt(SOUTH)))
    assert claim_statuses(talk, NORTH_IS_STONE) == {
        (0, True): ClaimStatus.FALSE,
        (0, False): ClaimStatus.TRUE,
        (2, True): ClaimStatus.DISPUTED,
    }
    assert claim_statuses(talk, NORTH_IS_GOLD)[2, True] is ClaimStatus.FALSE, (
        "there is one treasure"
    )


def test_players_are_accused_and_vouched_for() -> None:
    talk = make_talk((1, DigsAgainstUs(2)), (2, DigsForUs(0)), (0, DigsAgainstUs(2)))
    (of_ana, of_chiara) = player_claims(UNKNOWN, talk)
    assert (of_ana.about, of_ana.opinion, of_ana.seats) == (0, Opinion.MINER, (2,))
    assert (of_chiara.about, of_chiara.opinion, of_chiara.seats) == (2, Opinion.SABOTEUR, (0, 1))
    assert of_ana.status is of_chiara.status is ClaimStatus.OPEN
    disputed = make_talk((1, DigsAgainstUs(2)), (0, DigsForUs(2)))
    assert {one.status for one in player_claims(UNKNOWN, disputed)} == {ClaimStatus.DISPUTED}


def test_a_doubt_of_somebodys_word_stands_as_it_was_said_beside_what_is_said_of_their_dwarf() -> (
    None
):
    talk = make_talk((1, Bluff(2)), (0, Bluff(2)), (0, DigsForUs(2)))
    vouched, doubted = player_claims(UNKNOWN, talk)
    assert (vouched.opinion, vouched.seats) == (Opinion.MINER, (0,))
    assert (doubted.opinion, doubted.seats) == (Opinion.BLUFFING, (0, 1))
    assert vouched.status is doubted.status is ClaimStatus.OPEN, "a miner may be wrong, too"
    assert claim_lines(UNKNOWN, talk, CAST)[1:] == ["Chiara: bluffing (you and Bruno)."]
    _vouched, doubted = player_claims(scenes.between(), make_talk((1, Bluff(2)), (0, DigsForUs(2))))
    assert doubted.status is ClaimStatus.OPEN, "the dwarf does not prove it"


def test_ones_own_role_is_not_told_by_the_worth_of_a_claim() -> None:
    (only,) = player_claims(UNKNOWN, make_talk((1, DigsAgainstUs(0))))
    assert only.status is ClaimStatus.OPEN


def test_the_end_of_a_round_proves_them_all() -> None:
    talk = make_talk((0, DigsAgainstUs(1)), (1, DigsAgainstUs(0)))
    of_ana, of_bruno = player_claims(scenes.between(), talk)
    assert (of_ana.status, of_bruno.status) == (ClaimStatus.FALSE, ClaimStatus.TRUE)


def test_in_lines_each_goal_and_each_player_has_one_sentence() -> None:
    talk = make_talk(
        (1, GoldAt(NORTH)), (2, StoneAt(NORTH)), (0, StoneAt(SOUTH)), (2, StoneAt(SOUTH)),
        (2, DigsAgainstUs(1)),
    )  # fmt: skip
    assert claim_lines(NORTH_IS_STONE, talk, CAST) == [
        "north goal: stone on your map; gold (Bruno), false; stone (Chiara), true.",
        "south goal: stone (you and Chiara).",
        "Bruno: saboteur (Chiara).",
    ]
    assert claim_lines(UNKNOWN, SILENCE, CAST) == ["Nothing yet in this round."]
