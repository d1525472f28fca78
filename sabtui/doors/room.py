"""The additions of this room to the core: a door of each kind."""

from typing import Final

from sabtui.app.rooms import DoorProgram, SideRoom

ROOM: Final = SideRoom(
    doors=(
        DoorProgram("ssh", ("-m", "sabtui.doors.program", "ssh"), "asyncssh"),
        DoorProgram("web", ("-m", "sabtui.doors.program", "web"), "websockets"),
    )
)
