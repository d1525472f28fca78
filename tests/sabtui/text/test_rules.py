"""The pages of the rules against docs/rules.md: nothing that is ruled is taught nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.cards import E, Goal, Tool, W
from engine.edition import EDITIONS, INTERNATIONAL
from sabtui.text.cards import tool
from sabtui.text.i18n import load_locale
from sabtui.text.rules import Picture, PicturedCard, PicturedGoal, TwoColumns, rules_pages
from sabtui.text.settings import row_words
from tests.sabtui.tui.tour import speak
from tools import words

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
        pages, tools = rules_pages(), [tool(kind) for kind in Tool]
    [cards] = [page for page in pages if "S4" in page.teaches]
    told = " ".join(
        text for block in cards.blocks if isinstance(block, TwoColumns) for _, text in block.rows
    )
    assert [name for name in tools if name not in told] == []
