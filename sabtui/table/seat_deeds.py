"""Deeds that begin a game, and those about who sits where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from msgspec import structs

from net.protocol.fields import NOBODY
from net.protocol.lobby import (
    BOT_NAMES,
    DEFAULT_LEVEL,
    BotChair,
    Free,
    Lobby,
    Person,
    Presence,
    Stage,
    bot_names,
)
from net.protocol.messages import Refusal
from net.protocol.requests import (
    ChangeSettings,
    FreeSeat,
    HandOver,
    Kick,
    Leave,
    PutBot,
    Request,
    SetReady,
    Sit,
    StandUp,
    Start,
)
from net.room.waiting import people_awaited, players_missing
from sabtui.table.deed import (
    Aim,
    Argument,
    Deed,
    everybody,
    hide_keys,
    is_host,
    nobody_there,
    show_keys,
)
from sabtui.text.editions import next_level
from sabtui.text.i18n import _, pgettext
from sabtui.text.reasons import refusal_sentence, why_unavailable
from sabtui.text.seats import between_rounds, enter_starts, more_needed, waits_for


def start_awaits(lobby: Lobby) -> str | None:
    """Return the sentence on what a game still needs before it can start, `None` for nothing."""
    missing = players_missing(lobby)
    if missing:
        return more_needed(missing, "b")
    return waits_for(people_awaited(lobby))


def _why_no_start(aim: Aim) -> Mapping[Refusal, str]:
    host = {Refusal.HOST_ONLY: _("The host starts the game.")}
    awaits = None if aim.word else start_awaits(aim.lobby)
    return {**host, Refusal.TOO_FEW: awaits, Refusal.NOT_READY: awaits} if awaits else host


START: Final = Deed(
    "start",
    lambda: _("start the game"),
    lambda _aim: Start(),
    label=lambda: _("start"),
    lobby=show_keys("enter"),
    typed=("start",),
    instead=_why_no_start,
)


def _be_ready(aim: Aim) -> Request | None:
    """Return the request to be ready or not; the host is ready before a game."""
    if aim.word:
        return SetReady(aim.word == READY.typed[0])
    is_asked = aim.lobby.stage is not Stage.LOBBY or not aim.status.is_host
    return SetReady(not aim.lobby.is_ready(aim.status.member)) if is_asked else None


READY: Final[Deed] = Deed(
    "ready",
    lambda: _("say you are ready, or take it back"),
    _be_ready,
    everybody,
    label=lambda: pgettext("label", "ready"),
    lobby=hide_keys("r"),
    typed=("ready", "unready"),
    choose=lambda _aim: enter_starts(),
)


def _why_not_sit(aim: Aim) -> Mapping[Refusal, str]:
    return {
        Refusal.NOT_NOW: between_rounds(),
        Refusal.SEATED: _("You already have a seat."),
        Refusal.SEAT_TAKEN: _("You already have a seat.")
        if aim.seat == aim.status.seat
        else _("{name} sits there: choose a free seat.").format(name=aim.name),
    }


def _choose_seat(aim: Aim) -> str:
    """Return how to point at a seat, unless it is not the time to sit down on any."""
    reason = aim.status.why_not(Sit(0))
    if reason in {None, Refusal.SEAT_TAKEN}:
        return aim.how
    return why_unavailable(aim.status, Sit(0), _why_not_sit(aim)) or aim.how


SIT: Final = Deed(
    "sit",
    lambda: _("take a free seat"),
    lambda aim: None if aim.seat is None else Sit(aim.seat),
    lambda status: status.seat is None or status.view is None,
    label=lambda: _("sit here"),
    lobby=show_keys("enter"),
    table=hide_keys(),
    typed=("sit",),
    takes=Argument.SEAT,
    choose=_choose_seat,
    instead=_why_not_sit,
)

HOST_SIT: Final = replace(
    SIT,
    name="host sit",
    concerns=is_host,
    lobby=show_keys("s"),
    table=None,
    typed=(),
)
"""The same in the lobby for the host, whose Enter starts the game."""

STAND: Final = Deed(
    "stand",
    lambda: _("free your seat and watch"),
    lambda _aim: StandUp(),
    everybody,
    label=lambda: _("stand up"),
    lobby=show_keys("u"),
    typed=("stand",),
    instead=lambda _aim: {Refusal.NO_SEAT: _("You have no seat.")},
)

LEAVE_FOR_GOOD: Final = Deed(
    "leave for good",
    lambda: _("leave for good, and give up your seat"),
    lambda _aim: Leave(),
    lambda status: not status.is_host,
    table=hide_keys(),
    typed=("leave",),
    question=lambda _aim: _("Leave this table for good?"),
    warning=lambda aim: (
        _("A bot takes over, and your copy of the game is not saved.") if aim.is_in_game else ""
    ),
    is_final=True,
)


def _put_bot(aim: Aim) -> Request | None:
    """Return the request for one more bot: on this chair, else on the next free seat or the first.

    Seats for which a bot was just asked count as taken, while there are others.
    """
    seat, free = aim.seat, aim.lobby.free_seats
    if not free:
        return None
    free = tuple(other for other in free if other not in aim.asked) or free
    if seat not in free:
        seat = next((other for other in free if seat is not None and other > seat), free[0])
    taken = aim.lobby.names()
    # Each seat suggests its own name: bots may be added faster than the host answers.
    usual = BOT_NAMES[(seat - 1) % len(BOT_NAMES)]
    name = bot_names(1, taken)[0] if usual.casefold() in taken else usual
    return PutBot(seat, name, DEFAULT_LEVEL)


BOT: Final = Deed(
    "bot",
    lambda: _("add a bot"),
    _put_bot,
    # Translators: add a bot to the seat.
    label=lambda: pgettext("label", "bot"),
    lobby=show_keys("b"),
    choose=lambda _aim: _("No seat is free for a bot: press e to add seats."),
)


def _change_level(by: int) -> Callable[[Aim], Request | None]:
    """Return what makes the request that changes the level of the bot pointed at."""

    def request(aim: Aim) -> Request | None:
        if aim.seat is None or not isinstance(aim.chair, BotChair):
            return None
        level = aim.asked.get(aim.seat, aim.chair.level)
        return PutBot(aim.seat, aim.chair.name, next_level(level, by))

    return request


STRONGER: Final = Deed(
    "stronger",
    lambda: _("make the bot there better"),
    _change_level(1),
    # Translators: change the level of the bot there.
    label=lambda: pgettext("label", "level"),
    lobby=show_keys("plus", "equals_sign"),
    choose=lambda _aim: _("No bot sits there."),
)

WEAKER: Final = Deed(
    "weaker",
    lambda: _("make the bot there worse"),
    _change_level(-1),
    lobby=hide_keys("minus"),
    choose=lambda _aim: _("No bot sits there."),
)


def _remove(aim: Aim) -> Request | None:
    """Return the request that takes a bot off its chair or sends a person away."""
    if aim.member is not None:
        return Kick(aim.member)
    return FreeSeat(aim.seat) if aim.seat is not None and aim.name else None


REMOVE: Final = Deed(
    "remove",
    lambda: _("remove a bot or a person"),
    _remove,
    label=lambda: _("remove"),
    lobby=show_keys("x", "delete"),
    table=hide_keys("K"),
    typed=("remove",),
    takes=Argument.PERSON,
    instead=lambda _aim: {Refusal.NOT_NOW: between_rounds()},
    question=lambda aim: (
        "" if aim.member is None else _("Remove {name} for good?").format(name=aim.name)
    ),
    is_final=True,
)


def _mark_youngest(aim: Aim) -> Request | None:
    """Return the request to let the player there begin; repeated, the seat is drawn (S8)."""
    if aim.seat is None or isinstance(aim.chair, Free):
        return None
    settings = aim.lobby.settings
    seat = NOBODY if settings.youngest == aim.seat else aim.seat
    return ChangeSettings(structs.replace(settings, youngest=seat))


YOUNGEST: Final = Deed(
    "youngest",
    lambda: _("mark the youngest player, who begins"),
    _mark_youngest,
    label=lambda: _("youngest"),
    lobby=show_keys("y"),
)


def _watchers(aim: Aim) -> tuple[Person, ...]:
    """Return the watchers who are connected."""
    return tuple(one for one in aim.lobby.watchers if one.presence is Presence.THERE)


def _hand_over(aim: Aim) -> Request | None:
    to = aim.to if aim.to is not None else next((one.member for one in _watchers(aim)), None)
    free = aim.seat is None or isinstance(aim.chair, Free)
    return None if free or aim.seat is None or to is None else HandOver(aim.seat, to)


def _choose_owner(aim: Aim) -> str:
    if not _watchers(aim):
        return refusal_sentence(Refusal.SEATED)
    return nobody_there(aim)


def _give_question(aim: Aim) -> str:
    request = _hand_over(aim)
    to = aim.lobby.person(request.member) if isinstance(request, HandOver) else None
    if to is None or aim.seat is None:
        return ""
    text = _("Give {owner}'s seat {seat} to {name}?")
    return text.format(owner=aim.name, seat=aim.seat + 1, name=to.name)


HAND_OVER: Final = Deed(
    "hand over",
    lambda: _("give a seat to a watcher"),
    _hand_over,
    # Translators: give a seat to a watcher.
    label=lambda: pgettext("label", "give"),
    lobby=show_keys("g"),
    table=hide_keys(),
    typed=("give",),
    takes=Argument.SEAT_AND_PERSON,
    choose=_choose_owner,
    question=_give_question,
    pick=lambda aim: _("Who gets seat {seat}, with its cards and gold?").format(
        seat=(aim.seat or 0) + 1
    ),
    others=lambda aim: tuple((one.name, replace(aim, to=one.member)) for one in _watchers(aim)),
)

STARTING: Final = (START, READY)
SEATING: Final = (SIT, HOST_SIT, STAND, LEAVE_FOR_GOOD)
FILLING: Final = (BOT, REMOVE, STRONGER, WEAKER, YOUNGEST)
