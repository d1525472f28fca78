"""The width of text in terminal cells, lines wrapped for a terminal, and lengths of talk.

French has a blank before some marks. Lines are not broken there, so that none begins with a colon,
or with the % of 95 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from net.protocol.cleaning import MAX_CHAT_BYTES, MAX_CHAT_CELLS, MAX_NAME_BYTES, MAX_NAME_CELLS
from sabtui.text.i18n import _, lazy

cut_off_sentence: Final = lazy("That was too long: the rest was cut off.")
no_more: Final = lazy("There is no more to see here.")


def width(text: str) -> int:
    return cell_len(text)


def cut_to_name(text: str, before: str = "", after: str = "") -> str:
    """Cut a text to fit into a name between two texts that are kept whole."""
    return cut_to_fit(text, before, after, (MAX_NAME_CELLS, MAX_NAME_BYTES))


def cut_to_fit(text: str, before: str, after: str, most: tuple[int, int]) -> str:
    """Cut a text to fit between two others into this many cells and bytes."""
    cells, size = most
    text = text[:size]  # it may be measured once for each letter
    while text and (width(whole := f"{before}{text}{after}") > cells or len(whole.encode()) > size):
        text = text[:-1]
    return text


def pad_to(text: str, columns: int) -> str:
    """Return the text with blanks appended up to a width of `columns` terminal cells."""
    return text + " " * (columns - width(text))


def cut_to_talk(text: str, before: str = "", after: str = "") -> str:
    """Cut a text to fit into a line of talk between two others, kept whole."""
    return cut_to_fit(text, before, after, (MAX_CHAT_CELLS, MAX_CHAT_BYTES))


def no_match(typed: str) -> str:
    """Report that nothing in a list matches the typed words."""
    return _("Nothing matches: {text}.").format(text=typed)


LINE_COLUMNS: Final = 79
"""Columns at which sentences are wrapped if no terminal gives its width."""

_CLOSING: Final = re.compile(r"[:;!?»%][.,;:)]*")
"""Marks that stay with the word before them, such as `%` or `%).`."""
_OPENING: Final = "«"
"""The mark that stays with the word after it."""
_WORD: Final = re.compile(r"\s*\S+")


@dataclass(frozen=True, slots=True)
class TerminalSize:
    """Size of a terminal in character cells; the default is the smallest one supported."""

    columns: int = 60
    rows: int = 18


def wrap_lines(lines: Iterable[str], columns: int, indent: int = 3) -> list[str]:
    """Return the lines, each wrapped at `columns` if wider, with an indent; words stay whole."""
    kept: list[str] = []
    for line in lines:
        kept += [line] if width(line) <= columns else _break(line, columns, indent)
    return kept


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table as lines, its columns aligned by width in terminal cells."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(pad_to(text, wide) for text, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


BAR_CHARACTERS: Final = 20


def draw_progress(done: int, every: int) -> str:
    """Draw the progress of some work as a bar and in numbers."""
    full = BAR_CHARACTERS * done // max(every, 1)
    return f"[{'#' * full}{'.' * (BAR_CHARACTERS - full)}] {done}/{every}"


def confine_lines(lines: Iterable[str], columns: int, indent: int = 3) -> list[str]:
    """Wrap lines like `wrap_lines`, with words broken that are wider than a line."""
    kept: list[str] = []
    for line in wrap_lines(lines, columns, indent):
        first, rest = _chop(line, columns)
        kept.append(first)
        while rest:
            part, rest = _chop(rest, max(columns - indent, 2))
            kept.append(" " * indent + part)
    return kept


MAX_PROSE_COLUMNS: Final = 78
"""Maximum columns of prose on any terminal: longer lines are hard to read."""


def prose_lines(text: str, columns: int) -> list[str]:
    return confine_lines([text], min(columns, MAX_PROSE_COLUMNS), 0)


def two_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[tuple[str, str]]:
    """Lay out (term, meaning) rows; continuation lines have a blank term."""
    left = max((width(word) for word, _meaning in rows), default=0) + 2
    lines: list[tuple[str, str]] = []
    for word, meaning in rows:
        parts = confine_lines([meaning], max(min(columns, MAX_PROSE_COLUMNS) - left, 20), 0)
        first, *rest = parts or [""]
        lines.append((pad_to(word, left), first))
        lines += [(" " * left, part) for part in rest]
    return lines


def _chop(text: str, columns: int) -> tuple[str, str]:
    """Split a text into the part that fits and the rest; combining marks stay with their letter."""
    if width(text) <= columns:
        return text, ""
    room = columns
    for at, character in enumerate(text):
        room -= width(character)
        if room < 0 and at:
            return text[:at], text[at:]
    return text, ""


def _break(line: str, columns: int, indent: int) -> Iterable[str]:
    now = ""
    for word in _words(line):
        if now.strip() and width(now + word) > columns:
            yield now
            now = " " * indent + word.lstrip()
        else:
            now += word
    yield now


def _words(line: str) -> list[str]:
    """Split a line into unbreakable parts, with the blanks before them: words and lone marks."""
    kept: list[str] = []
    for word in _WORD.findall(line):
        closes = _CLOSING.fullmatch(word.strip()) and kept and kept[-1][-1] not in ",;"
        if closes or (kept and kept[-1].endswith(_OPENING)):
            kept[-1] += word
        else:
            kept.append(word)
    return kept
