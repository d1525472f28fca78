"""Effects that a `Room` returns for its caller, the shell, to carry out, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from net.protocol.framing import Wire
from net.protocol.messages import HostMessage
from net.protocol.requests import SwitchDoor, TableRequest


class JournalStep(Wire, frozen=True, tag="step"):
    """The write of one step of the room. Steps are numbered 1, 2, 3 and so on, without gaps."""

    number: int
    payload: bytes


TICK_S: Final = 1.0  # seconds until the shell calls `inputs.tick` again


class SendFrame(Struct, frozen=True):
    """Send a message on connections, at least one; it is the same for all of them."""

    connections: tuple[int, ...]
    message: HostMessage


@dataclass(frozen=True, slots=True)
class CloseConnection:
    """Close a connection, already forgotten by the room, once everything sent is delivered."""

    connection: int


Output: TypeAlias = SendFrame | CloseConnection


class Effects(Struct, frozen=True):
    """Work for the shell: first write `steps` to the journal, then carry out `do` in order.

    Nothing in `do` may be done before step `after` is on disk. Effects must not overtake earlier
    ones, except those with `after` 0, which contain nothing that a crash could undo.
    """

    steps: tuple[JournalStep, ...] = ()
    do: tuple[Output, ...] = ()
    after: int = 0
    finished: bool = False  # True if the table is closed for good
    go_unsaved: bool = False  # True if its host continues although nothing can be saved
    switches: tuple[SwitchDoor, ...] = ()  # doors to open or close
    asked: tuple[Asked, ...] = ()  # requests to a hall that its club has to carry out


class Asked(NamedTuple):
    """A member's request in a hall by the command `id`; the room has recorded it."""

    member: int
    id: int
    request: TableRequest
