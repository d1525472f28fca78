"""Commands of the lobby, for each player and for the host alone, and the invitation to pass on.

Each deed is about the row under the cursor. `Status.why_not` decides if it may be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from textual.content import Content

from net.client.session import Session, Status, Update
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import BotChair, Lobby
from net.protocol.requests import ChangeSettings, PutBot
from sabtui.app.requests import Invitation, invitation_lines
from sabtui.table.deeds import FILLING, HOST_SIT, HOSTING, SIT, Aim, Deed, is_host
from sabtui.text.connection import code_sentence
from sabtui.text.doors import door_lines, host_of, qr_rows
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import confine_lines, width
from sabtui.text.network import anybody_joins, join_network_first, web_address
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import looking_for_table, not_at_table
from sabtui.tui.command import Command, host_title
from sabtui.tui.lobby.rows import LobbyRow, lobby_rows
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.host import TableSettingsScreen
from sabtui.tui.screens.pages import PageScreen
from sabtui.tui.theme import Glyphs, large, space_capitals
from sabtui.tui.widgets.form import TalkLine
from sabtui.tui.widgets.menu import Menu
from sabtui.tui.widgets.text import TextPage

CONTINUES: Final = "\\"  # line continuation for a shell

LARGE_CODE_ROWS: Final = 17
"""Rows, beside those of the chairs, that the code needs to be drawn large."""


def renew_code(invitation: Invitation, code: str) -> Invitation:
    """Return the invitation with the current room code, if there is one."""
    if not code or not invitation.code:
        return invitation
    return replace(invitation, code=code)


def invitation(
    shown_invitation: Invitation,
    columns: int,
    rows: int,
    glyphs: Glyphs,
    doors: Sequence[DoorNow] = (),
) -> list[Content]:
    """Return the code, one address, and a line for each open door.

    `rows` are those that the chairs leave free.
    """
    lines = _code(shown_invitation.code, columns, rows, glyphs)
    if shown_invitation.is_alone:
        return lines + _plain(join_network_first(), columns)
    if shown_invitation.addresses:
        text = _("Not in their list? Address: {address} (a: more)")
        lines += _plain(text.format(address=shown_invitation.addresses[0]), columns)
    for text, line in door_lines(doors, shown_invitation.addresses, is_short=True):
        lines += _format_command(text, line, columns)
    return lines


def all_ways(shown_invitation: Invitation, doors: Sequence[DoorNow], columns: int) -> list[Content]:
    """Return all that a host can pass on, keys of doors included."""
    lines = [line for text in invitation_lines(shown_invitation) for line in _plain(text, columns)]
    for text, line in door_lines(doors, shown_invitation.addresses):
        lines += _format_command(text, line, columns)
    return lines


def _format_command(text: str, line: str, columns: int) -> list[Content]:
    """Return a shell command to copy: on one line, or broken so that a shell joins it again."""
    if width(text.format(line=line)) <= columns:
        return [Content(text.format(line=line))]
    return [
        *_plain(text.format(line="").rstrip(), columns),
        *map(Content, _break_command(line, columns)),
    ]


def _break_command(line: str, columns: int) -> Iterator[str]:
    """Yield a shell command in parts that fit, broken between words where possible."""
    while len(line) > columns:
        at = line.rfind(" ", 0, columns - 1) + 1 or columns - 1
        yield f"{line[:at]}{CONTINUES}"
        line = line[at:]
    yield line


def _code(code: str, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    if not code:
        return _plain(anybody_joins(), columns)
    text = _("Friends here run sabtui, choose Join, pick this table and type the code:")
    drawn = large(code, glyphs)
    if rows >= LARGE_CODE_ROWS and max(map(len, drawn)) <= columns:
        big = [Content(line).stylize("bold $accent") for line in drawn]
        return [*_plain(text, columns), Content(""), *big, Content("")]
    before, _field, after = code_sentence("{code}").partition("{code}")
    shown = Content(space_capitals(code)).stylize("bold $accent")
    return [Content(before) + shown + Content(after)]


def _plain(text: str, columns: int) -> list[Content]:
    return [Content(line) for line in confine_lines([text], columns, 2)]


def ways_purpose() -> str:
    """Return what the page with all ways to the table is for; it is its title, too."""
    return _("all ways for friends to join")


class InvitationScreen(PageScreen):
    """Page with all that a host can pass on to friends; a QR code comes last."""

    def __init__(self, seen: Callable[[], tuple[Status, Invitation | None]]) -> None:
        self._seen = seen
        super().__init__(TextPage(capitalise(ways_purpose()), self.lines))

    def lines(self, columns: int) -> list[Content]:
        """Return the lines for a page of `columns` columns."""
        status, given = self._seen()
        if given is None:
            return []
        code = draw_code(status, given, self.context.glyphs)
        drawn = [Content(row).stylize(QR_STYLE) for row in code if len(row) <= columns]
        return [*all_ways(renew_code(given, status.code), status.doors, columns), *drawn]


QR_STYLE: Final = "#000000 on #ffffff"  # dark on light in any theme: many phones read nothing else


def draw_code(status: Status, invitation: Invitation | None, glyphs: Glyphs) -> list[str]:
    """Return the rows of the QR code of the browser door, [] unless it is open and can be drawn."""
    ports = [door.port for door in status.doors if door.kind is DoorKind.WEB and door.port]
    if invitation is None or invitation.is_alone or not (ports and glyphs.has_halves):
        return []
    hosts = [host_of(address) for address in invitation.addresses[:1]]
    code = status.code or invitation.code
    return qr_rows(web_address(ports[0], hosts[0], code)) if hosts else []


class LobbyCommandScreen(SessionScreen):
    """Screen with a row under the cursor, and the commands of each player and of the host."""

    def __init__(
        self, session: Session, status: Status, invitation: Invitation | None = None
    ) -> None:
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
        # Translators: the table's settings.
        label, text = pgettext("label", "setup"), _("change edition, rounds, seats, turn time")
        do, why_not, concerns = self._change_terms, self._why_no_terms, self._is_host
        yield Command("terms", ("e",), label, text, do, why_not, concerns, group=host_title())
        yield from self.deed_commands(HOSTING)

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

    def on_option_list_option_selected(self, chosen: Menu.OptionSelected) -> None:
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
        self.pick(deed.pick(aim), names, lambda at: self._ask(deed, aims[at]))

    def _ask(self, deed: Deed, aim: Aim) -> None:
        """Send the request of a deed, after its question if it has one."""
        request, question = deed.request(aim), deed.ask(aim)
        if request is None:
            return
        if question:
            self.ask(question, partial(self.session.request, request), is_final=deed.is_final)
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

    def _why_no_terms(self) -> str | None:
        if self.lobby is None:
            return not_at_table()
        return why_unavailable(self.status, ChangeSettings(self.lobby.settings))

    def _change_terms(self) -> None:
        assert self.lobby is not None
        self.show(
            TableSettingsScreen(
                self.lobby.settings, lambda changed: self.session.request(ChangeSettings(changed))
            )
        )


def typing_still() -> str:
    """Return the sentence that the talk line is still open."""
    return _("You are typing: Esc goes back to the seats.")
