"""Claims as text."""

from __future__ import annotations

import pytest

from engine.bots.talk import GoldAt
from engine.mistakes import NotationError
from engine.notation.record import format_claim, parse_claim


def test_a_claim_is_read_as_it_is_spelt_and_nothing_else_is() -> None:
    assert parse_claim("gold 8n2") == GoldAt((8, -2))
    assert format_claim(parse_claim("saboteur 10")) == "saboteur 10"
    with pytest.raises(NotationError, match="no claim is written like this"):
        parse_claim("gold 9")
