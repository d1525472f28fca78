"""The real program on a terminal that controls it, as one's own does; and a shell with job control.

For systems with ptys.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.net.server.journal_tools import HOUSE
from tests.terminal import Screen, Terminal

_TAKES_TERMINAL = (
    "import fcntl, os, signal, sys, termios; "
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
"""A terminal has to be taken by who is to hear of its keys and of its end.

It is as under `nohup`: what ends with its terminal does so by itself.
"""

PROMPT = "ready> "
TAKEN = "\x1b[?1049h"
GIVEN_BACK = ("\x1b[?1049l", "\x1b[?25h", "\x1b[?1003l", "\x1b[?2004l", "\x1b[0 q")
"""Its own screen, its cursor, its mouse, its pasting, and how the cursor looks."""


class Recorder(Screen):
    """A screen that keeps all it was sent."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.sent = b""

    def feed(self, data: bytes) -> None:
        self.sent += data
        super().feed(data)

    @property
    def times_taken(self) -> int:
        """How often a program took the terminal for its own screen."""
        return self.sent.count(TAKEN.encode())

    @property
    def is_given_back(self) -> bool:
        """Whether the terminal is as it was, after a program took it."""
        taken = self.sent.rfind(TAKEN.encode())
        return taken >= 0 and all(
            self.sent.rfind(sequence.encode()) > taken for sequence in GIVEN_BACK
        )


def environ(folder: Path, **more: str) -> dict[str, str]:
    """An environment whose folders are a test's."""
    homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CONFIG", "DATA")}
    usual = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": str(HOUSE)}
    return {**usual, **path, "HOME": str(folder), **homes, **more}


async def program(folder: Path, *arguments: str, **more: str) -> tuple[Terminal, Recorder]:
    """A Python program, the only one on its terminal; `more` is in its environment."""
    return await start(environ(folder, **more), sys.executable, *arguments)


async def start_redirected(
    folder: Path, streams: str, *arguments: str
) -> tuple[Terminal, Recorder]:
    """A Python program whose streams a shell has redirected, such as by `2>/dev/null` or `<&-`."""
    command = f'exec "$@" {streams}'
    return await start(environ(folder), "sh", "-c", command, "sh", sys.executable, *arguments)


async def shell(folder: Path) -> tuple[Terminal, Recorder]:
    """A shell with job control."""
    env = environ(folder, PS1=PROMPT, HISTFILE="")
    at, screen = await start(env, "bash", "--norc", "--noprofile", "-i")
    await at.sees(PROMPT.strip())
    return at, screen


async def start(
    env: dict[str, str], *command: str, size: tuple[int, int] = (80, 24)
) -> tuple[Terminal, Recorder]:
    """Start a program, the only one on its terminal."""
    at = await Terminal.start(sys.executable, "-c", _TAKES_TERMINAL, *command, env=env, size=size)
    at.screen = screen = Recorder(*at.screen.size)
    return at, screen
