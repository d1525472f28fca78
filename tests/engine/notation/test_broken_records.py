"""A record that was cut off or altered, by one character anywhere, is refused with where."""

import contextlib
import re
import zlib
from dataclasses import replace
from random import Random

import pytest

from engine import FRANCE, INTERNATIONAL, Drew, DwarfDealt, HandDealt
from engine.notation import NotationError, ObservedRecord, Record, format_record, parse_record
from engine.notation.record_parser import with_checks
from tests.engine.notation.games import NAMES, RECORDS, play, record_of_seat, statements

BEGUN = (RECORDS / "begun_watched.sab").read_text(encoding="utf-8")
TALK = (RECORDS / "talk.sab").read_text(encoding="utf-8")
LONG = (RECORDS / "seat_2.sab").read_text(encoding="utf-8")

SPACING = " \t\r\n"
ASCII = [*SPACING, "\0", "\x1b", "\x7f", *map(chr, range(33, 127))]
OTHERS = ["é", "Ç", "\u00a0", "\u2028", "\u202e", "\ufeff", "😀", "\ud800"]


def assert_refused(text: str, line: int, *, added: str = "") -> None:
    """Check that a text is refused, at this line or at the next check, or where it is cut off."""
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert caught.value.line in range(line - 1, line + 2 + added.count("\n")), caught.value
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
    for text, step in ((BEGUN, 1), (TALK, 3), (LONG, 97)):
        for at in range(0, len(text) - 1, step):
            with pytest.raises(NotationError) as caught:
                parse_record(text[:at])
            assert caught.value.line in (line_of(text, at) - 1, line_of(text, at)), text[:at]


@pytest.mark.level("broad")
def test_a_record_needs_no_last_line_break_and_may_have_what_editors_add() -> None:
    for text in (BEGUN, TALK, LONG):
        record = parse_record(text)
        for written in (
            text[:-1],
            text + "  ",
            "\ufeff" + text,
            text + "\n\n",
            text.replace("\n", "\r\n"),
        ):
            assert parse_record(written) == record
            assert parse_record(written.encode()) == record
    with pytest.raises(NotationError):
        parse_record("\ufeff\ufeff" + BEGUN)


@pytest.mark.level("broad")
def test_a_record_with_any_character_exchanged_is_refused() -> None:
    for at, (now, spacing) in enumerate(zip(BEGUN, free(BEGUN), strict=True)):
        for other in (ASCII + OTHERS)[at % 24 :: 24]:  # of twenty-four neighbours all are tried
            text = f"{BEGUN[:at]}{other}{BEGUN[at + 1 :]}"
            if other == now or (spacing and other in SPACING):
                assert_unharmed(text)
            else:
                assert_refused(text, line_of(BEGUN, at), added=other)


def test_a_line_lost_doubled_or_out_of_place_is_refused() -> None:
    lines = LONG.splitlines(keepends=True)
    for at, line in [*enumerate(lines)][::9]:
        before, after = lines[:at], lines[at + 1 :]
        assert_refused("".join([*before, *after]), at + 1)
        assert_refused("".join([*before, line, line, *after]), at + 2)
        if after:
            assert_refused("".join([*before, after[0], line, *after[1:]]), at + 1)


def test_the_checks_are_what_the_docstring_says() -> None:
    crc = 0
    for words, check in zip(statements(LONG), re.findall("#([0-9a-f]{8})\n", LONG), strict=True):
        crc = zlib.crc32((" ".join(words) + "\n").encode(), crc)
        assert check == f"{crc:08x}"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "the record is cut off here"),
        ("#00000000\n", 1, "the checksum does not match: something was"),
        ("{no end", 1, "the checksum does not match"),
        ("{talk alone}", 1, "the record is cut off here"),
        ("a #0000000G", 1, "the checksum does not match"),
        (BEGUN + "x", 36, "the checksum does not match"),
        (BEGUN[: BEGUN.index("RoundBegan 1")], 8, "the record is cut off here"),
        ('[Tag "\ud800"] #00000000\n', 1, "the checksum does not match"),
        (with_checks([["End"]]), 1, "this Sabtui reads records that begin with"),
        (with_checks([['[Sabtui "1'], ["End"]]), 1, "a tag is written as"),
    ],
    ids=range(10),
)
def test_what_is_no_record_is_refused_with_a_sentence(text: str, line: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert caught.value.line == line
    assert caught.value.problem.startswith(problem)


# What cannot be a record is not written: what `format_record` writes, `parse_record` reads.


SEED = bytes(32)


def test_more_talk_than_a_reader_takes_is_not_written() -> None:
    record = Record(NAMES[:3], seed=SEED).add_round()
    for _ in range(700):
        record = record.add_utterance(0, NAMES[0], text="x" * 200)
    with pytest.raises(ValueError, match="a record has at most 131072 characters"):
        format_record(record)


@pytest.mark.parametrize("seat", [0, 2, None])
def test_events_that_no_seat_receives_in_that_order_are_not_written(
    seat: int | None, rng: Random
) -> None:
    whole, _, told = play(7, 3, FRANCE)
    seen = record_of_seat(seat, whole, told)
    refused = 0
    for number in range(36):
        events = [*seen.events[: rng.randrange(1, len(seen.events))]]
        at, other = rng.randrange(len(events)), rng.randrange(len(events))
        if number % 3 == 0:
            rng.shuffle(events)
        elif number % 3 == 1:
            events[at], events[other] = events[other], events[at]
        else:
            del events[at]
        record = replace(seen, events=tuple(events))
        try:
            text = format_record(record)
        except ValueError:
            refused += 1
        else:
            assert parse_record(text) == record
    assert refused > 18


def test_events_begin_with_a_round() -> None:
    _, events = Record(NAMES[:3], seed=SEED).next_step(None)
    own = [event for event in events if isinstance(event, DwarfDealt | HandDealt) and event.to == 0]
    for event in own:
        with pytest.raises(ValueError, match="this cannot have happened here"):
            format_record(ObservedRecord(NAMES[:3], 0, INTERNATIONAL, 3, (event,)))
    with pytest.raises(ValueError, match="this cannot have happened here"):
        format_record(ObservedRecord(NAMES[:3], None, INTERNATIONAL, 3, (Drew(0),)))
