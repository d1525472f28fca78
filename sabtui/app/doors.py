"""The doors that this Sabtui can open beside a table, and why it cannot open one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from net.protocol.requests import DoorKind
from sabtui.app.errors import UserError
from sabtui.app.launcher import state_folder
from sabtui.app.rooms import DoorProgram, rooms
from sabtui.text.doors import extra_missing, no_doors_here

HAS_TERMINALS: Final = sys.platform != "win32"
"""True if a program can be given a terminal of its own, as each guest's screen is."""


def find_doors() -> dict[DoorKind, DoorProgram]:
    """Return the program of each kind of door; the extra with its library is called as it is."""
    return {DoorKind(door.kind): door for room in rooms() for door in room.doors}


def door_programs() -> dict[DoorKind, Sequence[str]]:
    """Return the arguments of Python that start each door."""
    return {kind: door.arguments for kind, door in find_doors().items()}


def doors_folder() -> Path:
    """Return the folder in which doors keep their keys and their guests."""
    return state_folder() / "doors"


def why_no_door(kind: DoorKind) -> str | None:
    """Return the sentence that says why a door cannot be opened here, None if it can."""
    if not HAS_TERMINALS:
        return no_doors_here()
    return None if find_spec(find_doors()[kind].library) else extra_missing(kind)


def check_doors(kinds: Iterable[DoorKind]) -> None:
    """Check that doors can be opened here.

    Raises UserError: one cannot, and how that is mended.
    """
    for kind in kinds:
        trouble = why_no_door(kind)
        if trouble is not None:
            raise UserError(trouble)
