"""The credentials that a player keeps."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from random import Random

import pytest

from net.client.credentials import UNUSED_LIFETIME_S, Credentials, CredentialStore, Place
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey

KEY = SeatKey(bytes(range(32)))


def credentials(key: SeatKey = KEY, name: str = "Ann") -> Credentials:
    return Credentials(
        name=name,
        addresses=(Address("192.0.2.1", 7341), Address("fe80::1%eth0", 7342)),
        key=key,
        table="0123456789abcdef",
        title="Gold Rush",
        pin=bytes(32),
        code=RoomCode("amber", "tulip"),
        watch=True,
        left_at=Place(bytes(range(16)), 2, 0, 17),
        may_differ=False,
    )


@pytest.fixture
def store(tmp_path: Path) -> CredentialStore:
    return CredentialStore(tmp_path / "seats")


def test_credentials_are_read_as_they_were_kept(store: CredentialStore) -> None:
    store.store(credentials())
    (found,) = store.list_stored()
    assert found.credentials == credentials()
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


def test_a_seat_that_the_system_cannot_look_at_is_told(store: CredentialStore) -> None:
    store.store(credentials())
    path = store.folder / "loop.seat"
    assert path.suffix == store.list_stored()[0].path.suffix
    path.symlink_to(path)
    assert [seat.path for seat in store.list_unreadable()] == [path]
    assert len(store.list_stored()) == 1


def test_the_last_used_comes_first(store: CredentialStore) -> None:
    for number, name in enumerate(("Ann", "Ben", "Cy")):
        store.store(credentials(SeatKey(bytes([number]) * 32), name))
    for number, found in enumerate(store.list_stored()):
        os.utime(found.path, (2e9 + number, 2e9 + number))
    before = [kept.credentials.name for kept in store.list_stored()]
    os.utime(store.list_stored()[-1].path, (3e9, 3e9))
    assert [kept.credentials.name for kept in store.list_stored()] == [before[-1], *before[:-1]]


def test_credentials_nobody_used_for_long_are_thrown_away(store: CredentialStore) -> None:
    store.store(credentials())
    path = store.list_stored()[0].path
    old = path.stat().st_mtime - UNUSED_LIFETIME_S - 1
    os.utime(path, (old, old))
    assert store.list_stored() == []
    assert not path.exists()


@pytest.mark.parametrize("years", [-50, 50])
def test_a_seat_in_use_is_seen_to_be_and_kept_whatever_becomes_of_the_clock(
    store: CredentialStore, years: int
) -> None:
    store.store(credentials())
    (found,) = store.list_stored()
    then = found.changed - years * 365 * 24 * 3600
    with store.using(credentials()):
        os.utime(found.path, (then, then))
        (kept,) = store.list_stored()
        assert (kept.credentials, kept.in_use) == (credentials(), True)
    (kept,) = store.list_stored()
    assert (kept.credentials, kept.in_use) == (credentials(), False), "it was used just now"


def test_it_is_told_whether_credentials_are_kept(store: CredentialStore) -> None:
    assert store.store(credentials())
    store.remove(credentials())
    store.folder.rmdir()
    store.folder.write_text("a file where a folder should be")
    assert not store.store(credentials()), "it costs only the way back"
    with store.using(credentials()):
        assert store.list_stored() == []


@pytest.mark.parametrize("spoilt", [b"", b"\xc1", b"\x80", b"no credentials", bytes(2000)])
def test_a_spoilt_file_is_told(store: CredentialStore, spoilt: bytes) -> None:
    store.store(credentials())
    (store.folder / "other.seat").write_bytes(spoilt)
    assert [found.credentials for found in store.list_stored()] == [credentials()]
    (lost,) = store.list_unreadable()
    assert (lost.path.name, lost.title) == ("other.seat", "")


def test_whatever_becomes_of_its_bytes_a_seat_is_told_to_be_lost_or_as_it_was(
    store: CredentialStore,
) -> None:
    store.store(credentials())
    path = store.list_stored()[0].path
    whole, random, titles = path.read_bytes(), Random(60), set[str]()
    for number in range(500):
        spoilt = bytearray(whole)
        if number % 5 == 0:
            del spoilt[random.randrange(len(spoilt)) :]
        else:
            for _ in range(random.choice([1, 1, 1, 2, 9])):
                spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
        path.write_bytes(spoilt)
        if spoilt == whole:
            continue
        assert store.list_stored() == []
        (lost,) = store.list_unreadable()
        titles.add(lost.title)
    assert "Gold Rush" in titles
    path.write_bytes(whole)
    assert (len(store.list_stored()), store.list_unreadable()) == (1, [])


def test_a_seat_that_a_release_wrote_without_a_digest_is_read(store: CredentialStore) -> None:
    store.store(credentials())
    path = store.list_stored()[0].path
    path.write_bytes(path.read_bytes()[24:])
    assert [found.credentials for found in store.list_stored()] == [credentials()]
