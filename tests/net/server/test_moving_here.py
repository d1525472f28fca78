"""A table of another host that goes on at this computer: its journal, and one that was there."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from net.discovery.advert import OURS, DoorPorts
from net.protocol.messages import Mark
from net.room.state import PublicState
from net.secure.connection import authenticate, connect
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey
from net.server.journal import Journal, path_of
from net.server.journal_format import JournalBusy
from net.server.tables import move_here, resume
from tests.net.room.room_fixture import playing
from tests.net.server.served_table import HERE, Guest, run, until

ID = "0123456789abcdef"


def moves_here(folder: Path, term: int) -> Path:
    """Go on with a table at this computer; the path of its journal."""
    lobby = playing().lobby
    states = (PublicState(Mark(9, bytes(16)), lobby),)
    key = SeatKey(b"\x02" * 32)
    path, _pin = move_here(folder, ID, term=term, key=key, states=states, talk=(), code=None)
    return path


def test_a_table_that_comes_back_takes_the_place_of_its_earlier_journal(tmp_path: Path) -> None:
    assert moves_here(tmp_path, 18) == moves_here(tmp_path, 38) == path_of(ID, tmp_path)


def test_a_broken_journal_is_in_nobodys_way(tmp_path: Path) -> None:
    path = moves_here(tmp_path, 18)
    path.write_bytes(b"broken")
    assert moves_here(tmp_path, 38) == path


def test_a_host_elsewhere_that_claims_our_tables_id_does_not_end_our_table(tmp_path: Path) -> None:
    path = moves_here(tmp_path, 18)
    before = path.read_bytes()
    with Journal.open(path), pytest.raises(JournalBusy):
        moves_here(tmp_path, 38)
    assert path.read_bytes().startswith(before)
    with closing(resume(path).journal) as journal:
        assert journal.kept["founding"]


async def test_a_table_that_gathers_is_announced_with_who_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, key = playing().room.state, SeatKey.new()
    ann, ben, *others = state.lobby.people
    lobby = replace(state.lobby, people=(ann, replace(ben, key=key.public), *others))
    states = (PublicState.of(Mark(9, bytes(16)), lobby, state.began, state.view(None)),)
    path, pin = move_here(tmp_path, ID, term=18, key=key, states=states, talk=(), code=None)
    async with run(resume(path), key) as hosted:
        table, announced = hosted.host, list[int]()
        monkeypatch.setattr(
            table.entrance, "announce", lambda: announced.append(table.advert(DoorPorts()).people)
        )
        guest = Guest("Ben", hosted.port, key)
        hosted.guests.append(guest)
        connection = await connect(HERE, hosted.port, pin=pin)
        await authenticate(connection, ClientHandshake.come_back(pin, OURS, key))
        guest.begin(connection)
        await until(lambda: announced[-1:] == [1])
