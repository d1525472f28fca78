"""Who is at a table, a row each: the chairs by number, then those who watch.

Pure functions of a lobby and of who looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from textual.content import Content

from net.client.seat import Now
from net.lobby import BotChair, Chair, Free, Lobby, Presence, Taken
from net.lobby.values import FEWEST_SEATS
from net.text import harmless
from sabtui.words.bots import level_name
from sabtui.words.cast import width
from sabtui.words.tongue import _, listed, ngettext, pgettext

NAME = 26
"""Columns of a name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A row: a `seat` with its chair, or a watcher, who has none. `member` is who is there."""

    seat: int | None
    member: int | None


def places(lobby: Lobby) -> tuple[Place, ...]:
    """The rows, from the first chair on."""
    seats = (
        Place(seat, chair.member if isinstance(chair, Taken) else None)
        for seat, chair in enumerate(lobby.chairs)
    )
    watching = (
        Place(None, person.member)
        for person in lobby.people
        if lobby.seat_of(person.member) is None
    )
    return *seats, *watching


def place_row(place: Place, lobby: Lobby, now: Now) -> Content:
    """A row as it is shown."""
    if place.seat is None:
        assert place.member is not None
        number, name, facts = "", _name_of(place.member, lobby), [_("watches")]
        facts += _facts(place.member, lobby, now)
    else:
        number, chair = str(place.seat + 1), lobby.chairs[place.seat]
        # Translators: a seat that nobody has.
        name = lobby.name_at(place.seat) or pgettext("seat", "free")
        facts = [*_chair_facts(chair, lobby, now)]
        if place.seat == lobby.settings.youngest:
            facts.append(_("youngest, begins"))
    name = harmless(name)
    shown = Content(name).stylize("bold") if place.member or facts else Content(name)
    gap = " " * max(NAME - width(name), 1)
    return Content(f"{number:>2} ") + shown + Content(gap + harmless(", ".join(facts)))


def waiting_for(lobby: Lobby, now: Now) -> str:
    """What has to happen before the game can begin, in a sentence."""
    missing = why_not_start(lobby)
    if now.is_host:
        return missing or _("All are ready: s starts the game.")
    chair = None if now.seat is None else lobby.chairs[now.seat]
    if chair is None:
        return _("You watch. Enter on a free seat sits you down.")
    if isinstance(chair, Taken) and not chair.ready:
        return _("Press r when you are ready.")
    return missing or _("All are ready: waiting for the host to start.")


def why_not_start(lobby: Lobby) -> str | None:
    """Why no game can be started yet."""
    missing = FEWEST_SEATS - sum(not isinstance(chair, Free) for chair in lobby.chairs)
    if missing > 0:
        return ngettext(
            "{count} more player is needed: wait, or add a bot with b.",
            "{count} more players are needed: wait, or add bots with b.",
            missing,
        ).format(count=missing)
    unready = [
        person.name
        for chair, person in lobby.sitting()
        if not chair.ready and chair.member != lobby.host
    ]
    if unready:
        return _("Waiting for {names} to be ready.").format(names=listed(unready))
    return None


def _name_of(member: int, lobby: Lobby) -> str:
    person = lobby.person(member)
    return "" if person is None else person.name


def _chair_facts(chair: Chair, lobby: Lobby, now: Now) -> Iterator[str]:
    """What is to be known of a chair beside the name on it."""
    match chair:
        case Free():
            return
        case BotChair(_name, level):
            yield _("{level} bot").format(level=level_name(level))
        case Taken(member, ready):
            yield from _facts(member, lobby, now)
            if member != lobby.host:
                yield pgettext("a player", "ready") if ready else pgettext("a player", "not ready")
        case _:
            assert_never(chair)


def _facts(member: int, lobby: Lobby, now: Now) -> Iterator[str]:
    """What is to be known of a person."""
    if member == now.member:
        yield pgettext("a player", "you")
    if member == lobby.host:
        yield pgettext("a player", "host")
    person = lobby.person(member)
    match None if person is None else person.presence:
        case Presence.SHAKY:
            yield _("connection shaky")
        case Presence.GONE:
            yield pgettext("a player", "gone")
        case Presence.THERE | None:
            pass
