"""The program of a door: the port that it takes, and what it tells the table if it cannot open."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from net.protocol.doors import DoorKind, DoorTrouble
from net.secure.keys import SeatKey
from net.server.tables import HostedTable, resume
from sabtui.app.launcher import find_doors
from sabtui.doors import program, serve_by
from tests.net.server.served_table import HERE, QUICK, SMALL, new_table, run, until
from tests.sabtui.doors.open_doors import in_this_process
from tests.samples import first as first_of

HIDDEN = (
    "import sys; sys.path.insert(0, {folder!r}); sys.argv[1:] = [{kind!r}, '0']; "
    "from sabtui.doors.program import main; main()"
)
"""A door's program where the library in a folder hides the real one."""


@contextmanager
def take_port() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server((HERE, 0)) as listening:
        yield int(listening.getsockname()[1])


async def test_a_table_that_comes_back_has_the_port_of_its_door_if_that_is_free(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with take_port() as one, take_port() as two:
        free = [one, two]
    monkeypatch.setitem(program.DOOR_PORTS, DoorKind.SSH, free)
    key = SeatKey.new()
    table = new_table(where, key, SMALL)
    command = ("-m", "sabtui.doors.program", "ssh")
    options = replace(QUICK, doors={DoorKind.SSH: serve_by(command, tmp_path)})

    async def open_door(table: HostedTable) -> int:
        opening = replace(table, doors=(DoorKind.SSH,))
        async with in_this_process(), run(opening, key, options) as hosted:
            now = hosted.host.entrance.doors.now
            await until(lambda: DoorKind.SSH in now)
            return now[DoorKind.SSH].port

    with socket.create_server((HERE, free[0])):
        assert await open_door(table) == free[1]
    assert await open_door(resume(table.journal.path)) == free[1], "though the first is free now"
    with socket.create_server((HERE, free[1])):
        assert await open_door(resume(table.journal.path)) == free[0]
    assert await open_door(resume(table.journal.path)) == free[0]


async def trouble(where: Path, folder: Path, kind: DoorKind, *command: str) -> DoorTrouble:
    """What a table is told of a door that is this program."""
    key = SeatKey.new()
    table = replace(new_table(where, key, SMALL), doors=(kind,))
    options = replace(QUICK, doors={kind: serve_by(command, folder)})
    async with run(table, key, options) as hosted:
        now = hosted.host.entrance.doors.now
        await until(lambda: kind in now)
        assert not now[kind].port
        return now[kind].trouble


@pytest.mark.parametrize("kind", first_of(1, DoorKind, thorough=2))
async def test_a_machine_without_the_library_or_a_free_port_says_so(
    kind: DoorKind, where: Path, tmp_path: Path
) -> None:
    library = tmp_path / "hidden" / find_doors()[kind].library
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("raise ImportError\n")
    start = HIDDEN.format(folder=str(library.parent), kind=kind.value)
    assert await trouble(where, tmp_path, kind, "-c", start) is DoorTrouble.MISSING
    if find_spec(find_doors()[kind].library) is None:
        pytest.skip(f"{find_doors()[kind].library} is not here")
    with take_port() as port:
        async with in_this_process():
            command = ("-m", "sabtui.doors.program", kind.value, str(port))
            assert await trouble(where, tmp_path, kind, *command) is DoorTrouble.NO_PORT
