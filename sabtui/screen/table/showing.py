"""The table as it is shown: widgets, what came from the host, and rows for what is now.

Holds what the player looks at (`Seen`). Each row on the screen is made anew from that and from what
is now, by pure functions, and panels repaint what differs: so nothing is lost when the terminal
changes its size. What keys and clicks do is for `screen`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.timer import Timer

from engine.events import Laid, RoundEnded
from engine.view import View
from net.client.seat import Now, Seat, Standing, Update
from net.messages import DiskIs
from sabtui.screen.doors import Facts
from sabtui.screen.glyphs import BOX
from sabtui.screen.mine.picture import lying_cells
from sabtui.screen.panel import Panel
from sabtui.screen.rows import Look, Row, Span, cut
from sabtui.screen.seated import Seated
from sabtui.screen.table import drawing
from sabtui.screen.table.hint import hint
from sabtui.screen.table.layout import FOOT
from sabtui.screen.table.log import Log
from sabtui.screen.table.seen import Seen
from sabtui.screen.talk_line import TalkLine
from sabtui.words.cast import Cast
from sabtui.words.endings import alarm_told, disk_told, own_news, report_told
from sabtui.words.news import cast_of, table_name
from sabtui.words.refusals import refused
from sabtui.words.tongue import _

A_DWARF: Final = 0.8
"""Seconds until the next dwarf is unveiled."""


class ShownTable(Seated, inherit_bindings=False):
    """A table that is shown, and not driven yet."""

    SHOWS_CURSOR = True

    DEFAULT_CSS = """
    ShownTable {
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

    def __init__(self, seat: Seat, now: Now, facts: Facts | None = None) -> None:
        self.seen = Seen(BOX)
        self.story: Final = Log()
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
        super().__init__(seat, now, facts)
        self.talk_line: Final = TalkLine()

    def body(self) -> ComposeResult:
        """The parts of the table."""
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
        """Begin with what is now."""
        self.talk_line.placeholder = _("t: talk, c: quick claims")
        self.story.begin(self.now)
        self.seen = replace(self.seen, glyphs=self.house.glyphs)
        if self.now.view is not None:
            self.seen = replace(self.seen, cells=lying_cells(self.now.view))
        self._announce(None, self.now.view)

    def on_screen_resume(self) -> None:
        """Other glyphs may have been chosen meanwhile."""
        self.seen = replace(self.seen, glyphs=self.house.glyphs)
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Use the room there is."""
        self.seen = self.seen.resized(event.size.width, event.size.height)
        self.set_class(self.seen.layout.is_too_small, "-too-small")
        self.redraw()
        self.call_after_refresh(self.place_cursor)

    def again(self) -> ShownTable:
        """The same screen anew, with what the player looks at."""
        anew = type(self)(self.seat, self.now, self.facts)
        anew.seen = self.seen
        return anew

    def hear(self, update: Update) -> None:
        """Take in an update, and show it."""
        before = self.now
        self.story.hear(update, before)
        super().hear(update)
        now, heard = self.now, update.heard
        view = now.view
        self.seen = self.seen.followed(before.view, view)
        if heard is not None:
            self._tells = self._tells and not heard.events
            for event in heard.events:
                if isinstance(event, Laid):
                    self.seen = self.seen.newest(event.cell)
                elif isinstance(event, RoundEnded):
                    self._unveil(0)
            if heard.refused is not None:
                self._sent = None
                self.say(refused(heard.refused.why))
            if heard.alarm:
                self.say(alarm_told(heard.alarm))
            if heard.report:
                self.say(report_told(heard.report))
        for told in own_news(now, before):
            self.say(told)
        if now.disk is not before.disk and now.disk is not DiskIs.FULL:
            self.say(disk_told(now.disk, is_host=now.is_host))
        elif now.standing is not before.standing or now.disk is not before.disk:
            self._tells = False  # what stands in the way of the game goes before all else
        if view is None or view.table.end is None:
            self.unveil_all()
        self._announce(before.view, view)
        self.look_again()

    @property
    def is_unveiling(self) -> bool:
        """Whether the dwarves are being unveiled one by one."""
        return self.seen.unveiled is not None

    def unveil_all(self) -> None:
        """Show all dwarves at once."""
        if self._next_dwarf is not None:
            self._next_dwarf.stop()
            self._next_dwarf = None
        self.seen = replace(self.seen, unveiled=None)
        self.story.tell_all()

    def _unveil(self, dwarves: int) -> None:
        """Show so many dwarves, the next one in a while; then all that goes with them."""
        view = self.now.view
        if view is None or dwarves > view.table.players:
            self.unveil_all()
        else:
            self.seen = replace(self.seen, unveiled=dwarves)
            self._next_dwarf = self.set_timer(A_DWARF, lambda: self._unveil(dwarves + 1))
        self.look_again()

    @property
    def cast(self) -> Cast:
        """Who sits where."""
        assert self.now.lobby is not None
        return cast_of(self.now.lobby, self.now.member)

    @property
    def is_sent(self) -> bool:
        """Whether a move is on its way, and the table still as it was."""
        return self.now.held is not None and self.now.held.step == self._sent

    def mark_sent(self) -> None:
        """Remember that a move is on its way."""
        self._sent = None if self.now.held is None else self.now.held.step

    def say(self, text: str) -> None:
        """Say something; nothing gives way to the hint."""
        self._tells = bool(text)
        super().say(text or self.hint)

    @property
    def hint(self) -> str:
        """What Enter would do, or why not, or who is waited for."""
        if self.now.lobby is None:
            return ""
        columns = self.seen.layout.columns - 2
        if self.is_unveiling and self.now.standing is Standing.LINKED:
            return cut(_("The dwarves are unveiled. Enter shows all at once."), columns)
        return hint(self.now, self.seen.desk, self.cast, columns)

    def look_again(self) -> None:
        """Show what can be done, and all else."""
        super().look_again()
        self.redraw()

    def redraw(self) -> None:
        """Show what is now."""
        view, lobby, seen = self.now.view, self.now.lobby, self.seen
        if not self._tells and self.question is None:
            self.foot.say(self.hint)
        if view is None or lobby is None or not self.is_mounted:
            return
        layout, cast = seen.layout, self.cast
        room = drawing.seats_part(view, seen)
        self._arrange(layout.side, room.rows, layout.hand)
        self.header.show(drawing.head(view, lobby, cast, seen))
        if layout.is_too_small:
            return
        self.mine.show(drawing.mine(view, cast, seen))
        rule: Row = (Span(f"{seen.glyphs.along} ", Look.RULE),)
        self.rule.show([rule] * layout.body)
        rows = self.pane_rows(view)
        self.players.show(drawing.players(view, lobby, cast, seen, rows))
        self.pane.show(drawing.pane(view, cast, seen, self.story, rows))
        self.hand.show(drawing.bottom(view, cast, seen))
        self.place_cursor()

    def pane_rows(self, view: View) -> int:
        """Rows of the pane, of which the foot takes some for a long sentence."""
        return max(drawing.seats_part(view, self.seen).pane - (self.foot.rows - FOOT), 0)

    def place_cursor(self) -> None:
        """Put the terminal's own cursor on the chosen tile or player, for braille displays."""
        seen = self.seen
        if self.talk_line.has_focus or self.now.view is None or seen.window is None:
            return
        if seen.desk.seat is not None:
            column, row = drawing.seats_part(self.now.view, seen).where(seen.desk.seat)
            self.app.cursor_position = self.players.region.offset + Offset(column + 1, row)
            return
        where = seen.window.where(seen.desk.cell)
        if where is not None:
            size = seen.window.size
            middle = Offset(where[0] + size.columns // 2, where[1] + size.rows // 2)
            self.app.cursor_position = self.mine.region.offset + middle

    def _arrange(self, side: int, seats: int, hand: int) -> None:
        """Give each part its room, where it has another than before."""
        self.side.styles.width = side - 2
        self.players.styles.height = seats
        self.hand.styles.height = hand

    def _announce(self, before: View | None, now: View | None) -> None:
        """Ring and change the title as one's turn begins and ends."""
        was = before is not None and before.seat is not None and before.to_act == before.seat
        mine = now is not None and now.seat is not None and now.to_act == now.seat
        if mine == was and before is not None:
            return
        name = "" if self.now.lobby is None else table_name(self.now.lobby)
        self.house.entitle(_("Your turn - {table}").format(table=name) if mine else name)
        if mine:
            self.house.ring()
