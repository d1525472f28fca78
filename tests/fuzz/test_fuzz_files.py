"""Files spoilt by a disk, a hand or a stranger: journals, credentials, settings, notation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from engine.notation import (
    NotationError,
    format_cell,
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
from net.client.credentials import Credentials, CredentialStore
from net.protocol.cleaning import clean_name
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.journal import Journal, list_journals
from net.server.journal_format import JournalBroken, JournalUnwritable
from sabtui.after import replay_screen
from sabtui.after.library import game_cells, read_library, search_words
from sabtui.after.replay_screen import ReplayModel
from sabtui.after.replays import ReplayPosition, read_replay
from sabtui.app.errors import UserError
from sabtui.app.preferences import Bell, Preferences, PreferencesStore, Theme
from sabtui.art import Art
from sabtui.tui.theme import ASCII
from tests.engine.notation.games import RECORDS
from tests.engine.notation.test_replays import talking
from tests.fuzz.fuzzing import fuzz, spoiling, spoiling_text
from tests.net.server.journal_tools import create, expected_steps, quick_folder

CREDENTIALS = Credentials(
    name="Ann",
    addresses=(Address("192.0.2.1", 7341), Address("fe80::1%eth0", 7342)),
    key=SeatKey(bytes(range(32))),
    table="0123456789abcdef",
    title="Gold Rush",
    pin=bytes(32),
    code=RoomCode("amber", "tulip"),
)


@cache
def journal() -> bytes:
    """A journal as a host leaves it."""
    with quick_folder() as folder:
        path = folder / "mine.table"
        with create(path) as made:
            made.commit(expected_steps(20))
        return path.read_bytes()


@cache
def credentials() -> bytes:
    """Credentials as they are kept."""
    with TemporaryDirectory() as folder:
        credential_store = CredentialStore(Path(folder))
        credential_store.store(CREDENTIALS)
        return credential_store.list_stored()[0].path.read_bytes()


def settings() -> bytes:
    """Settings as they are kept."""
    with TemporaryDirectory() as folder:
        store = PreferencesStore(Path(folder) / "settings")
        store.write(Preferences("Ann", art=Art.ASCII, theme=Theme.LIGHT, bell=Bell.OFF))
        return store.path.read_bytes()


@fuzz(st.deferred(lambda: spoiling(journal())), so_many=75)
def test_a_spoilt_journal_is_refused_or_the_same(spoilt: bytes) -> None:
    with quick_folder() as folder:
        path = folder / "mine.table"
        path.write_bytes(spoilt)
        list_journals(folder)
        try:
            with Journal.open(path) as opened:
                assert opened.steps in ([], expected_steps(20)), "the last commit may be cut off"
                assert len(opened.kept) == 2
        except (JournalBroken, JournalUnwritable):
            pass


@fuzz(st.deferred(lambda: spoiling(credentials())), so_many=150)
def test_spoilt_credentials_are_passed_over_or_can_be_used(spoilt: bytes) -> None:
    with TemporaryDirectory() as folder:
        credential_store = CredentialStore(Path(folder))
        (Path(folder) / "some.seat").write_bytes(spoilt)
        for kept in credential_store.list_stored():
            credentials = kept.credentials
            assert len(credentials.key.public) == 32
            assert credentials.pin is not None
            assert len(credentials.pin) == 32
            assert all(1 <= address.port <= 65535 for address in credentials.addresses)
            assert clean_name(credentials.name) == credentials.name
            assert credentials.title.isprintable()
            with credential_store.using(credentials):
                credential_store.store(credentials)


@fuzz(st.deferred(lambda: spoiling(settings())), so_many=60)
def test_spoilt_settings_are_the_usual_ones_and_are_told_of_in_one_line(spoilt: bytes) -> None:
    with TemporaryDirectory() as folder:
        store = PreferencesStore(Path(folder) / "settings")
        store.path.write_bytes(spoilt)
        preferences, text = store.read()
        assert clean_name(preferences.name) == preferences.name
        assert text.isprintable()
        assert store.write(preferences) == ""
        assert store.read() == (preferences, "")


# Notation that is spoilt is refused, or read and written.

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


@fuzz(spoiling_text(*POSITIONS) | st.text(max_size=60), so_many=100)
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
        assert str(parse_move(text)) in (text, text.partition(":")[0])
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
    for game in read_library(folder, "A").games:
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
        drawn = replay_screen.ReplayRows(model)
        assert replay_screen.sentence(model).isprintable()
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
