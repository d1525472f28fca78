"""Handlers of the commands that only the host may use, besides the deeds: bots and settings.

Wrong input is answered here, and changes nothing; `PlainSession.request` asks what may be done.
"""

from __future__ import annotations

from typing import assert_never

from engine.bots.installed import offered_bots, refused_bots
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Free, Lobby, Settings, bot_names
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import (
    ChangeSettings,
    FreeSeat,
    GoUnsaved,
    NewEvening,
    PutBot,
    Request,
    SetReady,
)
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.errors import UserError
from sabtui.plain.commands import AsHost, SetTo
from sabtui.plain.model import PlainSession, Reaction
from sabtui.text.connection import disk_sentence
from sabtui.text.editions import edition_lines
from sabtui.text.i18n import _
from sabtui.text.lobby import cast_of, settings_sentence
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import refusal_sentence
from sabtui.text.settings import Setting, WrongSetting, number_needed, table_settings


def handle_host(session: PlainSession, command: AsHost | SetTo, rest: str) -> Reaction:
    """Carry out a command of the host; `rest` is the text after it."""
    if command == SetTo("edition") and not rest:
        return session.say(edition_lines())
    try:
        requests = _make_requests(command, rest, session.lobby)
    except (UserError, WrongSetting) as trouble:
        return session.say([str(trouble)])
    word = command.long if isinstance(command, SetTo) else ""
    already = [text for request in requests if (text := tell_already(request, session, word))]
    return session.say(already) if already else session.request(*requests)


def tell_already(request: Request, session: PlainSession, setting: str = "") -> str:
    """Return the sentence that all is as a request asks for, "" if it would change something.

    The table tells changes only, so that such a request would be met by silence. `setting` is the
    word of the one that was typed.
    """
    lobby, member = session.lobby, session.status.member
    match request:
        case ChangeSettings(settings) if setting and settings == lobby.settings:
            row = _typed_setting(setting, settings, cast_of(lobby, member))
            return settings_sentence([row.phrase])
        case FreeSeat(seat) if isinstance(lobby.chairs[seat], Free):
            return _("Seat {seat} is free already.").format(seat=seat + 1)
        case GoUnsaved() if session.status.disk is DiskStatus.UNSAVED:
            return disk_sentence(DiskStatus.UNSAVED, is_host=True)
        case SetReady(ready) if lobby.is_ready(member) is ready and not session.awaiting:
            if ready:
                return _("You are ready already: type unready to take it back.")
            return _("You are not ready: type ready once you are.")
        case _:
            return ""


def _make_requests(command: AsHost | SetTo, rest: str, lobby: Lobby) -> tuple[Request, ...]:
    """Return the requests that a command makes.

    Raises:
        UserError: the line is wrong.
        WrongSetting: the setting cannot be as typed.
    """
    match command:
        case AsHost.BOT:
            return (_bot(rest.split(), lobby),)
        case AsHost.BOTS:
            return _bots(rest, lobby)
        case AsHost.EMPTY:
            return (FreeSeat(_number(command, rest, 1, len(lobby.chairs)) - 1),)
        case SetTo("series") if rest.casefold() == "new":
            return (NewEvening(),)
        case SetTo(word):
            setting = _typed_setting(word, lobby.settings)
            return (ChangeSettings(setting.read(rest, lobby.settings)),)
        case _:
            assert_never(command)


def _typed_setting(word: str, now: Settings, names: PlayerNames | None = None) -> Setting:
    """Return the setting with this word."""
    return next(setting for setting in table_settings(now, names) if setting.word == word)


def _number(command: AsHost, rest: str, first: int, last: int) -> int:
    return read_number(command.long, rest, first, last)


def read_number(word: str, rest: str, first: int, last: int) -> int:
    """Parse the number after a word. Raises `UserError` unless it is from `first` to `last`."""
    if rest.isdecimal() and len(rest) < 5 and first <= int(rest) <= last:
        return int(rest)
    raise UserError(number_needed(word, first, last))


def read_member(name: str, lobby: Lobby) -> int:
    """Return the member with this name, or the only one whose name begins with it.

    Raises:
        UserError: no name was typed, or it does not match exactly one person.
    """
    if not name:
        raise UserError(_("Which player? Put their name at the end."))
    people = {person.name.casefold(): person.member for person in lobby.people}
    like = [member for other, member in people.items() if other.startswith(name.casefold())]
    if name.casefold() in people:
        return people[name.casefold()]
    if len(like) != 1:
        raise UserError(refusal_sentence(Refusal.NO_SUCH_PERSON))
    return like[0]


def _bot(words: list[str], lobby: Lobby) -> PutBot:
    """Return the request for a bot on the first free seat, with the typed name and level.

    The level may be the name of a bot that is installed here. Raises `UserError` for one that is
    refused.
    """
    typed = words[-1].casefold() if words else ""
    level = DEFAULT_BOT_LEVEL
    if typed in offered_bots():
        level = typed
        words.pop()
    elif words and words[-1] in refused_bots():
        raise UserError(refused_bots()[words[-1]])
    name = " ".join(words) or bot_names(1, lobby.names())[0]
    return PutBot(_free(lobby)[0], name, level)


def _bots(rest: str, lobby: Lobby) -> tuple[PutBot, ...]:
    """Return the requests for as many bots as typed, on free seats."""
    free = _free(lobby)
    count = _number(AsHost.BOTS, rest, 1, len(free))
    names = bot_names(count, lobby.names())
    return tuple(
        PutBot(seat, name, DEFAULT_BOT_LEVEL) for seat, name in zip(free, names, strict=False)
    )


def _free(lobby: Lobby) -> tuple[int, ...]:
    """Return the free seats. Raises `UserError` if there are none."""
    if not lobby.free_seats:
        raise UserError(
            _("No seat is free: type seats {more} to add one, or empty N to free seat N.").format(
                more=min(len(lobby.chairs) + 1, MAX_SEATS)
            )
        )
    return lobby.free_seats
