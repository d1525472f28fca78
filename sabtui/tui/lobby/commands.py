"""Commands of the lobby, for each player and for the host alone.

Each deed is about the row under the cursor. `Status.why_not` decides if it may be done.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from net.client.session import Session, Status, Update
from net.protocol.lobby import BotChair, Lobby
from net.protocol.requests import ChangeSettings, DoorKind, PutBot, SwitchDoor
from sabtui.app.requests import Invitation
from sabtui.table.deed import Aim, Deed, is_host
from sabtui.table.deeds import HOSTING, is_open
from sabtui.table.seat_deeds import FILLING, HOST_SIT, SIT
from sabtui.text.i18n import _, pgettext
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import looking_for_table, not_at_table
from sabtui.tui.command import Command, host_title
from sabtui.tui.lobby.invitation import InvitationScreen, PhonesScreen, ways_purpose
from sabtui.tui.lobby.rows import LobbyRow, lobby_rows
from sabtui.tui.screens.bases import PickScreen, SessionScreen
from sabtui.tui.widgets.form import TalkLine
from sabtui.tui.widgets.list import Menu


class LobbyCommandScreen(SessionScreen):
    """Screen with a row under the cursor, and the commands of each player and of the host."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
        self.phones: PhonesScreen | None = None
        self.asked = dict[int, str]()
        """Seats of bots that were asked for, and their levels: keys are faster than a host."""
        super().__init__(session, status, invitation)
        self.menu: Final = Menu(empty=looking_for_table(), point=True)
        self.line: Final = TalkLine()

    @property
    def row(self) -> LobbyRow | None:
        """Row under the cursor."""
        rows = () if self.lobby is None else lobby_rows(self.lobby)
        return rows[self.menu.at] if self.menu.at < len(rows) else None

    @property
    def aim(self) -> Aim:
        """Aim of a deed: the row under the cursor."""
        how = _("There is no seat under the cursor.")
        if self.row is None:
            return Aim(self.status, how=how)
        return Aim(self.status, self.row.seat, self.row.member, how=how, asked=self.asked)

    @property
    def lobby(self) -> Lobby | None:
        """Lobby of the table, `None` before the client has joined."""
        return self.status.lobby

    @property
    def is_typing(self) -> bool:
        """True while the chat line has the focus, so that Enter sends the text."""
        return self.line.has_focus

    def host_commands(self) -> Iterable[Command]:
        """Yield the commands of the host."""
        yield from self.deed_commands(FILLING)
        yield Command(
            "terms",
            ("e",),
            # Translators: the table's settings.
            pgettext("label", "setup"),
            _("change edition, rounds, seats, turn time"),
            self._change_terms,
            self._why_no_terms,
            concerns=self._is_host,
            group=host_title(),
        )
        yield from self.deed_commands(HOSTING)
        yield Command(
            "phones",
            ("p",),
            _("phones"),
            _("open the browser door, and show its QR code: friends need nothing but a phone"),
            self.show_phones,
            lambda: why_unavailable(self.status, SwitchDoor(DoorKind.WEB, open=True)),
            hidden=True,
            concerns=self._is_host,
            group=host_title(),
        )

    def invitation_commands(self) -> Iterable[Command]:
        """Yield the command for all that can be passed on to friends."""
        purpose = ways_purpose()
        yield Command(
            "ways",
            ("a",),
            purpose,
            purpose,
            lambda: self.show(InvitationScreen(lambda: (self.status, self.invitation))),
            hidden=True,
            concerns=lambda: self.invitation is not None,
        )

    def deed_commands(self, deeds: Iterable[Deed]) -> Iterable[Command]:
        """Yield the commands of deeds that are offered before a game."""
        for deed in deeds:
            if deed.lobby is not None:
                yield Command(
                    deed.name,
                    deed.lobby.keys,
                    deed.label() if deed.label else deed.name,
                    deed.purpose(),
                    partial(self.do_deed, deed),
                    partial(self._why_not, deed),
                    partial(self._concerns, deed),
                    hidden=deed.lobby.is_hidden,
                    group=host_title() if deed.concerns is is_host else "",
                )

    def _is_host(self) -> bool:
        return is_host(self.status)

    def _concerns(self, deed: Deed) -> bool:
        """Return True if a deed is offered: a host's Enter starts, so they sit by another key."""
        return deed.concerns(self.status) and not (deed is SIT and self._is_host())

    def _why_not(self, deed: Deed) -> str | None:
        """Return why a deed cannot be done, or `None`; what Enter does waits for the talk line."""
        assert deed.lobby is not None
        if self.is_typing and "enter" in deed.lobby.keys:
            return typing_still()
        return deed.why_not(self.aim)

    def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Sit down on a seat that was clicked: a host's Enter starts the game."""
        chosen.prevent_default()
        self.action_command((HOST_SIT if self._is_host() else SIT).name)

    def do_deed(self, deed: Deed) -> None:
        """Do a deed about the row under the cursor; of several it may mean, let one be picked."""
        aim = self.aim
        others = deed.others(aim)
        if len(others) < 2:
            self._ask(deed, aim)
            return
        names, aims = zip(*others, strict=True)
        self.show(PickScreen(deed.pick(aim), names, lambda at: self._ask(deed, aims[at])))

    def _ask(self, deed: Deed, aim: Aim) -> None:
        """Send the request of a deed, after its question if it has one."""
        request, question = deed.request(aim), deed.ask(aim)
        if request is None:
            return
        if question:
            self.ask(question, partial(self.session.request, request))
            return
        self.session.request(request)
        if isinstance(request, PutBot):
            self.asked[request.seat] = request.level

    def show_update(self, update: Update) -> None:
        """Take in an update: a bot is asked for until it is there, or was refused."""
        super().show_update(update)
        received = update.received
        if self.lobby is None or (received and (received.renewed or received.refused)):
            self.asked.clear()
            return
        there = dict(enumerate(self.lobby.chairs))
        for seat, level in [*self.asked.items()]:
            chair = there.get(seat)
            if isinstance(chair, BotChair) and chair.level == level:
                del self.asked[seat]

    def show_phones(self) -> None:
        """Open the browser door if need be, and show how one comes in."""
        if not is_open(self.status, DoorKind.WEB):
            self.session.request(SwitchDoor(DoorKind.WEB, open=True))
        self.phones = PhonesScreen(
            lambda: (self.status, self.invitation),
            lambda: self.session.request(SwitchDoor(DoorKind.WEB, open=False)),
        )
        self.show(self.phones)

    def _why_no_terms(self) -> str | None:
        if self.lobby is None:
            return not_at_table()
        return why_unavailable(self.status, ChangeSettings(self.lobby.settings))

    def _change_terms(self) -> None:
        from sabtui.tui.screens.host import TableSettingsScreen  # noqa: PLC0415 - not at start

        assert self.lobby is not None
        self.show(
            TableSettingsScreen(
                self.lobby.settings, lambda changed: self.session.request(ChangeSettings(changed))
            )
        )


def typing_still() -> str:
    """Return the sentence that the talk line is still open."""
    return _("You are typing: Esc goes back to the seats.")
