"""A typed line, read where one sits: an answer, a command, or a word about the game.

Knows which of the others reads what: `deeds` for what anybody can do at a table, `powers` for what
the host can, `obeying` and `moving` for the game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from net.client.seat import Standing
from net.messages import Close, Leave, No
from sabtui.plain.commands import AsHost, Asked, AtTable, InGame, asked
from sabtui.plain.deeds import do
from sabtui.plain.lobby import obvious
from sabtui.plain.moving import move, unknown
from sabtui.plain.obeying import obey
from sabtui.plain.powers import rule
from sabtui.plain.sitting import Answer, Question, Sitting
from sabtui.plain.wishes import Ask, GoOn, KeepAndLetGo, LetGo
from sabtui.words.endings import standing
from sabtui.words.lost import lost_asked
from sabtui.words.refusals import refused
from sabtui.words.tongue import _, pgettext

LONGEST: Final = 200
"""Characters of a line that are read: a file's path is the longest thing anybody types."""


def read(sitting: Sitting, typed: str) -> Answer:
    """What a line does. It may hold anything."""
    line = "".join(c for c in typed[:LONGEST].replace("\t", " ") if c.isprintable()).strip()
    if sitting.question is not None:
        return _answered(sitting, sitting.question, line)
    found = asked(line) if line else None
    if sitting.now.held is None and (found is None or found.command is not AtTable.QUIT):
        return sitting.say([standing(sitting.now)])
    if sitting.now.standing is Standing.ENDED and not _is_looking(found):
        return sitting.say([], LetGo())
    if found is not None:
        return _obeyed(sitting, found)
    if not line:
        return _went_on(sitting)
    if sitting.face is None:
        return sitting.say([unknown(line)])
    return sitting.played(move(sitting.face, line))


def _is_looking(found: Asked | None) -> bool:
    """Whether a line asks for nothing that takes a table that is still there."""
    if found is None:
        return False
    return isinstance(found.command, InGame) or found.command in (
        AtTable.HELP,
        AtTable.WHO,
        AtTable.TABLE,
        AtTable.RULES,
        AtTable.SAVE,
    )


def _obeyed(sitting: Sitting, found: Asked) -> Answer:
    """What a command does."""
    command = found.command
    if isinstance(command, AtTable):
        return do(sitting, command, found.rest)
    if isinstance(command, AsHost):
        if not sitting.now.is_host:
            return sitting.say([refused(No.HOST_ONLY)])
        return rule(sitting, command, found.rest)
    return _in_game(sitting, command, found.rest)


def _in_game(sitting: Sitting, command: InGame, rest: str) -> Answer:
    if sitting.face is None:
        return sitting.say([_("There is no game yet."), *sitting.where()])
    return sitting.played(obey(sitting.face, command, rest))


def _went_on(sitting: Sitting) -> Answer:
    """An empty line does what comes next, or tells where one is."""
    want = obvious(sitting.now, sitting.lobby)
    if want is not None and not sitting.awaiting:
        return sitting.say([], Ask((want,)))
    face = None if sitting.face is None else sitting.face.put_back()
    back = replace(sitting, face=face)
    return back.say(back.where())


def _answered(sitting: Sitting, question: Question, line: str) -> Answer:
    """The answer to a question: anything but yes stays."""
    if question is Question.GONE_BACK:
        return _went_on_or_left(sitting, line)
    stays = replace(sitting, question=None)
    if line.casefold() not in pgettext("answers", "yes y quit q").split():
        return stays.say([_("You stay.")])
    match question:
        case Question.QUIT:
            return stays.say([], LetGo())
        case Question.LEAVE:
            return stays.say([], Ask((Leave(),)))
        case Question.CLOSE:
            return stays.say([], Ask((Close(),)))
        case _:
            assert_never(question)


def _went_on_or_left(sitting: Sitting, line: str) -> Answer:
    """The answer at a table that has gone back, where nothing else can be done."""
    answered, answer = replace(sitting, question=None), line.casefold()
    if answer in pgettext("answers", "no n quit q").split():
        return answered.say([], KeepAndLetGo())
    if answer in pgettext("answers", "yes y quit q").split():
        return answered.say([], GoOn())
    return sitting.say([lost_asked()])
