"""No page, and no sentence of the program, names a safeguard that is gone.

The host of a table is a dealer whom everybody can check. Nothing of a table lies at other players'
computers, nobody elects a host, and no program compares with another.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import PAGES, ROOT

GONE: Final = re.compile(
    r"\b(elect(s|ed|ors?|ions?|ing)?"
    r"|ballots?|vot(e|es|ed|ers?|ing)|mandates?|quorum"
    r"|(un)?seal(s|ed|ing)?"
    r"|(parts?|shares?) of (the|a|its|their) (table's )?key|key (parts?|shares?)|shamir"
    r"|pledg\w*|standby"
    r"|takeovers?|successors?|succession"
    r"|(three|most|more than half of the other) computers"
    r"|cop(y|ies) of (the|a|its) (table|log|journal)"
    r"|lost moves|moves that this table has lost"
    r"|programs compare|compare with each other|computers? at number)\b",
    re.IGNORECASE,
)
"""Words of what is gone."""

CATALOGUE: Final = ROOT / "sabtui" / "text" / "catalogues" / "sabtui.pot"
READ: Final = (*PAGES, ROOT / "SECURITY.md", CATALOGUE)


def gone_words(text: str) -> list[str]:
    """Find the words of what is gone, also where a line breaks within them."""
    return [found[0] for found in GONE.finditer(" ".join(text.split()))]


def messages(catalogue: str) -> str:
    """Return the messages of a catalogue without its comments, which name modules."""
    lines = (line for line in catalogue.splitlines() if not line.startswith("#"))
    return " ".join("".join(re.findall(r'"(.*)"', line)) for line in lines)


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_and_no_message_names_what_is_gone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert gone_words(messages(text) if path == CATALOGUE else text) == []


def test_one_entry_of_the_unreleased_changes_names_it_and_says_that_it_is_gone() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = changes.partition("## Unreleased\n")[2].partition("\n## ")[0]
    entries = re.split(r"^- ", unreleased, flags=re.MULTILINE)
    naming = [entry for entry in entries if gone_words(entry)]
    assert len(naming) == 1
    assert re.search(r"\bGone (is|are)\b", naming[0])


def test_the_words_are_found_and_their_neighbours_are_not() -> None:
    gone = "an elector; VOTES; sealed;\n  part of\n  the key; a pledge; standby links; takeover"
    assert len(gone_words(gone)) == len(gone.split(";"))
    stays = chain(
        ("selectors", "the select key", "take over again", "devoted", "compare two moves"),
        ("a part of the game", "copies in the deck", "a copy of the checkout"),
    )
    assert [word for text in stays for word in gone_words(text)] == []
