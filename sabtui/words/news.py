"""What happened at a table beside its game, one sentence for each piece of news that deserves one.

Knows news and the lobby before it, and tells it from the side of one member: "You sit down as
seat 2". Talk is told by `talk`, the game by `events`, why one's own link ended by `endings`.
"""

from __future__ import annotations

from typing import assert_never

from net.lobby import Absence, BotChair, Free, Lobby, News, Presence, Stage, Taken, after
from net.lobby.news import (
    Again,
    BotClaimed,
    BotSat,
    Claimed,
    Closed,
    CodeRenewed,
    Entered,
    Exit,
    Exited,
    GameBegins,
    LinkIs,
    Locked,
    MovesMissing,
    Paused,
    ReadySaid,
    RecordTold,
    Reopened,
    RoundBegins,
    Ruled,
    Said,
    SatDown,
    StoodIn,
    StoodUp,
    Why,
)
from sabtui.words.bots import level_name
from sabtui.words.cast import Cast
from sabtui.words.lost import reported
from sabtui.words.terms import changes
from sabtui.words.tongue import _, listed


def cast_of(lobby: Lobby, member: int) -> Cast:
    """Who sits where, with `member` as the reader. A free chair is called by its number."""
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return Cast.of(names, lobby.seat_of(member))


def table_name(lobby: Lobby) -> str:
    """Return the table's name; a practice table, to which nobody else can come, has none."""
    return lobby.name or _("Practice")


def happened_here(news: News, before: Lobby, me: int) -> str | None:
    """Tell `me`, a member, a piece of news; `None` where it needs no line of its own.

    `before` is the lobby as it was: of several pieces, each is told at the lobby after the others.
    """
    match news:
        case Entered(member, name):
            return None if member == me else _("{name} comes in.").format(name=name)
        case Exited():
            return _exited(news, before)
        case SatDown(seat, member):
            return _sat_down(seat, member, before, me)
        case StoodUp(seat):
            return _stood_up(seat, before, me)
        case BotSat(seat, name, level):
            return _bot_sat(seat, name, level, before)
        case ReadySaid(seat, ready):
            return _ready(seat, before, me, ready=ready)
        case LinkIs(member, presence):
            return None if member == me else _link(member, presence, before)
        case Ruled(settings):
            new = changes(before.settings, settings, cast_of(before, me))
            return _("Agreed: {terms}.").format(terms=listed(new)) if new else None
        case Paused(paused):
            return _("The host pauses the game.") if paused else _("The game goes on.")
        case GameBegins():
            return _begins(before, me)
        case Again():
            return _("The game is put away. All keep their seats for another one.")
        case StoodIn(seat, why):
            return _stood_in(seat, why, before, me)
        case Reopened():
            return _("The host is back, and all seats are kept. The others still have to return.")
        case Locked(locked):
            return (
                _("The host locks the table: nobody new comes in.")
                if locked
                else _("The host unlocks the table.")
            )
        case CodeRenewed():
            return _("The room code is another now. The host knows it.")
        case MovesMissing():
            return reported(news, before, me)
        case Said() | Claimed() | BotClaimed() | RoundBegins() | Closed() | RecordTold():
            return None
        case _:
            assert_never(news)


def _name(member: int, lobby: Lobby) -> str:
    person = lobby.person(member)
    return _("Somebody") if person is None else person.name


def _bot_sat(seat: int, name: str, level: str, before: Lobby) -> str:
    """A bot's new seat, and for whom it plays on, if there was somebody."""
    told = _("{name}, a {level} bot, sits down as seat {seat}.")
    if isinstance(before.chairs[seat], Taken):
        told = _("{name}, a {level} bot, plays on for {other} in seat {seat}.")
    return told.format(
        name=name, level=level_name(level), other=before.name_at(seat), seat=seat + 1
    )


def _exited(news: Exited, before: Lobby) -> str:
    seat = before.seat_of(news.member)
    match news.why:
        case Exit.LEFT:
            watched = (
                seat is None and before.stage is not Stage.PLAYING
            )  # else a bot is there by now
            told = _("{name}, who watched, leaves.") if watched else _("{name} leaves.")
        case Exit.KICKED:
            told = _("The host sends {name} away.")
        case Exit.FORGOTTEN:
            told = _("{name}, who watched and is long gone, gave way to somebody new.")
        case _:
            assert_never(news.why)
    return told.format(name=_name(news.member, before))


def _sat_down(seat: int, member: int, before: Lobby, me: int) -> str:
    """Somebody's new seat, and who lost it."""
    chair = before.chairs[seat]
    lost = chair.member if isinstance(chair, Taken) else None
    fields = {"name": _name(member, before), "seat": seat + 1, "other": before.name_at(seat)}
    if lost == me:
        told = _("{name} takes your seat {seat}: you watch now.")
    elif not isinstance(chair, Free):
        told = (
            _("You take seat {seat} from {other}.")
            if member == me
            else _("{name} takes seat {seat} from {other}.")
        )
    elif before.seat_of(member) is not None:
        told = _("You move to seat {seat}.") if member == me else _("{name} moves to seat {seat}.")
    else:
        told = (
            _("You sit down as seat {seat}.")
            if member == me
            else _("{name} sits down as seat {seat}.")
        )
    return told.format(**fields)


def _stood_up(seat: int, before: Lobby, me: int) -> str | None:
    chair = before.chairs[seat]
    match chair:
        case Free():
            return None
        case BotChair(name):
            return _("{name}, a bot, leaves seat {seat}.").format(name=name, seat=seat + 1)
        case Taken(member):
            told = (
                _("Your seat {seat} is free now: you watch.")
                if member == me
                else _("{name} leaves seat {seat} and watches.")
            )
            return told.format(name=_name(member, before), seat=seat + 1)
        case _:
            assert_never(chair)


def _ready(seat: int, before: Lobby, me: int, *, ready: bool) -> str:
    cast = cast_of(before, me)
    if not ready:
        return cast.say(seat, _("You are not ready yet."), _("{name} is not ready yet."))
    if before.stage is Stage.LOBBY:
        return cast.say(seat, _("You are ready."), _("{name} is ready."))
    return cast.say(
        seat,
        _("You are ready for the next round."),
        _("{name} is ready for the next round."),
    )


def _link(member: int, presence: Presence, before: Lobby) -> str:
    match presence:
        case Presence.THERE:
            person = before.person(member)
            told = (
                _("{name}'s connection is fine again.")
                if person is not None and person.presence is Presence.SHAKY
                else _("{name} is back.")
            )
        case Presence.SHAKY:
            told = _("{name}'s connection is shaky.")
        case Presence.GONE:
            told = _gone(before, member)
        case _:
            assert_never(presence)
    return told.format(name=_name(member, before))


def _gone(before: Lobby, member: int) -> str:
    """Somebody is gone, and what that means for those who play with them."""
    if before.seat_of(member) is None:
        return _("{name} is gone.")
    if before.stage is not Stage.PLAYING:
        return _("{name} is gone; the seat is kept.")
    match before.settings.absent:
        case Absence.WAIT:
            return _("{name} is gone; when it is their turn, the game waits for them.")
        case Absence.BOT:
            return _("{name} is gone; until they are back, a bot plays for them.")
        case never:
            assert_never(never)


def _begins(before: Lobby, me: int) -> str:
    """A game begins; chairs that were free are gone, and seats may have other numbers."""
    seat = after(before, GameBegins()).seat_of(me)
    if seat in (None, before.seat_of(me)):
        return _("The game begins.")
    return _("The game begins without the free seats: you are seat {seat} now.").format(
        seat=seat + 1
    )


def _stood_in(seat: int, why: Why, before: Lobby, me: int) -> str | None:
    """A bot's move; not told of a free seat, where all are a bot's."""
    if isinstance(before.chairs[seat], Free):
        return None
    cast = cast_of(before, me)
    match why:
        case Why.ABSENT:
            return cast.say(
                seat,
                _("You were gone: a bot made this move for you."),
                _("A bot makes this move for {name}."),
            )
        case Why.ASLEEP:
            return cast.say(
                seat,
                _("Your time was up: a bot made this move for you."),
                _("{name}'s time is up: a bot makes this move."),
            )
        case _:
            assert_never(why)
