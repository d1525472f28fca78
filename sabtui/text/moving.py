"""A table that waits for its people, or goes on at another computer, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from net.client.session import Opening, Status
from net.protocol.lobby import Lobby, Presence
from net.room.permissions import round_of
from net.room.standing import may_play
from sabtui.text.i18n import _, join_words, ngettext


@dataclass(frozen=True, slots=True)
class MovingKeys:
    """The keys, or typed words, with which a player goes on here, and waits no longer."""

    go_on: str
    enough: str


KEYS: Final = MovingKeys("G", "E")
TYPED: Final = MovingKeys("go-on", "enough")


def why_not_here(status: Status) -> str:
    """Return why the table cannot go on at this player's computer now."""
    if status.seat is None:
        return _("Only somebody with a seat can go on with the table.")
    if status.opening is Opening.UNDER_WAY or status.gathering is not None:
        return _("The table is on its way to another computer already.")
    return _("The host is answering: the table stays there.")


def goes_on_elsewhere() -> str:
    """Return the sentence that a table to bring back goes on at another computer."""
    return _("The table goes on at another computer now: join it there.")


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
    names = join_words(missing_people(lobby))
    if status.short:
        text = _("Go on without {names}? {key} does, or wait.")
        return text.format(names=names, key=keys.enough)
    return _("The table waits until more are back: {names}.").format(names=names)


def moving_lines(status: Status, before: Status, keys: MovingKeys = KEYS) -> list[str]:
    """Return the sentences on what is new of a silent host, or a table that goes on elsewhere."""
    lines = list[str]()
    if status.may_go_on and not before.may_go_on:
        lines.append(_may_go_on(status, keys))
    if status.found and status.found != before.found:
        lines.append(_("The table goes on at {name}'s computer.").format(name=status.found))
    if status.opening is not before.opening:
        if status.opening is Opening.UNDER_WAY:
            lines.append(_("The table moves to your computer."))
        if status.opening is Opening.FAILED:
            lines.append(_("The table could not be opened on this computer."))
    if status.gathering != before.gathering and (waiting := _waiting(status, keys)):
        lines.append(waiting)
    if (few := few_here(status, keys)) and few != few_here(before, keys):
        lines.append(few)
    lobby, was = status.lobby, before.lobby
    if lobby is not None and was is not None and lobby.term > was.term:
        lines += _moved_sentences(lobby, status.member)
    return lines


def _may_go_on(status: Status, keys: MovingKeys) -> str:
    if status.is_asked and not status.silent:
        text = _("The host asks you to run the table: {key} moves it to your computer.")
        return text.format(key=keys.go_on)
    text = _("No word from the host. If their computer is gone: {key} goes on at yours.")
    return text.format(key=keys.go_on)


def _waiting(status: Status, keys: MovingKeys) -> str:
    """Return for whom the table waits, and how its host goes on without them."""
    if status.gathering is None or not status.gathering.waiting:
        return ""
    text = _("The table waits for {names}.").format(names=join_words(status.gathering.waiting))
    if status.opening is Opening.UNDER_WAY:
        more = _("{key} goes on without waiting.").format(key=keys.enough)
        text = f"{text} {more}"
    return text


def missing_people(lobby: Lobby) -> list[str]:
    """Return the names of those who have seats and are not there."""
    people = [person for _chair, person in lobby.sitting]
    return [person.name for person in people if person.presence is not Presence.THERE]


def _moved_sentences(lobby: Lobby, me: int) -> list[str]:
    """Return what a move of the table has changed in the round, told to member `me`."""
    if not lobby.relocations:
        return []
    last = lobby.relocations[-1]
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
