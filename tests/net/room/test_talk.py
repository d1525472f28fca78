"""What is said at a table: talk and claims, cleaned and bounded."""

from engine.events import Drew
from net.lobby import (
    Claim,
    Line,
    Settings,
    Topic,
    clean_text,
    in_order,
)
from net.messages import (
    No,
    PlayAgain,
    Say,
    Start,
    Tell,
)
from tests.net.room.table import play_on, playing, three_at_a_table


def test_talk_is_cleaned_bounded_and_kept_for_who_comes() -> None:
    table = three_at_a_table()
    assert (
        table.wants("Ben", Say("\u0301 \x1b[31m[b]gold\u202e\n at  8\u0301\u0301\u0301!")) is None
    )
    assert table.wants("Wim", Say("x" * 160)) is None
    assert table.wants("Ann", Say("\t\x00")) is No.NO_TEXT
    assert table.wants("Cleo", Tell(Claim(Topic.HELP_ME, 1))) is None
    lines = table.room.state.talk
    assert [line.name for line in lines] == ["Ben", "Wim", "Cleo"]
    assert lines[0].text == "[31m[b]gold at 8\u0301\u0301!"
    assert [line.seat for line in lines] == [1, -1, 2]
    late = table.come("Late", watch=True)
    assert late.client.held is not None
    assert late.client.held.talk == lines


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
        assert [Claim(topic, about).fits(5) for about in (most, most + 1)] == [True, False]
    table = three_at_a_table()
    assert table.wants("Ben", Tell(Claim(Topic.GOLD_AT, 3))) is No.NO_SUCH_CLAIM


def test_nobody_talks_without_end() -> None:
    table = three_at_a_table()
    answers = [table.wants("Ben", Say("a")) for _ in range(40)]
    assert No.TOO_FAST in answers
    assert table.wants("Cleo", Say("b")) is None
    table.wait(2)
    assert table.wants("Ben", Say("c")) is None


def test_who_comes_back_finds_what_was_said_where_it_was_said() -> None:
    table = playing(Settings(seats=3, rounds=1))
    for number in range(3):
        assert table.wants("Ben", Say(f"{number} cards were played")) is None
        assert table.wants("Wim", Say("and I watched")) is None
        assert table.plays(table.name_to_act(), table.move()) is None
    table.crash()
    for name in ("Ann", "Wim"):
        client = table.come(name).client
        assert client.held is not None
        assert client.view is not None
        assert client.held.talk == table.room.state.talk
        told = list(in_order(client.view, client.held.talk))
        assert [event for event in told if not isinstance(event, Line)] == [*client.view.history]
        played = 0
        for one in told:
            match one:
                case Line("Ben", _, text):
                    assert text == f"{played} cards were played"
                case Drew():
                    played += 1
                case _:
                    pass
        assert played == 3


def test_what_was_said_at_a_table_before_comes_before_its_new_game() -> None:
    table = playing(Settings(seats=3, rounds=1))
    assert table.wants("Ben", Say("one more?")) is None
    play_on(table)
    assert table.wants("Ann", Say("yes!")) is None
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    assert table.wants("Cleo", Say("here we go")) is None
    wim = table.people["Wim"].client
    assert wim.view is not None
    assert wim.held is not None
    told = list(in_order(wim.view, wim.held.talk))
    lines = [one.text if isinstance(one, Line) else "" for one in told]
    assert lines == ["one more?", "yes!", *[""] * len(wim.view.history), "here we go"]
