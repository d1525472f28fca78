"""The hall of a club: its tables, the people who are there, their talk, and its night."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from net.client.session import ConnectionState, Session, Status, Update
from net.protocol import hall as asking
from net.protocol.board import MAX_NIGHT_ROUNDS, HallTable, Night
from net.protocol.cleaning import clean_name, sanitise
from net.protocol.lobby import Lobby, Settings
from net.protocol.requests import Chat
from sabtui.app.requests import Invitation
from sabtui.club import text
from sabtui.club.visit import DRAWN_PAUSE_S, ClubVisit
from sabtui.table.commands import CLOSE, NEW_CODE, closing_question
from sabtui.text import connection, layout, reasons
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import pad_to, width
from sabtui.tui.command import Command
from sabtui.tui.command_screen import HEIGHTS
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.host import TableSettingsScreen
from sabtui.tui.screens.join import join_purpose
from sabtui.tui.screens.podium import PodiumScreen, draw_winners, rank_people
from sabtui.tui.table.moments import Winner
from sabtui.tui.theme import Glyphs, draw_seats
from sabtui.tui.widgets.form import LabelledField, TalkLine
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import LogView, cut_short

TITLE_COLUMNS, MIN_TITLE_COLUMNS = 25, 6
"""Last column in which the facts of tables begin; columns that a cut name keeps."""

ROW_MARGINS: Final = 4  # columns besides a table's row: the border of the list, and its cursor

BOX_COLUMNS: Final = 4  # columns besides the text in a box: its border, and a blank at each side

PEOPLE_ROWS: Final = 4
"""Maximum rows below the tables for the people in the hall and at the table under the cursor."""

WIDE_COLUMNS: Final = 100  # minimum columns with people, the night and talk beside the tables

HALL_BREADTHS: Final = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]
"""Minimum columns of the screen for each style class."""

SIDE_PERCENT: Final = 45  # percent of a wide terminal that these take


class HallScreen(SessionScreen):
    """List of a club's tables, with the way to each; below or beside it, who is where."""

    AUTO_FOCUS = "Menu"
    HORIZONTAL_BREAKPOINTS = HALL_BREADTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    CSS = """
    HallScreen {
        #night { padding: 0 1; height: auto; max-height: 4; }
        #people, #standings { height: auto; }
        #room, #said { height: 1fr; }
        Menu { height: 2fr; }
        #side { height: 3fr; }
        LogView { min-height: 0; }
        &.-low .heading { height: 1; }
        &.-low #people { border: none !important; }
        &.-wide {
            #room { layout: horizontal; }
            Menu { width: 1fr; height: 1fr; }
            #side { width: 45%; height: 1fr; }
        }
    }
    """

    def __init__(self, seat: Session, status: Status, invitation: Invitation | None = None) -> None:
        super().__init__(seat, status, invitation)
        self.asks_password = False  # True while the line takes the organiser password, not talk
        self.night_lines: Final = Static(markup=False, id="night")
        self.title_line: Final = Static(markup=False, classes="heading")
        self.menu: Final = Menu(opens_on_second_click=True, title=_("Tables"))
        self.people: Final = Static(markup=False, id="people", classes="box")
        self.standings: Final = Static(markup=False, id="standings", classes="box")
        self.log_lines: Final = LogView()
        self.line: Final = TalkLine()

    @property
    def hall(self) -> Lobby:
        return self.status.hall or Lobby.without_chairs("")

    @property
    def visit(self) -> ClubVisit | None:
        """The visit to the club, `None` once the player has left it."""
        club = self.context.club
        return club if isinstance(club, ClubVisit) else None

    @property
    def talk_lines(self) -> list[str]:
        held = self.status.game_state
        return [] if held is None else text.talk_lines(self.hall, held.talk)

    def commands(self) -> Iterable[Command]:
        label, why_not, choosing = _("join"), self.why_not_join, self.is_choosing
        go = partial(self.go_to, watch=False)
        yield Command("join", ("enter",), label, join_purpose(), go, why_not, concerns=choosing)
        label, go = _("watch"), partial(self.go_to, watch=True)
        yield Command("watch", ("w",), label, label, go, why_not, concerns=choosing)
        say, talks = _("send"), partial(self.is_typing, password=False)
        yield Command("say", ("enter",), say, say, self.send_line, concerns=talks)
        become, proves = _("become organiser"), partial(self.is_typing, password=True)
        yield Command("become", ("enter",), become, become, self.send_line, concerns=proves)
        yield Command("open", ("n",), _("new table"), _("new table"), self.open_table)
        yield Command("talk", ("t",), _("chat"), _("say something to everybody"), self.talk)
        yield from self.organiser_commands()
        yield Command(
            "standings",
            ("r",),
            _("standings"),
            _("everybody's gold and wins"),
            self.show_standings,
            concerns=lambda: self.hall.board.night is not None,
        )
        yield Command(
            "organise",
            ("o",),
            _("organise"),
            _("run the club's night (needs the organiser password)"),
            self.ask_password,
            hidden=True,
            concerns=lambda: not self._leads(),
        )
        yield from self.reading_commands()
        purpose = _("back to where you were")
        yield Command("leave", ("escape",), _("back"), purpose, self.leave)

    def organiser_commands(self) -> Iterable[Command]:
        """Yield the commands that only organisers are offered, the most useful first."""
        draw = _("draw the tables of the next round")
        night = _("start a game night: choose how many rounds")
        order, leads, table = self.session.request, self._leads, self.why_not_join
        # Translators: label of a key: to draw who sits at which table.
        label, draw_round = _("draw"), partial(order, asking.DrawRound())
        yield Command("draw", ("d",), label, draw, draw_round, concerns=leads)
        # Translators: label of a key: an evening at a club.
        yield Command("night", ("g",), _("night"), night, self._begin, concerns=leads)
        send, close = _("send somebody to this table"), CLOSE.purpose()
        yield Command("send", ("m",), _("send"), send, self._send, table, concerns=leads)
        purpose = _("remove somebody from the club for good, and draw a new code")
        # Translators: label of a key: to remove a person.
        yield Command("remove", ("k",), _("remove"), purpose, self._remove, concerns=leads)
        label = _("close table")
        yield Command("close", ("x",), label, close, self._close, table, concerns=leads)
        renew, purpose = partial(order, asking.RenewCode()), NEW_CODE.purpose()
        yield Command("renew", ("c",), _("new code"), purpose, renew, concerns=leads)

    def body(self) -> ComposeResult:
        self.people.border_title = Content(_("People"))
        self.standings.border_title = Content(capitalise(_("standings")))
        yield self.title_line
        yield self.night_lines
        with Container(id="room"):
            yield self.menu
            with Vertical(id="side"):
                yield self.people
                yield self.standings
                with Vertical(id="said", classes="box") as said:
                    said.border_title = Content(_("Chat"))
                    yield self.log_lines
                    yield LabelledField(_("Chat"), self.line)

    def on_mount(self) -> None:
        self.line.can_focus = False
        self.log_lines.begin_with(self.talk_lines)
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def show_update(self, update: Update) -> None:
        """Show an update; go to a table that was opened for this player."""
        before, talk, was_leading = self.status, self.talk_lines, self._leads()
        connection_before = before.connection
        super().show_update(update)
        if self.status.connection is ConnectionState.ENDED:
            self.context.leave_table(connection.why_ended(self.status.ending))
            return
        if self.talk_lines != talk:
            self.log_lines.begin_with(self.talk_lines)
        received, club = update.received, self.visit
        if received is not None and received.refused is not None:
            self.say(reasons.refusal_sentence(received.refused.reason))
        elif club is not None and (table := club.find_way(update)):
            self._lead_to(table, at_once=received is not None and bool(received.opened))
        elif self.status.connection is ConnectionState.LOST:
            self.say(connection.state_words(self.status))
        elif connection_before is ConnectionState.LOST:
            self.say("")
        elif self._leads() and not was_leading and before.hall is not None:
            self.say(text.organiser_welcome())
        self.redraw()
        if club is not None and club.sees_end(before, self.status):
            self.show_standings()

    def redraw(self) -> None:
        hall = self.hall
        tables = hall.board.tables
        self.context.set_title(hall.name)
        title = text.hall_title(hall, self.status.member) if hall.people else ""
        self.title_line.update(sanitise(title))
        standings = text.night_lines(self.status)
        self.night_lines.update("\n".join(standings))
        self.night_lines.display = bool(standings)
        columns, rows = self.app.size
        is_wide = columns >= WIDE_COLUMNS
        side = columns * SIDE_PERCENT // 100 if is_wide else columns
        left = columns - side if is_wide else columns
        drawn_tables = table_rows(tables, left - ROW_MARGINS, self.context.glyphs)
        self.menu.show(drawn_tables, ids=[table.id for table in tables])
        nothing = text.no_tables() if hall.people else ""  # before people are there, it is unknown
        self.menu.set_empty_text(nothing)
        at, most = self.menu.at, rows // 3 if is_wide else PEOPLE_ROWS
        others = (*tables[:at], *tables[at + 1 :]) if is_wide else ()
        lines = text.people_lines(hall, (*tables[at : at + 1], *others))[:most]
        shown = fit_people(lines or [connection.state_words(self.status)], side - BOX_COLUMNS, most)
        self.people.update("\n".join(shown))
        night = hall.board.night
        self.standings.display = is_wide and night is not None and bool(text.night_games(night))
        if self.standings.display and night is not None:
            drawn = draw_night(night, side - BOX_COLUMNS, rows // 2, self.context.glyphs)
            self.standings.update(Content("\n").join(drawn))
        self.update_commands()

    def on_option_list_option_highlighted(self) -> None:
        self.redraw()

    def why_not_join(self) -> str | None:
        """Return why there is no table to go to, `None` if there is one."""
        return None if self.hall.board.tables else text.no_tables()

    def is_typing(self, *, password: bool) -> bool:
        """Return True while the player types talk, or the organiser `password`: Enter sends it."""
        return self.line.has_focus and self.asks_password == password

    def is_choosing(self) -> bool:
        return not self.line.has_focus

    @property
    def table(self) -> HallTable:
        return self.hall.board.tables[self.menu.at]

    def go_to(self, *, watch: bool) -> None:
        self._enter_table(self.table.id, self.table.name, watch=watch)

    def _leads(self) -> bool:
        return self.status.is_organiser

    def _begin(self) -> None:
        numbers = [str(number) for number in range(1, MAX_NIGHT_ROUNDS + 1)]
        question = _("Begin a night: how many rounds, with new tables for each?")
        self.pick(question, numbers, self._ask_settings)

    def _ask_settings(self, at: int) -> None:
        def begin(settings: Settings) -> None:
            self.session.request(asking.BeginNight(at + 1, clean_name(_("Table")), settings))

        self.show(TableSettingsScreen(Settings(), begin))

    def _send(self) -> None:
        table, hall = self.table, self.hall
        here = text.names_here(hall)
        names = [*here, *sorted(hall.board.names_at_tables.difference(here))]
        question = _("Who goes to {table}?").format(table=table.name)
        self.pick(
            question, names, lambda at: self.session.request(asking.MovePerson(names[at], table.id))
        )

    def _remove(self) -> None:
        hall = self.hall
        people = [person for person in hall.people if person.member not in hall.board.organisers]
        names = [person.name for person in people]
        question = _("Remove whom from the club for good?")
        self.pick(question, names, lambda at: self.session.request(asking.RemovePerson(names[at])))

    def _close(self) -> None:
        self.ask(
            closing_question(), partial(self.session.request, asking.CloseTable(self.table.id))
        )

    def show_standings(self) -> None:
        assert self.hall.board.night is not None
        self.show(NightScreen(self.hall.name, self.hall.board.night))

    def ask_password(self) -> None:
        """Let the player type the organiser password in the chat line."""
        self.talk()
        self.asks_password = True
        self.say(_("Type the organiser password: the club's terminal shows it."))

    def _lead_to(self, table: str, *, at_once: bool) -> None:
        """Go to a table; unless `at_once`, name it first and wait `DRAWN_PAUSE_S`."""
        if at_once:
            self._enter_table(table, "", watch=False)
            return
        self.say(" ".join(text.night_lines(replace(self.status, code=""))))
        self.set_timer(DRAWN_PAUSE_S, lambda: self._enter_table(table, "", watch=False))

    def _enter_table(self, table: str, title: str, *, watch: bool) -> None:
        if (club := self.visit) is not None:
            self.context.enter_table(club.table(table, title, watch=watch))

    def open_table(self) -> None:
        own_name = self.hall.find_person(self.status.member).name
        name = clean_name(_("{name}'s table").format(name=own_name))

        def begin(settings: Settings) -> None:
            self.session.request(asking.OpenTable(name, settings))

        self.show(TableSettingsScreen(Settings(), begin, is_new=True))

    def talk(self) -> None:
        """Focus the chat line, for talk and not the organiser password."""
        if self.asks_password:
            self.asks_password, self.line.value = False, ""
        self.line.can_focus = True
        self.line.focus()

    def send_line(self) -> None:
        """Send the typed line; an empty one returns to the tables."""
        typed = self.line.value.strip()
        if typed and self.asks_password:
            self.session.request(asking.Organise(typed[: asking.MAX_PASSWORD_LENGTH]))
            self.line.value = ""
            self.leave()
        elif typed:
            self.session.request(Chat(typed))
            self.line.value = ""
        else:
            self.leave()

    def leave(self) -> None:
        if self.line.has_focus:
            if self.asks_password:
                self.asks_password, self.line.value = False, ""
            self.menu.focus()
            self.line.can_focus = False
        else:
            self.context.leave_table()


def fit_people(lines: Sequence[str], columns: int, rows: int = PEOPLE_ROWS) -> list[str]:
    """Return lines wrapped at `columns`, each in an equal share of the rows; dots mark a cut."""
    most, kept = rows // len(lines), list[str]()
    for line in lines:
        shown = layout.confine_lines([line], columns, 0)
        cut = [cut_short(" ".join(shown[most - 1 :]), columns)]
        kept += shown if len(shown) <= most else shown[: most - 1] + cut
    return kept


def table_rows(tables: Sequence[HallTable], columns: int, glyphs: Glyphs) -> list[Content]:
    """Return a row for each table: its name, seats and stage; its edition if that fits.

    The facts are aligned. Where columns are scarce, names are cut.
    """
    longest = max((width(sanitise(table.name)) for table in tables), default=0)
    begin = min(longest + 2, TITLE_COLUMNS)  # the column of the facts, unless a name is longer
    rows = list[Content]()
    for table in tables:
        _players, stage, edition = text.table_facts(table)
        players = draw_seats(table.players, table.seats, glyphs)
        facts = f"{pad_to(players, 11)}  {pad_to(stage, 10)}"
        room = max(columns - width(facts) - 1, MIN_TITLE_COLUMNS)
        title = cut_short(sanitise(table.name), room)
        rest = " " * max(min(begin, room + 1) - width(title), 1) + facts
        if width(f"{title}{rest}  {edition}") <= columns:
            rest = f"{rest}  {edition}"
        rows.append(Content(title).stylize("bold") + Content(sanitise(rest)))
    return rows


class NightScreen(PodiumScreen):
    """Page with the standings of a night, and its podium once it is over."""

    def __init__(self, club: str, night: Night) -> None:
        lines = text.night_end(night) or text.night_table(night)
        super().__init__(capitalise(_("standings")), club, rank_night(night), lines)


def rank_night(night: Night) -> list[Winner]:
    """Return the people on the podium of a night, nobody before its end."""
    gold = [(standing.name, standing.gold) for standing in text.night_standings(night)]
    return rank_people(gold, text.night_winners(night)) if night.is_over and gold else []


def draw_night(night: Night, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    """Return the standings of a night in this many rows, below its podium if there is room."""
    standings = text.night_end(night) or text.night_table(night)
    lines = [Content(sanitise(line)) for line in standings[:rows]]
    return [*draw_winners(rank_night(night), columns, rows - len(lines), glyphs), *lines]
