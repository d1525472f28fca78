"""A night at a club for tests: an organiser leads it, and people go where they are drawn."""

from __future__ import annotations

from net.client.session import Received
from net.protocol.board import Night
from net.protocol.hall import HallRequest, Organise
from net.protocol.lobby import Settings
from net.protocol.messages import Refusal
from tests.net.server.served_table import until
from tests.sabtui.club.server.served_club import Member, ServedClub, Sitter, refusals

PEOPLE = tuple(f"P{number}" for number in range(8))
SHORT = Settings(rounds=1)


def night_of(member: Member) -> Night:
    """The night as somebody in the hall sees it."""
    assert member.hall.night is not None
    return member.hall.night


def led_to(member: Member) -> str:
    """The table that a program is led to by the hall, empty if to none."""
    night = member.hall.night
    place = None if night is None else night.place_of(member.hall.name)
    if place is not None and not place[1].is_over:
        return place[1].id
    last = [one.received for one in member.updates if isinstance(one.received, Received)]
    return next((one.opened for one in reversed(last) if one.opened), "")


def night_at(served: ServedClub) -> Night:
    """The night as the club has it."""
    night = served.server.night.night
    assert night is not None
    return night


async def organise(served: ServedClub, member: Member) -> None:
    """Somebody says the organiser's word."""
    member.session.request(Organise(served.server.club.word))
    await until(lambda: bool(member.hall.code))


async def why_refused(member: Member, request: HallRequest) -> Refusal:
    """Ask for something, and return why it is refused."""
    before = len(refusals(member))
    member.session.request(request)
    await until(lambda: len(refusals(member)) > before)
    return refusals(member)[-1].reason


async def is_led(one: Member, number: int) -> None:
    """Wait until a program is led to the table to which it is drawn in a round."""
    await until(lambda: one.hall.night is not None and len(one.hall.night.rounds) == number)
    place = night_of(one).place_of(one.hall.name)
    assert place is not None
    await until(lambda: led_to(one) == place[1].id)


async def go_where_drawn(members: list[Member], number: int) -> list[Sitter]:
    """All who are drawn to a round go to their tables, as their programs do by themselves."""
    for one in members:
        await is_led(one, number)
    return [await one.go_to(led_to(one)) for one in members]


async def play(seats: list[Sitter]) -> None:
    """All play their games to the end."""
    for seat in seats:
        seat.plays = True
        seat.move()
    await until(lambda: all(seat.is_over for seat in seats))
