"""What the host of a table can do by a typed command, and nobody else.

Knows what each of `commands.AsHost` wishes for. What the table refuses, it says itself; what is
typed wrong is answered here, and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from engine.bots import LEVELS
from engine.edition import EDITIONS, Edition
from net.codec.fields import MOST_SEATS, NOBODY
from net.lobby import Absence, BotChair, Free, Lobby, Settings
from net.lobby.dwarves import dwarves
from net.lobby.values import FEWEST_SEATS
from net.messages import (
    Empty,
    GoUnsaved,
    HandOver,
    Kick,
    Lock,
    NewCode,
    NextRound,
    No,
    Pause,
    PlayAgain,
    PutBot,
    Rule,
    Start,
    Want,
)
from sabtui.dwarves import LEVEL
from sabtui.plain.commands import AsHost
from sabtui.plain.sitting import Answer, Question, Sitting
from sabtui.plain.wishes import Ask
from sabtui.trouble import Trouble
from sabtui.words.editions import edition_lines
from sabtui.words.refusals import refused
from sabtui.words.tongue import _


def rule(sitting: Sitting, command: AsHost, rest: str) -> Answer:
    """Do what a command says; `rest` is what was typed after it."""
    if command is AsHost.CLOSE:
        told = _("Close the table for all, for good? yes or no.")
        return replace(sitting, question=Question.CLOSE).say([told])
    if command is AsHost.EDITION and not rest:
        return sitting.say(edition_lines())
    try:
        return sitting.say([], Ask(_wanted(command, rest, sitting.lobby)))
    except Trouble as trouble:
        return sitting.say([str(trouble)])


def _wanted(command: AsHost, rest: str, lobby: Lobby) -> tuple[Want, ...]:
    """What is wanted of the table. Raises `Trouble` for a line that is wrong."""
    match command:
        case AsHost.START:
            return (Start(),)
        case AsHost.BOT:
            return (_bot(rest.split(), lobby),)
        case AsHost.BOTS:
            return _bots(rest, lobby)
        case AsHost.EMPTY:
            return (Empty(_number(command, rest, 1, len(lobby.chairs)) - 1),)
        case AsHost.KICK:
            return (Kick(_member(rest, lobby)),)
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
        case AsHost.LOCK | AsHost.UNLOCK:
            return (Lock(command is AsHost.LOCK),)
        case _:
            return (Rule(_settings(command, rest, lobby.settings)),)


def _settings(command: AsHost, rest: str, now: Settings) -> Settings:
    """The settings with one of them changed."""
    match command:
        case AsHost.EDITION:
            return structs.replace(now, edition=_edition(rest, now.edition))
        case AsHost.ROUNDS:
            return structs.replace(now, rounds=_number(command, rest, 1, 3))
        case AsHost.SEATS:
            return structs.replace(now, seats=_number(command, rest, FEWEST_SEATS, MOST_SEATS))
        case AsHost.YOUNGEST:
            seat = _number(command, rest, 0, now.seats) - 1
            return structs.replace(now, youngest=seat if seat >= 0 else NOBODY)
        case AsHost.ABSENT:
            absent = {"bot": Absence.BOT, "wait": Absence.WAIT}.get(rest.casefold())
            if absent is None:
                raise Trouble(_("Type absent bot or absent wait."))
            return structs.replace(now, absent=absent)
        case AsHost.HINTS:
            hints = {"yes": True, "no": False}.get(rest.casefold())
            if hints is None:
                raise Trouble(_("Type hints yes or hints no."))
            return structs.replace(now, hints=hints)
        case AsHost.TURN:
            return structs.replace(now, turn_seconds=_number(command, rest, 0, 3600))
        case _:
            raise AssertionError(command)


def _number(command: AsHost, rest: str, first: int, last: int) -> int:
    """The number that was typed after a command."""
    if rest.isdecimal() and len(rest) < 5 and first <= int(rest) <= last:
        return int(rest)
    told = _("After {command} comes a number from {first} to {last}.")
    raise Trouble(told.format(command=command.long, first=first, last=last))


def _edition(rest: str, now: str) -> str:
    """The edition that was typed; after a plus alone, the one of now with house rules."""
    try:
        return Edition.read(now + rest if rest.startswith("+") else rest).text
    except KeyError:
        told = _("Editions: {names}; house rules after a plus, as in italia+linked.")
        advice = _("edition alone lists them.")
        raise Trouble(f"{told.format(names=', '.join(EDITIONS))} {advice}") from None


def _member(name: str, lobby: Lobby) -> int:
    """Whoever is called so, or whose name alone begins so."""
    if not name:
        raise Trouble(_("Whom? Their name comes last."))
    people = {person.name.casefold(): person.member for person in lobby.people}
    like = [member for other, member in people.items() if other.startswith(name.casefold())]
    if name.casefold() in people:
        return people[name.casefold()]
    if len(like) != 1:
        raise Trouble(refused(No.NO_SUCH_PERSON))
    return like[0]


def _bot(words: list[str], lobby: Lobby) -> PutBot:
    """A bot on the first free seat, by the name and of the level that were typed, if they were."""
    level = words.pop() if words and words[-1].casefold() in LEVELS else LEVEL
    name = " ".join(words) or dwarves(1, _taken(lobby))[0]
    return PutBot(_free(lobby)[0], name, level.casefold())


def _bots(rest: str, lobby: Lobby) -> tuple[PutBot, ...]:
    """So many bots on free seats."""
    free = _free(lobby)
    count = _number(AsHost.BOTS, rest, 1, len(free))
    names = dwarves(count, _taken(lobby))
    return tuple(PutBot(seat, name, LEVEL) for seat, name in zip(free, names, strict=False))


def _free(lobby: Lobby) -> list[int]:
    free = [seat for seat, chair in enumerate(lobby.chairs) if isinstance(chair, Free)]
    if not free:
        raise Trouble(
            _("No seat is free: seats {more} adds one, or empty N frees seat N.").format(
                more=min(len(lobby.chairs) + 1, MOST_SEATS)
            )
        )
    return free


def _taken(lobby: Lobby) -> set[str]:
    """All names at the table, case-folded."""
    names = [person.name for person in lobby.people]
    names += [chair.name for chair in lobby.chairs if isinstance(chair, BotChair)]
    return {name.casefold() for name in names}
