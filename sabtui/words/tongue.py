"""The language that sentences are made in: gettext, with the names that Babel extracts by itself.

Knows no sentence and no language. A message is a literal in the call, with named fields for what
changes, and is filled in once, after translation: `_("{name} passed.").format(name=name)`. What
comes from players is only ever such a field, so that a name like `{0}` stays a name.

The language belongs to a context (PEP 567), so that one process can serve faces in several. All
that a face starts, its tasks and timers, inherits its `Tongue`, and so follows when that changes.
"""

from __future__ import annotations

import re
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


_SOUNDS_AS_I: Final = re.compile(r"h?[ií](?![aeo])|y(?![aeiou])", re.IGNORECASE)
