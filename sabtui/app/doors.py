"""The doors that this Sabtui can open beside a table, and why it cannot open one.

A door's program is started by its name: doors are a layer above this one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from net.protocol.requests import DoorKind
from sabtui.app.errors import UserError
from sabtui.app.launcher import state_folder
from sabtui.text.doors import extra_missing, no_doors_here

HAS_TERMINALS: Final = sys.platform != "win32"
"""True if a program can be given a terminal of its own, as each guest's screen is."""

PROGRAMS: Final[Mapping[DoorKind, Sequence[str]]] = {
    DoorKind.SSH: ("-m", "sabtui.doors.program", "ssh"),
    DoorKind.WEB: ("-m", "sabtui.doors.program", "web"),
}
"""Arguments of Python that start each door."""

LIBRARIES: Final[Mapping[DoorKind, str]] = {DoorKind.SSH: "asyncssh", DoorKind.WEB: "websockets"}
"""The library without which a door cannot be opened; the extra is called as the door is."""


def doors_folder() -> Path:
    """Return the folder in which doors keep their keys and their guests."""
    return state_folder() / "doors"


def why_no_door(kind: DoorKind) -> str | None:
    """Return the sentence that says why a door cannot be opened here, None if it can."""
    if not HAS_TERMINALS:
        return no_doors_here()
    return None if find_spec(LIBRARIES[kind]) else extra_missing(kind)


def check_doors(kinds: Iterable[DoorKind]) -> None:
    """Check that doors can be opened here.

    Raises UserError: one cannot, and how that is mended.
    """
    for kind in kinds:
        trouble = why_no_door(kind)
        if trouble is not None:
            raise UserError(trouble)
