"""The table's screen: widgets, updates from the host, and keys and clicks turned into actions.

The player's state is one value, `TableModel`. Every row is rebuilt from it and from the session's
status by pure functions, and panels repaint only what differs, so resizing loses nothing. Rules are
decided by the view; a refusal is shown in the status line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.timer import Timer
from textual.widgets import Input

from engine.events import Laid, RoundEnded
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Session, Status, Update
from net.lobby import clean_text
from net.protocol.messages import Chat, DiskStatus
from sabtui.app.requests import Invitation
from sabtui.text.connection import alarm_told, disk_told, ended, own_news, report_told
from sabtui.text.i18n import _
from sabtui.text.lobby import cast_of, table_name
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import refused
from sabtui.tui.commands import Command
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.screens.session import SessionScreen
from sabtui.tui.table import hand as gold
from sabtui.tui.table import render
from sabtui.tui.table.actions import Availability, CardActions, ChatActions, ViewActions
from sabtui.tui.table.assist import AutopilotControl, HintControl
from sabtui.tui.table.commands import table_commands
from sabtui.tui.table.hand import card_at
from sabtui.tui.table.host_actions import host_commands
from sabtui.tui.table.layout import FOOTER_ROWS
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.selection import Selection, TargetPlace
from sabtui.tui.table.status import hint
from sabtui.tui.talk_line import TalkLine, no_room
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut

UNVEIL_INTERVAL_S: Final = 0.8
"""Seconds between two dwarves being unveiled."""


class TableDisplay(SessionScreen, inherit_bindings=False):
    """Table that is drawn and kept up to date, without commands."""

    SHOWS_CURSOR = True

    DEFAULT_CSS = """
    TableDisplay {
        #header { height: 1; }
        #middle { height: 1fr; }
        #mine { width: 1fr; height: 1fr; }
        #rule { width: 2; height: 1fr; }
        #side { height: 1fr; }
        #log { height: 1fr; }
        #talk {
            height: 1;
            background: $background;
            &:focus { background: $panel; }
            & > .input--placeholder { color: $foreground 66%; }
        }
        &.-too-small {
            #middle { display: none; }
            #hand { display: none; }
        }
    }
    """

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.model = TableModel(BOX)
        self.story: Final = TableLog()
        self.header: Final = Panel("header")
        self.mine: Final = Panel("mine")
        self.rule: Final = Panel("rule")
        self.side: Final = Vertical(id="side")
        self.players: Final = Panel("players")
        self.pane: Final = Panel("log")
        self.hand: Final = Panel("hand")
        self._sent: int | None = None
        self._tells = False
        self._next_dwarf: Timer | None = None
        super().__init__(session, status, invitation)
        self.talk_line: Final = TalkLine()

    def body(self) -> ComposeResult:
        """Yield the parts of the table."""
        yield self.header
        with Horizontal(id="middle"):
            yield self.mine
            yield self.rule
            with self.side:
                yield self.players
                yield self.pane
                yield self.talk_line
        yield self.hand

    def on_mount(self) -> None:
        """Show the current state."""
        self.talk_line.placeholder = _("t: talk, c: quick claims")
        self.story.begin(self.status)
        self.model = replace(self.model, glyphs=self.context.glyphs)
        if self.status.view is not None:
            self.model = replace(self.model, cells=lying_cells(self.status.view))
        self._announce(None, self.status.view)

    def on_screen_resume(self) -> None:
        """Redraw, because other glyphs may have been chosen meanwhile."""
        self.model = replace(self.model, glyphs=self.context.glyphs)
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the table out for the terminal's size."""
        self.model = self.model.resized(event.size.width, event.size.height)
        self.set_class(self.model.layout.is_too_small, "-too-small")
        self.redraw()
        self.call_after_refresh(self.place_cursor)

    def again(self) -> TableDisplay:
        """Return a copy of this screen in the new language, with the player's model."""
        anew = type(self)(self.session, self.status, self.invitation)
        anew.model = self.model
        return anew

    def show_update(self, update: Update) -> None:
        """Take in an update and show it."""
        before = self.status
        self.story.apply(update, before)
        super().show_update(update)
        status, heard = self.status, update.received
        view = status.view
        self.model = self.model.followed(before.view, view)
        if heard is not None:
            self._tells = self._tells and not heard.events
            for event in heard.events:
                if isinstance(event, Laid):
                    self.model = self.model.newest(event.cell)
                elif isinstance(event, RoundEnded):
                    self._unveil(0)
            if heard.refused is not None:
                self._sent = None
                self.say(refused(heard.refused.reason))
            if heard.alarm:
                self.say(alarm_told(heard.alarm))
            if heard.report:
                self.say(report_told(heard.report))
        for text in own_news(status, before):
            self.say(text)
        if status.disk is not before.disk and status.disk is not DiskStatus.FULL:
            self.say(disk_told(status.disk, is_host=status.is_host))
        elif status.connection is not before.connection or status.disk is not before.disk:
            self._tells = False  # the hint says what stops the game: show it
        if view is None or view.table.end is None:
            self.unveil_all()
        self._announce(before.view, view)
        self.look_again()

    @property
    def is_unveiling(self) -> bool:
        """True while dwarves are being unveiled one by one."""
        return self.model.unveiled is not None

    def unveil_all(self) -> None:
        """Show all dwarves at once."""
        if self._next_dwarf is not None:
            self._next_dwarf.stop()
            self._next_dwarf = None
        self.model = replace(self.model, unveiled=None)
        self.story.tell_all()

    def _unveil(self, dwarves: int) -> None:
        """Show this many dwarves and the next one after a while; after the last, all else."""
        view = self.status.view
        if view is None or dwarves > view.table.players:
            self.unveil_all()
        else:
            self.model = replace(self.model, unveiled=dwarves)
            self._next_dwarf = self.set_timer(UNVEIL_INTERVAL_S, lambda: self._unveil(dwarves + 1))
        self.look_again()

    @property
    def cast(self) -> PlayerNames:
        """Names of the players by seat."""
        assert self.status.lobby is not None
        return cast_of(self.status.lobby, self.status.member)

    @property
    def is_sent(self) -> bool:
        """True if a move was sent and the table has not changed since."""
        return self.status.game_state is not None and self.status.game_state.step == self._sent

    def mark_sent(self) -> None:
        """Remember that a move was sent at the present step."""
        self._sent = None if self.status.game_state is None else self.status.game_state.step

    def say(self, text: str) -> None:
        """Show a message in place of the hint; "" shows the hint again."""
        self._tells = bool(text)
        super().say(text or self.hint)

    @property
    def hint(self) -> str:
        """Sentence on what Enter does, or why it does nothing, or whose turn it is."""
        if self.status.lobby is None:
            return ""
        columns = self.model.layout.columns - 2
        if self.is_unveiling and self.status.connection is ConnectionState.LINKED:
            return cut(_("The dwarves are unveiled. Enter shows all at once."), columns)
        return hint(self.status, self.model.selection, self.cast, columns)

    def look_again(self) -> None:
        """Update the available commands, and redraw."""
        super().look_again()
        self.redraw()

    def redraw(self) -> None:
        """Redraw the current state."""
        view, lobby, model = self.status.view, self.status.lobby, self.model
        if not self._tells and self.question is None:
            self.footer.say(self.hint)
        if view is None or lobby is None or not self.is_mounted:
            return
        layout, names = model.layout, self.cast
        room = render.seats_part(view, model)
        self._arrange(layout.side, room.rows, layout.hand)
        self.header.show(render.head(view, lobby, names, model))
        if layout.is_too_small:
            return
        self.mine.show(render.mine(view, names, model))
        rule: Row = (StyledSpan(f"{model.glyphs.along} ", Look.RULE),)
        self.rule.show([rule] * layout.body)
        rows = self.pane_rows(view)
        self.players.show(render.players(view, lobby, names, model, rows))
        self.pane.show(render.pane(view, names, model, self.story, rows))
        self.hand.show(render.bottom(view, names, model))
        self.place_cursor()

    def pane_rows(self, view: View) -> int:
        """Return the rows of the pane, less those that a long status sentence takes."""
        return max(render.seats_part(view, self.model).pane - (self.footer.rows - FOOTER_ROWS), 0)

    def place_cursor(self) -> None:
        """Place the terminal's own cursor on the chosen tile or player, for braille displays."""
        model = self.model
        if self.talk_line.has_focus or self.status.view is None or model.window is None:
            return
        if model.selection.seat is not None:
            column, row = render.seats_part(self.status.view, model).where(model.selection.seat)
            self.app.cursor_position = self.players.region.offset + Offset(column + 1, row)
            return
        where = model.window.where(model.selection.cell)
        if where is not None:
            size = model.window.size
            middle = Offset(where[0] + size.columns // 2, where[1] + size.rows // 2)
            self.app.cursor_position = self.mine.region.offset + middle

    def _arrange(self, side: int, seats: int, hand: int) -> None:
        """Set the sizes of the parts."""
        self.side.styles.width = side - 2
        self.players.styles.height = seats
        self.hand.styles.height = hand

    def _announce(self, before: View | None, now: View | None) -> None:
        """Ring and change the terminal's title as one's turn begins or ends."""
        was = before is not None and before.seat is not None and before.to_act == before.seat
        mine = now is not None and now.seat is not None and now.to_act == now.seat
        if mine == was and before is not None:
            return
        name = "" if self.status.lobby is None else table_name(self.status.lobby)
        self.context.entitle(_("Your turn - {table}").format(table=name) if mine else name)
        if mine:
            self.context.ring()


SKIP_KEYS: Final = frozenset(("enter", "space", "escape"))
"""Keys that only end the unveiling while it is going on."""


class TableScreen(TableDisplay):
    """Table to play at."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.can = Availability(self)
        self.playing = CardActions(self)
        self.talking = ChatActions(self)
        self.looking = ViewActions(self)
        self.flying = AutopilotControl(self, session)
        self.advice = HintControl(self)
        super().__init__(session, status, invitation)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield from table_commands(self)
        yield from host_commands(self)
        yield self.settings_command()

    def show_update(self, update: Update) -> None:
        """Take in an update, and let the autopilot make a pending move."""
        super().show_update(update)
        self.flying.go_on()

    @property
    def desk(self) -> Selection:
        """Selection of the player."""
        return self.model.selection

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send the typed text to all."""
        event.stop()
        text = clean_text(event.value)
        if text:
            self.session.request(Chat(text))
        self.talk_line.value = ""
        self.set_focus(None)
        self.say("")
        self.look_again()

    def on_talk_line_full(self, event: TalkLine.Full) -> None:
        """Say that the chat line is full."""
        event.stop()
        self.say(no_room())

    def unbound(self, event: events.Key) -> str:
        """Return the message for a key that does nothing; a digit may be that of no card."""
        if event.character is not None and event.character.isdecimal():
            return self.playing.no_card()
        return super().unbound(event)

    def on_key(self, event: events.Key) -> None:
        """End the unveiling on any key; else use the key for the open list of claims."""
        if self.question is not None:
            return
        taken = False
        if self.is_unveiling and not self.talk_line.has_focus:
            self.unveil_all()
            self.look_again()
            taken = event.key in SKIP_KEYS or event.key not in self.active_bindings
        if taken or self.talking.take(event.key, event.character):
            event.stop()
            event.prevent_default()

    @property
    def can_go_back(self) -> bool:
        """True if Escape has something to go back from."""
        selection = self.desk
        return (
            self.talk_line.has_focus
            or self.model.about is not None
            or self.model.back > 0
            or selection != Selection(cell=selection.cell)
        )

    def back(self) -> None:
        """Go back one step: chat line, list of claims, scrolled log, then the selection."""
        if self.talk_line.has_focus:
            self.set_focus(None)
        elif self.model.about is not None:
            self.model = replace(self.model, about=None)
        elif self.model.back:
            self.model = replace(self.model, back=0)
        else:
            self.model = self.model.with_desk(self.desk.back())

    def leave(self) -> None:
        """Leave the table, after confirmation."""
        if self.status.connection is ConnectionState.ENDED:
            self.context.stand(ended(self.status.ending))
            return
        self.ask(_("Leave the table?"), self.context.stand)

    def save(self) -> None:
        """Save the record of the game."""
        from sabtui.app.records import folder, keep  # noqa: PLC0415 - rarely needed

        held = self.status.game_state
        if held is not None:
            self.say(keep(held.record, table_name(held.lobby), folder()))

    # The mouse.

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Handle a click on a part of the table; a second click on the same place acts."""
        view = self.status.view
        if view is None or self.question is not None:
            return
        if self.is_unveiling:
            self.unveil_all()
        self.set_focus(None)
        if self.model.about is not None and pressed.panel in {self.players, self.pane}:
            self._press_claim(view, pressed)
            return
        match pressed.panel.id:
            case "mine":
                self._press_mine(pressed)
            case "players":
                seat = render.seats_part(view, self.model).at(pressed.column, pressed.row)
                if seat is not None:
                    self._press(seat)
            case "hand":
                self._press_hand(view, pressed)
            case _:
                pass
        self.look_again()

    def _press_mine(self, pressed: Panel.Pressed) -> None:
        window = self.model.window
        cell = None if window is None else window.at(pressed.column, pressed.row)
        if pressed.button != 1:
            self.run_command(self.by_name["turn"])
        elif cell is not None:
            self._press(cell)

    def _press(self, place: TargetPlace) -> None:
        """Move the cursor to a place; if it is there and a card is chosen, play the card."""
        if place == self.desk.place and self.desk.card is not None:
            self.run_command(self.by_name["do"])
        else:
            self.say("")
            self.looking.go(place)

    def _press_claim(self, view: View, pressed: Panel.Pressed) -> None:
        above = render.seats_part(view, self.model).rows
        row = pressed.row + (above if pressed.panel is self.pane else 0)
        listed = render.claim_list(view, self.cast, self.model, above + self.pane_rows(view))
        at = listed.at(row, self.model.claims_page)
        if at is not None:
            self.talking.claimed(at)

    def _press_hand(self, view: View, pressed: Panel.Pressed) -> None:
        columns = self.model.layout.columns
        if view.phase is Phase.PLAY and pressed.row:
            at = card_at(pressed.column, columns, len(view.hand))
            if at is not None:
                self.run_command(self.by_name[f"card {at + 1}"])
        elif view.phase is Phase.GOLD and view.offer and pressed.row:
            kinds = gold.offered(view)
            at = card_at(pressed.column, columns, len(kinds))
            if at is not None and kinds[at] == self.desk.nuggets:
                self.run_command(self.by_name["do"])
            elif at is not None:
                self.run_command(self.by_name[f"card {kinds[at]}"])

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        """Pan or zoom the mine, or scroll the log."""
        if wheeled.panel is self.mine:
            if wheeled.zoom:
                self.looking.zoom(-wheeled.down)
            else:
                self.looking.pan(wheeled.right, wheeled.down)
        elif wheeled.panel is self.pane:
            self.looking.scroll(-wheeled.down)
        self.redraw()
