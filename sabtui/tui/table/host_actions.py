"""Commands of the host during a game, and rare ones of guests; most are in the palette only.

Commands about a player mean the one under the cursor. Palette and help offer nobody a command that
they can never use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.state import Phase
from net.lobby import Person, Presence, Taken
from net.protocol.messages import (
    Close,
    DiskStatus,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    NewCode,
    NextRound,
    Pause,
    Refusal,
    Sit,
)
from sabtui.text.i18n import _
from sabtui.text.reasons import refused
from sabtui.tui.commands import Command
from sabtui.tui.screens.pending import PickScreen
from sabtui.tui.table.status import PAUSE_KEY

if TYPE_CHECKING:
    from sabtui.tui.table.screen import TableScreen


def host_commands(table: TableScreen) -> Iterator[Command]:
    """Yield these commands; those needed in a hurry, or while the game stands still, have a key."""
    yield from _of_host(table, HostActions(table))
    yield from _of_guests(table, HostActions(table))


def _of_host(table: TableScreen, powers: HostActions) -> Iterator[Command]:
    text = _("host: go on although the disk is full; a crash loses the game")
    yield Command(
        "unsaved",
        ("f",),
        _("go unsaved"),
        text,
        powers.go_unsaved,
        powers.disk_full,
        concerns=powers.is_host,
    )
    listed: tuple[tuple[str, str, str, Callable[[], None], Callable[[], str | None]], ...] = (
        ("pause", PAUSE_KEY, _("host: pause the game, or go on"), powers.pause, powers.host),
        (
            "next round",
            "",
            _("host: deal the next round without waiting"),
            lambda: table.session.request(NextRound()),
            powers.between,
        ),
        (
            "kick",
            "K",
            _("host: send the player under the cursor away"),
            powers.kick,
            powers.of_player,
        ),
        (
            "hand over",
            "",
            _("host: give the seat under the cursor to somebody who watches"),
            powers.hand_over,
            powers.with_watcher,
        ),
        (
            "lock",
            "",
            _("host: let nobody new in, or let them in again"),
            powers.lock,
            powers.host,
        ),
        (
            "new code",
            "",
            _("host: another room code; the old one is void"),
            lambda: table.session.request(NewCode()),
            powers.host,
        ),
        ("close", "C", _("host: close the table for good"), powers.close, powers.host),
    )
    for name, key, purpose, do, why_not in listed:
        keys = (key,) if key else ()
        yield Command(name, keys, name, purpose, do, why_not, hidden=True, concerns=powers.is_host)


def _of_guests(table: TableScreen, powers: HostActions) -> Iterator[Command]:
    yield Command(
        "sit",
        (),
        "sit",
        _("take the seat under the cursor, between rounds"),
        powers.sit,
        powers.may_sit,
        hidden=True,
        concerns=lambda: table.status.seat is None,
    )
    yield Command(
        "leave for good",
        (),
        "leave for good",
        _("leave and give up your seat"),
        powers.leave,
        powers.guest,
        hidden=True,
        concerns=lambda: not powers.is_host(),
    )


class HostActions:
    """Actions of the host and rare ones of guests, with the reasons why they are unavailable."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def pause(self) -> None:
        """Pause the game, or resume it."""
        lobby = self._table.status.lobby
        if lobby is not None:
            self._table.session.request(Pause(not lobby.paused))

    def lock(self) -> None:
        """Lock the table to new people, or unlock it."""
        lobby = self._table.status.lobby
        if lobby is not None:
            self._table.session.request(Lock(not lobby.locked))

    def kick(self) -> None:
        """Send a player away, after confirmation."""
        person = self._person()
        if person is not None:
            text = _("Send {name} away for good?").format(name=person.name)
            self._table.ask(text, lambda: self._table.session.request(Kick(person.member)))

    def hand_over(self) -> None:
        """Give a seat to a watcher; if there are several, let the host pick one."""
        watchers, seat = self._watchers(), self._table.desk.seat
        if seat is None:
            return
        if len(watchers) == 1:
            self._ask_to_give(seat, watchers[0])
            return
        text = _("Who gets seat {seat}, with all it holds?").format(seat=seat + 1)
        names = [watcher.name for watcher in watchers]
        self._table.show(PickScreen(text, names, lambda at: self._ask_to_give(seat, watchers[at])))

    def _ask_to_give(self, seat: int, to: Person) -> None:
        text = _("Give seat {seat}, with all it holds, to {name}?")
        self._table.ask(
            text.format(seat=seat + 1, name=to.name),
            lambda: self._table.session.request(HandOver(seat, to.member)),
        )

    def go_unsaved(self) -> None:
        """Go on without saving, after confirmation."""
        self._table.ask(
            _("Go on unsaved? If the table's computer stops, the game is lost."),
            lambda: self._table.session.request(GoUnsaved()),
        )

    def close(self) -> None:
        """Close the table, after confirmation."""
        self._table.ask(_("Close the table for all?"), lambda: self._table.session.request(Close()))

    def sit(self) -> None:
        """Take the seat under the cursor."""
        seat = self._table.desk.seat
        if seat is not None:
            self._table.session.request(Sit(seat))

    def leave(self) -> None:
        """Leave for good, after confirmation."""
        self._table.ask(
            _("Leave for good? A bot plays on in your seat."),
            lambda: self._table.session.request(Leave()),
        )

    def is_host(self) -> bool:
        """Return True if this player is the host."""
        return self._table.status.is_host

    def host(self) -> str | None:
        """Return the reason that only the host may do that, or `None` for the host."""
        return None if self._table.status.is_host else _("Only the host of the table can do that.")

    def guest(self) -> str | None:
        """Return the reason that the host cannot leave for good, or `None` for a guest."""
        return _("The host closes the table, or stays.") if self._table.status.is_host else None

    def disk_full(self) -> str | None:
        """Return why the host cannot go on unsaved, or `None` if the disk is full."""
        if self.host() is None and self._table.status.disk is not DiskStatus.FULL:
            return _("All is saved as it should be.")
        return self.host()

    def between(self) -> str | None:
        """Return why the host cannot deal the next round, or `None` between two rounds."""
        view = self._table.status.view
        if view is None or view.phase is not Phase.DEAL:
            return _("That can be done between two rounds.")
        return self.host()

    def of_player(self) -> str | None:
        """Return why the host can send nobody away, or `None` if a person is under the cursor."""
        if self.host() is None and self._person() is None:
            return _("Go to a player first: p, then Up or Down. Bots cannot be sent away.")
        return self.host()

    def with_watcher(self) -> str | None:
        """Return why no seat can be handed over, or `None`.

        It takes a seat under the cursor, a watcher, and no round in progress.
        """
        if self.host() is None and not self._watchers():
            return _("Nobody is watching who could take a seat.")
        if self.host() is None and self._table.desk.seat is None:
            return self._table.can.note()
        view = self._table.status.view
        if self.host() is None and view is not None and view.phase in (Phase.PLAY, Phase.GOLD):
            return refused(Refusal.HOLDS_CARDS)
        return self.host()

    def may_sit(self) -> str | None:
        """Return why this player cannot sit down, or `None` for a watcher between rounds."""
        view = self._table.status.view
        if view is None or view.seat is not None:
            return _("You have a seat already.")
        if view.phase is not Phase.DEAL:
            return _("That can be done between two rounds.")
        return self._table.can.note()

    def _person(self) -> Person | None:
        """Return the other person who sits under the cursor, or `None`."""
        lobby, seat = self._table.status.lobby, self._table.desk.seat
        if lobby is None or seat is None:
            return None
        chair = lobby.chairs[seat]
        if not isinstance(chair, Taken) or chair.member == self._table.status.member:
            return None
        return lobby.person(chair.member)

    def _watchers(self) -> tuple[Person, ...]:
        """Return the watchers who are connected."""
        lobby = self._table.status.lobby
        if lobby is None:
            return ()
        return tuple(
            person
            for person in lobby.people
            if lobby.seat_of(person.member) is None and person.presence is Presence.THERE
        )
