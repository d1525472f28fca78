"""Try an installed Sabtui: `python tryout.py COMMAND...`, such as `python tryout.py sabtui`.

A table without a screen is played to its end by two programs, practice begins, and both doors open.
It needs the standard library alone, so that it runs where nothing but Sabtui is installed, and
keeps to a folder of its own. Exits with a sentence on what did not work.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.request import urlopen

PATIENCE_S: Final = 120.0
"""Seconds in which each part has to be done."""

CODE: Final = "amber-tulip"
TABLE: Final = (
    *("host", "--headless", "--players", "3", "--bots", "1", "--level", "easy", "--rounds", "1"),
    *("--speed", "instant", "--start-with", "2", "--code", CODE, "--ssh", "--web"),
)
OVER: Final = "Nuggets"
"""What a program prints when the game is over."""


def run(command: list[str], *words: str, typed: str = "") -> str:
    """Run Sabtui to its end, and return what it printed."""
    done = subprocess.run(  # noqa: S603 - what we were told to try
        [*command, *words],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr or done.stdout}")
    return done.stdout


@contextmanager
def started(command: list[str], *words: str) -> Iterator[Path]:
    """Have Sabtui run meanwhile; give the file that it prints into."""
    printed = Path.home() / f"{words[0]}-{words[-1].strip('-')}.txt"
    with printed.open("wb") as out:
        program = subprocess.Popen(  # noqa: S603 - as above
            [*command, *words], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            yield printed
        finally:
            program.terminate()
            program.communicate()


def read_on(printed: Path, pattern: str) -> str:
    """Wait until a line of this pattern is printed, and return its first group."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        text = printed.read_text("utf-8", errors="replace")
        if (found := re.search(pattern, text)) is not None:
            return found[1]
        time.sleep(0.1)
    sys.exit(f"nothing was printed like {pattern}: {printed.read_text('utf-8', errors='replace')}")


def play_to_the_end(command: list[str]) -> None:
    """Open a table with both doors, and have two programs play a game at it."""
    with started(command, *TABLE) as table:
        address = read_on(table, r"sabtui join ([\d.]+:\d+)")
        page = read_on(table, r"(http://[\d.]+:\d+/)")
        ssh_port = read_on(table, r"ssh -p (\d+)")
        with urlopen(page, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own http address
            if b"<title>" not in answer.read():
                sys.exit(f"{page} is no page")
        host = address.rpartition(":")[0]
        with socket.create_connection((host, int(ssh_port)), PATIENCE_S) as line:
            if not line.recv(64).startswith(b"SSH-2.0"):
                sys.exit("the ssh door does not speak ssh")
        joining = ("join", address, "--code", CODE, "--plain", "--autopilot", "--name")
        with started(command, *joining, "Ann") as ann, started(command, *joining, "Ben") as ben:
            for printed in (ann, ben):
                read_on(printed, f"({OVER})")


def main(command: list[str]) -> None:
    """Try all of it, and say what went well."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"):
            os.environ[name] = home
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ.pop(name, None)
        os.chdir(home)
        version = run(command, "--version").strip()
        begun = time.monotonic()
        run(command, "--version")
        took = time.monotonic() - begun
        if "fine" not in run(command, "doctor"):
            sys.exit("the doctor finds nothing fine")
        if "Your turn" not in run(command, "--plain", "practise", "--rounds", "1", typed="?\n"):
            sys.exit("practice does not begin")
        play_to_the_end(command)
    print(f"{version}: --version {took:.1f} s, doctor, practice, a table and both doors work")


if __name__ == "__main__":
    main(sys.argv[1:])
