"""Deeds at the table as typed lines: what a line is about, and the question before it is done."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from net.protocol.messages import Refusal
from sabtui.app.errors import UserError
from sabtui.plain.handlers import quit_table
from sabtui.plain.host_handlers import read_member, read_number, tell_already
from sabtui.plain.lobby import open_seats
from sabtui.plain.model import Asked, PlainSession, Reaction
from sabtui.table.deed import Aim, Argument, Deed, aim_at, is_host
from sabtui.table.deeds import CLOSE
from sabtui.table.seat_deeds import LEAVE_FOR_GOOD
from sabtui.text.reasons import refusal_sentence


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
    already = tell_already(request, session)
    if already:
        return session.say([already])
    if deed.is_final:
        return ask_first(session, deed, aim)
    return session.request(request)


def ask_first(session: PlainSession, deed: Deed, aim: Aim) -> Reaction:
    """Ask the question of a deed; the next line answers it."""
    lines = filter(None, [deed.warning(aim), deed.question(aim)])
    return replace(session, question=Asked(deed, aim)).say(lines)


def close_table(session: PlainSession) -> Reaction:
    """Ask before a table is closed that may not be there to be seen yet."""
    return ask_first(session, CLOSE, Aim(session.status))


def _read_aim(session: PlainSession, deed: Deed, word: str, rest: str) -> Aim:
    """Return what a line is about. Raises `UserError` if that cannot be told."""
    status, lobby = session.status, session.lobby
    match deed.takes:
        case Argument.NOTHING:
            return Aim(status, word=word)
        case Argument.SEAT:
            free = None if rest else next(iter(open_seats(status)), None)
            seat = read_number(word, rest, 1, len(lobby.chairs)) - 1 if free is None else free
            return replace(aim_at(status, seat), word=word)
        case Argument.PERSON:
            member = read_member(rest, lobby)
            return Aim(status, lobby.seat_of(member), member, word=word)
        case Argument.SEAT_AND_PERSON:
            typed, _space, name = rest.partition(" ")
            seat = read_number(word, typed, 1, len(lobby.chairs)) - 1
            to = read_member(name.strip(), lobby)
            return replace(aim_at(status, seat), to=to, word=word)
        case _:
            assert_never(deed.takes)
