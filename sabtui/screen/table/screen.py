"""The table, driven: what each key and each click does.

Knows the seat to want things of, and what the player looks at. Decides no rule: what cannot be is
asked of the view, and said in the status line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from textual import events
from textual.widgets import Input

from engine.table import Phase
from engine.view import View
from net.client.seat import Now, Seat, Standing, Update
from net.lobby import clean_text
from net.messages import Say
from sabtui.screen.commands import Command
from sabtui.screen.doors import Facts
from sabtui.screen.panel import Panel
from sabtui.screen.table import drawing, gold
from sabtui.screen.table.advice import Advice
from sabtui.screen.table.can import Can
from sabtui.screen.table.choice import Place
from sabtui.screen.table.commands import table_commands
from sabtui.screen.table.desk import Desk
from sabtui.screen.table.flying import Flying
from sabtui.screen.table.hand import card_at
from sabtui.screen.table.looking import Looking
from sabtui.screen.table.playing import Playing
from sabtui.screen.table.powers import power_commands
from sabtui.screen.table.showing import ShownTable
from sabtui.screen.table.talking import Talking
from sabtui.screen.talk_line import TalkLine, no_room
from sabtui.words.endings import ended
from sabtui.words.news import table_name
from sabtui.words.tongue import _

SKIPS: Final = frozenset(("enter", "space", "escape"))
"""Keys that do nothing else than show all dwarves at once, while they are unveiled."""


class TableScreen(ShownTable):
    """A table to play at."""

    def __init__(self, seat: Seat, now: Now, facts: Facts | None = None) -> None:
        self.can = Can(self)
        self.playing = Playing(self)
        self.talking = Talking(self)
        self.looking = Looking(self)
        self.flying = Flying(self, seat)
        self.advice = Advice(self)
        super().__init__(seat, now, facts)

    def commands(self) -> Iterable[Command]:
        """What can be done at the table."""
        yield from table_commands(self)
        yield from power_commands(self)
        yield self.settings_command()

    def hear(self, update: Update) -> None:
        """Take in an update; the autopilot does what is due."""
        super().hear(update)
        self.flying.go_on()

    @property
    def desk(self) -> Desk:
        """What the player is about to do."""
        return self.seen.desk

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        event.stop()
        text = clean_text(event.value)
        if text:
            self.seat.want(Say(text))
        self.talk_line.value = ""
        self.set_focus(None)
        self.say("")
        self.look_again()

    def on_talk_line_full(self, event: TalkLine.Full) -> None:
        """Say that not all of it was taken."""
        event.stop()
        self.say(no_room())

    def unbound(self, event: events.Key) -> str:
        """Return what to say about a key that does nothing: a digit may be of no card."""
        if event.character is not None and event.character.isdecimal():
            return self.playing.no_card()
        return super().unbound(event)

    def on_key(self, event: events.Key) -> None:
        """End the unveiling by any key; take one of the list of claims, while that is open."""
        if self.question is not None:
            return
        taken = False
        if self.is_unveiling and not self.talk_line.has_focus:
            self.unveil_all()
            self.look_again()
            taken = event.key in SKIPS or event.key not in self.active_bindings
        if taken or self.talking.take(event.key, event.character):
            event.stop()
            event.prevent_default()

    @property
    def can_go_back(self) -> bool:
        """Whether there is something to step back from."""
        desk = self.desk
        return (
            self.talk_line.has_focus
            or self.seen.about is not None
            or self.seen.back > 0
            or desk != Desk(cell=desk.cell)
        )

    def back(self) -> None:
        """One step back."""
        if self.talk_line.has_focus:
            self.set_focus(None)
        elif self.seen.about is not None:
            self.seen = replace(self.seen, about=None)
        elif self.seen.back:
            self.seen = replace(self.seen, back=0)
        else:
            self.seen = self.seen.with_desk(self.desk.back())

    def leave(self) -> None:
        """Ask, and leave."""
        if self.now.standing is Standing.ENDED:
            self.house.stand(ended(self.now.ending))
            return
        self.ask(_("Leave the table?"), self.house.stand)

    def save(self) -> None:
        """Save the record of the game."""
        from sabtui.screen.keeping import folder, keep  # noqa: PLC0415 - rarely needed

        held = self.now.held
        if held is not None:
            self.say(keep(held.record, table_name(held.lobby), folder()))

    # The mouse.

    def on_panel_pressed(self, pressed: Panel.Pressed) -> None:
        """Do what a click on a part of the table means; the same place again does it."""
        view = self.now.view
        if view is None or self.question is not None:
            return
        if self.is_unveiling:
            self.unveil_all()
        self.set_focus(None)
        if self.seen.about is not None and pressed.panel in {self.players, self.pane}:
            self._press_claim(view, pressed)
            return
        match pressed.panel.id:
            case "mine":
                self._press_mine(pressed)
            case "players":
                seat = drawing.seats_part(view, self.seen).at(pressed.column, pressed.row)
                if seat is not None:
                    self._press(seat)
            case "hand":
                self._press_hand(view, pressed)
            case _:
                pass
        self.look_again()

    def _press_mine(self, pressed: Panel.Pressed) -> None:
        window = self.seen.window
        cell = None if window is None else window.at(pressed.column, pressed.row)
        if pressed.button != 1:
            self.obey(self.by_name["turn"])
        elif cell is not None:
            self._press(cell)

    def _press(self, place: Place) -> None:
        """Go to a place; if the cursor is there already and a card chosen, do it."""
        if place == self.desk.place and self.desk.card is not None:
            self.obey(self.by_name["do"])
        else:
            self.say("")
            self.looking.go(place)

    def _press_claim(self, view: View, pressed: Panel.Pressed) -> None:
        above = drawing.seats_part(view, self.seen).rows
        row = pressed.row + (above if pressed.panel is self.pane else 0)
        listed = drawing.claim_list(view, self.cast, self.seen, above + self.pane_rows(view))
        at = listed.at(row, self.seen.claims_page)
        if at is not None:
            self.talking.claimed(at)

    def _press_hand(self, view: View, pressed: Panel.Pressed) -> None:
        columns = self.seen.layout.columns
        if view.phase is Phase.PLAY and pressed.row:
            at = card_at(pressed.column, columns, len(view.hand))
            if at is not None:
                self.obey(self.by_name[f"card {at + 1}"])
        elif view.phase is Phase.GOLD and view.offer and pressed.row:
            kinds = gold.offered(view)
            at = card_at(pressed.column, columns, len(kinds))
            if at is not None and kinds[at] == self.desk.nuggets:
                self.obey(self.by_name["do"])
            elif at is not None:
                self.obey(self.by_name[f"card {kinds[at]}"])

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
