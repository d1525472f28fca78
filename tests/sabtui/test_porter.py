"""The way to a table by a ticket: whoever opened the table here has others to invite."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.client.ticket import Ticket
from net.discovery.address import Address
from net.journal import path_of
from net.secure.code import RoomCode
from sabtui import porter
from sabtui.porter import way
from tests.net.journal_tools import create

TABLE = "0123456789abcdef"
HERE = Address("127.0.0.1", 7341)
AFAR = Address("192.0.2.1", 7341)


@pytest.fixture(autouse=True)
def opened_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a journal of a table that was opened here."""
    monkeypatch.setattr(porter, "state_folder", lambda: tmp_path)
    (tmp_path / "tables").mkdir()
    create(path_of(TABLE, tmp_path / "tables")).close()


def ticket(table: str, *addresses: Address) -> Ticket:
    code = RoomCode.parse("amber-tulip")
    return Ticket(name="Ann", addresses=addresses, table=table, title="Rush", code=code)


def test_who_comes_back_to_their_own_table_sees_its_code_again() -> None:
    facts = way(ticket(TABLE, AFAR, HERE)).facts
    assert facts is not None
    assert (facts.title, facts.code) == ("Rush", "amber-tulip")
    assert facts.ssh.endswith(" sabtui join localhost:7341")


def test_a_guest_is_told_nothing_to_tell() -> None:
    assert way(ticket(TABLE, AFAR)).facts is None
    assert way(ticket("f" * 16, AFAR, HERE)).facts is None
