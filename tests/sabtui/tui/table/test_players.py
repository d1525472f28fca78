"""Players in rows and as boards, with what moves there, and the drawn cards of the hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from engine.cards import CARDS, Card, Path, Tool
from engine.edition import ITALIA
from engine.events import SaboteursPaid
from engine.view import View
from net.protocol.lobby import BotChair
from sabtui.art.catalogue import find_goal_back
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import Sent
from sabtui.art.placeholders import FIRST_SIGN
from sabtui.text.cards import shape_on_card
from sabtui.text.i18n import load_locale
from sabtui.tui.table.animation import GOLD_FRAMES, Animation, Frame, SeatFrame, flash
from sabtui.tui.table.hand import (
    CARD_NAME_COLUMNS,
    TILE_SIZE,
    FaceStyle,
    draw_face,
    draw_hand,
    draw_largest,
    measure_slot,
)
from sabtui.tui.table.layout import DRAWN_CARD_SIZES, MIN_BOARDS_PANE_ROWS, Layout
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import Side
from sabtui.tui.theme import ASCII, BOX, DRAWN, PAINTED, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Paint, Row, plain, width
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.tour import speak
from tests.samples import each_in_turn

ANA, BRUNO, CHIARA = range(3)


def rows_of(table: PureTable, frame: Frame | None = None) -> list[Row]:
    """Return the rows of the players at rest or in a frame, without the rule below them."""
    model = table.model
    if frame is not None:
        model = replace(model, animation=Animation((frame,)))
    return Side(scenes.sight(table.status), model, MIN_BOARDS_PANE_ROWS).players[:-1]


def boards(
    view: View | None = None, size: tuple[int, int] = (80, 24), glyphs: Glyphs = BOX
) -> list[str]:
    """Return what the rows of the players say."""
    return [plain(row).rstrip() for row in rows_of(PureTable(scenes.now(view), size, glyphs))]


def break_tools(*tools: int) -> View:
    """Ana's view, with these tools of each player broken."""
    view = scenes.view()
    return view._replace(table=view.table._replace(broken=tools))


@pytest.mark.parametrize("glyphs", [BOX, ASCII], ids=lambda glyphs: str(glyphs.name))
def test_a_tool_is_told_in_words_once_it_is_broken_and_not_before(glyphs: Glyphs) -> None:
    def draw_tools(*tools: Tool) -> str:
        broken = sum(tool.bit for tool in tools)
        return boards(break_tools(0, broken, 0, 0, 0), glyphs=glyphs)[1]

    assert "no" not in draw_tools().split()
    assert " no pick " in draw_tools(Tool.PICK)
    assert " no pick, cart " in draw_tools(Tool.PICK, Tool.CART)


def test_where_words_on_tools_would_leave_no_name_there_are_their_first_letters() -> None:
    both = Tool.PICK.bit | Tool.LANTERN.bit
    view = break_tools(0, both, both, 0, 0)
    assert boards(view)[1].endswith(" no pick, lantern =1")
    last = view._replace(table=view.table._replace(pile=0))
    assert boards(last)[1].endswith(" pl 5 cards =1")
    assert boards()[CHIARA].endswith(" no tools")


def test_gold_is_in_nuggets_as_far_as_they_are_known_and_else_a_pile_with_a_count() -> None:
    assert [line.split()[-1] for line in boards()] == ["$2", "=1", "tools", "=2", "=1"]
    assert boards(glyphs=ASCII)[1].endswith("=1")
    view, paid = scenes.view(), SaboteursPaid(3, (0, 1, 0, 0, 0), (0, 1, 0, 0, 1))
    view = view._replace(score=view.score.after(paid), ledger=(*view.ledger, paid))
    assert [line.split()[-2:] for line in boards(view)][1::3] == [["$3", "=1"], ["$3", "=1"]]


def test_cards_held_are_shown_where_there_is_room_or_nothing_is_left_to_draw() -> None:
    assert not any("cards" in line for line in boards())
    assert all("cards" in line for line in boards(size=(120, 24)))
    view = scenes.view()
    last = view._replace(table=view.table._replace(pile=0))
    lines = boards(last)
    held = [next(count for count in range(9) if f" {count} cards" in line) for line in lines]
    assert held == [6, 5, 6, 6, 4]


@pytest.mark.parametrize(
    ("size", "glyphs"), each_in_turn([(60, 18), (80, 24), (120, 40), (200, 60)], [BOX, ASCII])
)
def test_every_board_has_its_width_with_any_number_of_players(
    size: tuple[int, int], glyphs: Glyphs
) -> None:
    for status in (
        None,
        scenes.crowd_now(),
        scenes.hostile(),
        scenes.round_over(),
        scenes.crowd_finished(),
    ):
        table = PureTable(status, size, glyphs)
        assert {width(row) for row in rows_of(table)} == {table.model.layout.text}


def test_an_edition_in_which_turns_go_up_the_list_says_so() -> None:
    for view, lobby in ((scenes.view(), None), (scenes.crowd(), scenes.crowd_now().lobby)):
        up = view._replace(table=view.table._replace(edition=ITALIA))
        for size in ((60, 18), (80, 24)):
            usual, upward = (PureTable(scenes.now(of, lobby), size) for of in (view, up))
            assert "players ^" not in plain(rows_of(usual)[0])
            assert "players ^" in plain(rows_of(upward)[0])


LARGE = (120, 40)


@pytest.mark.parametrize(
    ("size", "players", "has_boards"),
    [
        ((80, 24), 3, False),
        ((100, 30), 5, False),
        ((120, 40), 5, True),
        ((120, 40), 6, False),
        ((200, 60), 6, True),
        ((200, 60), 7, False),
    ],
)
def test_there_are_boards_where_the_pane_keeps_its_room(
    size: tuple[int, int], players: int, *, has_boards: bool
) -> None:
    layout = Layout.of(*size, is_drawn=True)
    room = layout.seats(players, is_drawn=True)
    assert room.has_boards is has_boards
    assert not has_boards or room.pane >= MIN_BOARDS_PANE_ROWS
    assert not layout.seats(players).has_boards, "without drawn cards there are none"


@pytest.mark.parametrize("blocks", BlockSet)
@pytest.mark.parametrize("tool", Tool)
def test_a_broken_tool_has_another_shape(tool: Tool, blocks: BlockSet) -> None:
    glyphs = replace(DRAWN, blocks=blocks)
    whole, pieces = (
        boards(break_tools(0, tools, 0, 0, 0), LARGE, glyphs) for tools in (0, tool.bit)
    )
    differing = {at // 2 for at, row in enumerate(whole) if row != pieces[at]}
    assert differing == {BRUNO}, "nobody else has lost a tool"


@pytest.mark.parametrize("what", ["cursor", "flash"])
def test_what_lies_over_a_board_leaves_its_pictures(what: str) -> None:
    """A terminal is sent a picture by the number that is the colour of its cells."""
    table = PureTable(size=LARGE, glyphs=PICTURED)
    resting = rows_of(table)
    if what == "cursor":
        table.model = table.model.at(BRUNO)
    rows = rows_of(table, flash(BRUNO)[0] if what == "flash" else None)
    lower = 2 * BRUNO + 1
    assert {at for at, row in enumerate(rows) if row != resting[at]} == {lower - 1, lower}
    assert plain(rows[lower])[0] == (">" if what == "cursor" else " "), "no colour alone tells it"
    assert [plain(row)[1:] for row in rows] == [plain(row)[1:] for row in resting]
    looks = {span.look for row in rows for span in row if max(span.text, default="") >= FIRST_SIGN}
    sent = Sent()
    for look in looks:
        assert isinstance(look, Paint)
        assert sent.send(int(look.front[1:], 16), (8, 16))


MARKED, WIDE = "e\u0301\u0301" * 10, "\u77ff" * 12
NAMES = ("Ana", MARKED, WIDE, "\u0e17\u0e35\u0e48" * 5, "\U0001f600" * 6, WIDE[:5], MARKED[:9])
SIZES = [(60, 18), (80, 24), (200, 60)]


def table_of_ten(size: tuple[int, int]) -> PureTable:
    """A table of ten, of whom most have such names."""
    status = scenes.crowd_now()
    held = status.game_state
    assert held is not None
    ten = (*NAMES, "Hulda", "Ivald", "Norri")
    chairs = tuple(BotChair(name, "easy") for name in ten)
    lobby = structs.replace(held.lobby, chairs=(held.lobby.chairs[0], *chairs[1:]))
    return PureTable(replace(status, game_state=replace(held, lobby=lobby)), size)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seat", range(10))
def test_a_row_that_flashes_says_what_it_said(size: tuple[int, int], seat: int) -> None:
    at = table_of_ten(size)
    resting, flashing = rows_of(at), rows_of(at, flash(seat)[0])
    assert [plain(row) for row in flashing] == [plain(row) for row in resting]
    (moving,) = (row for row, was in zip(flashing, resting, strict=True) if row != was)
    lit = "".join(span.text for span in moving if span.ground is Ground.TURN)
    assert str(seat + 1) in lit


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("gold", range(GOLD_FRAMES))
def test_gold_falls_on_blanks_alone(size: tuple[int, int], gold: int) -> None:
    at = table_of_ten(size)
    resting = rows_of(at)
    for seat in range(10):
        falling = rows_of(at, Frame(seats={seat: SeatFrame(gold=gold + 1)}))
        assert [*map(width, falling)] == [*map(width, resting)]
        for row, was in zip(falling, resting, strict=True):
            if row != was:
                assert plain(row).replace("$", "").replace(" ", "") == plain(was).replace(" ", "")


COLUMNS = measure_slot(80) - 1
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
    lit = draw_hand(view, Selection(), 80, 4, PAINTED)[1:]
    broken = (Tool.PICK.bit, *view.table.broken[1:])
    blocked = view._replace(table=view.table._replace(broken=broken))
    dark = draw_hand(blocked, Selection(), 80, 4, PAINTED)[1:]
    assert list(map(plain, dark)) == list(map(plain, lit))
    assert Look.SAND in {span.look for row in lit for span in row}
    assert Look.SAND not in {span.look for row in dark for span in row}


@pytest.mark.parametrize("language", FINISHED)
def test_names_of_cards_fit_beside_their_digits(language: str) -> None:
    with speak(load_locale(language)):
        for card in PATHS:
            assert 0 < len(shape_on_card(card.ways[0])) <= CARD_NAME_COLUMNS
        view = scenes.view()
        names = plain(draw_hand(view, Selection(), 80, 4, BOX)[0])
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
            texts = [plain(draw_hand(view, Selection(), 60, 1, glyphs)[0])]
            if glyphs.cards is not None:
                texts.append(plain(draw_hand(view, Selection(), 60, 4, glyphs)[0]))
            assert not any("." in text for text in texts), texts
        lantern = scenes.view()._replace(hand=(Card.BREAK_LANTERN, Card.REPAIR_PICK_LANTERN))
        assert "1 -L" in plain(draw_hand(lantern, Selection(), 60, 1, glyphs)[0])


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
