"""What is said at a table: talk and claims, cleaned and bounded."""

from net.lobby import (
    Claim,
    Topic,
    clean_text,
)
from net.messages import (
    No,
    Say,
    Tell,
)
from tests.net.room.table import three_at_a_table


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
