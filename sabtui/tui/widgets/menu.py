"""List to choose a row from, by arrows and Enter or by the mouse.

It is plain text without a scrollbar. The current row has a mark, and is reversed where there are
few colours, so that it is visible without any, and the terminal's own cursor stands on it. It is
our own because Textual's `OptionList` has neither, and writes 3.8 kB for a step of its cursor where
this writes 2.1 kB, in a full list at 80x24.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message
from textual.widget import Widget

from net.protocol.text import sanitise
from sabtui.tui.widgets.text import CUT


class Menu(Widget, can_focus=True):
    """Rows, one of them under the cursor.

    Enter is the screen's, and a click stands for it, or, with `point`, a second click on the same
    row. With `marked` the row under the cursor is marked while a text field has the focus, too.
    With a `title` it stands in a box. The first and the last row in sight tell of those that are
    not.
    """

    DEFAULT_CSS = """
    Menu {
        height: 1fr;
    }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "move(-1)"),
        ("down", "move(1)"),
        ("pageup", "move_page(-1)"),
        ("pagedown", "move_page(1)"),
        ("home", "move(-9999)"),
        ("end", "move(9999)"),
    ]

    class Chosen(Message):
        """Message: the row under the cursor was chosen by a click."""

    class Moved(Message):
        """Message: the cursor moved to another row."""

    def __init__(
        self,
        rows: Sequence[Content] = (),
        *,
        empty: str = "",
        point: bool = False,
        marked: bool = False,
        title: str = "",
    ) -> None:
        super().__init__(classes="box" if title else None)
        self.border_title = Content(sanitise(title))
        self._rows = tuple(rows)
        self._ids: tuple[str, ...] = ()
        self._empty = empty
        self._point = point
        self._marked = marked
        self._top = 0
        self.at = 0

    @property
    def is_empty(self) -> bool:
        """True if there are no rows."""
        return not self._rows

    def show(
        self, rows: Sequence[Content], at: int | None = None, *, ids: Sequence[str] = ()
    ) -> None:
        """Show these rows; the cursor moves to `at`, else stays on the row of its id."""
        was = self._ids[self.at : self.at + 1] if at is None else ()
        rows, self._ids = tuple(rows), tuple(ids)
        at = find_row(self.at if at is None else at, was, self._ids, len(rows))
        if (rows, at) != (self._rows, self.at):
            self._rows, self.at = rows, at
            self._settle()

    def say_empty(self, text: str) -> None:
        """Set the text that is shown without rows."""
        if text != self._empty:
            self._empty = text
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as Textual calls it
        """Return the number of rows."""
        return len(self._rows)

    def render(self) -> Content:
        """Return the rows that fit, the one under the cursor among them."""
        if not self._rows:
            return Content(self._empty)
        height, columns = max(self.size.height, 1), self.size.width
        self._top = min(max(self._top, self.at - height + 1), self.at)
        self._top = max(0, min(self._top, len(self._rows) - height))
        lines: list[Content] = []
        below = len(self._rows) - self._top - height
        for at, row in enumerate(self._rows[self._top : self._top + height], self._top):
            here = at == self.at and (self.has_focus or self._marked)
            line = Content("> " if here else "  ") + row
            hidden = below if below > 0 and at == self._top + height - 1 else 0
            hidden = self._top if self._top and at == self._top else hidden
            more = f" +{hidden}" if hidden else ""
            if line.cell_length > columns - len(more):
                line = line.truncate(max(columns - len(more) - len(CUT), 0)).rstrip() + Content(CUT)
            line += Content(more and more.rjust(columns - line.cell_length))
            lines.append(line.pad_right(columns - line.cell_length) if here else line)
            if here:
                lines[-1] = lines[-1].stylize(self._mark)
        return Content("\n").join(lines)

    @property
    def _mark(self) -> str:
        """Style of the row under the cursor."""
        return "reverse" if self.app.current_theme.ansi else "bold on $primary 32%"

    def action_move(self, rows: int) -> None:
        """Move the cursor by a number of rows."""
        self._point_at(max(0, min(self.at + rows, len(self._rows) - 1)))

    def action_move_page(self, pages: int) -> None:
        """Move the cursor by a number of pages."""
        self.action_move(pages * max(self.size.height - 1, 1))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row under the mouse, and choose it."""
        at = self._top + event.y - self.gutter.top
        if not 0 <= at < len(self._rows):
            return
        was = self.at
        self._point_at(at)
        if not self._point or was == at:
            self.post_message(self.Chosen())

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def wheel(self, event: events.MouseEvent) -> None:
        """Move the cursor with the wheel."""
        self.action_move(1 if isinstance(event, events.MouseScrollDown) else -1)

    def on_focus(self) -> None:
        """Show the cursor on its row."""
        self._settle()

    def on_blur(self) -> None:
        """Hide the cursor: keys go elsewhere."""
        self.refresh()

    def _point_at(self, at: int) -> None:
        if at != self.at:
            self.at = at
            self._settle()
            self.post_message(self.Moved())

    def _settle(self) -> None:
        """Redraw, and place the terminal's own cursor on the row."""
        self.refresh()
        if self.has_focus:
            self.app.cursor_position = self.content_region.offset + Offset(0, self.at - self._top)


def find_row(at: int, was: Sequence[str], ids: Sequence[str], count: int) -> int:
    """Return where the row is that `was` under the cursor, or else the row of so many at `at`."""
    found = next((ids.index(one) for one in was if one in ids), at)
    return max(0, min(found, count - 1))
