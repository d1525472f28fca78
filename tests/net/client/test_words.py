"""Words that people compare aloud at the end of a round: alike for all who saw the same."""

from hashlib import pbkdf2_hmac

from msgspec.structs import replace

from net.client.publisher import StatusPublisher
from net.client.session import Update
from net.lobby.events import Said
from net.lobby.model import Settings
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import Chat, Start
from net.security.code import words, words_to_compare
from tests.net.room.room_fixture import Guest, Table, bots, play_on, playing


def shown(table: Table, name: str) -> list[tuple[str, ...]]:
    """The words that somebody's program makes of all that they were told."""
    updates: list[Update] = []
    publisher = StatusPublisher(Guest(name, 0, watch=False).client, updates.append)
    for message in table.people[name].got:
        publisher.receive(message)
    found = [update.received.words for update in updates if update.received is not None]
    return [one for one in found if one]


def test_the_words_are_made_as_the_page_says() -> None:
    made = pbkdf2_hmac("sha256", bytes(16), b"sabtui words 1", 100_000, 8)
    first, second = int.from_bytes(made[:4], "big"), int.from_bytes(made[4:], "big")
    listed = words()
    assert words_to_compare(bytes(16)) == (listed[first % 1026], listed[second % 1026])
    assert len(listed) == 1026


def test_all_have_the_same_words_at_the_end_of_a_round() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table)
    (ann,) = shown(table, "Ann")
    assert len(ann) == 2
    assert shown(table, "Ben") == shown(table, "Wim") == [ann]


def test_whoever_was_told_another_story_has_other_words() -> None:
    table = playing(Settings(seats=3, rounds=2))
    assert table.wants("Ann", Chat("I saw stone")) is None
    play_on(table)
    cleo = table.people["Cleo"]
    cleo.got = [retold(message) for message in cleo.got]
    ((ann,), (other,)) = shown(table, "Ann"), shown(table, "Cleo")
    assert other != ann


def retold(message: HostMessage) -> HostMessage:
    """The same with other words of a player in it."""
    if not isinstance(message, StepFrame):
        return message
    news = tuple(
        Said(one.member, "I saw gold") if isinstance(one, Said) else one
        for one in message.lobby_events
    )
    return replace(message, lobby_events=news)


def test_a_host_with_nobody_else_has_no_words() -> None:
    table = Table(Settings(seats=3, rounds=1))
    table.come("Ann")
    bots(table, (1, 2))
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert shown(table, "Ann") == []
