"""What a client writes of a table: where it differed from the host, and the record of its seat."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine import Phase
from engine.notation import ObservedRecord, Record, parse_record
from net.client.reports import MOST_BYTES, MOST_REPORTS, Reports, seen_record, text_of
from net.client.session import StatusPublisher, Update
from net.client.state import ClientState, Disagreement
from net.lobby import Settings
from net.protocol.messages import Chat, NextRound, StepFrame
from sabtui.text.connection import report_told
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table


def differing(table: Table) -> tuple[StatusPublisher, StepFrame, list[Update]]:
    """Ben's end, a step of a host that holds something else than Ben, and what Ben is told."""
    updates: list[Update] = []
    ben = table.people["Ben"]
    table.wants("Ann", Chat("now"))
    frame = ben.numbered[-1]
    assert isinstance(frame, StepFrame)
    publisher = StatusPublisher(ben.client, updates.append)
    return publisher, replace(frame, step=frame.step + 1, hash=bytes(8)), updates


def test_a_step_that_does_not_fit_is_written_down_and_where_is_told(tmp_path: Path) -> None:
    table = playing()
    play_on(table, 3)
    publisher, bad, updates = differing(table)
    publisher._report = Reports(tmp_path / "reports").write
    publisher.receive(bad)
    heard = updates[-1].received
    assert heard is not None
    (path,) = (tmp_path / "reports").iterdir()
    assert heard.report == str(path)
    assert str(path) in report_told(heard.report)
    text = path.read_text(encoding="utf-8")
    assert f"step {bad.step}\n" in text
    assert "hash told 0000000000000000, hash held " in text
    assert "news Said" in text
    assert sys.platform == "win32" or path.stat().st_mode & 0o077 == 0


def test_it_holds_no_secret_of_others() -> None:
    table = playing()
    publisher, bad, updates = differing(table)
    publisher.receive(bad)
    heard = updates[-1].received
    assert heard is not None
    assert heard.disagreed is not None
    assert heard.report == "", "nobody writes it here"
    assert heard.disagreed.view is publisher.state.view
    game = table.room.state.game
    assert game is not None
    others = [hand for seat, hand in enumerate(game.round.hands) if seat != publisher.state.seat]
    line = text_of(heard.disagreed).splitlines()[-1]
    assert not any("/".join(card.text for card in hand) in line for hand in others)


def test_one_that_could_not_be_taken_in_at_all_is_written_down_too() -> None:
    publisher, bad, updates = differing(three_at_a_table())
    begun = playing().people["Ben"].numbered[-1]
    assert isinstance(begun, StepFrame)
    publisher.receive(replace(bad, events=begun.events))
    heard = updates[-1].received
    assert heard is not None
    assert heard.disagreed is not None
    text = text_of(heard.disagreed)
    assert "hash held none" in text
    assert "before the step no game" in text


def test_there_are_never_many_nor_long_ones(tmp_path: Path) -> None:
    many = Disagreement(1, 2, bytes(8), bytes(8), ("Said",) * 9999, (), None)
    for _ in range(3):
        reports = Reports(tmp_path)
        written = [reports.write(many) for _ in range(MOST_REPORTS + 3)]
        assert written[-3:] == ["", "", ""]
    kept = list(tmp_path.iterdir())
    assert len(kept) == MOST_REPORTS
    assert all(path.stat().st_size <= MOST_BYTES for path in kept)


def test_a_folder_that_cannot_be_made_costs_only_the_report(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert (
        Reports(tmp_path / "file" / "reports").write(
            Disagreement(1, 2, bytes(8), b"", (), (), None)
        )
        == ""
    )


ROUNDS = Settings(seats=3, rounds=2)


def read(table: Table, name: str) -> ObservedRecord:
    """The record of what somebody saw."""
    record = parse_record(seen_record(table.people[name].client.game_state))
    assert isinstance(record, ObservedRecord)
    return record


@pytest.mark.parametrize("name", ["Ann", "Ben", "Wim"])
@pytest.mark.parametrize("moves", [0, 1, 7, 40, 1000])
def test_what_was_seen_of_a_round_is_a_record_of_it(name: str, moves: int) -> None:
    table = playing(ROUNDS)
    play_on(table, moves, level="greedy")
    record, client = read(table, name), table.people[name].client
    assert record.seat == client.seat
    assert record.names == ("Ann", "Ben", "Cleo")
    assert client.view is not None
    assert record.events == client.view.history


@pytest.mark.parametrize("name", ["Ben", "Wim"])
def test_the_rounds_before_are_in_it(name: str) -> None:
    table = playing(ROUNDS)
    play_on(table, level="greedy")
    before = read(table, name).events
    table.wants("Ann", NextRound())
    play_on(table, 5)
    now = read(table, name).events
    assert now[: len(before)] == before
    assert len(now) > len(before) + 5


def test_who_comes_back_in_the_same_round_still_has_the_rounds_before() -> None:
    table = playing(ROUNDS)
    play_on(table)
    table.wants("Ann", NextRound())
    play_on(table, 3)
    before = read(table, "Ben").events
    table.crash()
    table.come("Ben")
    assert read(table, "Ben").events == before


@pytest.mark.parametrize("moves", [3, 1000])
def test_who_came_late_has_a_record_of_the_round_they_saw(moves: int) -> None:
    table = playing(Settings(seats=3, rounds=3))
    play_on(table)
    table.wants("Ann", NextRound())
    table.people["Ben"].client = ClientState("Ben")
    table.come("Ben")
    play_on(table, moves, level="greedy")
    record = read(table, "Ben")
    assert record.extra == (("Round", "2"),)
    assert len(record.events) > moves / 100


def test_who_was_away_when_a_round_was_dealt_does_not_know_the_end_of_the_one_before() -> None:
    table = playing(ROUNDS)
    play_on(table, 5)
    table.crash()
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
    play_on(table)
    table.wants("Ann", NextRound())
    play_on(table, 5)
    table.come("Wim")
    assert read(table, "Wim").extra == (("Round", "2"),)


def test_without_a_game_there_is_none_and_of_a_game_that_is_over_the_whole() -> None:
    table = three_at_a_table(Settings(seats=3, rounds=1))
    assert seen_record(None) == ""
    assert seen_record(table.people["Ben"].client.game_state) == ""
    table = playing(Settings(seats=3, rounds=1))
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    assert isinstance(parse_record(seen_record(table.people["Ben"].client.game_state)), Record)
