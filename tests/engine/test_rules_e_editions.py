"""The editions, and house rules by row (RULES E)."""

from itertools import product

import pytest

from engine.edition import (
    ARGENTINA,
    EDITIONS,
    FRANCE,
    INTERNATIONAL,
    ITALIA,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    ShareRule,
    StarterRule,
)
from engine.mistakes import NotationError
from tests.engine.cases import game_of, play, round_at

PRINTED = {
    "international": "clockwise linked played-out each-miner-one path",
    "argentina": "clockwise linked ends-round each-miner-one path",
    "italia": "counter-clockwise adjacent played-out all-players card",
    "france": "clockwise adjacent played-out all-players card",
}
"""The table of RULES E, each book's rows from top to bottom."""


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
def test_the_four_editions_are_those_of_the_books() -> None:
    assert {book: " ".join(edition.rows) for book, edition in EDITIONS.items()} == PRINTED
    assert all(EDITIONS[book].book == book for book in PRINTED)
    assert [edition.step for edition in EDITIONS.values()] == [1, 1, -1, 1]


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
@pytest.mark.parametrize("book", PRINTED)
def test_every_mixture_of_rows_is_read_as_it_is_written(book: str) -> None:
    base = EDITIONS[book]
    for rows in product(Direction, ConnectRule, DeadTable, ShareRule, StarterRule):
        edition = base.replace(*rows)
        assert edition.rows == rows
        assert Edition.read(edition.text) == edition
        assert set(edition.changed) == set(rows) - set(base.rows)
        assert edition.text == "+".join((book, *edition.changed))


def test_a_book_as_it_is_shows_no_changed_rows() -> None:
    assert [edition.text for edition in EDITIONS.values()] == [*PRINTED]
    assert ITALIA.replace(ConnectRule.LINKED).text == "italia+linked"
    assert f"{ITALIA.replace(ConnectRule.LINKED)} {[FRANCE]}" == "italia+linked [<Edition france>]"
    assert ITALIA.replace(ConnectRule.LINKED, StarterRule.PATH).text == "italia+linked+path"
    assert ITALIA.replace(ConnectRule.LINKED).replace(ConnectRule.ADJACENT) == ITALIA
    assert Edition.read("italia+path+linked").text == "italia+linked+path"
    assert Edition.read("france+card") == FRANCE


TWICE = "italia+adjacent+linked+adjacent"


@pytest.mark.parametrize(
    "text", ["", "spain", "italia+", "italia+loose", "+linked", "Italia", TWICE]
)
def test_unknown_books_and_rows_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"name|kind") as caught:
        Edition.read(text)
    assert caught.value.column == 1


def test_editions_with_the_same_rows_keep_the_name_of_their_book() -> None:
    like_france = ITALIA.replace(Direction.CLOCKWISE)
    assert like_france.rows == FRANCE.rows
    assert like_france != FRANCE
    assert ARGENTINA.replace(DeadTable.PLAYED_OUT).rows == INTERNATIONAL.rows


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
def test_rows_mixed_at_one_table_each_do_their_own() -> None:
    mixed = Edition.read("argentina+counter-clockwise+adjacent+all-players+card")
    line = "EW@1 (NE)/(NESW)/(NW) 1 -,-,-,- EW,+P/R,-,NS - mmms+m"
    game, text = play(game_of(round_at(line, mixed)), "EW@1n1")
    assert text == "Laid 1 EW 1n1; TurnBegan 4"
    game, text = play(game, "xNS")
    assert text == "Passed 4; DiscardedCard 4 NS; Skipped 3; TurnBegan 2"
    game, text = play(game, "xR")
    assert text.startswith("Passed 2; DiscardedCard 2 R; RoundEnded s")
    assert game.round.table.next_starter() == 2
    road = "EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6 (NE)/(NESW)/(NW) 1 -,-,-,- NESW,-,-,NS M mmms+m"
    game, text = play(game_of(round_at(road, mixed)), "NESW@7")
    assert "GoldDrawn 4" in text
