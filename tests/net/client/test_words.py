"""Words that people compare aloud at the end of a round: alike for all who saw the same."""

from hashlib import scrypt

from msgspec.structs import replace

from net.client.session import Update
from net.client.state import StatusPublisher
from net.protocol.lobby import Settings
from net.protocol.lobby_events import Said
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import Chat, NextRound
from net.secure.code import words, words_to_compare
from tests.net.room.room_fixture import Guest, Table, play_on, playing


def ends(table: Table, name: str) -> list[bytes]:
    """The hashes of rounds that somebody's program makes words of, of all they were told."""
    updates: list[Update] = []
    client = Guest(name, 0, watch=False).client
    client.begin_connection()
    publisher = StatusPublisher(client, updates.append)
    for message in table.people[name].got:
        publisher.receive(message)
    found = [update.received.round_end for update in updates if update.received is not None]
    return [one for one in found if one]


def test_the_words_are_made_as_the_page_says() -> None:
    made = scrypt(bytes(16), salt=b"sabtui words 2", n=32768, r=8, p=1, maxmem=1 << 26, dklen=24)
    places = [int.from_bytes(made[4 * at : 4 * at + 4], "big") % 1026 for at in range(6)]
    assert words_to_compare(bytes(16)) == tuple(words()[place] for place in places)
    assert len(words()) == 1026


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


def retold(message: HostMessage) -> HostMessage:
    """The same with other words of a player in it."""
    if not isinstance(message, StepFrame):
        return message
    news = tuple(
        Said(one.member, "I saw gold") if isinstance(one, Said) else one
        for one in message.lobby_events
    )
    return replace(message, lobby_events=news)
