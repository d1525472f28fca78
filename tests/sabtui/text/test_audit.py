"""Who dealt a game, whether it checks, and words to compare, in sentences."""

from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.draws import LeftOut, VoidDraw
from net.client.session import Received, RoundWords
from sabtui.text.audit import check_line, right_lines, words_sentence, wrong_lines

ALL = ("Ana", "Bruno", "Chiara", "Dede")
CHECKED = "Checked: dealt by Ana, Bruno, Chiara and Dede together; all that you saw fits."


def test_a_game_that_checks_is_one_line_with_the_names_of_all_who_dealt() -> None:
    assert check_line(Audit(ALL)) == CHECKED
    assert right_lines(Received(audit=Audit(ALL))) == [CHECKED]
    assert wrong_lines(Received(audit=Audit(ALL))) == []


def test_a_host_whom_nobody_answered_dealt_alone() -> None:
    assert check_line(Audit(("Ana",), ((1, ("Bruno",)),))) == (
        "Dealt by the host alone. Round 1 was dealt without Bruno."
    )


def test_a_host_who_never_came_is_not_named() -> None:
    assert check_line(Audit(("", "Ana", "Bruno"))) == (
        "Checked: dealt by Ana and Bruno together; all that you saw fits."
    )
    assert check_line(Audit(("", "Ana"))) == (
        "Checked: dealt by Ana and the host's computer; all that you saw fits."
    )
    assert check_line(Audit(("",))) == "Dealt by the host alone."


def test_at_a_door_the_line_says_whose_computer_it_comes_from() -> None:
    assert check_line(Audit(ALL, at_door=True)) == f"The host's computer says: {CHECKED}"


def test_of_a_game_that_moved_only_later_deals_are_checked() -> None:
    moved = "The table moved in round 2: the deals up to then cannot be checked."
    assert check_line(Audit(("Ana",), moved=(1, 2))) == moved
    assert check_line(Audit(ALL, moved=(1, 2))) == f"{moved} {CHECKED}"


def test_who_was_left_out_and_what_was_not_seen_is_told_by_round() -> None:
    left_out = ((2, ("Bruno", "Dede")), (3, ("Dede",)))
    assert check_line(Audit(ALL, left_out, (1,), missed=(2, 3))) == (
        f"{CHECKED} "
        "Round 2 was dealt without Bruno and Dede. "
        "Round 3 was dealt without Dede. "
        "You were away for a part of round 1. "
        "You were away for a part of round 2. "
        "You were away for a part of round 3."
    )


def test_void_draws_are_told_by_round_with_the_names_of_who_was_gone() -> None:
    voids = (VoidDraw(1, ("Dede",)), VoidDraw(2, ("Bruno",)), VoidDraw(2, ("Chiara", "Bruno")))
    assert check_line(Audit(ALL, voids=voids)) == (
        f"{CHECKED} "
        "The cards of round 1 were dealt anew: Dede left or did not answer. "
        "The cards of round 2 were dealt anew: Bruno and Chiara left or did not answer."
    )


def test_a_false_draw_and_whose_share_is_left_out_are_told_at_once() -> None:
    left_out = (LeftOut(b"", 2), LeftOut(b"", 3))
    assert wrong_lines(Received(left_out=left_out, false_draws=(1,))) == [
        ("Round 1 was not dealt by all programs together: the host could have chosen its cards."),
        "Round 2 is dealt without your program's help: its answer did not come in time.",
        "Round 3 is dealt without your program's help: its answer did not come in time.",
    ]


def test_each_mismatch_has_a_sentence() -> None:
    lines = {check_line(Audit(ALL, mismatches=(Mismatch(kind, 2),))) for kind in MismatchKind}
    assert len(lines) == len(MismatchKind) - 4, (
        "three ways to choose a deal are one, and so are three records"
    )
    assert not any("fits" in line for line in lines)
    found = Audit(ALL, mismatches=tuple(Mismatch(kind, 2) for kind in MismatchKind))
    (line,) = wrong_lines(Received(audit=found))
    assert line == check_line(found)
    assert right_lines(Received(audit=found)) == []


WORDS = ("amber", "tulip", "cedar", "lemon", "goat", "piano")


def test_words_are_told_with_their_round_or_why_there_are_none() -> None:
    assert words_sentence(RoundWords((9, 2), WORDS)) == (
        "Six words to compare for round 2: amber tulip cedar, lemon goat piano"
    )
    assert words_sentence(RoundWords((9, 2), away=True)) == (
        "No words for round 2. You were away for a part of round 2."
    )
    assert words_sentence(RoundWords((9, 2), gone=3)) == (
        "No words for round 2. "
        "This table was brought back from an older copy: up to 3 steps that you saw are gone."
    )
