"""The additions of this room to the core: a door of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sabtui.app.rooms import DoorProgram, SideRoom

if TYPE_CHECKING:
    from pathlib import Path

    from net.server.doors import ServeDoor


def _serve_by(arguments: Sequence[str], folder: Path, language: str) -> ServeDoor:
    from sabtui.doors.table_side import serve_by

    return serve_by(arguments, folder, language)


ROOM: Final = SideRoom(
    doors=(
        DoorProgram("ssh", ("-m", "sabtui.doors.program", "ssh"), "asyncssh", _serve_by),
        DoorProgram("web", ("-m", "sabtui.doors.program", "web"), "websockets", _serve_by),
    )
)
