"""Handlers of the commands that only the host may use.

Wrong input is answered here, and changes nothing; `PlainSession.request` asks what may be done.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from engine.bots.installed import offered_bots, refused_bots
from engine.edition import EDITIONS, Edition
from engine.state import Phase
from net.lobby.evening import MAX_TARGET, EveningPlan, read_plan
from net.lobby.model import MIN_SEATS, Absence, Free, Lobby, Settings, bot_names
from net.protocol.fields import MAX_SEATS, NOBODY
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import (
    ChangeSettings,
    FreeSeat,
    GiveHost,
    GoUnsaved,
    HandOver,
    Kick,
    Lock,
    NewCode,
    NewEvening,
    NextRound,
    Pause,
    PlayAgain,
    PutBot,
    Request,
    Start,
)
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.errors import UserError
from sabtui.plain.commands import AsHost
from sabtui.plain.lobby import phase
from sabtui.plain.model import PendingQuestion, PlainSession, Reaction
from sabtui.text.connection import disk_sentence
from sabtui.text.editions import SettingsText, edition_lines
from sabtui.text.i18n import _
from sabtui.text.lobby import cast_of, settings_sentence
from sabtui.text.reasons import refused
from sabtui.text.seats import game_lost


def handle_host(session: PlainSession, command: AsHost, rest: str) -> Reaction:
    """Carry out a command of the host; `rest` is the text after it."""
    if command is AsHost.CLOSE:
        text = _("Close the table for everybody, for good? Type yes or no.")
        lost = [game_lost()] if phase(session.status) not in (None, Phase.OVER) else []
        return replace(session, question=PendingQuestion.CLOSE).say([*lost, text])
    if command is AsHost.EDITION and not rest:
        return session.say(edition_lines())
    try:
        requests = _wanted(command, rest, session.lobby)
    except UserError as trouble:
        return session.say([str(trouble)])
    if command is AsHost.REMOVE:
        return _asked_about(session, requests[0])
    already = [text for request in requests if (text := _already(command, request, session))]
    return session.say(already) if already else session.request(*requests)


def _asked_about(session: PlainSession, request: Request) -> Reaction:
    """Ask before a person is removed, unless the table would refuse it."""
    reaction = session.request(request)
    person = session.lobby.person(request.member) if isinstance(request, Kick) else None
    if reaction.effect is None or person is None:
        return reaction
    asks = replace(session, question=PendingQuestion.REMOVE, removed=person)
    return asks.say([_("Remove {name} for good? Type yes or no.").format(name=person.name)])


def _already(command: AsHost, request: Request, session: PlainSession) -> str:
    """Return the sentence that all is as a request asks for, "" if it would change something.

    The table tells changes only, so that such a request would be met by silence.
    """
    lobby = session.lobby
    match request:
        case ChangeSettings(settings) if settings == lobby.settings:
            terms = SettingsText.of(settings, cast_of(lobby, session.status.member))
            return settings_sentence([terms._asdict()[command.long]])
        case FreeSeat(seat) if isinstance(lobby.chairs[seat], Free):
            return _("Seat {seat} is free already.").format(seat=seat + 1)
        case GoUnsaved() if session.status.disk is DiskStatus.UNSAVED:
            return disk_sentence(DiskStatus.UNSAVED, is_host=True)
        case _:
            return ""


def _wanted(command: AsHost, rest: str, lobby: Lobby) -> tuple[Request, ...]:
    """Return the requests that a command makes. Raises `UserError` if the line is wrong."""
    match command:
        case AsHost.START:
            return (Start(),)
        case AsHost.BOT:
            return (_bot(rest.split(), lobby),)
        case AsHost.BOTS:
            return _bots(rest, lobby)
        case AsHost.EMPTY:
            return (FreeSeat(_number(command, rest, 1, len(lobby.chairs)) - 1),)
        case AsHost.REMOVE:
            return (Kick(_member(rest, lobby)),)
        case AsHost.HOST:
            return (GiveHost(_member(rest, lobby)),)
        case AsHost.GIVE:
            seat, _space, name = rest.partition(" ")
            number = _number(command, seat, 1, len(lobby.chairs))
            return (HandOver(number - 1, _member(name.strip(), lobby)),)
        case AsHost.PAUSE:
            return (Pause(paused=True),)
        case AsHost.GO:
            return (Pause(paused=False),)
        case AsHost.NEXT:
            return (NextRound(),)
        case AsHost.AGAIN:
            return (PlayAgain(),)
        case AsHost.UNSAVED:
            return (GoUnsaved(),)
        case AsHost.CODE:
            return (NewCode(),)
        case AsHost.EVENING if rest.casefold() == "new":
            return (NewEvening(),)
        case AsHost.LOCK | AsHost.UNLOCK:
            return (Lock(command is AsHost.LOCK),)
        case _:
            return (ChangeSettings(_settings(command, rest, lobby.settings)),)


def _settings(command: AsHost, rest: str, now: Settings) -> Settings:
    """Return the settings with one of them changed. Raises `UserError` if the line is wrong."""
    match command:
        case AsHost.EDITION:
            return structs.replace(now, edition=_edition(rest, now.edition))
        case AsHost.ROUNDS:
            return structs.replace(now, rounds=_number(command, rest, 1, 3))
        case AsHost.SEATS:
            return structs.replace(now, seats=_number(command, rest, MIN_SEATS, MAX_SEATS))
        case AsHost.YOUNGEST:
            seat = _number(command, rest, 0, now.seats) - 1
            return structs.replace(now, youngest=seat if seat >= 0 else NOBODY)
        case AsHost.ABSENT:
            absent = {"bot": Absence.BOT, "wait": Absence.WAIT}.get(rest.casefold())
            if absent is None:
                raise UserError(_("Type absent bot or absent wait."))
            return structs.replace(now, absent=absent)
        case AsHost.HINTS:
            hints = {"yes": True, "no": False}.get(rest.casefold())
            if hints is None:
                raise UserError(_("Type hints yes or hints no."))
            return structs.replace(now, hints=hints)
        case AsHost.EVENING:
            return structs.replace(now, evening=_evening(rest))
        case AsHost.TURN:
            return structs.replace(now, turn_seconds=_number(command, rest, 0, 3600))
        case _:
            raise AssertionError(command)


def _number(command: AsHost, rest: str, first: int, last: int) -> int:
    """Parse the number after a command. Raises `UserError` unless it is from `first` to `last`."""
    if rest.isdecimal() and len(rest) < 5 and first <= int(rest) <= last:
        return int(rest)
    text = _("{command} needs a number from {first} to {last}.")
    raise UserError(text.format(command=command.long, first=first, last=last))


def _evening(rest: str) -> EveningPlan | None:
    """Parse a target; `off` is none. Raises `UserError` if the line is wrong."""
    if rest.casefold() == "off":
        return None
    plan = read_plan(rest.casefold())
    if plan is None:
        text = _(
            "Type evening 1 to {last} for games, evening 1gold to {last}gold for gold, "
            "evening off, or evening new."
        )
        raise UserError(text.format(last=MAX_TARGET))
    return plan


def _edition(rest: str, now: str) -> str:
    """Parse an edition; text that begins with a plus adds house rules to the current one.

    Raises:
        UserError: there is no such edition or house rule.
    """
    try:
        return Edition.read(now + rest if rest.startswith("+") else rest).text
    except KeyError:
        text = _("Editions: {names}; house rules after a plus, as in italia+linked.")
        advice = _("Type edition to list them.")
        raise UserError(f"{text.format(names=', '.join(EDITIONS))} {advice}") from None


def _member(name: str, lobby: Lobby) -> int:
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
        raise UserError(refused(Refusal.NO_SUCH_PERSON))
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
