"""A club in lines of text: in the hall, at a table, and back, with lines that come all at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from net.client.session import ConnectionState, HallSight, Status, Update
from net.protocol.hall import HallPerson
from sabtui.app.club_visit import ClubVisit
from sabtui.plain.console import Console
from sabtui.plain.hall import _Hall
from tests.net.server.child_process import start_child
from tests.net.server.journal_tools import HOUSE
from tests.net.server.served_table import CODE, HERE

JOIN = "import sys; from sabtui.cli.main import main; sys.exit(main(sys.argv[1:]))"


async def lines_of(port: int, folder: Path, name: str, typed: Sequence[str]) -> tuple[int, str]:
    """Join a club in lines of text, with all lines typed at once; return the exit code and output.

    Whatever a person may read and type, this is a program of its own.
    """
    homes = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    env = {**os.environ, **{home: str(folder / name) for home in homes}}
    words = ["join", f"{HERE}:{port}", "--code", str(CODE), "--name", name, "--plain"]
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", JOIN, *words],
        cwd=HOUSE,
        env=env,
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


async def test_all_that_is_typed_is_read_in_the_hall_or_at_the_table_where_it_belongs(
    tmp_path: Path,
) -> None:
    async with start_child("club", tmp_path / "clubs") as child:
        port = int(await child.line())
        typed = ["talk hello", "new Deep Mine", "bot", "quit", "yes", "00012", "who", "quit"]
        code, said = await lines_of(port, tmp_path, "Cleo", typed)
        assert code == 0
        hall, _joined, rest = said.partition("Table: Deep Mine.")
        table, _back, again = rest.partition(
            "sabtui join brings you back.\nThe Nugget: you are Cleo"
        )
        assert "Cleo: hello" in hall
        assert "Borin (medium bot) took seat 2." in table
        assert "1 Deep Mine: 2/5 players, open, international" in again
        assert again.count("A number joins a table") == 3, "once by itself, for 00012, and for who"
        code, said = await lines_of(port, tmp_path, "Dan", ["watch 1", "quit", "yes"])
        assert code == 0, "the end of the input ends the visit"
        assert "Cleo: hello" in said
        assert said.count("The Nugget: you are Dan") == 2


def test_lines_are_read_again_once_the_link_is_lost_on_which_a_table_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Console, "say", lambda _console, _lines: None)
    sight = HallSight("The Nugget", "Cleo", people=(HallPerson("Cleo"),))
    there = Status(connection=ConnectionState.CONNECTED, hall=sight)
    session = SimpleNamespace(status=there)
    visit = SimpleNamespace(
        hall=lambda: SimpleNamespace(make=lambda _on_update: session), ask=lambda _request: None
    )
    hall = _Hall(cast("ClubVisit", visit), Console())
    hall._take(Update(there))
    hall._read("new Deep Mine")
    takes = [hall._takes_line]  # what a line means depends on the answer
    hall._take(Update(replace(there, connection=ConnectionState.LOST)))
    assert [*takes, hall._takes_line] == [False, True], "no answer will come"
    hall._session._loop.close()
