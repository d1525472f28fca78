"""Gettext: the current language, its catalogue, and argparse's own texts.

A message is a literal in the call, so that Babel can extract it, and is filled in after
translation: `_("{name} passed.").format(name=name)`. Players' text is only ever a field, so that a
name like `{0}` stays a name. The language belongs to a context (PEP 567): one process can serve
several interfaces, and their tasks and timers inherit the `Locale` object and follow its changes.
Every start reads a catalogue, so this must stay fast.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final


class Locale:
    """The current language of an interface: its code and its catalogue."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        self.language = language
        self.catalogue = catalogue

    def learn(self, other: Locale) -> None:
        """Change to the language of another locale."""
        self.language, self.catalogue = other.language, other.catalogue


_ENGLISH: Final = Locale("en", NullTranslations())  # the locale of the source code, the default

_current: Final[ContextVar[Locale]] = ContextVar("locale", default=_ENGLISH)


def set_language(locale: Locale) -> None:
    """Use this locale in this context and in those copied from it."""
    _current.set(locale)


def current_language() -> str:
    return _current.get().language


def _(message: str) -> str:
    """Translate a message into the current language."""
    return _current.get().catalogue.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return _current.get().catalogue.ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """Return a message that needs a `context` to tell it from others with the same English text."""
    return _current.get().catalogue.pgettext(context, message)


def lazy(message: str) -> Callable[[], str]:
    """Return a function that translates a message, which has no fields, whenever it is called."""
    return lambda: _(message)


def join_words(words: Sequence[str]) -> str:
    """Join words: `pick`, `pick and cart`, `pick, lantern and cart`."""
    if len(words) < 2:
        return "".join(words)
    *first, last = words
    if _SOUNDS_AS_I.match(last):
        # Translators: the same where what follows begins with the sound of an i: Ana e Inés.
        text = pgettext("before i", "{first} and {last}")
    else:
        text = _("{first} and {last}")
    return text.format(first=", ".join(first), last=last)


def alternatives(words: Sequence[str]) -> str:
    """Join alternatives: `3`, `3 or 2`, `3, 2 or 1`."""
    if len(words) < 2:
        return "".join(words)
    *first, last = words
    # Translators: one of several, as in: 3, 2 or 1.
    return _("{first} or {last}").format(first=", ".join(first), last=last)


def phrases(parts: Sequence[str]) -> str:
    """Join phrases, which may contain commas, by semicolons; return "" for none."""
    text = "".join(parts[:1])
    for part in parts[1:]:
        text = _("{one}; {other}").format(one=text, other=part)
    return text


def put_title(title: str, facts: str) -> str:
    """Put a title before facts: `Bruno: ready`."""
    return _("{title}: {facts}").format(title=title, facts=facts)


def add_facts(name: str, facts: str) -> str:
    """Put facts in brackets after a name: `bend (north, east)`."""
    return f"{name} ({facts})"


def enter_does(what: str) -> str:
    """Return a line on what Enter does; `what` is a phrase, or a sentence with its full stop."""
    return put_title(pgettext("key", "Enter"), f"{what.removesuffix('.')}.")


def begins_with_vowel(name: str) -> bool:
    """Return True if a name begins with a vowel; some languages elide before one: d'Ana."""
    return unicodedata.normalize("NFD", name[:1])[:1].casefold() in _VOWELS


_VOWELS: Final = frozenset("aeiouæœ")  # vowels without accents

_SOUNDS_AS_I: Final = re.compile(r"h?[ií](?![aeo])|y(?![aeiou])", re.IGNORECASE)
"""Words that begin with the sound of a Spanish i, before which "y" becomes "e"."""

ENGLISH: Final = "en"  # language code of the source code
AUTO: Final = "auto"
"""Setting that stands for the language of the locale."""

CATALOGUES: Final = Path(__file__).parent / "catalogues"
"""Folder of the compiled catalogues, one file per language."""


def languages() -> tuple[str, ...]:
    """Return the codes of all available languages, such as `pt_BR`, English first."""
    return (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.mo")))


def lacks_catalogues() -> bool:
    """Return True in sources whose catalogues were never compiled: only English is available."""
    return len(languages()) == 1 and any(CATALOGUES.glob("*.po"))


def load_locale(language: str) -> Locale:
    """Load the locale of a language; English if it has no catalogue."""
    try:
        return Locale(language, _read_catalogue(CATALOGUES / f"{language}.mo"))
    except FileNotFoundError:
        return Locale(ENGLISH, NullTranslations())


@cache
def _read_catalogue(path: Path) -> GNUTranslations:
    """Read a compiled catalogue, only once in a process: a list of languages needs all of them."""
    with path.open("rb") as file:
        return GNUTranslations(file)


def autonym(language: str) -> str:
    # Translators: what your language calls itself, as a list of languages shows it: Italiano.
    return load_locale(language).catalogue.pgettext("this language", "English")


def language_of(environ: Mapping[str, str]) -> str:
    """Return the available language for the environment's locale: `es_AR` for any Spanish."""
    wanted = next((environ[name] for name in _LOCALE if environ.get(name)), "")
    code = wanted.partition(".")[0].partition("@")[0]
    known = languages()
    if code in known:
        return code
    kin = (language for language in known if language.partition("_")[0] == code.partition("_")[0])
    return next(kin, ENGLISH)


def choose_language(wanted: str, environ: Mapping[str, str]) -> str:
    """Return the language that is wanted, or the locale's if `wanted` is `auto`."""
    return language_of(environ) if wanted == AUTO else wanted


_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that name the locale; the first non-empty one counts."""


def teach_argparse() -> None:
    """Make argparse translate its own texts into the current language.

    argparse calls the `_` of its own module, which is replaced here for the whole process.
    """
    vars(argparse)["_"] = of_argparse


def of_argparse(message: str) -> str:
    """Return one of argparse's texts, translated if it can occur here. Others stay English."""
    # Translators: %(...)s and %r are filled in by argparse.
    said = {
        "usage: ": _("usage: "),
        "options": _("options"),
        "%(heading)s:": _("%(heading)s:"),
        "positional arguments": _("arguments"),
        "argument %(argument_name)s: %(message)s": _("argument %(argument_name)s: %(message)s"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "ambiguous option: %(option)s could match %(matches)s"
        ),
        "expected one argument": _("expected one argument"),
        # A value for an option that takes none is reported as an unknown argument.
        "ignored explicit argument %r": _("unrecognized arguments: %s"),
        "invalid choice: %(value)r (choose from %(choices)s)": _(
            "invalid choice: %(value)r (choose from %(choices)s)"
        ),
        "not allowed with argument %s": _("not allowed with argument %s"),
        "the following arguments are required: %s": _("the following arguments are required: %s"),
        "unrecognized arguments: %s": _("unrecognized arguments: %s"),
    }
    return said.get(message, message)


def lower_first(text: str) -> str:
    """Return a label as it is written within a sentence, with its first letter in lower case."""
    return text[:1].lower() + text[1:]


def capitalise(text: str) -> str:
    """Return a text that begins a sentence, with its first letter a capital."""
    return text[:1].upper() + text[1:]
