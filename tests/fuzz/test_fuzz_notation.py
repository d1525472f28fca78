"""Notation that is spoilt is refused, or read and written; records also watched and listed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from engine.notation import (
    NotationError,
    format_cell,
    format_move,
    format_position,
    format_record,
    parse_card,
    parse_cell,
    parse_move,
    parse_position,
    parse_record,
)
from engine.notation.record import Replay
from engine.notation.record_parser import parse_summary
from sabtui.after.library import Library, game_cells, search_words
from sabtui.after.replays import ReplayPosition, read_replay
from sabtui.after.screens import replay as rows
from sabtui.after.screens.replay import ReplayModel
from sabtui.app.errors import UserError
from sabtui.tui.theme import ASCII
from tests.engine.notation.games import RECORDS
from tests.engine.notation.test_replays import talking
from tests.fuzz.fuzzing import fuzz, spoiling, spoiling_text

POSITIONS = [
    line
    for path in sorted((RECORDS.parent / "positions").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.count(" ") >= 6 and not line.startswith("#")
]
SHORT = ("NES@3n1", "-L>2", "+LC>2:C", "R@3n1", "M@8n2", "xNES", "x?", "$2", "8s2", "+PL")
TEXTS = tuple(path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.sab")))
BYTES = tuple(text.encode() for text in TEXTS)


def check_error(error: NotationError) -> None:
    """Check how an error tells where it is."""
    assert str(error).isprintable()
    assert len(str(error)) < 500


def test_there_is_something_to_spoil() -> None:
    assert len(POSITIONS) > 10
    assert len(TEXTS) > 3


@fuzz(spoiling_text(*POSITIONS) | st.text(max_size=60), so_many=200)
def test_a_spoilt_position_is_refused_or_read_and_written(text: str) -> None:
    try:
        position = parse_position(text)
    except NotationError as error:
        check_error(error)
    else:
        written = format_position(position)
        assert format_position(parse_position(written)) == written


@fuzz(spoiling_text(*SHORT) | st.text(max_size=12), so_many=200)
def test_a_spoilt_move_card_or_cell_is_refused_or_read_and_written(text: str) -> None:
    with suppress(NotationError):
        assert format_move(parse_move(text)) in (text, text.partition(":")[0])
    with suppress(NotationError):
        parse_move(text)
    with suppress(NotationError):
        assert str(parse_card(text)) == text
    with suppress(NotationError):
        assert format_cell(parse_cell(text)) == text


@fuzz(spoiling_text(*TEXTS) | spoiling(*BYTES), so_many=125)
def test_a_spoilt_record_is_refused_or_read_and_written(text: str | bytes) -> None:
    try:
        record = parse_record(text)
    except NotationError as error:
        check_error(error)
    else:
        Replay.of(record)
        written = format_record(record)
        assert format_record(parse_record(written)) == written


# Records from strangers: refused with a sentence, or watched and listed without harm.


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


@fuzz(spoiling(*BYTES), so_many=60)
def test_a_spoilt_record_is_refused_or_watched(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        is_accepted(data, Path(folder))


def test_a_record_full_of_talk_is_watched(tmp_path: Path) -> None:
    record = talking(7, 10)
    more = replace(record, talk=record.talk * 3)
    ordered = replace(more, talk=tuple(sorted(more.talk, key=lambda said: said.place)))
    text = format_record(ordered)
    assert parse_record(text) == ordered
    assert parse_summary(text).names == record.names
    assert is_accepted(text.encode(), tmp_path)
