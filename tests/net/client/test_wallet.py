"""The tickets that a player keeps."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from net.client.ticket import Ticket
from net.client.wallet import FORGOTTEN, Wallet
from net.discovery.address import Address
from net.secure.code import RoomCode
from net.secure.seatkey import SeatKey

KEY = SeatKey(bytes(range(32)))


def ticket(key: SeatKey = KEY, name: str = "Ann") -> Ticket:
    return Ticket(
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
def wallet(tmp_path: Path) -> Wallet:
    return Wallet(tmp_path / "seats")


def test_a_ticket_is_read_as_it_was_kept(wallet: Wallet) -> None:
    wallet.keep(ticket())
    assert [kept.ticket for kept in wallet.tickets()] == [ticket()]


def test_there_are_no_tickets_where_none_was_kept(wallet: Wallet) -> None:
    assert wallet.tickets() == []
    assert not wallet.folder.exists()


def test_a_seat_has_one_ticket(wallet: Wallet) -> None:
    wallet.keep(ticket(name="Ann"))
    wallet.keep(ticket(name="Ann 2"))
    assert [kept.ticket.name for kept in wallet.tickets()] == ["Ann 2"]


def test_the_last_used_comes_first(wallet: Wallet) -> None:
    for number, name in enumerate(("Ann", "Ben", "Cy")):
        wallet.keep(ticket(SeatKey(bytes([number]) * 32), name))
    for number, kept in enumerate(wallet.tickets()):
        os.utime(kept.path, (2e9 + number, 2e9 + number))
    before = [kept.ticket.name for kept in wallet.tickets()]
    os.utime(wallet.tickets()[-1].path, (3e9, 3e9))
    assert [kept.ticket.name for kept in wallet.tickets()] == [before[-1], *before[:-1]]


def test_a_ticket_thrown_away_is_gone(wallet: Wallet) -> None:
    wallet.keep(ticket())
    wallet.drop(ticket())
    wallet.drop(ticket())
    assert wallet.tickets() == []


def test_a_ticket_nobody_used_for_long_is_thrown_away(wallet: Wallet) -> None:
    wallet.keep(ticket())
    path = wallet.tickets()[0].path
    old = path.stat().st_mtime - FORGOTTEN - 1
    os.utime(path, (old, old))
    assert wallet.tickets() == []
    assert not path.exists()


@pytest.mark.parametrize("years", [-50, 50])
def test_a_seat_in_use_is_kept_whatever_becomes_of_the_clock(wallet: Wallet, years: int) -> None:
    wallet.keep(ticket())
    (kept,) = wallet.tickets()
    then = kept.changed - years * 365 * 24 * 3600
    with wallet.using(ticket()):
        os.utime(kept.path, (then, then))
        assert [one.ticket for one in wallet.tickets()] == [ticket()]
    assert [one.ticket for one in wallet.tickets()] == [ticket()], "it was used just now"


def test_it_is_told_whether_a_ticket_is_kept(wallet: Wallet) -> None:
    assert wallet.keep(ticket())
    wallet.drop(ticket())
    wallet.folder.rmdir()
    wallet.folder.write_text("a file where a folder should be")
    assert not wallet.keep(ticket())


@pytest.mark.parametrize("spoilt", [b"", b"\xc1", b"\x80", b"not a ticket", bytes(2000)])
def test_a_spoilt_file_is_passed_over(wallet: Wallet, spoilt: bytes) -> None:
    wallet.keep(ticket())
    (wallet.folder / "other.seat").write_bytes(spoilt)
    assert [kept.ticket for kept in wallet.tickets()] == [ticket()]


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_a_ticket_is_its_owners_alone(wallet: Wallet) -> None:
    wallet.keep(ticket())
    assert stat.S_IMODE(wallet.tickets()[0].path.stat().st_mode) == 0o600
    assert stat.S_IMODE(wallet.folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_costs_only_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "seats").write_text("a file where a folder should be")
    wallet = Wallet(tmp_path / "seats")
    wallet.keep(ticket())
    with wallet.using(ticket()):
        assert wallet.tickets() == []


def test_a_seat_in_use_is_seen_to_be(wallet: Wallet) -> None:
    wallet.keep(ticket())
    with wallet.using(ticket()):
        assert [kept.in_use for kept in wallet.tickets()] == [True]
    assert [kept.in_use for kept in wallet.tickets()] == [False]


def test_a_program_that_is_killed_lets_go_of_its_seat(wallet: Wallet) -> None:
    wallet.keep(ticket())
    code = (
        "import sys; from pathlib import Path; from net.client import hold\n"
        "with hold.held(Path(sys.argv[1])) as got: print(got, flush=True); input()"
    )
    path = wallet.tickets()[0].path.with_suffix(".held")
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(  # noqa: S603 - ourselves
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        assert [kept.in_use for kept in wallet.tickets()] == [True]
        other.kill()
    assert [kept.in_use for kept in wallet.tickets()] == [False]
