"""The lobby over a seat: rows of who is there, the invitation, talk, and what the host decides.

Whether something may be done, the host's room decides; what plainly cannot is said at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from net.client.seat import Now, Seat, Standing, Update
from net.lobby import Lobby as Hall
from net.lobby.talk import TEXT_BYTES
from net.messages import Close, Leave, Say
from net.text import harmless
from sabtui.plain.wrap import confined
from sabtui.screen.commands import Command
from sabtui.screen.doors import Facts
from sabtui.screen.form import Field, Line
from sabtui.screen.lobby.chairs import place_row, places, waiting_for
from sabtui.screen.lobby.invitation import invitation, renewed
from sabtui.screen.lobby.powers import Spot
from sabtui.screen.lobby.taking import Taking
from sabtui.screen.lobby.telling import status, talk_so_far, told
from sabtui.screen.log import Log
from sabtui.screen.menu import Menu
from sabtui.words.endings import ended, own_news, standing
from sabtui.words.news import cast_of, table_name
from sabtui.words.terms import Terms, table_locked
from sabtui.words.tongue import _


class Lobby(Taking):
    """A table before a game."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    Lobby {
        #room { layout: vertical; height: 1fr; }
        #seats { height: auto; }
        #seats > Static { padding: 0 1; height: auto; }
        #said { height: 1fr; }
        Log { min-height: 1; }
        &.-tall Menu { margin: 1 0; }
        &.-tall Log { margin: 1 0; }
        &.-wide #room { layout: horizontal; }
        &.-wide #seats { width: 80; height: 1fr; }
    }
    """

    def __init__(self, seat: Seat, now: Now, facts: Facts | None = None) -> None:
        super().__init__(seat, now, facts)
        self.title_line: Final = Static(markup=False, classes="heading")
        self.invitation: Final = Static(markup=False)
        self.menu: Final = Menu(empty=_("Looking for the table..."), point=True)
        self.terms: Final = Static(markup=False)
        self.waiting: Final = Static(markup=False)
        self.log_lines: Final = Log()
        self.line: Final = Line("talk", "", TEXT_BYTES, "")

    def commands(self) -> Iterable[Command]:
        """What can be asked here, what the host alone may among it."""
        yield from self.game_commands()
        yield Command("talk", ("t",), _("talk"), _("say something to all"), self.talk)
        yield from self.seat_commands()
        yield Command(
            "say",
            ("enter",),
            _("say it"),
            _("say what is typed"),
            self.talk,
            lambda: None if self.line.has_focus else _("t goes to the line for talk."),
        )
        yield from self.host_commands()
        yield self.settings_command()
        yield Command("leave", ("escape",), _("leave"), _("leave this table"), self.leave)
        yield Command(
            "away",
            ("w",),
            _("step out"),
            _("back to the welcome screen; your seat is kept"),
            self.away,
            hidden=True,
        )

    def body(self) -> ComposeResult:
        """From the table's name down to the line for talk."""
        yield self.title_line
        with Container(id="room"):
            with Vertical(id="seats"):
                yield self.invitation
                yield self.menu
                yield self.terms
                yield self.waiting
            with Vertical(id="said"):
                yield self.log_lines
                yield Field(_("Talk"), self.line)

    def on_mount(self) -> None:
        """Show what is now."""
        self.line.can_focus = False
        self._talk_anew()
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Draw it as large as there is room for."""
        self.set_class(event.size.height > TALL + 4, "-tall")
        self.set_class(event.size.width >= WIDE, "-wide")
        self.redraw()

    @property
    def spot(self) -> Spot | None:
        """What is under the cursor, and who looks at it."""
        rows = () if self.hall is None else places(self.hall)
        if self.hall is None or self.menu.at >= len(rows):
            return None
        return Spot(self.hall, self.now, rows[self.menu.at])

    @property
    def is_typing(self) -> bool:
        """Whether one is at the line for talk."""
        return self.line.has_focus

    def hear(self, update: Update) -> None:
        """Take in what came, and show it."""
        before, was = self.hall, self.now
        super().hear(update)
        heard = update.heard
        if self.now.standing is Standing.ENDED:
            self.house.stand(ended(self.now.ending))
            return
        if heard is not None and heard.renewed:
            self._talk_anew()
        else:
            self.log_lines.add(own_news(self.now, was))
            if heard is not None and before is not None:
                self.log_lines.add(told(heard, before, self.now.member))
        said = status(update, was)
        if said is not None:
            self.say(said)
        self.redraw()

    def say(self, text: str) -> None:
        """Say something; nothing gives way to what is wrong with the link."""
        if not text and self.now.standing in {Standing.SHAKY, Standing.LOST}:
            text = standing(self.now)
        super().say(text)

    def redraw(self) -> None:
        """Show all that is now."""
        hall, (columns, rows) = self.hall, self.app.size
        columns = LEFT if columns >= WIDE else columns
        if hall is None:
            self.title_line.update(standing(self.now))
            return
        short, spots = rows < TALL, places(hall)
        lines: list[Content] = []
        if self.facts is not None:
            facts = renewed(self.facts, self.now.code)
            lines = invitation(facts, columns - 2, rows - len(spots), self.house.glyphs)
        terms = confined([", ".join(_terms(hall, self.now, short=short))], columns - 2, 0)
        beside = len(lines) + len(terms) + self.foot.rows
        beside += ROWS_BESIDE if short else ROWS_BESIDE + 1
        with self.app.batch_update():
            self.title_line.styles.height = 1 if short else 2
            self.house.entitle(table_name(hall))
            self.title_line.update(harmless(table_name(hall)))
            self.invitation.update(Content("\n").join(lines))
            self.invitation.display = bool(lines)
            begin = hall.first_free() if self.menu.is_empty else None
            self.menu.show([place_row(place, hall, self.now) for place in spots], begin)
            self.menu.styles.height = max(3, min(len(spots), rows - beside))
            self.terms.update("\n".join(map(harmless, terms)))
            self.waiting.update(harmless(_waiting(hall, self.now)))
        self.look_again()

    def _talk_anew(self) -> None:
        self.log_lines.begin_with(talk_so_far(self.now))

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Sit down at the row that was chosen."""
        self.action_command("sit")

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """What can be done is another thing there."""
        self.look_again()

    def talk(self) -> None:
        """Go to the line for talk."""
        self.line.can_focus = True
        self.line.focus()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Say what was typed; an empty line goes back to the rows."""
        text = submitted.value.strip()
        if text:
            self.seat.want(Say(text))
            self.line.value = ""
        else:
            self._back_to_rows()

    def _back_to_rows(self) -> None:
        self.menu.focus()
        self.line.can_focus = False

    def leave(self) -> None:
        """From the talk back to the rows, from there away, if it is meant."""
        if self.line.has_focus:
            self._back_to_rows()
        elif self.now.is_host:
            is_alone = self.hall is None or len(self.hall.people) == 1
            practice = self.facts is None and is_alone
            self.ask(
                _("Leave this game?") if practice else _("Close this table for everybody?"),
                self._close,
            )
        else:
            self.ask(_("Leave this table for good?"), self._leave)

    def _close(self) -> None:
        self.seat.want(Close())
        self.house.stand()

    def _leave(self) -> None:
        self.seat.want(Leave())
        self.house.stand()

    def away(self) -> None:
        """Back to the welcome screen; the seat is kept."""
        self.house.stand(_("Your seat is kept: Resume brings you back."))


TALL: Final = 22
"""Rows of a terminal from which all is said; on shorter ones the most important."""

WIDE, LEFT = 120, 80
"""Columns of a terminal from which talk is beside the seats, and those that are for the seats."""

ROWS_BESIDE: Final = 4
"""Rows beside chairs, invitation, terms and foot: title, what is waited for, log and talk."""


def _waiting(hall: Hall, now: Now) -> str:
    """What has to happen before the game can begin, and whether nobody new can come meanwhile."""
    told = waiting_for(hall, now)
    return f"{told} {table_locked()}" if hall.locked else told


def _terms(hall: Hall, now: Now, *, short: bool) -> Iterable[str]:
    """What was agreed upon, on a short terminal the most important of it."""
    terms = Terms.of(hall.settings, cast_of(hall, now.member))
    chosen = (terms.edition, terms.rounds, terms.absent, terms.turn)
    return chosen[:2] if short else chosen
