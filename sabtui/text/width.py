"""The width of text in terminal cells."""

from __future__ import annotations

from rich.cells import cell_len

from net.protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS


def width(text: str) -> int:
    """Return the width of a text in terminal cells."""
    return cell_len(text)


def cut_to_name(text: str, before: str = "", after: str = "") -> str:
    """Return as much of a text as fits into a name between two texts that fit."""
    return cut_to_fit(text, before, after, (MAX_NAME_CELLS, MAX_NAME_BYTES))


def cut_to_fit(text: str, before: str, after: str, most: tuple[int, int]) -> str:
    """Return as much of a text as fits between two others into this many cells and bytes."""
    cells, size = most
    text = text[:size]  # it may be measured once for each letter
    while text and (width(whole := f"{before}{text}{after}") > cells or len(whole.encode()) > size):
        text = text[:-1]
    return text


def pad_to(text: str, columns: int) -> str:
    """Return the text with blanks appended up to a width of `columns` terminal cells."""
    return text + " " * (columns - width(text))
