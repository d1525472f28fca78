"""Panel: rows of text drawn with Textual's Line API; a change repaints only what changed.

Without colours, bold, dim, underline and reverse remain; no meaning depends on any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from net.protocol.text import sanitise
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Paint,
    Row,
    StyledSpan,
    differences,
    fill_row,
    merge_pieces,
)


class Panel(Widget):
    """Rows of text in a fixed area."""

    ALLOW_SELECT = False
    COMPONENTS: ClassVar[frozenset[str]] = frozenset(
        (*(look.value for look in Look), *(ground.value for ground in Ground))
    )
    """Component classes. They are no COMPONENT_CLASSES, of which Textual works out all styles each
    time it styles a widget: half of the time that it took to open a table."""

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
        & > .look--sand { color: #d2aa68; }
        & > .look--buried { color: #9c8458; }
        & > .look--rubble { color: #ec957e; }
        & > .look--ladder { color: #4a2d12; text-style: bold; }
        & > .look--ink { color: #2a1c00; text-style: bold; }
        & > .look--mark { color: $accent; text-style: bold; }
        & > .look--back { color: #96a9da; }
        & > .look--player-1 { color: #7fc8e8; text-style: bold; }
        & > .look--player-2 { color: #e89bc0; text-style: bold; }
        & > .look--player-3 { color: #a8d672; text-style: bold; }
        & > .look--player-4 { color: #f0b45c; text-style: bold; }
        & > .look--player-5 { color: #b9a4f0; text-style: bold; }
        & > .look--player-6 { color: #6fd6b4; text-style: bold; }
        & > .look--player-7 { color: #f09a86; text-style: bold; }
        & > .look--player-8 { color: #d9d06a; text-style: bold; }
        & > .look--player-9 { color: #9db4ff; text-style: bold; }
        & > .look--player-10 { color: #d8b48c; text-style: bold; }
        & > .look--glow { color: #ffd75f; }
        & > .ground--card { background: $panel; }
        & > .ground--odd-card { background: $panel-lighten-1; }
        & > .ground--new { background: $primary-muted; }
        & > .ground--lit { background: $success-muted; }
        & > .ground--cursor { background: $accent-muted; }
        & > .ground--small-cursor { background: $accent-muted; text-style: reverse; }
        & > .ground--small-lit { background: $success-muted; text-style: underline; }
        & > .ground--title { background: $panel; }
        & > .ground--turn { text-style: bold reverse; }
        & > .ground--rock { background: #403730; }
        & > .ground--odd-rock { background: #4a4038; }
        & > .ground--buried-rock { background: #2b2622; }
        & > .ground--new-rock { background: #55431a; }
        & > .ground--lit-rock { background: #2d4a26; }
        & > .ground--cursor-rock { background: #604c20; }
        & > .ground--sand { background: #d2aa68; }
        & > .ground--gold { background: #f2c14e; }
        & > .ground--stone { background: #93908a; }
        & > .ground--back { background: #2c3855; }
        &:light > .ground--odd-card { background: $panel-darken-1; }
        &:light > .look--sand { color: #fff1cb; }
        &:light > .look--buried { color: #cdb893; }
        &:light > .look--rubble { color: #5c1408; }
        &:light > .look--mark { color: #241800; }
        &:light > .look--back { color: #4a5f9c; }
        &:light > .look--player-1 { color: #0b5a80; }
        &:light > .look--player-2 { color: #8f1d5c; }
        &:light > .look--player-3 { color: #3c5c00; }
        &:light > .look--player-4 { color: #8a4a00; }
        &:light > .look--player-5 { color: #5136a6; }
        &:light > .look--player-6 { color: #00604a; }
        &:light > .look--player-7 { color: #9a2c12; }
        &:light > .look--player-8 { color: #625a00; }
        &:light > .look--player-9 { color: #2c46b0; }
        &:light > .look--player-10 { color: #6a4a26; }
        &:light > .look--glow { color: #ffe98a; }
        &:light > .ground--rock { background: #917b5e; }
        &:light > .ground--odd-rock { background: #9a8467; }
        &:light > .ground--buried-rock { background: #6b5a44; }
        &:light > .ground--new-rock { background: #a98235; }
        &:light > .ground--lit-rock { background: #6c8f58; }
        &:light > .ground--cursor-rock { background: #b07d22; }
        &:light > .ground--sand { background: #fff1cb; }
        &:light > .ground--gold { background: #f5c93f; }
        &:light > .ground--stone { background: #b5b1a8; }
        &:light > .ground--back { background: #bccaeb; }
        & > .look--player-1.sabtui-blue-orange { color: #9687ff; }
        & > .look--player-2.sabtui-blue-orange { color: #ffff3c; }
        & > .look--player-3.sabtui-blue-orange { color: #ffe1d2; }
        & > .look--player-4.sabtui-blue-orange { color: #b4963c; }
        & > .look--player-5.sabtui-blue-orange { color: #e1e1ff; }
        & > .look--player-6.sabtui-blue-orange { color: #a596c3; }
        & > .look--player-7.sabtui-blue-orange { color: #e1c33c; }
        & > .look--player-8.sabtui-blue-orange { color: #a59678; }
        & > .look--player-9.sabtui-blue-orange { color: #ffff96; }
        & > .look--player-10.sabtui-blue-orange { color: #e1c387; }
        & > .ground--lit-rock.sabtui-blue-orange { background: #1d4470; }
        &:ansi {  /* sixteen colours have no muted ones, so what is written is made to stand out */
            & > .look--player-1 { color: ansi_cyan; }
            & > .look--player-2 { color: ansi_magenta; }
            & > .look--player-3 { color: ansi_green; }
            & > .look--player-4 { color: ansi_yellow; }
            & > .look--player-5 { color: ansi_bright_blue; }
            & > .look--player-6 { color: ansi_bright_cyan; }
            & > .look--player-7 { color: ansi_red; }
            & > .look--player-8 { color: ansi_bright_green; }
            & > .look--player-9 { color: ansi_bright_magenta; }
            & > .look--player-10 { color: ansi_bright_red; }
            & > .ground--new { background: ansi_blue; color: ansi_white; }
            & > .ground--lit { background: ansi_green; color: ansi_black; }
            & > .ground--cursor { background: ansi_yellow; color: ansi_black; }
            & > .ground--small-cursor { background: ansi_default; }
            & > .ground--small-lit { background: ansi_green; color: ansi_black; }
        }
    }
    """

    class Pressed(Message):
        """Message: the panel was clicked at a column and row."""

        def __init__(self, panel: Panel, column: int, row: int, button: int) -> None:
            super().__init__()
            self.panel = panel
            self.column = column
            self.row = row
            self.button = button

    class Wheeled(Message):
        """Message: the wheel was turned over the panel, by steps to the right and down."""

        def __init__(self, panel: Panel, right: int, down: int, *, zoom: bool) -> None:
            super().__init__()
            self.panel = panel
            self.right = right
            self.down = down
            self.zoom = zoom

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, and repaint only what differs from the last ones."""
        old, new = self.rows, tuple(merge_pieces(harmless(row)) for row in rows)
        self.rows = new
        if len(old) != len(new):
            self.refresh()
            return
        changed = [
            Region(columns.start, y, len(columns), 1)
            for y, (before, now) in enumerate(zip(old, new, strict=True))
            for columns in differences(before, now)
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """Return a row as a Textual strip."""
        columns = self.size.width
        row = fill_row(self.rows[y] if y < len(self.rows) else (), columns)
        return Strip([Segment(span.text, self._style(span)) for span in row], columns)

    def _style(self, span: StyledSpan) -> Style:
        look = Look.PLAIN if isinstance(span.look, Paint) else span.look
        style = self.get_component_rich_style(look.value)
        if span.ground is not None:
            style += self.get_component_rich_style(span.ground.value, partial=True)
        return style + paint_style(span.look) if isinstance(span.look, Paint) else style

    def get_component_styles(self, *names: str) -> RenderStyles:
        """Return the styles of components; each is worked out when it is first asked for."""
        for name in self.COMPONENTS.intersection(names).difference(self._component_styles):
            self._component_styles[name] = self._component_style(name)
        return super().get_component_styles(*names)

    def notify_style_update(self) -> None:
        """Forget the styles of components: Textual calls this with each change of style."""
        self._component_styles.clear()
        super().notify_style_update()

    def _component_style(self, name: str) -> RenderStyles:
        """Return a component's styles, from a node that is in no tree, as Textual does.

        The theme is a class of it, for themes that are more than Textual's colours.
        """
        component = DOMNode(classes=f"{name} {self.app.theme}")
        component._attach(self)  # noqa: SLF001 - to a component its widget is the parent
        self.app.stylesheet.apply(component)
        return component.styles

    def on_click(self, event: events.Click) -> None:
        """Post `Pressed` for the place of the click."""
        event.stop()
        self.post_message(self.Pressed(self, event.x, event.y, event.button))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Post `Wheeled` for a step down."""
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Post `Wheeled` for a step up."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        event.stop()
        event.prevent_default()
        right, down = (step, 0) if event.shift else (0, step)
        self.post_message(self.Wheeled(self, right, down, zoom=event.ctrl))


@cache
def paint_style(paint: Paint) -> Style:
    """Return the colours of a drawn card, on what is behind it where the ground is `default`."""
    ground = None if paint.ground == "default" else paint.ground
    return Style(color=paint.front, bgcolor=ground)


def harmless(row: Row) -> Row:
    """Return a row with its text sanitised: names and chat come from the host, but no card."""
    return tuple(
        span if isinstance(span.look, Paint) else span._replace(text=sanitise(span.text))
        for span in row
    )
