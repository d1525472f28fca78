"""What earlier releases have written is read for ever, and says the same (`tests/kept.py`)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TypedDict, get_args

import pytest
from msgspec import msgpack

from engine.edition import Edition
from engine.notation import Record, format_record, parse_record, replay
from engine.state import Phase
from net.client.credentials import CredentialStore
from net.discovery.advert import OURS
from net.protocol.doors import DoorKind
from net.protocol.framing import HEADER_BYTES, decode, padded_length
from net.protocol.game_wire import EVENT_ROWS, MOVE_ROWS
from net.protocol.lobby_events import LobbyEvent
from net.protocol.requests import Request
from net.room.steps import read_founding, write
from net.secure.address import Address
from net.server.journal_format import FORMAT, read_file
from net.server.tables import resume
from tests import kept
from tests.engine.notation.games import BOOKS
from tests.net.protocol.frames import value_of

FOLDERS = sorted(kept.FOLDER.iterdir(), key=lambda folder: int(folder.name))
NEWEST = FOLDERS[-1]
KEEP = f"then python -m tests.kept {int(NEWEST.name) + 1}"
RAISE_PV = f"earlier programs cannot read this: raise `pv` in net/discovery/advert.py, {KEEP}"
RAISE_FORMAT = f"nor this journal: raise `FORMAT` in net/server/journal_format.py, {KEEP}"


Frame = TypedDict("Frame", {"from": str, "frame": str, "says": dict[str, object]})


def read_frames(folder: Path) -> list[Frame]:
    found: list[Frame] = json.loads((folder / "frames.json").read_text(encoding="utf-8"))
    return found


def is_within(said: object, now: object) -> bool:
    """True if all that was said is still said; a later release may add fields to it."""
    match said, now:
        case dict(), dict():
            return all(
                key in now and is_within(statement, now[key]) for key, statement in said.items()
            )
        case list(), list():
            return len(said) == len(now) and all(map(is_within, said, now))
        case _:
            return said == now


def kinds_in(value: object) -> set[str]:
    """The kinds of all values that are told of, however deep."""
    match value:
        case dict():
            found = {str(value["is"])} if "is" in value else set[str]()
            return found.union(*(kinds_in(item) for item in value.values()))
        case list():
            return set[str]().union(*(kinds_in(item) for item in value))
        case _:
            return set[str]()


def bytes_of(frame: str) -> bytes:
    """A frame with the zeros at its end, which the file leaves out."""
    data = bytes.fromhex(frame)
    return data.ljust(
        HEADER_BYTES + padded_length(int.from_bytes(data[:HEADER_BYTES], "big")), b"\0"
    )


SAID_ALONE: dict[str, set[str]] = {
    "1": {"enter", "gone-over", "knowledge-wanted", "shares-wanted", "snapshot", "stage"}
}
"""By version, messages that later ones changed or took away. They are in no file, and nobody sends
them any more: programs without a common version do not talk."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda item: item.name)
def test_each_frame_still_says_what_it_said(folder: Path) -> None:
    for frame in read_frames(folder):
        if frame["says"]["is"] in SAID_ALONE.get(folder.name, ()):
            continue
        message = decode(value_of(bytes_of(frame["frame"])), *kept.KINDS[frame["from"]])
        assert is_within(frame["says"], json.loads(json.dumps(kept.spell(message))))


def test_each_field_that_a_frame_has_is_in_the_frames_of_todays_version() -> None:
    assert NEWEST.name == str(OURS.high), f"python -m tests.kept {OURS.high}"
    for frame in read_frames(NEWEST):
        message = decode(value_of(bytes_of(frame["frame"])), *kept.KINDS[frame["from"]])
        assert is_within(json.loads(json.dumps(kept.spell(message))), frame["says"]), RAISE_PV


def test_each_field_of_a_journal_is_in_the_journal_of_todays_format() -> None:
    path = NEWEST / "gold.journal"
    contents = read_file(path, data := path.read_bytes())
    founding = contents.kept["founding"]
    assert contents.format == FORMAT
    assert write(read_founding(founding)) == founding, RAISE_FORMAT
    assert all(msgpack.encode(step) in data for step in contents.steps), RAISE_FORMAT


def test_the_newest_frames_are_of_every_kind_that_there_is() -> None:
    found = kinds_in([dict(frame) for frame in read_frames(NEWEST)])
    structs = (
        *get_args(Request),
        *get_args(LobbyEvent),
        *(kind for kinds in kept.KINDS.values() for kind in kinds),
    )
    tags = {str(kind.__struct_config__.tag) for kind in structs}
    missing = tags.union(str(row.tag) for row in (*EVENT_ROWS, *MOVE_ROWS)) - found
    assert not missing, RAISE_PV


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda item: item.name)
@pytest.mark.parametrize("edition", BOOKS, ids=str)
def test_the_record_of_each_edition_is_read_and_is_the_same_game(
    folder: Path, edition: Edition
) -> None:
    text = (folder / f"{edition}.sab").read_text(encoding="utf-8")
    record = parse_record(text)
    assert isinstance(record, Record)
    assert format_record(record) == text
    (result,) = re.findall(r'^\[Result "(.*)"\]', text, re.MULTILINE)
    *_, (over, _events) = replay(record)
    assert over.phase is Phase.OVER
    assert result == " ".join(map(str, over.score.nuggets or ()))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda item: item.name)
def test_a_table_is_resumed_from_its_journal(folder: Path, tmp_path: Path) -> None:
    path = shutil.copy(folder / "gold.journal", tmp_path)
    table = resume(Path(path))
    try:
        assert table.room.lobby.name == "Gold Rush"
        assert [person.name for person in table.room.lobby.people] == ["Ann", "Ben", "Cleo", "Wim"]
        assert str(table.code) == "amber-tulip"
        assert (table.port, table.doors) == (7341, (DoorKind.WEB,))
    finally:
        table.journal.close()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda item: item.name)
def test_a_seat_is_found_in_its_file(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.seat"):
        shutil.copy(path, tmp_path)
    (stored,) = CredentialStore(tmp_path).list_stored()
    seat = stored.credentials
    assert (seat.name, seat.table, seat.title, seat.club) == (
        "Änne",
        "amber",
        "Gold Rush",
        "nugget",
    )
    assert seat.addresses == (Address("192.168.1.20", 7341), Address("fe80::1", 7342))
    assert (seat.key.secret, seat.pin) == (bytes(range(32)), bytes(range(32, 64)))
    assert seat.left_at.events == (0 if folder.name == "1" else 5)
    assert seat.seen.step == (17 if folder.name == str(OURS.high) else 0)  # hashes may be others
