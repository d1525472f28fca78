"""What anybody can do at a table by a typed command, in a game or beside it.

Knows what each of `commands.AtTable` shows or wishes for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.table import Phase
from net.lobby import Free, Taken
from net.messages import No, Say, SetReady, Sit, Stand, Tell
from sabtui.plain.commands import (
    AtTable,
    game_help,
    host_help,
    move_lines,
    sign_lines,
    table_help,
)
from sabtui.plain.lobby import bot_lines, gone_lines, others_lines, phase, seat_lines, table_lines
from sabtui.plain.looking import who_lines
from sabtui.plain.rules import rules_lines
from sabtui.plain.sitting import Answer, Question, Sitting
from sabtui.plain.wishes import Ask, LetGo, Save
from sabtui.words.news import cast_of
from sabtui.words.refusals import refused
from sabtui.words.talk import claim_words, quick_claims, spoken
from sabtui.words.tongue import _, phrases


def do(sitting: Sitting, command: AtTable, rest: str) -> Answer:
    """Do what a command says; `rest` is what was typed after it."""
    match command:
        case AtTable.HELP:
            return sitting.say(_help(sitting, rest))
        case AtTable.WHO:
            return sitting.say(_who(sitting))
        case AtTable.TALK:
            return sitting.say([], Ask((Say(rest),))) if rest else sitting.say(_talk(sitting))
        case AtTable.CLAIM:
            return _claim(sitting, rest)
        case AtTable.TABLE:
            return sitting.say(table_lines(sitting.now, sitting.lobby))
        case AtTable.RULES:
            return sitting.say(rules_lines(rest, sitting.size.columns))
        case AtTable.READY:
            return _ready(sitting)
        case AtTable.SIT:
            return _sit(sitting, rest)
        case AtTable.STAND:
            return sitting.say([], Ask((Stand(),)))
        case AtTable.AUTO:
            return _auto(sitting)
        case AtTable.SAVE:
            return _save(sitting, rest)
        case AtTable.QUIT:
            return _quit(sitting)
        case AtTable.LEAVE:
            return _leave(sitting)
        case _:
            assert_never(command)


def seat_numbered(rest: str, seats: int) -> int | None:
    """The seat that was typed, from 1, as it is counted, from 0."""
    return int(rest) - 1 if rest.isdecimal() and 1 <= int(rest[:3]) <= seats else None


def flying_told() -> str:
    """Say that the autopilot plays, and how it ends."""
    return _("A bot plays for you now. auto, or a move of yours, takes the seat back.")


def _help(sitting: Sitting, rest: str) -> list[str]:
    is_host = sitting.now.is_host
    match rest.lower():
        case "moves":
            return move_lines()
        case "signs":
            return sign_lines()
        case "host":
            return host_help() if is_host else [refused(No.HOST_ONLY)]
        case "game":
            return game_help()
        case "":
            return game_help() if sitting.face is not None else table_help(is_host=is_host)
        case _:
            return table_help(is_host=is_host)


def _who(sitting: Sitting) -> list[str]:
    """The players, whoever watches, and who is not there."""
    now, lobby, face = sitting.now, sitting.lobby, sitting.face
    if face is None:
        return [*seat_lines(now, lobby), *others_lines(now, lobby)]
    who = who_lines(face.view, face.cast)
    return [*who, *bot_lines(lobby), *others_lines(now, lobby), *gone_lines(lobby)]


def _talk(sitting: Sitting) -> list[str]:
    """The last of what was said: as much as the terminal has room for."""
    assert sitting.now.held is not None
    names = cast_of(sitting.lobby, sitting.now.member).names
    lines = [spoken(line, names) for line in sitting.now.held.talk]
    return lines[2 - sitting.size.rows :] or [_("Nobody has said anything yet: t TEXT does.")]


def _claim(sitting: Sitting, rest: str) -> Answer:
    """List the quick claims, or make the one with a number."""
    cast = cast_of(sitting.lobby, sitting.now.member)
    claims = quick_claims(len(sitting.lobby.chairs), cast.me)
    if rest.isdecimal() and 1 <= int(rest[:3]) <= len(claims):
        return sitting.say([], Ask((Tell(claims[int(rest) - 1]),)))
    listed = [f"{at} {claim_words(claim, cast.names)}" for at, claim in enumerate(claims, 1)]
    return sitting.say([_("c and a number claims it."), phrases(listed)])


def _ready(sitting: Sitting) -> Answer:
    seat = sitting.now.seat
    chair = None if seat is None else sitting.lobby.chairs[seat]
    if not isinstance(chair, Taken):
        return sitting.say([refused(No.NO_SEAT)])
    return sitting.say([], Ask((SetReady(ready=not chair.ready),)))


def _sit(sitting: Sitting, rest: str) -> Answer:
    """Sit down on the seat that was named, or on the first that is free."""
    seats = len(sitting.lobby.chairs)
    free = [seat for seat, chair in enumerate(sitting.lobby.chairs) if isinstance(chair, Free)]
    seat = seat_numbered(rest, seats) if rest else next(iter(free), None)
    if seat is None:
        told = _("Which seat? sit and a number from 1 to {last} takes it.")
        return sitting.say([told.format(last=seats)])
    return sitting.say([], Ask((Sit(seat),)))


def _auto(sitting: Sitting) -> Answer:
    """Let the autopilot play, or play oneself again."""
    if sitting.flying:
        back = replace(sitting, flying=False)
        return back.say([_("You play yourself again."), *back.where()])
    return replace(sitting, flying=True).say([flying_told()])


def _save(sitting: Sitting, rest: str) -> Answer:
    assert sitting.now.held is not None
    if not sitting.now.held.record:
        return sitting.say([_("Once the game is over you can do that.")])
    if not rest:
        return sitting.say([_("Into which file? save FILE.")])
    return sitting.say([], Save(rest))


def _quit(sitting: Sitting) -> Answer:
    if phase(sitting.now) is Phase.OVER or sitting.now.held is None:
        return sitting.say([], LetGo())
    told = _("Leave this game? yes or no.")
    return replace(sitting, question=Question.QUIT).say([f"{told} {sitting.back}".rstrip()])


def _leave(sitting: Sitting) -> Answer:
    if sitting.now.is_host:
        return sitting.say([refused(No.HOST_STAYS)])
    told = _("Leave the table for good, and give up your seat? yes or no.")
    return replace(sitting, question=Question.LEAVE).say([told])
