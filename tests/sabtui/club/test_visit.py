"""A visit of a club: where a night leads its player, and when its end is shown."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import Status, Update
from net.protocol.board import Night
from sabtui.club.visit import ClubVisit
from tests.sabtui.club.pictures import HALL, in_hall
from tests.sabtui.club.test_text import NIGHT

GOES_ON = structs.replace(NIGHT, planned=3)
PLAYED = structs.replace(
    NIGHT,
    rounds=tuple(
        structs.replace(
            round_, tables=tuple(structs.replace(at, is_over=False) for at in round_.tables)
        )
        for round_ in NIGHT.rounds
    ),
)


def at_night(night: Night | None) -> Status:
    """What Ana sees of a hall with a night."""
    people = (structs.replace(HALL.people[0], name="Ana"), *HALL.people[1:])
    board = structs.replace(HALL.board, night=night)
    return in_hall(structs.replace(HALL, people=people, hall=board), member=people[0].member)


def visit(folder: Path) -> ClubVisit:
    """Ana's way around a club."""
    return ClubVisit(Credentials("Ana", ()), CredentialStore(folder), RemoteSession)


def test_the_end_of_a_night_is_shown_to_who_sees_it_come(tmp_path: Path) -> None:
    ana = visit(tmp_path)
    assert not ana.sees_end(Status(), at_night(None))
    assert not ana.sees_end(Status(), at_night(GOES_ON))
    assert ana.sees_end(at_night(PLAYED), at_night(NIGHT))
    assert not ana.sees_end(at_night(NIGHT), at_night(NIGHT))


def test_it_is_shown_once_to_who_comes_back_from_a_table_of_it_and_to_no_later_visitor(
    tmp_path: Path,
) -> None:
    ana = visit(tmp_path)
    assert ana.find_way(Update(at_night(PLAYED))) == "b" * 16
    assert ana.find_way(Update(at_night(PLAYED))) == "", "nobody is led there twice"
    assert ana.sees_end(Status(), at_night(NIGHT))
    assert not ana.sees_end(Status(), at_night(NIGHT))
    assert not visit(tmp_path).sees_end(Status(), at_night(NIGHT))
