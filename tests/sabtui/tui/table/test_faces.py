"""The cards of the hand, as they are painted."""

from __future__ import annotations

import itertools

import pytest

from engine.cards import CARDS, Card, Path
from sabtui.text.cards import shape_on_card
from sabtui.text.i18n import load_locale
from sabtui.tui.table.faces import action_face, path_face
from sabtui.tui.table.hand import CARD_NAME_COLUMNS, hand, offer_rows, slot
from sabtui.tui.table.selection import Selection
from sabtui.tui.theme import BOX, PAINTED, PICTURED
from sabtui.tui.widgets.rows import Ground, Look, plain, width
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.tour import spoken

COLUMNS = slot(80) - 1
ACTIONS = [card for card in CARDS if not card.ways]
PATHS = [card for card in CARDS if card.ways]


def action_text(card: Card, *, idle: bool = False) -> str:
    return "\n".join(
        plain(row) for row in action_face(card, COLUMNS, Ground.CARD, PAINTED, idle=idle)
    )


def test_tools_stand_on_a_card_with_a_cross_or_a_plus() -> None:
    assert action_text(Card.BREAK_LANTERN).split("\n") == [
        "   ▄█▄ x    ",
        "   █*█      ",
        "  lantern   ",
    ]
    assert "pick" in action_text(Card.REPAIR_PICK_CART)
    assert action_text(Card.REPAIR_PICK_CART).count("+") == 1


def test_no_two_action_cards_look_alike_without_colour() -> None:
    assert len({action_text(card) for card in ACTIONS}) == len(ACTIONS)


def test_every_face_fills_its_card() -> None:
    for idle, glyphs in itertools.product((False, True), (PAINTED, BOX, PICTURED)):
        for card in CARDS:
            rows = (
                path_face(card.ways[0], COLUMNS, glyphs, chosen=False, idle=idle)
                if card.ways
                else action_face(card, COLUMNS, Ground.CARD, PAINTED, idle=idle)
            )
            assert [width(row) for row in rows] == [COLUMNS] * 3


def test_a_card_that_can_do_nothing_is_dark_and_keeps_its_shape() -> None:
    path = Path.read("NES")
    lit = path_face(path, COLUMNS, PAINTED, chosen=False, idle=False)
    dark = path_face(path, COLUMNS, PAINTED, chosen=False, idle=True)
    assert [plain(row) for row in dark] == [plain(row) for row in lit]
    assert Look.SAND in {span.look for row in lit for span in row}
    assert Look.SAND not in {span.look for row in dark for span in row}
    assert action_text(Card.MAP, idle=True) == action_text(Card.MAP)


def test_tunnels_reach_the_edges_of_a_card_in_one_span_a_row() -> None:
    rows = path_face(Path.read("ESW"), COLUMNS, PAINTED, chosen=True, idle=False)
    assert [plain(row) for row in rows] == [" " * 12, "█" * 12, "    ███     "]
    assert [[span[1:] for span in row] for row in rows] == [[(Look.SAND, Ground.CURSOR_ROCK)]] * 3


@pytest.mark.parametrize("language", FINISHED)
def test_names_of_cards_fit_beside_their_digits(language: str) -> None:
    with spoken(load_locale(language)):
        for card in PATHS:
            assert 0 < len(shape_on_card(card.ways[0])) <= CARD_NAME_COLUMNS
        view = scenes.view()
        names = plain(hand(view, Selection(), 80, 4, PAINTED)[0])
        assert f"1 {shape_on_card(Path.read('NE'))}" in names


def test_digits_are_dim_while_they_are_those_of_places() -> None:
    view = scenes.view()
    for selection, look in ((Selection(), Look.KEY), (Selection().choosing(1, view), Look.DIM)):
        first = hand(view, selection, 80, 4, PAINTED)[0]
        assert {span.look for span in first if span.text.strip(" >").isdecimal()} == {look}


def test_gold_on_offer_is_gold_where_tiles_are_painted() -> None:
    for glyphs, is_gold in ((PAINTED, True), (BOX, False)):
        rows = offer_rows(scenes.choosing(), 3, 80, 4, glyphs)
        assert [width(row) for row in rows] == [80] * 4
        assert (Ground.GOLD in {span.ground for span in rows[1]}) is is_gold
        assert ("$ $ $" in plain(rows[1])) is is_gold
