"""The result of a message of the host: what is new, what is answered, and what to send to it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event
from engine.view import View
from net.client.audit import Audit
from net.lobby.events import LobbyEvent
from net.protocol.election import ElectorsTold, HandingOver
from net.protocol.messages import ClientMessage, CloseReason, CommandRefused


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A step whose result differs from the host's, by its hash.

    `told` is the host's hash. `held` is ours, empty if the step could not be applied. `news` and
    `events` are the class names of the step's lobby and game events; `view` is the view before it.
    """

    incarnation: int
    step: int
    told: bytes
    held: bytes
    news: tuple[str, ...]
    events: tuple[str, ...]
    view: View | None


@dataclass(frozen=True, slots=True)
class Received:
    """The result of one message.

    `news` and `events` are new lobby and game events, in order; `renewed` says that a snapshot
    replaced the state, and the events leading to it are unknown. `refused`, `settled` (the id of a
    command) and `farewell` are answers of the host. `send` holds messages to send to it now.
    `alarm` is the number of wrong codes tried at the table, sent to its host, else 0; `code` is a
    new room code, else empty. `words` are two that all should have alike at a round's end, made by
    `net.client.session`. `told` is for the electors of a new host. `audit` is that of a game that
    is over now. `disagreed` is set if the two sides hold different states. `report` is the path of
    the report about that, or about an audit with mismatches, empty if none was written.
    """

    news: tuple[LobbyEvent, ...] = ()
    events: tuple[Event, ...] = ()
    renewed: bool = False
    refused: CommandRefused | None = None
    settled: int = 0
    farewell: CloseReason | None = None
    send: tuple[ClientMessage, ...] = ()
    alarm: int = 0
    code: str = ""
    words: tuple[str, ...] = ()
    audit: Audit | None = None
    told: ElectorsTold | HandingOver | None = None
    disagreed: Disagreement | None = None
    report: str = ""
