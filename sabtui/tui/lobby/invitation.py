"""Invitations that hosts pass on to friends: code, address, lines for doors, a page of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from textual.content import Content

from net.protocol.doors import DoorKind, DoorNow
from sabtui.app.requests import Invitation, invitation_lines
from sabtui.art.store import Size
from sabtui.text.connection import code_sentence
from sabtui.text.doors import door_lines, host_of, qr_rows
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import confine_lines, width
from sabtui.text.network import anybody_joins, join_network_first, web_address
from sabtui.tui.screens.pages import PageScreen
from sabtui.tui.theme import Glyphs, draw_large, space_capitals
from sabtui.tui.widgets.text import TextPage

CONTINUES: Final = "\\"  # line continuation for a shell

LARGE_CODE_ROWS: Final = 17
"""Rows, beside those of the chairs, that the code needs to be drawn large."""


def draw_invitation(
    invitation: Invitation, room: Size, glyphs: Glyphs, doors: Sequence[DoorNow] = ()
) -> list[Content]:
    """Return the code, one address, and a line for each open door.

    `room` is in columns and rows, of which the chairs need none.
    """
    columns, _rows = room
    lines = _draw_room_code(invitation.code, room, glyphs)
    if invitation.is_alone:
        return lines + _wrap(join_network_first(), columns)
    if invitation.addresses:
        text = _("Not in their list? Address: {address} (a: more)")
        lines += _wrap(text.format(address=invitation.addresses[0]), columns)
    for text, line in door_lines(doors, invitation.addresses, is_short=True):
        lines += _format_command(text, line, columns)
    return lines


def draw_all_ways(invitation: Invitation, doors: Sequence[DoorNow], columns: int) -> list[Content]:
    """Return all that a host can pass on, keys of doors included."""
    lines = [line for text in invitation_lines(invitation) for line in _wrap(text, columns)]
    for text, line in door_lines(doors, invitation.addresses):
        lines += _format_command(text, line, columns)
    return lines


def _format_command(text: str, line: str, columns: int) -> list[Content]:
    """Return a shell command to copy: on one line, or broken so that a shell joins it again."""
    if width(text.format(line=line)) <= columns:
        return [Content(text.format(line=line))]
    return [
        *_wrap(text.format(line="").rstrip(), columns),
        *map(Content, _break_command(line, columns)),
    ]


def _break_command(line: str, columns: int) -> Iterator[str]:
    """Yield a shell command in parts that fit, broken between words where possible."""
    while len(line) > columns:
        at = line.rfind(" ", 0, columns - 1) + 1 or columns - 1
        yield f"{line[:at]}{CONTINUES}"
        line = line[at:]
    yield line


def _draw_room_code(code: str, room: Size, glyphs: Glyphs) -> list[Content]:
    """Return the lines that tell the code, large if there is room, or that none is needed."""
    columns, rows = room
    if not code:
        return _wrap(anybody_joins(), columns)
    text = _("Friends here run sabtui, choose Join, pick this table and type the code:")
    drawn = draw_large(code, glyphs)
    if rows >= LARGE_CODE_ROWS and max(map(len, drawn)) <= columns:
        big = [Content(line).stylize("bold $accent") for line in drawn]
        return [*_wrap(text, columns), Content(""), *big, Content("")]
    before, _field, after = code_sentence("{code}").partition("{code}")
    shown = Content(space_capitals(code)).stylize("bold $accent")
    return [Content(before) + shown + Content(after)]


def _wrap(text: str, columns: int) -> list[Content]:
    return [Content(line) for line in confine_lines([text], columns, 2)]


def ways_purpose() -> str:
    """Return what the page with all ways to the table is for; it is its title, too."""
    return _("all ways for friends to join")


class InvitationScreen(PageScreen):
    """Page with all that a host can pass on to friends; a QR code comes last."""

    def __init__(
        self, see_table: Callable[[], tuple[Sequence[DoorNow], Invitation | None]]
    ) -> None:
        self._see_table = see_table
        super().__init__(TextPage(capitalise(ways_purpose()), self.lines))

    def lines(self, columns: int) -> list[Content]:
        """Return the lines for a page of `columns` columns."""
        doors, invitation = self._see_table()
        if invitation is None:
            return []
        code = draw_qr_code(doors, invitation, self.context.glyphs)
        drawn = [Content(row).stylize(QR_STYLE) for row in code if len(row) <= columns]
        return [*draw_all_ways(invitation, doors, columns), *drawn]


QR_STYLE: Final = "#000000 on #ffffff"  # dark on light in any theme: many phones read nothing else


def draw_qr_code(
    doors: Sequence[DoorNow], invitation: Invitation | None, glyphs: Glyphs
) -> list[str]:
    """Return the rows of the QR code of the browser door, [] unless it is open and can be drawn."""
    ports = [door.port for door in doors if door.kind is DoorKind.WEB and door.port]
    if invitation is None or invitation.is_alone or not (ports and glyphs.has_halves):
        return []
    hosts = [host_of(address) for address in invitation.addresses[:1]]
    return qr_rows(web_address(ports[0], hosts[0], invitation.code)) if hosts else []
