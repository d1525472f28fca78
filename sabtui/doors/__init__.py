"""Doors: a guest without Sabtui plays on the host's computer, from a terminal or a browser.

program       the program of a door
table_side    starts a door's process for a table, and answers it
table_link    a door's questions to its table, and the answers
guests        which guest returns to which seat, and the limits of both doors
nursery       starts the processes of screens from one that has loaded everything they need
forking       how that process forks them
guest_screen  a guest's screen as the door sees it, in pieces whose length says little
ssh_door      the SSH door, which admits guests
ssh_session   their screens, and limits on what a client can store here
web_door      the browser door: serves `web_page`, and runs the programs of its guests
web_login     admits guests after an exchange with a page, whose messages it encrypts

A door is a program of its own, started by the table's. It loads neither screens nor lines: a
guest's screen is a process of its own (`guest_program`), and joins the table over loopback like any
client. Only modules that begin with `ssh` or `web` need asyncssh or websockets.

`FEATURE` has what this package adds to the core: a door of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sabtui.app.features import DoorProgram, Feature

if TYPE_CHECKING:
    from pathlib import Path

    from net.server.doors import ServeDoor


def serve_by(program: Sequence[str], folder: Path, language: str = "en") -> ServeDoor:
    """Return the function that serves a door by a process: Python with these arguments."""
    from sabtui.doors.table_side import DoorProcess

    return DoorProcess(program, folder, language).serve


FEATURE: Final = Feature(
    doors=(
        DoorProgram("ssh", ("-m", "sabtui.doors.program", "ssh"), "asyncssh", serve_by),
        DoorProgram("web", ("-m", "sabtui.doors.program", "web"), "websockets", serve_by),
    )
)
