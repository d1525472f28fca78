"""A table that moves, in words: with doors for guests, and with seats that newcomers ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from net.client.session import ConnectionState, Status
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import Deserted, Relocation
from net.protocol.requests import GoOnHere, HandOver
from net.secure.address import Address
from sabtui.table.deeds import GO_ON, Aim
from sabtui.text.connection import own_news, standing
from sabtui.text.lobby import KEYS, TYPED, MovingKeys, goes_on_elsewhere, moving_lines, moving_now
from tests.sabtui.plain_sessions import WIDE, at, now_at, tell_update, type_lines
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby

SSH = DoorNow(DoorKind.SSH, 7351)
WEB = DoorNow(DoorKind.WEB, 7361)
SILENT = "No word from the host. If their computer is gone: {} goes on at yours."
DOORS = "Doors open there for Dede: they have to come again."


def silent_host(*doors: DoorNow, guests: tuple[int, ...] = (DEDE, EVA)) -> Status:
    """What Bruno holds of a table whose host is silent."""
    here = lobby()
    people = [structs.replace(one, at_door=one.member in guests) for one in here.people]
    now = now_at(structs.replace(here, people=tuple(people), host=ANA), member=BRUNO)
    return replace(now, silent=True, can_host=True, doors=doors)


@pytest.mark.parametrize(("keys", "key"), [(KEYS, "G"), (TYPED, "go-on")])
def test_guests_at_the_lost_hosts_doors_are_named_for_whom_doors_open_here(
    keys: MovingKeys, key: str
) -> None:
    told = SILENT.format(key)
    assert moving_now(silent_host(SSH), keys) == f"{told} {DOORS}", "Eva only watches"
    assert moving_now(silent_host(), keys) == told
    assert moving_now(silent_host(DoorNow(DoorKind.SSH)), keys) == told
    assert moving_now(silent_host(SSH, guests=(EVA,)), keys) == told


def test_the_question_says_for_whom_doors_open() -> None:
    question = "Go on with the table at your computer?"
    assert GO_ON.ask(Aim(silent_host(SSH, WEB))) == f"{question} {DOORS}"
    assert GO_ON.ask(Aim(silent_host())) == question
    assert type_lines(at(silent_host(SSH)), "go-on").requests == (GoOnHere(),)


def test_a_guest_whose_door_was_the_lost_hosts_reads_one_sentence() -> None:
    lost = replace(silent_host(SSH), can_host=False, connection=ConnectionState.LOST)
    told = "No word from the host. If the game goes on elsewhere, ask there how to join."
    assert standing(replace(lost, member=DEDE)) == told
    assert standing(lost).startswith("Lost connection to the host"), "Bruno came without a door"


def seen_by(member: int, *asks: int) -> Status:
    """What somebody holds of a table that has moved to Ana's; some ask for Bruno's seat."""
    here = structs.replace(lobby(), host=ANA, deserted=(Deserted(1, BRUNO, asks),))
    return now_at(here, member=member)


def test_who_goes_over_to_a_table_of_an_earlier_term_reads_who_hosts_it() -> None:
    moved = (Relocation(28, 1),)
    ours = now_at(structs.replace(lobby(), host=BRUNO, term=28, relocations=moved), member=BRUNO)
    here = structs.replace(lobby(), host=ANA, term=19, relocations=(Relocation(19, 1, (1,)),))
    assert here.seat_of(BRUNO) == 1
    there = now_at(here, member=BRUNO)
    anew = "Your cards and role were drawn anew as the table moved."
    assert own_news(there, ours) == [anew, "Ana is the host now, and the game goes on."]
    assert own_news(ours, there) == ["You are the host now: your computer runs the table."]
    back = now_at(structs.replace(here, term=28), member=BRUNO)
    assert anew not in own_news(there, back), "it is known already"


def test_the_host_reads_in_a_line_who_asks_for_a_seat_and_how_it_is_given() -> None:
    told = "Eva asks for Bruno's seat from another device. give 2 Eva gives it."
    assert tell_update(at(seen_by(ANA), WIDE), seen_by(ANA, EVA)) == [told]
    assert moving_lines(seen_by(ANA, EVA), seen_by(ANA, EVA), TYPED) == []
    assert moving_lines(seen_by(ANA, EVA), seen_by(ANA), KEYS) == [], "a screen asks"
    assert type_lines(at(seen_by(ANA, EVA)), "give 2 Eva").requests == (HandOver(1, EVA),)


def test_who_asks_for_a_seat_reads_for_what_they_wait() -> None:
    told = ["You are watching until the host gives you Bruno's seat."]
    for keys in (KEYS, TYPED):
        assert moving_lines(seen_by(EVA, EVA), Status(), keys) == told
        assert moving_lines(seen_by(EVA, EVA), seen_by(EVA, EVA), keys) == []
        assert moving_lines(seen_by(DEDE, EVA), seen_by(DEDE), keys) == []


def test_who_brings_back_a_table_reads_where_it_goes_on() -> None:
    told = goes_on_elsewhere(Address("10.77.0.2", 7341))
    assert told == "The table goes on at 10.77.0.2:7341 now: join it there."
