"""Invitations that players pass on to friends: code, address, lines for doors, a box of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from textual.content import Content

from net.protocol.doors import DoorKind, DoorNow
from sabtui.app.requests import Invitation
from sabtui.art.store import Size
from sabtui.table.ways import WaysIn
from sabtui.text.connection import code_sentence
from sabtui.text.door_words import door_lines, host_of, key_named, qr_rows
from sabtui.text.i18n import _, put_title
from sabtui.text.layout import confine_lines, width
from sabtui.text.network import anybody_joins, join_network_first, room_code, web_address
from sabtui.tui.theme import Glyphs, draw_large, space_capitals

CONTINUES: Final = "\\"  # line continuation for a shell

MIN_WAYS_COLUMNS: Final = 33  # fewest columns of the ways to join beside a QR code

LARGE_CODE_ROWS: Final = 17
"""Rows that the code needs to be drawn large, besides those of the chairs."""


def draw_invitation(
    invitation: Invitation, room: Size, glyphs: Glyphs, doors: Sequence[DoorNow] = ()
) -> list[Content]:
    """Return the code, one address, and a line for each open door.

    `room` is in columns and rows, without those of the chairs.
    """
    columns, _rows = room
    lines = _draw_room_code(invitation.code, room, glyphs)
    if invitation.is_alone:
        return lines + _wrap(join_network_first(), columns)
    if invitation.addresses:
        text = _("Not in their list? Address: {address} (a: more)")
        lines += _wrap(text.format(address=invitation.addresses[0]), columns)
    for title, line in door_lines(doors, invitation.addresses, is_short=True):
        lines += _format_command(title, line, columns)
    return lines


def draw_all_ways(ways: WaysIn, columns: int, glyphs: Glyphs, closed: str = "") -> list[Content]:
    """Return everything that can be passed on, with the QR code beside it or below.

    `closed` is shown for a closed door, "" to leave the door out.
    """
    code = ways.qr_rows() if glyphs.has_halves else []
    is_beside = bool(code) and columns - len(code[0]) - 2 >= MIN_WAYS_COLUMNS
    room = columns - len(code[0]) - 2 if is_beside else columns
    spaced = space_capitals(ways.code) if ways.is_code else ways.code
    code_lines = [line.stylize("bold $accent") for line in _wrap(f"  {spaced}", room)]
    blocks = [[Content(room_code()).stylize("$text-muted"), *code_lines]]
    rows = ways.doors(closed)
    rows.append((_("With Sabtui"), ["sabtui join", *ways.addresses]))
    if ways.fingerprint:
        rows.append((key_named(), [ways.fingerprint]))
    for title, lines in rows:
        block = [line.stylize("$text-muted") for line in _wrap(title, room)]
        for line in lines:
            block += [
                Content(f"  {part}").stylize("bold") for part in _break_command(line, room - 2)
            ]
        blocks.append(block)
    if ways.advice:
        blocks.append(_wrap(ways.advice, room))
    shown = [line for block in blocks for line in (*block, Content(""))][:-1]
    drawn = [Content(row).stylize(QR_STYLE) for row in code]
    if not is_beside:
        return [*shown, *([Content(""), *drawn] if drawn else [])]
    both = zip_longest(shown, drawn, fillvalue=Content(""))
    return [line + Content(" " * (room + 2 - width(line.plain))) + part for line, part in both]


def _format_command(title: str, line: str, columns: int) -> list[Content]:
    """Return a shell command to copy: on one line, or broken so that a shell joins it again."""
    if width(put_title(title, line)) <= columns:
        return [Content(put_title(title, line))]
    return [
        *_wrap(put_title(title, "").rstrip(), columns),
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
    """Return the lines with the code, large if there is room, or that none is needed."""
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
    """Return the purpose of the box with all ways to join; the palette finds it by these words."""
    return _("invite friends to join: room code, ssh, browser link, QR, address")


def stage_purpose() -> str:
    """Return the purpose of the lobby's command for a projector."""
    return _("show the table on a projector")


def draw_stage_ways(
    invitation: Invitation, doors: Sequence[DoorNow], columns: int
) -> list[Content]:
    """Return the ways to show the table on a projector, by a browser or a terminal."""
    code, at = invitation.code.casefold(), invitation.addresses[:1]
    ports = [door.port for door in doors if door.kind is DoorKind.WEB and door.port]
    lines = list[Content]()
    for port, address in zip(ports[:1], at, strict=False):
        page = web_address(port, host_of(address)) + "stage" + (f"#{code}" if code else "")
        lines += _format_command(_("In a browser at the projector"), page, columns)
    if not ports:
        lines += _wrap(_("In a browser, too, once the browser door is open."), columns)
    line = " ".join(["sabtui stage", *at, *(["--code", code] if code else [])])
    return lines + _format_command(_("In a terminal at the projector"), line, columns)


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
