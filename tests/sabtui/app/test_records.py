"""Records that are read, pictures that are saved, and finished games, kept once each."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.bots import Playouts
from engine.notation import Record, format_record, parse_record
from engine.notation.record_parser import MAX_OWN_TAGS
from net.client.session import ConnectionState, Received, Status, Update
from net.client.trail import GameState
from net.protocol.lobby_events import RecordPublished
from sabtui.after.library import Library
from sabtui.after.replays import read_replay, watched_text
from sabtui.app.errors import UserError
from sabtui.app.preferences import records_folder
from sabtui.app.records import (
    KEPT_WITHIN_S,
    MAX_KEPT_BYTES,
    ends_game,
    keep_finished,
    keep_game,
    keep_picture,
    make_name,
    newest_kept,
    read_record,
)
from sabtui.text.colours import table_colours
from tests.engine.notation.games import RECORDS
from tests.net.client.test_session import Player, at_table
from tests.net.server.journal_tools import no_file_beyond
from tests.sabtui.tui import scenes


def read_wrong(path: Path) -> str:
    """Try to read a record that is wrong, and take the one line of complaint."""
    with pytest.raises(UserError) as told:
        read_record(path)
    return str(told.value)


def test_a_spoilt_record_is_refused_with_the_line_of_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "spoilt.sab"
    data = (RECORDS / "whole.sab").read_bytes()
    path.write_bytes(data.replace(b"NESW@1 ", b"NESW@2 ", 1))
    assert "not a valid record: line 14, column" in read_wrong(path)
    path.write_bytes(data[:-40])
    assert "line 42" in read_wrong(path)
    for other in (b"\x1b]0;\xff" * 1_000_000, b"root:x:0:0:root\n", b""):
        path.write_bytes(other)
        assert read_wrong(path).endswith(".sab: not a valid record")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    complaint = read_wrong(tmp_path / "none.sab")
    assert "none.sab: No such file or directory; give the path of a .sab file" in complaint
    assert "Cannot read" in read_wrong(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Cannot write " in keep_picture(b"a picture", "Gold", tmp_path / "file" / "records")


def test_a_picture_that_is_saved_again_at_once_is_saved(tmp_path: Path) -> None:
    said = {keep_picture(b"a picture", "Gold Rush", tmp_path) for _again in range(3)}
    assert all(statement.startswith("Saved") for statement in said), (
        "a key that is held comes again"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of files")
def test_what_the_disk_has_no_room_for_leaves_no_half_of_it(tmp_path: Path) -> None:
    with no_file_beyond(1000):
        assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Cannot write")
    assert not list(tmp_path.iterdir())
    assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Saved")


WHOLE = (RECORDS / "whole.sab").read_text(encoding="utf-8")


def finished_game(record: str = WHOLE) -> GameState:
    """Return the state of a table whose game is over."""
    held = scenes.finished_status().game_state
    assert held is not None
    return replace(held, record=record)


def record_in(path: Path | None) -> Record:
    assert path is not None
    record = parse_record(path.read_bytes())
    assert isinstance(record, Record)
    return record


def test_a_kept_game_says_when_and_where_it_was_played(tmp_path: Path) -> None:
    outcome = keep_game(finished_game(), tmp_path / "records")
    record = record_in(outcome.path)
    tags = dict(record.extra)
    assert tags["Table"] == finished_game().lobby.name
    assert tags["Date"].startswith(time.strftime("%Y-"))
    assert tags["Place"] == 'Club "Gold"', "what the record had before"
    library = Library(tmp_path / "records")
    assert [*library.read()] == [1]
    (game,) = library.games
    assert game.place == tags["Table"]
    assert abs(game.date - time.time()) < 3600


def test_a_game_is_kept_once_however_often_its_end_is_seen(tmp_path: Path) -> None:
    first = keep_game(finished_game(), tmp_path)
    again = keep_game(finished_game(), tmp_path)
    assert again.path == first.path
    assert again.text == first.text
    assert len(list(tmp_path.glob("*.sab"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of files")
def test_a_game_for_which_the_disk_had_no_room_is_kept_once_there_is_room(tmp_path: Path) -> None:
    with no_file_beyond(1000):
        outcome = keep_game(finished_game(), tmp_path)
    assert outcome.path is None
    assert outcome.text.startswith("Cannot write ")
    assert not list(tmp_path.glob("*.sab")), "half a record is none"
    record_in(keep_game(finished_game(), tmp_path).path)


def test_the_game_that_was_kept_last_is_found_and_a_folder_without_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(UserError, match="No saved games yet"):
        newest_kept()
    where = records_folder()
    kept = keep_game(finished_game(), where).path
    older = where / "zz.sab"
    older.write_text("")
    os.utime(older, (1, 1))
    assert newest_kept() == kept


def test_a_kept_game_that_is_kept_again_elsewhere_has_its_tags_once(tmp_path: Path) -> None:
    text = record_text(keep_game(finished_game(), tmp_path / "mine").path)
    theirs = keep_game(finished_game(text), tmp_path / "theirs")
    names = [name for name, _text in record_in(theirs.path).extra]
    assert sorted(names) == ["Colours", "Date", "Place", "Table"]


def test_a_game_is_watched_again_in_the_colours_that_its_players_had(tmp_path: Path) -> None:
    held = finished_game()
    chairs = (held.lobby.chairs[1], held.lobby.chairs[0], *held.lobby.chairs[2:])
    held = replace(held, lobby=structs.replace(held.lobby, chairs=chairs))
    kept = keep_game(held, tmp_path).path
    assert kept is not None
    game, colours = read_replay(kept), table_colours(held.lobby)
    assert game.names().colours == colours[: len(game.replay.names)]
    assert game.begin().sight.names.colours == game.names().colours
    assert watched_text(held.record, held.lobby).names().colours == game.names().colours


def record_text(path: Path | None) -> str:
    assert path is not None
    return path.read_text(encoding="utf-8")


def test_what_a_host_shows_in_place_of_a_record_is_kept_as_it_is(tmp_path: Path) -> None:
    outcome = keep_game(finished_game("no record"), tmp_path)
    assert record_text(outcome.path) == "no record"


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = keep_game(finished_game(), tmp_path / "file" / "records")
    assert outcome.path is None
    assert outcome.text.startswith("Cannot write ")


def test_a_table_of_any_name_makes_a_file_name(tmp_path: Path) -> None:
    for number, name in enumerate(("../../x", "", "a/b\\c:d", "傅")):
        held = finished_game()
        table = replace(held, lobby=structs.replace(held.lobby, name=name))
        path = keep_game(table, tmp_path / str(number)).path
        assert path is not None
        assert path.parent.parent == tmp_path


def update(received: Received, record: str = WHOLE) -> Update:
    """Return an update at a table whose game is over."""
    return Update(Status(ConnectionState.CONNECTED, 1, finished_game(record)), received)


ENDS = Received((RecordPublished(WHOLE),))


def test_a_game_ends_with_the_step_or_the_snapshot_that_brings_its_record() -> None:
    assert ends_game(update(ENDS))
    assert ends_game(update(Received(renewed=True)))
    assert not ends_game(update(Received()))
    assert not ends_game(update(Received(renewed=True), record="")), "as in the lesson"
    assert not ends_game(Update(Status()))


async def test_a_game_against_bots_comes_to_its_end_once_and_is_kept(tmp_path: Path) -> None:
    player = Player("easy", Playouts(0))
    async with at_table(player):
        await player.play_on()
    over = [update for update in player.updates if ends_game(update)]
    assert len(over) == 1
    held = over[0].status.game_state
    assert held is not None
    assert record_in(keep_game(held, tmp_path).path).moves


def test_a_game_is_kept_in_ones_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    outcome = keep_finished(update(ENDS))
    assert outcome.path is not None
    assert outcome.path.is_relative_to(tmp_path)


def test_a_record_with_as_many_tags_as_there_may_be_is_kept_as_it_is(tmp_path: Path) -> None:
    record = parse_record(WHOLE)
    tags = tuple((f"T{number}", "x") for number in range(MAX_OWN_TAGS))
    full = format_record(replace(record, extra=tags))
    outcome = keep_game(finished_game(full), tmp_path)
    assert record_text(outcome.path) == full


@pytest.mark.parametrize(
    ("name", "age_s", "is_kept"),
    [
        ("", 0.0, False),
        ("", KEPT_WITHIN_S + 1, True),
        ("2026-01-31-201530-box", 0.0, True),
        ("box", 0.0, True),
    ],
    ids=["kept now", "kept an hour ago", "copied here", "copied here without a date"],
)
def test_a_host_that_sends_records_without_end_does_not_fill_the_disk(
    name: str, age_s: float, tmp_path: Path, *, is_kept: bool
) -> None:
    name = name or make_name("box", time.time() - age_s)
    for number in range(MAX_KEPT_BYTES // 65536):
        (tmp_path / f"{name}-{number}.sab").write_bytes(bytes(65536))
    outcome = keep_game(finished_game(), tmp_path)
    assert (outcome.path is not None) is is_kept
    assert outcome.text.endswith("(too many games within an hour).") is not is_kept
