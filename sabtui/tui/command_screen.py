"""Screens driven by commands: one list for their keys, footer, help and palette."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from net.protocol.cleaning import sanitise
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.signs import Signs
from sabtui.tui.command import (
    LEAVE,
    PALETTE_KEYS,
    Command,
    character_of,
    key_name,
)
from sabtui.tui.widgets.footer import FooterKey, StatusFooter
from sabtui.tui.widgets.menu import Menu

if TYPE_CHECKING:
    from sabtui.tui.context import Context
    from sabtui.tui.palette import CommandPalette
    from sabtui.tui.widgets.box import OverBox
    from sabtui.tui.widgets.form import TextField
    from sabtui.tui.widgets.text import LinesFunction


class Confirm(NamedTuple):
    """The possible answers to an open yes/no question."""

    do: Callable[[], None]  # called on yes
    focused: Widget | None  # gets the focus again after the answer
    yes: frozenset[str]  # keys that mean yes
    no: Callable[[], None] | None = None
    """Called on a key of `NO_KEYS`, others being ignored; `None` if every other key means no."""


YES_KEYS: Final = frozenset(("y", "enter", "ctrl+c"))
"""Keys that mean yes in any language: a second Ctrl+C confirms what the first one asked."""

USUAL_COLUMNS, WIDE_COLUMNS, BOXED_ROWS, ROOMY_ROWS = 80, 100, 24, 36
BREADTHS: Final = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]
HEIGHTS: Final = [(0, "-low"), (BOXED_ROWS, "-high"), (ROOMY_ROWS, "-roomy")]
"""Minimum sizes of screens made of boxes, each with the class that it sets."""

MORE_KEYS: Final = frozenset(("enter", "question_mark", "f1"))
"""Keys that open the full page from a box."""

NO_KEYS: Final = frozenset(("n", "escape"))
"""Keys that mean no to a question that the table asks, without a key of the player."""

SEARCH: Final = "search"  # group of workers


class CommandScreen(Screen[None]):
    """Screen driven by commands, with a footer for status and keys.

    A subclass defines `commands`, the most useful first, and `body`, its widgets. It calls
    `update_commands` whenever the available commands may have changed.
    """

    AUTO_FOCUS = ""
    DEFAULT_CSS = "CommandScreen { layers: default palette; }"
    # As in Textual, but a change of focus does not repaint the whole screen.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self) -> None:
        super().__init__()
        self.footer: Final = StatusFooter()
        self.question: Confirm | None = None
        self.over = ""
        """What Enter does in the palette or a box over the screen, a word for the footer."""
        self.palette: CommandPalette | OverBox | None = None
        commands = tuple(self._all_commands())
        self.by_name: Final = {command.name: command for command in commands}
        assert len(self.by_name) == len(commands), "two commands of one name"
        self._bound: Final = dict[str, str]()
        keys = [(key, command.name) for command in commands for key in command.keys]
        spare = [(key, command.name) for command in commands for key in command.spare_keys]
        for key, name in (*keys, *spare):
            if self._bound.setdefault(key, name) == name:
                self._bindings.bind(key, f"screen.command({name!r})", show=False)

    def remake(self) -> CommandScreen | None:
        """Return a copy in the new language, `None` if this screen is to close instead."""
        return None

    @property
    def context(self) -> Context:
        return cast("Context", self.app)

    def commands(self) -> Iterable[Command]:
        return ()

    def body(self) -> ComposeResult:
        yield from ()

    def compose(self) -> ComposeResult:
        self._set_size_classes()
        yield from self.body()
        yield self.footer

    def _set_size_classes(self) -> None:
        """Set the classes of the breakpoints now: Textual does so once it has drawn all."""
        breakpoints = self.HORIZONTAL_BREAKPOINTS or [], self.VERTICAL_BREAKPOINTS or []
        for cells, steps in zip(self.app.size, breakpoints, strict=True):
            reached = [name for least, name in steps if least <= cells]
            self.add_class(*reached[-1:], update=False)

    @property
    def offered(self) -> tuple[Command, ...]:
        return tuple(command for command in self.by_name.values() if command.concerns())

    def _all_commands(self) -> Iterable[Command]:
        """Yield the commands of this screen, between those of every screen."""
        text = _("what you can do here")
        yield Command("help", ("question_mark", "f1"), _("help"), text, self.help)
        yield from self.commands()
        text = _("find a command by its name")
        # Translators: all commands, in a list.
        label = pgettext("label", "all")
        yield Command("palette", PALETTE_KEYS, label, text, self.open_palette)

    def on_mount(self) -> None:
        self.update_commands()

    def on_screen_resume(self) -> None:
        """Update the commands, and hide the terminal's own cursor, which some screens show."""
        self.context.show_cursor(shown=False)
        self.update_commands()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def follow_focus(self) -> None:
        """Update the available commands: in a text field, letters are text and not commands."""
        self.update_commands()

    def update_commands(self) -> None:
        """Update the footer: the available commands, and always those on Escape."""
        if self.palette is not None:
            do = FooterKey(key_name("enter"), self.over, "enter")
            back = FooterKey(key_name("escape"), _("back"), "escape")
            self.footer.show_keys([do] if self.over else [], [back])
            return
        usable, shown = self._find_usable(), dict[str, tuple[FooterKey, Command]]()
        for command in self.by_name.values():
            if not (command.hidden or command.in_series) and command.concerns():
                free = (key for key in command.keys if usable(key) and key not in shown)
                if (key := next(free, None)) is not None and command.why_not() is None:
                    shown[key] = FooterKey(key_name(key), command.label, command.name), command
        ways_out = [key for key, command in shown.values() if "escape" in command.keys]
        ways_out = ways_out or [key for key, command in shown.values() if command.name == LEAVE]
        keys = [key for key, _command in shown.values() if key not in ways_out]
        self.footer.show_keys(keys, ways_out)

    def _find_usable(self) -> Callable[[str], bool]:
        """Return a test of whether a key gives a command now: in a text field, letters are text."""
        focused = self.focused
        if isinstance(focused, OptionList) and not isinstance(focused, Menu):
            return lambda key: not key.isalpha()
        if isinstance(focused, Input):
            return lambda key: not character_of(key) and key not in EDITING_KEYS
        return bool

    def say(self, text: str) -> None:
        self.footer.say(text)

    def ask(self, question: str, do: Callable[[], None], *, is_final: bool = False) -> None:
        """Ask a question in the status line; `do` runs on yes, but not on Enter if `is_final`."""
        yes = YES_KEYS - {"enter"} if is_final else YES_KEYS
        self.open_question(question, Confirm(do, self.focused, yes | {key_of_yes()}))

    def open_question(self, question: str, confirm: Confirm) -> None:
        """Ask a question in the status line, with these answers."""
        self.question = confirm
        self.set_focus(None)
        self.say(_("{question} {y}: yes, n: no").format(question=question, y=key_of_yes()))

    def close_question(self) -> Confirm:
        question, self.question = self.question, None
        assert question is not None
        self.say("")
        self.set_focus(question.focused)
        return question

    def action_command(self, name: str) -> None:
        """Run a command by name, or say why it is unavailable, or not for this player."""
        command = self._find_meant(self.by_name[name])
        why_not = command.why_not()
        if why_not is None and not command.concerns():
            why_not = self._describe_unused_key(command.keys[0])
        self.say(why_not or "")
        if why_not is None:
            command.do()
            if self.is_attached:
                self.update_commands()

    def _find_meant(self, command: Command) -> Command:
        if command.concerns():
            return command
        keys = frozenset(command.keys)
        return next(
            (command for command in self.offered if keys.intersection(command.keys)), command
        )

    def on_key(self, event: events.Key) -> None:
        """Answer the open question, or report a key that has no binding and types nothing."""
        if self.question is not None:
            event.stop()
            event.prevent_default()
            self.answer(event.key)
        elif event.key not in self.active_bindings:
            self.say(self.describe_unbound_key(event))

    def describe_unbound_key(self, event: events.Key) -> str:
        """Return the sentence to say about a key that does nothing on this screen."""
        capital = event.character or ""
        small = capital.lower()
        name = self._bound.get(small) if small != capital else None
        if name is None or not self.by_name[name].concerns():
            return self._describe_unused_key(event.key)
        text = _("{capital} does nothing here, but {small} does. Is Caps Lock on?")
        return text.format(capital=capital, small=small)

    def _describe_unused_key(self, key: str) -> str:
        """Return the sentence for a key without a use here, "" for Escape, pressed to be sure."""
        if key == "escape":
            return ""
        helps = filter(self._find_usable(), self.by_name["help"].keys)
        return _("{key} does nothing here. {help} shows what you can do.").format(
            key=key_name(key), help=key_name(next(helps))
        )

    def answer(self, key: str) -> None:
        question, letter = self.question, key.casefold()
        assert question is not None
        if question.no is not None and letter not in question.yes | NO_KEYS:
            return
        self.close_question()
        if letter in question.yes:
            question.do()
        elif question.no is not None:
            question.no()

    def interrupt(self) -> bool:
        """Do what Ctrl+C does here and return True, or False if it quits."""
        return False

    def show(self, screen: Screen[None]) -> None:
        """Show another screen on top of this one, unless this one has been replaced meanwhile."""
        self.app.call_later(self._push, screen)

    async def _push(self, screen: Screen[None]) -> None:
        if self.is_current:
            await self.app.push_screen(screen)

    def back(self) -> None:
        """Return to the screen below, unless this one has been replaced meanwhile."""
        self.app.call_later(self._pop)

    async def _pop(self) -> None:
        if self.is_current:
            await self.app.pop_screen()

    def on_status_footer_pressed(self, pressed: StatusFooter.Pressed) -> None:
        if self.palette is not None:
            self.palette.press(pressed.name)
        else:
            self.action_command(pressed.name)

    def on_option_list_option_selected(self, _chosen: Menu.OptionSelected) -> None:
        """Run the command of Enter: a click on a row means the same."""
        self.action_command(self._bound["enter"])

    def on_row_table_chosen(self) -> None:
        self.action_command(self._bound["enter"])

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.take_line(submitted.value)

    def on_text_field_full(self, full: TextField.Full) -> None:
        full.stop()
        self.say(full.text)

    def take_line(self, _text: str) -> None:
        """Process a typed text: run the command of Enter, unless a screen does something else."""
        self.action_command(self._bound["enter"])

    def signs(self) -> Signs:
        """Return the signs of this screen for help to explain, () on most screens."""
        return ()

    def help(self) -> None:
        from sabtui.tui.help_lines import brief_help_lines  # noqa: PLC0415 - not for the first frame

        self.open_box(
            capitalise(_("what you can do here")),
            partial(brief_help_lines, self.offered),
            lambda: self.context.open_help(self.offered, self.signs()),
        )

    def open_box(
        self, title: str, draw_lines: LinesFunction, more: Callable[[], None] | None = None
    ) -> None:
        """Show lines in a box over the screen until the next key; Enter opens `more`."""
        self.app.call_later(self._open_box, title, draw_lines, more)

    def open_settings(self) -> None:
        self.context.open_settings()

    def read_rules(self) -> None:
        self.context.open_rules()

    def open_palette(self) -> None:
        title, hint = capitalise(_("commands")), _("find a command by its name")
        self.app.call_later(self._open_palette, title, hint, self.list_palette_commands())

    def list_palette_commands(self) -> list[Command]:
        """Return the commands of the palette, hidden ones last."""
        return [
            replace(
                command,
                purpose=capitalise(command.purpose),
                do=partial(self.action_command, command.name),
            )
            for command in sorted(self.offered, key=lambda command: command.hidden)
            if command.name != "palette" and not command.in_series
        ]

    def pick(self, question: str, answers: Sequence[str], take: Callable[[int], object]) -> None:
        """Ask a question over the screen; `take` receives the index of the picked answer.

        A digit picks, too, unless answers contain digits: then it searches for them.
        """
        digits = "" if any(map(str.isdecimal, "".join(answers))) else "123456789"
        rows = [
            Command(answer, tuple(digits[at : at + 1]), "", sanitise(answer), partial(take, at))
            for at, answer in enumerate(answers)
        ]
        self.app.call_later(self._open_palette, question, "", rows)

    async def _open_box(
        self, title: str, draw_lines: LinesFunction, more: Callable[[], None] | None
    ) -> None:
        if not self.is_current or self.palette is not None or self.question is not None:
            return
        from sabtui.tui.widgets.box import OverBox  # noqa: PLC0415 - not for the first frame

        focused = self.focused

        def close(key: str) -> None:
            if self._close_over(box, focused if key else None) and more and key in MORE_KEYS:
                more()

        box = OverBox(title, draw_lines, close)
        # Translators: label of the key that shows more help.
        await self._lay_over(box, pgettext("help", "more") if more else "")

    async def _lay_over(self, over: CommandPalette | OverBox, does: str) -> None:
        """Lay a palette or a box over the screen; `does` is what Enter does there."""
        self.palette, self.over = over, does
        await self.mount(over)
        self.fit_palette()
        self.set_focus(getattr(over, "line", over))
        self.update_commands()

    def _close_over(self, over: CommandPalette | OverBox, focused: Widget | None) -> bool:
        """Close the overlay; return False if it is closed already."""
        if self.palette is not over:
            return False
        self.call_later(over.remove)
        self.palette = None
        self.say("")
        if self.question is None:
            self.set_focus(focused)
        self.update_commands()
        return True

    async def _open_palette(self, title: str, hint: str, commands: Sequence[Command]) -> None:
        if not self.is_current or self.palette is not None:
            return
        focused = self.focused

        def close(command: Command | None) -> None:
            if self._close_over(palette, focused) and command is not None:
                command.do()
                self.update_commands()

        from sabtui.tui.palette import CommandPalette  # noqa: PLC0415 - not for the first frame

        palette = CommandPalette(title, hint, commands, self.say, close)
        await self._lay_over(palette, _("do it"))

    @on(events.Resize)
    def fit_palette(self) -> None:
        if self.palette is not None:
            self.palette.fit(self.app.size)


class SearchScreen(CommandScreen):
    """Screen that searches the network for tables, in workers of the group `SEARCH`.

    It stops while another screen covers it: a search wakes 20 times a second.
    """

    @abstractmethod
    def search(self) -> None:
        """Start the search; called whenever the screen is shown."""

    def on_screen_resume(self) -> None:
        self.search()

    def on_screen_suspend(self) -> None:
        self.workers.cancel_group(self, SEARCH)


def key_of_yes() -> str:
    """Return the letter that means yes in the player's language."""
    # Translators: the small letter of one key, the first of your word for yes.
    return pgettext("key for yes", "y")


EDITING_KEYS: Final = frozenset(
    key for binding in Binding.make_bindings(Input.BINDINGS) for key in binding.key.split(",")
) - {"enter"}
"""Keys that a text field keeps for itself, except that the screen acts on Enter."""
