"""The tables of docs/writing-bots.md name every move, event and claim, with all fields."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import get_args

import pytest

from engine.bots.talk import Claim
from engine.events import Event
from engine.moves import Move, parse_move
from tests.docs.pages import ROOT, Table, tables

PAGE = ROOT / "docs" / "writing-bots.md"


def table(first: str) -> Table:
    """The table whose first column has this name."""
    (found,) = (one for one in tables(PAGE.read_text(encoding="utf-8")) if one.header[0] == first)
    return found


@pytest.mark.parametrize(("first", "union"), [("move", Move), ("event", Event), ("claim", Claim)])
def test_a_table_has_each_kind_with_its_fields(first: str, union: object) -> None:
    told = {row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in table(first).rows}
    kinds = {kind.__name__: [one.name for one in fields(kind)] for kind in get_args(union)}
    assert all(map(is_dataclass, get_args(union)))
    assert told == kinds


def test_a_move_is_spelt_as_the_table_says() -> None:
    for row in table("move").rows:
        assert type(parse_move(row[2].strip("`"))).__name__ == row[0].strip("`")
