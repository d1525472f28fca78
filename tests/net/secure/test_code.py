"""The room code: its words, and how it is read from what people type."""

import logging
from contextlib import suppress
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.code import BadCode, BadCodeReason, RoomCode, is_slip, words

codes = st.builds(RoomCode, st.sampled_from(words()), st.sampled_from(words()))


def test_there_are_over_a_thousand_short_words_in_order() -> None:
    assert len(words()) >= 1024
    assert list(words()) == sorted(set(words()))
    assert all(word.isascii() and word.islower() and 4 <= len(word) <= 8 for word in words())


def test_no_word_is_the_beginning_of_another() -> None:
    assert not [pair for pair in pairwise(words()) if pair[1].startswith(pair[0])]


def test_no_word_is_one_slip_from_another() -> None:
    # Words that are one slip apart have something in common once each has lost a letter or none.
    alike: dict[str, set[str]] = {}
    for word in words():
        for at in range(len(word) + 1):
            alike.setdefault(word[:at] + word[at + 1 :], set()).add(word)
    pairs = [pair for group in alike.values() for pair in combinations(sorted(group), 2)]
    assert [pair for pair in pairs if is_slip(*pair)] == []


def test_a_new_code_is_two_different_words() -> None:
    for _ in range(100):
        code = RoomCode.new()
        assert {code.first, code.second} <= set(words())
        assert code.first != code.second


def test_a_code_is_told_by_nothing_but_str(caplog: pytest.LogCaptureFixture) -> None:
    code = RoomCode("lantern", "tiger")
    logging.getLogger().warning("%r %s", code, [code])
    assert "lantern" not in caplog.text
    assert str(code) == "lantern-tiger"


@pytest.mark.parametrize(
    "typed",
    [
        *("lantern-tiger", "LANTERN Tiger", "  lantern   tiger ", "lantern_tiger"),
        *("lantern, tiger!", "lantern\u2013tiger", "lanterntiger"),
        *("lntern-tiger", "lantren tigerr", "lamtern.tigre"),
        "\uff4c\uff41\uff4e\uff54\uff45\uff52\uff4e tiger",
    ],
)
def test_a_code_may_be_typed_in_many_ways(typed: str) -> None:
    assert RoomCode.parse(typed) == RoomCode("lantern", "tiger")


@given(codes)
def test_a_code_reads_back_from_its_text_with_or_without_a_space(code: RoomCode) -> None:
    assert RoomCode.parse(str(code)) == code
    assert RoomCode.parse(f"{code.first}{code.second}".upper()) == code


@given(codes, st.data())
def test_a_slip_gives_the_code_or_a_question_and_never_another_code(
    code: RoomCode, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(code.first) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    slipped = data.draw(
        st.sampled_from(
            [
                code.first[:at] + letter + code.first[at + 1 :],
                code.first[:at] + code.first[at + 1 :],
                code.first[:at] + letter + code.first[at:],
            ]
        )
    )
    with suppress(BadCode):
        assert RoomCode.parse(f"{slipped} {code.second}") == code


@pytest.mark.parametrize(
    ("typed", "why", "word"),
    [
        ("", BadCodeReason.NOT_TWO_WORDS, ""),
        ("lantern", BadCodeReason.NOT_TWO_WORDS, "lantern"),
        ("x" * 999, BadCodeReason.NOT_TWO_WORDS, "x" * 200),
        ("Qqqq", BadCodeReason.NOT_TWO_WORDS, "qqqq"),
        ("lantern tiger zebra", BadCodeReason.NOT_TWO_WORDS, "lantern tiger zebra"),
        ("lantern qqqqq", BadCodeReason.UNKNOWN_WORD, "qqqqq"),
        ("lantern x", BadCodeReason.UNKNOWN_WORD, "x"),
    ],
)
def test_what_is_no_code_is_refused_with_the_word(
    typed: str, why: BadCodeReason, word: str
) -> None:
    with pytest.raises(BadCode) as caught:
        RoomCode.parse(typed)
    assert (caught.value.why, caught.value.word) == (why, word)


@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(words()) | st.text(max_size=12), max_size=3).map("-".join)
)
def test_any_text_is_a_code_or_none(typed: str) -> None:
    try:
        code = RoomCode.parse(typed)
    except BadCode:
        return
    assert {code.first, code.second} <= set(words())


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [
        *((typed, "mine", True) for typed in ("mine", "mien", "imne", "min", "mines", "mime")),
        *((typed, "mine", False) for typed in ("nime", "mi", "enim")),
        ("ine", "mien", False),
    ],
)
def test_a_slip_is_one_key(typed: str, meant: str, slip: bool) -> None:  # noqa: FBT001 - a table
    assert is_slip(typed, meant) is slip
    assert is_slip(meant, typed) is slip
