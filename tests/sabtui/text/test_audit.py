"""Who dealt a game, and whether it checks, in words."""

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import LeftOut, VoidDraw, VoidReason
from net.client.session import Received
from sabtui.text.audit import audit_lines, wrong_lines

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


def test_whose_share_is_left_out_is_told_at_once() -> None:
    left_out = (LeftOut(b"", 2, answered=True), LeftOut(b"", 3, answered=False))
    assert wrong_lines(Received(left_out=left_out)) == [
        (
            "Round 2 is dealt without your share. Your program had answered, "
            "but the host says that nothing came."
        ),
        "Round 3 is dealt without your share: nothing came from you in time.",
    ]


def test_each_mismatch_has_a_sentence_of_its_own_and_the_report_comes_last() -> None:
    found = Audit(ALL, mismatches=tuple(Mismatch(kind, 2) for kind in MismatchKind))
    lines = audit_lines(found, "1.txt")
    assert len(set(lines)) == len(MismatchKind) + 1
    assert "Round 2 was not dealt from the players' shares." in lines
    assert lines[-1] == "This game failed the check. A report is saved: 1.txt"
    assert "checked" not in " ".join(lines).replace("so nothing can be checked", "")


WORDS = ("amber", "tulip", "cedar", "lemon", "goat", "piano")
