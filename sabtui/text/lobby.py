"""Lobby events in words, and tables that wait for their people or move to another computer.

Chat is in `sabtui.text.talk`, game events in `sabtui.text.events`, and the player's own connection
in `sabtui.text.connection`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from net.client.session import Opening, Status
from net.protocol import lobby_events
from net.protocol.hall import BoardNews
from net.protocol.lobby import BotChair, Free, Lobby, Presence, TablePhase, Taken
from net.protocol.lobby_events import LobbyEvent
from net.room.permissions import can_move, may_play, round_of
from net.secure.address import Address
from sabtui.text import seats
from sabtui.text.evening import standing_lines
from sabtui.text.i18n import _, join_words, lazy, ngettext, put_title
from sabtui.text.names import PlayerNames, list_colours, list_faces
from sabtui.text.settings import describe_changes, level_name

seat_needed: Final = lazy("Only a seated player running their own Sabtui can do that.")
your_dwarf: Final = lazy("Your dwarf")
new_cards: Final = lazy("You were dealt a new hand and role when the table moved.")


@dataclass(frozen=True, slots=True)
class MovingKeys:
    """The keys, or typed words, that move the table here, switch to another copy, or end a wait."""

    go_on: str
    enough: str
    switch: str
    give: str = ""  # the word that gives a seat to a newcomer; a screen asks


KEYS: Final = MovingKeys("G", "E", "O")
TYPED: Final = MovingKeys("go-on", "enough", "go-over", "give")


def why_not_here(status: Status) -> str:
    """Explain why the table cannot move to this player's computer now."""
    if status.seat is None:
        return seat_needed()
    if status.opening is Opening.UNDER_WAY or status.gathering is not None:
        return _("The table is already moving to another computer.")
    return _("The host is answering, so the table stays where it is.")


def moves_to(name: str) -> str:
    """Report that the table moves to somebody's computer."""
    return _("The table moves to {name}'s computer.").format(name=name)


def goes_on_elsewhere(at: Address) -> str:
    """Report that a table to resume already plays at another computer."""
    return _("The table goes on at {address} now: join it there.").format(address=at)


def join_elsewhere(at: Address) -> str:
    """Ask to join a table that already plays at another computer."""
    text = _("The table is now at {address}. Join it there? If not, it opens here.")
    return text.format(address=at)


def moving_now(status: Status, keys: MovingKeys = KEYS) -> str:
    """Report a silent host, or people the table waits for; "" for neither."""
    if status.gathering is not None:
        return _waiting(status, keys)
    if status.opening is Opening.UNDER_WAY:
        return _("The table moves to your computer.")
    return _offer_to_go_on(status, keys) or _describe_copy(status, keys) or few_here(status, keys)


def few_here(status: Status, keys: MovingKeys = KEYS) -> str:
    """Name the people whom the table needs to play, or where it plays instead; "" if it plays."""
    lobby = status.lobby
    if lobby is None or lobby.handing or status.silent or may_play(lobby, round_of(status.view)):
        return ""
    if status.may_switch_host:
        return _describe_copy(status, keys)
    if status.may_continue:
        return f"{without_question(missing_people(lobby))} {_no_waiting(keys)}"
    names = join_words(missing_people(lobby))
    return _("The table waits for {names}.").format(names=names)


def without_question(people: Sequence[str]) -> str:
    """Ask to play on without people who are missing or late."""
    return _("Go on without {names}?").format(names=join_words(people))


def asking_sentence(lobby: Lobby, seat: int, member: int) -> str:
    """Report that a newcomer asks for a seat whose player has not returned."""
    text = _("{name} asks for {owner}'s seat from another device.")
    return text.format(name=lobby.find_person(member).name, owner=lobby.name_at(seat))


def asked_sentence(status: Status) -> str:
    """Tell the reader that they ask for a seat, "" if they do not."""
    lobby = status.lobby
    for place in () if lobby is None else lobby.deserted:
        if lobby is not None and status.member in place.asks:
            text = _("You are watching until the host gives you {owner}'s seat.")
            return text.format(owner=lobby.name_at(place.seat))
    return ""


def _asking_lines(status: Status, before: Status, keys: MovingKeys) -> list[str]:
    """Return the news about requests for seats, for those who ask and for the host."""
    asked, lobby = asked_sentence(status), status.lobby
    lines = [asked] if asked != asked_sentence(before) and asked else []
    if lobby is None or not (status.is_host and keys.give):
        return lines
    for place in lobby.deserted:
        was = () if before.lobby is None else before.lobby.asking_for(place.seat)
        for member in place.asks:
            if member not in was:
                name = lobby.find_person(member).name
                more = _("{command} gives it.").format(
                    command=f"{keys.give} {place.seat + 1} {name}"
                )
                lines.append(f"{asking_sentence(lobby, place.seat, member)} {more}")
    return lines


def moving_lines(status: Status, before: Status, keys: MovingKeys = KEYS) -> list[str]:
    """Return the news about a silent host, or a table that has moved."""
    lines = _new_lines(_offer_to_go_on, status, before, keys)
    lines += _new_lines(_describe_copy, status, before, keys)
    if status.found and status.found != before.found:
        lines.append(moves_to(status.found))
    if status.opening is not before.opening:
        if status.opening is Opening.UNDER_WAY:
            lines.append(_("The table moves to your computer."))
        if status.opening is Opening.FAILED:
            lines.append(_("The table could not be opened on this computer."))
    lines += _new_lines(_waiting, status, before, keys)
    if not status.may_switch_host:  # otherwise that is said already
        lines += _new_lines(few_here, status, before, keys)
    lines += _asking_lines(status, before, keys)
    lobby, was = status.lobby, before.lobby
    if lobby is not None and was is not None and lobby.term != was.term:
        lines += _moved_sentences(lobby, was, status.member)
    elif has_new_cards(status, before):
        lines.append(new_cards())
    return lines


def has_new_cards(status: Status, before: Status) -> bool:
    """Return True if the table moved since `before`, and the player was dealt other cards."""
    lobby, seat, view, was = status.lobby, status.seat, status.view, before.lobby
    if lobby is None or seat is None or view is None or not lobby.relocations:
        return False
    last = lobby.relocations[-1]
    is_known = was is not None and before.seat == seat and last in was.relocations
    is_theirs = bool(last.at_odds) or seat in last.anew  # if at odds, all are dealt new cards
    return is_theirs and not is_known and last.round == view.score.number


def _new_lines(
    tell: Callable[[Status, MovingKeys], str], status: Status, before: Status, keys: MovingKeys
) -> list[str]:
    """Return a sentence about a status as a line, nothing if it was the same before."""
    line = tell(status, keys)
    return [line] if line and line != tell(before, keys) else []


def _offer_to_go_on(status: Status, keys: MovingKeys) -> str:
    """Offer to move the table to the reader's computer, "" if it cannot move there."""
    if not status.may_go_on:
        return ""
    text = _(
        "The host is not answering. If their computer is gone, {key} moves the table to yours."
    )
    if status.is_asked and not status.silent:
        text = _("The host asks you to run the table: {key} moves it to your computer.")
    return f"{text.format(key=keys.go_on)} {doors_words(status)}".rstrip()


def _describe_copy(status: Status, keys: MovingKeys) -> str:
    """Report that the table also plays at another computer, "" if it does not."""
    if status.elsewhere is None:
        return ""
    # Translators: in place of a name, as in "another player's computer".
    name = status.elsewhere or _("another player")
    if status.may_switch_host:
        text = _("The table also runs at {name}'s computer. {key} takes you there.")
    else:
        text = _("The table runs at {name}'s computer, too. Both have players, so close one.")
    return text.format(name=name, key=keys.switch)


def doors_words(status: Status) -> str:
    """Name the doors that open at the new host's computer, "" if the table had no guests."""
    if not status.door_guests:
        return ""
    # Translators: doors open beside the table at the reader's computer; {names} came by such ones.
    text = _("Guests have to rejoin through that computer's doors: {names}.")
    return text.format(names=join_words(status.door_guests))


def _waiting(status: Status, keys: MovingKeys) -> str:
    """Name the people the table waits for, and how its host plays on without them."""
    if status.gathering is None or not status.gathering.waiting:
        return ""
    text = _("The table waits for {names}.").format(names=join_words(status.gathering.waiting))
    if status.opening is Opening.UNDER_WAY:
        text = f"{text} {_no_waiting(keys)}"
    return text


def _no_waiting(keys: MovingKeys) -> str:
    return _("{key} goes on without waiting.").format(key=keys.enough)


def missing_people(lobby: Lobby) -> list[str]:
    """Return the names of people with seats who are not connected."""
    people = [person for _chair, person in lobby.sitting]
    return [person.name for person in people if person.presence is not Presence.THERE]


def _moved_sentences(lobby: Lobby, was: Lobby, me: int) -> list[str]:
    """Tell member `me` how a move of the table has changed the round."""
    last = lobby.relocations[-1] if lobby.relocations else None
    if last is None or last in was.relocations:
        return []
    if not last.at_odds:
        return [redrawn_sentence(lobby, last.anew, me)] if lobby.seat_of(me) in last.anew else []
    text = ngettext(
        "The program of {names} sent something impossible, so the round is dealt again.",
        "The programs of {names} disagreed, so the round is dealt again.",
        len(last.at_odds),
    )
    return [text.format(names=join_words([lobby.name_at(seat) for seat in last.at_odds]))]


def redrawn_sentence(lobby: Lobby, redealt: tuple[int, ...], me: int) -> str:
    """Tell member `me` whose cards were dealt again when the table moved."""
    if lobby.seat_of(me) in redealt:
        return new_cards()
    names = join_words([lobby.name_at(seat) for seat in redealt])
    return _("New hands and roles: {names}.").format(names=names)


def player_names(lobby: Lobby, member: int) -> PlayerNames:
    """Return the names by seat, with `member` as the reader; a free seat is named by its number."""
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return PlayerNames.of(names, lobby.seat_of(member), lobby.dwarves)


def table_name(lobby: Lobby) -> str:
    """Return the table's name, or "Practice" for a table without one, which nobody can join."""
    return lobby.name or _("Practice")


def settings_sentence(terms: Iterable[str]) -> str:
    """List a table's settings, all of them or those that have changed."""
    return put_title(_("Table settings"), f"{', '.join(terms)}.")


def lobby_sentence(  # noqa: C901 - a sentence for each, and nothing else
    event: LobbyEvent, before: Lobby, me: int
) -> str | None:
    """Describe a lobby event after `before` to member `me`, `None` if it needs no words."""
    match event:
        case lobby_events.Entered(name=name, projector=True):
            return _("A projector shows this table: {name}.").format(name=name)
        case lobby_events.Entered(member, name):
            return _("{name} has joined.").format(name=name) if member != me else None
        case lobby_events.Exited(member, reason):
            text = {
                lobby_events.LeaveReason.KICKED: _("The host has removed {name}."),
                lobby_events.LeaveReason.NEW_CODE: _("{name} has to prove the new code."),
            }.get(reason, _("{name} has left."))
            return text.format(name=_name(member, before))
        case lobby_events.SatDown(seat, member):
            return _seat_sentence(seat, member, before, me)
        case lobby_events.StoodUp(seat):
            return _stood_up_sentence(seat, before, me)
        case lobby_events.BotSat(seat, name, level):
            return _bot_sat(seat, name, level, before)
        case lobby_events.BotRetired(bot, level):
            # Translators: {bot} is the name of a bot program, {level} of one of ours: medium.
            text = _("The bot {bot} cannot continue, so Sabtui's {level} bot takes over.")
            return text.format(bot=bot, level=level_name(level))
        case lobby_events.ReadyChanged(seat, ready):
            name, facts = player_names(before, me).name(seat), f"{seats.ready_words(ready=ready)}."
            return put_title(name, facts)
        case lobby_events.DwarfPicked(member):
            after = event.change(before)
            return _dwarf_sentence(after, me) if member == me else None
        case lobby_events.PresenceChanged(member, presence):
            return None if member == me else _presence_sentence(member, presence, before)
        case lobby_events.SettingsChanged(settings):
            new = describe_changes(before.settings, settings, player_names(before, me))
            return settings_sentence(new) if new else None
        case lobby_events.GameBegins():
            text, now = _("The game begins."), event.change(before).seat_of(me)
            is_moved = now is not None and now != before.seat_of(me)
            return f"{text} {seats.new_seat(now)}" if is_moved else text
        case lobby_events.Rematch():
            return " ".join([_("New game: everybody is ready."), *standing_lines(before)])
        case lobby_events.StoodIn(seat):
            mine, theirs = _("A bot made this move for you."), _("A bot made this move for {name}.")
            is_routine = isinstance(before.chairs[seat], Free)
            return None if is_routine else player_names(before, me).say(seat, mine, theirs)
        case lobby_events.Reopened():
            return _("The host is back, and all seats are kept. The others have yet to return.")
        case lobby_events.Paused(paused):
            return _("The game goes on.") if not paused else _("The game is paused.")
        case lobby_events.Locked(locked):
            return seats.table_locked() if locked else _("The table is unlocked.")
        case lobby_events.DrawBegan(round=number, absent=absent):
            known = () if before.draw is None or before.draw.done else before.draw.absent
            known_absent = {person.member for person in known}
            left_out = [_name(member, before) for member in absent if member not in known_absent]
            return seats.dealt_without(number, left_out) if left_out else None
        case lobby_events.DrawnAnew(redealt):
            return redrawn_sentence(before, redealt, me)
        case lobby_events.HostOffered(member):
            text = _("The host asks {name} to run the table.")
            return None if member == me else text.format(name=_name(member, before))
        case lobby_events.HandingOver(begins):
            if not begins:
                return _("Too few players switched, so the table stays with its host.")
            to = before.offered
            return None if to == me else moves_to(_name(to, before))
        case lobby_events.SeatAsked(seat, member):
            # The host is asked.
            return None if before.host == me else asking_sentence(before, seat, member)
        case lobby_events.Nudged(member):
            # Translators: a player who waits for another one's move lets everybody know.
            return _("{name} knocks on the table.").format(name=_name(member, before))
        case lobby_events.StepShown(step):
            return step_shown(before) if step == 0 and before.host != me else None
        case lobby_events.WentOn():
            missing, text = missing_people(before), _("The game goes on without {names}.")
            return text.format(names=join_words(missing)) if missing else None
        case (
            lobby_events.CodeRenewed()
            | lobby_events.Said()
            | lobby_events.Claimed()
            | lobby_events.BotClaimed()
            | lobby_events.BotSaid()
            | lobby_events.RoundBegins()
            | lobby_events.Closed()
            | lobby_events.RecordPublished()
            | lobby_events.SharesCommitted()
            | lobby_events.SharesShown()
            | lobby_events.HostSharesShown()
            | lobby_events.HostChanged()
            | lobby_events.BroughtBack()
            | BoardNews()
        ):
            return None
        case _:
            assert_never(event)


def describe_step(
    news: Iterable[LobbyEvent], before: Lobby, me: int
) -> Iterator[tuple[LobbyEvent, Lobby, str | None]]:
    """Yield each event of a step, the lobby before it, and its sentence; arrivals appear once."""
    entered = set[int]()
    for event in news:
        sits = isinstance(event, lobby_events.SatDown) and event.member in entered
        yield event, before, None if sits else lobby_sentence(event, before, me)
        if isinstance(event, lobby_events.Entered):
            entered.add(event.member)
        before = event.change(before)


def _dwarf_sentence(lobby: Lobby, me: int) -> str | None:
    seat = lobby.seat_of(me)
    if seat is None:
        return None
    dwarf = lobby.dwarves[seat]
    face, colour = list_faces()[dwarf.face], list_colours()[dwarf.colour]
    return put_title(your_dwarf(), f"{colour}, {face}.")


def _name(member: int, lobby: Lobby) -> str:
    person = lobby.person(member)
    return _("Player") if person is None else person.name


def new_host(lobby: Lobby, me: int) -> str:
    """Tell member `me` that the table has moved to the present host."""
    if lobby.host == me:
        return _("You are the host now: your computer runs the table.")
    return _("{name} is the host now.").format(name=_name(lobby.host, lobby))


def _bot_sat(seat: int, name: str, level: str, before: Lobby) -> str:
    chair = before.chairs[seat]
    if isinstance(chair, BotChair) and chair.name == name:
        return _("{name}'s level is {level} now.").format(name=name, level=level_name(level))
    return _took_seat(f"{name} ({seats.bot_words(level)})", seat, before)


def _seat_sentence(seat: int, member: int, before: Lobby, me: int) -> str:
    chair = before.chairs[seat]
    if isinstance(chair, Taken) and chair.member == me:
        return seats.new_seat(None)
    if member == me:
        return seats.new_seat(seat)
    return _took_seat(_name(member, before), seat, before)


def _took_seat(name: str, seat: int, before: Lobby) -> str:
    text = _("{name} took seat {seat}.")
    if not isinstance(before.chairs[seat], Free):
        text = _("{name} took seat {seat} from {other}.")
    return text.format(name=name, seat=seat + 1, other=before.name_at(seat))


def _stood_up_sentence(seat: int, before: Lobby, me: int) -> str | None:
    chair = before.chairs[seat]
    match chair:
        case Free():
            return None
        case BotChair(name):
            return _("{name} has left.").format(name=name)
        case Taken(member):
            if member == me:
                return seats.new_seat(None)
            text = _("{name} left seat {seat} and is watching.")
            return text.format(name=_name(member, before), seat=seat + 1)
        case _:
            assert_never(chair)


def step_shown(lobby: Lobby) -> str:
    """Report that the host shows the finished game, and everybody sees the same step."""
    return _("{name} is replaying the game, step by step.").format(name=_name(lobby.host, lobby))


def _presence_sentence(member: int, presence: Presence, before: Lobby) -> str | None:
    """Report who came back or left; a shaky connection is shown with the name."""
    person = before.person(member)
    match presence:
        case Presence.SHAKY:
            return None
        case Presence.THERE:
            was_there = person is not None and person.presence is Presence.SHAKY
            return None if was_there else _("{name} is back.").format(name=_name(member, before))
        case Presence.GONE | Presence.AWAY:
            absent = before.settings.absent if before.stage is TablePhase.PLAYING else None
            after = lobby_events.PresenceChanged(member, presence).change(before)
            stands_still = can_move(after) and not after.has_its_people  # no bot plays then
            is_seated = before.seat_of(member) is not None and not stands_still
            return seats.gone_sentence(_name(member, before), presence, absent, is_seated=is_seated)
        case _:
            assert_never(presence)
