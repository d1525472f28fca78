"""The language that sentences are made in: gettext, with the names that Babel extracts by itself.

Knows no sentence. A message is a literal in the call, with named fields for what changes, and is
filled in once, after translation: `_("{name} passed.").format(name=name)`. What comes from players
is only ever such a field, so that a name like `{0}` stays a name.

The language belongs to a context (PEP 567), so that one process can serve faces in several.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final

_tongue: Final[ContextVar[NullTranslations]] = ContextVar("tongue", default=NullTranslations())  # noqa: B039 - nothing changes it: English as it stands in the code


def speak(translations: NullTranslations) -> None:
    """Make sentences in another language from now on, in this context."""
    _tongue.set(translations)


def _(message: str) -> str:
    """A message in the language spoken."""
    return _tongue.get().gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """A message in the form for so many."""
    return _tongue.get().ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """A message that means something else elsewhere: the context tells a translator which."""
    return _tongue.get().pgettext(context, message)


def listed(words: Sequence[str]) -> str:
    """Several things in a row: `pick`, `pick and cart`, `pick, lantern and cart`."""
    if len(words) < 2:
        return "".join(words)
    *first, last = words
    return _("{first} and {last}").format(first=", ".join(first), last=last)
