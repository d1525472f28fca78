"""The catalogues: nothing missing, nothing broken, and nothing said that the code does not say."""

from __future__ import annotations

import ast
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from engine.cards import Role, Tool
from sabtui.text.cards import role_words, tool_of
from sabtui.text.i18n import CATALOGUES, ENGLISH, join_words, languages, load_locale, phrases
from sabtui.text.names import PlayerNames
from sabtui.tui.command import key_name
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.join import JoinScreen
from tests.sabtui.text.made_up_languages import FIELD
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import IdleSession
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.tour import speak
from tools import words

UNFINISHED: frozenset[str] = frozenset()
"""Languages in which something may still be missing. Nothing else is forgiven them."""

FINISHED = [language for language in languages() if language not in UNFINISHED]

FILES = sorted(words.CATALOGUES.glob("*.po"))
each_language = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@cache
def template() -> Catalog:
    """All messages in the code, extracted once."""
    return words.extract_messages()


@cache
def read(path: Path) -> Catalog:
    """A catalogue, read once."""
    return words.read(path)


def ids(message: Message) -> tuple[str, ...]:
    """What a message says in English: one form, or two."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations_of(message: Message) -> tuple[str, ...]:
    """What it says in another language; what is not said yet is left out."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ()
    return tuple(form for form in forms if form)


def messages(catalogue: Catalog) -> Iterator[Message]:
    """All that is said, without the header."""
    return (message for message in catalogue if message.id)


def list_translations(path: Path) -> Iterator[tuple[str, Message, str]]:
    """Each translation, with its message and what that says in English first."""
    for message in messages(read(path)):
        for form in translations_of(message):
            yield ids(message)[0], message, form


def fields(text: str) -> Counter[str]:
    """What is filled in: by name for `format`, or for `%`, with how it is to be written."""
    if "%(" in text or "%r" in text or "%s" in text:
        return Counter(field for field in FIELD.findall(text) if field[0] == "%")
    parsed = string.Formatter().parse(text)
    return Counter(f"{name}!{how}:{spec}" for _text, name, spec, how in parsed if name is not None)


def test_the_template_has_every_message_of_the_code_and_no_other() -> None:
    kept = words.TEMPLATE.read_text(encoding="utf-8")
    assert words.text_of(template()) == kept, "make words"


CALL = re.compile(r"\b(?:_|lazy|ngettext|pgettext)\(")


def test_no_message_is_in_an_f_string_where_it_would_not_be_found() -> None:
    for path in (words.ROOT / "sabtui").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"""\b(?i:f|rf|fr)["']""", text) or not CALL.search(text):
            continue
        filled = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.JoinedStr)]
        names = {
            node.func.id
            for node in chain.from_iterable(map(ast.walk, filled))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not names & {"_", "lazy", "ngettext", "pgettext"}, path


@each_language
def test_a_catalogue_has_the_messages_of_the_template(path: Path) -> None:
    catalogue = words.read(path)
    catalogue.update(template())
    assert words.text_of(catalogue, path.stem) == path.read_text(encoding="utf-8"), "make words"


@each_language
def test_every_message_is_translated(path: Path) -> None:
    missing = [message.id for message in messages(read(path)) if not words.is_translated(message)]
    assert not missing or path.stem in UNFINISHED, f"{len(missing)}, such as {missing[:9]}"
    assert missing or path.stem not in UNFINISHED, f"{path.stem} is finished: say so"


@each_language
def test_a_translation_fills_in_what_the_message_fills_in(path: Path) -> None:
    assert not [
        (message.id, form)
        for _english, message, form in list_translations(path)
        if fields(form) not in [fields(english) for english in ids(message)]
    ]


@each_language
def test_a_message_with_a_number_has_all_forms_of_the_language(path: Path) -> None:
    catalogue = read(path)
    wrong = [
        message.id
        for message in messages(catalogue)
        if len(ids(message)) > 1
        and translations_of(message)
        and len(translations_of(message)) != catalogue.num_plurals
    ]
    assert wrong == []


@each_language
def test_a_translation_is_plain_text_with_the_same_ends(path: Path) -> None:
    def odd(form: str, english: str) -> bool:
        return (
            not form.replace("\n", "").isprintable()
            or unicodedata.normalize("NFC", form) != form
            or any(form.count(mark) != english.count(mark) for mark in ("\\", "[/", "$", "\n"))
            or (form[0].isspace(), form[-1].isspace())
            != (english[0].isspace(), english[-1].isspace())
        )

    wrong = [
        form for _text, message, form in list_translations(path) if odd(form, ids(message)[-1])
    ]
    assert wrong == []


@each_language
def test_what_is_compiled_says_what_is_written(path: Path) -> None:
    spoken = load_locale(path.stem).catalogue
    for message in messages(read(path)):
        if words.is_translated(message) and isinstance(message.string, str):
            [english] = ids(message)
            text = (
                spoken.gettext(english)
                if message.context is None
                else spoken.pgettext(message.context, english)
            )
            assert text == message.string, "make words"


def test_each_catalogue_is_a_language_there_is() -> None:
    assert words.CATALOGUES == CATALOGUES
    assert languages() == (ENGLISH, *(path.stem for path in FILES))


def test_a_sentence_of_three_words_or_more_is_written_in_one_file() -> None:
    written = {
        text: {name for name, _line in message.locations}
        for message in messages(template())
        for text in ids(message)[:1]
        if text[-1] in ".?!" and len(re.sub(r"\{\S*", "", text).split()) > 2
    }
    assert [text for text, files in written.items() if len(files) > 1] == []


@each_language
def test_a_miner_is_called_in_sentences_as_in_the_name_of_the_role(path: Path) -> None:
    with speak(load_locale(path.stem)):
        miner = role_words(Role.MINER)
    assert not [
        form
        for english, _message, form in list_translations(path)
        if re.search(r"\ba miner\b", english) and miner not in form
    ]


KEYS = ("enter", "escape", "end", "home")
"""Keys that sentences name; they are called as in the footer."""


@each_language
def test_keys_are_called_in_sentences_as_in_the_footer(path: Path) -> None:
    english = [key_name(key) for key in KEYS]
    with speak(load_locale(path.stem)):
        called = [key_name(key) for key in KEYS]
    assert not [
        form
        for text, _message, form in list_translations(path)
        for word, name in zip(english, called, strict=True)
        if re.search(rf"\b{word}\b", text) and name not in form
    ]


KEY = re.compile(r"(?<=[Pp]ress )[A-Za-z/](?=[ ,]|$)(?! claim)|(?<![^ (])[A-Za-z](?=: (?!no$|\d))")
SHOWS = re.compile(r"^[A-Za-z](?= (?:shows|plays|turns|rotates|continues|moves|takes|goes) )")
"""Keys in sentences: press r, (a: more), v shows it."""
IN_LINES = ("sabtui/plain/", "sabtui/after/lines.py")
"""Files with what is typed, not pressed."""


def keys_named() -> dict[str, set[str]]:
    """The sentences on screens that name keys of one letter, with these keys."""
    found = {
        ids(message)[0]: {*KEY.findall(ids(message)[0]), *SHOWS.findall(ids(message)[0])}
        for message in messages(template())
        if not any(name.startswith(IN_LINES) for name, _line in message.locations)
    }
    return {text: keys for text, keys in found.items() if keys}


def test_a_key_that_a_sentence_names_is_the_key_of_a_command() -> None:
    status = scenes.in_lobby(scenes.lobby())
    lobby = LobbyScreen(IdleSession(status), status)
    commands = [
        *PureTable(scenes.now()).commands.values(),
        *lobby.commands(),
        *JoinScreen().commands(),
    ]
    bound = {key_name(key) for command in commands for key in command.keys}
    named = keys_named()
    assert len(named) > 10
    assert {text: keys - bound for text, keys in named.items() if not keys <= bound} == {}


@each_language
def test_a_sentence_names_the_same_keys_in_every_language(path: Path) -> None:
    named = keys_named()
    assert not [
        form
        for english, _message, form in list_translations(path)
        for key in named.get(english, ())
        if not re.search(rf"(?<!\w){key}(?!\w)", form)
    ]


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
    assert join_words(["Ana", "Ian", "Inés"]) == "Ana, Ian and Inés"
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
    assert not [
        form
        for _english, message, form in list_translations(words.CATALOGUES / f"{language}.po")
        if message.id not in BY_HAND and before.search(form)
    ]
