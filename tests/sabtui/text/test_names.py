"""Names come from strangers, and sentences stay sentences."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Broke
from engine.cards import Tool
from engine.events import Passed
from sabtui.text.events import event_sentence
from sabtui.text.i18n import Locale, set_language
from sabtui.text.names import PlayerNames
from sabtui.text.width import width

NASTY = ["\x1b[2Jx", "a\nb", "\u202eevil", "{name}", "{0.__class__}", "%s", "[/]", "", "ANA", "Ana"]


def test_nasty_names_become_plain_and_differ() -> None:
    names = PlayerNames.of(NASTY, None)
    assert names.names == (
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
    names = PlayerNames.of(NASTY, None)
    name = names.names[seat]
    assert event_sentence(Passed(seat), names) == f"{name} passed."
    assert event_sentence(Broke(0, Tool.PICK, seat), names).endswith("own pick.") == (seat == 0)
    assert name in event_sentence(Broke(1, Tool.PICK, seat), names) or seat == 1


@given(st.lists(st.text(max_size=40), min_size=3, max_size=10))
def test_whatever_the_names_they_fit_and_differ(names: list[str]) -> None:
    player_names = PlayerNames.of(names, 0)
    assert len({name.casefold() for name in player_names.names}) == len(names)
    assert all(name.isprintable() and 0 < width(name) <= 24 for name in player_names.names)


def test_long_names_that_are_alike_differ_within_their_cells() -> None:
    names = PlayerNames.of(["Ж" * 30, "ж" * 30, "漢" * 30, "漢" * 30], None)
    assert [width(name) for name in names.names] == [24, 24, 24, 24]
    assert names.names[1].endswith(" 2")


def test_sentences_are_made_in_the_language_spoken() -> None:
    class Shouting(NullTranslations):
        def gettext(self, message: str) -> str:
            return message.replace("passed", "PASSÒ")

    names = PlayerNames.of(["Ana", "Bruno", "Chiara"], 0)
    set_language(Locale("en", Shouting()))
    try:
        assert event_sentence(Passed(1), names) == "Bruno PASSÒ."
    finally:
        set_language(Locale("en", NullTranslations()))
    assert event_sentence(Passed(1), names) == "Bruno passed."
