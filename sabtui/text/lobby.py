"""Lobby events in words.

Chat is in `sabtui.text.talk`, game events in `sabtui.text.events`, and the player's own connection
in `sabtui.text.connection`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from net.protocol.hall import BoardNews
from net.protocol.lobby import BotChair, Free, Lobby, Presence, Stage, Taken
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    BotSat,
    BroughtBack,
    Claimed,
    Closed,
    CodeRenewed,
    DrawBegan,
    DrawnAnew,
    Entered,
    Exited,
    GameBegins,
    HandingOver,
    HostChanged,
    HostOffered,
    HostSharesShown,
    LeaveReason,
    LobbyEvent,
    Locked,
    Nudged,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Rematch,
    Reopened,
    RoundBegins,
    Said,
    SatDown,
    SeatAsked,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
    StandInReason,
    StepShown,
    StoodIn,
    StoodUp,
    WentOn,
)
from net.room.fold import apply
from sabtui.text.colours import table_colours
from sabtui.text.editions import level_name
from sabtui.text.evening import standing_lines
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.moving import anew_sentence, asking_sentence, missing_people, moves_to
from sabtui.text.names import PlayerNames
from sabtui.text.seats import bot_words, gone_sentence, new_seat, shaky_sentence
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


def lobby_sentence(  # noqa: C901 - a sentence for each, and nothing else
    event: LobbyEvent, before: Lobby, me: int
) -> str | None:
    """Return the sentence for a lobby event, told to member `me`, `None` if it needs no line.

    `before` is the lobby just before this event, with earlier events of the same step applied.
    """
    match event:
        case Entered(member, name):
            return _("{name} has joined.").format(name=name) if member != me else None
        case Exited(member, reason):
            removed, left = _("The host has removed {name}."), _("{name} has left.")
            text = removed if reason is LeaveReason.KICKED else left
            return text.format(name=_name(member, before))
        case SatDown(seat, member):
            return _seat_sentence(seat, member, before, me)
        case StoodUp(seat):
            return _stood_up_sentence(seat, before, me)
        case BotSat(seat, name, level):
            return _bot_sat(seat, name, level, before)
        case BotRetired(bot, level):
            # Translators: {bot} is the name of a bot program, {level} of one of ours: medium.
            text = _("The bot {bot} failed three times: Sabtui's {level} bot plays instead.")
            return text.format(bot=bot, level=level_name(level))
        case ReadyChanged(seat, ready):
            return _ready_sentence(seat, before, me, ready=ready)
        case PresenceChanged(member, presence):
            return None if member == me else _presence_sentence(member, presence, before)
        case SettingsChanged(settings):
            new = tell_changes(before.settings, settings, cast_of(before, me))
            return settings_sentence(new) if new else None
        case GameBegins():
            return _with_new_seat(_("The game begins."), event, before, me)
        case Rematch():
            return " ".join([_("New game: everybody is ready."), *standing_lines(before)])
        case StoodIn(seat, why):
            return _stand_in_sentence(seat, why, before, me)
        case Reopened():
            return _("The host is back, and all seats are kept. The others have yet to return.")
        case Paused(paused):
            if not paused:
                return _("The game goes on.")
            return _("The host has paused the game.") if before.name else _("The game is paused.")
        case Locked(locked):
            shut = _("The host has locked the table: nobody new can join.")
            return shut if locked else _("The host has unlocked the table.")
        case DrawBegan():
            return _left_out_sentence(event, before)
        case DrawnAnew(seats):
            return anew_sentence(before, seats, me)
        case HostOffered(member):
            return _offer_sentence(member, before, me)
        case HandingOver(begins):
            return _handing_sentence(before, me, begins=begins)
        case SeatAsked(seat, member):
            # The host is asked.
            return None if before.host == me else asking_sentence(before, seat, member)
        case Nudged(member):
            # Translators: a player who waits for another one's move lets everybody know.
            return _("{name} knocks on the table.").format(name=_name(member, before))
        case StepShown(step):
            return step_shown(before) if step == 0 and before.host != me else None
        case WentOn():
            missing, text = missing_people(before), _("The game goes on without {names}.")
            return text.format(names=join_words(missing)) if missing else None
        case (
            CodeRenewed()
            | Said()
            | Claimed()
            | BotClaimed()
            | BotSaid()
            | RoundBegins()
            | Closed()
            | RecordPublished()
            | SharesCommitted()
            | SharesShown()
            | HostSharesShown()
            | HostChanged()
            | BroughtBack()
            | BoardNews()
        ):
            return None
        case _:
            assert_never(event)


def tell_step(
    news: Iterable[LobbyEvent], before: Lobby, me: int
) -> Iterator[tuple[LobbyEvent, Lobby, str | None]]:
    """Yield each event of a step with the lobby before it, and its sentence if it has one.

    Who comes is told once: that they sit down at once is seen beside their name.
    """
    came = set[int]()
    for event in news:
        sits = isinstance(event, SatDown) and event.member in came
        yield event, before, None if sits else lobby_sentence(event, before, me)
        if isinstance(event, Entered):
            came.add(event.member)
        before = apply(before, event)


def _name(member: int, lobby: Lobby) -> str:
    person = lobby.person(member)
    return _("Somebody") if person is None else person.name


def _offer_sentence(member: int, before: Lobby, me: int) -> str | None:
    """Return the sentence that the host asks somebody to run the table, told to member `me`."""
    if member == me:  # who is told how
        return None
    return _("The host asks {name} to run the table.").format(name=_name(member, before))


def _handing_sentence(before: Lobby, me: int, *, begins: bool) -> str | None:
    """Return the sentence that somebody runs the table now, or that it stays with its host."""
    if not begins:
        return _("The table stays with its host: too few have gone over.")
    if before.offered == me:
        return None
    return moves_to(_name(before.offered, before))


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
    """Return the sentence on a bot's new seat, and on the player it replaces, if any.

    A bot that sits there already has another level now.
    """
    chair = before.chairs[seat]
    if isinstance(chair, BotChair) and chair.name == name:
        return _("{name}'s level is {level} now.").format(name=name, level=level_name(level))
    text = _("{name} took seat {seat}.")
    if isinstance(chair, Taken):
        text = _("{name} took seat {seat} from {other}.")
    bot = f"{name} ({bot_words(level)})"
    return text.format(name=bot, other=before.name_at(seat), seat=seat + 1)


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
    else:
        text = _("You took seat {seat}.") if member == me else _("{name} took seat {seat}.")
    return text.format(**fields)


def _stood_up_sentence(seat: int, before: Lobby, me: int) -> str | None:
    chair = before.chairs[seat]
    match chair:
        case Free():
            return None
        case BotChair(name):
            return _("{name} has left.").format(name=name)
        case Taken(member):
            text = (
                _("Your seat {seat} is free now: you are watching.")
                if member == me
                else _("{name} left seat {seat} and is watching.")
            )
            return text.format(name=_name(member, before), seat=seat + 1)
        case _:
            assert_never(chair)


def step_shown(lobby: Lobby) -> str:
    """Return the sentence that the host shows the finished game, and all see the same step."""
    return _("{name} shows the game again, step by step.").format(name=_name(lobby.host, lobby))


def _ready_sentence(seat: int, before: Lobby, me: int, *, ready: bool) -> str:
    names = cast_of(before, me)
    if not ready:
        return names.say(seat, _("You are no longer ready."), _("{name} is no longer ready."))
    return names.say(seat, _("You are ready."), _("{name} is ready."))


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
        case Presence.GONE | Presence.AWAY:
            absent = before.settings.absent if before.stage is Stage.PLAYING else None
            is_seated = before.seat_of(member) is not None
            return gone_sentence(_name(member, before), presence, absent, is_seated=is_seated)
        case _:
            assert_never(presence)
    return text.format(name=_name(member, before))


def _with_new_seat(text: str, event: GameBegins, before: Lobby, me: int) -> str:
    """Return a sentence, and the reader's seat after it if the event moves it."""
    seat = apply(before, event).seat_of(me)
    return text if seat is None or seat == before.seat_of(me) else f"{text} {new_seat(seat)}"


def _stand_in_sentence(seat: int, why: StandInReason, before: Lobby, me: int) -> str | None:
    """Return the sentence on a stand-in bot's move, `None` if the seat is free: that is routine."""
    if isinstance(before.chairs[seat], Free):
        return None
    names = cast_of(before, me)
    match why:
        case StandInReason.ABSENT:
            mine, theirs = _("A bot made this move for you."), _("A bot made this move for {name}.")
        case StandInReason.ASLEEP:
            mine = _("Your time was up: a bot made this move for you.")
            theirs = _("{name}'s time was up: a bot made this move.")
        case _:
            assert_never(why)
    return names.say(seat, mine, theirs)
