"""The catalogues of `sabtui/text`: every message of the code, and what each language makes of it.

    make words                 extract the messages, bring all catalogues up to date, compile them
    make words LANGUAGE=de     the same, with a catalogue for one language more

A catalogue tells files and no lines, and has no dates, so that it changes where a message does and
nowhere else. What is no longer said is dropped; what was altered is marked as fuzzy, and is not
spoken until somebody has looked at it. Compiled ones are what gettext reads; builds make them too,
and they are never committed. Knows nothing of Sabtui but where things are, for builds have it not.
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

SOURCES: Final = (("engine/notation", {"error": None}), ("sabtui", DEFAULT_KEYWORDS))
"""Where messages are, and in which calls: what notation says is wrong with a text is one too."""

NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""What a compiled catalogue says of when it was made, so that two builds make the same."""


def extracted() -> Catalog:
    """Every message in the code, with where it is and what translators are told of it."""
    messages = Catalog()
    for folder, keywords in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found = extract_from_file(
                "python", path, keywords, ("Translators:",), strip_comment_tags=True
            )
            where = path.relative_to(ROOT).as_posix()
            for line, message, comments, context in found:
                messages.add(message, None, [(where, line)], (), comments, context=context)
    return messages


def read(path: Path) -> Catalog:
    """A language's catalogue."""
    with path.open("rb") as file:
        return read_po(file, path.stem, abort_invalid=True)


def text_of(messages: Catalog, language: str = "") -> str:
    """A catalogue as it is kept, for a language or as the template."""
    written = io.BytesIO()
    write_po(written, messages, 0, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return "\n".join((*_header(language), "", written.getvalue().decode()))


def is_translated(message: Message) -> bool:
    """Whether somebody has said a message in another language, in each of its forms."""
    said = message.string
    return not message.fuzzy and all(said if isinstance(said, list | tuple) else (said,))


def compiled(path: Path) -> Path:
    """Compile a catalogue; what is not translated in it will be said in English."""
    spoken = Catalog(path.stem, creation_date=NEVER, revision_date=NEVER, fuzzy=False)
    for message in read(path):
        if message.id and is_translated(message):
            spoken.add(message.id, message.string, context=message.context)
    made = path.with_suffix(".mo")
    with made.open("wb") as file:
        write_mo(file, spoken)
    return made


def compile_all() -> list[Path]:
    """Compile every catalogue, and remove what has none any more."""
    made = [compiled(path) for path in sorted(CATALOGUES.glob("*.po"))]
    for old in set(CATALOGUES.glob("*.mo")) - set(made):
        old.unlink()
    return made


def update(new: str = "") -> None:
    """Write template and catalogues, `new` too if that is a language, and compile them."""
    template = extracted()
    TEMPLATE.write_text(text_of(template), encoding="utf-8", newline="\n")
    paths = {*CATALOGUES.glob("*.po"), *([CATALOGUES / f"{new}.po"] if new else [])}
    for path in sorted(paths):
        messages = read(path) if path.exists() else Catalog(path.stem)
        messages.update(template)
        path.write_text(text_of(messages, path.stem), encoding="utf-8", newline="\n")
        done = sum(is_translated(message) for message in messages if message.id)
        print(f"{path.stem}: {done} of {len(template)} messages")
    compile_all()


def _header(language: str) -> Iterator[str]:
    """What a catalogue begins with; gettext and Babel read the character set and the plurals."""
    yield "# Sabtui in other languages: `make words` brings this file up to date."
    yield 'msgid ""'
    yield 'msgstr ""'
    yield r'"Content-Type: text/plain; charset=UTF-8\n"'
    yield r'"Content-Transfer-Encoding: 8bit\n"'
    if language:
        yield rf'"Language: {language}\n"'
        yield rf'"Plural-Forms: {get_plural(Locale.parse(language))}\n"'


def _language(text: str) -> str:
    """Read the code of a language, with a country where that matters: `de`, `pt_BR`."""
    try:
        return str(Locale.parse(text))
    except (ValueError, UnknownLocaleError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("language", nargs="?", type=_language)
    update(parser.parse_args().language or "")
