"""Moves: each is spelt one way, and read back as what it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Break, Map, Repair, Rockfall, TargetPlace
from engine.cards import CARDS, PATHS, Card, Path, Tool
from engine.mistakes import NotationError
from engine.moves import (
    Discard,
    KeepGold,
    Lay,
    Move,
    PlacedPlay,
    format_move,
    parse_move,
    plays_at,
)
from tests.engine.test_tokens import CELLS

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
)


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
    ],
)
def test_a_move_is_spelt_as_the_design_has_it(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert format_move(move) == text


@given(MOVES)
def test_every_move_is_read_back(move: Move) -> None:
    assert parse_move(format_move(move)) == move


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "expected a move here"),
        ("NES", 1, "no move is written like this; a card is"),
        ("x", 2, "no card in the deck is written like this"),
        ("xSW", 2, "off the table, this card is written NE"),
        ("NES@9w2", 5, "a cell is a column"),
        ("NSE@1", 1, "a path card is written as its open sides, in"),
        ("NES@", 5, "a cell is a column"),
        ("-L", 1, "missing: the seat it is played on, as in -L>2"),
        ("-L>0", 4, "a seat is a number from 1 to 10"),
        ("-L>11", 4, "a seat is a number from 1 to 10"),
        ("-L>2:L", 6, "the card already says which tool it breaks"),
        ("-X>2", 1, "no card in the deck is written like this"),
        ("+LC>2", 1, "missing: which of the two tools, :L or :C"),
        ("+P>2:P", 6, "the card already says which tool it repairs"),
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


@pytest.mark.parametrize(
    ("card", "place", "plays"),
    [
        (Card.NS, (2, 0), [Lay(Path.read("NS"), (2, 0))]),
        (Card.NE, (2, 0), [Lay(Path.read("NE"), (2, 0)), Lay(Path.read("SW"), (2, 0))]),
        (Card.ROCKFALL, (2, 0), [Rockfall((2, 0))]),
        (Card.MAP, (8, 0), [Map((8, 0))]),
        (Card.BREAK_CART, 1, [Break(Tool.CART, 1)]),
        (
            Card.REPAIR_PICK_CART,
            0,
            [
                Repair(Card.REPAIR_PICK_CART, 0, Tool.PICK),
                Repair(Card.REPAIR_PICK_CART, 0, Tool.CART),
            ],
        ),
    ],
)
def test_a_card_is_played_on_a_cell_or_on_a_seat(
    card: Card, place: TargetPlace, plays: list[PlacedPlay]
) -> None:
    assert [*plays_at(card, place)] == plays
    assert {play.place for play in plays} == {place}
    assert not plays_at(card, (2, 0) if isinstance(place, int) else 0)


def test_a_list_of_moves_shows_how_they_are_spelt() -> None:
    moves = [parse_move(text) for text in ("NES@3n1", "-L>2", "+LC>2:C", "xM", "$2")]
    assert (
        repr(moves)
        == "[<Lay NES@3n1>, <Break -L>2>, <Repair +LC>2:C>, <Discard xM>, <KeepGold $2>]"
    )
