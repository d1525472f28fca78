"""Command; CommandScreen with footer, help, palette.

Commands: the one list that keys, footer, palette and help of a screen share.

Help: all that can be asked of the screen beneath, from its own commands.

The palette: the commands of the screen beneath, found by a few letters of what they are for.

Made of our own list and line: Textual's costs sixty kilobytes over SSH, and has signs that not
all terminals show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from sabtui.text.i18n import _, pgettext
from sabtui.text.names import width
from sabtui.tui.context import AppContext
from sabtui.tui.keyboard import key_name, key_names, typed_by
from sabtui.tui.widgets.footer import FooterKey, StatusFooter
from sabtui.tui.widgets.form import LabelledField, TextField
from sabtui.tui.widgets.list import Menu
from sabtui.tui.widgets.text import TextPage, in_columns, prose


def always() -> str | None:
    """What a command answers that is always there."""
    return None


def for_all() -> bool:
    """Return that a command is for whoever is at the screen."""
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """Something a player can ask of a screen.

    `keys` are Textual's names of keys, the one to show first; a second key is for terminals that
    eat the first. `label` is a word for the footer, `purpose` a phrase for help and palette.
    `why_not` gives the sentence that says why it cannot be done now, `None` where it can be.
    `hidden` keeps it out of the footer, never out of help. `concerns` tells whether whoever is at
    the screen can ever do it: a guest cannot pause the game, so nothing offers that to a guest.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    purpose: str
    do: Callable[[], None]
    why_not: Callable[[], str | None] = always
    hidden: bool = False
    concerns: Callable[[], bool] = for_all

    @property
    def spelt(self) -> str:
        """All its keys, as a player reads them."""
        return key_names(self.keys)


@dataclass(frozen=True, slots=True)
class Confirm:
    """A question that yes or anything else answers, and what yes does."""

    do: Callable[[], None]
    focused: Widget | None


PALETTE_KEYS: Final = ("ctrl+p", "f10", "colon")
"""Keys that open the palette, where every command is found, those too that have no key."""

YES_KEYS: Final = frozenset(("y", "enter", "ctrl+c"))
"""Keys that say yes in any language. Whoever asked by Ctrl+C says it by the same key."""


class CommandScreen(Screen[None]):
    """A screen that is driven by commands, with a foot of two lines: status and keys.

    A screen of this kind has `commands`, the most useful first, and `body`, its widgets; it calls
    `look_again` when what can be done may have changed.
    """

    AUTO_FOCUS = ""
    SHOWS_CURSOR: ClassVar[bool] = False
    """Whether the terminal's own cursor is seen, where the screen puts it."""

    # As Textual has it, but for the repainting of all whenever something else gets the focus.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self) -> None:
        super().__init__()
        self.footer: Final = StatusFooter()
        self.question: Confirm | None = None
        self.by_name: Final = {command.name: command for command in self._all_commands()}
        bound: dict[str, str] = {}
        for command in self.by_name.values():
            for key in command.keys:
                if bound.setdefault(key, command.name) == command.name:
                    self._bindings.bind(key, f"screen.command({command.name!r})", show=False)

    def again(self) -> CommandScreen:
        """The same screen anew, in another language. For those that can be below the settings."""
        return type(self)()

    @property
    def context(self) -> AppContext:
        """The app, as far as a screen may know it."""
        return cast("AppContext", self.app)

    def commands(self) -> Iterable[Command]:
        """What can be asked of this screen, the most useful first."""
        return ()

    def body(self) -> ComposeResult:
        """The widgets above the foot."""
        yield from ()

    def compose(self) -> ComposeResult:
        """The screen's widgets and the foot."""
        yield from self.body()
        yield self.footer

    @property
    def offered(self) -> tuple[Command, ...]:
        """The commands that whoever is at this screen can do now or later."""
        return tuple(command for command in self.by_name.values() if command.concerns())

    def _all_commands(self) -> Iterable[Command]:
        text = _("what can be done here")
        yield Command("help", ("question_mark", "f1"), _("help"), text, self.help)
        yield from self.commands()
        text = _("find a command by its name")
        # Translators: all commands, in a list.
        label = pgettext("label", "all")
        yield Command("palette", PALETTE_KEYS, label, text, self.palette)

    def on_mount(self) -> None:
        """Show what can be done."""
        self.look_again()

    def on_screen_resume(self) -> None:
        """Show what can be done, at first and after another screen was on top."""
        self.context.show_cursor(shown=self.SHOWS_CURSOR)
        self.look_again()

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """Show what can be done: letters are typed into a line, and are commands elsewhere."""
        self.look_again()

    def on_descendant_blur(self, _event: events.DescendantBlur) -> None:
        """Show what can be done once nothing has the focus."""
        self.look_again()

    def look_again(self) -> None:
        """Show what can be done now, and always how to get out."""
        usable = _types_nothing if isinstance(self.focused, Input) else _any_key
        shown = [
            (key_name(keys[0]), command)
            for command in self.by_name.values()
            if (keys := [key for key in command.keys if usable(key)])
            and not command.hidden
            and command.why_not() is None
        ]
        out = [one for one in shown if "escape" in one[1].keys]
        self.footer.show_keys(
            [_key(*one) for one in shown if one not in out], [_key(*one) for one in out]
        )

    def say(self, text: str) -> None:
        """Say one sentence in the status line, or nothing."""
        self.footer.say(text)

    def ask(self, question: str, do: Callable[[], None]) -> None:
        """Ask in the status line; the next key answers, and only yes does it."""
        self.question = Confirm(do, self.focused)
        self.set_focus(None)
        self.say(_("{question} {y}: yes, n: no").format(question=question, y=_key_of_yes()))

    def action_command(self, name: str) -> None:
        """Do a command, or say why not."""
        self.run_command(self.by_name[name])

    def run_command(self, command: Command) -> None:
        """Do a command, or say why not."""
        why_not = command.why_not()
        self.say(why_not or "")
        if why_not is None:
            command.do()
            if self.is_attached:
                self.look_again()

    def on_key(self, event: events.Key) -> None:
        """Take the answer to a question that was asked; say so where a key does nothing.

        What is typed into a line never gets here, and bindings are looked at after this.
        """
        if self.question is not None:
            event.stop()
            event.prevent_default()
            self.answer(event.key)
        elif event.key not in self.active_bindings:
            self.say(self.unbound(event))

    def unbound(self, event: events.Key) -> str:
        """Return the sentence to say about a key that does nothing on this screen."""
        helps = self.by_name["help"].keys
        usable = _types_nothing if isinstance(self.focused, Input) else _any_key
        return _("{key} does nothing here. {help} shows what can be done.").format(
            key=key_name(event.key), help=key_name(next(filter(usable, helps)))
        )

    def answer(self, key: str) -> None:
        """Take a key as the answer to the question."""
        question, self.question = self.question, None
        assert question is not None
        self.say("")
        self.set_focus(question.focused)
        if key.casefold() in YES_KEYS | {_key_of_yes()}:
            question.do()

    def show(self, screen: Screen[None]) -> None:
        """Show another screen on top of this one."""
        self.app.call_later(self.app.push_screen, screen)

    def back(self) -> None:
        """Go back to the screen below."""
        self.app.call_later(self.app.pop_screen)

    def on_status_footer_pressed(self, pressed: StatusFooter.Pressed) -> None:
        """Do the command whose key was clicked in the footer."""
        self.action_command(pressed.name)

    def form_commands(self, next_row: str) -> Iterable[Command]:
        """What a screen with rows to fill in shares: going from one to the other."""
        label = pgettext("row", "next")
        yield Command("next", ("down", "tab"), label, next_row, self._next)
        label = pgettext("row", "before")
        yield Command("before", ("up",), label, _("the row before"), self._before, hidden=True)

    def _next(self) -> None:
        self.focus_next()

    def _before(self) -> None:
        self.focus_previous()

    def help(self) -> None:
        """Show what can be done here."""
        self.show(HelpScreen(self.offered))

    def palette(self) -> None:
        """Find a command by its name."""
        self.show(PaletteScreen(self))


def _key_of_yes() -> str:
    """The letter that says yes in the reader's language."""
    # Translators: the small letter of one key, the first of your word for yes.
    return pgettext("key for yes", "y")


def _types_nothing(key: str) -> bool:
    return not typed_by(key)


def _any_key(_key: str) -> bool:
    return True


def _key(spelt: str, command: Command) -> FooterKey:
    """A command as the footer shows it."""
    return spelt, command.label, command.name


class HelpScreen(CommandScreen):
    """What can be done on the screen beneath, and why not where it cannot be now."""

    AUTO_FOCUS = "TextPage"

    def __init__(self, commands: tuple[Command, ...]) -> None:
        self.told = commands
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """The list, in a page that scrolls."""
        yield TextPage(_("What you can do here"), self.lines)

    def lines(self, columns: int) -> list[Content]:
        """A command a line."""
        palette = key_name(PALETTE_KEYS[0])
        rows = ((command.spelt or palette, _purpose(command)) for command in self.told)
        text = _("The mouse does it too: click a row, a card or a key at the foot.")
        return [*in_columns(rows, columns), Content(""), *prose(text, columns)]


def _purpose(command: Command) -> str:
    """What a command is for, and why it cannot be done now."""
    why_not = command.why_not()
    if why_not is None:
        return command.purpose
    return _("{purpose}. Not now: {why_not}").format(purpose=command.purpose, why_not=why_not)


KEY_COLUMNS: Final = 16
"""Columns of a command's keys."""


class PaletteScreen(CommandScreen):
    """The commands of the screen beneath, those first that can be done now."""

    AUTO_FOCUS = "TextField"
    DEFAULT_CSS = """
    PaletteScreen > LabelledField {
        margin-bottom: 1;
    }
    """

    def __init__(self, beneath: CommandScreen) -> None:
        self.beneath = beneath
        self.found: tuple[Command, ...] = ()
        super().__init__()
        self.line: Final = TextField("what", "", 60, "", _("type what you want to do"))
        self.menu: Final = Menu(empty=_("  Nothing of that name can be done here."))

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command("do", ("enter",), _("do it"), _("do what is under the cursor"), self.do)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)
        yield Command(
            "down", ("down",), pgettext("row", "next"), _("the next row"), lambda: self.move(1)
        )
        text = _("the row before")
        yield Command(
            "up", ("up",), pgettext("row", "before"), text, lambda: self.move(-1), hidden=True
        )

    def body(self) -> ComposeResult:
        """A line to type, and what it may mean."""
        yield LabelledField(_("Commands"), self.line)
        yield self.menu

    def on_mount(self) -> None:
        """List all."""
        self.find("")

    def on_input_changed(self, changed: Input.Changed) -> None:
        """List what the letters may mean."""
        self.find(changed.value)

    def on_input_submitted(self, _submitted: Input.Submitted) -> None:
        """Do what is under the cursor."""
        self.do()

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Do what was clicked."""
        self.do()

    def find(self, typed: str) -> None:
        """List the commands that match what is typed, the best matches first.

        Among equal matches those come first that can be done now.
        """
        found = [
            (rank, command.why_not() is not None, command)
            for command in self.beneath.offered
            if command.do != self.beneath.palette
            and (rank := _match(typed, f"{command.label} {command.purpose}")) is not None
        ]
        found.sort(key=lambda one: one[:2])
        self.found = tuple(command for _rank, _idle, command in found)
        self.menu.show([_row(command) for command in self.found], 0)

    def move(self, rows: int) -> None:
        """Go up or down the list, while typing."""
        self.menu.action_move(rows)

    def do(self) -> None:
        """Do what is under the cursor, on the screen beneath."""
        if self.found:
            command = self.found[self.menu.at]
            self.back()
            self.app.call_later(self.beneath.run_command, command)


def _match(typed: str, text: str) -> int | None:
    """Rank a text by how well it matches what was typed, best first; `None` where it does not.

    A phrase goes before whole words, those before beginnings of words, and what is only within
    others comes last.
    """
    words, text = typed.casefold().split(), text.casefold()
    if not all(word in text for word in words):
        return None
    patterns = [re.escape(word) for word in words]
    if re.search(rf"\b{' '.join(patterns)}", text):
        return 0
    if all(re.search(rf"\b{pattern}\b", text) for pattern in patterns):
        return 1
    return 2 if all(re.search(rf"\b{pattern}", text) for pattern in patterns) else 3


def _row(command: Command) -> Content:
    """A command: its keys, what it is for, and why it cannot be done now."""
    keys = command.spelt
    gap = " " * max(KEY_COLUMNS - width(keys), 1)
    why_not = command.why_not()
    text = command.purpose
    if why_not is not None:
        text = _("{purpose}. Not now: {why_not}").format(purpose=text, why_not=why_not)
    return Content(keys).stylize("bold $accent") + Content(gap + text)
