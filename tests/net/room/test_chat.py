"""What is said at a table: talk and claims, cleaned and bounded."""

from engine.bots.talk import GoldAt, WhoMe
from engine.events import Drew
from engine.notation import Record, Utterance, parse_record
from engine.notation.record import format_utterance
from net.protocol.chat import MAX_TALK_BYTES, ChatLine, in_order
from net.protocol.lobby import ChatRule, Settings, TableClaim, Topic, clean_text
from net.protocol.messages import Refusal
from net.protocol.requests import Chat, MakeClaim, PlayAgain, Start
from net.room.broadcast import record_of
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table

OPEN = Settings(seats=3, rounds=1, chat=ChatRule.ALL)
"""A table at which watchers talk at any time."""


def test_talk_is_cleaned_bounded_and_kept_for_who_comes() -> None:
    table = three_at_a_table()
    assert (
        table.wants("Ben", Chat("\u0301 \x1b[31m[b]gold\u202e\n at  8\u0301\u0301\u0301!")) is None
    )
    assert table.wants("Wim", Chat("x" * 160)) is None
    assert table.wants("Ann", Chat("\t\x00")) is Refusal.NO_TEXT
    assert table.wants("Cleo", MakeClaim(TableClaim(Topic.HELP_ME, 1))) is None
    lines = table.room.state.talk
    assert [line.name for line in lines] == ["Ben", "Wim", "Cleo"]
    assert lines[0].text == "[31m[b]gold at 8\u0301\u0301!"
    assert [line.seat for line in lines] == [1, -1, 2]
    late = table.come("Late", watch=True)
    assert late.held.talk == lines


def test_talk_begins_with_no_mark_and_ends_where_the_line_does() -> None:
    assert clean_text(" \u0301 so\u0301") == "s\u00f3"
    assert clean_text("金" * 99) == "金" * 53
    assert clean_text(clean_text("a\u200b b " * 80)) == clean_text("a\u200b b " * 80)


def test_claims_are_about_what_there_is() -> None:
    for topic, most in (
        (Topic.GOLD_AT, 2),
        (Topic.STONE_AT, 2),
        (Topic.DIGS_FOR_US, 4),
        (Topic.DIGS_AGAINST_US, 4),
        (Topic.HELP_ME, 2),
        (Topic.BLUFF, 4),
        (Topic.WHO_ME, 0),
    ):
        assert [TableClaim(topic, about).fits(5) for about in (most, most + 1)] == [True, False]
    table = three_at_a_table()
    assert table.wants("Ben", MakeClaim(TableClaim(Topic.GOLD_AT, 3))) is Refusal.NO_SUCH_CLAIM


def test_nobody_talks_without_end() -> None:
    table = three_at_a_table()
    answers = [table.wants("Ben", Chat("a")) for _ in range(40)]
    assert Refusal.TOO_FAST in answers
    assert table.wants("Cleo", Chat("b")) is None
    table.wait(2)
    assert table.wants("Ben", Chat("c")) is None


def test_who_comes_back_finds_what_was_said_where_it_was_said() -> None:
    table = playing(OPEN)
    for number in range(3):
        assert table.wants("Ben", Chat(f"{number} cards were played")) is None
        assert table.wants("Wim", Chat("and I watched")) is None
        assert table.plays(table.name_to_act(), table.move()) is None
    table.crash()
    for name in ("Ann", "Wim"):
        client = table.come(name).client
        assert client.status.game_state is not None
        assert client.status.view is not None
        assert client.status.game_state.talk == table.room.state.talk
        events = list(in_order(client.status.view, client.status.game_state.talk))
        assert [event for event in events if not isinstance(event, ChatLine)] == [
            *client.status.view.history
        ]
        played = 0
        for event in events:
            match event:
                case ChatLine("Ben", _, text):
                    assert text == f"{played} cards were played"
                case Drew():
                    played += 1
                case _:
                    pass
        assert played == 3


def test_what_was_said_at_a_table_before_comes_before_its_new_game() -> None:
    table = playing(OPEN)
    assert table.wants("Ben", Chat("one more?")) is None
    play_on(table)
    assert table.wants("Ann", Chat("yes!")) is None
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    assert table.wants("Cleo", Chat("here we go")) is None
    wim = table.people["Wim"].client
    assert wim.status.view is not None
    assert wim.status.game_state is not None
    events = list(in_order(wim.status.view, wim.status.game_state.talk))
    lines = [event.text if isinstance(event, ChatLine) else "" for event in events]
    assert lines == ["one more?", "yes!", *[""] * len(wim.status.view.history), "here we go"]


def read_record(table: Table) -> Record:
    """Return the record of the table's game, read from its text."""
    record = parse_record(record_of(table.room.state))
    assert isinstance(record, Record)
    return record


def test_the_record_of_a_game_holds_what_was_said_in_it_and_where() -> None:
    table = playing(OPEN)
    assert table.wants("Wim", Chat("good {luck}!")) is None
    play_on(table, 2)
    assert table.wants("Ben", MakeClaim(TableClaim(Topic.GOLD_AT, 2))) is None
    table.crash()
    ben = table.come("Ben").client.status.seat
    assert read_record(table).talk == (
        Utterance(1, 0, None, "Wim", text="good {luck}!"),
        Utterance(1, 2, ben, claim=GoldAt((8, 2))),
    )


def test_what_is_said_before_and_after_a_game_is_not_in_its_record() -> None:
    table = three_at_a_table(Settings(seats=3, rounds=1))
    assert table.wants("Ann", Chat("shall we?")) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    published = record_of(table.room.state)
    assert table.wants("Ann", Chat("well played")) is None
    assert record_of(table.room.state) == published
    assert "Talk" not in published


def test_whoever_floods_the_chat_drives_no_claim_out_of_the_record() -> None:
    table = playing(OPEN)
    assert table.wants("Ben", Chat("first of all")) is None
    assert table.wants("Ben", MakeClaim(TableClaim(Topic.WHO_ME))) is None
    for number in range(120):
        table.now += 10
        assert table.wants("Ann", Chat(f"{number} " + '"{' * 78)) is None
    talk = read_record(table).talk
    assert talk[0].claim == WhoMe()
    assert talk[-1].text.startswith("119 ")
    assert len(talk) < 100
    assert sum(len(format_utterance(said)) + 1 for said in talk) <= MAX_TALK_BYTES
