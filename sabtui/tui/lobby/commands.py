"""Commands of the lobby, for each player and for the host alone.

Each command acts on the row under the cursor. Guests who try a host command are told to ask the
host. The room has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from net.client.session import Session, Status
from net.lobby import BotChair, Chair, Free, Lobby, Person, Taken
from net.lobby.model import BOT_NAMES, bot_names
from net.protocol.fields import NOBODY
from net.protocol.messages import (
    ChangeSettings,
    DiskStatus,
    FreeSeat,
    GoUnsaved,
    HandOver,
    Kick,
    Lock,
    NewCode,
    PutBot,
    Request,
    SetReady,
    Sit,
    StandUp,
    Start,
)
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.requests import Invitation
from sabtui.text.editions import next_level
from sabtui.text.i18n import _, pgettext
from sabtui.tui.commands import Command
from sabtui.tui.lobby.rows import LobbyRow, why_not_start
from sabtui.tui.screens.session import SessionScreen


@dataclass(frozen=True, slots=True)
class RowContext:
    """Lobby, status of this client, and the row that a command is about."""

    hall: Lobby
    status: Status
    place: LobbyRow

    @property
    def chair(self) -> Chair | None:
        """Chair in this row, or `None` for a watcher."""
        return None if self.place.seat is None else self.hall.chairs[self.place.seat]

    @property
    def name(self) -> str:
        """Name of the player in this row, "" for a free chair."""
        if self.place.seat is not None:
            return self.hall.name_at(self.place.seat)
        person = self.hall.person(self.place.member or 0)
        return "" if person is None else person.name

    @property
    def host_only(self) -> str | None:
        """Reason why a guest cannot give a host command, or `None` for the host."""
        return (
            None if self.status.is_host else _("Only the host of the table can do that: ask them.")
        )


def why_no_bot(target: RowContext) -> str | None:
    """Return why no bot can be put there, or `None` if one can."""
    if target.host_only is not None:
        return target.host_only
    if isinstance(target.chair, Free | BotChair):
        return None
    if target.chair is None:
        return _("A bot needs a seat: put the cursor on a free one.")
    return _("{name} sits there: put the cursor on a free seat.").format(name=target.name)


def bot(target: RowContext) -> Request:
    """Return the request for a bot on a free chair, or for the next level of a seated bot."""
    assert target.place.seat is not None
    if isinstance(target.chair, BotChair):
        return PutBot(target.place.seat, target.chair.name, next_level(target.chair.level))
    taken = {person.name.casefold() for person in target.hall.people}
    taken |= {chair.name.casefold() for chair in target.hall.chairs if isinstance(chair, BotChair)}
    # Each seat suggests its own name: bots may be added faster than the host answers.
    usual = BOT_NAMES[(target.place.seat - 1) % len(BOT_NAMES)]
    name = bot_names(1, taken)[0] if usual.casefold() in taken else usual
    return PutBot(target.place.seat, name, DEFAULT_BOT_LEVEL)


def why_not_remove(target: RowContext) -> str | None:
    """Return why nobody can be removed from there, or `None` if somebody can."""
    if target.host_only is not None:
        return target.host_only
    if isinstance(target.chair, Free):
        return _("Nobody sits there.")
    if target.place.member == target.hall.host:
        return _("You are the host, and stay: Escape closes the table.")
    return None


def remove(target: RowContext) -> Request:
    """Return the request that takes a bot off its chair or sends a person away."""
    if target.place.member is not None:
        return Kick(target.place.member)
    assert target.place.seat is not None
    return FreeSeat(target.place.seat)


def why_not_youngest(target: RowContext) -> str | None:
    """Return why nobody there can be the youngest player, or `None` if somebody can (S8)."""
    if target.host_only is not None:
        return target.host_only
    if target.chair is None or isinstance(target.chair, Free):
        return _("The youngest player sits on a seat: put the cursor there.")
    return None


def youngest(target: RowContext) -> Request:
    """Return the request to let the player there begin; repeated, the seat is drawn (S8)."""
    settings = target.hall.settings
    assert target.place.seat is not None
    seat = NOBODY if settings.youngest == target.place.seat else target.place.seat
    return ChangeSettings(replace(settings, youngest=seat))


def why_not_hand_over(target: RowContext) -> str | None:
    """Return why no seat can be handed over, or `None`: it takes an occupied seat and a watcher."""
    if target.host_only is not None:
        return target.host_only
    if not watchers(target.hall):
        return _("A seat is handed over to somebody who watches, and nobody does.")
    if not isinstance(target.chair, Taken | BotChair):
        return _("Put the cursor on the seat that is to be handed over.")
    return None


def hand_over(target: RowContext, to: int) -> Request:
    """Return the request that gives the seat there to a watcher."""
    assert target.place.seat is not None
    return HandOver(target.place.seat, to)


def watchers(hall: Lobby) -> tuple[Person, ...]:
    """Return the people without a seat, who could be given one."""
    return tuple(person for person in hall.people if hall.seat_of(person.member) is None)


class HostCommandScreen(SessionScreen):
    """Screen with a row under the cursor and the host's commands."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.giving: RowContext | None = None
        super().__init__(session, status, invitation)

    @property
    def spot(self) -> RowContext | None:
        """Row under the cursor."""
        raise NotImplementedError

    def host_commands(self) -> Iterable[Command]:
        """Yield the commands of the host."""
        yield Command(
            "bot",
            ("b",),
            # Translators: add a bot to the seat.
            pgettext("label", "bot"),
            _("put a bot there, or make it a better one"),
            lambda: self._want(bot),
            lambda: self._why_not(why_no_bot),
        )
        yield Command(
            "remove",
            ("x", "delete"),
            _("remove"),
            _("take a bot away, or send somebody away"),
            self._remove,
            lambda: self._why_not(why_not_remove),
        )
        yield Command(
            "youngest",
            ("y",),
            _("youngest"),
            _("the youngest sits there, and begins"),
            lambda: self._want(youngest),
            lambda: self._why_not(why_not_youngest),
        )
        yield Command(
            "terms",
            ("e",),
            # Translators: what the table agrees upon.
            pgettext("label", "terms"),
            _("change edition, rounds, seats, turn time"),
            self._change_terms,
            lambda: self._why_not(lambda target: target.host_only),
        )
        yield Command(
            "hand over",
            ("g",),
            # Translators: give a seat to a watcher.
            pgettext("label", "give"),
            _("give the seat there to somebody who watches"),
            self._give,
            self._why_not_give,
        )

        yield Command(
            "lock",
            (),
            _("lock"),
            _("let nobody new in, or let them in again"),
            self._lock,
            lambda: self._why_not(lambda spot: spot.host_only),
            hidden=True,
        )
        yield Command(
            "new code",
            (),
            _("new code"),
            _("another room code; the old one is void"),
            lambda: self.session.request(NewCode()),
            lambda: self._why_not(lambda spot: spot.host_only),
            hidden=True,
        )
        yield Command(
            "unsaved",
            ("f",),
            _("go unsaved"),
            _("go on although the disk is full; a crash loses the game"),
            lambda: self.session.request(GoUnsaved()),
            self._why_saved,
        )

    def _lock(self) -> None:
        assert self.spot is not None
        self.session.request(Lock(not self.spot.hall.locked))

    def _why_saved(self) -> str | None:
        full = self.status.disk is DiskStatus.FULL
        text = _("All is saved as it should be.")
        return self._why_not(lambda target: target.host_only or (None if full else text))

    def _want(self, want: Callable[[RowContext], Request]) -> None:
        """Send a request about the row under the cursor."""
        assert self.spot is not None
        self.session.request(want(self.spot))

    def _why_not(self, ask: Callable[[RowContext], str | None]) -> str | None:
        spot = self.spot
        return _("You are not at the table yet.") if spot is None else ask(spot)

    def _remove(self) -> None:
        """Remove a bot at once; ask for confirmation before sending a person away."""
        spot = self.spot
        assert spot is not None
        want = remove(spot)
        if isinstance(want, Kick):
            text = _("Send {name} away?").format(name=spot.name)
            self.ask(text, lambda: self.session.request(want))
        else:
            self.session.request(want)

    def _change_terms(self) -> None:
        from sabtui.tui.lobby.settings import TableSettingsScreen  # noqa: PLC0415 - not at start

        assert self.spot is not None
        settings = self.spot.hall.settings
        self.show(
            TableSettingsScreen(
                settings, lambda changed: self.session.request(ChangeSettings(changed))
            )
        )

    def _why_not_give(self) -> str | None:
        spot = self.spot
        if spot is not None and self.giving is not None and spot.chair is None:
            return spot.host_only
        return self._why_not(why_not_hand_over)

    def _give(self) -> None:
        """Choose the seat to give, then the watcher who gets it; skip that if there is only one."""
        spot = self.spot
        assert spot is not None
        if self.giving is not None and spot.chair is None and spot.place.member is not None:
            self._ask_to_give(self.giving, spot.place.member, spot.name)
            return
        candidates = watchers(spot.hall)
        if len(candidates) == 1:
            self._ask_to_give(spot, candidates[0].member, candidates[0].name)
            return
        self.giving = spot
        self.say(_("Now put the cursor on who is to get the seat, and press g again."))

    def _ask_to_give(self, target: RowContext, to: int, name: str) -> None:
        assert target.place.seat is not None
        text = _("Give {owner}'s seat {seat} to {name}?").format(
            owner=target.name, seat=target.place.seat + 1, name=name
        )
        self.giving = None
        self.ask(text, lambda: self.session.request(hand_over(target, to)))


class SeatCommandScreen(HostCommandScreen):
    """Screen with a row under the cursor and the commands of each player."""

    @property
    def hall(self) -> Lobby | None:
        """Lobby of the table, `None` before the client has joined."""
        return self.status.lobby

    @property
    def is_typing(self) -> bool:
        """True while the player is typing, so that Enter sends the text."""
        raise NotImplementedError

    def game_commands(self) -> Iterable[Command]:
        """Yield the commands that lead to the start of the game."""
        yield Command(
            "start", ("s",), _("start"), _("start the game"), self.start, self.why_not_start
        )
        yield Command(
            "ready",
            ("r",),
            pgettext("label", "ready"),
            _("be ready, or no longer"),
            self.ready,
            self.why_not_ready,
        )

    def seat_commands(self) -> Iterable[Command]:
        """Yield the commands for one's own seat."""
        yield Command(
            "sit",
            ("enter",),
            _("sit here"),
            _("take the free seat under the cursor"),
            self.sit,
            self.why_not_sit,
        )
        yield Command(
            "stand",
            ("u",),
            _("stand up"),
            _("free your seat and watch"),
            self.stand_up,
            self.why_not_stand,
        )

    def why_not_start(self) -> str | None:
        """Return why this player cannot start the game, or `None` if they can."""
        if self.hall is None:
            return _("You are not at the table yet.")
        if not self.status.is_host:
            return _("The host starts the game.")
        return why_not_start(self.hall)

    def start(self) -> None:
        """Ask the host's room to start the game."""
        self.session.request(Start())

    def why_not_ready(self) -> str | None:
        """Return why this player cannot declare themselves ready, or `None` if they can."""
        if self.status.seat is None:
            return _("You watch: sit down first.")
        return _("The host need not say so: s starts the game.") if self.status.is_host else None

    def ready(self) -> None:
        """Toggle whether this player is ready."""
        assert self.hall is not None
        assert self.status.seat is not None
        chair = self.hall.chairs[self.status.seat]
        self.session.request(SetReady(not (isinstance(chair, Taken) and chair.ready)))

    def why_not_sit(self) -> str | None:
        """Return why this player cannot sit there, or `None` if they can."""
        spot = self.spot
        if self.is_typing:
            return _("You are typing: Escape goes back to the seats.")
        if spot is None or spot.chair is None:
            return _("There is no seat under the cursor.")
        if isinstance(spot.chair, Free):
            return None
        if spot.place.seat == self.status.seat:
            return _("You sit there already.")
        if isinstance(spot.chair, BotChair) and self.status.is_host:
            return _("{name} sits there: x takes the bot away.").format(name=spot.name)
        return _("{name} sits there.").format(name=spot.name)

    def sit(self) -> None:
        """Take the seat under the cursor."""
        assert self.spot is not None
        assert self.spot.place.seat is not None
        self.session.request(Sit(self.spot.place.seat))

    def why_not_stand(self) -> str | None:
        """Return why this player cannot stand up, or `None` if they can."""
        return _("You have no seat.") if self.status.seat is None else None

    def stand_up(self) -> None:
        """Give up one's seat and watch."""
        self.session.request(StandUp())
