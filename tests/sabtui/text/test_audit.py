"""Who dealt a game, and whether it checks, in words."""

import pytest

from engine.events import Passed
from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import LeftOut, RolledBack, VoidDraw, VoidReason
from net.client.session import Comparison, Received
from net.client.trail import GameState, Rollback, SeenMove
from sabtui.text.audit import audit_lines, right_lines, words_sentence, wrong_lines
from tests.sabtui.tui import scenes

ALL = ("Ana", "Bruno", "Chiara", "Dede")


def test_a_game_that_checks_is_one_line_with_the_names_of_all_who_dealt() -> None:
    assert audit_lines(Audit(ALL)) == ["Dealt by Ana, Bruno, Chiara and Dede together: checked."]


def test_a_host_whom_nobody_answered_dealt_alone() -> None:
    assert audit_lines(Audit(("Ana",), ((1, ("Bruno",)),))) == [
        "Dealt by Ana alone: checked.",
        "Round 1 was dealt without Bruno.",
    ]


def test_a_host_who_never_came_is_not_named() -> None:
    assert audit_lines(Audit(("", "Ana", "Bruno"))) == ["Dealt by Ana and Bruno together: checked."]
    assert audit_lines(Audit(("",), ((1, ("Ana",)),))) == ["Round 1 was dealt without Ana."]


def test_who_was_left_out_and_what_was_not_seen_is_told_by_round() -> None:
    assert audit_lines(Audit(ALL, ((2, ("Bruno", "Dede")), (3, ("Dede",))), (1,))) == [
        "Dealt by Ana, Bruno, Chiara and Dede together: checked as far as you saw it.",
        "Round 2 was dealt without Bruno and Dede.",
        "Round 3 was dealt without Dede.",
        "You were not there when round 1 was dealt: only its record was checked.",
    ]


def test_void_draws_are_counted_by_round_with_their_reasons() -> None:
    voids = (
        VoidDraw(1, VoidReason.REMOVED, ("Dede",)),
        VoidDraw(2, VoidReason.LEFT, ("Bruno",)),
        VoidDraw(2, VoidReason.NO_ANSWER, ("Chiara", "Dede")),
        VoidDraw(3, VoidReason.HOST_CHANGED, ("Ana",)),
    )
    assert audit_lines(Audit(ALL, voids=voids)) == [
        "Dealt by Ana, Bruno, Chiara and Dede together: checked.",
        "Round 1 was drawn 2 times. Void: Dede was removed.",
        "Round 2 was drawn 3 times. Void: Bruno left; Chiara and Dede did not answer.",
        "Round 3 was drawn 2 times. Void: Ana was no longer the host.",
    ]


def test_a_game_that_went_back_is_never_called_checked_without_saying_so() -> None:
    back = (RolledBack("Ana", 12, ("Bruno",)), RolledBack("Bruno", 20, ()))
    assert audit_lines(Audit(("Ana",), rollbacks=back)) == [
        "Dealt by Ana alone: checked as far as you saw it.",
        (
            "The table went back to step 12, with Ana as its host. "
            "It has lost moves of Bruno that you saw."
        ),
        "The table went back to step 20, with Bruno as its host.",
    ]


def test_whose_share_is_left_out_is_told_at_once() -> None:
    left_out = (LeftOut(b"", 2, answered=True), LeftOut(b"", 3, answered=False))
    assert wrong_lines(Received(left_out=left_out), 1) == [
        (
            "Round 2 is dealt without your share. Your program had answered, "
            "but the host says that nothing came."
        ),
        "Round 3 is dealt without your share: nothing came from you in time.",
    ]


def test_what_a_new_host_has_lost_is_told_with_the_moves() -> None:
    held = GameState(1, 1, scenes.lobby(), scenes.view())
    lost = Rollback(2, 5, (SeenMove("Bruno", Passed(1)),), is_whole=True, held=held)
    told = wrong_lines(Received(lost=lost), 1)
    assert told[0].endswith("from an older copy. It has lost these moves:")
    assert told[1:] == ["Bruno passed."]


def test_each_mismatch_has_a_sentence_of_its_own_and_the_report_comes_last() -> None:
    found = Audit(ALL, mismatches=tuple(Mismatch(kind, 2) for kind in MismatchKind))
    lines = audit_lines(found, "1.txt")
    assert len(set(lines)) == len(MismatchKind) + 1
    assert "Round 2 was not dealt from the players' shares." in lines
    assert lines[-1] == "This game failed the check. A report is saved: 1.txt"
    assert "checked" not in " ".join(lines).replace("so nothing can be checked", "")


WORDS = ("amber", "tulip", "cedar", "lemon", "goat", "piano")


@pytest.mark.parametrize(
    ("received", "lines"),
    [
        (Received(), []),
        (Received(comparison=Comparison(agreed=("Bo", "Cy"), words=WORDS)), []),
        (
            Received(comparison=Comparison(("Bo",), missing=("Cy", "Di"), words=WORDS)),
            [
                (
                    "Compare these words aloud with Cy and Di, as your programs could not: "
                    "amber tulip cedar, lemon goat piano. If they differ, you have seen different "
                    "games."
                )
            ],
        ),
        (
            Received(comparison=Comparison(("Bo",), differing=("Cy",), words=WORDS)),
            [
                (
                    "You and Cy have seen different games! Either the host has shown you different "
                    "things, or the program of Cy is lying. Compare aloud: amber tulip cedar, "
                    "lemon goat piano."
                )
            ],
        ),
        (Received(audit=Audit(("Ana", "Bo"))), ["Dealt by Ana and Bo together: checked."]),
    ],
)
def test_an_update_brings_what_does_not_agree_and_the_audit_at_the_end_of_a_game(
    received: Received, lines: list[str]
) -> None:
    assert [*wrong_lines(received, 1), *right_lines(received)] == lines


def test_nobody_is_blamed_where_either_the_host_or_a_player_may_be_the_liar() -> None:
    found = Comparison(differing=("Bo", "Cy"), missing=("Di",), words=WORDS)
    loud, calm = wrong_lines(Received(comparison=found), 1)
    assert "Either the host has shown you different things, or the programs of Bo and Cy" in loud
    assert "host" not in calm


def test_whoever_asks_for_the_words_has_them_once_programs_have_compared() -> None:
    none_yet = words_sentence(None)
    assert "some seconds after a round" in none_yet
    assert "two others" in none_yet  # with fewer, programs compare nothing
    assert "amber tulip cedar, lemon goat piano" in words_sentence(Comparison(words=WORDS))
