"""Words that people compare aloud at the end of a round: alike for all who saw the same."""

from hashlib import scrypt

import pytest
from msgspec.structs import replace

from net.client.session import RoundWords
from net.protocol.lobby import Settings
from net.protocol.lobby_events import Said
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import Chat, NextRound
from net.secure.code import words, words_to_compare
from tests.net.client.unfair_table import comes_back, drop
from tests.net.room.room_fixture import Guest, Table, play_on, playing


def ends(table: Table, name: str) -> list[bytes]:
    made: list[bytes] = []
    client = Guest(name, 0, watch=False).client

    def make(told: bytes) -> tuple[str, ...]:
        made.append(told)
        return ("amber",)

    client.make_words = make
    client.begin_connection()
    for message in table.people[name].got:
        client.receive(message)
    return made


def test_the_words_are_made_as_the_page_says() -> None:
    made = scrypt(bytes(16), salt=b"sabtui words 2", n=32768, r=8, p=1, maxmem=1 << 26, dklen=24)
    places = [int.from_bytes(made[4 * at : 4 * at + 4], "big") % 1026 for at in range(6)]
    assert words_to_compare(bytes(16)) == tuple(words()[place] for place in places)
    assert len(words()) == 1026


@pytest.mark.level("broad")
def test_all_have_the_same_to_compare_at_the_end_of_a_round_and_of_the_game() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table)
    (first,) = ends(table, "Ann")
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert ends(table, "Ben") == ends(table, "Wim") == ends(table, "Ann")
    assert ends(table, "Ann")[0] == first
    assert len(ends(table, "Ann")) == 2


def test_whoever_was_told_another_story_has_something_else_to_compare() -> None:
    table = playing(Settings(seats=3, rounds=2))
    assert table.wants("Ann", Chat("I saw stone")) is None
    play_on(table)
    cleo = table.people["Cleo"]
    cleo.got = [retold(message) for message in cleo.got]
    ((ann,), (other,)) = ends(table, "Ann"), ends(table, "Cleo")
    assert other != ann, "from which the words are made"


def words_shown(table: Table, name: str) -> RoundWords | None:
    return table.people[name].client.status.words


def with_words(rounds: int = 1) -> Table:
    table = playing(Settings(seats=3, rounds=rounds))
    for name in ("Ann", "Ben", "Cleo"):
        table.people[name].client.make_words = lambda told: (told.hex(),)
    return table


def test_who_took_a_snapshot_has_no_words_and_says_that_they_were_away() -> None:
    table = with_words(rounds=2)
    play_on(table, 2)
    away = table.name_to_act()
    play_on(table, 1)
    here = table.name_to_act()
    drop(table, away)
    play_on(table, 2)
    comes_back(table, away)
    play_on(table)
    found = words_shown(table, here)
    assert found is not None
    assert found.words
    assert words_shown(table, away) == RoundWords(first_round(table), away=True)
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert words_shown(table, away) == words_shown(table, here), "they saw the next one whole"


def test_a_table_that_has_gone_back_makes_no_words_of_that_round() -> None:
    table = with_words()
    play_on(table, 3)
    del table.disk[-1:]
    table.crash()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    play_on(table)
    assert words_shown(table, "Ben") == RoundWords(first_round(table), gone=1)


def first_round(table: Table) -> tuple[int, int]:
    return table.room.state.began, 1


def retold(message: HostMessage) -> HostMessage:
    if not isinstance(message, StepFrame):
        return message
    news = tuple(
        Said(event.member, "I saw gold") if isinstance(event, Said) else event
        for event in message.lobby_events
    )
    return replace(message, lobby_events=news)
