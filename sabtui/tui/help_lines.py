"""The lines of help on commands: those that can be given now, and all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from textual.content import Content

from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import pad_to, width
from sabtui.tui.command import PALETTE_KEYS, Command, key_name, key_names
from sabtui.tui.widgets.text import lay_in_columns, wrap_prose

MAX_LINES_NOW: Final = 8  # maximum number of lines of help on commands that work now


def _join_series(commands: Iterable[Command]) -> list[list[Command]]:
    """Return the commands of each row of help: those of a series share a row."""
    grouped = groupby(
        commands,
        lambda command: (command.in_series, command.purpose if command.in_series else command.name),
    )
    return [list(row) for _key, row in grouped]


def _spell_keys(row: Sequence[Command], *, most: int | None = None) -> str:
    """Return the keys of a row of help, at most `most` of each command.

    Commands of a row of several have equally many keys. One without a key has the palette's.
    """
    if len(row) == 1:
        return key_names(row[0].keys[:most]) or key_name(PALETTE_KEYS[0])
    return " ".join(
        _spell_series(keys) for keys in zip(*(command.keys[:most] for command in row), strict=True)
    )


_ARROWS: Final = {"left", "right", "up", "down"}


def _spell_series(keys: Sequence[str]) -> str:
    """Return the names of the keys of a series: 1-6, Arrows, hjkl."""
    held, _plus, last = keys[0].rpartition("+")
    if _ARROWS.issuperset(key.rpartition("+")[2] for key in keys) and len(keys) == len(_ARROWS):
        # Translators: the four arrow keys.
        arrows = pgettext("key", "Arrows")
        return f"{key_name(f'{held}+x')[:-1]}{arrows}" if held else arrows
    if last.isdecimal():
        return f"{last}-{keys[-1]}" if len(keys) > 1 else last
    return "".join(map(key_name, keys))


def brief_help_lines(commands: tuple[Command, ...], columns: int) -> list[Content]:
    others = (command for command in commands if command.name not in ("help", "palette"))
    rows = _join_series(command for command in others if command.why_not() is None)
    lines: list[Content] = []
    for most in range(MAX_LINES_NOW, 0, -1):  # rows that are wrapped leave room for fewer
        shown = sorted(rows, key=lambda row: row[0].hidden)[:most]
        cells = [(_spell_keys(row, most=1), row[0].purpose) for row in rows if row in shown]
        lines = lay_in_columns(cells, columns)
        if len(lines) <= MAX_LINES_NOW:
            break
    return lines


def full_help_lines(commands: tuple[Command, ...], columns: int) -> list[Content]:
    """Return the lines on all commands by groups, and on the mouse."""
    spelt = [(_spell_keys(row), row[0]) for row in _join_series(commands)]
    most = max(width(keys) for keys, _first in spelt)
    lines: list[Content] = []
    titles = dict.fromkeys(command.group for command in commands)
    for title in sorted(titles, key=lambda title: not title):  # those without a group come last
        lines += [Content(title).stylize("bold $accent")] if title else []
        rows = [
            (pad_to(keys, most), command.purpose)
            for keys, command in spelt
            if command.group == title
        ]
        lines += [*lay_in_columns(rows, columns), Content("")]
    text = _("The mouse works too: click a row, a card or a key at the bottom.")
    return [*lines, *wrap_prose(text, columns)]
