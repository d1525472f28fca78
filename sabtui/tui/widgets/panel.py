"""A widget that shows rows of text, on Textual's Line API: a change repaints what it changed.

Where colours are missing, bold, dim, underline and reverse are left, and no meaning hangs on any
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from net.protocol.text import sanitise
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, differ, filled, merged


class Panel(Widget):
    """Rows of text in a fixed room."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(look.value for look in Look),
        *(ground.value for ground in Ground),
    }
    DEFAULT_CSS = """
    Panel {
        background: $background;
        color: $foreground;
        & > .look--plain { color: $foreground; }
        & > .look--strong { color: $foreground; text-style: bold; }
        & > .look--dim { color: $foreground 72%; }
        & > .look--rule { color: $foreground 45%; }
        & > .look--key { color: $accent; text-style: bold; }
        & > .look--good { color: $success; text-style: bold; }
        & > .look--bad { color: $error; text-style: bold; }
        & > .look--turn { color: $accent; text-style: bold; }
        & > .look--talk { color: $secondary; }
        & > .look--gold { color: $warning; text-style: bold; }
        & > .look--reached { color: $foreground; text-style: bold; }
        & > .look--dead { color: $error; }
        & > .look--cut-off { color: $foreground 66%; }
        & > .look--start { color: $success; text-style: bold; }
        & > .look--unknown { color: $foreground; }
        & > .look--stone { color: $foreground 76%; }
        & > .look--fits { color: $success; text-style: bold; }
        & > .look--wrong { color: $error; text-style: bold; }
        & > .look--empty { color: $foreground 30%; }
        & > .ground--card { background: $panel; }
        & > .ground--odd-card { background: $panel-lighten-1; }
        & > .ground--new { background: $primary-muted; }
        & > .ground--lit { background: $success-muted; }
        & > .ground--cursor { background: $accent-muted; }
        & > .ground--small-cursor { background: $accent-muted; text-style: reverse; }
        & > .ground--small-lit { background: $success-muted; text-style: underline; }
        & > .ground--title { background: $panel; }
        & > .ground--turn { text-style: bold reverse; }
        &:light > .ground--odd-card { background: $panel-darken-1; }
        &:ansi {  /* sixteen colours have no muted ones, so what is written is made to stand out */
            & > .ground--new { background: ansi_blue; color: ansi_white; }
            & > .ground--lit { background: ansi_green; color: ansi_black; }
            & > .ground--cursor { background: ansi_yellow; color: ansi_black; }
            & > .ground--small-cursor { background: ansi_default; }
            & > .ground--small-lit { background: ansi_green; color: ansi_black; }
        }
    }
    """

    class Pressed(Message):
        """Somebody clicked on a character of it."""

        def __init__(self, panel: Panel, column: int, row: int, button: int) -> None:
            super().__init__()
            self.panel = panel
            self.column = column
            self.row = row
            self.button = button

        @property
        def control(self) -> Panel:
            """Whose character it is."""
            return self.panel

    class Wheeled(Message):
        """Somebody turned the wheel over it, so many steps to the right and down."""

        def __init__(self, panel: Panel, right: int, down: int, *, zoom: bool) -> None:
            super().__init__()
            self.panel = panel
            self.right = right
            self.down = down
            self.zoom = zoom

        @property
        def control(self) -> Panel:
            """What it was turned over."""
            return self.panel

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, and repaint where they differ from the last."""
        old, new = self.rows, tuple(merged(_harmless(row)) for row in rows)
        self.rows = new
        if len(old) != len(new):
            self.refresh()
            return
        changed = []
        for y, (before, now) in enumerate(zip(old, new, strict=True)):
            columns = differ(before, now)
            if columns is not None:
                changed.append(Region(columns[0], y, columns[1] - columns[0], 1))
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """A row as Textual has it."""
        columns = self.size.width
        row = filled(self.rows[y] if y < len(self.rows) else (), columns)
        return Strip([Segment(span.text, self._style(span)) for span in row], columns)

    def _style(self, span: StyledSpan) -> Style:
        style = self.get_component_rich_style(span.look.value)
        if span.ground is None:
            return style
        return style + self.get_component_rich_style(span.ground.value, partial=True)

    def on_click(self, event: events.Click) -> None:
        """Tell where it was clicked."""
        event.stop()
        self.post_message(self.Pressed(self, event.x, event.y, event.button))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Tell of the wheel."""
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Tell of the wheel."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        event.stop()
        event.prevent_default()
        right, down = (step, 0) if event.shift else (0, step)
        self.post_message(self.Wheeled(self, right, down, zoom=event.ctrl))


def _harmless(row: Row) -> Row:
    """A row as any terminal may be given it: names and talk are shown as a host sent them."""
    return tuple(span._replace(text=sanitise(span.text)) for span in row)
