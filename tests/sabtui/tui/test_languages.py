"""All screens in each language, and in made-up ones; what has to be in sight at a table in each."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

import pytest
from msgspec import structs
from rich.cells import cell_len

from engine.cards import CARDS, Card, Tool
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import Presence, Settings
from net.protocol.requests import SetReady, Start
from sabtui.app.requests import TableHandle
from sabtui.text.cards import tool_words
from sabtui.text.i18n import Locale, _, load_locale, pgettext
from sabtui.text.lobby import player_names
from sabtui.text.names import PlayerNames
from sabtui.tui import screens
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.screens.welcome import LABEL_COLUMNS, WelcomeScreen
from sabtui.tui.table import render
from sabtui.tui.table.hand import _list_tools, choose_title, measure_slot
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.moments import final_rows
from sabtui.tui.table.players import draw_name
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import CLAIM_KEYS, ClaimList, Side, list_claims, seats_part, unseen_title
from sabtui.tui.table.status import hint
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.footer import KEY_GAP_COLUMNS
from sabtui.tui.widgets.form import ChoiceRow
from sabtui.tui.widgets.panel import Look, Row, draw_rule, plain, width
from tests.sabtui.text.made_up_languages import Marked, Pseudo, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.pictures import FOLDER
from tests.sabtui.tui.table_server import RoomInProcess
from tests.sabtui.tui.tour import TourStop, kept_texts, speak, tour
from tests.samples import english_first, first

FIRST_KEYS: Final = 3
"""How many keys a footer shows in any language, beside the way out."""

HEADER: Final = ("pile",)
"""What the header of a table shows in any language, beside whose turn it is and who one is. How
many saboteurs may be about has a shorter form."""

NAMES: Final = (
    "Ana ana Bruno Chi Chia Chiara Dede Dora Eva Fay Zoe Borin Eitri Norri Gold Rush Old Mine "
    "Sabtui sabtui join club s table "
    "code amber tiger ssh localhost box two words the south one is stone trust me good luck to "
    "all of you whole Anna Chi ara Eve Club italia Txu hjkl aswd ASCII"
)
"""Words on screens that are people's, or of notation, or typed into a shell, or keys."""

CUT: Final = ("lobby_help", "lobby_palette", "rules_15", "replay_over")
"""Screens on which not all is seen: a row of the palette is cut where its reason gets too long, for
help tells the rest of it; the help of a host's lobby scrolls; others have first letters of tools.
"""

REPLAYED: Final = ("replay", "replay_seat", "replay_reviewed", "review")
"""What is left out in brief: a game is reviewed for it, and these are in `test_pictures`, and
in tests of their own."""

ANYWAY: Final = re.compile("settings_language_.*|rules_1[15]")
"""Screens that show words of other languages, or notation: what these call themselves, what books
say."""


def find_screens() -> set[type[CommandScreen]]:
    """All screens before a table, without those that are only bases of others."""
    found, left = set[type[CommandScreen]](), [CommandScreen]
    for module in iter_modules(screens.__path__, f"{screens.__name__}."):
        import_module(module.name)
    while left:
        kind = left.pop()
        more = kind.__subclasses__()
        left += more
        if kind.__module__.startswith(f"{screens.__name__}.") and not more:
            found.add(kind)
    return found


@pytest.mark.parametrize("language", FINISHED)
def test_a_blank_follows_each_label_of_the_menu(language: str) -> None:
    with speak(load_locale(language)):
        labels = [command.label for command in WelcomeScreen().menu_commands()]
    assert [label for label in labels if cell_len(label) >= LABEL_COLUMNS] == []


def unfit(view: TourStop, marked: Marked) -> list[str]:
    """What does not fit on a screen."""
    cut_off = [] if view.name in CUT else marked.cut_off(view.on_top)
    wrong, foot = [f"{view.name}: {message}" for message in cut_off], view.foot
    if view.name == "table_lay":
        [header, *_below] = view.text.splitlines()
        due = [marked.pgettext("header", message) for message in HEADER]
        wrong += [f"{view.name}: {message}" for message in due if message not in header]
    if foot is not None:
        placed = [key for _column, key in foot.placed]
        keys = (*foot.keys[:FIRST_KEYS], *foot.last)
        wrong += [f"{view.name}: key {key}" for key in keys if key not in placed]
        room = 1 + sum(key.columns + KEY_GAP_COLUMNS for key in placed) - KEY_GAP_COLUMNS
        wrong += [f"{view.name}: foot"] if room > foot.size.width else []
    return wrong


@pytest.mark.parametrize(
    ("language", "is_brief"),
    first(
        1, [("en", True), *((language, False) for language in FINISHED)], thorough=len(FINISHED) + 1
    ),
)
async def test_screens_are_as_they_were_and_every_text_fits_its_place(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_brief: bool
) -> None:
    kept_names = [name for name in kept_texts(language) if not is_brief or name not in REPLAYED]

    def is_wanted(name: str) -> bool:
        return not is_brief or name in kept_names

    marked = Marked(load_locale(language).catalogue)
    wrong, texts, shown = list[str](), dict[str, str](), set[type]()
    async for view in tour(Locale(language, marked), tmp_path, monkeypatch, is_wanted):
        shown.add(view.kind)
        wrong += unfit(view, marked)
        if view.name in kept_names:
            texts[view.name] = marked.remove_signs(view.text)
    assert not wrong, "\n".join(["", *wrong])
    assert not find_screens() - shown, "tests/sabtui/tui/tour.py shows no such screen"
    assert texts.keys() == {*kept_names}
    # Signs have no capitals: a message that begins a sentence or a title shows a small letter.
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / language).glob("*")}
    for name, text in texts.items():
        assert text.casefold() == kept[name].casefold(), name
    assert kept.keys() == {*kept_texts(language)}


@pytest.mark.parametrize("language", FINISHED)
def test_the_tools_of_a_card_stand_on_its_face(language: str) -> None:
    with speak(load_locale(language)):
        for card in [card for card in CARDS if card.tools]:
            [lines] = [line.split() for line in _list_tools(card, 200) if line.strip()]
            shown = " ".join(" ".join(_list_tools(card, measure_slot(80) - 1)).split()).replace(
                "- ", ""
            )
            assert shown == " ".join(lines)


def test_no_language_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.glob("*/")) == sorted(FINISHED)


@pytest.mark.level("thorough")  # `test_catalogues` finds most text that is not translated
async def test_whatever_is_on_a_screen_goes_through_gettext(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = [
        f"{view.name}: {word}"
        async for view in tour(Locale("xx", Pseudo()), tmp_path, monkeypatch)
        if ANYWAY.fullmatch(view.name) is None
        for word in latin(view.on_top)
        if word not in NAMES.split()
    ]
    assert english == []


@pytest.mark.parametrize(
    ("language", "text", "key", "quits"),
    first(
        4,
        [
            ("en", "y: yes, n: no", "y", True),
            ("it", "s: sì, n: no", "y", True),
            ("fr", "o : oui, n : non", "o", True),
            ("fr", "o : oui, n : non", "s", False),
            ("pt_BR", "s: sim, n: não", "s", True),
            ("es_AR", "s: sí, n: no", "S", True),
            ("en", "y: yes, n: no", "o", False),
        ],
        thorough=7,
    ),
)
async def test_a_question_takes_yes_in_ones_own_language(
    language: str, text: str, key: str, tmp_path: Path, *, quits: bool
) -> None:
    async with open_app(tmp_path, language=language) as front:
        await front.press("u", "ctrl+c")
        assert front.said.endswith(text)
        await front.press(key)
        assert front.said == ""
        assert front.app.is_running is not quits


async def test_a_language_is_changed_at_the_table_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_text("name = Chloé\nlanguage = fr\nart = lines\n", encoding="utf-8")
    async with open_app(tmp_path) as front:
        inn = front.service.inn = RoomInProcess(settings=Settings(rounds=1, seats=3))
        front.app.enter_table(
            TableHandle(lambda on_update: inn.seat("Chloé", on_update, is_host=True))
        )
        lobby = await front.is_on(LobbyScreen)
        bruno, dede = inn.guest("Bruno"), inn.guest("Dede")
        for guest in (bruno, dede):
            guest.request(SetReady(ready=True))
        await front.until(lambda: lobby.status.why_not(Start()) is None)
        lobby.session.request(Start())
        before = await front.is_on(TableScreen)
        while (pane := before.model.pane) is not SidePanel.CARDS:
            await front.press("tab")
        await front.go(SettingsScreen, "f2")
        await front.press("down", "right")  # Italian comes after French
        await front.sees("L'aspetto")
        assert front.app.focused is not None
        row = front.app.focused.parent
        assert (isinstance(row, ChoiceRow), row.name if row else "") == (True, "language")
        reopened = await front.go(TableScreen, "escape")
        assert (reopened is before, reopened.model.pane) == (False, pane)
        assert reopened.autopilot is before.autopilot, "a bot that plays for her goes on"
        for _turn in range(3):
            view = reopened.status.view
            mover = next(seat for seat in inn.seats.values() if _is_asked(seat.status))
            assert mover.status.view is not None
            mover.request(mover.status.move_request(next(iter(mover.status.view.legal_moves()))))
            await front.until(lambda: reopened.status.view != view)  # noqa: B023 - is awaited here
        assert "language = it" in file.read_text(encoding="utf-8")


def _is_asked(status: Status) -> bool:
    """Return True if a seat's player is to play."""
    return status.view is not None and status.view.to_act == status.view.seat


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
    return player_names(status.lobby, status.member)


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", ["Dede", LONG])
def test_the_pile_and_how_many_saboteurs_there_may_be_are_always_in_the_header(
    columns: int, name: str
) -> None:
    for view in moments():
        status = now_with(view, ("Ana", "Bruno", "Chiara", name))
        text = plain(
            render.draw_header(scenes.sight(status), TableModel(BOX).resize(columns, 24))[0]
        )
        assert cell_len(text) == columns
        number = render.describe_saboteur_count(view)
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
        *(_("your role"), _("score"), _("chat and events")),
        *(unseen_title(scenes.view()), _("older, PgDn for newer")),
    )
    for text in titles:
        assert text in plain(draw_rule(text, layout.text, "-"))
    assert cell_len(_("t: talk, c: quick claims")) < layout.text
    view = scenes.view()
    for card in range(len(view.hand)):
        selection = TableModel(BOX).selection.choose_card(card, view)
        text = choose_title(view, selection, columns - 4)
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
    selection = Selection(seat=2).choose_card(4, view)
    told = hint(scenes.now(view), selection, 58)
    assert told.endswith(f"{tool_words(Tool.CART)}.")
    other = hint(scenes.now(view), replace(selection, turned=True), 58)
    assert other.endswith(f"{tool_words(Tool.PICK)}.")
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
        shown = render.draw_header(scenes.sight(status), TableModel(BOX).resize(60, 24))[0]
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
