"""Lobby events, which everybody at a table receives; `net.room.fold` has what follows from them.

The counterpart of `engine.events`: public facts alone, sent by the host to every client.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from engine.shares import SHARE_BYTES
from engine.state import ROUNDS
from net.protocol.fields import (
    NO_KEY,
    PlayerName,
    SeatKeyBytes,
    SeatNumber,
    Small,
    Wire,
)
from net.protocol.hall import HallEvent
from net.protocol.lobby import (
    ChatText,
    Commitment,
    Commitments,
    DrawId,
    Level,
    Member,
    Members,
    Nonce,
    Presence,
    SeatNumbers,
    Settings,
    Shares,
    TableClaim,
    Term,
)

MAX_RECORD_LENGTH: Final = 40 * 1024
"""Most characters of a record: three rounds of ten players with their draws, and the talk."""


class LeaveReason(IntEnum):
    """Reason why a member is no longer at the table."""

    LEFT = 0
    KICKED = 1
    FORGOTTEN = 2  # a disconnected watcher whose place a newcomer needed


class StandInReason(IntEnum):
    """Reason why a bot made a move for a seat."""

    ABSENT = 0
    ASLEEP = 1


class Entered(Wire, frozen=True, tag=1):
    """A person came to the table, and watches until they sit down; the rest is as in `Person`."""

    member: Member
    name: PlayerName
    is_host: bool
    waits: bool = False
    key: SeatKeyBytes = NO_KEY
    at_door: bool = False


class Exited(Wire, frozen=True, tag=2):
    """A member is no longer at the table; their seat becomes free."""

    member: Member
    reason: LeaveReason


class SatDown(Wire, frozen=True, tag=3):
    """A member took a seat: a free one, a bot's or another person's."""

    seat: SeatNumber
    member: Member


class StoodUp(Wire, frozen=True, tag=4):
    """A seat is free now; a person who had it watches."""

    seat: SeatNumber


class BotSat(Wire, frozen=True, tag=5):
    """A bot took a seat."""

    seat: SeatNumber
    name: PlayerName
    level: Level


class BotRetired(Wire, frozen=True, tag=29):
    """A bot of another package failed too often: one of ours plays on under the same names.

    So it is on each chair where the bot sat, and where the bot stood in.
    """

    bot: Level
    level: Level


class ReadyChanged(Wire, frozen=True, tag=6):
    """The person on a seat is ready, or no longer."""

    seat: SeatNumber
    ready: bool


class PresenceChanged(Wire, frozen=True, tag=7):
    """A member's connection became shaky, is gone, or works again."""

    member: Member
    presence: Presence


class SettingsChanged(Wire, frozen=True, tag=8):
    """The table has new settings."""

    settings: Settings


class Paused(Wire, frozen=True, tag=9):
    """The game pauses, or goes on."""

    paused: bool


class Remark(Wire, frozen=True):
    """Something that a member lets everybody know: nothing at the table changes by it."""

    member: Member


class Said(Remark, frozen=True, tag=10):
    """A member wrote a line of chat."""

    text: ChatText


class Claimed(Remark, frozen=True, tag=11):
    """A member made a claim."""

    claim: TableClaim


class Nudged(Remark, frozen=True, tag=44):
    """A member waits for the person who is to play."""


class BotClaimed(Wire, frozen=True, tag=19):
    """A bot on its own chair made a claim."""

    seat: SeatNumber
    claim: TableClaim


class BotSaid(Wire, frozen=True, tag=32):
    """A bot on its own chair wrote a line of chat, with its move."""

    seat: SeatNumber
    text: ChatText


class GameBegins(Wire, frozen=True, tag=12):
    """A game is about to be dealt. Free chairs are removed, and the seats are renumbered."""


class RoundBegins(Wire, frozen=True, tag=13):
    """The next round is about to be dealt."""


class Rematch(Wire, frozen=True, tag=14):
    """The finished game is put away; everybody keeps their seat."""


class StoodIn(Wire, frozen=True, tag=15):
    """The move in this step was made by a bot for the seat."""

    seat: SeatNumber
    reason: StandInReason


class Reopened(Wire, frozen=True, tag=16):
    """The host's program was restarted, and nobody is connected yet."""


class Closed(Wire, frozen=True, tag=17):
    """The table is closed for good."""


class Locked(Wire, frozen=True, tag=20):
    """The table admits no newcomers, or admits them again."""

    locked: bool


class CodeRenewed(Wire, frozen=True, tag=21):
    """The room code has changed. All at the table are sent the new one, by `Code`."""


class HostChanged(Wire, frozen=True, tag=26):
    """The table goes on with another host, in this term; nobody is connected there yet.

    A draw under way is void. In a game, `round` is the present one, and the rest is as in
    `Relocation`.
    """

    member: Member
    term: Term
    round: Small = 0
    anew: SeatNumbers = ()
    at_odds: SeatNumbers = ()


class BroughtBack(Wire, frozen=True, tag=33):
    """Somebody came to the table's new host before the first move there, and has kept the cards."""

    seat: SeatNumber


class DrawnAnew(Wire, frozen=True, tag=34):
    """The cards and the dwarf of these seats were drawn anew as the table moved."""

    seats: SeatNumbers


class WentOn(Wire, frozen=True, tag=35):
    """The table goes on in this round although too few of its people are there."""

    round: Small


class RecordPublished(Wire, frozen=True, tag=18):
    """The record of a finished game, as `engine.notation` writes it, secrets included."""

    text: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]


class DrawBegan(Wire, frozen=True, tag=23):
    """The seed of a round is drawn, by the host, whose commitment this is, and these members.

    The id follows from the nonce and from all that the deal depends on (`net.room.seeds`). An
    unfinished draw is void. The `absent` play too, and are left out of the draw.
    """

    id: DrawId
    nonce: Nonce
    round: Small
    commitment: Commitment
    members: Members
    absent: Members


class SharesCommitted(Wire, frozen=True, tag=24):
    """All members have committed to their shares: these are the commitments, in their order."""

    commitments: Commitments


class SharesShown(Wire, frozen=True, tag=25):
    """All members have shown their shares: the seed follows from them and the host's."""

    shares: Shares


class HostSharesShown(Wire, frozen=True, tag=38):
    """The game is over, and began at another computer: its host's shares, by round, from 1.

    That of a round which this host did not deal, or dealt alone, is empty.
    """

    shares: Annotated[
        tuple[Annotated[bytes, Meta(max_length=SHARE_BYTES)], ...], Meta(max_length=ROUNDS)
    ]


class HostOffered(Wire, frozen=True, tag=36):
    """The host asks a member to run the table at their computer."""

    member: Member


class SeatAsked(Wire, frozen=True, tag=39):
    """A newcomer with the name of the person there asks for a deserted seat."""

    seat: SeatNumber
    member: Member


class HandingOver(Wire, frozen=True, tag=37):
    """That member does: all go to the table there. Or it has failed, and the table stays."""

    begins: bool


LobbyEvent: TypeAlias = (
    Entered
    | Exited
    | SatDown
    | StoodUp
    | BotSat
    | ReadyChanged
    | PresenceChanged
    | SettingsChanged
    | Paused
    | Said
    | Claimed
    | Nudged
    | BotClaimed
    | BotSaid
    | GameBegins
    | RoundBegins
    | Rematch
    | StoodIn
    | Reopened
    | Closed
    | RecordPublished
    | Locked
    | CodeRenewed
    | DrawBegan
    | SharesCommitted
    | SharesShown
    | HostSharesShown
    | HostChanged
    | BotRetired
    | BroughtBack
    | DrawnAnew
    | WentOn
    | HostOffered
    | HandingOver
    | SeatAsked
    | HallEvent
)
