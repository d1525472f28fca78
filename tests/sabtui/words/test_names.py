"""Names come from strangers, and sentences stay sentences."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Tool
from engine.events import Broke, Passed
from sabtui.words.cast import Cast, width
from sabtui.words.events import happened
from sabtui.words.tongue import Tongue, speak

NASTY = ["\x1b[2Jx", "a\nb", "\u202eevil", "{name}", "{0.__class__}", "%s", "[/]", "", "ANA", "Ana"]


def test_nasty_names_become_plain_and_differ() -> None:
    cast = Cast.of(NASTY, None)
    assert cast.names == (
        "[2Jx",
        "a b",
        "evil",
        "{name}",
        "{0.__class__}",
        "%s",
        "[/]",
        "Player 8",
        "ANA",
        "Ana 2",
    )


@pytest.mark.parametrize("seat", range(len(NASTY)))
def test_a_name_is_put_into_a_sentence_as_it_is(seat: int) -> None:
    cast = Cast.of(NASTY, None)
    name = cast.names[seat]
    assert happened(Passed(seat), cast) == f"{name} passed."
    assert happened(Broke(0, Tool.PICK, seat), cast).endswith("own pick.") == (seat == 0)
    assert name in happened(Broke(1, Tool.PICK, seat), cast) or seat == 1


@given(st.lists(st.text(max_size=40), min_size=3, max_size=10))
def test_whatever_the_names_they_fit_and_differ(names: list[str]) -> None:
    cast = Cast.of(names, 0)
    assert len({name.casefold() for name in cast.names}) == len(names)
    assert all(name.isprintable() and 0 < width(name) <= 24 for name in cast.names)


def test_long_names_that_are_alike_differ_within_their_cells() -> None:
    cast = Cast.of(["Ж" * 30, "ж" * 30, "漢" * 30, "漢" * 30], None)
    assert [width(name) for name in cast.names] == [24, 24, 24, 24]
    assert cast.names[1].endswith(" 2")


def test_sentences_are_made_in_the_language_spoken() -> None:
    class Shouting(NullTranslations):
        def gettext(self, message: str) -> str:
            return message.replace("passed", "PASSÒ")

    cast = Cast.of(["Ana", "Bruno", "Chiara"], 0)
    speak(Tongue("en", Shouting()))
    try:
        assert happened(Passed(1), cast) == "Bruno PASSÒ."
    finally:
        speak(Tongue("en", NullTranslations()))
    assert happened(Passed(1), cast) == "Bruno passed."
