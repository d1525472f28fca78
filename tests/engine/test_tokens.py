"""Cells, cards and seats: each is spelt one way, and read back as what it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Cell
from engine.cards import CARDS, Card
from engine.notation import (
    NotationError,
    format_cell,
    parse_card,
    parse_cell,
    parse_move,
)
from engine.tokens import Span, read_number

AT = st.integers(-99_999, 99_999)
CELLS = st.tuples(AT, AT)


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("0", (0, 0)),
        ("3", (3, 0)),
        ("8n2", (8, -2)),
        ("8", (8, 0)),
        ("8s2", (8, 2)),
        ("-1s1", (-1, 1)),
        ("-10n34", (-10, -34)),
        ("0s1", (0, 1)),
    ],
)
def test_a_cell_is_its_column_and_then_its_row(text: str, cell: Cell) -> None:
    assert parse_cell(text) == cell
    assert format_cell(cell) == text


@given(CELLS)
def test_every_cell_is_read_back(cell: Cell) -> None:
    assert parse_cell(format_cell(cell)) == cell


SHORT = [
    "",
    "n1",
    "+3",
    "03",
    "-0",
    "3n0",
    "3n01",
    "3w1",
    "3n",
    "3 n1",
    " 3",
    "3\n",
    "٣",
    "²",
    "1e3",
]
FAR = ["1e3", "100000", "1n100000", "9" * 5000]


@pytest.mark.parametrize("text", SHORT + FAR, ids=range(len(SHORT + FAR)))
def test_a_cell_has_no_other_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="a cell is a column"):
        parse_cell(text)


@pytest.mark.rule("S3", "S4")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.text)
def test_every_card_is_read_back(card: Card) -> None:
    assert parse_card(str(card)) is card


@pytest.mark.rule("S3")
@pytest.mark.parametrize(("turned", "card"), [("SW", "NE"), ("sw", "ne"), ("W", None), ("s", "n")])
def test_a_card_in_hand_is_spelt_by_the_lesser_of_its_ways_up(
    turned: str, card: str | None
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(turned)
    assert caught.value.problem.startswith(
        f"off the table, this card is written {card}" if card else "no card in the deck"
    )


@pytest.mark.parametrize("text", ["", "EN", "Ne", "+CL", "+PLC", "-", "r", "?", "NESW "])
def test_a_card_has_no_other_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="no card in the deck is written like this"):
        parse_card(text)


def test_an_error_quotes_an_excerpt_in_one_line_without_control_characters() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("NES@" + "\x1b[31m\u202e\n" * 1000)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 400
    with pytest.raises(NotationError, match=r"column 1 of 'q{48}'\.\.\.: no move is written"):
        parse_move("q" * 1000)


@pytest.mark.parametrize("text", ["", "100", "07", "-1", "x"])
def test_a_number_is_at_most_99_and_spelt_one_way(text: str) -> None:
    with pytest.raises(NotationError, match="expected a number from 0 to 99 here"):
        read_number(Span.whole(text))
