"""Cards, cells, moves and reasons are each spelt one way, and read back as what they were."""

import copy
import pickle
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Break, Cell, Map, Repair, Rockfall
from engine.cards import (
    BREAK,
    CARDS,
    DECK,
    GOALS,
    PATH_CARDS,
    PATHS,
    Card,
    CardKind,
    E,
    Goal,
    N,
    Path,
    S,
    Tool,
    W,
    in_order,
    opposite,
)
from engine.moves import Discard, IllegalMove, KeepGold, Lay, Move, plays_at
from engine.notation import (
    NotationError,
    format_cell,
    parse_card,
    parse_cell,
    parse_move,
)
from engine.tokens import Span, read_number
from tests.engine.cases import game_of, round_at


@pytest.mark.rule("S3")
def test_there_are_26_ways_to_lie_each_one_object_spelt_and_read_back() -> None:
    assert len({path.text for path in PATHS}) == len(PATHS) == 26
    for path in PATHS:
        assert Path.read(path.text) is path
        assert Path.of(path.edges, through=path.through) is path
        assert PATHS[path.index] is path
        assert f"{path} {path!r}" == f"{path.text} <Path {path.text}>"
        assert pickle.loads(pickle.dumps(path)) is path  # noqa: S301 - its own pickle
        assert copy.deepcopy(path) is path


@pytest.mark.parametrize("text", ["", "N", "NN", "WE", "Ne", "NESWN", "x"])
def test_no_card_lies_like_that(text: str) -> None:
    for kind in (Path, Card):
        with pytest.raises(NotationError, match="is written"):
            kind.read(text)
        with pytest.raises(TypeError, match="None is no text"):
            kind.read(cast("str", None))


@pytest.mark.rule("S3", "P1")
def test_a_half_turn_exchanges_opposite_edges() -> None:
    assert [opposite(side) for side in (N, E, S, W)] == [S, W, N, E]
    for edges in range(16):
        assert opposite(opposite(edges)) == edges
    for path in PATHS:
        turned = Path.of(opposite(path.edges), through=path.through)
        assert turned.card is path.card
        assert {path, turned} == set(path.card.ways)


@pytest.mark.rule("S3", "S4")
def test_cards_are_spelt_and_read_back_and_come_in_the_order_of_the_rules() -> None:
    for index, card in enumerate(CARDS):
        assert Card.read(card.text) is card is parse_card(str(card))
        assert card.index == index
        assert f"{card} {card!r}" == f"{card.text} <Card {card.text}>"
    assert in_order(reversed(DECK)) == DECK
    assert CARDS[: len(PATH_CARDS)] == PATH_CARDS


@pytest.mark.rule("S3", "S4")
def test_every_card_has_the_kind_and_the_tools_that_its_text_says() -> None:
    kinds = {
        "EW": CardKind.THROUGH,
        "nesw": CardKind.DEAD_END,
        "-L": CardKind.BREAK,
        "+PC": CardKind.REPAIR,
        "R": CardKind.ROCKFALL,
        "M": CardKind.MAP,
    }
    assert {text: Card.read(text).kind for text in kinds} == kinds
    assert {card.kind for card in CARDS} == set(CardKind)
    assert [f"{tool} {card}" for tool, card in BREAK.items()] == ["P -P", "L -L", "C -C"]
    repairs = {card.text: "".join(card.repairs) for card in CARDS if card.repairs}
    assert repairs == {text: text[1:] for text in ("+P", "+L", "+C", "+PL", "+PC", "+LC")}
    assert not any(card.breaks or card.repairs for card in CARDS if card.ways)


@pytest.mark.rule("S3", "G3")
def test_a_goal_is_told_by_how_it_lies() -> None:
    for goal in GOALS:
        assert all(Goal.lying(way) is goal for way in goal.ways)
        assert repr(goal) == f"<Goal {goal.text}>"
    for text in ("NS", "ne", "nesw"):
        with pytest.raises(KeyError):
            Goal.lying(Path.read(text))


# Cells, cards in hand, numbers.

AT = st.integers(-99_999, 99_999)
CELLS = st.tuples(AT, AT)


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    ("text", "cell"),
    [("0", (0, 0)), ("8n2", (8, -2)), ("-1s1", (-1, 1)), ("-10n34", (-10, -34)), ("0s1", (0, 1))],
)
def test_a_cell_is_its_column_and_then_its_row(text: str, cell: Cell) -> None:
    assert parse_cell(text) == cell
    assert format_cell(cell) == text


@given(CELLS)
def test_every_cell_is_read_back(cell: Cell) -> None:
    assert parse_cell(format_cell(cell)) == cell


SHORT = ("", "n1", "+3", "03", "-0", "3n0", "3n01", "3w1", "3n", "3 n1", " 3", "3\n", "٣", "²")
FAR = ("1e3", "100000", "1n100000", "9" * 5000)


@pytest.mark.parametrize("text", SHORT + FAR, ids=range(len(SHORT + FAR)))
def test_a_cell_has_no_other_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="a cell is a column"):
        parse_cell(text)


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SW", "off the table, this card is written NE"),
        ("sw", "off the table, this card is written ne"),
        ("s", "off the table, this card is written n"),
        *((text, "no card in the deck") for text in ("", "W", "EN", "Ne", "+CL", "+PLC", "-", "r")),
        *((text, "no card in the deck") for text in ("?", "NESW ")),
    ],
)
def test_a_card_in_hand_is_spelt_by_the_lesser_of_its_ways_up_and_in_no_other_way(
    text: str, problem: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert caught.value.problem.startswith(problem)


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


# Moves.

SEATS = st.integers(0, 9)
TOOLS = st.sampled_from(list(Tool))
MOVES = st.one_of(
    st.builds(Lay, st.sampled_from(PATHS), CELLS),
    st.builds(Break, TOOLS, SEATS),
    st.builds(Repair, st.sampled_from([card for card in CARDS if card.repairs]), SEATS, TOOLS),
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
    assert str(move) == text
    assert repr(move) == f"<{type(move).__name__} {text}>"


@given(MOVES)
def test_every_move_is_read_back(move: Move) -> None:
    assert parse_move(str(move)) == move


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
        ("NS", (2, 0), "NS@2"),
        ("NE", (2, 0), "NE@2 SW@2"),
        ("R", (2, 0), "R@2"),
        ("M", (8, 0), "M@8"),
        ("-C", 1, "-C>2"),
        ("+PC", 0, "+PC>1:P +PC>1:C"),
    ],
)
def test_a_card_is_played_on_a_cell_or_on_a_seat(card: str, place: Cell | int, plays: str) -> None:
    found = plays_at(Card.read(card), place)
    assert " ".join(map(str, found)) == plays
    assert {play.place for play in found} == {place}
    assert not plays_at(Card.read(card), (2, 0) if isinstance(place, int) else 0)


@pytest.mark.rule("P2")
def test_an_illegal_move_is_quoted_as_it_is_spelt_with_the_side_that_clashes() -> None:
    game = game_of(round_at("EW@1 (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS NE mms+m"))
    with pytest.raises(IllegalMove) as illegal:
        game.apply(parse_move("NS@2"))
    said = "NS@2 is illegal: side W is closed, and the neighbour's edge there is open"
    assert str(illegal.value) == said
