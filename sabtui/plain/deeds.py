"""Requests to the table as typed lines: deeds, and what lines alone have, bots and settings.

Wrong input is answered here, and changes nothing; `PlainSession.request` asks what may be done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.bots import BOTS
from engine.bots.installed import offered_bots, refused_bots
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BotChair, Free, Lobby, Settings, bot_names
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
from net.protocol.text import clean_name
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.errors import UserError
from sabtui.plain.commands import AsHost, SetTo
from sabtui.plain.handlers import find_named, quit_table
from sabtui.plain.lobby import open_seats
from sabtui.plain.model import Asked, PlainSession, Reaction
from sabtui.table.deed import Aim, Argument, Deed, aim_at, is_host
from sabtui.table.seat_deeds import LEAVE_FOR_GOOD
from sabtui.text.connection import disk_sentence
from sabtui.text.editions import edition_lines
from sabtui.text.i18n import _, alternatives
from sabtui.text.lobby import cast_of, settings_sentence
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import refusal_sentence
from sabtui.text.settings import Setting, WrongSetting, number_needed, table_settings


def handle_deed(session: PlainSession, deed: Deed, word: str, rest: str) -> Reaction:
    """Do a deed that was typed by this word, or ask first; `rest` is the text after it."""
    status = session.status
    if deed.concerns is is_host and not status.is_host:
        return session.say([refusal_sentence(Refusal.HOST_ONLY)])
    if deed is LEAVE_FOR_GOOD and not session.lobby.name:  # In practice there is no seat to keep.
        return quit_table(session)
    try:
        aim = _read_aim(session, deed, word, rest)
    except UserError as trouble:
        return session.say([str(trouble)])
    request, reason = deed.request(aim), deed.why_not(aim)
    if request is None or (reason is not None and not session.awaiting):
        return session.say([reason or deed.choose(aim)])
    already = _tell_already(request, session)
    if already:
        return session.say([already])
    if deed.is_final:
        return ask_first(session, deed, aim)
    return session.request(request)


def ask_first(session: PlainSession, deed: Deed, aim: Aim) -> Reaction:
    """Ask the question of a deed; the next line answers it."""
    lines = filter(None, [deed.warning(aim), deed.question(aim)])
    return replace(session, question=Asked(deed, aim)).say(lines)


def _read_aim(session: PlainSession, deed: Deed, word: str, rest: str) -> Aim:
    """Return what a line is about. Raises `UserError` if that cannot be told."""
    status, lobby = session.status, session.lobby
    match deed.takes:
        case Argument.NOTHING:
            return Aim(status, word=word)
        case Argument.SEAT:
            free = None if rest else next(iter(open_seats(status)), None)
            seat = _read_number(word, rest, 1, len(lobby.chairs)) - 1 if free is None else free
            return replace(aim_at(status, seat), word=word)
        case Argument.PERSON:
            member = _read_member(rest, lobby)
            return Aim(status, lobby.seat_of(member), member, word=word)
        case Argument.SEAT_AND_PERSON:
            typed, _space, name = rest.partition(" ")
            seat = _read_number(word, typed, 1, len(lobby.chairs)) - 1
            to = _read_member(name.strip(), lobby)
            return replace(aim_at(status, seat), to=to, word=word)
        case _:
            assert_never(deed.takes)


def handle_host(session: PlainSession, command: AsHost | SetTo, rest: str) -> Reaction:
    """Carry out a command of the host; `rest` is the text after it."""
    if command == SetTo("edition") and not rest:
        return session.say(edition_lines())
    try:
        requests = _make_requests(command, rest, session.lobby)
    except (UserError, WrongSetting) as trouble:
        return session.say([str(trouble)])
    word = command.long if isinstance(command, SetTo) else ""
    already = [text for request in requests if (text := _tell_already(request, session, word))]
    return session.say(already) if already else session.request(*requests)


def _tell_already(request: Request, session: PlainSession, setting: str = "") -> str:
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
            return (FreeSeat(_read_number(command.long, rest, 1, len(lobby.chairs)) - 1),)
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


def _read_number(word: str, rest: str, first: int, last: int) -> int:
    """Parse the number after a word. Raises `UserError` unless it is from `first` to `last`."""
    if rest.isdecimal() and len(rest) < 5 and first <= int(rest) <= last:
        return int(rest)
    raise UserError(number_needed(word, first, last))


def _read_member(name: str, lobby: Lobby) -> int:
    """Return the member with this name, or the only one whose name begins with it.

    Raises:
        UserError: no name was typed, or it does not match exactly one person.
    """
    if not name:
        raise UserError(_("Which player? Put their name at the end."))
    found = find_named(name, [person.name for person in lobby.people])
    bots = {at: chair.name for at, chair in enumerate(lobby.chairs) if isinstance(chair, BotChair)}
    if found is None and (bot := find_named(name, [*bots.values()])) is not None:
        text = _("{name} is a bot: choose a person, or type empty {seat} to free its seat.")
        raise UserError(text.format(name=[*bots.values()][bot], seat=[*bots][bot] + 1))
    if found is None:
        raise UserError(refusal_sentence(Refusal.NO_SUCH_PERSON))
    return lobby.people[found].member


def _bot(words: list[str], lobby: Lobby) -> PutBot:
    """Return the request for a bot on the first free seat, with the typed name and level.

    The level may be the name of a bot that is installed here. After a name nothing else may stand.

    Raises `UserError`: the level is none, or a bot that is refused.
    """
    typed = words[-1].casefold() if words else ""
    level = DEFAULT_BOT_LEVEL
    if typed in offered_bots():
        level = typed
        words.pop()
    elif words and words[-1] in refused_bots():
        raise UserError(refused_bots()[words[-1]])
    elif len(words) > 1 or typed in BOTS:
        text = _("{word} is not a bot's level: type {levels} at the end.")
        raise UserError(text.format(word=words[-1][:20], levels=alternatives(offered_bots())))
    name = clean_name(" ".join(words)) or bot_names(1, lobby.names())[0]
    return PutBot(_free(lobby)[0], name, level)


def _bots(rest: str, lobby: Lobby) -> tuple[PutBot, ...]:
    """Return the requests for as many bots as typed, on free seats."""
    free = _free(lobby)
    if len(free) == 1 and rest != "1":
        text = _("Only one seat is free: type bots 1, or seats {more} to add one.")
        raise UserError(text.format(more=min(len(lobby.chairs) + 1, MAX_SEATS)))
    count = _read_number(AsHost.BOTS.long, rest, 1, len(free))
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
