"""The page for guests with a browser: the door's address, and its QR code for a phone to scan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.client.session import Status
from net.protocol.messages import DoorNow
from net.protocol.requests import DoorKind
from sabtui.app.requests import Invitation
from sabtui.text.doors import door_sentence, host_of, web_privacy
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.network import web_address
from sabtui.text.qr_code import qr_rows
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.theme import Glyphs

QR_STYLE: Final = "#000000 on #ffffff"
"""Dark on light in any theme: many phones read nothing else."""


def draw_code(status: Status, invitation: Invitation | None, glyphs: Glyphs) -> list[str]:
    """Return the rows of the QR code of the browser door, [] unless it is open and can be drawn."""
    door = web_door(status)
    if invitation is None or door is None or not door.port or not glyphs.has_halves:
        return []
    return qr_rows(web_address(door.port, _host(invitation), status.code or invitation.code))


def _host(invitation: Invitation) -> str:
    return host_of(invitation.addresses[0]) if invitation.addresses else _("ADDRESS")


def web_door(status: Status) -> DoorNow | None:
    """Return what the host knows of the browser door, `None` if nothing."""
    return next((door for door in status.doors if door.kind is DoorKind.WEB), None)


class PhonesScreen(CommandScreen):
    """Page that shows how a browser comes to the table. `close_door` closes the door."""

    DEFAULT_CSS = """
    PhonesScreen > Static { padding: 0 1; }
    PhonesScreen > #code { width: auto; margin: 0 1; padding: 0; }
    """

    def __init__(
        self,
        seen: Callable[[], tuple[Status, Invitation | None]],
        close_door: Callable[[], None],
    ) -> None:
        self._seen = seen
        self._close_door = close_door
        self.title_line: Final = Static(markup=False, classes="heading")
        self.sentences: Final = Static(markup=False)
        self.code: Final = Static(markup=False, id="code")
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)
        text = _("close the browser door; guests who are already in may stay")
        yield Command("close", ("x",), _("close door"), text, self.shut)

    def body(self) -> ComposeResult:
        """Yield the widgets."""
        yield self.title_line
        yield self.sentences
        yield self.code

    def on_mount(self) -> None:
        """Show the current state."""
        self.redraw()

    def on_resize(self) -> None:
        """Redraw for the terminal's size."""
        self.redraw()

    def shut(self) -> None:
        """Close the door, and go back."""
        self._close_door()
        self.back()

    def redraw(self) -> None:
        """Redraw the current state."""
        status, invitation = self._seen()
        size, glyphs = self.app.size, self.context.glyphs
        self.title_line.update(_("With a phone, or any browser"))
        self.title_line.styles.height = 1
        lines, code = page_of(status, invitation, (size.width, size.height), glyphs)
        self.sentences.update("\n".join(lines))
        self.code.update(Content("\n".join(code)).stylize(QR_STYLE))
        self.code.display = bool(code)


def page_of(
    status: Status, invitation: Invitation | None, size: tuple[int, int], glyphs: Glyphs
) -> tuple[list[str], list[str]]:
    """Return the sentences, and the rows of the QR code if there is room for all of them."""
    columns, rows = size
    door = web_door(status)
    if invitation is None or door is None or not door.port:
        text = _("Opening the browser door...") if door is None else door_sentence(door)
        return confine_lines([text], columns - 2, 0), []
    short = web_address(door.port, _host(invitation))
    text = _("On this network, scan the code or type {address}").format(address=short)
    lines = confine_lines([text, web_privacy()], columns - 2, 0)
    drawn = draw_code(status, invitation, glyphs)
    fits = drawn and len(drawn) + len(lines) + ROWS_BESIDE_CODE <= rows and len(drawn[0]) < columns
    if fits:
        return lines, drawn
    if drawn:
        text = _("The QR code needs {columns}x{rows}: make the terminal larger.").format(
            columns=len(drawn[0]) + 1, rows=len(drawn) + len(lines) + ROWS_BESIDE_CODE
        )
        lines += confine_lines([text], columns - 2, 0)
    return lines, []


ROWS_BESIDE_CODE: Final = 3
"""Rows beside sentences and code: title, footer."""
