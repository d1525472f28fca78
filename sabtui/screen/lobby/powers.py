"""What the host alone decides in a lobby, as commands that tell others to ask the host.

Knows the table and the row under the cursor. The room has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from net.client.seat import Now
from net.codec.fields import NOBODY
from net.lobby import BotChair, Chair, Free, Lobby, Person, Taken
from net.lobby.dwarves import DWARVES, dwarves
from net.messages import Empty, HandOver, Kick, PutBot, Rule, Want
from sabtui.dwarves import LEVEL
from sabtui.screen.lobby.chairs import Place
from sabtui.words.bots import next_level
from sabtui.words.tongue import _


@dataclass(frozen=True, slots=True)
class Spot:
    """A table, who looks at it, and the row that is meant."""

    hall: Lobby
    now: Now
    place: Place

    @property
    def chair(self) -> Chair | None:
        """The chair there, `None` for a watcher."""
        return None if self.place.seat is None else self.hall.chairs[self.place.seat]

    @property
    def name(self) -> str:
        """Who is there, empty for a free chair."""
        if self.place.seat is not None:
            return self.hall.name_at(self.place.seat)
        person = self.hall.person(self.place.member or 0)
        return "" if person is None else person.name

    @property
    def host_only(self) -> str | None:
        """Why a guest cannot do it."""
        return None if self.now.is_host else _("Only the host of the table can do that: ask them.")


def why_no_bot(spot: Spot) -> str | None:
    """Why no bot can be put there."""
    if spot.host_only is not None:
        return spot.host_only
    if isinstance(spot.chair, Free | BotChair):
        return None
    if spot.chair is None:
        return _("A bot needs a seat: put the cursor on a free one.")
    return _("{name} sits there: put the cursor on a free seat.").format(name=spot.name)


def bot(spot: Spot) -> Want:
    """A bot on a free chair; on a bot's chair, the same bot of the next level."""
    assert spot.place.seat is not None
    if isinstance(spot.chair, BotChair):
        return PutBot(spot.place.seat, spot.chair.name, next_level(spot.chair.level))
    taken = {person.name.casefold() for person in spot.hall.people}
    taken |= {chair.name.casefold() for chair in spot.hall.chairs if isinstance(chair, BotChair)}
    # Each seat has a name of its own, for who puts bots there faster than the host answers.
    usual = DWARVES[(spot.place.seat - 1) % len(DWARVES)]
    name = dwarves(1, taken)[0] if usual.casefold() in taken else usual
    return PutBot(spot.place.seat, name, LEVEL)


def why_not_remove(spot: Spot) -> str | None:
    """Why nobody can be sent away from there."""
    if spot.host_only is not None:
        return spot.host_only
    if isinstance(spot.chair, Free):
        return _("Nobody sits there.")
    if spot.place.member == spot.hall.host:
        return _("You are the host, and stay: Escape closes the table.")
    return None


def remove(spot: Spot) -> Want:
    """A bot off its chair, or a person away from the table."""
    if spot.place.member is not None:
        return Kick(spot.place.member)
    assert spot.place.seat is not None
    return Empty(spot.place.seat)


def why_not_youngest(spot: Spot) -> str | None:
    """Why nobody there can be the youngest."""
    if spot.host_only is not None:
        return spot.host_only
    if spot.chair is None or isinstance(spot.chair, Free):
        return _("The youngest player sits on a seat: put the cursor there.")
    return None


def youngest(spot: Spot) -> Want:
    """The player there begins; said again, who begins is drawn."""
    settings = spot.hall.settings
    assert spot.place.seat is not None
    seat = NOBODY if settings.youngest == spot.place.seat else spot.place.seat
    return Rule(replace(settings, youngest=seat))


def why_not_hand_over(spot: Spot) -> str | None:
    """Why no seat can be handed over: it takes a seat, and one who watches."""
    if spot.host_only is not None:
        return spot.host_only
    if not watchers(spot.hall):
        return _("A seat is handed over to somebody who watches, and nobody does.")
    if not isinstance(spot.chair, Taken | BotChair):
        return _("Put the cursor on the seat that is to be handed over.")
    return None


def hand_over(spot: Spot, to: int) -> Want:
    """Give the seat there to a member who watches."""
    assert spot.place.seat is not None
    return HandOver(spot.place.seat, to)


def watchers(hall: Lobby) -> tuple[Person, ...]:
    """Who could be given a seat."""
    return tuple(person for person in hall.people if hall.seat_of(person.member) is None)
