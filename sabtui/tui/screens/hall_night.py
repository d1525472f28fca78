"""A night in the hall: the standings, and the commands of organisers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from textual.content import Content

from net.client.session import HallSight
from net.protocol.hall import (
    BeginNight,
    CloseTable,
    DrawRound,
    HallRequest,
    HallTable,
    MovePerson,
    RenewCode,
)
from net.protocol.lobby import Settings
from net.protocol.night import MAX_NIGHT_ROUNDS, Night
from net.protocol.text import clean_name, sanitise
from sabtui.app.nights import night_table
from sabtui.table.deeds import CLOSE, NEW_CODE, closing_question
from sabtui.text.hall import no_tables
from sabtui.text.i18n import _, capitalise
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen, PageScreen
from sabtui.tui.screens.bases import PickScreen


def night_standings(night: Night) -> PageScreen:
    """Return the page with the standings of a night."""
    lines = [Content(sanitise(line)) for line in night_table(night)]
    return PageScreen(capitalise(_("standings")), lambda _columns: lines)


class OrganiserCommands:
    """The commands of a hall that only organisers are offered.

    `sight` is the hall as it is, `find_table` the table under the cursor, if any, and `order` what
    sends a request to the club.
    """

    def __init__(
        self,
        screen: CommandScreen,
        sight: Callable[[], HallSight],
        find_table: Callable[[], HallTable | None],
        order: Callable[[HallRequest], None],
    ) -> None:
        self._screen = screen
        self._sight = sight
        self._find_table = find_table
        self._order = order

    def commands(self) -> Iterable[Command]:
        """Yield the commands, the most useful first."""
        draw, night = _("draw the tables of the next round"), _("begin a night of so many rounds")
        order, leads, table = self._order, self._leads, self._why_no_table
        # Translators: label of a key: to draw who sits at which table.
        label, draw_round = _("draw"), partial(order, DrawRound())
        yield Command("draw", ("d",), label, draw, draw_round, concerns=leads)
        # Translators: label of a key: an evening at a club.
        yield Command("night", ("g",), _("night"), night, self._begin, concerns=leads)
        send, close = _("send somebody to this table"), CLOSE.purpose()
        yield Command("send", ("m",), _("send"), send, self._send, table, concerns=leads)
        label = _("close table")
        yield Command("close", ("x",), label, close, self._close, table, concerns=leads)
        renew, purpose = partial(order, RenewCode()), NEW_CODE.purpose()
        yield Command("renew", ("c",), _("new code"), purpose, renew, concerns=leads)

    def _leads(self) -> bool:
        """Return True if the player is an organiser."""
        return bool(self._sight().code)

    def _why_no_table(self) -> str | None:
        return no_tables() if self._find_table() is None else None

    def _begin(self) -> None:
        """Ask for the number of rounds, then for the settings of the tables."""
        numbers = [str(number) for number in range(1, MAX_NIGHT_ROUNDS + 1)]
        question = capitalise(_("begin a night of so many rounds"))
        self._screen.show(PickScreen(question, numbers, self._ask_settings))

    def _ask_settings(self, at: int) -> None:
        from sabtui.tui.lobby.requests import TableSettingsScreen  # noqa: PLC0415 - rarely needed

        def begin(settings: Settings) -> None:
            self._order(BeginNight(at + 1, clean_name(_("Table")), settings))

        self._screen.show(TableSettingsScreen(Settings(), begin))

    def _send(self) -> None:
        table = self._find_table()
        assert table is not None
        names = [one.name for one in self._sight().people]
        question = _("Who goes to {table}?").format(table=table.name)
        self._screen.show(
            PickScreen(question, names, lambda at: self._order(MovePerson(names[at], table.id)))
        )

    def _close(self) -> None:
        table = self._find_table()
        assert table is not None
        self._screen.ask(closing_question(), partial(self._order, CloseTable(table.id)))
