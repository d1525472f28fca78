"""Forms: rows with a text field or one of several choices, and a hint for the focused row.

The line for chat is a text field too. A choice is a row of its own kind: Textual's `Select` takes
three rows and three keys, and writes 11 kB, to choose what one key chooses here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from net.protocol.text import MAX_CHAT_BYTES, MAX_NAME_BYTES, sanitise
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.names import cut_to_name, pad_to, width
from sabtui.text.talk_line import cut_off_sentence, cut_to_talk
from sabtui.tui.widgets.text import CUT, cut_short, position_words

LABEL_COLUMNS: Final = 14
"""Columns of the labels."""


LONG: Final = [(0, "-low"), (26, "-high"), (36, "-roomy")]
"""`VERTICAL_BREAKPOINTS` of a screen with a form."""


def roomy_css(screen: str) -> str:
    """Return the `CSS` of such a screen: a mine above the form takes the room that is left."""
    return f"""
    {screen} > LivingMine {{ display: none; }}
    {screen}.-roomy > LivingMine {{ display: block; }}
    """


def long_css(screen: str) -> str:
    """Return the `CSS` of one whose form has more rows than most terminals.

    Its rows scroll there, and the hint stays visible.
    """
    return f"""
    {roomy_css(screen)}
    {screen}.-low > .heading {{ height: 1; }}
    {screen}.-low > Form {{ height: 1fr; }}
    """


@dataclass(frozen=True, slots=True)
class Option:
    """Choice: its value, how it is shown, and a hint."""

    value: str
    shown: str
    note: str = ""


class ChoiceRow(Widget, can_focus=True):
    """Row with one of several choices: Left and Right change it; Space or a click: the next."""

    DEFAULT_CSS = """
    ChoiceRow {
        height: 1;
    }
    ChoiceRow:focus {
        text-style: reverse;
    }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [("left", "turn(-1)"), ("right,space", "turn(1)")]

    class Changed(Message):
        """Message: another choice was made."""

        def __init__(self, choice: ChoiceRow) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, name: str, label: str, options: Sequence[Option], value: str) -> None:
        super().__init__(name=name)
        self._label = label
        self._options: tuple[Option, ...] = ()
        self._at = 0
        self.offer(options, value)
        self._usual = self.value

    def offer(self, options: Sequence[Option], value: str) -> None:
        """Replace the options, and choose the one with this value, or else the first."""
        self._options = tuple(options)
        self.choose(value)

    def choose(self, value: str) -> None:
        """Choose the option with this value, or else the first, without posting `Changed`."""
        values = [option.value for option in self._options]
        self._at = values.index(value) if value in values else 0
        self.refresh()

    @property
    def value(self) -> str:
        """Value of the chosen option."""
        return self._options[self._at].value

    @property
    def is_changed(self) -> bool:
        """True if another option is chosen than at first."""
        return self.value != self._usual

    @property
    def note(self) -> str:
        """Hint of the chosen option."""
        return self._options[self._at].note

    def render(self) -> Content:
        """Return the label and the choice between `<` and `>`."""
        shown = self._options[self._at].shown
        return Content(f" {pad_to(self._label, LABEL_COLUMNS)}< {shown} >")

    def action_turn(self, by: int) -> None:
        """Choose the option `by` places further, in a cycle."""
        self._at = (self._at + by) % len(self._options)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """Choose the next option, or the previous one for a click on the left mark."""
        self.action_turn(-1 if event.x <= LABEL_COLUMNS + 1 else 1)


class MoreRow(Widget, can_focus=True):
    """Row that shows the rows of a form that few people change, or folds them away again."""

    DEFAULT_CSS = """
    MoreRow {
        height: 1;
    }
    MoreRow:focus {
        text-style: reverse;
    }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [("enter,space,left,right", "fold")]

    class Toggled(Message):
        """Message: the rows were shown, or folded away."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open = False
        self.note: Final = _("Space shows the other rules, or hides them again.")

    def render(self) -> Content:
        """Return the text, with a sign whether the rows are shown."""
        text = _("More rules...")
        return Content(f" {'-' if self.is_open else '+'} {text}")

    def action_fold(self) -> None:
        """Show the rows, or fold them away."""
        self.is_open = not self.is_open
        self.refresh()
        self.post_message(self.Toggled())

    def on_click(self) -> None:
        """Show the rows, or fold them away."""
        self.action_fold()


MAX_TYPED: Final = 4096
"""Characters of a paste that a field looks at: many more than fit into any."""


class TextField(Input):
    """Text field of at most `most` characters, that takes none for control or private use.

    A picture's cells are characters for private use (`sabtui.art.placeholders`). Of a text that is
    too long it takes what fits, and says so.
    """

    class Full(Message):
        """Message: some of the typed or pasted text did not fit; `text` says so."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, name: str, value: str, most: int, note: str, hint: str = "") -> None:
        super().__init__(
            value, hint, name=name, compact=True, select_on_focus=False, max_length=most
        )
        self.cursor_blink = False
        self.note = note

    def cut(self, text: str, before: str, after: str) -> str:
        """Return as much of a text as fits between two texts."""
        assert self.max_length is not None
        return text[: max(self.max_length - len(before) - len(after), 0)]

    def full_sentence(self) -> str:
        """Return the sentence that a text was too long."""
        return _("The field is full: the rest was cut off.")

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a range with a text that was typed or pasted, harmless, cut to what fits."""
        before, after = self.value[: min(start, end)], self.value[max(start, end) :]
        wanted = sanitise(text[:MAX_TYPED])
        kept = self.cut(wanted, before, after)
        super().replace(kept, start, end)
        if kept != wanted:
            self.post_message(self.Full(self.full_sentence()))

    def fill(self, value: str) -> None:
        """Set the text, with the cursor at its end."""
        self.value = value
        self.cursor_position = len(value)


class NameField(TextField):
    """Text field for a name."""

    def __init__(self, name: str, value: str, note: str, hint: str = "") -> None:
        super().__init__(name, value, MAX_NAME_BYTES, note, hint)

    def cut(self, text: str, before: str, after: str) -> str:
        """Return as much of a text as fits into a name between two texts."""
        return cut_to_name(text, before, after)


class LabelledField(Horizontal):
    """Label and text field."""

    DEFAULT_CSS = f"""
    LabelledField {{
        height: 1;
    }}
    LabelledField > Static {{
        width: {LABEL_COLUMNS + 1};
        padding-left: 1;
    }}
    LabelledField > TextField {{
        width: 1fr;
    }}
    """

    def __init__(self, label: str, line: TextField) -> None:
        super().__init__()
        self._label = label
        self._line = line

    def compose(self) -> ComposeResult:
        """Yield the label, then the field."""
        yield Static(self._label, markup=False)
        yield self._line


FormRow = LabelledField | ChoiceRow


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Rows of a form; they scroll to the focused one if they do not all fit.

    Of the rows `more`, behind one that shows them, those are always in sight that were changed.
    """

    DEFAULT_CSS = """
    Form {
        height: auto;
        max-height: 1fr;
        scrollbar-size: 0 0;
    }
    Form > .-folded {
        height: 0;
    }
    """

    def __init__(self, rows: Iterable[FormRow], more: Sequence[ChoiceRow] = ()) -> None:
        self._more: Final = more
        self._more_row: Final = MoreRow()
        super().__init__(*rows, *((self._more_row, *more) if more else ()))
        self.fold()

    def fold(self) -> None:
        """Show the rows `more`, or only those of them that were changed.

        Folded rows keep their places: in the order of places Textual moves the focus, even before
        it has worked out new ones.
        """
        for row in self._more:
            row.can_focus = self._more_row.is_open or row.is_changed or row.has_focus
            row.set_class(not row.can_focus, "-folded")

    def on_more_row_toggled(self) -> None:
        """Show the rows `more`, or fold them away."""
        self.fold()

    @property
    def position(self) -> str:
        """Last row in sight, and whether more are below; "" if all rows are in sight."""
        count = sum(not row.has_class("-folded") for row in self.children)
        room = self.size.height
        return "" if count <= room else position_words(self.scroll_offset.y + room, count)


MAX_HINT_LINES: Final = 5
"""Most lines of a hint on the smallest terminal, where the form needs the others."""


class FormHint(Widget):
    """Hint for the focused row of a form, below a line that tells of rows out of sight."""

    DEFAULT_CSS = """
    FormHint {
        height: auto;
        min-height: 4;
        padding: 0 1;
        color: $text-muted;
    }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._note = ""
        self._position = ""

    def follow(self, focused: Widget | None) -> None:
        """Show the hint of the focused row."""
        self.tell(focused.note if isinstance(focused, ChoiceRow | MoreRow | TextField) else "")

    def tell(self, note: str) -> None:
        """Show a hint."""
        if note != self._note:
            self._note = note
            self.refresh(layout=True)

    def on_mount(self) -> None:
        """Follow the focus in the form, and its rows in and out of sight."""
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _screen: self._locate())
        for form in self.screen.query(Form):
            self.watch(form, "scroll_y", self._locate)
            self.watch(self.screen, "focused", self._follow_focus)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as Textual calls it
        """Return the rows of the hint, and one above it."""
        return 1 + len(_hint_lines(self._note, width))

    def render(self) -> Content:
        """Return the position in the form, and the hint."""
        columns = self.content_size.width
        gap = " " * max(columns - width(self._position), 0)
        return Content("\n".join([gap + self._position, *_hint_lines(self._note, columns)]))

    def _follow_focus(self, focused: Widget | None) -> None:
        if focused is not None:  # A question takes the focus for a while.
            self.follow(focused)

    def _locate(self) -> None:
        """Show which rows of the form are in sight, if not all are."""
        position = "".join(form.position for form in self.screen.query(Form))
        if position != self._position:
            self._position = position
            self.refresh()


def _hint_lines(note: str, columns: int) -> list[str]:
    """Return the lines of a hint; dots mark one that is too long."""
    lines = confine_lines([note], max(columns, 20), 0) if note else []
    if len(lines) <= MAX_HINT_LINES:
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

    def full_sentence(self) -> str:
        """Return the sentence that a text was too long."""
        return cut_off_sentence()

    def _on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text, its lines joined into one."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text[:MAX_TYPED].split()), *self.selection)
