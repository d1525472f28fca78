"""Each setting of a table has its row, and each rule its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import structs

from engine.cards import E, Goal, Tool, W
from engine.edition import EDITIONS, INTERNATIONAL
from net.protocol.lobby import Settings
from net.protocol.requests import ChangeSettings
from sabtui.app.requests import HostRequest
from sabtui.cli.args import read
from sabtui.cli.play import host_request
from sabtui.plain.commands import help_lines
from sabtui.text.cards import tool_words
from sabtui.text.i18n import load_locale
from sabtui.text.lobby import player_names
from sabtui.text.rules import Picture, PicturedCard, PicturedGoal, TwoColumns, rules_pages
from sabtui.text.settings import (
    WrongSetting,
    describe_changes,
    describe_settings,
    describe_terms,
    row_words,
    setting_of,
    table_settings,
)
from sabtui.tui.screens.host import HostScreen
from tests.sabtui.plain_sessions import at, now_at, type_lines
from tests.sabtui.tables import ANA, lobby
from tests.sabtui.tui.tour import speak
from tools import words

USUAL = Settings()
UNUSUAL = structs.replace(
    USUAL,
    edition="france",
    **{
        setting.field: next(
            value
            for value in reversed([*setting.values.values()])
            if value != getattr(USUAL, setting.field)
        )
        for setting in table_settings()
        if setting.field != "edition"
    },
)
"""Settings of which each differs from the usual one: the last that can be typed."""

FIELDS = Settings.__struct_fields__
NAMES = player_names(lobby(), ANA)
PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")

NOT_TYPED = {"is_open": "`code` makes a new one", "stand_in": "chosen when the table opens"}
NOT_IN_FORMS = {"youngest": "the lobby has a key for it, on the seat"}
NO_OPTION = {"youngest": "seats have no people before the table is open"}
"""Fields that lack a way to be set, and why."""


def only(field: str) -> Settings:
    """The usual settings, but for one of them."""
    return structs.replace(USUAL, **{field: getattr(UNUSUAL, field)})


def test_every_field_has_a_row() -> None:
    assert sorted(setting.field for setting in table_settings()) == sorted(FIELDS)
    assert all(getattr(USUAL, field) != getattr(UNUSUAL, field) for field in FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_a_change_of_it_is_told_in_a_phrase_of_its_own(field: str) -> None:
    (phrase,) = describe_changes(USUAL, only(field), NAMES)
    assert phrase in describe_terms(only(field), NAMES)
    assert phrase not in describe_terms(USUAL, NAMES)
    assert describe_changes(USUAL, USUAL, NAMES) == ()
    (again,) = describe_changes(only(field), USUAL, NAMES)
    assert again in describe_settings(USUAL, NAMES)


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in NOT_TYPED])
def test_the_host_can_type_it(field: str) -> None:
    setting = setting_of(field)
    host = at(now_at(lobby(settings=structs.replace(USUAL, seats=len(lobby().chairs)))))
    now = host.lobby.settings
    changed = structs.replace(now, **{field: getattr(UNUSUAL, field)})
    typed = f"{setting.word} {setting.spell(changed)}"
    assert type_lines(host, typed).requests == (ChangeSettings(changed),)
    wrong = type_lines(host, f"{setting.word} nonsense")
    assert wrong.is_told_only
    assert " ".join(" ".join(wrong.lines).split()) == setting_of(field, now).advise()
    listed = help_lines("settings", host.status)
    assert any(re.search(rf"\b{setting.word}\b", line) for line in listed)


@pytest.mark.parametrize("field", NOT_TYPED)
def test_what_cannot_be_typed_has_no_word(field: str) -> None:
    assert setting_of(field).word == ""


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in NOT_IN_FORMS])
def test_the_form_has_it_and_all_its_choices_are_values(field: str) -> None:
    rows = HostScreen().choices
    assert field in rows
    for choice in setting_of(field).choices:
        chosen = setting_of(field).read(choice.typed, USUAL)
        assert setting_of(field).spell(chosen) == choice.typed
        assert choice.shown
    there = setting_of(field, UNUSUAL)
    assert field == "edition" or there.spell(UNUSUAL) in [choice.typed for choice in there.choices]


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in NO_OPTION])
def test_an_option_sets_it_and_a_table_that_is_brought_back_keeps_it(
    field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = setting_of(field)
    option = [setting.flag] if setting.means else [setting.flag, setting.spell(UNUSUAL)]
    request = host_request(read(["host", *option]))
    assert isinstance(request, HostRequest)
    assert request.settings == only(field)
    with pytest.raises(SystemExit):
        read(["host", "--resume", *option])
    assert f"argument {setting.flag}: not allowed with argument --resume" in capsys.readouterr().err


@pytest.mark.parametrize("field", FIELDS)
def test_the_protocols_page_explains_it(field: str) -> None:
    row = re.search(r"^\| settings \| ([^|]*) \| ([^|]*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    assert row[1].split(", ") == [*FIELDS]
    assert re.search(rf"\b{field}\b", row[2])


def test_what_a_setting_cannot_be_is_refused_with_advice() -> None:
    for field, wrong, advice in (
        ("turn_seconds", "3601", "turn needs a number from 0 to 3600."),
        ("absent", "never", "Type absent bot or absent wait."),
        ("hints", "", "Type hints yes or hints no."),
        ("youngest", "6", "youngest needs a number from 0 to 5."),
    ):
        with pytest.raises(WrongSetting, match=re.escape(advice)):
            setting_of(field).read(wrong, USUAL)


def test_bounds_are_those_of_the_model() -> None:
    assert (setting_of("rounds").bounds, setting_of("hints").bounds) == ((1, 3), None)


def test_somebody_who_practises_alone_is_told_only_what_matters_there() -> None:
    assert describe_terms(USUAL, NAMES, alone=True) == (
        "edition: international",
        "3 rounds",
        "5 seats",
        "the first player is drawn at random",
        "turn time: no limit",
        "hints: on",
    )
    assert len(describe_terms(UNUSUAL, NAMES)) == len(FIELDS)
    assert len(describe_terms(USUAL, NAMES)) == len(FIELDS)


# Pages of the rules.

RULES = Path(__file__).parents[3] / "docs" / "rules.md"
CATALOGUES = sorted(words.CATALOGUES.glob("*.po"))


def numbers() -> set[str]:
    """Return the numbers of all rules, the rows of the editions, and K for what a seat knows."""
    text = RULES.read_text(encoding="utf-8")
    return {*re.findall(r"^- \*\*([A-Z]\d)\b", text, re.MULTILINE)} | {
        *re.findall(r"^\| (E-[a-z-]+)", text, re.MULTILINE),
        *re.findall(r"^## (K)\.", text, re.MULTILINE),
    }


def test_every_rule_is_taught_on_some_page() -> None:
    taught = {number for page in rules_pages() for number in page.teaches}
    assert len(numbers()) > 40
    assert taught == numbers()


def test_every_row_in_which_editions_differ_is_told_on_their_page() -> None:
    [editions] = [page for page in rules_pages() if "E-link" in page.teaches]
    told = " ".join(
        text for block in editions.blocks if isinstance(block, TwoColumns) for _, text in block.rows
    )
    assert {number for number in numbers() if number.startswith("E-")} <= {*editions.teaches}
    differing = {row for book in EDITIONS.values() for row in book.rows} - {*INTERNATIONAL.rows}
    assert {type(row) for row in differing} == {type(row) for row in INTERNATIONAL.rows}
    told = told.casefold()
    assert [row for row in differing if row_words(row).casefold() not in told] == []


def test_the_page_on_reaching_a_goal_shows_one_face_down_and_the_same_turned_over() -> None:
    [goals] = [page for page in rules_pages() if "G1" in page.teaches]
    [picture] = [block for block in goals.blocks if isinstance(block, Picture)]
    before, after = (cell for cell in picture.cells if isinstance(cell, PicturedGoal))
    assert before == PicturedGoal(None)
    assert after.path is not None
    assert Goal.lying(after.path) is after.goal
    reached = picture.cells[picture.cells.index(after) - 1]
    assert isinstance(reached, PicturedCard)
    assert reached.path.edges & E
    assert after.path.edges & W, "it lies as a tunnel that goes on"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_the_page_of_cards_names_tools_as_the_cards_do(path: Path) -> None:
    with speak(load_locale(path.stem)):
        pages, tools = rules_pages(), [tool_words(kind) for kind in Tool]
    [cards] = [page for page in pages if "S4" in page.teaches]
    told = " ".join(
        text for block in cards.blocks if isinstance(block, TwoColumns) for _, text in block.rows
    )
    assert [name for name in tools if name not in told] == []
