"""A stage: shows a table, or the tables of a club in turn, to a room full of people.

A stage watches as a projector, and is listed as one among the watchers. It has keys of its own: its
credentials are kept apart from the seats of the person who runs it.

It has one connection to the table, or to the club's hall, and one to each table of the club at
which a game runs. When a connection ends, the stage reconnects. Its screens are a table in large
letters, and a screen between games.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from engine.events import Laid
from engine.state import Phase
from net.client.credentials import Credentials
from net.client.session import ConnectionState, Session, Status, Update
from net.discovery.advert import AdvertStage, read_stage
from net.discovery.networks import LOOPBACK_HOSTS, own_addresses
from net.protocol.cleaning import sanitise
from net.protocol.lobby import Lobby
from net.protocol.messages import CloseReason
from net.secure.address import is_tunnel
from net.secure.code import RoomCode
from net.secure.handshake import Rejection
from sabtui.app import requests
from sabtui.app.errors import UserError, log_exception
from sabtui.app.joining import SeveralTables, credentials_for, find, recent_credentials
from sabtui.cli.play import ask_code
from sabtui.club.screens import rank_night, table_rows
from sabtui.club.text import night_end, night_games, night_table, people_lines
from sabtui.club.visit import ClubVisit, stage_store, watch_table
from sabtui.plain.console import Console
from sabtui.table.sight import Sight
from sabtui.text.cards import shape_words
from sabtui.text.connection import code_sentence, state_words, why_ended
from sabtui.text.door_words import door_lines
from sabtui.text.events import log_lines
from sabtui.text.i18n import _, capitalise, join_words, pgettext, put_title
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import table_name
from sabtui.tui.command import LEAVE, Command
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.lobby.invitation import QR_STYLE, draw_qr_code
from sabtui.tui.lobby.rows import draw_row, list_rows
from sabtui.tui.navigation import ActiveSession
from sabtui.tui.screens.podium import draw_winners
from sabtui.tui.table import render
from sabtui.tui.table.log import LogKind, TableLog
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import Glyphs, draw_large, drawable
from sabtui.tui.widgets.panel import Look, Panel, Row, StyledSpan, centre_text, plain


@dataclass(frozen=True, slots=True)
class StagePlace:
    """Table or club that a stage shows, as credentials to watch it."""

    credentials: Credentials

    @property
    def handle(self) -> requests.TableHandle:
        return ClubVisit(self.credentials, stage_store(), watch_table).hall()

    def invitation(self, code: RoomCode | None) -> requests.Invitation:
        """Return the invitation for people in the room: addresses, and a code if it is shown."""
        known = self.credentials.addresses
        there = [at for at in known if at.host not in LOOPBACK_HOSTS and not is_tunnel(at.host)]
        here = [at for at in known if at.host in LOOPBACK_HOSTS]
        if here:
            there = requests.typable_addresses(tuple(own_addresses()), here[0].port)
        shown = tuple(dict.fromkeys(map(str, there)))
        return requests.Invitation(self.credentials.title, "" if code is None else str(code), shown)


async def find_stage_place(where: str = "", code: RoomCode | None = None) -> StagePlace:
    """Find the club or table for a stage to show; if several match, the one that it showed before.

    `where` is its name or address as typed, empty for the only one there is.

    Raises:
        SeveralTables: more than one fits the request.
        UserError: there is none, or it cannot be joined.
    """
    store = stage_store()
    name = capitalise(pgettext("a player", "projector"))
    watcher = requests.JoinRequest(name, where, code, watch=True)
    before = [credentials.table for credentials in recent_credentials(watcher, store)]
    try:
        place = await find(where, before)
    except SeveralTables as several:
        several.command = "sabtui stage NAME"
        raise
    credentials = credentials_for(place, watcher, store)
    if code is not None:
        credentials = replace(credentials, code=code)
    return StagePlace(credentials)


def ask_for_stage(where: str, code: RoomCode | None) -> tuple[StagePlace, RoomCode | None]:
    """Find the table or club for a stage, and the code to find it again; ask for a code if needed.

    Raises:
        SeveralTables: more than one club or table fits.
        UserError: none can be joined, or input ended before the code was given.
    """
    place = asyncio.run(find_stage_place(where, code))
    credentials = place.credentials
    if credentials.pin is None and credentials.code is None:
        code = ask_code(credentials, Console())
        place = replace(place, credentials=replace(credentials, code=code))
    return place, code


RETRY_S: Final = 10.0
"""Seconds after which a table whose session has ended, or that was not found, is tried again."""

TABLE_S: Final = 60.0
"""Seconds that a table of a club is shown before the next one."""

RESULT_S: Final = 45.0  # seconds for which a club's table is shown after its game is over

MAX_TABLES: Final = 16
"""Maximum number of tables of a club that are watched at once; the others wait until a game is
over."""

HALL: Final = ""  # in place of a table's id: the screen between games


@dataclass(frozen=True, slots=True)
class StageOrder:
    """Instructions for a stage: the place that it shows, and how."""

    find: Callable[[], Awaitable[StagePlace]]  # finds the place again
    place: StagePlace
    shows_code: bool = True


class Director:
    """Connects a stage, and shows one table after the other, or the hall while nobody plays."""

    def __init__(self, order: StageOrder) -> None:
        self.shows_code = order.shows_code
        self.place = order.place
        self.code = order.place.credentials.code  # `None` once it was renewed
        self._order = order
        self._clock = time.monotonic
        self._below: CommandScreen | None = None  # the screen between games, below that of a table
        self._screen: TableScreen | None = None  # of the table that is shown
        self._main: ActiveSession | None = None  # at the only table, or in the hall
        self._tables: dict[str, ActiveSession] = {}  # at tables of the club, by id
        self._resting: dict[str, float] = {}  # tables, with the time until which they are not tried
        self._over: dict[str, float] = {}  # tables, with the time at which their game was over
        self._trouble = ""
        self._again_at: float | None = None  # when the place is looked for again
        self._at = HALL  # the table that is shown, or `HALL`
        self._until = 0.0  # when its time is up

    @property
    def _app(self) -> App[object]:
        """The app, once the stage is running."""
        assert self._below is not None
        return self._below.app

    @property
    def status(self) -> Status:
        return Status() if self._main is None else self._main.status

    @property
    def hall(self) -> Lobby | None:
        """The club's hall, `None` at a table without a club."""
        return self.status.hall

    @property
    def invitation(self) -> requests.Invitation:
        """The invitation for the room, with the code if it is known and not hidden."""
        return self.place.invitation(self.code if self.shows_code else None)

    @property
    def trouble(self) -> str:
        """The trouble with the connection in words, "" if there is none."""
        if self._main is None:
            return self._trouble
        is_heard = self.status.connection is ConnectionState.CONNECTED
        return "" if is_heard else state_words(self.status)

    def start(self, below: CommandScreen) -> None:
        """Connect for the first time; the screen `below` is the one between games."""
        self._below = below
        self._main = self._link(self.place.handle)

    def tick(self) -> None:
        self._app.call_later(self._direct)

    def turn(self, by: int) -> None:
        """Show the table this many places later, or earlier; the hall is one of them."""
        self._app.call_later(self._turn, by)

    def switch_code(self) -> None:
        self.shows_code = not self.shows_code

    def end(self) -> None:
        """Leave the hall and all tables."""
        links = [*self._tables.values(), *([] if self._main is None else [self._main])]
        self._main, self._tables = None, {}
        for link in links:
            link.thread.leave()

    def _link(self, handle: requests.TableHandle) -> ActiveSession:
        link = ActiveSession(handle, self._app, self._take)
        link.thread.start()
        return link

    # Incoming updates.

    async def _take(self, link: ActiveSession, update: Update) -> None:
        if link is not self._main and link not in self._tables.values():
            return
        link.status = update.status
        if update.status.connection is ConnectionState.ENDED:
            self._drop(link)
        elif self._screen is not None and self._list_games().get(self._at) is link:
            self._screen.show_update(update)
        await self._direct()

    def _drop(self, link: ActiveSession) -> None:
        """Forget a session that has ended; its table, or the place, is tried again later."""
        if link.failure is not None:
            log_exception(link.failure)
        again_at = self._clock() + RETRY_S
        if link is not self._main:
            table = next(table for table, other in self._tables.items() if other is link)
            del self._tables[table]
            self._resting[table] = again_at
            return
        why = link.status.ending
        self._main, self._trouble = None, why_ended(why)
        if why is CloseReason.NEW_CODE:
            self.code = None
        is_rejected = isinstance(why, Rejection) and why is not Rejection.NOT_SEATED
        is_rejected = is_rejected or why is CloseReason.NEW_CODE
        self._again_at = None if is_rejected else again_at  # a wrong code stays wrong

    async def _find_again(self) -> None:
        try:
            self.place = await self._order.find()
        except UserError as trouble:
            self._trouble, self._again_at = str(trouble), self._clock() + RETRY_S
        else:
            self._main = self._link(self.place.handle)
        self.tick()

    # The choice of what to show.

    async def _direct(self) -> None:
        now = self._clock()
        if self._again_at is not None and now >= self._again_at:
            self._again_at = None
            self._app.run_worker(self._find_again())
        self._follow(now)
        games = self._list_games()
        in_ceremony = self._screen is not None and self._screen.model.is_in_ceremony
        is_time_up = now >= self._until
        if self._at in games:
            if is_time_up and len(games) > 1 and not in_ceremony:
                await self._show(_stop_after(self._at, list(games), 1), games, now)
        elif self._at != HALL or is_time_up:
            await self._show(next(iter(games), HALL), games, now)
        else:  # a key has turned to the hall
            await self._show(HALL, games, now)

    async def _turn(self, by: int) -> None:
        """Show the table or hall this many places later, for `TABLE_S`."""
        now = self._clock()
        games = self._list_games()
        await self._show(_stop_after(self._at, [*games, HALL], by), games, now)
        self._until = now + TABLE_S

    async def _show(self, at: str, games: Mapping[str, ActiveSession], now: float) -> None:
        """Show one of the games, for `TABLE_S`, or the hall, until there is a game."""
        if at != HALL:
            self._until = now + TABLE_S
        if at != self._at:
            self._at, self._screen = at, None
            while self._app.screen is not self._below:
                await self._app.pop_screen()
            if at != HALL:
                self._screen = StageTableScreen(games[at].thread, games[at].status, self)
                await self._app.push_screen(self._screen)
        if self._below is not None:
            self._below.update_commands()

    def _list_games(self) -> dict[str, ActiveSession]:
        """Return the sessions with a game to be shown, in the order of the tables."""
        if self.hall is None:
            main = self._main
            return {} if main is None or main.status.view is None else {"table": main}
        order = [table.id for table in self.hall.board.tables if table.id in self._tables]
        now = self._clock()
        return {
            table: self._tables[table]
            for table in order
            if self._tables[table].status.view is not None
            and now < self._over.get(table, now) + RESULT_S
        }

    def _follow(self, now: float) -> None:
        """Begin a session at each of the club's tables with a game, and leave the others."""
        hall, club = self.hall, None if self._main is None else self._main.handle.club
        if hall is None or not isinstance(club, ClubVisit):
            return
        stages = {table.id: read_stage(table.stage) for table in hall.board.tables if table.people}
        for table in [shown for shown in self._tables if stages.get(shown) not in _SHOWN]:
            self._tables.pop(table).thread.leave()
        self._resting = {table: until for table, until in self._resting.items() if now < until}
        for row in hall.board.tables:
            is_new = row.id not in self._tables and row.id not in self._resting
            is_playing = stages.get(row.id) is AdvertStage.PLAYING
            if is_new and is_playing and len(self._tables) < MAX_TABLES:
                self._tables[row.id] = self._link(club.table(row.id, row.name, watch=True))
        self._over = {
            table: self._over.get(table, now)
            for table, link in self._tables.items()
            if link.status.view is not None and link.status.view.phase is Phase.OVER
        }


_SHOWN: Final = (AdvertStage.PLAYING, AdvertStage.OVER)
"""Stages of a club's tables that are worth showing."""


def _stop_after(at: str, stops: list[str], by: int) -> str:
    """Return the stop this many places after `at`, in a cycle; the first if `at` is not one."""
    return stops[(stops.index(at) + by) % len(stops)] if at in stops else stops[0]


_HEADLINES: Final = (
    *(LogKind.GAME, LogKind.HARM, LogKind.PASS),
    *(LogKind.EVENT, LogKind.ROUND, LogKind.TURNING_POINT),
)
"""Kinds of log lines that are headlines: what happens in the game, without talk."""


def stage_commands(director: Director, screen: CommandScreen) -> Iterable[Command]:
    """Yield the commands of a stage's screen; without any of them it runs automatically."""
    after, before = pgettext("replay", "next"), pgettext("replay", "previous")
    yield Command("next", ("n",), after, after, lambda: director.turn(1))
    yield Command("previous", ("p",), before, before, lambda: director.turn(-1))
    purpose = _("show the room code, or hide it")
    yield Command("code", ("c",), _("code"), purpose, director.switch_code)
    purpose, question = _("quit Sabtui"), _("Quit Sabtui?")
    yield Command(LEAVE, ("q",), _("leave"), purpose, lambda: screen.ask(question, screen.app.exit))


class StageTableScreen(TableScreen, inherit_bindings=False):
    """Table as a watcher sees it, for a room full of people."""

    DEFAULT_CSS = "StageTableScreen #talk { height: 0; }"

    def __init__(self, session: Session, status: Status, director: Director) -> None:
        self.director = director
        super().__init__(session, status)
        assert self.status.seat is None, "a stage has no seat"
        self.model = replace(self.model, has_hand=False)

    def commands(self) -> Iterable[Command]:
        yield from stage_commands(self.director, self)

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Do nothing: there is no cursor that a click could move."""
        pressed.prevent_default()

    def sentence(self) -> str:
        """Return the trouble with the connection if there is any, else one line on how to join."""
        if self.model.is_asked or self.model.message:
            return super().sentence()
        if self.status.connection is not ConnectionState.CONNECTED:
            return state_words(self.status)
        known = self.director.invitation
        parts = [requests.address_line(address) for address in known.addresses[:1]]
        return "   ".join([*parts, *([code_sentence(known.code)] if known.code else [])])

    def bottom(self, sight: Sight, model: TableModel) -> list[Row]:
        """Show the last move as a headline; after a while, who is thinking, and for how long.

        Between rounds it shows the result of the round or game.
        """
        if sight.view.phase not in {Phase.PLAY, Phase.GOLD}:
            return render.draw_bottom(sight, model)
        layout, brief = model.layout, ""
        text = model.frame.text
        if not text and model.waited >= render.CLOCK_AFTER_S:
            text = " ".join(plain(render.draw_turn(sight, model.waited)).split())
        elif not text:
            text, brief = find_headline(model.log, sight)
        drawn = draw_headline(text, layout.columns, layout.hand - 1, model.glyphs, brief)
        return [render.rule_below_mine("", sight.view, model), *drawn]


def find_headline(log: TableLog, sight: Sight) -> tuple[str, str]:
    """Describe the last event of the game, as a sentence and in brief.

    For a card that was laid, the brief one says who and what, without the place; otherwise it is
    "". Both are "" before anything happens.
    """
    for entry in reversed(log.lines):
        if entry.turn is not None:
            logged, brief = log_lines([entry.turn], sight.view, sight.names), ""
            if isinstance(entry.turn, Laid):
                name, card = sight.names.names[entry.turn.seat], shape_words(entry.turn.path)
                brief = _("{title}: {facts}").format(title=name, facts=card)
            return next(iter(logged), entry.text), brief
        if entry.kind in _HEADLINES:
            return entry.text, ""
    return "", ""


def draw_headline(text: str, columns: int, rows: int, glyphs: Glyphs, brief: str = "") -> list[Row]:
    """Return a headline in the middle of this many columns, in large letters if they fit.

    If only the `brief` one fits in large letters, it is drawn so, and the whole one small below it.
    """
    drawn, parts = _enlarge(text.removesuffix("."), columns - 2, rows, glyphs), list[str]()
    if not drawn:
        if cell_len(text) <= columns - 2:
            drawn = _enlarge(brief, columns - 2, rows - 1, glyphs)
        parts = confine_lines([text], columns - 2, 0)[: rows - len(drawn)]
    left = " " * ((columns - max(map(len, drawn), default=0)) // 2)
    above: list[Row] = [(StyledSpan(left + line, Look.TURN),) for line in drawn]
    above = above or [()] * ((rows - len(parts)) // 2)
    return [*above, *((StyledSpan(centre_text(part, columns), Look.STRONG),) for part in parts)]


def _enlarge(text: str, columns: int, rows: int, glyphs: Glyphs) -> list[str]:
    """Return a text in large letters, no lines if a letter cannot be drawn or it does not fit."""
    lines = draw_large(drawable(text), glyphs) if drawable(text) else []
    fits = len(lines) <= rows and max(map(len, lines), default=0) <= columns
    return lines if fits else []


TICK_S: Final = 1.0  # seconds between checks of what to show

JOIN_COLUMNS: Final = 56  # columns of the lines on how to join, at the right

WIDE_COLUMNS: Final = 2 * JOIN_COLUMNS + 8
"""Minimum columns of a terminal in which those lines are at the right instead of below."""

MARGINS: Final = 4  # blank columns at both sides of a part

LARGE_TITLE_ROWS: Final = 30  # minimum terminal rows at which the title may be in large letters

INDENT: Final = "   "  # blanks before the people of a table


class StageHallScreen(CommandScreen):
    """Screen between games, below those of the tables."""

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
        self.director = Director(order)
        self.title_line: Final = Static(markup=False, id="title")
        self.tables: Final = Static(markup=False, id="tables")
        self.join: Final = Static(markup=False, id="join")
        super().__init__()

    def commands(self) -> Iterable[Command]:
        yield from stage_commands(self.director, self)

    def body(self) -> ComposeResult:
        yield self.title_line
        with Horizontal(id="room"):
            yield self.tables
            yield self.join

    def on_mount(self) -> None:
        self.director.start(self)
        self.set_interval(TICK_S, self.director.tick)
        self.redraw()

    def on_unmount(self) -> None:
        self.director.end()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE_COLUMNS, "-wide")
        self.redraw()

    def on_glyphs_changed(self) -> None:
        self.redraw()

    def update_commands(self) -> None:
        """Update the available commands, and redraw."""
        super().update_commands()
        self.redraw()

    def redraw(self) -> None:
        if not self.is_mounted:
            return
        director, (columns, rows) = self.director, self.app.size
        glyphs, is_wide = self.context.glyphs, columns >= WIDE_COLUMNS
        lobby = director.status.lobby
        title = director.place.credentials.title if lobby is None else table_name(lobby)
        self.context.set_title(title)
        large = _enlarge(title, columns - MARGINS, rows, glyphs)
        above = large if large and rows >= LARGE_TITLE_ROWS else [sanitise(title)]
        joining = draw_invitation(
            director, JOIN_COLUMNS if is_wide else columns - MARGINS, rows, glyphs
        )
        room = columns - MARGINS - (JOIN_COLUMNS + MARGINS if is_wide else 0)
        self.title_line.update(Content("\n".join(above)))
        self.join.update(Content("\n").join(joining))
        left = rows - len(above) - 2 - self.footer.rows - (0 if is_wide else len(joining) + 2)
        lines = [
            line
            for block in draw_between_games(director.status, room, self.context.glyphs)
            for line in (*block, Content(""))
        ]
        night = None if director.hall is None else director.hall.board.night
        if night is not None:
            lines = [*draw_winners(rank_night(night), room, left, glyphs), *lines]
        if len(lines) > max(left, 1) + 1:  # the last line is blank
            kept = max(left, 1) - 1
            lines = [*lines[:kept], Content(f"+{len(lines) - kept - 1}").stylize("dim")]
        self.tables.update(Content("\n").join(lines))
        if self.question is None:
            self.footer.say(director.trouble)


def draw_between_games(status: Status, columns: int, glyphs: Glyphs) -> list[list[Content]]:
    """Return blocks of lines: in a club tables, people and standings; else the table's seats."""
    hall = status.hall
    if hall is not None:
        tables, people = hall.board.tables, confine_lines(people_lines(hall), columns, 2)
        listed: list[Content] = []  # each table, with its people in the lines below
        for table, row in zip(tables, table_rows(tables, columns, glyphs), strict=True):
            here = sanitise(join_words(table.people))
            names = confine_lines([here], columns - len(INDENT), 0) if here else []
            listed += [row, *(Content(INDENT + name).stylize("dim") for name in names)]
        blocks = [listed, [Content(line) for line in people]]
        night = hall.board.night
        if night is not None and night_games(night):
            standings = night_end(night) or night_table(night)
            blocks.append([Content(sanitise(line)) for line in standings])
        return blocks
    lobby = status.lobby
    if lobby is None:
        return []
    return [[draw_row(row, lobby, status, columns) for row in list_rows(lobby)]]


def draw_invitation(director: Director, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    """Draw how to join, in this many columns: addresses, the code if it is shown, a QR code."""
    known, doors = director.invitation, director.status.doors
    texts = [requests.near_line("sabtui join")]
    for address in known.addresses[:1]:
        texts.append(requests.address_line(address))
        ways = door_lines(doors, known.addresses, is_short=True)
        texts += [put_title(title, line) for title, line in ways]
    drawn = draw_qr_code(doors, known, glyphs)
    lines = [Content(line) for line in confine_lines(texts, columns, 2)]
    if known.code:
        code = _enlarge(known.code, columns, rows, glyphs) or [code_sentence(known.code)]
        big = [Content(line).stylize("bold $accent") for line in code]
        lines = [*big, Content(""), *lines]
    if drawn and len(drawn[0]) <= columns and len(drawn) + len(lines) + ROWS_BESIDE_JOIN <= rows:
        lines += [Content(""), *(Content(line).stylize(QR_STYLE) for line in drawn)]
    return lines


ROWS_BESIDE_JOIN: Final = 9  # rows that are reserved for title and footer if a QR code is drawn
