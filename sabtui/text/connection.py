"""The player's own connection in words: its state, and why it ended, with advice."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from net.client.session import ConnectionState, Ending, Received, Status
from net.protocol.hall import NextTable
from net.protocol.messages import CloseReason, DiskStatus, Notice, Refusal
from net.secure.connection import ConnectionFault
from net.secure.handshake import Rejection
from sabtui.text.door_words import door_news, log_in_again, wrong_code
from sabtui.text.errors import system_words
from sabtui.text.i18n import _, capitalise, join_words, lazy, ngettext, put_title
from sabtui.text.lobby import KEYS, MovingKeys, moving_lines, moving_now, new_host
from sabtui.text.network import room_code
from sabtui.text.reasons import refusal_sentence
from sabtui.text.seats import looking_for_table, own_seat_waits
from sabtui.text.talk import talk_line

you_left: Final = lazy("You have left the table.")
_host_closed: Final = lazy("The host has closed the table.")
_connection_lost: Final = lazy("The connection was lost: join again.")
_too_many_tries: Final = lazy("Too many attempts. Wait a minute, then try again.")
_no_table: Final = lazy(
    "No table at that address. Check the address, and that the host is running."
)
_not_understood: Final = lazy("Your Sabtui and the host's are incompatible. Update the older one.")
_no_host: Final = lazy(
    "That computer does not know the room code and may be an impostor. Check the address."
)
lost_host: Final = lazy("Lost connection to the host; trying again.")
no_files: Final = lazy("Nothing can be saved here: this screen runs on the host's computer.")
disagreed_sentence: Final = lazy("Out of step with the host, so the table was reloaded.")

_FAREWELLS: Final[Mapping[CloseReason, Callable[[], str]]] = {
    CloseReason.REPLACED: lazy("You continued in another terminal, so this one gave up the seat."),
    CloseReason.KICKED: lazy("The host removed you: ask whether you may come back."),
    CloseReason.LEFT: you_left,
    CloseReason.FORGOTTEN: _connection_lost,
    CloseReason.NEW_CODE: lazy("A new room code was drawn. Ask the host for it, then join again."),
    CloseReason.TOO_SLOW: _connection_lost,
    CloseReason.CLOSED: _host_closed,
    CloseReason.NO_TABLE: _host_closed,
    CloseReason.CALLED: lazy("An organiser has called you to the club's hall."),
    CloseReason.OUT_OF_ORDER: _not_understood,
    CloseReason.TOO_MUCH: _too_many_tries,
    CloseReason.MOVED: lazy("The table has moved to another computer. Find it with sabtui games."),
}
_REJECTIONS: Final[Mapping[Rejection, Callable[[], str]]] = {
    Rejection.WRONG_CODE: wrong_code,
    Rejection.NOT_SEATED: log_in_again,
    Rejection.NOT_UNDERSTOOD: _not_understood,
    Rejection.SLOW_DOWN: _too_many_tries,
    Rejection.CODE_NEEDED: lazy(
        "This table needs a code: ask the host for the two words, and type them."
    ),
    Rejection.TABLE_IS_OPEN: lazy(
        "That table needs no code. If your host gave you one, it is the wrong table: ask for the "
        "address."
    ),
    Rejection.HOST_UNPROVEN: _no_host,
    Rejection.NOT_OUR_HOST: _no_host,
}
_FAULTS: Final[Mapping[ConnectionFault, Callable[[], str]]] = {
    ConnectionFault.NO_TABLE: _no_table,
    ConnectionFault.NO_ANSWER: lazy(
        "No answer from that address. A firewall may be blocking it; ask the host."
    ),
    ConnectionFault.OTHER_TABLE: lazy(
        "Another table answers at that address now: join that one, or check the address."
    ),
    ConnectionFault.REFUSED: _connection_lost,
    ConnectionFault.LOST: _connection_lost,
    ConnectionFault.OVER_BUDGET: _connection_lost,
    ConnectionFault.OVERDUE: _connection_lost,
    ConnectionFault.BACKLOG: _connection_lost,
    ConnectionFault.BAD_FRAME: _not_understood,
    ConnectionFault.SSH: lazy("SSH could not reach a table there. Log in by hand to see why."),
}


def why_ended(why: Ending | None) -> str:
    """Explain why the session ended; `None` means that the player left."""
    # Endings are StrEnums, whose equal texts compare equal: check the type before the value.
    if why is None:
        return you_left()
    if isinstance(why, CloseReason):
        return _FAREWELLS[why]()
    if isinstance(why, Rejection):
        return _REJECTIONS[why]()
    if isinstance(why, ConnectionFault):
        return _FAULTS[why]()
    return _host_closed() if why is Refusal.NOT_NOW else refusal_sentence(why)


def state_words(status: Status, keys: MovingKeys = KEYS) -> str:
    ended = status.connection in {ConnectionState.CONNECTED, ConnectionState.ENDED}
    if not ended and (text := moving_now(status, keys)):
        return text
    match status.connection:
        case ConnectionState.CONNECTING:
            return looking_for_table()
        case ConnectionState.CONNECTED:
            return _("The host is answering again.")
        case ConnectionState.SHAKY:
            return _("The host has not answered for a few seconds.")
        case ConnectionState.LOST:
            return _lost_sentence(status)
        case ConnectionState.ENDED:
            return why_ended(status.ending)
        case _:
            assert_never(status.connection)


_ERRORS: Final = {
    DiskStatus.QUOTA: errno.EDQUOT,
    DiskStatus.READ_ONLY: errno.EROFS,
    DiskStatus.CUT_OFF: errno.ESTALE,
    DiskStatus.FAULTY: errno.EIO,
}


def disk_sentence(disk: DiskStatus, *, is_host: bool) -> str:
    """Return a sentence on whether the game is saved, with advice if the reader is the host."""
    match disk:
        case DiskStatus.OK:
            return _("The game is being saved again.")
        case DiskStatus.UNSAVED:
            return _("Not saving: the game is lost if the host's computer stops.")
        case _ if not is_host:
            return refusal_sentence(Refusal.DISK_FULL)
        case DiskStatus.FULL:
            return _(
                "The game cannot be saved, so it is on hold: free some disk space, or "
                "play on unsaved."
            )
        case _:
            text = _("The game cannot be saved, so it is on hold: fix that, or play on unsaved.")
            if disk not in _ERRORS:
                return text
            return f"{capitalise(system_words(OSError(_ERRORS[disk], '')))}. {text}"


def code_sentence(code: str) -> str:
    """Give the room code, at first and whenever it is renewed."""
    return put_title(room_code(), code)


def next_table_sentence(table: NextTable) -> str:
    """Tell a player of a night their next seat, and the others at that table."""
    text = _("Round {number}: you are at {table} with {names}.")
    names = join_words(table.others or [_("bots")])
    return text.format(number=table.round, table=table.name, names=names)


def host_lines(received: Received) -> list[str]:
    """Return the lines about wrong and new room codes, for the host, and about a club's news."""
    tried = ngettext(
        "{count} wrong code was tried at your table: give the two words only to friends.",
        "{count} wrong codes were tried at your table: give the two words only to friends.",
        received.alarm,
    )
    lines = [tried.format(count=received.alarm)] if received.alarm else []
    lines += [code_sentence(received.code)] if received.code else []
    match received.notice:
        case Notice(name, text):
            lines.append(talk_line(name, text, organiser=True))
        case NextTable():
            lines.append(next_table_sentence(received.notice))
        case None:
            pass
    return lines


def own_news(status: Status, before: Status, keys: MovingKeys = KEYS) -> list[str]:
    """Return the news about the host, announcements, doors, and the saving of the seat."""
    lines = moving_lines(status, before, keys)
    lobby, old = status.lobby, before.lobby
    if lobby is not None and old is not None and lobby.term != old.term:
        lines.append(new_host(lobby, status.member))
        if status.is_host and status.code and not lobby.settings.is_open:
            lines.append(code_sentence(status.code))
    if before.announced and not status.announced:
        lines += [_("This table cannot announce itself here. Friends can join by address instead.")]
    known = {door.kind for door in before.doors}
    # A stage also has the doors in its status, but shows them itself.
    news = [door for door in status.doors if status.is_host and door not in before.doors]
    lines += [
        line
        for door in news
        if door.port or door.trouble or door.kind in known
        for line in door_news(door, [*map(str, status.outside[:1])])
    ]
    if before.kept and not status.kept:
        text = _("Your seat cannot be saved on this computer. Do not quit before the game ends.")
        lines.append(text)
    return lines


def without_open_doors(status: Status) -> Status:
    """Leave out open doors, which are shown anyway, except those with trouble."""
    doors = tuple(door for door in status.doors if door.trouble or not door.port)
    return replace(status, doors=doors)


def _lost_sentence(status: Status) -> str:
    if status.is_host and not status.in_club:
        return _(
            "The table's program does not answer; trying again. If it is no longer running, "
            "sabtui host --resume brings the table back."
        )
    me = None if status.lobby is None else status.lobby.person(status.member)
    if me is not None and me.at_door and status.silent:
        return _(
            "The host is not answering. If the game has moved, ask a player there how to join."
        )
    text = lost_host()
    return text if status.seat is None else f"{text} {own_seat_waits()}"
