"""Translation catalogues of `sabtui/text`: extract the messages, update and compile.

    make words                 extract the messages, bring all catalogues up to date, compile them
    make words LANGUAGE=de     the same, and start a catalogue for one more language

Catalogues name files but no lines or dates, so that they change only where a message does. Messages
no longer in the code are dropped; changed ones are marked fuzzy, and are not used until a
translator has checked them. Gettext reads the compiled catalogues; builds compile them too, and
they are never committed. This module knows only paths and imports nothing of Sabtui, because Sabtui
is not installed during a build.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[1]
CATALOGUES: Final = ROOT / "sabtui" / "text" / "catalogues"
TEMPLATE: Final = CATALOGUES / "sabtui.pot"

SOURCES: Final = ROOT / "sabtui"
"""Folder of the modules that messages are extracted from.

The engine has none: what is wrong with notation, a record or a position is told in English alone,
as only those who write such things by hand read it."""

KEYWORDS: Final = {**DEFAULT_KEYWORDS, "lazy": None}
"""Functions whose literals are messages: those of gettext, and ours that translates later."""

NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Creation date written into compiled catalogues: fixed, so that builds are reproducible."""


def extract_messages() -> Catalog:
    """Return every message in the code, with its files and its comments for translators."""
    messages = Catalog()
    for path in sorted(SOURCES.rglob("*.py")):
        found = extract_from_file(
            "python", path, KEYWORDS, ("Translators:",), strip_comment_tags=True
        )
        where = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in found:
            messages.add(message, None, [(where, line)], (), comments, context=context)
    return messages


def read(path: Path) -> Catalog:
    """Read the catalogue of a language."""
    with path.open("rb") as file:
        return read_po(file, path.stem, abort_invalid=True)


def text_of(messages: Catalog, language: str = "") -> str:
    """Return a catalogue as the text of its file: of a language, or of the template if none."""
    written = io.BytesIO()
    write_po(written, messages, 0, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return "\n".join((*_header(language), "", written.getvalue().decode()))


def is_translated(message: Message) -> bool:
    """Return True if a message is translated in each of its forms, and is not fuzzy."""
    said = message.string
    return not message.fuzzy and all(said if isinstance(said, list | tuple) else (said,))


def compile_catalogue(path: Path) -> Path:
    """Compile a catalogue, and return the new file. Messages without translation are left out.

    Gettext shows those in English.
    """
    spoken = Catalog(path.stem, creation_date=NEVER, revision_date=NEVER, fuzzy=False)
    for message in read(path):
        if message.id and is_translated(message):
            spoken.add(message.id, message.string, context=message.context)
    made = path.with_suffix(".mo")
    with made.open("wb") as file:
        write_mo(file, spoken)
    return made


def compile_all() -> list[Path]:
    """Compile every catalogue, and remove compiled ones that no longer have a source."""
    made = [compile_catalogue(path) for path in sorted(CATALOGUES.glob("*.po"))]
    for old in set(CATALOGUES.glob("*.mo")) - set(made):
        old.unlink()
    return made


def update(new: str = "") -> None:
    """Write the template and the catalogues, a `new` language's too, and compile them."""
    template = extract_messages()
    TEMPLATE.write_text(text_of(template), encoding="utf-8", newline="\n")
    paths = {*CATALOGUES.glob("*.po"), *([CATALOGUES / f"{new}.po"] if new else [])}
    for path in sorted(paths):
        messages = read(path) if path.exists() else Catalog(path.stem)
        messages.update(template)
        for message in messages:  # a new one that is like an old one has that one's flags, too
            if (made := template.get(message.id, message.context)) is not None:
                message.flags = made.flags | (message.flags & {"fuzzy"})
        path.write_text(text_of(messages, path.stem), encoding="utf-8", newline="\n")
        done = sum(is_translated(message) for message in messages if message.id)
        print(f"{path.stem}: {done} of {len(template)} messages")
    compile_all()


def _header(language: str) -> Iterator[str]:
    """Yield the header of a catalogue: gettext and Babel read character set and plurals in it."""
    yield "# Sabtui in other languages: `make words` brings this file up to date."
    yield 'msgid ""'
    yield 'msgstr ""'
    yield r'"Content-Type: text/plain; charset=UTF-8\n"'
    yield r'"Content-Transfer-Encoding: 8bit\n"'
    if language:
        yield rf'"Language: {language}\n"'
        yield rf'"Plural-Forms: {get_plural(Locale.parse(language))}\n"'


def _language(text: str) -> str:
    """Parse the code of a language, with a country where that matters: `de`, `pt_BR`.

    Raises `ArgumentTypeError` if there is no such language.
    """
    try:
        return str(Locale.parse(text))
    except (ValueError, UnknownLocaleError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("language", nargs="?", type=_language)
    update(parser.parse_args().language or "")
