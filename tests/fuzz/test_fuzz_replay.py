"""Records from strangers: refused with a sentence, or watched and listed without harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.notation import format_record, parse_record
from engine.notation.record_parser import parse_summary
from sabtui.after.library import Library, game_cells, search_words
from sabtui.after.replays import ReplayPosition, read_replay
from sabtui.after.screens import replay as rows
from sabtui.after.screens.replay import ReplayModel
from sabtui.app.errors import UserError
from sabtui.tui.theme import ASCII
from tests.engine.notation.games import RECORDS
from tests.engine.notation.test_replays import talking
from tests.fuzz.fuzzing import fuzz, spoiling

TEXTS = tuple(path.read_bytes() for path in sorted(RECORDS.glob("*.sab")))


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


def test_a_record_full_of_talk_is_watched(tmp_path: Path) -> None:
    record = talking(7, 10)
    more = replace(record, talk=record.talk * 3)
    ordered = replace(more, talk=tuple(sorted(more.talk, key=lambda said: said.place)))
    text = format_record(ordered)
    assert parse_record(text) == ordered
    assert parse_summary(text).names == record.names
    assert is_accepted(text.encode(), tmp_path)
