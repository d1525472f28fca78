"""What a language does to a word for the one that follows."""

from __future__ import annotations

import re

import pytest

from engine.cards import Tool
from sabtui.text.cards import tool_of
from sabtui.text.i18n import join_words, load_locale, phrases
from sabtui.text.names import PlayerNames
from tests.sabtui.text.test_catalogues import translations_of
from tests.sabtui.tui.tour import speak
from tools import words

NAMES = ("Bruno", "Ana", "Émile", "œuf", "Yann", "2Pac", "金")


def test_french_drops_a_vowel_before_a_name_that_begins_with_one() -> None:
    names = PlayerNames.of(NAMES, None)
    with speak(load_locale("fr")):
        lines = [tool_of(Tool.PICK, seat, names) for seat in range(len(NAMES))]
    assert [words.removeprefix("la pioche ") for words in lines] == [
        "de Bruno",
        "d'Ana",
        "d'Émile",
        "d'œuf",
        "de Yann",
        "de 2Pac",
        "de 金",
    ]


@pytest.mark.parametrize("language", ["en", "es_AR", "it", "pt_BR"])
def test_others_keep_it(language: str) -> None:
    names = PlayerNames.of(("Ana", "Bruno"), None)
    with speak(load_locale(language)):
        ana, bruno = (tool_of(Tool.CART, seat, names) for seat in range(2))
    assert ana.replace("Ana", "Bruno") == bruno


def test_spanish_says_e_before_an_i() -> None:
    with speak(load_locale("es_AR")):
        assert join_words(["Ana", "Inés"]) == "Ana e Inés"
        assert join_words(["Inés", "Ana", "Bruno"]) == "Inés, Ana y Bruno"


def test_phrases_stand_in_a_row_as_the_language_has_it() -> None:
    assert (phrases([]), phrases(["a"]), phrases(["a", "b", "c"])) == ("", "a", "a; b; c")
    with speak(load_locale("fr")):
        assert phrases(["a", "b", "c"]) == "a ; b ; c"


BEFORE_A_NAME = {"it": "a|e", "fr": "de|que|jusque|si|le|la|je|ne", "es_AR": "y|o"}
"""Words that take another form before a vowel, or before a letter of their own."""

BY_HAND = {"{name}'s pick", "{name}'s lantern", "{name}'s cart"}
"""Messages of which a function makes the right form for the name."""


@pytest.mark.parametrize("language", BEFORE_A_NAME)
def test_no_name_stands_after_a_word_that_changes_before_a_vowel(language: str) -> None:
    before = re.compile(
        rf"\b({BEFORE_A_NAME[language]}) \{{(name|names|other|owner|host)\}}", re.IGNORECASE
    )
    wrong = [
        form
        for message in words.read(words.CATALOGUES / f"{language}.po")
        if message.id and message.id not in BY_HAND
        for form in translations_of(message)
        if before.search(form)
    ]
    assert wrong == []
