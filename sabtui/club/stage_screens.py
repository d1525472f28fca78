"""The screens of a stage: a table in large letters, and what is to see between games.

`between_games` returns blocks of lines. The standings of a night are the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from engine.events import Laid, PlayedTurn
from engine.state import Phase
from net.client.session import ConnectionState, Session, Status
from net.protocol.lobby import Lobby
from net.protocol.messages import DoorNow
from net.protocol.requests import DoorKind
from net.protocol.text import sanitise
from sabtui.app.requests import Invitation, address_line, near_line
from sabtui.club.screens import rank_night, table_rows
from sabtui.club.stage import Director, StageOrder
from sabtui.club.text import night_end, night_games, night_table, people_lines
from sabtui.table.sight import Sight
from sabtui.text.cards import shape_words
from sabtui.text.connection import code_sentence, standing
from sabtui.text.doors import door_lines, host_of, qr_rows
from sabtui.text.events import log_lines
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import table_name
from sabtui.text.names import PlayerNames
from sabtui.text.network import web_address
from sabtui.tui.command import LEAVE, Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.lobby.commands import QR_STYLE
from sabtui.tui.lobby.rows import lobby_rows, text_of_row
from sabtui.tui.navigation import ActiveSession
from sabtui.tui.screens.podium import draw_winners
from sabtui.tui.table import render
from sabtui.tui.table.log import LogKind, TableLog
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import ASCII, Glyphs, drawable, large
from sabtui.tui.widgets.panel import Look, Panel, Row, StyledSpan, centre_text, plain

_HEADLINES: Final = frozenset(
    {
        *(LogKind.GAME, LogKind.HARM, LogKind.PASS),
        *(LogKind.EVENT, LogKind.ROUND, LogKind.TURNING_POINT),
    }
)
"""Kinds of lines of the log that are headlines: what happens in the game, and no talk."""


def stage_commands(director: Director, screen: CommandScreen) -> Iterable[Command]:
    """Yield the commands of a stage's screen, which goes on by itself without any of them."""
    label, purpose = pgettext("replay", "next"), _("the next table")
    yield Command("next", ("n",), label, purpose, lambda: director.turn(1))
    label, purpose = pgettext("replay", "previous"), _("the previous table")
    yield Command("previous", ("p",), label, purpose, lambda: director.turn(-1))
    purpose = _("show the room code, or hide it")
    yield Command("code", ("c",), _("code"), purpose, director.switch_code)
    yield Command(
        LEAVE,
        ("q",),
        _("leave"),
        _("leave Sabtui"),
        lambda: screen.ask(_("Quit Sabtui?"), screen.app.exit),
    )


class StageTableScreen(TableScreen, inherit_bindings=False):
    """Table that a room full of people sees. What it shows, every watcher sees."""

    DEFAULT_CSS = "StageTableScreen #talk { height: 0; }"

    def __init__(self, session: Session, status: Status, director: Director) -> None:
        self.director = director
        super().__init__(session, status)
        assert self.status.seat is None, "a stage has no seat"
        self.model = replace(self.model, has_hand=False)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of a stage."""
        yield from stage_commands(self.director, self)

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Do nothing: there is no cursor that a click could move."""
        pressed.prevent_default()

    def sentence(self) -> str:
        """Return the trouble with the connection if there is any, else how to join."""
        if self.model.is_asked or self.model.message:
            return super().sentence()
        if self.status.connection is not ConnectionState.CONNECTED:
            return standing(self.status)
        return join_sentence(self.director.invitation)

    def bottom(self, sight: Sight, model: TableModel) -> list[Row]:
        """Return the last move as a headline, after a while who thinks, and since when.

        Between rounds it is the result of the round or game.
        """
        if sight.view.phase not in {Phase.PLAY, Phase.GOLD}:
            return render.bottom(sight, model)
        layout, brief = model.layout, ""
        text = model.frame.text
        if not text and model.waited >= render.CLOCK_AFTER_S:
            text = " ".join(plain(render.turn(sight, model.waited)).split())
        elif not text:
            text, brief = find_headline(model.log, sight)
        drawn = draw_headline(text, layout.columns, layout.hand - 1, model.glyphs, brief)
        return [render.rule_below_mine("", sight.view, model), *drawn]


def join_sentence(invitation: Invitation) -> str:
    """Return how to join in one line: the first address, and the code if it is known."""
    parts = [address_line(address) for address in invitation.addresses[:1]]
    parts += [code_sentence(invitation.code)] if invitation.code else []
    return "   ".join(parts)


def find_headline(log: TableLog, sight: Sight) -> tuple[str, str]:
    """Return what happened last in the game, in words, and in a few; "" for neither."""
    for entry in reversed(log.lines):
        if entry.turn is not None:
            told = log_lines([entry.turn], sight.view, sight.names)
            return next(iter(told), entry.text), _tell_briefly(entry.turn, sight.names)
        if entry.kind in _HEADLINES:
            return entry.text, ""
    return "", ""


def _tell_briefly(turn: PlayedTurn, names: PlayerNames) -> str:
    """Return who laid what, without the place, "" for another turn."""
    if not isinstance(turn, Laid):
        return ""
    return _("{title}: {facts}").format(title=names.names[turn.seat], facts=shape_words(turn.path))


def draw_headline(text: str, columns: int, rows: int, glyphs: Glyphs, brief: str = "") -> list[Row]:
    """Return a headline in the middle of so many columns, in large letters if they fit.

    If only its `brief` form fits, that is above the whole, which is written.
    """
    if drawn := _draw_large(text.removesuffix("."), columns, rows, glyphs):
        return drawn
    drawn = _draw_large(brief, columns, rows - 1, glyphs) if cell_len(text) <= columns - 2 else []
    room = rows - len(drawn)
    parts = confine_lines([text], columns - 2, 0)[:room]
    written: list[Row] = [(StyledSpan(centre_text(part, columns), Look.STRONG),) for part in parts]
    above: list[Row] = drawn or [()] * ((room - len(parts)) // 2)
    return [*above, *written]


def _draw_large(text: str, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """Return a text in large letters, no rows if it has other letters or does not fit."""
    spelt = drawable(text)
    lines = large(spelt, glyphs) if spelt else []
    wide = max(map(len, lines), default=0)
    if len(lines) > rows or wide > columns - 2:
        return []
    left = " " * ((columns - wide) // 2)
    return [(StyledSpan(left + line, Look.TURN),) for line in lines]


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
