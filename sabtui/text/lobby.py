"""Lobby events in words.

Chat is in `sabtui.text.talk`, game events in `sabtui.text.events`, and the player's own connection
in `sabtui.text.connection`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from net.protocol.lobby import Absence, BotChair, Free, Lobby, Presence, Stage, Taken
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    BotSat,
    Claimed,
    Closed,
    CodeRenewed,
    ComputerChanged,
    DrawBegan,
    ElectorChanged,
    Entered,
    EveningBegins,
    Exited,
    GameBegins,
    HostChanged,
    LeaveReason,
    LobbyEvent,
    Locked,
    MovesMissing,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Rematch,
    Reopened,
    RoundBegins,
    Said,
    SatDown,
    SeatsDrawn,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
    StandInReason,
    StoodIn,
    StoodUp,
)
from net.room.fold import apply
from sabtui.text.colours import table_colours
from sabtui.text.editions import level_name
from sabtui.text.evening import standing_lines
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.journals import report_of_missing
from sabtui.text.names import PlayerNames
from sabtui.text.seats import shaky_sentence
from sabtui.text.settings import tell_changes


def cast_of(lobby: Lobby, member: int) -> PlayerNames:
    """Return the names by seat, with `member` as the reader; a free seat is named by its number."""
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return PlayerNames.of(names, lobby.seat_of(member), table_colours(lobby))


def table_name(lobby: Lobby) -> str:
    """Return the table's name, or "Practice" for a table without one, which nobody can join."""
    return lobby.name or _("Practice")


def settings_sentence(terms: Iterable[str]) -> str:
    """Return the sentence on a table's settings, all of them or those that have changed."""
    return _("Table settings: {terms}.").format(terms=", ".join(terms))


def lobby_sentence(event: LobbyEvent, before: Lobby, me: int) -> str | None:
    """Return the sentence for a lobby event, told to member `me`, `None` if it needs no line.

    `before` is the lobby just before this event, with earlier events of the same step applied.
    """
    match event:
        case Entered(member, name):
            return None if member == me else _("{name} has joined.").format(name=name)
        case Exited():
            return _exit_sentence(event, before)
        case SatDown(session, member):
            return _seat_sentence(session, member, before, me)
        case StoodUp(session):
            return _stood_up_sentence(session, before, me)
        case BotSat() | BotRetired():
            return _bot_sentence(event, before)
        case ReadyChanged(session, ready):
            return _ready_sentence(session, before, me, ready=ready)
        case PresenceChanged(member, presence):
            return None if member == me else _presence_sentence(member, presence, before)
        case SettingsChanged(settings):
            new = tell_changes(before.settings, settings, cast_of(before, me))
            return settings_sentence(new) if new else None
        case GameBegins():
            return _beginning_sentence(before, me)
        case Rematch() | SeatsDrawn() | EveningBegins():
            return _between_games_sentence(event, before, me)
        case StoodIn(session, why):
            return _stand_in_sentence(session, why, before, me)
        case Reopened():
            return _("The host is back, and all seats are kept. The others have yet to return.")
        case Paused() | Locked() | CodeRenewed():
            return _host_sentence(event, before, me)
        case MovesMissing():
            return report_of_missing(event, before, me)
        case DrawBegan():
            return _left_out_sentence(event, before)
        case (
            Said()
            | Claimed()
            | BotClaimed()
            | BotSaid()
            | RoundBegins()
            | Closed()
            | RecordPublished()
            | SharesCommitted()
            | SharesShown()
            | HostChanged()
            | ComputerChanged()
            | ElectorChanged()
        ):
            return None
        case _:
            assert_never(event)


def _host_sentence(event: Paused | Locked | CodeRenewed, before: Lobby, me: int) -> str:
    """Return the sentence for what the host did with the table."""
    match event:
        case Paused(paused):
            return _("The host has paused the game.") if paused else _("The game goes on.")
        case Locked(locked):
            if locked:
                return _("The host has locked the table: nobody new can join.")
            return _("The host has unlocked the table.")
        case CodeRenewed():
            if before.host == me:
                return _("There is a new room code.")  # which is told besides
            return _("There is a new room code. The host knows it.")


def _name(member: int, lobby: Lobby) -> str:
    person = lobby.person(member)
    return _("Somebody") if person is None else person.name


def new_host(lobby: Lobby, me: int) -> str:
    """Return the sentence that the table has gone on with the present host, told to member `me`."""
    if lobby.host == me:
        return _("You are the host now: your computer runs the table.")
    return _("{name} is the host now, and the game goes on.").format(name=_name(lobby.host, lobby))


def _left_out_sentence(event: DrawBegan, before: Lobby) -> str | None:
    """Return the sentence on people who are newly left out of the draw of a round, if any are."""
    known = () if before.draw is None or before.draw.done else before.draw.absent
    new = set(event.absent) - {person.member for person in known}
    names = [_name(member, before) for member in event.absent if member in new]
    if not names:
        return None
    text = ngettext(
        "{names} did not answer when round {number} was dealt.",
        "{names} did not answer when round {number} was dealt.",
        len(names),
    )
    return text.format(names=join_words(names), number=event.round)


def _bot_sat(seat: int, name: str, level: str, before: Lobby) -> str:
    """Return the sentence on a bot's new seat, and on the player it replaces, if any."""
    text = _("{name} ({level} bot) took seat {seat}.")
    if isinstance(before.chairs[seat], Taken):
        text = _("{name} ({level} bot) took over from {other} in seat {seat}.")
    return text.format(
        name=name, level=level_name(level), other=before.name_at(seat), seat=seat + 1
    )


def _bot_sentence(event: BotSat | BotRetired, before: Lobby) -> str:
    match event:
        case BotSat(seat, name, level):
            return _bot_sat(seat, name, level, before)
        case BotRetired(bot, level):
            return _bot_retired(bot, level, before)
        case _:
            assert_never(event)


def _bot_retired(bot: str, level: str, before: Lobby) -> str:
    """Return the sentence on a bot of another package that was given up, and on whom ours plays."""
    names = [
        chair.name for chair in before.chairs if isinstance(chair, BotChair) and chair.level == bot
    ]
    if names:
        # Translators: {bot} is the name of a bot program, {level} of one of ours, as in: medium.
        text = _("The bot {bot} failed three times. Sabtui's {level} bot now plays for {names}.")
    else:
        text = _("The bot {bot} failed three times. Sabtui's {level} bot now stands in instead.")
    return text.format(bot=bot, level=level_name(level), names=join_words(names))


def _exit_sentence(event: Exited, before: Lobby) -> str:
    seat = before.seat_of(event.member)
    match event.reason:
        case LeaveReason.LEFT:
            watched = (
                seat is None and before.stage is not Stage.PLAYING
            )  # during a game a bot may have taken their seat
            text = _("{name} has stopped watching.") if watched else _("{name} has left.")
        case LeaveReason.KICKED:
            text = _("The host has removed {name}.")
        case LeaveReason.FORGOTTEN:
            text = _("{name} was away too long and lost their place as a watcher to somebody new.")
        case _:
            assert_never(event.reason)
    return text.format(name=_name(event.member, before))


def _seat_sentence(seat: int, member: int, before: Lobby, me: int) -> str:
    """Return the sentence on a member's new seat, and on the player who lost it, if any."""
    chair = before.chairs[seat]
    lost = chair.member if isinstance(chair, Taken) else None
    fields = {"name": _name(member, before), "seat": seat + 1, "other": before.name_at(seat)}
    if lost == me:
        text = _("{name} took your seat {seat}: you are watching now.")
    elif not isinstance(chair, Free):
        text = (
            _("You took seat {seat} from {other}.")
            if member == me
            else _("{name} took seat {seat} from {other}.")
        )
    elif before.seat_of(member) is not None:
        text = _("You moved to seat {seat}.") if member == me else _("{name} moved to seat {seat}.")
    else:
        text = _("You took seat {seat}.") if member == me else _("{name} took seat {seat}.")
    return text.format(**fields)


def _stood_up_sentence(seat: int, before: Lobby, me: int) -> str | None:
    chair = before.chairs[seat]
    match chair:
        case Free():
            return None
        case BotChair(name):
            return _("{name}, a bot, left seat {seat}.").format(name=name, seat=seat + 1)
        case Taken(member):
            text = (
                _("Your seat {seat} is free now: you are watching.")
                if member == me
                else _("{name} left seat {seat} and is watching.")
            )
            return text.format(name=_name(member, before), seat=seat + 1)
        case _:
            assert_never(chair)


def _ready_sentence(seat: int, before: Lobby, me: int, *, ready: bool) -> str:
    names = cast_of(before, me)
    if not ready:
        return names.say(seat, _("You are no longer ready."), _("{name} is no longer ready."))
    if before.stage is Stage.LOBBY:
        return names.say(seat, _("You are ready."), _("{name} is ready."))
    return names.say(
        seat,
        _("You are ready for the next round."),
        _("{name} is ready for the next round."),
    )


def _presence_sentence(member: int, presence: Presence, before: Lobby) -> str:
    match presence:
        case Presence.THERE:
            person = before.person(member)
            text = (
                _("{name}'s connection is fine again.")
                if person is not None and person.presence is Presence.SHAKY
                else _("{name} is back.")
            )
        case Presence.SHAKY:
            return shaky_sentence(_name(member, before))
        case Presence.GONE:
            text = _gone_sentence(before, member)
        case Presence.AWAY:
            text = _away_sentence(before, member)
        case _:
            assert_never(presence)
    return text.format(name=_name(member, before))


def _gone_sentence(before: Lobby, member: int) -> str:
    """Return the sentence that a member is gone, and what it means for the game."""
    if before.seat_of(member) is None:
        return _("{name} lost connection.")
    if before.stage is not Stage.PLAYING:
        return _("{name} lost connection; the seat is kept.")
    match before.settings.absent:
        case Absence.WAIT:
            return _("{name} lost connection; the game waits when their turn comes.")
        case Absence.BOT:
            return _("{name} lost connection; a bot plays until they are back.")
        case never:
            assert_never(never)


def _away_sentence(before: Lobby, member: int) -> str:
    """Return the sentence that a member left for now, and what it means for the game."""
    if before.seat_of(member) is None:
        return _("{name} stopped watching for now.")
    if before.stage is not Stage.PLAYING:
        return _("{name} left for now; the seat is kept.")
    match before.settings.absent:
        case Absence.WAIT:
            return _("{name} left for now; the game waits when their turn comes.")
        case Absence.BOT:
            return _("{name} left for now; a bot plays until they are back.")
        case never:
            assert_never(never)


def _between_games_sentence(
    event: Rematch | SeatsDrawn | EveningBegins, before: Lobby, me: int
) -> str:
    match event:
        case Rematch():
            return _rematch_sentence(before)
        case SeatsDrawn():
            return _seats_sentence(event, before, me)
        case EveningBegins():
            return _("The series starts over: nobody has any gold yet.")
        case _:
            assert_never(event)


def _rematch_sentence(before: Lobby) -> str:
    """Return the sentence on a new game, and how far the evening is."""
    if before.settings.evening is None:
        return _("New game: everybody keeps their seat, and is ready.")
    text = _("New game: everybody is ready.")
    return " ".join([text, *standing_lines(before)])


def _seats_sentence(event: SeatsDrawn, before: Lobby, me: int) -> str:
    """Return the sentence that the seats were drawn."""
    seat = apply(before, event).seat_of(me)
    if seat is None:
        return _("Seats were drawn again.")
    return _("Seats were drawn again: you are in seat {seat} now.").format(seat=seat + 1)


def _beginning_sentence(before: Lobby, me: int) -> str:
    """Return the sentence that the game begins; free seats are dropped and others renumbered."""
    seat = apply(before, GameBegins()).seat_of(me)
    if seat in (None, before.seat_of(me)):
        return _("The game begins.")
    return _("The game begins without the free seats: you are in seat {seat} now.").format(
        seat=seat + 1
    )


def _stand_in_sentence(seat: int, why: StandInReason, before: Lobby, me: int) -> str | None:
    """Return the sentence on a stand-in bot's move, `None` if the seat is free: that is routine."""
    if isinstance(before.chairs[seat], Free):
        return None
    names = cast_of(before, me)
    match why:
        case StandInReason.ABSENT:
            return names.say(
                seat,
                _("You were away: a bot made this move for you."),
                _("A bot made this move for {name}."),
            )
        case StandInReason.ASLEEP:
            return names.say(
                seat,
                _("Your time was up: a bot made this move for you."),
                _("{name}'s time was up: a bot made this move."),
            )
        case _:
            assert_never(why)
