"""The language that sentences are made in: gettext, with the names that Babel extracts by itself.

Knows no sentence and no language. A message is a literal in the call, with named fields for what
changes, and is filled in once, after translation: `_("{name} passed.").format(name=name)`. What
comes from players is only ever such a field, so that a name like `{0}` stays a name.

The language belongs to a context (PEP 567), so that one process can serve faces in several. All
that a face starts, its tasks and timers, inherits its `Tongue`, and so follows when that changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final


class Tongue:
    """What a face speaks now: a language by its code, and its catalogue."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        self.language = language
        self.catalogue = catalogue

    def learn(self, other: Tongue) -> None:
        """Speak as another from now on."""
        self.language, self.catalogue = other.language, other.catalogue


_ENGLISH: Final = Tongue("en", NullTranslations())
"""The language of the code."""

_tongue: Final[ContextVar[Tongue]] = ContextVar("tongue", default=_ENGLISH)


def speak(tongue: Tongue) -> None:
    """Make sentences with this tongue from now on, in this context and those made from it."""
    _tongue.set(tongue)


def spoken() -> str:
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
        told = pgettext("before i", "{first} and {last}")
    else:
        told = _("{first} and {last}")
    return told.format(first=", ".join(first), last=last)


def phrases(parts: Sequence[str]) -> str:
    """Phrases in a row, which may have commas of their own; nothing where there is none."""
    told = "".join(parts[:1])
    for part in parts[1:]:
        told = _("{one}; {other}").format(one=told, other=part)
    return told


def begins_with_vowel(name: str) -> bool:
    """Whether a name begins with a vowel, before which some languages drop one: d'Ana, de Bruno."""
    return unicodedata.normalize("NFD", name[:1])[:1].casefold() in _VOWELS


_VOWELS: Final = frozenset("aeiouæœ")

_SOUNDS_AS_I: Final = re.compile(r"h?[ií](?![aeo])|y(?![aeiou])", re.IGNORECASE)
