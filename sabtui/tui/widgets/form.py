"""Forms: boxes of rows with a text field, a list or a switch, and a hint for the focused row.

The line for chat is a text field too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Select, Static, Switch

from net.protocol.cleaning import MAX_CHAT_BYTES, MAX_NAME_BYTES, sanitise
from sabtui.text.i18n import _, enter_does
from sabtui.text.layout import confine_lines, cut_off_sentence, cut_to_name, cut_to_talk, width
from sabtui.tui.widgets.menu import CUT
from sabtui.tui.widgets.text import cut_short, describe_position


@dataclass(frozen=True, slots=True)
class Option:
    """One of the choices of a row."""

    value: str
    shown: str
    note: str = ""  # its hint


class LabelledField(Horizontal):
    """Label and field."""

    def __init__(self, label: str, field: Widget, *, name: str | None = None) -> None:
        super().__init__(name=name)
        self.label: Final = label
        self.field: Final = field

    @property
    def note(self) -> str:
        return self.field.note if isinstance(self.field, TextField) else ""

    def compose(self) -> ComposeResult:
        yield Static(self.label, markup=False, classes="label")
        yield self.field


class Dropdown(Select[str], inherit_bindings=False):
    """Select of one row that opens by Space: Enter is the form's, Up and Down leave the row."""

    BINDINGS: ClassVar[list[BindingType]] = [("space", "show_overlay")]


class OnOff(Switch, inherit_bindings=False):
    """Switch that turns by Space: Enter is the form's, whose command turns it, too."""

    BINDINGS: ClassVar[list[BindingType]] = [("space", "toggle_switch")]


class ChoiceRow(LabelledField):
    """Row with one of several choices: in a list, or as a switch of two, with the value `on`."""

    BINDINGS: ClassVar[list[BindingType]] = [("left", "turn(-1)"), ("right", "turn(1)")]

    @dataclass
    class Changed(Message):
        """Message: another choice was made."""

        choice: ChoiceRow

    def __init__(
        self, name: str, label: str, options: Sequence[Option], value: str, *, on: str = ""
    ) -> None:
        self.options = tuple(options)
        self._on = on
        self._at = self._find(value)
        field: Widget
        if on:
            field = OnOff(self.value == on, animate=False)
        else:
            field = Dropdown(_prompts(options), value=self.value, allow_blank=False, compact=True)
        super().__init__(label, field, name=name)
        self._usual = self.value

    def compose(self) -> ComposeResult:
        yield from super().compose()
        if self._on:
            yield Static(self.options[self._at].shown, markup=False, classes="word")

    def _find(self, value: str) -> int:
        """Return the place of the option with this value, or else of the first."""
        values = [option.value for option in self.options]
        return values.index(value) if value in values else 0

    def offer(self, options: Sequence[Option], value: str) -> None:
        """Replace the options, and choose the one with this value, or else the first."""
        self.options = tuple(options)
        if isinstance(self.field, Dropdown):
            with self.prevent(Select.Changed):
                self.field.set_options(_prompts(options))
        self.choose(value)

    def choose(self, value: str) -> None:
        """Choose the option with this value, or else the first, without posting `Changed`."""
        self._at = self._find(value)
        with self.prevent(Select.Changed, Switch.Changed):
            if isinstance(self.field, Dropdown):
                self.field.value = self.value
            elif isinstance(self.field, OnOff):
                self.field.value = self.value == self._on
        for word in self.query(".word").results(Static):
            word.update(self.options[self._at].shown)

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - as Textual has it
        self.field.focus(scroll_visible)
        return self

    @property
    def value(self) -> str:
        return self.options[self._at].value

    @property
    def is_changed(self) -> bool:
        """True if another option is chosen than at first."""
        return self.value != self._usual

    @property
    def note(self) -> str:
        return self.options[self._at].note

    def action_turn(self, by: int) -> None:
        """Choose the option `by` places further, in a cycle."""
        self._take(self.options[(self._at + by) % len(self.options)].value)

    def on_select_changed(self, changed: Select.Changed) -> None:
        changed.stop()
        self._take(str(changed.value))

    def on_switch_changed(self, changed: Switch.Changed) -> None:
        changed.stop()
        if changed.value is not (self.value == self._on):
            self.action_turn(1)

    def _take(self, value: str) -> None:
        if value != self.value:
            self.choose(value)
            self.post_message(self.Changed(self))


def _prompts(options: Iterable[Option]) -> list[tuple[Text, str]]:
    return [(Text(option.shown), option.value) for option in options]


def unfold_words() -> str:
    return _("show the other rules, or hide them again")


class MoreRow(Widget, can_focus=True):
    """Row that shows the rows of a form that few people change, or folds them away again."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [("space,left,right", "fold")]

    class Toggled(Message):
        """Message: the rows were shown, or folded away."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open = False
        self.note: Final = enter_does(unfold_words())

    def render(self) -> Content:
        """Return the text, with a sign that shows whether the rows are visible."""
        text = _("More rules...")
        return Content(f" {'-' if self.is_open else '+'} {text}")

    def action_fold(self) -> None:
        self.is_open = not self.is_open
        self.refresh()
        self.post_message(self.Toggled())

    def on_click(self) -> None:
        self.action_fold()


MAX_TYPED: Final = 4096  # maximum characters that a field reads of a paste: far more than fit


class TextField(Input):
    """Text field of at most `most` characters, none of them for control or private use.

    Characters for private use would look like a picture's cells (`sabtui.art.placeholders`). If a
    text is too long, it takes what fits, and says so. `note` is the hint of its row.
    """

    @dataclass
    class Full(Message):
        """Message: some of the typed or pasted text did not fit; `text` says so."""

        text: str

    def __init__(self, name: str, value: str, most: int, note: str, placeholder: str = "") -> None:
        super().__init__(
            value, placeholder, name=name, compact=True, select_on_focus=False, max_length=most
        )
        self.cursor_blink = False
        self.note = note

    def cut(self, text: str, before: str, after: str) -> str:
        """Return as much of a text as fits between the texts `before` and `after` it."""
        assert self.max_length is not None
        return text[: max(self.max_length - len(before) - len(after), 0)]

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a range with a text that was typed or pasted, sanitised and cut to what fits."""
        before, after = self.value[: min(start, end)], self.value[max(start, end) :]
        wanted = sanitise(text[:MAX_TYPED])
        kept = self.cut(wanted, before, after)
        super().replace(kept, start, end)
        if kept != wanted:
            self.post_message(self.Full(cut_off_sentence()))

    def fill(self, value: str) -> None:
        """Set the text, with the cursor at its end."""
        self.value = value
        self.cursor_position = len(value)


class NameField(TextField):
    """Text field for a name."""

    def __init__(self, name: str, value: str, note: str, placeholder: str = "") -> None:
        super().__init__(name, value, MAX_NAME_BYTES, note, placeholder)

    def cut(self, text: str, before: str, after: str) -> str:
        """Return as much of a text as fits into a name between two texts."""
        return cut_to_name(text, before, after)


class Box(Vertical):
    """Rows of a form in a box with a title."""

    def __init__(self, title: str, rows: Iterable[Widget]) -> None:
        super().__init__(*rows, classes="box")
        self.border_title = Content(title)


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Boxes with rows, by their titles. Rows of `more` can be folded away, unless changed."""

    def __init__(
        self, boxes: Mapping[str, Sequence[LabelledField]], more: Sequence[ChoiceRow] = ()
    ) -> None:
        self._more: Final = more
        self._more_row: Final = MoreRow()
        *first, (title, last) = boxes.items()
        rows = (*last, self._more_row, *more) if more else last
        super().__init__(*(Box(*parts) for parts in first), Box(title, rows))
        self.fold()

    def fold(self) -> None:
        """Show the rows `more`, or of them only the changed ones.

        Folded rows keep their positions: Textual moves the focus in the order of positions, even
        before it has computed new ones.
        """
        for row in self._more:
            is_seen = self._more_row.is_open or row.is_changed or row.field.has_focus
            row.field.can_focus = is_seen
            row.set_class(not is_seen, "-folded")

    def on_more_row_toggled(self) -> None:
        self.fold()

    @property
    def position(self) -> str:
        """Last line in sight, and whether more are below; "" if all are in sight."""
        count, room = self.virtual_size.height, self.size.height
        return "" if count <= room else describe_position(self.scroll_offset.y + room, count)


MAX_HINT_LINES: Final = 5
"""Maximum number of lines of a hint on a terminal of few rows, of which the form needs the
others."""


class FormHint(Widget):
    """Hint for the focused row of a form, below a line about rows out of sight."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(classes="box")
        self._note = ""
        self._position = ""

    def follow(self, focused: Widget | None) -> None:
        above = () if focused is None else focused.ancestors_with_self
        row = next(
            (widget for widget in above if isinstance(widget, LabelledField | MoreRow)), None
        )
        self.border_title = row.label if isinstance(row, LabelledField) else ""
        self.show_note("" if row is None else row.note)

    def show_note(self, note: str) -> None:
        if note != self._note:
            self._note = note
            self.refresh(layout=True)

    def on_mount(self) -> None:
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _screen: self._locate())
        for form in self.screen.query(Form):
            self.watch(form, "scroll_y", self._locate)
            self.watch(self.screen, "focused", self._follow_focus)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as Textual calls it
        """Return the rows of the hint, and one above it."""
        return 1 + len(self._lines(width))

    def render(self) -> Content:
        columns = self.content_size.width
        gap = " " * max(columns - width(self._position), 0)
        return Content("\n".join([gap + self._position, *self._lines(columns)]))

    def _follow_focus(self, focused: Widget | None) -> None:
        if focused is not None:  # A question takes the focus for a while.
            self.follow(focused)

    def _locate(self) -> None:
        """Show which rows of the form are in sight, if not all are."""
        position = "".join(form.position for form in self.screen.query(Form))
        if position != self._position:
            self._position = position
            self.refresh()

    def _lines(self, columns: int) -> list[str]:
        return wrap_hint(self._note, columns, is_cut=not self.screen.has_class("-roomy"))


def wrap_hint(note: str, columns: int, *, is_cut: bool = True) -> list[str]:
    """Return the lines of a hint; dots mark one that is cut."""
    parts = map(sanitise, note.split("\n")) if note else ()
    lines = confine_lines(parts, max(columns, 20), 0)
    if len(lines) <= MAX_HINT_LINES or not is_cut:
        return lines
    last = cut_short(lines[MAX_HINT_LINES - 1] + CUT, columns)
    return [*lines[: MAX_HINT_LINES - 1], last]


class TalkLine(TextField):
    """Line for chat: limits the text to what the protocol allows."""

    def __init__(self) -> None:
        super().__init__("talk", "", MAX_CHAT_BYTES, "")
        self.id = "talk"

    def cut(self, text: str, before: str, after: str) -> str:
        """Return as much of a text as fits into a line of talk between two texts."""
        return cut_to_talk(text, before, after)

    def _on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text, its lines joined into one."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text[:MAX_TYPED].split()), *self.selection)
