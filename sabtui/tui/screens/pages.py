"""Screens with a page of text, or with several: what others show, and help on any screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import pad_to, width
from sabtui.text.signs import Signs
from sabtui.tui.command import PALETTE_KEYS, Command, key_name, key_names
from sabtui.tui.commands import USUAL_COLUMNS, WIDE_COLUMNS, CommandScreen
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import LinesFunction, TextPage, lay_in_columns, wrap_prose

BREADTHS: Final = [(0, "-narrow"), (USUAL_COLUMNS, "-usual"), (WIDE_COLUMNS, "-wide")]


class PageScreen(CommandScreen):
    """Page of text that scrolls."""

    AUTO_FOCUS = "TextPage"
    HORIZONTAL_BREAKPOINTS = BREADTHS

    def __init__(self, page: TextPage) -> None:
        super().__init__()
        self.page: Final = page

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """Yield the page."""
        yield Horizontal(self.page)


class PagesScreen(PageScreen):
    """Pages to turn, by titles and functions that return their lines; a wide screen lists them."""

    def __init__(self, title: str, pages: Sequence[tuple[str, LinesFunction]], at: int = 0) -> None:
        self.pages: Final = pages
        self.at = at
        self.contents: Final = Menu(
            [Content(heading) for heading, _tell in pages], title=title, marked=True
        )
        self.contents.id = "contents"
        self.contents.can_focus = False
        super().__init__(TextPage(*pages[at]))

    def body(self) -> ComposeResult:
        """Yield the titles and the page."""
        yield Horizontal(self.contents, self.page)

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        """Turn to the page whose title was clicked."""
        chosen.prevent_default()
        self.turn(self.contents.at - self.at)

    def on_mount(self) -> None:
        """Show the first page."""
        self.turn(0)

    def turn(self, by: int) -> None:
        """Turn by a number of pages, from the last to the first."""
        self.at = (self.at + by) % len(self.pages)
        self.contents.highlighted = self.at
        title, tell = self.pages[self.at]
        text = _("{number}/{count} {title}")
        named = text.format(number=self.at + 1, count=len(self.pages), title=title)
        self.page.turn_to(named, tell)


class HelpScreen(PagesScreen):
    """Help on the screen below: all its commands, then its signs."""

    def __init__(self, commands: tuple[Command, ...], signs: Signs = ()) -> None:
        pages: list[tuple[str, LinesFunction]] = [
            (capitalise(_("commands")), partial(tell_all, commands))
        ]
        if signs:
            pages.append((capitalise(_("signs")), partial(lay_in_columns, signs)))
        super().__init__(capitalise(_("help")), pages)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("next page")
        # Translators: label of the key that shows more help.
        label = pgettext("help", "more")
        yield Command("more", ("enter", "right"), label, text, self.help)
        text = _("page back")
        yield Command("before", ("left",), text, text, lambda: self.turn(-1), hidden=True)
        yield from super().commands()

    def help(self) -> None:
        """Turn the page."""
        self.turn(1)


MAX_LINES_NOW: Final = 8  # most lines of help on what works now


def _join_series(commands: Iterable[Command]) -> list[list[Command]]:
    """Return the commands of each row of help: those of a series share a row."""
    grouped = groupby(
        commands,
        lambda command: (command.series, command.purpose if command.series else command.name),
    )
    return [list(row) for _key, row in grouped]


def _spell_keys(row: Sequence[Command], *, most: int | None = None) -> str:
    """Return the keys of a row, at most `most` of each command; the palette's if it has none."""
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


def tell_now(commands: tuple[Command, ...], columns: int) -> list[Content]:
    """Return the lines on the commands that can be given now."""
    others = (command for command in commands if command.name not in ("help", "palette"))
    rows = _join_series(command for command in others if command.why_not() is None)
    lines: list[Content] = []
    for most in range(MAX_LINES_NOW, 0, -1):  # rows that are wrapped leave room for fewer
        shown = sorted(rows, key=lambda row: row[0].hidden)[:most]
        told = [(_spell_keys(row, most=1), row[0].purpose) for row in rows if row in shown]
        lines = lay_in_columns(told, columns)
        if len(lines) <= MAX_LINES_NOW:
            break
    return lines


def tell_all(commands: tuple[Command, ...], columns: int) -> list[Content]:
    """Return the lines on all commands by groups, and on the mouse."""
    told = [(_spell_keys(row), row[0]) for row in _join_series(commands)]
    most = max(width(keys) for keys, _first in told)
    lines: list[Content] = []
    titles = dict.fromkeys(command.group for command in commands)
    for title in sorted(titles, key=lambda title: not title):  # those without a group come last
        lines += [Content(title).stylize("bold $accent")] if title else []
        rows = [
            (pad_to(keys, most), command.purpose)
            for keys, command in told
            if command.group == title
        ]
        lines += [*lay_in_columns(rows, columns), Content("")]
    text = _("The mouse works too: click a row, a card or a key at the bottom.")
    return [*lines, *wrap_prose(text, columns)]
