"""The pages of the rules against docs/rules.md: nothing that is ruled is taught nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sabtui.text.rules import rules_pages
from tools import words

RULES = Path(__file__).parents[3] / "docs" / "rules.md"
CATALOGUES = sorted(words.CATALOGUES.glob("*.po"))
PAGES = ("sabtui/text/rules.py", "sabtui/text/editions.py")
"""Files in which the sentences of the pages are."""


def numbers() -> set[str]:
    """Return the numbers of all rules, E for the editions, and K for what a seat knows."""
    text = RULES.read_text(encoding="utf-8")
    return {*re.findall(r"^- \*\*([A-Z]\d)\b", text, re.MULTILINE)} | {
        *re.findall(r"^## ([EK])\.", text, re.MULTILINE)
    }


def test_every_rule_is_taught_on_some_page() -> None:
    taught = {number for page in rules_pages() for number in page.teaches}
    assert len(numbers()) > 40
    assert taught == numbers()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_every_page_of_the_rules_is_told_in_every_language(path: Path) -> None:
    told = [
        message
        for message in words.read(path)
        if message.id and any(name in PAGES for name, _line in message.locations)
    ]
    assert len(told) > 50
    assert [message.id for message in told if not words.is_translated(message)] == []
