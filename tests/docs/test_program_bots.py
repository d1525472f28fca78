"""The bots of docs/program-bots.md play, and its tables have what a line in has."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine import Game
from engine.actions import Map
from engine.bots import Playouts, Seconds, SpokenMove
from engine.bots.installed import PROGRAMS_VARIABLE
from engine.bots.programs import ProgramBot, question_about
from engine.bots.talk import SILENCE, StoneAt
from engine.notation import parse_position
from tests.docs.pages import ROOT, blocks, tables
from tests.engine.bots.foreign_package import forget_bots

PAGE: Final = ROOT / "docs" / "program-bots.md"
ENDINGS: Final = {"js": "node", "shell": "sh"}
"""The languages of the page's bots, and what runs them."""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there a script is no program"),
    *(
        pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not here")
        for program in ENDINGS.values()
    ),
]


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Path]]:
    """The bots of the page by language, each as a program."""
    monkeypatch.setenv(PROGRAMS_VARIABLE, "")
    forget_bots()
    found = {block.language: block.text for block in blocks(PAGE) if block.language in ENDINGS}
    paths = {language: tmp_path / f"{language}-bot" for language in found}
    for language, path in paths.items():
        path.write_text(found[language])
        path.chmod(0o755)
    yield paths
    forget_bots()


def test_the_table_of_the_line_in_has_its_members() -> None:
    told = {name for row in table("The line in") for name in re.findall(r"`(\w+)`", row[0])}
    game = Game.new(players=4, seed=bytes(32))
    view = game.view(game.to_act)
    asked = [question_about(view, 1, budget, SILENCE) for budget in (Seconds(1), Playouts(1))]
    assert told == {*asked[0], *asked[1]}


def table(heading: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the table under a heading."""
    (found,) = (table for table in tables(PAGE.read_text("utf-8")) if table.heading == heading)
    return found.rows


def test_the_bots_of_the_page_answer(bots: dict[str, Path]) -> None:
    view = parse_position("EW@1/NEW@2 ?/(NE)/? 1 -,P,- NS/NE/-L/M,3,2 0 m??+?").view(0)
    shell, node = (ProgramBot(bots[language]) for language in ("shell", "js"))
    assert shell(view, Random(1), Playouts(0)) == view.legal_moves()[0]
    said = node(view, Random(1), Playouts(0))
    assert isinstance(said, SpokenMove)
    assert said.claims == (StoneAt((8, 0)),)
    assert not isinstance(said.move, Map)
    shell.close()
    node.close()
