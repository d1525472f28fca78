"""What bots say with their moves: all hear it alike, in bounds, and as it was written."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine import Phase
from engine.bots import BOTS, Playouts
from engine.bots.talk import DigsAgainstUs, Line, Statement
from net.protocol.lobby import Absence, ChatRule, Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed, BotSaid, LobbyEvent
from net.protocol.messages import StepFrame
from net.protocol.requests import Chat
from net.protocol.text import MAX_CHAT_BYTES
from net.room import inputs
from net.room.bots import MAX_WORDS_PER_ROUND, BotMoveRequest
from tests.net.room.bot_table import NAMES, play, with_bots
from tests.net.room.room_fixture import Table

WHO_ME = TableClaim(Topic.WHO_ME)


def bots_turn(table: Table) -> BotMoveRequest:
    """Play until a bot is to move on its own chair."""
    rng = Random(1)
    while (due := table.room.bot_turn()) is None or due.reason is not None:
        play(table, rng)
    return due


def move(table: Table, due: BotMoveRequest, *claims: TableClaim, text: str = "") -> None:
    """The bot makes some move, and says this."""
    made = BOTS["random"](due.view, Random(1), Playouts(0))
    table.happen(inputs.make_bot_move(table.room, table.now, due, made, claims, text))


def words_told(table: Table, name: str) -> list[LobbyEvent]:
    """All that bots have said, as somebody was told."""
    frames = [one for one in table.people[name].got if isinstance(one, StepFrame)]
    news = [event for frame in frames for event in frame.lobby_events]
    return [event for event in news if isinstance(event, BotClaimed | BotSaid)]


def test_all_at_the_table_hear_what_a_bot_says_with_its_move_and_a_late_one_reads_it() -> None:
    table = with_bots()
    due = bots_turn(table)
    unplayed = due.view.table.unplayed
    move(table, due, TableClaim(Topic.DIGS_AGAINST_US, 0), text="I dig, Ann does not.")
    said = [
        BotClaimed(due.seat, TableClaim(Topic.DIGS_AGAINST_US, 0)),
        BotSaid(due.seat, "I dig, Ann does not."),
    ]
    for name in ("Ann", "Ben", "Wim"):
        assert words_told(table, name) == said
    late = table.come("Zoe", watch=True).held
    line = late.talk[-1]
    assert (line.name, line.seat, line.text) == (NAMES[due.seat], due.seat, "I dig, Ann does not.")
    assert (line.when.unplayed, len(late.talk)) == (unplayed, 2), "it was said before the move"
    assert table.room.state.turn > due.turn


def test_the_words_of_bots_and_people_are_told_to_bots_and_come_back_with_the_table() -> None:
    table = with_bots()
    assert table.wants("Ann", Chat("Who has the map?")) is None
    assert table.wants("Wim", Chat("I only watch.")) is None
    due = bots_turn(table)
    assert [line.text for line in due.talk.lines] == ["Who has the map?"]
    move(table, due, TableClaim(Topic.DIGS_AGAINST_US, 0), text="Not I.")
    talk = table.room.talk
    left = due.view.table.unplayed - 1
    assert talk.said == (Statement(due.seat, DigsAgainstUs(0), left),)
    assert talk.lines[1:] == (Line(due.seat, "Not I.", left),)
    again = inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0)
    assert again.talk == talk
    assert again.claims == table.room.claims
    assert again.state == table.room.state


def test_texts_are_cleaned_and_claims_about_nobody_are_not_made() -> None:
    table = with_bots()
    due = bots_turn(table)
    move(table, due, TableClaim(Topic.DIGS_FOR_US, 9), WHO_ME, text="\x1b[31m" + "gold " * 99)
    claim, line = words_told(table, "Ben")
    assert claim == BotClaimed(due.seat, WHO_ME)
    assert isinstance(line, BotSaid)
    assert line.text.startswith("[31mgold gold")
    assert len(line.text.encode()) <= MAX_CHAT_BYTES
    due = bots_turn(table)
    move(table, due, text="\x07\u200b ")
    assert len(words_told(table, "Ben")) == 2, "nothing is left of it"


def test_at_a_silent_table_a_bot_claims_and_writes_nothing() -> None:
    table = with_bots(Settings(seats=5, rounds=1, chat=ChatRule.CLAIMS))
    due = bots_turn(table)
    move(table, due, WHO_ME, text="I dig, Ann does not.")
    assert words_told(table, "Ben") == [BotClaimed(due.seat, WHO_ME)]


def test_a_bot_may_say_only_so_much_in_a_round() -> None:
    table = with_bots(Settings(seats=5, rounds=1))
    times = dict.fromkeys(NAMES, 0)
    while table.room.state.phase is Phase.PLAY:
        due = table.room.bot_turn()
        if due is None:
            play(table, Random(1))
        else:
            times[due.seat] += 1
            move(table, due, WHO_ME, WHO_ME, text="Gold!")
    assert min(times.values()) * 3 > MAX_WORDS_PER_ROUND
    events = words_told(table, "Ann")
    for seat in NAMES:
        words = [
            event
            for event in events
            if isinstance(event, BotClaimed | BotSaid) and event.seat == seat
        ]
        assert len(words) == MAX_WORDS_PER_ROUND


def test_a_bot_in_a_persons_place_says_nothing() -> None:
    table = with_bots(Settings(seats=5, rounds=1, absent=Absence.BOT, turn_seconds=5))
    rng = Random(2)
    while table.name_to_act() != "Ann":
        play(table, rng)
    table.wait(6)
    due = table.turn
    assert due.reason is not None
    move(table, due, WHO_ME, text="I am Ann.")
    assert not words_told(table, "Ben")
    assert table.name_to_act() != "Ann"


@pytest.mark.parametrize("claims", [(), (WHO_ME,)])
def test_words_are_as_long_to_everybody(claims: tuple[TableClaim, ...]) -> None:
    table = with_bots()
    due = bots_turn(table)
    move(table, due, *claims, text="So it is.")
    lengths = {
        len(msgspec.msgpack.encode(frame.lobby_events))
        for name in ("Ann", "Ben", "Wim")
        for frame in [[one for one in table.people[name].got if isinstance(one, StepFrame)][-1]]
    }
    assert len(lengths) == 1
