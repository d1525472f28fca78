"""Commands: the one list that keys, footer, palette and help of a screen share.

Knows what a command is and how a screen obeys it. Knows no screen in particular, and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from sabtui.screen.foot import Foot, Key
from sabtui.screen.house import House
from sabtui.screen.keys import key_name, key_names, typed_by
from sabtui.words.tongue import _, pgettext


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
class Question:
    """A question that yes or anything else answers, and what yes does."""

    do: Callable[[], None]
    focused: Widget | None


PALETTE_KEYS: Final = ("ctrl+p", "f10", "colon")
"""Keys that open the palette, where every command is found, those too that have no key."""

YES: Final = frozenset(("y", "enter", "ctrl+c"))
"""Keys that say yes in any language. Whoever asked by Ctrl+C says it by the same key."""


class Commanded(Screen[None]):
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
        self.foot: Final = Foot()
        self.question: Question | None = None
        self.by_name: Final = {command.name: command for command in self._all_commands()}
        bound: dict[str, str] = {}
        for command in self.by_name.values():
            for key in command.keys:
                if bound.setdefault(key, command.name) == command.name:
                    self._bindings.bind(key, f"screen.command({command.name!r})", show=False)

    def again(self) -> Commanded:
        """The same screen anew, in another language. For those that can be below the settings."""
        return type(self)()

    @property
    def house(self) -> House:
        """The app, as far as a screen may know it."""
        return cast("House", self.app)

    def commands(self) -> Iterable[Command]:
        """What can be asked of this screen, the most useful first."""
        return ()

    def body(self) -> ComposeResult:
        """The widgets above the foot."""
        yield from ()

    def compose(self) -> ComposeResult:
        """The screen's widgets and the foot."""
        yield from self.body()
        yield self.foot

    @property
    def offered(self) -> tuple[Command, ...]:
        """The commands that whoever is at this screen can do now or later."""
        return tuple(command for command in self.by_name.values() if command.concerns())

    def _all_commands(self) -> Iterable[Command]:
        told = _("what can be done here")
        yield Command("help", ("question_mark", "f1"), _("help"), told, self.help)
        yield from self.commands()
        told = _("find a command by its name")
        # Translators: all commands, in a list.
        label = pgettext("label", "all")
        yield Command("palette", PALETTE_KEYS, label, told, self.palette)

    def on_mount(self) -> None:
        """Show what can be done."""
        self.look_again()

    def on_screen_resume(self) -> None:
        """Show what can be done, at first and after another screen was on top."""
        self.house.show_cursor(shown=self.SHOWS_CURSOR)
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
        self.foot.show_keys(
            [_key(*one) for one in shown if one not in out], [_key(*one) for one in out]
        )

    def say(self, text: str) -> None:
        """Say one sentence in the status line, or nothing."""
        self.foot.say(text)

    def ask(self, question: str, do: Callable[[], None]) -> None:
        """Ask in the status line; the next key answers, and only yes does it."""
        self.question = Question(do, self.focused)
        self.set_focus(None)
        self.say(_("{question} {y}: yes, n: no").format(question=question, y=_key_of_yes()))

    def action_command(self, name: str) -> None:
        """Do a command, or say why not."""
        self.obey(self.by_name[name])

    def obey(self, command: Command) -> None:
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
        if key.casefold() in YES | {_key_of_yes()}:
            question.do()

    def show(self, screen: Screen[None]) -> None:
        """Show another screen on top of this one."""
        self.app.call_later(self.app.push_screen, screen)

    def back(self) -> None:
        """Go back to the screen below."""
        self.app.call_later(self.app.pop_screen)

    def on_foot_pressed(self, pressed: Foot.Pressed) -> None:
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
        from sabtui.screen.help import Help  # noqa: PLC0415 - not at start

        self.show(Help(self.offered))

    def palette(self) -> None:
        """Find a command by its name."""
        from sabtui.screen.palette import Palette  # noqa: PLC0415 - not at start

        self.show(Palette(self))


def _key_of_yes() -> str:
    """The letter that says yes in the reader's language."""
    # Translators: the small letter of one key, the first of your word for yes.
    return pgettext("key for yes", "y")


def _types_nothing(key: str) -> bool:
    return not typed_by(key)


def _any_key(_key: str) -> bool:
    return True


def _key(spelt: str, command: Command) -> Key:
    """A command as the footer shows it."""
    return spelt, command.label, command.name
