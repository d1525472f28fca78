"""What is said once a link is trusted, both ways.

    client                                       host
    Enter (name, what it has seen)          ->
                                            <-   Here, then Told for each step missed, or Snapshot
    Command (id, what is wanted)            ->
                                            <-   Told (the step it became, `yours` is the id)
                                                 or Refused (id, why), or Settled (id)
    Ping (last step)                        ->
                                            <-   Pong (newest step)
    Resync                                  ->
                                            <-   Snapshot
                                            <-   Disk, and to the host Alarm, Announcing and Code,
                                                 at any time; Goodbye, and the end

Shapes alone. Told and Snapshot are numbered: each step of a table gives each of its people exactly
one of them, whatever the step was about. The rest answers one link. What a client sends always
fits the smallest frame; of what a host sends, every length follows from public facts, as all
secrets have one size (`net.protocol.fields`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from net.lobby.chat import ChatHistory
from net.lobby.events import MOST_MISSING, LobbyEvent
from net.lobby.model import ChatText, Level, Lobby, Member, Name, Settings, TableClaim
from net.protocol import EventWire, MoveWire, OwnWire, PlayedWire, PublicWire
from net.protocol.fields import SeatNumber, Small, Wire
from net.protocol.framing import Message
from net.protocol.views import Events

StepNumber: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""Steps are numbered from 1; 0 is before the first."""

Incarnation: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""How often the host's program has opened this table, from 1; 0 is never."""

CommandId: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""A member's commands are numbered by their client, each higher than the one before."""

HASH_BYTES: Final = 8
Hash: TypeAlias = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
"""Of all that the receiver holds (`net.protocol.state_hash`)."""

RUNNING_HASH_BYTES: Final = 16
RunningHash: TypeAlias = Annotated[
    bytes, Meta(min_length=RUNNING_HASH_BYTES, max_length=RUNNING_HASH_BYTES)
]
"""Of all that everybody was told up to a step (`net.protocol.state_hash`)."""

MOST_REOPENINGS: Final = 64


class Mark(Wire, frozen=True):
    """A step, and the running hash after it: tables that share a mark share all before it."""

    step: StepNumber
    hash: RunningHash


NOTHING_SEEN: Final = Mark(0, bytes(RUNNING_HASH_BYTES))
"""The mark before the first step."""
CODE_LENGTH: Final = 40
"""The most letters of a room code."""

# What anybody at the table may want.


class MakeMove(Wire, frozen=True, tag=1):
    """Make this move, decided upon with step `seen` in view."""

    seen: StepNumber
    move: MoveWire


class Chat(Wire, frozen=True, tag=2):
    """Say this to all."""

    text: ChatText


class MakeClaim(Wire, frozen=True, tag=3):
    """Claim this before all."""

    claim: TableClaim


class Sit(Wire, frozen=True, tag=4):
    """Sit down there."""

    session: SeatNumber


class StandUp(Wire, frozen=True, tag=5):
    """Stand up, and watch."""


class SetReady(Wire, frozen=True, tag=6):
    """Be ready for the game or the next round, or no longer."""

    ready: bool


class Leave(Wire, frozen=True, tag=7):
    """Leave for good."""


class ReportMissing(Wire, frozen=True, tag=21):
    """Tell all that I saw these moves of a player, which the table does not know any more.

    `hash` is the running hash after the last step that I saw: who saw the same reports the same,
    and one report is enough.
    """

    hash: RunningHash
    session: SeatNumber
    name: Name
    moves: Annotated[tuple[PlayedWire, ...], Meta(min_length=1, max_length=MOST_MISSING)]
    more: Small


# What the host alone may want.


class ChangeSettings(Wire, frozen=True, tag=8):
    """Settings of the table, all of them."""

    settings: Settings


class PutBot(Wire, frozen=True, tag=9):
    """Put a bot on a chair that is free or another bot's."""

    session: SeatNumber
    name: Name
    level: Level


class FreeSeat(Wire, frozen=True, tag=10):
    """Free a chair; a person who had it watches."""

    session: SeatNumber


class Kick(Wire, frozen=True, tag=11):
    """Send somebody away."""

    member: Member


class HandOver(Wire, frozen=True, tag=12):
    """Give a seat to somebody who watches, in the lobby or between rounds, with its gold."""

    session: SeatNumber
    member: Member


class Start(Wire, frozen=True, tag=13):
    """Begin the game."""


class NextRound(Wire, frozen=True, tag=14):
    """Deal the next round without waiting until all are ready."""


class Pause(Wire, frozen=True, tag=15):
    """Pause the game, or go on."""

    paused: bool


class PlayAgain(Wire, frozen=True, tag=16):
    """Put away a game that is over, and keep the seats."""


class Close(Wire, frozen=True, tag=17):
    """Close the table for good."""


class GoUnsaved(Wire, frozen=True, tag=18):
    """Go on although nothing can be saved."""


class NewCode(Wire, frozen=True, tag=19):
    """Draw another room code: the old one lets nobody in any more, and who was sent away may."""


class Lock(Wire, frozen=True, tag=20):
    """Let nobody new in, or let them in again. Whoever has been here may always come back."""

    locked: bool


Request: TypeAlias = (
    MakeMove
    | Chat
    | MakeClaim
    | Sit
    | StandUp
    | SetReady
    | Leave
    | ReportMissing
    | ChangeSettings
    | PutBot
    | FreeSeat
    | Kick
    | HandOver
    | Start
    | NextRound
    | Pause
    | PlayAgain
    | Close
    | GoUnsaved
    | NewCode
    | Lock
)


class Refusal(StrEnum):
    """Why a command was refused. It follows from what its sender knows."""

    NAME_TAKEN = "name taken"
    NO_NAME = "no name"
    TABLE_FULL = "table full"
    HOST_ONLY = "host only"
    HOST_STAYS = "host stays"  # the host closes the table, or stays
    NO_SEAT = "no seat"  # who watches cannot do this
    NOT_NOW = "not now"  # at no such stage of the game
    NOT_YOUR_TURN = "not your turn"
    STALE = "stale"  # decided upon before the present turn
    ILLEGAL = "illegal"  # View.why_not says why
    PAUSED = "paused"
    DISK_FULL = "disk full"
    NO_SUCH_SEAT = "no such seat"
    NO_SUCH_PERSON = "no such person"
    SEAT_TAKEN = "seat taken"
    SEATED = "seated"  # that person has a seat
    HOLDS_CARDS = "holds cards"  # of a round that goes on, and nobody new may see them
    TOO_FEW = "too few"
    NOT_READY = "not ready"
    NO_TEXT = "no text"
    NO_SUCH_CLAIM = "no such claim"
    NO_SUCH_EDITION = "no such edition"
    NO_SUCH_BOT = "no such bot"
    TOO_FAST = "too fast"
    LOCKED = "locked"  # nobody new comes in
    SENT_AWAY = "sent away"  # by the host, and not let back yet
    CROWDED = "crowded"  # by people from the same address
    NO_CODE = "no code"  # the table is open, and has none to renew


class CloseReason(StrEnum):
    """Why the host ends a link."""

    REPLACED = "replaced"  # by a newer link of the same person; never redial by yourself
    KICKED = "kicked"
    LEFT = "left"
    FORGOTTEN = "forgotten"
    CLOSED = "closed"
    OUT_OF_ORDER = "out of order"  # no honest client says this now
    TOO_MUCH = "too much"  # snapshots
    TOO_SLOW = "too slow"  # nothing was read, or said that had to come first, for ten seconds


class DiskStatus(StrEnum):
    """Whether what happens is saved."""

    OK = "fine"
    FULL = "full"  # nothing happens until it is saved again or the host goes on without
    UNSAVED = "unsaved"  # the host went on without


class EnterTable(Message, frozen=True):
    """The first words on a link: come to the table, or come back to it.

    `name` and `watch` count for who comes first. `incarnation` and `seen` are of the last frame
    that was folded, 0 without one; a program that was ended since may still know `seen`.
    """

    name: Name
    watch: bool
    incarnation: Incarnation
    seen: StepNumber


class ClientCommand(Message, frozen=True):
    """Something wanted. The same id again is the same command, and is done once."""

    id: CommandId
    request: Request


class Ping(Message, frozen=True):
    """Still here, and `seen` is the last step that was folded. Every two seconds."""

    seen: StepNumber


class Resync(Message, frozen=True):
    """Something does not fit: send a snapshot."""


ClientMessage: TypeAlias = EnterTable | ClientCommand | Ping | Resync
CLIENT_KINDS: Final[tuple[type[ClientMessage], ...]] = (EnterTable, ClientCommand, Ping, Resync)


class Welcome(Message, frozen=True):
    """Welcome to the table. `last` is the last command that was done, 0 without one.

    By the rest the client finds out whether the table is the one it saw: `known` is the running
    hash after the step that Enter said was seen, nothing where the table has not come so far;
    `reopenings` are the last steps before the host was each time back, the oldest first.
    """

    member: Member
    incarnation: Incarnation
    known: Annotated[bytes, Meta(max_length=RUNNING_HASH_BYTES)]
    reopenings: Annotated[tuple[Mark, ...], Meta(max_length=MOST_REOPENINGS)]
    last: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class StepFrame(Message, frozen=True):
    """A step: what happened at the table, then what this person may hear of the game.

    `yours` is the id of the receiver's command that it answers, else 0. `hash` is of what the
    receiver holds after it.
    """

    step: StepNumber
    incarnation: Incarnation
    yours: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    lobby_events: Annotated[tuple[LobbyEvent, ...], Meta(max_length=64)]
    events: Annotated[tuple[EventWire, ...], Meta(max_length=64)]
    hash: Hash


class Snapshot(Message, frozen=True):
    """All that this person holds after a step, in place of its Told and all before it."""

    step: StepNumber
    incarnation: Incarnation
    member: Member
    last: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    lobby: Lobby
    talk: ChatHistory
    public: PublicWire | None
    own: OwnWire | None
    history: Events
    record: Annotated[str, Meta(max_length=24 * 1024)]
    disk: DiskStatus
    running: RunningHash
    hash: Hash


class CommandRefused(Message, frozen=True):
    """The command with this id was not done; 0 for an Enter."""

    id: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    reason: Refusal


class Accepted(Message, frozen=True):
    """The command with this id, or a later one, was done before, or is done and is no step."""

    id: CommandId


class Pong(Message, frozen=True):
    """Still here; `step` is the newest."""

    step: StepNumber


class Disk(Message, frozen=True):
    """Whether what happens is saved has changed."""

    disk: DiskStatus


class GuessAlarm(Message, frozen=True):
    """To the host alone: so many wrong codes were tried since the table was opened."""

    tried: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Code(Message, frozen=True):
    """To the host alone: the room code is another than the table was opened with."""

    code: Annotated[str, Meta(max_length=CODE_LENGTH)]


class Announcing(Message, frozen=True):
    """To the host alone: whether the network can be told of the table by mDNS."""

    works: bool


class Closing(Message, frozen=True):
    """The last words on a link."""

    reason: CloseReason


NumberedFrame: TypeAlias = StepFrame | Snapshot
HostMessage: TypeAlias = (
    Welcome
    | NumberedFrame
    | CommandRefused
    | Accepted
    | Pong
    | Disk
    | GuessAlarm
    | Announcing
    | Code
    | Closing
)
HOST_KINDS: Final[tuple[type[HostMessage], ...]] = (
    Welcome,
    StepFrame,
    Snapshot,
    CommandRefused,
    Accepted,
    Pong,
    Disk,
    GuessAlarm,
    Code,
    Announcing,
    Closing,
)
