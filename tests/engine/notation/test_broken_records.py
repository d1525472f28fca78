"""A record that was cut off or altered, by one character anywhere, is refused with where."""

import contextlib
import random
import re
import zlib

import pytest

from engine.notation import NotationError, parse_record
from tests.engine.notation.games import RECORDS, statements

BEGUN = (RECORDS / "begun_watched.sab").read_text(encoding="utf-8")
COMMENTED = BEGUN.replace("Round 1 ", "Round 1 {a comment} ")
LONG = (RECORDS / "seat_2.sab").read_text(encoding="utf-8")

SPACING = " \t\r\n"
ASCII = [*SPACING, "\0", "\x1b", "\x7f", *map(chr, range(33, 127))]
OTHERS = ["é", "Ç", "\u00a0", "\u2028", "\u202e", "\ufeff", "😀", "\ud800"]


def assert_refused(text: str, line: int, *, added: str = "") -> None:
    """Check that a text is refused, at this line or at the next check."""
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert caught.value.line in range(line, line + 2 + added.count("\n")), caught.value
    assert str(caught.value).isprintable()


def free(text: str) -> list[bool]:
    """Tell of each character whether it is spacing, and none within the text of a tag."""
    quoted = re.sub(r'"(?:[^"\\]|\\.)*"', lambda found: '"' * len(found[0]), text)
    return [character in SPACING for character in quoted]


def assert_unharmed(text: str) -> None:
    """Check that a text in which only spacing was altered is read as before, if at all."""
    with contextlib.suppress(NotationError):
        assert parse_record(text) == parse_record(BEGUN)


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def test_a_record_cut_off_after_any_character_is_refused() -> None:
    for text, step in ((BEGUN, 1), (COMMENTED, 3), (LONG, 13)):
        for at in range(0, len(text) - 1, step):
            with pytest.raises(NotationError) as caught:
                parse_record(text[:at])
            assert caught.value.line == line_of(text, at), text[:at]


@pytest.mark.level("broad")
def test_a_record_needs_no_last_line_break_and_may_have_what_editors_add() -> None:
    for text in (BEGUN, COMMENTED, LONG):
        record = parse_record(text)
        for written in (text[:-1], text + "  ", text[:-1] + " \t", "\ufeff" + text, text + "\n\n"):
            assert parse_record(written) == record
            assert parse_record(written.encode()) == record
    with pytest.raises(NotationError):
        parse_record("\ufeff\ufeff" + BEGUN)


def test_a_record_cut_off_after_any_byte_is_refused() -> None:
    data = BEGUN.encode()
    for at in range(len(data) - 1):
        with pytest.raises(NotationError):
            parse_record(data[:at])


@pytest.mark.level("broad")
def test_a_record_with_any_character_exchanged_is_refused() -> None:
    for at, (now, spacing) in enumerate(zip(BEGUN, free(BEGUN), strict=True)):
        for other in (ASCII + OTHERS)[at % 24 :: 24]:  # of twenty-four neighbours all are tried
            text = f"{BEGUN[:at]}{other}{BEGUN[at + 1 :]}"
            if other == now or (spacing and other in SPACING):
                assert_unharmed(text)
            else:
                assert_refused(text, line_of(BEGUN, at), added=other)


def test_a_record_with_any_character_lost_is_refused() -> None:
    for at, spacing in enumerate(free(BEGUN)):
        text = BEGUN[:at] + BEGUN[at + 1 :]
        if spacing and (at == len(text) or {BEGUN[at - 1], text[at]} & set("[]")):
            assert_unharmed(text)  # Beside a bracket no space is needed, nor at the end.
        else:
            assert_refused(text, line_of(BEGUN, at))


@pytest.mark.level("broad")
def test_a_record_with_any_character_added_is_refused() -> None:
    for at in range(len(BEGUN) + 1):
        for other in [*SPACING, *'09afxEN@>$?=+-#/()[]{}"\\é\u202e'][at % 8 :: 8]:
            text = BEGUN[:at] + other + BEGUN[at:]
            if other in SPACING:
                assert_unharmed(text)
            else:
                assert_refused(text, line_of(BEGUN, at))


def test_a_long_record_altered_here_and_there_is_refused() -> None:
    rng = random.Random(7341)
    spacing = free(LONG)
    for _ in range(250):
        at = rng.randrange(len(LONG))
        other = rng.choice([*ASCII, *OTHERS, "", f"{LONG[at]}x", f"{LONG[at]}{LONG[at]}"])
        text = LONG[:at] + other + LONG[at + 1 :]
        if other == LONG[at] or (spacing[at] and not other.strip(SPACING)):
            continue
        assert_refused(text, line_of(LONG, at), added=other)


def test_a_line_lost_doubled_or_out_of_place_is_refused() -> None:
    lines = LONG.splitlines(keepends=True)
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        assert_refused("".join([*before, *after]), at + 1)
        assert_refused("".join([*before, line, line, *after]), at + 2)
        if after:
            assert_refused("".join([*before, after[0], line, *after[1:]]), at + 1)


def test_comments_may_be_altered_as_one_likes() -> None:
    at = COMMENTED.index("comment}")
    assert parse_record(COMMENTED) == parse_record(BEGUN)
    for other in [*"{} \n", *ASCII[::5], *OTHERS]:
        text = COMMENTED[:at] + other + COMMENTED[at + 1 :]
        if other in "{}":
            assert_refused(text, line_of(COMMENTED, at))
        else:
            assert parse_record(text) == parse_record(BEGUN)


def test_the_checks_are_what_the_docstring_says() -> None:
    crc = 0
    for words, check in zip(statements(LONG), re.findall("#([0-9a-f]{8})\n", LONG), strict=True):
        crc = zlib.crc32((" ".join(words) + "\n").encode(), crc)
        assert check == f"{crc:08x}"


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("", (1, 1), "the record is cut off here"),
        ("#00000000\n", (1, 1), "the checksum does not match: something was"),
        ("what\n", (2, 1), "the record is cut off here"),
        ("{no end", (1, 1), "this comment has no end"),
        ("{a {b}}", (1, 1), "this comment has no end, or another one begins inside it"),
        ("a }", (1, 3), "this character is only allowed in comments and in"),
        ('\n[Tag "x]', (2, 1), "this tag is incomplete; write it as [Name"),
        ('[Tag "\\n"]', (1, 1), "this tag is incomplete; write it as [Name"),
        ("a #0000000", (1, 3), "a checksum is # and eight characters 0-9 or a-f"),
        ("a #0000000G", (1, 3), "a checksum is # and eight characters 0-9 or a-f"),
        (BEGUN + "{a comment} x", (13, 13), "nothing may follow the end"),
        (BEGUN[:-2], (12, 7), "a checksum is # and eight characters 0-9 or a-f"),
        (BEGUN[: BEGUN.index("Round 1")], (9, 1), "the record is cut off here"),
        ("\ud800\n", (1, 1), "this character is only allowed in comments and in"),
        ('[Tag "\ud800"] #00000000\n', (1, 11), "the checksum does not match: something was"),
    ],
    ids=range(15),
)
def test_what_is_no_record_is_refused_with_a_sentence(
    text: str, where: tuple[int, int], problem: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert (caught.value.line, caught.value.column) == where
    assert caught.value.problem.startswith(problem)
