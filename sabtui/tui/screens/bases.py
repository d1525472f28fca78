"""Screens that others derive from: those that show a session, open a table, or have a form.

Lobby and table show a session. The app passes each update once, in order, and switches
screens when the table's stage changes; a new screen begins with the current status.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from net.client.session import Session, Status, Update
from net.protocol.requests import TableRequest
from sabtui.app.errors import UserError
from sabtui.app.requests import GoesOnElsewhere, Invitation, TableHandle
from sabtui.table.sight import TableQuestion, due_questions
from sabtui.table.ways import WaysIn, find_ways
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.seats import looking_for_table
from sabtui.tui.command import Command
from sabtui.tui.command_screen import (
    BREADTHS,
    HEIGHTS,
    YES_KEYS,
    CommandScreen,
    Confirm,
    key_of_yes,
)
from sabtui.tui.lobby.invitation import draw_all_ways, ways_purpose
from sabtui.tui.private import StylesCache
from sabtui.tui.widgets.form import ChoiceRow, Form, FormHint, MoreRow, OnOff, unfold_words

REACTION_S: Final = 2.0  # seconds that a reaction is shown


class SessionScreen(CommandScreen):
    """Screen that shows a session."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.session = session
        self.status = status
        """The status of the last update shown: the session, in its own thread, may be ahead."""
        self.given_invitation = invitation
        """For the host of a table that was opened here."""
        self.table_question: tuple[TableQuestion, Confirm] | None = None
        self.answered = frozenset[TableQuestion]()
        """Questions of the table that were answered, as long as they are due."""
        super().__init__()

    def remake(self) -> SessionScreen:
        return type(self)(self.session, self.status, self.given_invitation)

    def on_unmount(self) -> None:
        """Release what was drawn: Textual caches colours with each widget."""
        StylesCache.get_inner_outer.cache_clear()

    @property
    def ways(self) -> WaysIn | None:
        """The ways for friends to join, `None` in practice and in a club."""
        return find_ways(self.status)

    def ways_command(self, key: str) -> Command:
        """Return the command that shows how friends join."""
        # Translators: how friends come in; a noun, in the footer.
        label, purpose = pgettext("label", "ways in"), ways_purpose()
        do = partial(self.open_box, capitalise(label), self._draw_ways)
        return Command(
            "ways", (key,), label, purpose, do, hidden=True, concerns=lambda: self.ways is not None
        )

    def _draw_ways(self, columns: int) -> list[Content]:
        if (ways := self.ways) is None:
            return []
        # Translators: of a door, whose name is typed in the palette and finds it.
        closed = _("closed: Ctrl+P, then type {door}") if self.status.is_host else ""
        return draw_all_ways(ways, columns, self.context.glyphs, closed)

    def reading_commands(self) -> Iterable[Command]:
        """Yield the commands that open the settings and the rules during a game."""
        purpose = _("name, language, cards, colours, bell")
        yield Command("settings", ("f2",), _("settings"), purpose, self.open_settings, hidden=True)
        purpose = _("how to play, page by page")
        yield Command("rules", ("f3",), _("Rules"), purpose, self.read_rules, hidden=True)

    def say(self, text: str) -> None:
        """Show a message, and redraw if the footer changed its height."""
        before = self.footer.rows
        super().say(text)
        if self.footer.rows != before:
            self.redraw()

    def redraw(self) -> None:
        """Redraw the current state in the space above the footer."""

    def show_update(self, update: Update) -> None:
        """Process an update. Called once the screen is mounted, even while others are on top."""
        before, self.status = self.status, update.status
        if (self.status.doors, self.status.outside) != (before.doors, before.outside):
            self.fit_palette()  # a box may show the doors

    def update_commands(self) -> None:
        """Update the available commands, and ask the table's questions."""
        super().update_commands()
        self._ask_for_table()

    def answer(self, key: str) -> None:
        """Answer the open question with a key; another one from the table may follow."""
        super().answer(key)
        if self.is_attached:
            self.update_commands()

    @property
    def may_be_asked(self) -> bool:
        """True if the table may ask something now: not while the player types or is asked."""
        typing = isinstance(self.focused, Input)
        return self.is_current and self.question is None and not typing

    def due_questions(self) -> tuple[TableQuestion, ...]:
        return due_questions(self.status)

    def _ask_for_table(self) -> None:
        """Ask the table's first question without an answer; close one that is no longer due."""
        due = self.due_questions()
        self.answered &= frozenset(due)
        if self.table_question is not None:
            question, confirm = self.table_question
            if self.question is confirm and question in due:
                return
            self.table_question = None
            if self.question is confirm:
                self.close_question()
        new = [question for question in due if question not in self.answered]
        if new and self.may_be_asked:
            self._open_for_table(new[0])

    def _open_for_table(self, question: TableQuestion) -> None:
        def answer(*requests: TableRequest) -> None:
            self.answered |= {question}
            for request in requests:
                self.session.request(request)

        yes = frozenset({"y", key_of_yes(), *(("enter",) if question.takes_enter else ())})
        confirm = Confirm(partial(answer, question.request), self.focused, yes, answer)
        self.table_question = question, confirm
        self.open_question(question.text, confirm)


class PendingScreen(CommandScreen):
    """Screen that opens a table."""

    def __init__(self) -> None:
        self.busy = False  # True while a request is pending
        super().__init__()

    def why_busy(self) -> str | None:
        """Return why nothing can be opened: a request is pending already; `None` if none is."""
        return _("One moment...") if self.busy else None

    def open_table(self, handle: Awaitable[TableHandle], meanwhile: str) -> None:
        """Say `meanwhile`, and open the table once its handle is ready, or say why that failed."""
        self.busy = True
        self.say(meanwhile)
        self.run_worker(self._open_table(handle))

    async def _open_table(self, handle: Awaitable[TableHandle]) -> None:
        try:
            found = await handle
        except GoesOnElsewhere as elsewhere:
            self._ask_where(elsewhere)
        except UserError as trouble:
            self.say(str(trouble))
        else:
            self.say("")
            self.context.enter_table(found)
        finally:
            self.busy = False

    def _ask_where(self, elsewhere: GoesOnElsewhere) -> None:
        """Ask whether to join a table that has moved elsewhere, or to open it here."""
        yes = YES_KEYS | {key_of_yes()}
        there = partial(self.context.enter_table, elsewhere.there)

        def open_here() -> None:
            self.open_table(elsewhere.open_here(), looking_for_table())

        confirm = Confirm(there, self.focused, yes, open_here)
        self.open_question(elsewhere.question, confirm)


def game_title() -> str:
    return _("The game")


class FormScreen(CommandScreen):
    """Screen with a form; `note` is the hint for its rows."""

    CSS_PATH = Path(__file__).with_name("form.tcss")
    AUTO_FOCUS = "Dropdown"
    HORIZONTAL_BREAKPOINTS = BREADTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(self) -> None:
        super().__init__()
        self.note: Final = FormHint()

    def row_commands(self) -> Iterable[Command]:
        """Yield Enter's commands for single rows; they come before those for the whole form."""
        # Translators: turn a switch of a form on or off; a verb.
        label, text = pgettext("label", "switch"), _("turn the switch on or off")
        yield Command("switch", ("enter",), label, text, self._switch, concerns=self._at_switch)
        # Translators: show more rows of a form, or hide them again; a verb.
        label, text = pgettext("label", "unfold"), unfold_words()
        yield Command("unfold", ("enter",), label, text, self._unfold, concerns=self._at_more)

    def _at_switch(self) -> bool:
        return isinstance(self.focused, OnOff)

    def _switch(self) -> None:
        self.query_one("OnOff:focus", OnOff).toggle()

    def _at_more(self) -> bool:
        return isinstance(self.focused, MoreRow)

    def _unfold(self) -> None:
        self.query_one(MoreRow).action_fold()

    def form_commands(self, next_row: str = "") -> Iterable[Command]:
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)
        label, text = pgettext("replay", "next"), next_row or _("the next row")
        yield Command("next", ("down", "tab"), label, text, self.focus_next)
        label, text = pgettext("replay", "previous"), _("the previous row")
        yield Command("before", ("up",), label, text, self.focus_previous, hidden=True)

    def lay_out(self, heading: str, form: Widget, *beside: Widget) -> ComposeResult:
        """Yield the heading, if any, and the form; on a wide screen its hint is beside it."""
        if heading:
            yield Static(heading, markup=False, classes="heading")
        with Container(id="form"):
            yield form
            below = "-below-form" if isinstance(form, Form) else ""
            with Vertical(id="beside", classes=below):
                yield self.note
                yield from beside

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        self.note.follow(changed.choice)
