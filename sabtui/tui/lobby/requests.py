"""Requests of the lobby: about a row, a seat or a watcher, and about the settings, from a form.

Each function returns a request about a row, `None` if a row of that kind has none; `RowContext`
says why one cannot be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from net.client.session import Status
from net.lobby.model import BOT_NAMES, BotChair, Chair, Free, Lobby, Settings, bot_names
from net.protocol.fields import NOBODY
from net.protocol.messages import Refusal
from net.protocol.requests import (
    ChangeSettings,
    FreeSeat,
    HandOver,
    Kick,
    Lock,
    PutBot,
    Request,
    Sit,
)
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.text.editions import next_level
from sabtui.text.i18n import _
from sabtui.text.reasons import refused, why_unavailable
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.lobby.rows import LobbyRow
from sabtui.tui.screens.host import EditionChoices, agree_on, form_rows
from sabtui.tui.widgets.form import LONG, ChoiceRow, Form, FormHint, long_css


@dataclass(frozen=True, slots=True)
class RowContext:
    """Lobby, status of this client, and the row that a command is about."""

    lobby: Lobby
    status: Status
    place: LobbyRow

    @property
    def chair(self) -> Chair | None:
        """Chair in this row, or `None` for a watcher."""
        return None if self.place.seat is None else self.lobby.chairs[self.place.seat]

    @property
    def name(self) -> str:
        """Name of the player in this row, "" for a free chair."""
        if self.place.seat is not None:
            return self.lobby.name_at(self.place.seat)
        person = self.lobby.person(self.place.member or 0)
        return "" if person is None else person.name

    def why_not(self, request: Request | None, otherwise: str) -> str | None:
        """Return why a request about this row cannot be made, or `None` if it can.

        Without a request, `otherwise` says what row it needs.
        """
        if request is None:
            return otherwise if self.status.is_host else refused(Refusal.HOST_ONLY)
        text = _("{name} sits there: move the cursor to a free seat.")
        if isinstance(self.chair, BotChair) and self.status.is_host:
            text = _("{name} sits there: x removes the bot.")
        instead = {Refusal.SEAT_TAKEN: text.format(name=self.name)}
        return why_unavailable(self.status, request, instead)


def bot(target: RowContext) -> Request | None:
    """Return the request for a bot on this chair, or for the next level of a seated bot.

    Beside a person the bot takes the next free seat, else the first.
    """
    seat, free = target.place.seat, target.lobby.free_seats
    if seat is not None and isinstance(target.chair, BotChair):
        return PutBot(seat, target.chair.name, next_level(target.chair.level))
    if not free:
        return None
    if seat not in free:
        seat = next((other for other in free if seat is not None and other > seat), free[0])
    taken = target.lobby.names()
    # Each seat suggests its own name: bots may be added faster than the host answers.
    usual = BOT_NAMES[(seat - 1) % len(BOT_NAMES)]
    name = bot_names(1, taken)[0] if usual.casefold() in taken else usual
    return PutBot(seat, name, DEFAULT_BOT_LEVEL)


def remove(target: RowContext) -> Request | None:
    """Return the request that takes a bot off its chair or sends a person away."""
    if target.place.member is not None:
        return Kick(target.place.member)
    if target.place.seat is None or isinstance(target.chair, Free):
        return None
    return FreeSeat(target.place.seat)


def youngest(target: RowContext) -> Request | None:
    """Return the request to let the player there begin; repeated, the seat is drawn (S8)."""
    if target.place.seat is None or isinstance(target.chair, Free):
        return None
    settings = target.lobby.settings
    seat = NOBODY if settings.youngest == target.place.seat else target.place.seat
    return ChangeSettings(replace(settings, youngest=seat))


def sit(target: RowContext) -> Request | None:
    """Return the request to sit down there."""
    return None if target.place.seat is None else Sit(target.place.seat)


def lock(target: RowContext) -> Request:
    """Return the request to lock the table, or to unlock it."""
    return Lock(not target.lobby.locked)


def hand_over(target: RowContext, to: int) -> Request | None:
    """Return the request that gives the seat there to a watcher."""
    if target.place.seat is None or isinstance(target.chair, Free):
        return None
    return HandOver(target.place.seat, to)


def why_not_hand_over(target: RowContext) -> str | None:
    """Return why no seat can be handed over, or `None`: it takes an occupied seat and a watcher."""
    watchers = target.lobby.watchers
    if not watchers:
        text = _("Only a watcher can be given a seat, and nobody is watching.")
        return target.why_not(None, text)
    text = _("Move the cursor to the seat you want to give away.")
    return target.why_not(hand_over(target, watchers[0].member), text)


RowRequest: TypeAlias = Callable[[RowContext], Request | None]
"""Makes the request about a row, `None` if a row of that kind has none."""


class TableSettingsScreen(CommandScreen):
    """Form for settings. `take` receives the new settings."""

    AUTO_FOCUS = "ChoiceRow"
    VERTICAL_BREAKPOINTS = LONG
    CSS = long_css("TableSettingsScreen")

    def __init__(self, settings: Settings, take: Callable[[Settings], None]) -> None:
        self.settings = settings
        self.take = take
        super().__init__()
        self.edition: Final = EditionChoices(settings.edition)
        # Whether a code is needed is settled once the table is open.
        terms = [row for row in form_rows(settings) if row.name != "is_open"]
        self.choices: Final = (self.edition.book, *terms, *self.edition.rows)
        self.note: Final = FormHint()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        # Translators: play by these terms.
        yield Command("take", ("enter",), _("apply"), _("play with these settings"), self.agree)
        yield Command("back", ("escape",), _("back"), _("back; nothing is changed"), self.back)
        yield from self.form_commands(_("the next row"))

    def body(self) -> ComposeResult:
        """Yield the form and a hint."""
        text = _("Table settings: Left and Right change, Enter applies")
        yield Static(text, markup=False, classes="heading")
        yield Form(self.choices)
        yield self.note

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the hint of the focused row."""
        self.note.follow(event.widget)

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Update the edition's choices that depend on a changed one, and show its hint."""
        self.edition.follow(changed.choice)
        self.note.follow(changed.choice)

    def agree(self) -> None:
        """Pass on the new settings and go back."""
        chosen = {str(choice.name): choice.value for choice in self.choices}
        self.take(agree_on(self.settings, chosen))
        self.back()
