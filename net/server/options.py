"""The options of the server of a table or of a club."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from net.protocol.messages import DoorNow
from net.protocol.night import Night
from net.protocol.requests import DoorKind
from net.secure.code import RoomCode
from net.server.bot_process import WORKER_ARGUMENTS
from net.server.bots import BotPace


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server.

    `announce`: advertise the table on the network. `idle_seconds`: time without any connection
    after which a table stops (it can be resumed); `over_seconds`: the same once the game is over,
    if that is less, as such a table is on no list. `pace`: the time that bots take. `worker`:
    arguments of Python that start a process of bots; `doors`: those that start the process of each
    door that there is, with its state in `doors_folder`, speaking `language`; `on_door`: called
    with the state of a door, which the host is sent as well; `on_night`: with a club's night
    whenever it has changed, and `on_code` with its new room code.
    """

    announce: bool = True
    idle_seconds: float = math.inf
    over_seconds: float = 60.0
    pace: BotPace = field(default_factory=BotPace)
    worker: Sequence[str] = WORKER_ARGUMENTS
    doors: Mapping[DoorKind, Sequence[str]] = field(default_factory=dict)
    doors_folder: Path = Path()
    on_door: Callable[[DoorNow], None] = lambda _: None
    language: str = "en"
    on_night: Callable[[Night], None] = lambda _: None
    on_code: Callable[[RoomCode], None] = lambda _: None
