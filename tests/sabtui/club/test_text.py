"""The standings of a night as text and in files, and where a night leads its player."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from msgspec import structs

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import Status, Update
from net.protocol.board import HallBoard, Night, NightRound, NightTable
from net.protocol.lobby import Lobby, Person, Presence
from sabtui.club.text import night_end, night_lines, night_standings, night_table, save_night
from sabtui.club.visit import ClubVisit
from tests.sabtui.club.pictures import HALL, in_hall


def a_round(*tables: NightTable) -> NightRound:
    return NightRound(bytes(32), tables)


NIGHT = Night(
    2,
    "Table",
    "international",
    3,
    ("Ana", "Frida", "Cleo", "Dan"),
    (
        a_round(NightTable("a" * 16, (0, 1, 2, 3), is_over=True, gold=(6, 2, 1, 3))),
        a_round(
            NightTable("b" * 16, (1, 0), is_over=True, gold=(4, 1, 7)),
            NightTable("c" * 16, (2, 3), is_over=True),
        ),
    ),
)
"""Two rounds: in the second a bot plays with two, and the other table was closed."""


def test_gold_is_summed_over_finished_games_and_bots_are_left_out() -> None:
    found = {row.name: (row.games, row.gold, row.won) for row in night_standings(NIGHT)}
    assert found == {
        "Ana": (2, 7, 1),
        "Frida": (2, 6, 0),
        "Dan": (1, 3, 0),
        "Cleo": (1, 1, 0),
    }
    assert [line.split()[:3] for line in night_table(NIGHT)[3:5]] == [
        ["Ana", "7", "1"],
        ["Frida", "6", "0"],
    ]


def test_a_night_that_is_over_says_who_has_won_it_above_its_standings() -> None:
    assert night_end(NIGHT) == ["Ana has won the evening.", *night_table(NIGHT)]
    assert night_end(structs.replace(NIGHT, planned=3)) == []
    assert night_end(structs.replace(NIGHT, planned=1, rounds=(a_round(),))) == []
    level = NightTable("d" * 16, (0, 1), is_over=True, gold=(5, 5))
    (told, *_table) = night_end(structs.replace(NIGHT, planned=1, rounds=(a_round(level),)))
    assert told == "Ana and Frida have won the evening."


def test_the_standings_are_saved_and_no_name_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "nights" / "one.csv"
    save_night(structs.replace(NIGHT, people=("=1+1", *NIGHT.people[1:])), path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"name": "'=1+1", "gold": "7", "won": "1", "games": "2"}
    assert [row["name"] for row in rows[1:]] == ["Frida", "Dan", "Cleo"]
    told = json.loads(path.with_suffix(".json").read_text())
    assert told["people"][0] == {"name": "=1+1", "games": 2, "won": 1, "gold": 7}
    table = {"round": 2, "table": 1, "people": ["Frida", "=1+1"], "gold": [4, 1, 7]}
    assert told["tables"][1] == table


TABLE = NightTable("1" * 16, (0, 1, 2))
ROUND = NightRound(bytes(32), (TABLE,))
SMALL_NIGHT = Night(2, "Table", "international", 3, ("Ana", "Ben", "Cleo"), (ROUND,))
OVER = structs.replace(ROUND, tables=(structs.replace(TABLE, is_over=True, gold=(1, 2, 3)),))


@pytest.mark.parametrize(
    ("rounds", "lines"),
    [
        ((), ["Game night, 2 rounds: an organiser assigns the tables."]),
        ((ROUND,), ["Round 1 is under way. You will get a table in the next one."]),
        ((OVER,), ["Round 1 of 2 is over."]),
        ((OVER, ROUND), []),
        ((OVER, OVER), ["Round 2 of 2 is over."]),
    ],
)
def test_somebody_who_came_late_is_told_of_the_next_round_if_there_is_one(
    rounds: tuple[NightRound, ...], lines: list[str]
) -> None:
    night = structs.replace(SMALL_NIGHT, rounds=rounds)
    hall = structs.replace(
        Lobby.without_chairs("The Nugget"),
        people=(Person(1, "Dora", Presence.THERE),),
        hall=HallBoard(night=night),
    )
    assert night_lines(in_hall(hall, member=1)) == lines


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


def test_a_place_is_known_for_a_club_and_its_seat_in_use_once_a_table_of_it_is_visited(
    tmp_path: Path,
) -> None:
    hall = Credentials("Ana", (), table="a" * 16, pin=bytes(32))
    store = CredentialStore(tmp_path)
    store.store(hall)
    ana = ClubVisit(hall, store, RemoteSession)
    was_club = ana.is_club
    ana.table("b" * 16, "Gold Rush")
    assert (was_club, ana.is_club) == (False, True)
    assert [stored.in_use for stored in store.list_stored()] == [True]


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
