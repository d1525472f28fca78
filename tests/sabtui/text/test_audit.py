"""Who dealt a game, and whether it checks, in words."""

import pytest

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.session import Comparison, Received
from sabtui.text.audit import audit_lines, checked_lines, words_sentence

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
        "Dealt by Ana, Bruno, Chiara and Dede together: checked.",
        "Round 2 was dealt without Bruno and Dede.",
        "Round 3 was dealt without Dede.",
        "You were not there when round 1 was dealt: only its record was checked.",
    ]


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
    assert checked_lines(received) == lines


def test_nobody_is_blamed_where_either_the_host_or_a_player_may_be_the_liar() -> None:
    found = Comparison(differing=("Bo", "Cy"), missing=("Di",), words=WORDS)
    loud, calm = checked_lines(Received(comparison=found))
    assert "Either the host has shown you different things, or the programs of Bo and Cy" in loud
    assert "host" not in calm


def test_whoever_asks_for_the_words_has_them_as_soon_as_a_round_is_over() -> None:
    assert words_sentence(None) == "There are words to compare once a round is over."
    assert "amber tulip cedar, lemon goat piano" in words_sentence(Comparison(words=WORDS))
