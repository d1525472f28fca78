"""Messages on a trusted connection, in both directions: only their shapes; and the hash of a state.

`docs/protocol.md` says who sends which message when. Of StepFrame and Snapshot, each person gets
exactly one for each step of a table. All other messages concern one connection.

A client's message always fits the smallest frame, except `Knowledge`, which has one fixed length,
whatever its content. The length of a host's message follows from public facts, as all secrets have
one size (`net.protocol.fields`).

The state hash is BLAKE2b, 8 bytes, of the msgpack of the lobby and, in a game, of the public half
of the view (`net.protocol.game_wire`): the same for everybody. Equal values have equal bytes. It
detects accidents; it proves nothing.

The running hash is BLAKE2b, 16 bytes, of the hash before the step and the public part of the step:
its number, its lobby events and its public game events. It is the same for all seats; two tables
with the same running hash have the same past. The record published at the end of a game is left
out, as it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from hashlib import blake2b
from typing import Annotated, Final, TypeAlias, get_args

import msgspec
from msgspec import Meta, Raw

from engine.events import Event, Private, visible_to
from engine.view import View
from net.protocol.chat import ChatHistory
from net.protocol.doors import DoorNow
from net.protocol.fields import (
    MAX_SEATS,
    RUNNING_HASH_BYTES,
    GameId,
    Incarnation,
    PlayerName,
    RunningHash,
    Small,
    StepNumber,
)
from net.protocol.framing import BadFrame, Count, Message, Wire
from net.protocol.game_wire import (
    Events,
    EventWire,
    OwnWire,
    PublicWire,
    read_event,
    write_event,
    write_public,
)
from net.protocol.hall import GoTo, NextTable
from net.protocol.lobby import (
    UNPICKED,
    ChatText,
    Commitment,
    DrawId,
    Dwarf,
    Lobby,
    Member,
    ShareBytes,
)
from net.protocol.lobby_events import HostSharesShown, LobbyEvent, RecordPublished, RecordText
from net.protocol.requests import Reaction, TableRequest

KNOWLEDGE_BYTES: Final = 4000
"""Bytes of a seat's `Knowledge`: its secrets take 1,600 at most, the rest is padding."""

_LENGTH_BYTES: Final = 2
_MAX_SECRETS: Final = 300  # more than one seat ever knows

KnowledgeBytes: TypeAlias = Annotated[
    bytes, Meta(min_length=KNOWLEDGE_BYTES, max_length=KNOWLEDGE_BYTES)
]

_ENCODER: Final = msgspec.msgpack.Encoder()
_SECRETS: Final = msgspec.msgpack.Decoder(
    Annotated[tuple[EventWire, ...], Meta(max_length=_MAX_SECRETS)]
)


def encode_knowledge(secrets: Iterable[Private] | None) -> bytes:
    """Return the secrets of a seat as bytes of `Knowledge`; `None` for secrets not known."""
    body = b"" if secrets is None else _ENCODER.encode(tuple(map(write_event, secrets)))
    written = len(body).to_bytes(_LENGTH_BYTES, "big") + body
    assert len(written) <= KNOWLEDGE_BYTES, len(written)
    return written.ljust(KNOWLEDGE_BYTES, b"\0")


def decode_knowledge(sent: bytes) -> tuple[Private, ...] | None:
    """Read the secrets that a seat sent, `None` if it knows none. Raises BadFrame."""
    length = int.from_bytes(sent[:_LENGTH_BYTES], "big")
    if not length:
        return None
    try:
        events = tuple(map(read_event, _SECRETS.decode(sent[_LENGTH_BYTES:][:length])))
    except msgspec.DecodeError:
        raise BadFrame("message") from None
    secrets = tuple(event for event in events if isinstance(event, Private))
    if len(secrets) < len(events):
        raise BadFrame("message")
    return secrets


CommandId: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""Number of a member's command, given by the client; each is higher than the one before."""

HASH_BYTES: Final = 8
Hash: TypeAlias = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
"""Hash of all that everybody knows of the table (`state_hash`)."""


class Mark(Wire, frozen=True):
    """A step and its running hash: tables with a common mark have the same past up to it."""

    step: StepNumber
    hash: RunningHash


NOTHING_SEEN: Final = Mark(0, bytes(RUNNING_HASH_BYTES))  # the mark before the first step
CODE_LENGTH: Final = 40  # maximum number of letters in a room code


class Refusal(StrEnum):
    """Reason for refusing a command. It follows from what the sender knows already."""

    NAME_TAKEN = "name taken"
    NO_NAME = "no name"
    TABLE_FULL = "table full"
    HOST_ONLY = "host only"
    HOST_STAYS = "host stays"  # the host can only close the table, not leave it
    NO_SEAT = "no seat"  # a watcher cannot do this
    NOT_NOW = "not now"  # not at this stage of the game
    NOT_YOUR_TURN = "not your turn"
    STALE = "stale"  # chosen before the present turn began
    ILLEGAL = "illegal"  # View.why_not gives the reason
    PAUSED = "paused"
    DISK_FULL = "disk full"
    NO_SUCH_SEAT = "no such seat"
    NO_SUCH_PERSON = "no such person"
    SEAT_TAKEN = "seat taken"
    SEATED = "seated"  # that person has a seat already
    HOLDS_CARDS = "holds cards"  # of an unfinished round, which no newcomer may see
    TOO_FEW = "too few"
    NOT_READY = "not ready"
    NO_TEXT = "no text"
    NO_SUCH_CLAIM = "no such claim"
    NO_SUCH_EDITION = "no such edition"
    NO_SUCH_BOT = "no such bot"
    TOO_FAST = "too fast"
    LOCKED = "locked"  # the table admits no newcomers
    CROWDED = "crowded"  # too many people from the same address
    BUSY = "busy"  # too many came lately: from this address, under this name, or altogether
    NO_CODE = "no code"  # the table is open, and has no code to renew
    CLUB_ONLY = "club only"  # the club decides it, not a table's host
    CLUB_FULL = "club full"  # the club has as many tables as it may
    TABLES_ENOUGH = "tables enough"  # one person has opened as many as they may
    ORGANISER_ONLY = "organiser only"  # only an organiser of the club may do this
    WRONG_WORD = "wrong word"  # not the organisers' password
    CLAIMS_ONLY = "claims only"  # nobody may write at this table
    WATCHERS_WAIT = "watchers wait"  # watchers may talk once the round is over
    FEW_HERE = "few here"  # too few of the table's people are present for it to play
    UNREADABLE = "unreadable"  # a text too long, or a number out of bounds: it is not sent


class CloseReason(StrEnum):
    """Reason why the host ends a connection."""

    REPLACED = "replaced"  # by a newer connection of the same person; do not redial
    KICKED = "kicked"  # removed by the host, now or earlier, and no new code was drawn since
    LEFT = "left"
    FORGOTTEN = "forgotten"
    NEW_CODE = "new code"  # a new room code was drawn, and this side has not proven it
    CLOSED = "closed"
    OUT_OF_ORDER = "out of order"  # no honest client sends this message now
    TOO_MUCH = "too much"  # too many snapshots asked for
    MOVED = "moved"  # the table continues with another host
    CALLED = "called"  # to the hall of the club
    NO_TABLE = "no table"  # the club has no such table
    TOO_SLOW = "too slow"  # for ten seconds it read nothing, sent nothing or did not enter


class DiskStatus(StrEnum):
    """State of the journal: saved, deliberately unsaved, or the reason why the game waits.

    A word that only newer hosts know counts as FULL.
    """

    OK = "fine"
    UNSAVED = "unsaved"  # the host chose to continue without saving
    FULL = "full"
    QUOTA = "quota"  # the host's user has used up their quota
    READ_ONLY = "read only"
    CUT_OFF = "cut off"  # the disk is a network drive out of reach
    FAULTY = "faulty"
    OTHER = "other"

    @classmethod
    def _missing_(cls, _word: object) -> DiskStatus:
        return cls.FULL

    @property
    def is_waiting(self) -> bool:
        """True while the game waits for the disk, or for the host to continue unsaved."""
        return self not in {DiskStatus.OK, DiskStatus.UNSAVED}


class EnterTable(Message, frozen=True, tag="enter"):
    """First message on a connection: enter the table, or come back to it.

    `name`, `watch` and `projector`, which also watches, are used for newcomers only. `incarnation`
    belongs to the last frame that the client applied, 0 if it holds nothing. `seen` is the mark of
    the last step that it saw, perhaps in an earlier run. `dwarf` is used until one is picked here.
    """

    name: PlayerName
    watch: bool
    incarnation: Incarnation
    seen: Mark
    projector: bool = False
    dwarf: Dwarf = UNPICKED


class ClientCommand(Message, frozen=True, tag="command"):
    """A numbered request. A repeated id means the same command, which is done once."""

    id: CommandId
    request: TableRequest


class Ping(Message, frozen=True, tag="ping"):
    """Sign of life, sent every two seconds; `seen` is the last step that the client applied."""

    seen: StepNumber


class Resync(Message, frozen=True, tag="resync"):
    """Request for a snapshot: this client cannot follow."""


class StepAway(Message, frozen=True, tag="step-away"):
    """Last message of a client whose player leaves for now; the seat is kept."""


class CommitShare(Message, frozen=True, tag="commit"):
    """Commitment to a share in the draw of a seed; sent by the program, not by its player."""

    draw: DrawId
    commitment: Commitment


class ShowShare(Message, frozen=True, tag="show"):
    """The share itself, once all commitments to shares in this draw are public."""

    draw: DrawId
    share: ShareBytes


class Knowledge(Message, frozen=True, tag="knowledge"):
    """Answer to `KnowledgeWanted`: what only this seat knows (`encode_knowledge`)."""

    told: KnowledgeBytes


class BeginNow(Message, frozen=True, tag="begin-now"):
    """From the host of a table that has moved: begin with the people who have returned."""


ClientMessage: TypeAlias = (
    EnterTable
    | ClientCommand
    | Ping
    | Resync
    | StepAway
    | CommitShare
    | ShowShare
    | Knowledge
    | BeginNow
)
CLIENT_KINDS: Final[tuple[type[ClientMessage], ...]] = get_args(ClientMessage)


class Welcome(Message, frozen=True, tag="welcome"):
    """Answer to the first message. `last` is the member's last command that was done, 0 if none.

    `gone` counts the steps that the client has seen and the table has lost: it was resumed from an
    older copy.
    """

    member: Member
    incarnation: Incarnation
    gone: StepNumber
    last: Count


class StepFrame(Message, frozen=True, tag="step"):
    """A step: the lobby's events, then the game events that the receiver may see.

    `yours` is the id of the receiver's command that the step answers, else 0. `hash` is the
    hash of what everybody holds after the step.
    """

    step: StepNumber
    incarnation: Incarnation
    yours: Count
    lobby_events: Annotated[tuple[LobbyEvent, ...], Meta(max_length=64)]
    events: Annotated[tuple[EventWire, ...], Meta(max_length=64)]
    hash: Hash


class Snapshot(Message, frozen=True, tag="snapshot"):
    """The receiver's whole state after a step, whose running hash is `running`.

    The id of the game is the running hash of the step that began it, empty if there is none.
    """

    step: StepNumber
    incarnation: Incarnation
    running: RunningHash
    game_id: GameId
    member: Member
    last: Count
    lobby: Lobby
    talk: ChatHistory
    public: PublicWire | None
    own: OwnWire | None
    history: Events
    record: RecordText
    disk: DiskStatus
    hash: Hash


class CommandRefused(Message, frozen=True, tag="command-refused"):
    """The command with this id was not done; id 0 stands for entering."""

    id: Count
    reason: Refusal


class Accepted(Message, frozen=True, tag="accepted"):
    """Answer to a command that makes no step, or that was already carried out, by its id."""

    id: CommandId


class Pong(Message, frozen=True, tag="pong"):
    """Answer to `Ping`: the newest step, and the seconds of the turn, 0 if it is not limited."""

    step: StepNumber
    lasted: Count = 0


class Disk(Message, frozen=True, tag="disk"):
    """The state of the journal has changed."""

    disk: DiskStatus


class GuessAlarm(Message, frozen=True, tag="guess-alarm"):
    """To the host only: the number of wrong codes tried since the table was opened."""

    tried: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Code(Message, frozen=True, tag="code"):
    """The room code, for the host and people with seats."""

    code: Annotated[str, Meta(max_length=CODE_LENGTH, extra={"is_clean": str.isprintable})]


class Notice(Message, frozen=True, tag="notice"):
    """A line that an organiser of the club sends to everybody, also at this table."""

    name: PlayerName
    text: ChatText


class Reacted(Message, frozen=True, tag="reacted"):
    """Somebody at the table reacts. It is not a step, and nobody receives it later."""

    member: Member
    reaction: Reaction


class Announcing(Message, frozen=True, tag="announcing"):
    """To the host only: the state of announcing the table by mDNS."""

    works: bool


class Gathering(Message, frozen=True, tag="gathering"):
    """The table moves, and waits for these people; `here` counts those with seats who are back."""

    waiting: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_SEATS)]
    here: Small


class KnowledgeWanted(Message, frozen=True, tag="knowledge-wanted"):
    """Question: what did the receiver's seat know after this step, where the table resumes?"""

    mark: Mark


class Closing(Message, frozen=True, tag="closing"):
    """The last message on a connection, with the reason why the host closes it."""

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
    | Notice
    | Reacted
    | Announcing
    | Code
    | DoorNow
    | Gathering
    | KnowledgeWanted
    | GoTo
    | NextTable
    | Closing
)
HOST_KINDS: Final[tuple[type[HostMessage], ...]] = get_args(HostMessage)


def running_hash(
    before: bytes, number: int, news: Iterable[LobbyEvent], events: Iterable[Event]
) -> bytes:
    """Return the running hash after step `number`, from the one `before`.

    Secret events are left out, and so is what follows from a game that ends with the step.
    """
    lasting = [event for event in news if not isinstance(event, RecordPublished | HostSharesShown)]
    public = list(map(write_event, visible_to(events, None)))
    step = _ENCODER.encode((number, lasting, public))
    return blake2b(before + step, digest_size=RUNNING_HASH_BYTES).digest()


def state_hash(lobby: Lobby, public: PublicWire | None) -> bytes:
    """Return the hash of what everybody at the table holds after a step."""
    held = _ENCODER.encode((Raw(lobby.packed), public))
    return blake2b(held, digest_size=HASH_BYTES).digest()


def hash_of_all(lobby: Lobby, view: View | None) -> bytes:
    return state_hash(lobby, None if view is None else write_public(view.table, view.score))
