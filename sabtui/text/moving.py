"""A table that waits for its people, or goes on at another computer, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from net.client.session import Opening, Status
from net.protocol.lobby import Lobby, Presence
from net.room.standing import may_play
from net.room.waiting import round_of
from net.secure.address import Address
from sabtui.text.i18n import _, join_words, ngettext


@dataclass(frozen=True, slots=True)
class MovingKeys:
    """The keys, or typed words, with which a player goes on here, and waits no longer.

    `doors` goes on here with doors for guests. `give` is the word that gives a seat to a newcomer;
    a screen asks.
    """

    go_on: str
    doors: str
    enough: str
    give: str = ""


KEYS: Final = MovingKeys("G", "D", "E")
TYPED: Final = MovingKeys("go-on", "go-on-doors", "enough", "give")


def why_not_here(status: Status) -> str:
    """Return why the table cannot go on at this player's computer now."""
    if status.seat is None:
        return seat_needed()
    if status.opening is Opening.UNDER_WAY or status.gathering is not None:
        return _("The table is on its way to another computer already.")
    return _("The host is answering: the table stays there.")


def seat_needed() -> str:
    """Return the sentence on who may run the table at their computer."""
    return _("Only somebody with a seat and Sabtui can do that.")


def moves_to(name: str) -> str:
    """Return the sentence that the table goes over to somebody's computer."""
    return _("The table moves to {name}'s computer.").format(name=name)


def goes_on_elsewhere(at: Address) -> str:
    """Return the sentence that a table to bring back goes on at another computer."""
    return _("The table goes on at {address} now: join it there.").format(address=at)


def join_elsewhere(at: Address) -> str:
    """Return the question whether to join a table that goes on at another computer."""
    text = _("The table goes on at {address} now. Join it there? If not, it opens here.")
    return text.format(address=at)


def moving_now(status: Status, keys: MovingKeys = KEYS) -> str:
    """Return the sentence on a silent host, or on people who are waited for; "" for neither."""
    if status.gathering is not None:
        return _waiting(status, keys)
    if status.opening is Opening.UNDER_WAY:
        return _("The table moves to your computer.")
    if status.may_go_on:
        return _may_go_on(status, keys)
    return few_here(status, keys)


def few_here(status: Status, keys: MovingKeys = KEYS) -> str:
    """Return the sentence on people without whom the table does not play, "" if it does."""
    lobby = status.lobby
    if lobby is None or lobby.handing or status.silent or may_play(lobby, round_of(status.view)):
        return ""
    if status.short:
        return f"{without_question(lobby)} {_no_waiting(keys)}"
    names = join_words(missing_people(lobby))
    return _("The table waits until more are back: {names}.").format(names=names)


def without_question(lobby: Lobby) -> str:
    """Return the question whether the table goes on without those who are not there."""
    return _("Go on without {names}?").format(names=join_words(missing_people(lobby)))


def bot_move_question(lobby: Lobby, seat: int) -> str:
    """Return the question whether a bot makes the move of a player who has been long about it."""
    return _("Let a bot make this move for {name}?").format(name=lobby.name_at(seat))


def asking_sentence(lobby: Lobby, seat: int, member: int) -> str:
    """Return the sentence that a newcomer asks for a seat to which nobody has come."""
    text = _("{name} asks for {owner}'s seat from another device.")
    return text.format(name=lobby.find_person(member).name, owner=lobby.name_at(seat))


def asked_sentence(status: Status) -> str:
    """Return the sentence to somebody who asks for a seat, "" to all others."""
    lobby = status.lobby
    for one in () if lobby is None else lobby.deserted:
        if lobby is not None and status.member in one.asks:
            text = _("You are watching until the host gives you {owner}'s seat.")
            return text.format(owner=lobby.name_at(one.seat))
    return ""


def _asking_lines(status: Status, before: Status, keys: MovingKeys) -> list[str]:
    """Return what is new of those who ask for seats, for them, and in lines for the host."""
    asked, lobby = asked_sentence(status), status.lobby
    lines = [asked] if asked != asked_sentence(before) and asked else []
    if lobby is None or not (status.is_host and keys.give):
        return lines
    for one in lobby.deserted:
        was = () if before.lobby is None else before.lobby.asking_for(one.seat)
        for member in one.asks:
            if member not in was:
                name = lobby.find_person(member).name
                more = _("{command} gives it.").format(command=f"{keys.give} {one.seat + 1} {name}")
                lines.append(f"{asking_sentence(lobby, one.seat, member)} {more}")
    return lines


def moving_lines(status: Status, before: Status, keys: MovingKeys = KEYS) -> list[str]:
    """Return the sentences on what is new of a silent host, or a table that goes on elsewhere."""
    lines = list[str]()
    if status.may_go_on and not before.may_go_on:
        lines.append(_may_go_on(status, keys))
    if status.found and status.found != before.found:
        lines.append(moves_to(status.found))
    if status.opening is not before.opening:
        if status.opening is Opening.UNDER_WAY:
            lines.append(_("The table moves to your computer."))
        if status.opening is Opening.FAILED:
            lines.append(_("The table could not be opened on this computer."))
    if status.gathering != before.gathering and (waiting := _waiting(status, keys)):
        lines.append(waiting)
    if (few := few_here(status, keys)) and few != few_here(before, keys):
        lines.append(few)
    lines += _asking_lines(status, before, keys)
    lobby, was = status.lobby, before.lobby
    if lobby is not None and was is not None and lobby.term != was.term:
        lines += _moved_sentences(lobby, was, status.member)
    return lines


def _may_go_on(status: Status, keys: MovingKeys) -> str:
    text = _("No word from the host. If their computer is gone: {key} goes on at yours.")
    if status.is_asked and not status.silent:
        text = _("The host asks you to run the table: {key} moves it to your computer.")
    text = text.format(key=keys.go_on)
    if not status.door_guests:
        return text
    # Translators: the key goes on with the table, and opens doors for these guests, too.
    more = _("{key} does so with doors for {names}.")
    return f"{text} {more.format(key=keys.doors, names=join_words(status.door_guests))}"


def _waiting(status: Status, keys: MovingKeys) -> str:
    """Return for whom the table waits, and how its host goes on without them."""
    if status.gathering is None or not status.gathering.waiting:
        return ""
    text = _("The table waits for {names}.").format(names=join_words(status.gathering.waiting))
    if status.opening is Opening.UNDER_WAY:
        text = f"{text} {_no_waiting(keys)}"
    return text


def _no_waiting(keys: MovingKeys) -> str:
    return _("{key} goes on without waiting.").format(key=keys.enough)


def missing_people(lobby: Lobby) -> list[str]:
    """Return the names of those who have seats and are not there."""
    people = [person for _chair, person in lobby.sitting]
    return [person.name for person in people if person.presence is not Presence.THERE]


def _moved_sentences(lobby: Lobby, was: Lobby, me: int) -> list[str]:
    """Return what a move of the table has changed in the round, told to member `me`."""
    last = lobby.relocations[-1] if lobby.relocations else None
    if last is None or last in was.relocations:
        return []
    if last.at_odds:
        names = join_words([lobby.name_at(seat) for seat in last.at_odds])
        text = ngettext(
            "The program of {names} told what cannot be true: the round is dealt anew.",
            "The programs of {names} disagreed: the round is dealt anew.",
            len(last.at_odds),
        )
        return [text.format(names=names)]
    seat = lobby.seat_of(me)
    return [] if seat not in last.anew else [anew_sentence(lobby, last.anew, me)]


def anew_sentence(lobby: Lobby, seats: tuple[int, ...], me: int) -> str:
    """Return the sentence that cards were drawn anew as the table moved, told to member `me`."""
    if lobby.seat_of(me) in seats:
        return _("Your cards and role were drawn anew as the table moved.")
    names = [lobby.name_at(seat) for seat in seats]
    text = ngettext(
        "The cards and role of {names} were drawn anew.",
        "The cards and roles of {names} were drawn anew.",
        len(names),
    )
    return text.format(names=join_words(names))
