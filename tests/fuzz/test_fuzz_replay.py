"""Records from strangers: refused with a sentence, or watched and listed without harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from engine.notation import NotationError, format_record, parse_record
from engine.notation.record_parser import parse_summary, with_checks
from sabtui.after.library import Library, game_cells, search_words
from sabtui.after.replays import ReplayPosition, read_replay
from sabtui.after.screens import replay as rows
from sabtui.after.screens.replay import ReplayModel
from sabtui.app.errors import UserError
from sabtui.tui.theme import ASCII
from tests.engine.notation.games import RECORDS, statements
from tests.engine.notation.test_talk import talking
from tests.fuzz.fuzzing import fuzz, spoiling

TEXTS = tuple(path.read_bytes() for path in sorted(RECORDS.glob("*.sab")))
TALK = (RECORDS / "talk.sab").read_bytes()


def is_accepted(data: bytes, folder: Path) -> bool:
    """Open a record in every way; return True if it was accepted."""
    path = folder / "some.sab"
    path.write_bytes(data)
    library = Library(folder, "A")
    assert [*library.read()] == [1]
    for game in library.games:
        assert isinstance(" ".join(game_cells(game)) + search_words(game), str)
    try:
        position = read_replay(path).begin()
    except UserError as trouble:
        refused = str(trouble)
    else:
        return is_shown(position)
    assert refused.isprintable()
    assert len(refused) < 700 + len(str(path))
    return False


def is_shown(position: ReplayPosition) -> bool:
    """Return True once a game was drawn from both ends and two sides."""
    for at in (position, position.last, position.next_point_of_view()):
        model = ReplayModel.of(at, ASCII)
        drawn = rows.ReplayRows(model)
        assert rows.sentence(model).isprintable()
        assert drawn.players
        assert drawn.bottom
    return True


@fuzz(spoiling(*TEXTS), so_many=60)
def test_a_spoilt_record_is_refused_or_watched(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        is_accepted(data, Path(folder))


def test_a_record_with_any_one_byte_changed_is_refused_or_the_same_game(tmp_path: Path) -> None:
    same, rng = parse_record(TALK), Random(18)
    accepted, told = 0, list[str]()
    for at in range(len(TALK)):
        other = rng.choice([byte for byte in range(256) if byte != TALK[at]])
        try:
            record = parse_record(TALK[:at] + bytes([other]) + TALK[at + 1 :])
        except NotationError as error:
            told.append(str(error))
        else:
            accepted += 1
            assert record == same, "only a blank for a line break changes nothing"
    assert all(map(str.isprintable, told))
    assert accepted < 10
    assert is_accepted(TALK, tmp_path)


@pytest.mark.parametrize("name", ["\x1b[2J", "a\nb", "\u202eevil", "\x9b31m"])
def test_names_with_escapes_are_refused_even_with_right_checksums(
    name: str, tmp_path: Path
) -> None:
    for old in ('"A"', "Hello"):
        lines = [
            line.replace(old, old.replace("A", name).replace("Hello", name)) for line in parts()
        ]
        data = with_checks([line.split(" ") for line in lines]).encode()
        assert not is_accepted(data, tmp_path)


def parts() -> list[str]:
    """Return the statements of the record without checks, its talk on lines of their own."""
    return [" ".join(words) for words in statements(TALK.decode())]


@pytest.mark.parametrize(
    "filling", [b"x", b" ", b"{", b"{}", b'[A ""] ', b"\xff", b"\x00", b"NES@1 "]
)
def test_a_megabyte_of_anything_is_refused_quickly(filling: bytes, tmp_path: Path) -> None:
    data = (filling * (1 << 20))[: 1 << 20]
    for spoilt in (data, data + TALK, TALK + data, TALK.replace(b"Round 1", b"Round 1 " + data)):
        assert not is_accepted(spoilt, tmp_path)


def test_a_record_full_of_talk_is_watched(tmp_path: Path) -> None:
    record = talking(7, 10)
    more = replace(record, talk=record.talk * 3)
    ordered = replace(more, talk=tuple(sorted(more.talk, key=lambda said: said.place)))
    text = format_record(ordered)
    assert parse_record(text) == ordered
    assert parse_summary(text).names == record.names
    assert is_accepted(text.encode(), tmp_path)
