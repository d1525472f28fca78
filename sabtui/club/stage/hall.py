"""The stage between games: who is at which table, or on which seat, and how to join.

`between_games` returns blocks of lines. The standings of a night are the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from net.client.session import Status
from net.protocol.lobby import Lobby
from net.protocol.messages import DoorNow
from net.protocol.requests import DoorKind
from net.protocol.text import sanitise
from sabtui.app.requests import address_line, near_line
from sabtui.club.screens import rank_night, table_rows
from sabtui.club.stage.director import Director, StageOrder
from sabtui.club.stage.table import StageTableScreen, stage_commands
from sabtui.club.text import night_end, night_games, night_table, people_lines
from sabtui.text.connection import code_sentence
from sabtui.text.doors import door_lines, host_of
from sabtui.text.i18n import join_words
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import table_name
from sabtui.text.network import web_address
from sabtui.text.qr_code import qr_rows
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.lobby.invitation import QR_STYLE
from sabtui.tui.lobby.rows import lobby_rows, text_of_row
from sabtui.tui.navigation import ActiveSession
from sabtui.tui.screens.podium import draw_winners
from sabtui.tui.theme import ASCII, Glyphs, drawable, large

TICK_S: Final = 1.0  # seconds between two looks at what is to be shown

JOIN_COLUMNS: Final = 56
"""Columns of what stands at the right about joining."""

WIDE_COLUMNS: Final = 2 * JOIN_COLUMNS + 8
"""Columns from which it stands at the right, and not below."""

MARGINS: Final = 4  # blank columns at both sides of a part

LARGE_TITLE_ROWS: Final = 30
"""Terminal rows from which the title may be in large letters."""

INDENT: Final = "   "
"""Blanks before the people of a table."""


class StageHallScreen(CommandScreen):
    """Screen between games. It lies below those of the tables, and directs them."""

    DEFAULT_CSS = """
    StageHallScreen {
        #title { height: auto; padding: 1 2; color: $accent; text-style: bold; }
        #room { height: 1fr; layout: vertical; }
        #tables { height: 1fr; width: 1fr; padding: 0 2; }
        #join { height: auto; width: 1fr; padding: 1 2; }
        &.-wide #room { layout: horizontal; }
        &.-wide #join { width: 60; padding: 0 2; }
    }
    """

    def __init__(self, order: StageOrder) -> None:
        self.order = order
        self.director = Director(order, self.make_table)
        self.title_line: Final = Static(markup=False, id="title")
        self.tables: Final = Static(markup=False, id="tables")
        self.join: Final = Static(markup=False, id="join")
        super().__init__()

    def make_table(self, link: ActiveSession) -> StageTableScreen:
        """Return the screen of a table."""
        return StageTableScreen(link.thread, link.status, self.director)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of a stage."""
        yield from stage_commands(self.director, self)

    def body(self) -> ComposeResult:
        """Yield the name, who is where, and how to join."""
        yield self.title_line
        with Horizontal(id="room"):
            yield self.tables
            yield self.join

    def on_mount(self) -> None:
        """Connect."""
        self.director.start(self)
        self.set_interval(TICK_S, self.director.tick)
        self.redraw()

    async def on_unmount(self) -> None:
        """Leave the tables, so that they know at once."""
        await self.director.end()

    def on_resize(self, event: events.Resize) -> None:
        """Redraw for the terminal's size."""
        self.set_class(event.size.width >= WIDE_COLUMNS, "-wide")
        self.redraw()

    def on_glyphs_changed(self) -> None:
        """Redraw with the glyphs of the moment."""
        self.redraw()

    def look_again(self) -> None:
        """Update the available commands, and redraw."""
        super().look_again()
        self.redraw()

    def redraw(self) -> None:
        """Redraw the current state."""
        if not self.is_mounted:
            return
        director, (columns, rows) = self.director, self.app.size
        glyphs, is_wide = self.context.glyphs, columns >= WIDE_COLUMNS
        title = name_of(director.status) or director.place.credentials.title
        self.context.set_title(title)
        above = draw_title(title, columns - MARGINS, rows, glyphs)
        joining = draw_invitation(
            director, JOIN_COLUMNS if is_wide else columns - MARGINS, rows, glyphs
        )
        room = columns - MARGINS - is_wide * (JOIN_COLUMNS + MARGINS)
        self.title_line.update(Content("\n".join(above)))
        self.join.update(Content("\n").join(joining))
        left = rows - len(above) - 2 - self.footer.rows - (0 if is_wide else len(joining) + 2)
        lines = [
            line for block in between_games(director.status, room) for line in (*block, Content(""))
        ]
        night = None if director.hall is None else director.hall.board.night
        if night is not None:
            lines = [*draw_winners(rank_night(night), room, left, glyphs), *lines]
        self.tables.update(Content("\n").join(_cut(lines, left)))
        if self.question is None:
            self.footer.say(director.trouble)


def name_of(status: Status) -> str:
    """Return the name of the club or the table, "" if it is not known yet."""
    return "" if status.lobby is None else table_name(status.lobby)


def draw_title(title: str, columns: int, rows: int, glyphs: Glyphs) -> list[str]:
    """Return the lines of a title, in large letters where there is room for them."""
    drawn = large(drawable(title), glyphs) if rows >= LARGE_TITLE_ROWS and drawable(title) else []
    fits = drawn and max(map(len, drawn)) <= columns
    return drawn if fits else [sanitise(title)]


def _cut(lines: list[Content], rows: int) -> list[Content]:
    """Return as many lines as fit into so many rows; the last one counts the others."""
    rows = max(rows, 1)
    if len(lines) <= rows + 1:  # the last line is blank
        return lines
    return [*lines[: rows - 1], Content(f"+{len(lines) - rows}").stylize("dim")]


def between_games(status: Status, columns: int) -> list[list[Content]]:
    """Return blocks of lines: the tables and who is at them, or the seats of a table alone."""
    hall = status.hall
    if hall is not None:
        people = confine_lines(people_lines(hall), columns, 2)
        blocks = [_list_tables(hall, columns), [Content(line) for line in people]]
        night = hall.board.night
        if night is not None and night_games(night):
            told = night_end(night) or night_table(night)
            blocks.append([Content(sanitise(line)) for line in told])
        return blocks
    lobby = status.lobby
    if lobby is None:
        return []
    return [[text_of_row(row, lobby, status) for row in lobby_rows(lobby)]]


def _list_tables(hall: Lobby, columns: int) -> list[Content]:
    """Return each table in a line, and who is there in those below it."""
    lines: list[Content] = []
    tables = hall.board.tables
    for table, row in zip(tables, table_rows(tables, columns), strict=True):
        lines.append(row)
        here = sanitise(join_words(table.people))
        names = confine_lines([here], columns - len(INDENT), 0) if here else []
        lines += [Content(INDENT + name).stylize("dim") for name in names]
    return lines


def draw_invitation(director: Director, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    """Return how to join, in so many columns: addresses, the code if it is shown, a QR code."""
    known, ports = director.invitation, director.place.doors
    texts = [near_line("sabtui join")]
    drawn: list[str] = []
    for address in known.addresses[:1]:
        texts.append(address_line(address))
        doors = {DoorKind.SSH: ports.ssh, DoorKind.WEB: ports.web}  # as announced once
        doors |= {door.kind: door.port for door in director.status.doors}
        told = door_lines([DoorNow(kind, port) for kind, port in doors.items()], known.addresses)
        texts += [text.format(line=line) for text, line in told if line]
        if doors[DoorKind.WEB] and glyphs != ASCII:
            drawn = qr_rows(web_address(doors[DoorKind.WEB], host_of(address), known.code))
    lines = [Content(line) for line in confine_lines(texts, columns, 2)]
    if known.code:
        code = large(known.code, glyphs)
        if max(map(len, code)) > columns:
            code = [code_sentence(known.code)]
        big = [Content(line).stylize("bold $accent") for line in code]
        lines = [*big, Content(""), *lines]
    if drawn and len(drawn[0]) <= columns and len(drawn) + len(lines) + ROWS_BESIDE_JOIN <= rows:
        lines += [Content(""), *(Content(line).stylize(QR_STYLE) for line in drawn)]
    return lines


ROWS_BESIDE_JOIN: Final = 9
"""Rows that are kept for title and footer where a QR code is drawn."""
