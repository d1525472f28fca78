"""A table without a screen that is killed, and brought back by the line that it printed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.net.server.journal_tools import HOUSE

OPENED = (
    *("host", "Rush", "--headless", "--start-with", "1", "--bots", "2", "--open"),
    *("--speed", "instant"),
)


@contextmanager
def run(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command of Sabtui with folders of its own; kill it at the end."""
    folders = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("STATE", "CONFIG", "DATA")}
    with subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-m", "sabtui", *words],
        cwd=HOUSE,
        env={**os.environ, **folders, "HOME": str(home), "LANGUAGE": "en"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], pattern: str) -> tuple[str, re.Match[str]]:
    """Return what a program writes up to a line in which this is found, and what is found."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if found := re.search(pattern, line):
            return said, found
    raise AssertionError(f"no {pattern} in:\n{said}")


# `net/server/test_disk` is brought back, `room/test_waiting` begins
@pytest.mark.level("thorough")
def test_a_table_that_starts_by_itself_does_so_after_it_was_killed_and_brought_back(
    tmp_path: Path,
) -> None:
    again = r"^Ctrl\+C stops it; sabtui (.*) brings it back\.$"
    with run(tmp_path / "host", *OPENED) as table:
        before, command = read_until(table, again)
    assert command[1] == "host --resume Rush --headless --speed instant"
    with ExitStack() as running:
        table = running.enter_context(run(tmp_path / "host", *shlex.split(command[1])))
        after, command_again = read_until(table, again)
        assert command_again[1] == command[1]
        for said in (before, after):
            assert "The game starts automatically once 1 person is ready.\n" in said
        address = re.search(r"sabtui join [0-9.]+:([0-9]+)", after)
        assert address is not None
        words = f"join 127.0.0.1:{address[1]} --name Ann --autopilot --plain".split()
        guest = running.enter_context(run(tmp_path / "guest", *words))
        read_until(guest, "^The game begins")
