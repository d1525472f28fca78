"""Screens with a page of text, or with several: what others show, and help on any screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.signs import Signs
from sabtui.tui.command import Command
from sabtui.tui.command_screen import USUAL_COLUMNS, WIDE_COLUMNS, CommandScreen
from sabtui.tui.help_lines import full_help_lines
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import LinesFunction, TextPage, lay_in_columns

BREADTHS: Final = [(0, "-narrow"), (USUAL_COLUMNS, "-usual"), (WIDE_COLUMNS, "-wide")]


class PageScreen(CommandScreen):
    """Page of text that scrolls."""

    AUTO_FOCUS = "TextPage"
    HORIZONTAL_BREAKPOINTS = BREADTHS

    def __init__(self, page: TextPage) -> None:
        super().__init__()
        self.page: Final = page

    def commands(self) -> Iterable[Command]:
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
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
        yield Horizontal(self.contents, self.page)

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        chosen.prevent_default()
        self.turn(self.contents.at - self.at)

    def on_mount(self) -> None:
        self.turn(0)

    def turn(self, by: int) -> None:
        self.at = (self.at + by) % len(self.pages)
        self.contents.highlighted = self.at
        title, draw_lines = self.pages[self.at]
        self.page.turn_to(f"{self.at + 1}/{len(self.pages)} {title}", draw_lines)


class HelpScreen(PagesScreen):
    """Help on the screen below: all its commands, then its signs."""

    def __init__(self, commands: tuple[Command, ...], signs: Signs = ()) -> None:
        pages: list[tuple[str, LinesFunction]] = [
            (capitalise(_("commands")), partial(full_help_lines, commands))
        ]
        if signs:
            pages.append((capitalise(_("signs")), partial(lay_in_columns, signs)))
        super().__init__(capitalise(_("help")), pages)

    def commands(self) -> Iterable[Command]:
        text = _("next page")
        # Translators: label of the key that shows more help.
        label = pgettext("help", "more")
        yield Command("more", ("enter", "right"), label, text, self.help)
        text = _("previous page")
        yield Command("before", ("left",), text, text, lambda: self.turn(-1), hidden=True)
        yield from super().commands()

    def help(self) -> None:
        self.turn(1)
