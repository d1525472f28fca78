"""The page of the engine's names is the source's."""

import pytest

import engine
from engine import bots, notation
from tools import api


def test_the_page_is_up_to_date() -> None:
    assert api.PAGE.read_text(encoding="utf-8") == api.page(), "make api"


def test_every_name_that_a_package_exports_is_on_the_page() -> None:
    page = api.page()
    for package in (engine, bots, notation):
        missing = [name for name in package.__all__ if f"- `{name}" not in page]
        assert missing == []


@pytest.mark.parametrize(
    "line",
    [
        "- `Lay(path: Path, cell: Cell)`: Lay a path card into an empty cell, the way it is to lie",
        "  - `card`: The card that leaves the hand.",
        "- `Move = Play | KeepGold`",
        "- `Phase: DEAL, PLAY, GOLD, OVER`: The step that a game waits for.",
        "- `visible_to(events: Iterable[EventT], seat: int | None) -> tuple[EventT, ...]`: Return",
    ],
)
def test_a_name_has_its_shape_and_its_first_sentence(line: str) -> None:
    assert line in api.page()
