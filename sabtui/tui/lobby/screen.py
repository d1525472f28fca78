"""The lobby's screen: seats, invitation, settings, chat, and commands.

The host's room decides what is allowed; requests that must fail are explained at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from net.client.session import ConnectionState, Received, Session, Status, Update
from net.protocol.cleaning import sanitise
from net.protocol.lobby import BotChair, ChatRule, Lobby
from net.protocol.messages import CloseReason, Reacted
from net.protocol.requests import ChangeSettings, Chat, Close, Leave, PutBot
from sabtui.app.requests import Invitation
from sabtui.art.store import Size
from sabtui.table.commands import (
    CLOSE,
    FILLING,
    HOST_SIT,
    HOSTING,
    LEAVE_FOR_GOOD,
    LOOK_COMMANDS,
    MOVING,
    REACTING,
    SEATING,
    SIT,
    STARTING,
    Argument,
    TableCommand,
    Target,
    gets_host_commands,
)
from sabtui.text import connection
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import player_names, table_name
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import (
    enter_starts,
    leave_for_now,
    leave_question,
    looking_for_table,
    not_at_table,
    ready_to_start,
    return_sentence,
    same_way,
    seat_kept,
    table_locked,
)
from sabtui.text.settings import MAIN_TERMS, describe_settings, describe_terms
from sabtui.text.talk import how_to_talk, reaction_word
from sabtui.tui.command import Command, host_title
from sabtui.tui.command_screen import HEIGHTS, Confirm
from sabtui.tui.lobby.invitation import (
    QR_STYLE,
    draw_invitation,
    draw_qr_code,
    draw_stage_ways,
    stage_purpose,
)
from sabtui.tui.lobby.rows import (
    LobbyRow,
    describe_update,
    describe_wait_for_start,
    draw_dwarves,
    draw_row,
    list_log_lines,
    list_rows,
    list_talk,
)
from sabtui.tui.screens.bases import REACTION_S, SessionScreen
from sabtui.tui.screens.host import TableSettingsScreen
from sabtui.tui.widgets.form import LabelledField, TalkLine
from sabtui.tui.widgets.menu import MARK, Menu
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.text import LogView

WIDE_LOBBY_COLUMNS, SEATS_COLUMNS = 120, 80
"""Minimum columns with settings and chat beside the seats; the columns of the seats."""

BROAD_LOBBY_COLUMNS: Final = 160
"""Minimum columns with the chat beside the settings, too."""

LOBBY_BREADTHS: Final = [
    (0, "-narrow"),
    (WIDE_LOBBY_COLUMNS, "-wide"),
    (BROAD_LOBBY_COLUMNS, "-broad"),
]
"""Minimum widths of the screen, each with the class that it sets."""


class LobbyScreen(SessionScreen):
    """Table before a game: rows with a cursor, and commands, most about the row under it."""

    AUTO_FOCUS = "Menu"
    CSS_PATH = "lobby.tcss"
    HORIZONTAL_BREAKPOINTS = LOBBY_BREADTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.asked = dict[int, str]()
        """Seats of bots that were asked for, and their levels: keys are faster than a host."""
        self.reactions = list[Reacted]()  # those that are shown now, the oldest first
        super().__init__(session, status, invitation)
        self.menu: Final = Menu(empty=looking_for_table(), opens_on_second_click=True)
        self.line: Final = TalkLine()
        self.title_line: Final = Static(markup=False, classes="heading")
        self.invitation_text: Final = Static(markup=False, classes="box")
        self.terms: Final = Static(markup=False)
        self.agreed: Final = Static(markup=False, id="agreed", classes="box")
        self.code: Final = Static(markup=False, id="code")
        self.waiting: Final = Static(markup=False)
        self.company: Final = Panel("company")
        self.log_lines: Final = LogView()

    @property
    def row(self) -> LobbyRow | None:
        rows = () if self.lobby is None else list_rows(self.lobby)
        return rows[self.menu.at] if self.menu.at < len(rows) else None

    @property
    def target(self) -> Target:
        how = _("There is no seat under the cursor.")
        if self.row is None:
            return Target(self.status, how=how)
        return Target(self.status, self.row.seat, self.row.member, how=how, asked=self.asked)

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, `None` before the client has joined."""
        return self.status.lobby

    @property
    def invitation(self) -> Invitation | None:
        """The invitation that the player can pass on now, `None` if they are not the host."""
        lobby, status = self.lobby, self.status
        if lobby is None or not status.is_host:
            return None
        given = self.given_invitation or Invitation(lobby.name, "")
        code = "" if lobby.settings.is_open else status.code or given.code
        at = tuple(map(str, status.outside)) or given.addresses  # a moved table has new ones
        return Invitation(given.title, code, at) if at else None

    @property
    def is_typing(self) -> bool:
        """True while the chat line has the focus, so that Enter sends the text."""
        return self.line.has_focus

    def commands(self) -> Iterable[Command]:
        yield from self.screen_commands(STARTING)
        text = _("say something to everybody")
        yield Command("talk", ("t",), _("chat"), text, self.talk, self._why_not_talk)
        yield from self.screen_commands((*SEATING, *LOOK_COMMANDS, *REACTING, *MOVING))
        say, types = _("send"), lambda: self.is_typing
        yield Command("say", ("enter",), say, say, self.talk, concerns=types)
        yield self.ways_command("a")
        yield from self.host_commands()
        yield Command(
            "stage",
            ("v",),
            stage_purpose(),
            stage_purpose(),
            lambda: self.open_box(capitalise(stage_purpose()), self._stage_lines),
            hidden=True,
            concerns=lambda: self.invitation is not None,
        )
        yield from self.reading_commands()

        def is_no_club() -> bool:
            return not self.context.in_club

        why_not, text = self._why_no_way_out, _("leave for good; as the host, close the table")
        # Translators: label of the key that leaves for good: a guest's seat, or a host's table.
        yield Command("leave", ("escape",), _("leave"), text, self.leave, why_not, is_no_club)
        text = _("to the club's hall; your seat is kept")
        yield Command(
            "hall", ("escape",), _("back"), text, self.away, why_not, lambda: self.context.in_club
        )
        text = _("back to where you were")
        yield Command("seats", ("escape",), _("back"), text, self._back_to_rows, concerns=types)
        text = leave_for_now()
        yield Command("away", ("w",), text, text, self.away, concerns=is_no_club, hidden=True)

    def _stage_lines(self, columns: int) -> list[Content]:
        """Return how a projector shows the table, for a page of `columns` columns."""
        shown = self.invitation
        return [] if shown is None else draw_stage_ways(shown, self.status.doors, columns)

    def host_commands(self) -> Iterable[Command]:
        yield from self.screen_commands(FILLING)
        # Translators: the table's settings.
        label, text = pgettext("label", "setup"), _("change edition, rounds, seats, turn time")
        do, why_not, concerns = self._change_terms, self._why_no_terms, self._is_host
        yield Command("terms", ("e",), label, text, do, why_not, concerns, group=host_title())
        yield from self.screen_commands(HOSTING)

    def screen_commands(self, commands: Iterable[TableCommand]) -> Iterable[Command]:
        """Yield the screen's commands for those of a table that are offered before a game."""
        for command in commands:
            if command.lobby is not None:
                yield Command(
                    command.name,
                    command.lobby.keys,
                    command.label() if command.label else command.name,
                    command.purpose(),
                    partial(self.do_command, command),
                    partial(self._why_not, command),
                    partial(self._concerns, command),
                    hidden=command.lobby.is_hidden,
                    group=host_title() if command.is_for_host else "",
                )

    def _is_host(self) -> bool:
        return gets_host_commands(self.status)

    def _concerns(self, command: TableCommand) -> bool:
        """Return True if a command is offered; a host has `HOST_SIT`, as Enter starts the game."""
        return command.concerns(self.status) and not (command is SIT and self._is_host())

    def _why_not(self, command: TableCommand) -> str | None:
        """Return why a command cannot be done now, or `None`: while a player types, Enter sends."""
        assert command.lobby is not None
        if self.is_typing and "enter" in command.lobby.keys:
            return _typing_still()
        return command.why_not(self.target)

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
        """Sit down on a clicked seat: not by Enter's command, which starts a host's game."""
        chosen.prevent_default()
        self.action_command((HOST_SIT if self._is_host() else SIT).name)

    def do_command(self, command: TableCommand) -> None:
        """Run a command for the row under the cursor; if it may mean several, let one be picked."""
        target = self.target
        others = command.others(target)
        if len(others) < 2:
            self._ask(command, target)
            return
        names, targets = zip(*others, strict=True)
        self.pick(command.pick(target), names, lambda at: self._ask(command, targets[at]))

    def _ask(self, command: TableCommand, target: Target) -> None:
        """Send the request of a command, after its question if it has one."""
        request, question = command.request(target), command.ask(target)
        if request is None:
            return
        if question:
            self.ask(question, partial(self.session.request, request), is_final=command.is_final)
            return
        self.session.request(request)
        if isinstance(request, PutBot):
            self.asked[request.seat] = request.level
        if command.takes is Argument.CHOICE:
            kept = self.context.preferences.with_look(command.name, target.look)
            if trouble := self.context.save_preferences(kept):
                self.say(trouble)

    def _why_no_terms(self) -> str | None:
        if self.lobby is None:
            return not_at_table()
        return why_unavailable(self.status, ChangeSettings(self.lobby.settings))

    def _change_terms(self) -> None:
        assert self.lobby is not None
        self.show(
            TableSettingsScreen(
                self.lobby.settings, lambda changed: self.session.request(ChangeSettings(changed))
            )
        )

    def _forget_asked(self, received: Received | None) -> None:
        """Forget the requested bots that have arrived, or were refused."""
        if self.lobby is None or (received and (received.renewed or received.refused)):
            self.asked = {}
            return
        chairs = enumerate(self.lobby.chairs)
        there = {(seat, chair.level) for seat, chair in chairs if isinstance(chair, BotChair)}
        self.asked = dict(self.asked.items() - there)

    def _why_not_talk(self) -> str | None:
        return why_unavailable(self.status, Chat("?"))  # any text would do

    def _why_no_way_out(self) -> str | None:
        """Return why Escape does not leave the table now, or `None`: it ends typing first."""
        return _typing_still() if self.is_typing else None

    def body(self) -> ComposeResult:
        self.menu.border_title = Content(_("Seats"))
        self.menu.add_class("box")
        self.invitation_text.border_title = Content(capitalise(_("room code")))
        self.agreed.border_title = Content(_("Table settings"))
        yield self.title_line
        with Container(id="room"):
            yield self.code
            with Vertical(id="seats"):
                yield self.invitation_text
                yield self.menu
                yield self.terms
                yield self.waiting
                yield self.company
            with Container(id="beside"):
                yield self.agreed
                with Vertical(id="said", classes="box") as said:
                    said.border_title = Content(_("Chat"))
                    yield self.log_lines
                    yield LabelledField(_("Chat"), self.line)

    def on_glyphs_changed(self) -> None:
        self.redraw()

    def on_mount(self) -> None:
        self.line.can_focus = False
        self.add_class("-bare")  # until the table is known, boxes are empty
        self.invitation_text.display = False
        self._restart_log()
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height >= AIRY_LOBBY_ROWS, "-tall")
        self.redraw()

    def show_update(self, update: Update) -> None:
        before, was = self.lobby, self.status
        super().show_update(update)
        received = update.received
        self._forget_asked(received)
        is_in_sight = self.invitation is not None or not self.status.is_host
        shown = connection.without_open_doors(self.status) if is_in_sight else self.status
        if self.status.connection is ConnectionState.ENDED:
            self.context.leave_table(connection.why_ended(self.status.ending))
            return
        if received is not None and received.reaction is not None:
            self.reactions.append(received.reaction)
            self.set_timer(REACTION_S, self._end_reaction)
        if received is not None and received.renewed:
            self._restart_log()
        else:
            self.log_lines.add(connection.own_news(shown, was))
            if received is not None and before is not None:
                self.log_lines.add(list_log_lines(received, before, self.status.member))
        text = describe_update(replace(update, status=shown), was)
        if text is not None:
            self.say(text)
        self.redraw()

    def _end_reaction(self) -> None:
        """Hide the oldest reaction: each is shown for the same time."""
        del self.reactions[:1]
        self.redraw()

    @property
    def _reaction_words(self) -> dict[int, str]:
        return {shown.member: reaction_word(shown.reaction) for shown in self.reactions}

    def say(self, text: str) -> None:
        """Show a message; the log leaves it out meanwhile.

        An empty message is replaced by the connection's trouble, if there is any.
        """
        if not text and self.status.connection in {ConnectionState.SHAKY, ConnectionState.LOST}:
            text = connection.state_words(self.status)
        super().say(text)
        self.log_lines.leave_out(text)

    def redraw(self) -> None:
        """Redraw everything from the current state."""
        lobby, (columns, rows) = self.lobby, self.app.size
        if lobby is None:
            self.title_line.update(connection.state_words(self.status))
            return
        is_wide, code = columns >= WIDE_LOBBY_COLUMNS, list[Content]()
        if not is_wide:
            code = self._draw_qr_code(columns - MIN_SEATS_COLUMNS, rows - ROWS_BESIDE_CODE)
        columns = SEATS_COLUMNS if is_wide else columns - sum(map(len, code[:1]))
        short, places = rows < TALL_LOBBY_ROWS, len(list_rows(lobby))
        margins = 2 if short and not is_wide else BOX_COLUMNS
        lines, glyphs = list[Content](), self.context.glyphs
        if (shown := self.invitation) is not None:
            room = columns - margins, rows - places
            lines = draw_invitation(shown, room, glyphs, self.status.doors)
        names = player_names(lobby, self.status.member)
        most_important = describe_settings(
            lobby.settings, names, MAIN_TERMS[: 3 if short else None]
        )
        terms = [] if is_wide else confine_lines([", ".join(most_important)], columns - 2, 0)
        dense = [line for line in lines if line]
        borders = BORDER_ROWS * (1 + bool(lines))
        high = len(dense) + places + len(terms) + borders + FIXED_ROWS + FOOTER_ROWS
        is_boxed = is_wide or high < rows >= TALL_LOBBY_ROWS
        is_dense = short or (is_boxed and not is_wide and rows < AIRY_LOBBY_ROWS)
        lines = dense if is_dense else lines
        beside = len(lines) + len(terms) + FIXED_ROWS + self.footer.rows
        beside += (0 if is_dense else 1) + (borders if is_boxed else 0)
        seats = max(3, min(places, rows - beside))
        kept = 0 if is_wide else CHAT_ROWS + MARGIN_ROWS * (rows >= AIRY_LOBBY_ROWS)
        left = rows - beside - seats - kept
        dwarves = draw_dwarves(lobby, (columns, left), glyphs, self._reaction_words)
        spare = rows - beside - seats - len(dwarves)
        with self.app.batch_update():
            self.code.update(Content("\n").join(code))
            self.code.display = bool(code)
            self.set_class(not is_boxed, "-bare")
            self.title_line.styles.height = 1 if is_dense else 2
            self.context.set_title(table_name(lobby))
            self.title_line.update(sanitise(table_name(lobby)))
            self.invitation_text.update(Content("\n").join(lines))
            self.invitation_text.display = bool(lines)
            self._show_seats(lobby, (columns, seats), is_boxed=is_boxed)
            self.terms.update("\n".join(map(sanitise, terms)))
            self.terms.display = bool(terms)
            self._show_waiting()
            self.company.display = bool(dwarves)
            self.company.styles.height = len(dwarves)
            self.company.show(dwarves)
            agreed = self._list_agreed(describe_terms(lobby.settings, names))
            self.agreed.update(Content("\n").join(agreed))
            self._show_talk(
                lobby,
                has_box=is_wide or (is_boxed and spare >= MIN_BOXED_TALK_ROWS),
                has_title=spare >= MIN_TITLED_TALK_ROWS,
            )
        self.update_commands()

    def _show_seats(self, lobby: Lobby, room: Size, *, is_boxed: bool) -> None:
        """Show chairs and watchers in this many columns and rows, with the box around them.

        The cursor begins on a guest's own seat, and else on the first that is free.
        """
        own = None if self.status.is_host else self.status.seat
        first = lobby.first_free() if own is None else own
        (columns, rows), border = room, BORDER_ROWS if is_boxed else 0
        places, wide = list_rows(lobby), columns - len(MARK) - border
        texts = [
            draw_row(place, lobby, self.status, wide, self._reaction_words) for place in places
        ]
        begin = first if self.menu.highlighted is None else None
        self.menu.show(texts, begin, ids=[place.id for place in places])
        self.menu.styles.height = rows + border

    def _show_talk(self, lobby: Lobby, *, has_box: bool, has_title: bool) -> None:
        """Show the talk in a box, or below a title if there is room, and its line if all talk."""
        self.set_class(has_title and not has_box, "-titled")
        self.set_class(not (has_box or has_title), "-untitled")
        is_silent = lobby.settings.chat is ChatRule.CLAIMS
        for talk in self.query(LabelledField):  # none while the screen is recomposed
            talk.display = not is_silent
        if is_silent and self.is_typing:
            self._back_to_rows()

    def _draw_qr_code(self, columns: int, rows: int) -> list[Content]:
        """Return the lines of the QR code of the browser door, [] if it does not fit.

        Guests see it, too, if nothing has to make room for it.
        """
        glyphs, ways = self.context.glyphs, self.ways
        code = draw_qr_code(self.status.doors, self.invitation, glyphs)
        if self.app.size.width >= BROAD_LOBBY_COLUMNS and ways is not None and glyphs.has_halves:
            code = code or ways.qr_rows()
        fits = bool(code) and len(code) <= rows and len(code[0]) <= columns
        return [Content(line).stylize(QR_STYLE) for line in code] if fits else []

    def _list_agreed(self, terms: Iterable[str]) -> list[Content]:
        """Return the lines of the settings, and below them of the QR code if there is room."""
        columns, rows = self.app.size
        lines = [Content(f" {sanitise(term)}") for term in terms]
        code = self._draw_qr_code(columns - SEATS_COLUMNS - 2, rows - MIN_CHAT_ROWS)
        return [*lines, Content(""), *code] if code else lines

    def _restart_log(self) -> None:
        self.log_lines.begin_with(list_talk(self.status))

    def on_option_list_option_highlighted(self) -> None:
        self.update_commands()

    def talk(self) -> None:
        self.line.can_focus = True
        self.line.focus()

    def take_line(self, text: str) -> None:
        """Send the typed text; an empty line returns to the rows."""
        if text.strip():
            self.session.request(Chat(text.strip()))
            self.line.value = ""
        else:
            self._back_to_rows()

    def on_descendant_focus(self) -> None:
        """Show what Enter does now: it starts the game only while the seats have the focus."""
        self._show_waiting()

    def on_descendant_blur(self) -> None:
        self._show_waiting()

    def open_question(self, question: str, confirm: Confirm) -> None:
        super().open_question(question, confirm)
        self._show_waiting()

    def close_question(self) -> Confirm:
        closed = super().close_question()
        self._show_waiting()
        return closed

    def _show_waiting(self) -> None:
        if self.lobby is None:
            return
        enter_acts = not self.is_typing and self.question is None
        self.waiting.update(sanitise(_waiting(self.lobby, self.status, enter_acts=enter_acts)))

    def _back_to_rows(self) -> None:
        self.menu.focus()
        self.line.can_focus = False

    def action_command(self, name: str) -> None:
        """Run a command; Escape leaves the talk line first, and then the table.

        In a club it goes back to the hall, and keeps the seat.
        """
        if name == "leave" and (self.is_typing or self.context.in_club):
            name = "seats" if self.is_typing else "hall"
        super().action_command(name)

    def leave(self) -> None:
        """Leave the table after confirmation."""
        is_host = self.status.is_host
        is_practice = self.lobby is not None and not self.lobby.name
        question = (CLOSE if is_host else LEAVE_FOR_GOOD).ask(self.target)
        asked = leave_question(self.status) if is_host and is_practice else question
        self.ask(asked, self._close if is_host else self._leave, is_final=True)

    def _close(self) -> None:
        self.session.request(Close())
        self.context.leave_table()

    def _leave(self) -> None:
        self.session.request(Leave())
        self.context.leave_table(
            connection.why_ended(CloseReason.LEFT) if self.context.is_guest else ""
        )

    def away(self) -> None:
        """Return to the welcome screen, or end a guest's app. The seat is kept."""
        seated = self.status.seat is not None
        text = seat_kept(_("Resume")) if seated else return_sentence(_("Resume"))
        if self.context.is_guest:
            text = "" if seated else same_way()
        self.context.leave_table("" if self.context.in_club else text)


TALL_LOBBY_ROWS: Final = 22
"""Terminal rows below which a narrow lobby has no box, and any lobby only its main settings."""

AIRY_LOBBY_ROWS: Final = 30
"""Minimum rows with blank rows inside and between boxes."""

MIN_SEATS_COLUMNS, ROWS_BESIDE_CODE = 44, 5
"""Minimum columns of the seats beside a QR code; rows above and below it."""

MIN_CHAT_ROWS: Final = 14
"""Rows of settings and chat that are kept where a QR code is between them."""

CHAT_ROWS: Final = 4  # rows of talk that are kept where dwarves are above it

MIN_TITLED_TALK_ROWS, MIN_BOXED_TALK_ROWS = 2, 6
"""Minimum rows of talk, besides the last, at which a narrow lobby has a title or a box for it."""

BORDER_ROWS, MARGIN_ROWS = 2, 4
"""Rows that the border of a box takes, as many columns, and rows of margins without boxes."""

BOX_COLUMNS, FOOTER_ROWS = 4, 2
"""Columns that a box takes besides its text; rows of a footer with a short message."""

FIXED_ROWS: Final = 4
"""Rows besides chairs, invitation, terms and footer: title, waiting line, log and chat line."""


def _waiting(lobby: Lobby, status: Status, *, enter_acts: bool) -> str:
    """Return what is needed before the game can begin, and whether the table is locked.

    `enter_acts` is False while Enter sends a text or answers a question.
    """
    text = describe_wait_for_start(lobby, status)
    if not enter_acts:
        text = text.replace(enter_starts(), ready_to_start())
    return f"{text} {table_locked()}" if lobby.locked else text


def _typing_still() -> str:
    """Say that the talk line is still open."""
    return how_to_talk()
