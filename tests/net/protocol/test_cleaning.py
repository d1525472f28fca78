"""Text from anybody, made harmless: nothing steers a terminal, and nothing is there unseen."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.protocol.cleaning import (
    MAX_NAME_BYTES,
    MAX_NAME_CELLS,
    clean_name,
    display_width,
    is_clean,
    sanitise,
)

UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\ufe00\ufe0f\U000e0100\U000e0041"
)
BLANK = "\u2800\u3164\uffa0\u00a0\u3000\u1680\U0001d159"
NEWER = "\u0378"  # no Python knows this one; it is what a letter of tomorrow is today

odd = st.text(st.sampled_from(f"{UNSEEN}{BLANK}{NEWER}\u0301\u0302\u202e\x1b aB\u6f22\U0001f600"))


def test_what_a_terminal_would_obey_is_taken_out_and_may_leave_a_sign() -> None:
    for text, shown in (
        ("plain, ñ and 雪", "plain, ñ and 雪"),
        ("a\tb\nc", "a b c"),
        ("\x1b[2Jred\u202eder\x07", "[2Jredder"),
    ):
        assert sanitise(text) == shown
    assert sanitise("a\x1b\tb\u202e", "?") == "a? b?"


@pytest.mark.parametrize("letter", UNSEEN, ids=unicodedata.name)
def test_an_unseen_letter_makes_no_name_and_no_other_name(letter: str) -> None:
    assert clean_name(letter * 3) == ""
    assert clean_name(f"{letter}An{letter}n{letter}") == "Ann"
    assert clean_name(f"x\u0301\u0302{letter}\u0301") == "x\u0301\u0302", "marks are counted on"


@pytest.mark.parametrize("letter", BLANK, ids=unicodedata.name)
def test_a_blank_letter_is_a_space(letter: str) -> None:
    assert clean_name(letter * 3) == ""
    assert clean_name(f"{letter}Big{letter}{letter}Ann{letter}") == "Big Ann"


@pytest.mark.parametrize(
    "name",
    ["نیکی", "हिन्दी", "ภูมิ", "조선", "\u1100\u1161", "Zoë", "李雷", "Nguyễn Thị", "👷🏽"],
    ids=ascii,
)
def test_names_that_people_have_stay_as_they_are_but_for_a_joiner(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)
    assert clean_name("\u0639\u0644\u06cc\u200c\u0631") == "\u0639\u0644\u06cc\u0631"


@pytest.mark.parametrize(
    "sign",
    ":\uff1a\ufe55\ufe13\u2236\u2237\u2982\u2254\ua789\u02f8\u02d0\ua4fd\u0589\u05c3,;!?",
    ids=ascii,
)
def test_no_name_has_a_colon_or_what_looks_like_one_or_ends_a_sentence(sign: str) -> None:
    assert clean_name(f"Room code{sign} amber") == "Room code amber"
    assert clean_name("Ana <3 = x+y") == "Ana <3 = x+y", "others are no punctuation"


@given(odd)
def test_what_is_cleaned_is_clean_and_looks_like_something(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert is_clean(name, MAX_NAME_CELLS, MAX_NAME_BYTES)
    assert sum(map(display_width, name)) <= MAX_NAME_CELLS
    assert not {*name} & {*UNSEEN, *BLANK, NEWER}


@given(odd)
def test_only_what_is_clean_but_for_newer_letters_passes_for_it(text: str) -> None:
    if is_clean(text, MAX_NAME_CELLS, MAX_NAME_BYTES):
        assert not {*text} & {*UNSEEN, *BLANK, "\u202e", "\x1b"}
        assert text == text.strip()
        assert len(text.encode()) <= MAX_NAME_BYTES
        assert NEWER in text or clean_name(text) == text


@pytest.mark.parametrize(
    "name", [NEWER, f"An{NEWER}", "x" * 24 + NEWER * 2, f"x\u0301\u0302{NEWER}\u0301"], ids=ascii
)
def test_a_name_with_a_newer_letter_is_let_in_here_never_and_may_come_from_a_host(
    name: str,
) -> None:
    assert NEWER not in clean_name(name)
    assert is_clean(name, MAX_NAME_CELLS, MAX_NAME_BYTES)


@pytest.mark.parametrize(
    "name", [f"{NEWER}\x1b", "x" * 25, f"x{NEWER}" * 20, f"\u0301{NEWER}", f"{NEWER} "], ids=ascii
)
def test_a_newer_letter_excuses_nothing_else(name: str) -> None:
    assert not is_clean(name, MAX_NAME_CELLS, MAX_NAME_BYTES)
