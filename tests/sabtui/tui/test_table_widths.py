"""What has to be in sight at a table in every language, at the usual and at the smallest size."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from msgspec import structs
from rich.cells import cell_len

from engine.cards import Card, Tool
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import Presence
from sabtui.text.cards import tool
from sabtui.text.i18n import _, load_locale, pgettext
from sabtui.text.lobby import cast_of
from sabtui.text.names import PlayerNames
from sabtui.tui.table import render
from sabtui.tui.table.hand import title
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.moments import final_rows
from sabtui.tui.table.players import draw_name
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import CLAIM_KEYS, ClaimList, Side, list_claims, seats_part, unseen_title
from sabtui.tui.table.status import hint
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.panel import Look, Row, draw_rule, plain, width
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.tour import speak
from tests.samples import english_first

EVERY: Final = ("en", *FINISHED) if "en" not in FINISHED else FINISHED
SIZES: Final = ((60, 18), (80, 24), (120, 40))
LONG: Final = "Maximiliana Wilhelmina"


@pytest.fixture(params=english_first(EVERY))
def _language(request: pytest.FixtureRequest) -> object:
    with speak(load_locale(request.param)):
        yield request.param


def moments() -> list[View]:
    """Each player's turn, each player's choice of gold, the end of a round and of the game."""
    choosing = scenes.choosing()
    gold = [
        choosing._replace(score=replace(choosing.score, chooser=seat), offer=())
        for seat in range(1, 5)
    ]
    turns = [scenes.view(turn=turn) for turn in range(1, 6)]
    return [*turns, choosing, *gold, scenes.between(), scenes.over()]


def now_with(view: View, names: tuple[str, ...]) -> Status:
    return scenes.now(view, scenes.lobby(names))


def cast(status: Status) -> PlayerNames:
    assert status.lobby is not None
    return cast_of(status.lobby, status.member)


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", ["Dede", LONG])
def test_the_pile_and_how_many_saboteurs_there_may_be_are_always_in_the_header(
    columns: int, name: str
) -> None:
    for view in moments():
        status = now_with(view, ("Ana", "Bruno", "Chiara", name))
        text = plain(render.head(scenes.sight(status), TableModel(BOX).resize(columns, 24))[0])
        assert cell_len(text) == columns
        number = render.tell_saboteur_count(view)
        assert f" {view.table.pile} " in text
        words = [pgettext("dwarves", "saboteurs"), pgettext("header", "sab.")]
        assert any(f"{word} {number} " in f"{text} " for word in words), text


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("crowded", [False, True])
def test_a_name_keeps_four_columns_beside_whatever_is_told_of_its_player(
    columns: int, rows: int, *, crowded: bool
) -> None:
    views = [scenes.crowd(turn) for turn in range(1, 11)] if crowded else moments()
    for view in views:
        status = scenes.crowd_now(view) if crowded else scenes.now(view)
        model = TableModel(BOX).resize(columns, rows)
        laid = Side(scenes.sight(status), model, 99)
        lines = laid.players
        assert {width(row) for row in lines} == {model.layout.text}
        room = laid.room
        for seat, name in enumerate(cast(status).names):
            column, row = room.corner_of(seat)
            text = plain(lines[row])[column : column + room.columns]
            assert (name if len(name) <= 4 else name[:3]) in text, text
        you = pgettext("a player", "you")
        assert sum(f" {you} " in f"{plain(row)} " for row in lines[:-1]) == 1


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_quick_claim_is_on_some_page_and_a_page_tells_of_others(
    columns: int, rows: int
) -> None:
    view = scenes.view()
    broken = tuple(sum(tool.bit for tool in Tool) if not seat else 0 for seat in range(5))
    view = view._replace(table=view.table._replace(broken=broken))
    status = now_with(view, ("Ana", LONG, "Chiara", "Dede"))
    model = replace(TableModel(BOX).resize(columns, rows), about=1)
    room = seats_part(scenes.sight(status), model)
    listed = list_claims(view, 1)
    pages = ClaimList.of(listed, cast(status), model.layout.text, room.rows + room.pane)
    keys: list[str] = []
    for number in range(len(pages.pages)):
        page: list[Row] = pages.draw_page(number)
        assert len(page) <= room.rows + room.pane
        assert all(width(row) <= model.layout.text for row in page)
        keys += [row[0].text.strip() for row in page[1:] if row[0].look is Look.KEY]
        assert (f"{number + 1}/{len(pages.pages)}" in plain(page[0])) is (len(pages.pages) > 1)
    assert "".join(keys) == CLAIM_KEYS[: len(listed)]


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_titles_and_the_line_to_talk_in_are_not_cut(columns: int, rows: int) -> None:
    layout = Layout.of(columns, rows)
    titles = (
        *(_("since your last turn"), _("this round so far"), _("the last moves"), _("claims")),
        *(_("your role"), _("score"), _("talk and news")),
        *(unseen_title(scenes.view()), _("older, PgDn for newer")),
    )
    for text in titles:
        assert text in plain(draw_rule(text, layout.text, "-"))
    assert cell_len(_("t: talk, c: quick claims")) < layout.text
    view = scenes.view()
    for card in range(len(view.hand)):
        selection = TableModel(BOX).selection.choosing(card, view)
        text = title(view, selection, columns - 4)
        assert text in plain(draw_rule(text, columns, "-"))


@pytest.mark.usefixtures("_language")
def test_a_discard_is_told_in_one_line_of_the_usual_terminal() -> None:
    for card in Card:
        view = scenes.view()._replace(hand=(card,))
        told = hint(scenes.now(view), Selection(card=0, discarding=True), 78)
        assert cell_len(told) <= 78, told


@pytest.mark.usefixtures("_language")
def test_the_other_tool_of_a_repair_is_named_in_the_smallest_terminal() -> None:
    view = scenes.view()
    selection = Selection(seat=2).choosing(4, view)
    told = hint(scenes.now(view), selection, 58)
    assert told.endswith(f"{tool(Tool.CART)}.")
    other = hint(scenes.now(view), replace(selection, turned=True), 58)
    assert other.endswith(f"{tool(Tool.PICK)}.")
    assert cell_len(told) <= 58


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_final_table_has_everybodys_gold_and_a_name_to_it(columns: int, rows: int) -> None:
    sight = scenes.sight(scenes.crowd_finished())
    gold = sight.view.score.gold
    assert gold is not None
    layout = Layout.of(columns, rows)
    lines = final_rows(sight, layout.mine, layout.body, BOX)
    assert {width(row) for row in lines} == {layout.mine}
    text = [plain(row) for row in lines]
    ranks = [
        next(line for line in text if name[:4] in line and str(sum(cards)) in line)
        for name, cards in zip(scenes.CROWD, gold, strict=True)
    ]
    assert all(name in line for name, line in zip(scenes.CROWD, ranks, strict=True))
    signs = [line.count("$") for line in ranks]
    assert signs in ([sum(cards) for cards in gold], [0] * 10, [1] * 10), "drawn of all or of none"


@pytest.mark.usefixtures("_language")
def test_a_paused_table_says_how_it_goes_on_in_the_smallest_terminal() -> None:
    paused = structs.replace(scenes.lobby(), paused=True)
    for member in (1, 2):
        status = replace(scenes.now(at=paused), member=member)
        text = hint(status, TableModel(BOX).selection, 58)
        assert ("P" in text.split()) is (member == 1), text
        shown = render.head(scenes.sight(status), TableModel(BOX).resize(60, 24))[0]
        assert _("Paused").upper() in plain(shown)


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("columns", range(6, 30))
def test_a_word_on_a_connection_is_whole_or_a_sign(columns: int) -> None:
    at = scenes.lobby(("Ana", "Maximilian", "Chiara", "Dede"))
    words = {pgettext("seat", "bot"), pgettext("a player", "you")}
    for seat in (0, 1, 4):
        row = draw_name(seat, scenes.sight(scenes.now(at=at)), columns)
        shown = plain(row).split()
        assert {*shown[1:]} <= words, shown
        assert width(row) == columns
    *others, dede, zoe = at.people
    left = structs.replace(at, people=(*others, structs.replace(dede, presence=Presence.AWAY), zoe))
    for seat, lobby, ends in (
        (2, at, ("~", pgettext("seat", "shaky"))),
        (3, at, ("!", pgettext("seat", "off"))),
        (3, left, ("!", pgettext("seat", "away"))),
    ):
        lost = plain(draw_name(seat, scenes.sight(scenes.now(at=lobby)), columns)).rstrip()
        assert lost.endswith(ends)
