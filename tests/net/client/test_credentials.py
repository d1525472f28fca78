"""The tickets that a player keeps."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from net.client.credentials import UNUSED_LIFETIME_S, Credentials, CredentialStore
from net.discovery.address import Address
from net.security.code import RoomCode
from net.security.keys import SeatKey

KEY = SeatKey(bytes(range(32)))


def ticket(key: SeatKey = KEY, name: str = "Ann") -> Credentials:
    return Credentials(
        name=name,
        addresses=(Address("192.0.2.1", 7341), Address("fe80::1%eth0", 7342)),
        key=key,
        table="0123456789abcdef",
        title="Gold Rush",
        pin=bytes(32),
        code=RoomCode("amber", "tulip"),
        watch=True,
        may_differ=False,
    )


@pytest.fixture
def wallet(tmp_path: Path) -> CredentialStore:
    return CredentialStore(tmp_path / "seats")


def test_a_ticket_is_read_as_it_was_kept(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    assert [found.credentials for found in wallet.stored()] == [ticket()]


def test_there_are_no_tickets_where_none_was_kept(wallet: CredentialStore) -> None:
    assert wallet.stored() == []
    assert not wallet.folder.exists()


def test_a_seat_has_one_ticket(wallet: CredentialStore) -> None:
    wallet.store(ticket(name="Ann"))
    wallet.store(ticket(name="Ann 2"))
    assert [found.credentials.name for found in wallet.stored()] == ["Ann 2"]


def test_the_last_used_comes_first(wallet: CredentialStore) -> None:
    for number, name in enumerate(("Ann", "Ben", "Cy")):
        wallet.store(ticket(SeatKey(bytes([number]) * 32), name))
    for number, found in enumerate(wallet.stored()):
        os.utime(found.path, (2e9 + number, 2e9 + number))
    before = [kept.credentials.name for kept in wallet.stored()]
    os.utime(wallet.stored()[-1].path, (3e9, 3e9))
    assert [kept.credentials.name for kept in wallet.stored()] == [before[-1], *before[:-1]]


def test_a_ticket_thrown_away_is_gone(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    wallet.remove(ticket())
    wallet.remove(ticket())
    assert wallet.stored() == []


def test_a_ticket_nobody_used_for_long_is_thrown_away(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    path = wallet.stored()[0].path
    old = path.stat().st_mtime - UNUSED_LIFETIME_S - 1
    os.utime(path, (old, old))
    assert wallet.stored() == []
    assert not path.exists()


@pytest.mark.parametrize("years", [-50, 50])
def test_a_seat_in_use_is_kept_whatever_becomes_of_the_clock(
    wallet: CredentialStore, years: int
) -> None:
    wallet.store(ticket())
    (found,) = wallet.stored()
    then = found.changed - years * 365 * 24 * 3600
    with wallet.using(ticket()):
        os.utime(found.path, (then, then))
        assert [one.credentials for one in wallet.stored()] == [ticket()]
    assert [one.credentials for one in wallet.stored()] == [ticket()], "it was used just now"


def test_it_is_told_whether_a_ticket_is_kept(wallet: CredentialStore) -> None:
    assert wallet.store(ticket())
    wallet.remove(ticket())
    wallet.folder.rmdir()
    wallet.folder.write_text("a file where a folder should be")
    assert not wallet.store(ticket())


@pytest.mark.parametrize("spoilt", [b"", b"\xc1", b"\x80", b"not a ticket", bytes(2000)])
def test_a_spoilt_file_is_passed_over(wallet: CredentialStore, spoilt: bytes) -> None:
    wallet.store(ticket())
    (wallet.folder / "other.seat").write_bytes(spoilt)
    assert [found.credentials for found in wallet.stored()] == [ticket()]


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_a_ticket_is_its_owners_alone(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    assert stat.S_IMODE(wallet.stored()[0].path.stat().st_mode) == 0o600
    assert stat.S_IMODE(wallet.folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_costs_only_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "seats").write_text("a file where a folder should be")
    credential_store = CredentialStore(tmp_path / "seats")
    credential_store.store(ticket())
    with credential_store.using(ticket()):
        assert credential_store.stored() == []


def test_a_seat_in_use_is_seen_to_be(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    with wallet.using(ticket()):
        assert [found.in_use for found in wallet.stored()] == [True]
    assert [kept.in_use for kept in wallet.stored()] == [False]


def test_a_program_that_is_killed_lets_go_of_its_seat(wallet: CredentialStore) -> None:
    wallet.store(ticket())
    code = (
        "import sys; from pathlib import Path; from net.client.credentials import file_lock\n"
        "with file_lock(Path(sys.argv[1])) as got: print(got, flush=True); input()"
    )
    path = wallet.stored()[0].path.with_suffix(".held")
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(  # noqa: S603 - ourselves
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        assert [found.in_use for found in wallet.stored()] == [True]
        other.kill()
    assert [kept.in_use for kept in wallet.stored()] == [False]
