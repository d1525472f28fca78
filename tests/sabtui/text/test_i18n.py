"""Which language is spoken: as asked, as liked, or as the locale has it; and all of it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from sabtui.app import RULES_TOPICS, preferences
from sabtui.app.features import features
from sabtui.cli.args import EXAMPLES, EXIT_USAGE
from sabtui.cli.main import main
from sabtui.text import i18n
from tests.sabtui.text.made_up_languages import Pseudo, latin
from tools import words

CODES = ("es_AR", "fr", "it", "pt_BR")


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Catalogues in which all languages are English in other letters."""
    folder, template = tmp_path_factory.mktemp("catalogues"), words.read(words.TEMPLATE)
    for code in CODES:
        _write(code, template, folder)
        words.compile_catalogue(folder / f"{code}.po")
    return folder


@pytest.fixture(autouse=True)
def _strange_machine(
    strange: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """These languages; a player who likes nothing yet, and no locale."""
    monkeypatch.setattr(i18n, "CATALOGUES", strange)
    monkeypatch.setattr(preferences, "usual_path", lambda: tmp_path / "settings")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "79")
    yield
    i18n.set_language(i18n.load_locale("en"))


def _write(code: str, template: Catalog, folder: Path) -> None:
    pseudo, catalogue = Pseudo(), Catalog(code)
    for message in template:
        if message.id == "English":
            catalogue.add("English", f"this is {code}", context=message.context)
        elif isinstance(message.id, str) and message.id:
            catalogue.add(message.id, pseudo.gettext(message.id), context=message.context)
        elif message.id:
            forms = [pseudo.gettext(form) for form in message.id]
            every = (forms + forms[-1:] * 3)[: catalogue.num_plurals]
            catalogue.add(tuple(message.id), tuple(every))
    (folder / f"{code}.po").write_text(words.text_of(catalogue, code), encoding="utf-8")


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "pt_PT.UTF-8"}, "pt_BR"),
        ({"LANG": "es_ES@euro"}, "es_AR"),
        ({"LANG": "it"}, "it"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_MESSAGES": "it_IT", "LANG": "fr_FR"}, "it"),
        ({"LC_ALL": "es_AR.UTF-8", "LC_MESSAGES": "it_IT", "LANG": "fr_FR"}, "es_AR"),
        ({"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
        ({}, "en"),
    ],
)
def test_a_locale_has_a_language(locale: dict[str, str], language: str) -> None:
    assert i18n.language_of(locale) == language
    assert i18n.choose_language("auto", locale) == language
    assert i18n.choose_language("it", locale) == "it"


def test_a_language_is_called_as_it_calls_itself() -> None:
    assert [i18n.autonym(code) for code in i18n.languages()] == [
        "English",
        *(f"this is {code}" for code in CODES),
    ]


@pytest.mark.parametrize(
    ("arguments", "liked_and_locale", "language"),
    [
        ([], ("", ""), "en"),
        ([], ("", "fr_FR"), "fr"),
        ([], ("language = it\n", "fr_FR"), "it"),
        ([], ("language = auto\n", "fr_FR"), "fr"),
        ([], ("language = klingon\n", "fr_FR"), "fr"),
        (["--language", "es_AR"], ("language = it\n", "fr_FR"), "es_AR"),
        (["--language=en"], ("language = it\n", "fr_FR"), "en"),
        (["--plain", "--language", "pt_BR"], ("", ""), "pt_BR"),
    ],
)
def test_what_is_asked_for_counts_before_what_is_liked_and_that_before_the_locale(
    arguments: list[str],
    liked_and_locale: tuple[str, str],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    liked, locale = liked_and_locale
    (tmp_path / "settings").write_text(liked, encoding="utf-8")
    monkeypatch.setenv("LANG", locale)
    assert main([*arguments, "--version"]) == 0
    assert i18n.current_language() == language


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        *(f"{name} --help" for name in ("games", "doctor", *filter(None, EXAMPLES))),
        *(f"{command.name} --help" for feature in features() for command in feature.commands()),
        *("bogus", "--bogus", "record", "record nowhere.sab", "host --open --code amber-tulip"),
        *("host --code amber", "host --players", "host --players 11", "host --absent x"),
        *("host --pl x", "host --op=x", "host --p 4", "practise --edition mars"),
        "practise --seed x",
    ],
)
def test_the_command_line_says_nothing_in_english_to_those_who_speak_another_language(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--language", "fr", *line.split()])
    told = capsys.readouterr()
    said = re.sub(r"^  sabtui .*", "", told.out + told.err, flags=re.MULTILINE)  # examples
    text = re.sub(r"--?[a-zA-Z-]+|'[^']*'|\{.*?\}|sabtui( \w+)?", " ", said)
    assert {*latin(text)} <= {*KNOWN.split(), *RULES_TOPICS}, text


def test_sources_that_were_never_compiled_say_how_to_get_their_languages(
    strange: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(i18n, "CATALOGUES", tmp_path)
    (tmp_path / "fr.po").write_bytes((strange / "fr.po").read_bytes())
    assert main(["--language", "fr", "games"]) == EXIT_USAGE
    assert capsys.readouterr().err == (
        "sabtui: argument --language: other languages are not compiled yet: run make words; "
        "see sabtui --help\n"
    )
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert main(["--version"]) == 0, "a locale is no wish: English will do"


KNOWN = (
    "BOT MODULE CODE COMMAND DAY FILE FOLDER HEX HOST LINE NAME PAGE PORT RULE TWO WORDS Ngold sab "
    "N "
    "en es fr it pt AR BR easy medium hard slow normal fast instant arena learn practise host "
    "club stage join rules doctor games record international italia replay review standings "
    "tunnels linked amber tulip bot wait argentina france nowhere two words clockwise counter "
    "adjacent played out ends round each miner one all players path card"
)
"""What is typed, in any language."""
