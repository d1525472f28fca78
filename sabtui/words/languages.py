"""Which languages there are, which of them is meant, and their catalogues.

A language is there because its catalogue is, a file in `catalogues`; English is in the code. Knows
no sentence. Must stay quick: every start reads a catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from sabtui.words.tongue import Tongue

ENGLISH: Final = "en"
AUTO: Final = "auto"
"""What stands for the locale's language."""

CATALOGUES: Final = Path(__file__).parent / "catalogues"


def languages() -> tuple[str, ...]:
    """All that can be spoken, English first, by their codes: `pt_BR`."""
    return (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.mo")))


def tongue(language: str) -> Tongue:
    """What speaks a language; English where it has no catalogue."""
    try:
        with (CATALOGUES / f"{language}.mo").open("rb") as file:
            return Tongue(language, GNUTranslations(file))
    except FileNotFoundError:
        return Tongue(ENGLISH, NullTranslations())


def autonym(language: str) -> str:
    """What a language calls itself."""
    # Translators: what your language calls itself, as a list of languages shows it: Italiano.
    return tongue(language).catalogue.pgettext("this language", "English")


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
