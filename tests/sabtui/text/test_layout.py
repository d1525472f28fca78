"""Lines that fit: broken between words, and never before a mark that stands alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabtui.text.layout import confine_lines, wrap_lines
from sabtui.text.width import width


@pytest.mark.parametrize(
    ("line", "columns", "lines"),
    [
        ("a line that fits", 16, ["a line that fits"]),
        ("a line that is too long", 12, ["a line that", "   is too", "   long"]),
        (" 5 +LC  repair of many things", 20, [" 5 +LC  repair of", "   many things"]),
        ("Quitter la table ?", 16, ["Quitter la", "   table ?"]),
        ("il reste : une", 9, ["il", "   reste :", "   une"]),
        ("dis « oui » ou non", 9, ["dis", "   « oui »", "   ou non"]),
        ("un intervalle à 95 % environ", 18, ["un intervalle à", "   95 % environ"]),
        ("nearly all of it (95 %).", 20, ["nearly all of it", "   (95 %)."]),
        ("cette aide ; ? moves", 12, ["cette aide ;", "   ? moves"]),
        ("金金 金金 金", 9, ["金金 金金", "   金"]),
        ("an address 192.168.100.200:7341", 12, ["an address", "   192.168.100.200:7341"]),
    ],
)
def test_a_line_is_broken_between_words(line: str, columns: int, lines: list[str]) -> None:
    assert wrap_lines([line], columns) == lines


@given(st.text(max_size=200), st.integers(20, 100))
def test_wrapped_lines_fit_and_lose_no_word(line: str, columns: int) -> None:
    lines = wrap_lines([line], columns)
    assert "".join("".join(lines).split()) == "".join(line.split())
    assert all(width(part) <= columns or len(part.split()) == 1 for part in lines)


def test_where_no_line_may_be_wider_a_word_is_broken_too() -> None:
    assert confine_lines(["an address 192.168.1.20"], 12) == [
        "an address",
        "   192.168.1",
        "   .20",
    ]
    assert confine_lines(["e\u0301" * 5], 4, 0) == ["e\u0301" * 4, "e\u0301"]
    assert confine_lines(["desprendi\u00admiento de rocas"], 10, 0) == [
        "desprendi-",
        "miento",
        "de rocas",
    ]
    assert confine_lines(["desprendi\u00admiento de rocas"], 16, 0) == [
        "desprendimiento",
        "de rocas",
    ]
    assert confine_lines(["effondre\u00adment"], 12, 0) == ["effondrement"]
    assert confine_lines(["effondre\u00adment"], 8, 0) == ["effondre", "ment"]
    assert confine_lines(["金" * 3], 5, 0) == ["金金", "金"]
