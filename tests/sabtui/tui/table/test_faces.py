"""The cards of the hand, as they are drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import CARDS, Card, Path, Role, Tool
from sabtui.art.catalogue import find_goal_back
from sabtui.art.glyphs import BlockSet
from sabtui.text.cards import shape_on_card
from sabtui.text.i18n import load_locale
from sabtui.tui.table.hand import (
    CARD_NAME_COLUMNS,
    TILE_SIZE,
    FaceStyle,
    draw_face,
    draw_largest,
    find_role_face,
    hand,
    lay_role_beside,
    slot,
)
from sabtui.tui.table.layout import DRAWN_CARD_SIZES
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.render import hand_rows
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import role_rows
from sabtui.tui.theme import BOX, DRAWN, PAINTED, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, plain, width
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.tour import speak

COLUMNS = slot(80) - 1
ACTIONS = [card for card in CARDS if not card.ways]
PATHS = [card for card in CARDS if card.ways]


@pytest.mark.parametrize("blocks", BlockSet)
def test_no_two_action_cards_drawn_in_three_rows_look_alike_without_colour(
    blocks: BlockSet,
) -> None:
    glyphs, size = replace(DRAWN, blocks=blocks), (COLUMNS, TILE_SIZE.rows)
    faces = {
        card: "\n".join(map(plain, draw_face(card, None, size, glyphs, FaceStyle())))
        for card in ACTIONS
    }
    assert len(set(faces.values())) == len(ACTIONS)
    goal = "\n".join(map(plain, draw_largest(find_goal_back(None), size, glyphs)))
    assert faces[Card.MAP] != goal, "a map is no goal"


def test_a_painted_path_that_can_do_nothing_is_dark_and_keeps_its_shape() -> None:
    view = scenes.view(hand="NES/ew/-L/+PC/R/NE")
    lit = hand(view, Selection(), 80, 4, PAINTED)[1:]
    broken = (Tool.PICK.bit, *view.table.broken[1:])
    blocked = view._replace(table=view.table._replace(broken=broken))
    dark = hand(blocked, Selection(), 80, 4, PAINTED)[1:]
    assert list(map(plain, dark)) == list(map(plain, lit))
    assert Look.SAND in {span.look for row in lit for span in row}
    assert Look.SAND not in {span.look for row in dark for span in row}


@pytest.mark.parametrize("language", FINISHED)
def test_names_of_cards_fit_beside_their_digits(language: str) -> None:
    with speak(load_locale(language)):
        for card in PATHS:
            assert 0 < len(shape_on_card(card.ways[0])) <= CARD_NAME_COLUMNS
        view = scenes.view()
        names = plain(hand(view, Selection(), 80, 4, BOX)[0])
        assert f"1 {shape_on_card(Path.read('NE'))}" in names


@pytest.mark.parametrize("glyphs", [BOX, PAINTED, DRAWN, PICTURED], ids=lambda item: item.name)
@pytest.mark.parametrize("language", FINISHED)
def test_where_words_of_an_action_have_no_room_it_is_in_notation_and_never_cut(
    language: str, glyphs: Glyphs
) -> None:
    with speak(load_locale(language)):
        for card in ACTIONS:
            if card in {Card.ROCKFALL, Card.MAP}:
                continue  # their short words may be an abbreviation
            view = scenes.view()._replace(hand=(card,) * 6)
            texts = [plain(hand(view, Selection(), 60, 1, glyphs)[0])]
            if glyphs.cards is not None:
                texts.append(plain(hand(view, Selection(), 60, 4, glyphs)[0]))
            assert not any("." in text for text in texts), texts
        lantern = scenes.view()._replace(hand=(Card.BREAK_LANTERN, Card.REPAIR_PICK_LANTERN))
        assert "1 -L" in plain(hand(lantern, Selection(), 60, 1, glyphs)[0])


@pytest.mark.parametrize("size", [(12, 3), *DRAWN_CARD_SIZES])
def test_every_drawn_face_fills_its_card_and_none_is_like_another(size: tuple[int, int]) -> None:
    shapes: set[tuple[str, ...]] = set()
    for card in CARDS:
        path = card.ways[0] if card.ways else None
        rows = draw_face(card, path, size, DRAWN, FaceStyle(Ground.CARD))
        assert [width(row) for row in rows] == [size[0]] * size[1], card
        shapes.add(tuple(map(plain, rows)))
    assert len(shapes) == len(CARDS)


@pytest.mark.parametrize("card", [Card.MAP, Card.BREAK_CART, Card.REPAIR_PICK_CART, *PATHS[:2]])
def test_the_chosen_drawn_card_has_a_frame_and_one_without_targets_is_dim(card: Card) -> None:
    path = card.ways[0] if card.ways else None
    plain_face, chosen, idle = (
        draw_face(card, path, (12, 8), DRAWN, style)
        for style in (FaceStyle(), FaceStyle(is_chosen=True), FaceStyle(is_idle=True))
    )
    assert plain(chosen[0]) == f"▛{'▀' * 10}▜"
    assert plain(chosen[-1]) == f"▙{'▄' * 10}▟"
    assert [plain(row)[1:-1] for row in chosen[1:-1]] == [plain(row)[1:-1] for row in plain_face][
        1:-1
    ]
    assert [plain(row) for row in idle] == [plain(row) for row in plain_face]
    assert idle != plain_face


@pytest.mark.parametrize(("veiled", "name"), [(False, "miner"), (True, "hidden")])
def test_ones_role_card_lies_beside_a_drawn_hand_face_down_if_hidden(
    name: str, *, veiled: bool
) -> None:
    view = scenes.view()
    bare = hand(view, Selection(), 120, 9, DRAWN)
    rows = lay_role_beside(bare, view, 120, DRAWN, veiled=veiled)
    assert plain(rows[0]).split()[-1] == name
    assert [width(row) for row in rows] == [120] * 9
    face = draw_largest(find_role_face(Role.MINER, veiled=veiled), (12, 8), DRAWN)
    assert [plain(row)[-13:-1] for row in rows[1:]] == [plain(row) for row in face]
    assert lay_role_beside(bare, view, 90, DRAWN, veiled=veiled) == bare, "there is no room"
    assert lay_role_beside(bare[:4], view, 120, DRAWN, veiled=veiled) == bare[:4]


def test_a_role_that_is_hidden_or_not_yet_looked_at_is_hidden_beside_the_hand() -> None:
    model = TableModel(DRAWN).resize(120, 40)
    hidden = (replace(model, veiled=True), replace(model, is_masked=True))
    for now, name in ((model, "miner"), *((one, "hidden") for one in hidden)):
        assert plain(hand_rows(scenes.view(), Selection(), now)[0]).split()[-1] == name


@pytest.mark.parametrize("veiled", [False, True])
@pytest.mark.parametrize("glyphs", [DRAWN, PICTURED])
def test_on_a_phone_the_page_of_a_role_has_its_card_beside_its_words(
    glyphs: Glyphs, *, veiled: bool
) -> None:
    rows = role_rows(scenes.view(), 45, 6, glyphs, veiled=veiled)
    assert len(rows) <= 6
    assert max(map(width, rows)) <= 45
    assert all(any(isinstance(span.look, Paint) for span in row) for row in rows[:4])
    text = " ".join(plain(row) for row in rows)
    assert ("HIDDEN" in text, "MINER" in text) == (veiled, not veiled)
    assert "Your gold" in text
    assert "saboteurs 0" in text.replace("  ", " ")


def test_in_one_row_no_card_is_spelt_as_another() -> None:
    view = scenes.view()._replace(hand=(Card.NESW, Card.NES, Card.NEW, Card.MAP))
    row = plain(hand(view, Selection(), 60, 1, BOX)[0])
    assert "\u2550\u256c\u2550 " in row
    assert row.count("NES") == 1
