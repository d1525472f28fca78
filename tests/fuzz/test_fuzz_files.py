"""Files spoilt by a disk, a hand or a stranger: journals, credentials, settings, records."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from net.client.credentials import Credentials, CredentialStore
from net.protocol.text import clean_name
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.journal import Journal, list_journals
from net.server.journal_format import JournalBroken, JournalUnwritable
from sabtui.app.preferences import Bell, Preferences, PreferencesStore, Theme
from sabtui.art import Art
from tests.fuzz.fuzzing import fuzz, spoiling
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
