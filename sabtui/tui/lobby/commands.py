"""Commands of the lobby, for each player and for the host alone, and the invitation to pass on.

The invitation's page for guests with a browser has the door's address, and its QR code for a phone
to scan.

Each deed is about the row under the cursor. `Status.why_not` decides if it may be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.client.session import Session, Status, Update
from net.protocol.lobby import BotChair, Lobby
from net.protocol.messages import DoorNow
from net.protocol.requests import ChangeSettings, DoorKind, PutBot, SwitchDoor
from sabtui.app.requests import Invitation, invitation_lines
from sabtui.table.deeds import FILLING, HOST_SIT, HOSTING, SIT, Aim, Deed, is_host, is_open
from sabtui.text.connection import code_sentence
from sabtui.text.doors import door_lines, door_sentence, host_of, qr_rows
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.names import width
from sabtui.text.network import join_network_first, web_address
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import looking_for_table, not_at_table
from sabtui.tui.command import Command, host_title
from sabtui.tui.commands import CommandScreen, PageScreen
from sabtui.tui.lobby.rows import LobbyRow, lobby_rows
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.theme import Glyphs, large, space_capitals
from sabtui.tui.widgets.form import TalkLine
from sabtui.tui.widgets.table import Menu
from sabtui.tui.widgets.text import TextPage

CONTINUES: Final = "\\"
"""Line continuation for a shell."""

LARGE_CODE_ROWS: Final = 17
"""Rows, beside those of the chairs, that the code needs to be drawn large."""


def renew_code(invitation: Invitation, code: str) -> Invitation:
    """Return the invitation with the current room code, if there is one."""
    if not code or not invitation.code:
        return invitation
    return replace(invitation, code=code, ssh=invitation.ssh.replace(invitation.code, code))


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
    """Return all that a host can pass on, keys of doors and the line for a login here included."""
    lines = [line for text in invitation_lines(shown_invitation) for line in _plain(text, columns)]
    for text, line in door_lines(doors, shown_invitation.addresses):
        lines += _format_command(text, line, columns)
    if shown_invitation.ssh:
        # Translators: "here" is this computer; {line} is a long command, and should fit beside it.
        lines += _format_command(_("With a login here: {line}"), shown_invitation.ssh, columns)
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
        return _plain(_("This table is open: anybody on this network may join."), columns)
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
    """Page with all that a host can pass on to friends."""

    def __init__(self, seen: Callable[[], tuple[Status, Invitation | None]]) -> None:
        self._seen = seen
        super().__init__(TextPage(capitalise(ways_purpose()), self.lines))

    def lines(self, columns: int) -> list[Content]:
        """Return the lines for a page of `columns` columns."""
        status, given = self._seen()
        if given is None:
            return []
        return all_ways(renew_code(given, status.code), status.doors, columns)


QR_STYLE: Final = "#000000 on #ffffff"
"""Dark on light in any theme: many phones read nothing else."""


def draw_code(status: Status, invitation: Invitation | None, glyphs: Glyphs) -> list[str]:
    """Return the rows of the QR code of the browser door, [] unless it is open and can be drawn."""
    door = web_door(status)
    is_useless = invitation is None or invitation.is_alone or not glyphs.has_halves
    if invitation is None or is_useless or door is None or not door.port:
        return []
    return qr_rows(web_address(door.port, _host(invitation), status.code or invitation.code))


def _host(invitation: Invitation) -> str:
    return host_of(invitation.addresses[0]) if invitation.addresses else _("ADDRESS")


def web_door(status: Status) -> DoorNow | None:
    """Return what the host knows of the browser door, `None` if nothing."""
    return next((door for door in status.doors if door.kind is DoorKind.WEB), None)


class PhonesScreen(CommandScreen):
    """Page that shows how a browser comes to the table. `close_door` closes the door."""

    DEFAULT_CSS = """
    PhonesScreen > Static { padding: 0 1; }
    PhonesScreen > #code { width: auto; margin: 0 1; padding: 0; }
    """

    def __init__(
        self,
        seen: Callable[[], tuple[Status, Invitation | None]],
        close_door: Callable[[], None],
    ) -> None:
        self._seen = seen
        self._close_door = close_door
        self.title_line: Final = Static(markup=False, classes="heading")
        self.sentences: Final = Static(markup=False)
        self.code: Final = Static(markup=False, id="code")
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)
        text = _("close the browser door; guests who are already in may stay")
        yield Command("close", ("x",), _("close door"), text, self.shut)

    def body(self) -> ComposeResult:
        """Yield the widgets."""
        yield self.title_line
        yield self.sentences
        yield self.code

    def on_resize(self) -> None:
        """Redraw for the terminal's size."""
        self.redraw()

    def shut(self) -> None:
        """Close the door, and go back."""
        self._close_door()
        self.back()

    def redraw(self) -> None:
        """Redraw the current state."""
        status, invitation = self._seen()
        size, glyphs = self.app.size, self.context.glyphs
        self.title_line.update(_("With a phone, or any browser"))
        self.title_line.styles.height = 1
        lines, code = page_of(status, invitation, (size.width, size.height), glyphs)
        self.sentences.update("\n".join(lines))
        self.code.update(Content("\n".join(code)).stylize(QR_STYLE))
        self.code.display = bool(code)


def page_of(
    status: Status, invitation: Invitation | None, size: tuple[int, int], glyphs: Glyphs
) -> tuple[list[str], list[str]]:
    """Return the sentences, and the rows of the QR code if there is room for all of them."""
    columns, rows = size
    door = web_door(status)
    if invitation is None or door is None or not door.port:
        text = _("Opening the browser door...") if door is None else door_sentence(door)
        return confine_lines([text], columns - 2, 0), []
    if invitation.is_alone:
        return confine_lines([join_network_first()], columns - 2, 0), []
    short = web_address(door.port, _host(invitation))
    text = _("On this network, scan the code or type {address}").format(address=short)
    lines = confine_lines([text], columns - 2, 0)
    drawn = draw_code(status, invitation, glyphs)
    fits = drawn and len(drawn) + len(lines) + ROWS_BESIDE_CODE <= rows and len(drawn[0]) < columns
    if fits:
        return lines, drawn
    if drawn:
        text = _("The QR code needs {columns}x{rows}: make the terminal larger.").format(
            columns=len(drawn[0]) + 1, rows=len(drawn) + len(lines) + ROWS_BESIDE_CODE
        )
        lines += confine_lines([text], columns - 2, 0)
    return lines, []


ROWS_BESIDE_CODE: Final = 3
"""Rows beside sentences and code: title, footer."""


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
        self.pick(deed.pick(aim), names, lambda at: self._ask(deed, aims[at]))

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
