"""Cells, cards, seats and moves: each is spelt one way, and read back as what it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Cell
from engine.cards import CARDS, PATHS, Card, Path, Tool
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Repair, Rockfall
from engine.notation import (
    NotationError,
    ObservedMove,
    format_card,
    format_cell,
    format_move,
    parse_card,
    parse_cell,
    parse_move,
    parse_own_move,
)

AT = st.integers(-99_999, 99_999)
CELLS = st.tuples(AT, AT)
SEATS = st.integers(0, 9)
TOOLS = st.sampled_from(list(Tool))
REPAIRS = st.sampled_from([card for card in CARDS if card.repairs])
MOVES = st.one_of(
    st.builds(Lay, st.sampled_from(PATHS), CELLS),
    st.builds(Break, TOOLS, SEATS),
    st.builds(Repair, REPAIRS, SEATS, TOOLS),
    st.builds(Rockfall, CELLS),
    st.builds(Map, CELLS),
    st.builds(Discard, st.sampled_from(CARDS)),
    st.builds(KeepGold, st.sampled_from([1, 2, 3])),
    st.sampled_from(ObservedMove),
)


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
    assert parse_card(format_card(card)) is card


@pytest.mark.rule("S3")
@pytest.mark.parametrize(("turned", "card"), [("SW", "NE"), ("sw", "ne"), ("W", None), ("s", "n")])
def test_a_card_in_hand_is_spelt_by_the_lesser_of_its_ways_up(
    turned: str, card: str | None
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(turned)
    assert caught.value.problem.startswith(
        f"this card is spelt {card} " if card else "no card of the deck"
    )


@pytest.mark.parametrize("text", ["", "EN", "Ne", "+CL", "+PLC", "-", "r", "?", "NESW "])
def test_a_card_has_no_other_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="no card of the deck is spelt like this"):
        parse_card(text)


@pytest.mark.rule("P1", "A1", "A2", "A3", "A4", "A5", "T1", "D1")
@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("NES@3n1", Lay(Path.read("NES"), (3, -1))),
        ("nsw@-1", Lay(Path.read("nsw"), (-1, 0))),
        ("-L>2", Break(Tool.LANTERN, 1)),
        ("+L>10", Repair(Card.REPAIR_LANTERN, 9, Tool.LANTERN)),
        ("+LC>2:C", Repair(Card.REPAIR_LANTERN_CART, 1, Tool.CART)),
        ("+L>1:P", Repair(Card.REPAIR_LANTERN, 0, Tool.PICK)),
        ("R@3n1", Rockfall((3, -1))),
        ("M@8n2", Map((8, -2))),
        ("xNES", Discard(Card.NES)),
        ("x-P", Discard(Card.BREAK_PICK)),
        ("$2", KeepGold(2)),
        ("x?", ObservedMove.DISCARD),
        ("--", ObservedMove.SKIP),
        ("$?", ObservedMove.KEEP),
    ],
)
def test_a_move_is_spelt_as_the_design_has_it(text: str, move: Move | ObservedMove) -> None:
    assert parse_move(text) == move
    assert format_move(move) == text


@given(MOVES)
def test_every_move_is_read_back(move: Move | ObservedMove) -> None:
    assert parse_move(format_move(move)) == move


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "a move should stand here"),
        ("NES", 1, "no move is spelt like this"),
        ("x", 2, "no card of the deck"),
        ("xSW", 2, "this card is spelt NE"),
        ("NES@9w2", 5, "a cell is a column"),
        ("NSE@1", 1, "a path card is its open sides"),
        ("NES@", 5, "a cell is a column"),
        ("-L", 1, "at whom it is played is missing: -L>2"),
        ("-L>0", 4, "a seat is a number from 1 to 10"),
        ("-L>11", 4, "a seat is a number from 1 to 10"),
        ("-L>2:L", 6, "the card says already"),
        ("-X>2", 1, "no card of the deck"),
        ("+LC>2", 1, "which of the two tools is missing: :L or :C"),
        ("+P>2:P", 6, "the card says already which tool it repairs"),
        ("+LC>2:X", 7, "a tool is P, L or C"),
        ("$4", 2, "a gold card has 1, 2 or 3 nuggets"),
        ("$", 2, "a gold card has"),
        ("R@", 3, "a cell is a column"),
        ("M@x", 3, "a cell is a column"),
        ("☃@1", 1, "a path card is"),
    ],
)
def test_a_wrong_move_is_refused_where_it_is_wrong(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    error = caught.value
    assert (error.text, error.column, error.line) == (text, column, None)
    assert error.problem.startswith(problem)
    assert str(error) == f"column {column} of {text!r}: {error.problem}"


@pytest.mark.parametrize("observed", ObservedMove, ids=lambda heard: heard.name)
def test_what_is_only_heard_of_is_no_move_to_make(observed: ObservedMove) -> None:
    with pytest.raises(NotationError, match="no move that can be made"):
        parse_own_move(observed.value)
    assert parse_own_move("xM") == Discard(Card.MAP)


def test_an_error_quotes_an_excerpt_in_one_line_without_control_characters() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("NES@" + "\x1b[31m\u202e\n" * 1000)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 400
    with pytest.raises(NotationError, match=r"column 1 of 'q{48}'\.\.\.: no move is spelt"):
        parse_move("q" * 1000)
