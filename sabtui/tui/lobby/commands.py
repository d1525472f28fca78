"""Commands of the lobby, for each player and for the host alone.

Each command acts on the row under the cursor. `Status.why_not` decides if it may be done; here the
reasons are put into words, and a row that a command cannot be about is explained.
"""

from __future__ import annotations

from collections.abc import Iterable

from net.client.session import Session, Status
from net.lobby.model import Lobby
from net.protocol.messages import Refusal
from net.protocol.requests import (
    ChangeSettings,
    DoorKind,
    GoUnsaved,
    HandOver,
    Kick,
    NewCode,
    NewEvening,
    SetReady,
    StandUp,
    Start,
    SwitchDoor,
)
from sabtui.app.requests import Invitation
from sabtui.text.i18n import _, pgettext
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import not_at_table, saving_works
from sabtui.tui.commands import Command
from sabtui.tui.lobby import requests
from sabtui.tui.lobby.phones import PhonesScreen, is_web_open
from sabtui.tui.lobby.requests import RowContext, RowRequest
from sabtui.tui.lobby.rows import start_awaits
from sabtui.tui.screens.bases import SessionScreen


class LobbyCommandScreen(SessionScreen):
    """Screen with a row under the cursor, and the commands of each player and of the host."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.giving: RowContext | None = None
        self.phones: PhonesScreen | None = None
        super().__init__(session, status, invitation)

    @property
    def target(self) -> RowContext | None:
        """Row under the cursor."""
        raise NotImplementedError

    @property
    def lobby(self) -> Lobby | None:
        """Lobby of the table, `None` before the client has joined."""
        return self.status.lobby

    @property
    def is_typing(self) -> bool:
        """True while the player is typing, so that Enter sends the text."""
        raise NotImplementedError

    def host_commands(self) -> Iterable[Command]:
        """Yield the commands of the host."""
        yield Command(
            "bot",
            ("b",),
            # Translators: add a bot to the seat.
            pgettext("label", "bot"),
            _("add a bot, or raise the level of the one there"),
            lambda: self._want(requests.bot),
            lambda: self._why_not(
                requests.bot, _("No seat is free for a bot: e changes the number of seats.")
            ),
        )
        yield Command(
            "remove",
            ("x", "delete"),
            _("remove"),
            _("remove a bot or a person"),
            self._remove,
            lambda: self._why_not(requests.remove, _("Nobody sits there.")),
        )
        yield Command(
            "youngest",
            ("y",),
            _("youngest"),
            _("mark the youngest player, who begins"),
            lambda: self._want(requests.youngest),
            lambda: self._why_not(
                requests.youngest, _("Move the cursor to the youngest player's seat.")
            ),
        )
        yield Command(
            "terms",
            ("e",),
            # Translators: the table's settings.
            pgettext("label", "setup"),
            _("change edition, rounds, seats, turn time"),
            self._change_terms,
            lambda: self._why_not(lambda target: ChangeSettings(target.lobby.settings)),
        )
        yield Command(
            "hand over",
            ("g",),
            # Translators: give a seat to a watcher.
            pgettext("label", "give"),
            _("give the seat there to a watcher"),
            self._give,
            self._why_not_give,
        )

        yield Command(
            "lock",
            (),
            _("lock"),
            _("lock the table to newcomers, or unlock it"),
            lambda: self._want(requests.lock),
            lambda: self._why_not(requests.lock),
            hidden=True,
        )
        yield Command(
            "new code",
            (),
            _("new code"),
            _("replace the room code; the old one expires"),
            lambda: self.session.request(NewCode()),
            lambda: why_unavailable(self.status, NewCode()),
            hidden=True,
        )
        yield Command(
            "new evening",
            (),
            _("new evening"),
            _("start the evening over"),
            lambda: self.ask(
                _("Start the evening over? Everybody's gold goes back to zero."),
                lambda: self.session.request(NewEvening()),
            ),
            lambda: why_unavailable(
                self.status,
                NewEvening(),
                {Refusal.NOT_NOW: _("No game of this evening has been counted yet.")},
            ),
            hidden=True,
        )
        yield Command(
            "phones",
            ("p",),
            _("phones"),
            _("open the browser door, and show its QR code: friends need nothing but a phone"),
            self.show_phones,
            lambda: why_unavailable(self.status, SwitchDoor(DoorKind.WEB, open=True)),
            hidden=True,
        )
        yield Command(
            "unsaved",
            ("f",),
            _("unsaved"),
            _("play on unsaved; a crash loses the game"),
            lambda: self.session.request(GoUnsaved()),
            lambda: why_unavailable(
                self.status,
                GoUnsaved(),
                {Refusal.NOT_NOW: saving_works()},
            ),
        )
        yield Command(
            "ssh door",
            ("d",),
            _("SSH door"),
            _("open or close the SSH door: friends need nothing but ssh"),
            lambda: self.session.request(self._switched(DoorKind.SSH)),
            lambda: why_unavailable(self.status, self._switched(DoorKind.SSH)),
            hidden=True,
        )

    def _switched(self, kind: DoorKind) -> SwitchDoor:
        """Return the request to open a door, or to close it if it is open."""
        is_open = any(door.kind is kind and door.port for door in self.status.doors)
        return SwitchDoor(kind, open=not is_open)

    def show_phones(self) -> None:
        """Open the browser door if need be, and show how one comes in."""
        if not is_web_open(self.status):
            self.session.request(SwitchDoor(DoorKind.WEB, open=True))
        self.phones = PhonesScreen(
            lambda: (self.status, self.invitation),
            lambda: self.session.request(SwitchDoor(DoorKind.WEB, open=False)),
        )
        self.show(self.phones)

    def _want(self, make: RowRequest) -> None:
        """Send a request about the row under the cursor."""
        request = None if self.target is None else make(self.target)
        assert request is not None
        self.session.request(request)

    def _why_not(self, make: RowRequest, otherwise: str = "") -> str | None:
        """Return why a request about the row under the cursor cannot be made."""
        target = self.target
        if target is None:
            return not_at_table()
        return target.why_not(make(target), otherwise)

    def _remove(self) -> None:
        """Remove a bot at once; ask for confirmation before sending a person away."""
        target = self.target
        assert target is not None
        if target.place.member is None:
            self._want(requests.remove)
            return
        text, kick = (
            _("Remove {name} from the table?").format(name=target.name),
            Kick(target.place.member),
        )
        self.ask(text, lambda: self.session.request(kick))

    def _change_terms(self) -> None:
        from sabtui.tui.lobby.requests import TableSettingsScreen  # noqa: PLC0415 - not at start

        assert self.target is not None
        settings = self.target.lobby.settings
        self.show(
            TableSettingsScreen(
                settings, lambda changed: self.session.request(ChangeSettings(changed))
            )
        )

    def _why_not_give(self) -> str | None:
        target = self.target
        if target is None:
            return not_at_table()
        if self.giving is not None and target.chair is None:
            return None  # the row of a watcher, once the seat is chosen
        return requests.why_not_hand_over(target)

    def _give(self) -> None:
        """Choose the seat to give, then the watcher who gets it; skip that if there is only one."""
        target = self.target
        assert target is not None
        if self.giving is not None and target.chair is None and target.place.member is not None:
            self._ask_to_give(self.giving, target.place.member, target.name)
            return
        candidates = target.lobby.watchers
        if len(candidates) == 1:
            self._ask_to_give(target, candidates[0].member, candidates[0].name)
            return
        self.giving = target
        self.say(_("Now move the cursor to a watcher, and press g again."))

    def _ask_to_give(self, target: RowContext, to: int, name: str) -> None:
        seat = target.place.seat
        assert seat is not None
        text = _("Give {owner}'s seat {seat} to {name}?").format(
            owner=target.name, seat=seat + 1, name=name
        )
        self.giving = None
        self.ask(text, lambda: self.session.request(HandOver(seat, to)))

    def game_commands(self) -> Iterable[Command]:
        """Yield the commands that lead to the start of the game."""
        yield Command(
            "start",
            ("s",),
            _("start"),
            _("start the game"),
            lambda: self.session.request(Start()),
            self._why_not_start,
        )
        yield Command(
            "ready",
            ("r",),
            pgettext("label", "ready"),
            _("say you are ready, or take it back"),
            self._ready,
            self._why_not_ready,
        )

    def seat_commands(self) -> Iterable[Command]:
        """Yield the commands for one's own seat."""
        yield Command(
            "sit",
            ("enter",),
            _("sit here"),
            _("take the free seat under the cursor"),
            lambda: self._want(requests.sit),
            self._why_not_sit,
        )
        yield Command(
            "stand",
            ("u",),
            _("stand up"),
            _("free your seat and watch"),
            lambda: self.session.request(StandUp()),
            lambda: why_unavailable(
                self.status, StandUp(), {Refusal.NO_SEAT: _("You have no seat.")}
            ),
        )

    def _why_not_start(self) -> str | None:
        awaits = "" if self.lobby is None else start_awaits(self.lobby) or ""
        instead = {
            Refusal.HOST_ONLY: _("The host starts the game."),
            Refusal.TOO_FEW: awaits,
            Refusal.NOT_READY: awaits,
        }
        return why_unavailable(self.status, Start(), instead)

    def _why_not_ready(self) -> str | None:
        reason = why_unavailable(self.status, SetReady(ready=True))
        if reason is None and self.status.is_host:
            return _("The host counts as ready: s starts the game.")
        return reason

    def _ready(self) -> None:
        """Toggle whether this player is ready."""
        assert self.lobby is not None
        self.session.request(SetReady(not self.lobby.is_ready(self.status.member)))

    def _why_not_sit(self) -> str | None:
        target = self.target
        if self.is_typing:
            return typing_still()
        if target is None or target.chair is None:
            return _("There is no seat under the cursor.")
        if target.place.seat == self.status.seat:
            return _("You are already sitting there.")
        return self._why_not(requests.sit)


def typing_still() -> str:
    """Return the sentence that the talk line is still open."""
    return _("You are typing: Escape goes back to the seats.")
