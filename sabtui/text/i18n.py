"""Gettext, current language, catalogues, argparse.

The language that sentences are made in: gettext, with the names that Babel extracts by itself.

A message is a literal in the call, with named fields for what changes, and is filled in once,
after translation: `_("{name} passed.").format(name=name)`. What comes from players is only ever
such a field, so that a name like `{0}` stays a name.

The language belongs to a context (PEP 567), so that one process can serve faces in several. All
that a face starts, its tasks and timers, inherits its `Locale`, and so follows when that changes.

Which languages there are, which of them is meant, and their catalogues.

A language is there because its catalogue is, a file in `catalogues`; English is in the code. Must
stay quick: every start reads a catalogue.

What argparse says by itself, in the language spoken: its headings, and its complaints.

argparse asks gettext for its texts under two names of its own module, and knows one language for a
process; those names are ours once it was taught.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final


class Locale:
    """What a face speaks now: a language by its code, and its catalogue."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        self.language = language
        self.catalogue = catalogue

    def learn(self, other: Locale) -> None:
        """Speak as another from now on."""
        self.language, self.catalogue = other.language, other.catalogue


_ENGLISH: Final = Locale("en", NullTranslations())
"""The language of the code."""

_tongue: Final[ContextVar[Locale]] = ContextVar("tongue", default=_ENGLISH)


def set_language(locale: Locale) -> None:
    """Make sentences with this tongue from now on, in this context and those made from it."""
    _tongue.set(locale)


def current_language() -> str:
    """The code of the language spoken."""
    return _tongue.get().language


def _(message: str) -> str:
    """A message in the language spoken."""
    return _tongue.get().catalogue.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """A message in the form for so many."""
    return _tongue.get().catalogue.ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """A message that means something else elsewhere: the context tells a translator which."""
    return _tongue.get().catalogue.pgettext(context, message)


def listed(words: Sequence[str]) -> str:
    """Several things in a row: `pick`, `pick and cart`, `pick, lantern and cart`."""
    if len(words) < 2:
        return "".join(words)
    *first, last = words
    if _SOUNDS_AS_I.match(last):
        # Translators: the same where what follows begins with the sound of an i: Ana e Inés.
        text = pgettext("before i", "{first} and {last}")
    else:
        text = _("{first} and {last}")
    return text.format(first=", ".join(first), last=last)


def phrases(parts: Sequence[str]) -> str:
    """Phrases in a row, which may have commas of their own; nothing where there is none."""
    text = "".join(parts[:1])
    for part in parts[1:]:
        text = _("{one}; {other}").format(one=text, other=part)
    return text


def begins_with_vowel(name: str) -> bool:
    """Whether a name begins with a vowel, before which some languages drop one: d'Ana, de Bruno."""
    return unicodedata.normalize("NFD", name[:1])[:1].casefold() in _VOWELS


_VOWELS: Final = frozenset("aeiouæœ")

_SOUNDS_AS_I: Final = re.compile(r"h?[ií](?![aeo])|y(?![aeiou])", re.IGNORECASE)

ENGLISH: Final = "en"
AUTO: Final = "auto"
"""What stands for the locale's language."""

CATALOGUES: Final = Path(__file__).parent / "catalogues"


def languages() -> tuple[str, ...]:
    """All that can be spoken, English first, by their codes: `pt_BR`."""
    return (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.mo")))


def load_locale(language: str) -> Locale:
    """What speaks a language; English where it has no catalogue."""
    try:
        with (CATALOGUES / f"{language}.mo").open("rb") as file:
            return Locale(language, GNUTranslations(file))
    except FileNotFoundError:
        return Locale(ENGLISH, NullTranslations())


def autonym(language: str) -> str:
    """What a language calls itself."""
    # Translators: what your language calls itself, as a list of languages shows it: Italiano.
    return load_locale(language).catalogue.pgettext("this language", "English")


def language_of(environ: Mapping[str, str]) -> str:
    """The language of a locale, as gettext understands it: `es_AR` for any Spanish."""
    wanted = next((environ[name] for name in _LOCALE if environ.get(name)), "")
    code = wanted.partition(".")[0].partition("@")[0]
    known = languages()
    if code in known:
        return code
    kin = (one for one in known if one.partition("_")[0] == code.partition("_")[0])
    return next(kin, ENGLISH)


def chosen(wanted: str, environ: Mapping[str, str]) -> str:
    """The language for a wish: itself, or for `auto` the locale's."""
    return language_of(environ) if wanted == AUTO else wanted


_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def teach_argparse() -> None:
    """Let argparse say its own texts in the language spoken."""
    vars(argparse).update({"_": of_argparse, "ngettext": many_of_argparse})


def of_argparse(message: str) -> str:
    """A text of argparse: those that can come up here. What it says to developers stays English."""
    # Translators: %(...)s and %r are filled in by argparse.
    said = {
        "usage: ": _("usage: "),
        "options": _("options"),
        "%(heading)s:": _("%(heading)s:"),
        "positional arguments": _("positional arguments"),
        "show this help message and exit": _("show this help message and exit"),
        "argument %(argument_name)s: %(message)s": _("argument %(argument_name)s: %(message)s"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "ambiguous option: %(option)s could match %(matches)s"
        ),
        "expected one argument": _("expected one argument"),
        "expected at most one argument": _("expected at most one argument"),
        "ignored explicit argument %r": _("ignored explicit argument %r"),
        "invalid choice: %(value)r (choose from %(choices)s)": _(
            "invalid choice: %(value)r (choose from %(choices)s)"
        ),
        "not allowed with argument %s": _("not allowed with argument %s"),
        "the following arguments are required: %s": _("the following arguments are required: %s"),
        "unrecognized arguments: %s": _("unrecognized arguments: %s"),
    }
    return said.get(message, message)


def many_of_argparse(one: str, many: str, count: int) -> str:
    """A text of argparse that depends on a number."""
    if one == "expected %s argument":
        return ngettext("expected %s argument", "expected %s arguments", count)
    return one if count == 1 else many
