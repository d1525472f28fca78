"""Tables whose games begin by themselves, with nobody there who could start them."""

import pytest

from engine import Phase
from engine.notation import Record, parse_record
from net.client.audit import Audit
from net.protocol.lobby import Settings, Stage
from net.protocol.requests import SetReady
from net.room.sessions import GONE_AFTER_S
from tests.net.room.room_fixture import Table, play_on

NAMES = ("Ben", "Cleo", "Dan")


def open_hostless(people: int, *names: str) -> Table:
    """A table without its host, where a game starts with so many people, and these have come."""
    table = Table(Settings(seats=5, rounds=1))
    table.room.starts_with = people
    for name in names:
        table.come(name)
    return table


def stage(table: Table) -> Stage:
    """The stage of a table."""
    return table.lobby.stage


def take_back(table: Table, *names: str) -> None:
    """Have people say that they are not ready, and wait a moment."""
    for name in names:
        assert table.wants(name, SetReady(ready=False)) is None
    table.wait(1)


def test_a_game_begins_once_enough_people_sit_and_is_played_without_a_host() -> None:
    table = open_hostless(3, "Ben", "Cleo")
    table.wait(1)
    assert stage(table) is Stage.LOBBY
    table.come("Dan")
    table.wait(1)
    assert stage(table) is Stage.PLAYING
    assert [table.lobby.name_at(seat) for seat in range(3)] == list(NAMES)
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    for name in NAMES:
        (audit,) = table.people[name].audits
        assert audit == Audit(dealers=("", *NAMES))
        held = table.people[name].held
        record = parse_record(held.record)
        assert isinstance(record, Record)
        (draw,) = record.draws
        assert draw is not None
        assert draw.host.name == ""


@pytest.mark.parametrize("people", [0, 4])
def test_it_waits_for_more_people_or_for_its_host(people: int) -> None:
    table = open_hostless(people, *NAMES)
    table.wait(1)
    assert stage(table) is Stage.LOBBY


def test_it_waits_for_all_who_sit_but_not_for_those_who_are_gone() -> None:
    table = open_hostless(3, *NAMES, "Eve")
    take_back(table, "Eve")
    assert stage(table) is Stage.LOBBY, "Eve sits and is not ready"
    table.wait(GONE_AFTER_S + 1, "Eve")
    assert stage(table) is Stage.PLAYING
    assert table.lobby.name_at(3) == "Eve", "her seat is kept"
