"""Records that are read, pictures that are saved, and finished games, kept once each."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.notation import Record, format_record, parse_record
from engine.notation.record_parser import MAX_OWN_TAGS
from net.client.session import ConnectionState, Received, Status, Update
from net.client.trail import GameState
from net.protocol.lobby_events import RecordPublished
from sabtui.after.library import read_library
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
from tests.engine.notation.games import RECORDS
from tests.net.server.journal_tools import no_file_beyond
from tests.sabtui.tui import scenes


def test_a_record_that_cannot_be_read_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    data = (RECORDS / "whole.sab").read_bytes()
    for content, told in (
        (data.replace(b"NESW@1 ", b"NESW@2 ", 1), "not a valid record: line 14, column"),
        (data[:-40], "line 42"),
        *(
            (other, ".sab: not a valid record")
            for other in (b"\x1b]0;\xff" * 1_000_000, b"x:0\n", b"")
        ),
    ):
        (tmp_path / "spoilt.sab").write_bytes(content)
        with pytest.raises(UserError) as refused:
            read_record(tmp_path / "spoilt.sab")
        assert told in str(refused.value)
        assert content[:1] == b"[" or str(refused.value).endswith(told)
    for path, told in (
        (
            tmp_path / "none.sab",
            "none.sab: No such file or directory; give the path of a .sab file",
        ),
        (tmp_path, "Cannot read"),
    ):
        with pytest.raises(UserError, match=told):
            read_record(path)


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
    bots = [seat for seat in range(5) if finished_game().lobby.is_bot(seat)]
    assert bots
    assert tags["Bots"] == " ".join(str(seat + 1) for seat in bots)
    assert outcome.path is not None
    assert read_replay(outcome.path).bots == frozenset(bots)
    (game,) = read_library(tmp_path / "records").games
    assert game.place == tags["Table"]
    assert abs(game.date - time.time()) < 3600


def test_a_game_is_watched_again_with_the_dwarves_that_its_players_had(tmp_path: Path) -> None:
    held = finished_game()
    chairs = (held.lobby.chairs[1], held.lobby.chairs[0], *held.lobby.chairs[2:])
    held = replace(held, lobby=structs.replace(held.lobby, chairs=chairs))
    kept = keep_game(held, tmp_path).path
    assert kept is not None
    game = read_replay(kept)
    assert game.names().dwarves == held.lobby.dwarves[: len(game.replay.names)]
    assert game.begin().sight.names.dwarves == game.names().dwarves
    assert watched_text(held.record, held.lobby).names().dwarves == game.names().dwarves


def test_a_game_is_kept_once_and_again_elsewhere_with_its_tags_once(tmp_path: Path) -> None:
    first, again = (keep_game(finished_game(), tmp_path / "mine") for _ in range(2))
    assert first == again
    assert first.path is not None
    assert len(list((tmp_path / "mine").iterdir())) == 1
    text = first.path.read_text(encoding="utf-8")
    theirs = keep_game(finished_game(text), tmp_path / "theirs")
    names = [name for name, _text in record_in(theirs.path).extra]
    assert sorted(names) == ["Bots", "Colours", "Date", "Place", "Table"]


def test_what_is_no_record_or_has_all_tags_that_it_may_have_is_kept_as_it_is(
    tmp_path: Path,
) -> None:
    tags = tuple((f"T{number}", "x") for number in range(MAX_OWN_TAGS))
    full = format_record(replace(parse_record(WHOLE), extra=tags))
    for text in ("no record", full):
        path = keep_game(finished_game(text), tmp_path).path
        assert path is not None
        assert path.read_text(encoding="utf-8") == text


def test_a_table_of_any_name_makes_a_file_name(tmp_path: Path) -> None:
    for number, name in enumerate(("../../x", "", "a/b\\c:d", "傅")):
        held = finished_game()
        table = replace(held, lobby=structs.replace(held.lobby, name=name))
        path = keep_game(table, tmp_path / str(number)).path
        assert path is not None
        assert path.parent.parent == tmp_path


def test_a_game_ends_with_the_step_or_the_snapshot_that_brings_its_record_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def update(received: Received, record: str = WHOLE) -> Update:
        return Update(Status(ConnectionState.CONNECTED, 1, finished_game(record)), received)

    ends = update(Received((RecordPublished(WHOLE),)))
    assert ends_game(ends)
    assert ends_game(update(Received(renewed=True)))
    assert not ends_game(update(Received()))
    assert not ends_game(update(Received(renewed=True), record="")), "as in the lesson"
    assert not ends_game(Update(Status()))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(UserError, match="No saved games yet"):
        newest_kept()
    kept = keep_finished(ends).path
    older = records_folder() / "zz.sab"
    older.write_text("")
    os.utime(older, (1, 1))
    assert newest_kept() == kept
    assert older.is_relative_to(tmp_path)


def test_a_picture_is_saved_even_if_it_was_saved_within_this_second(tmp_path: Path) -> None:
    said = {keep_picture(b"a picture", "Gold Rush", tmp_path) for _again in range(3)}
    assert all(statement.startswith("Saved") for statement in said), (
        "a key that is held comes again"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of files")
def test_what_cannot_be_written_is_told_and_leaves_no_half_of_it(tmp_path: Path) -> None:
    def keep(where: Path) -> list[str]:
        return [
            keep_picture(bytes(2000), "Gold Rush", where),
            keep_game(finished_game(), where).text,
        ]

    (tmp_path / "file").write_text("")
    assert all(told.startswith("Cannot write ") for told in keep(tmp_path / "file" / "records"))
    (tmp_path / "file").unlink()
    with no_file_beyond(1000):
        assert all(told.startswith("Cannot write ") for told in keep(tmp_path))
    assert not list(tmp_path.iterdir())
    picture, _game = keep(tmp_path)
    assert picture.startswith("Saved")
    assert len(list(tmp_path.glob("*.sab"))) == 1


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
