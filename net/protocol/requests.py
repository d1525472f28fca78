"""Requests: what a player, or only the host, may ask of the table in a `ClientCommand`.

`net.room.decisions` says who may make each one, and which step it becomes.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

from net.protocol.doors import DoorKind
from net.protocol.fields import PlayerName, SeatNumber, StepNumber
from net.protocol.framing import Wire
from net.protocol.game_wire import MoveWire
from net.protocol.hall import HallRequest
from net.protocol.lobby import ChatText, Dwarf, Level, Member, Settings, TableClaim

# Requests that anybody at the table may make.


class MakeMove(Wire, frozen=True, tag="move"):
    """Request: make this move, chosen by a player who had seen step `seen`."""

    seen: StepNumber
    move: MoveWire


class Chat(Wire, frozen=True, tag="chat"):
    """Request: say this to everybody at the table."""

    text: ChatText


class MakeClaim(Wire, frozen=True, tag="claim"):
    """Request: make this claim to everybody at the table."""

    claim: TableClaim


class Nudge(Wire, frozen=True, tag="nudge"):
    """Request: tell everybody that the sender waits for the person who is to play."""


class Reaction(IntEnum):
    """A feeling about what just happened, shown to all."""

    LAUGH = 0
    APPLAUD = 1
    GASP = 2
    HURRY = 3  # hurry up!


class React(Wire, frozen=True, tag="react"):
    """Request: show this to everybody who is connected now. It makes no step."""

    reaction: Reaction


class Sit(Wire, frozen=True, tag="sit"):
    """Request: sit down on this seat."""

    seat: SeatNumber


class StandUp(Wire, frozen=True, tag="stand-up"):
    """Request: stand up, and watch."""


class SetReady(Wire, frozen=True, tag="ready"):
    """Request: be ready for the game or the next round, or take that back."""

    ready: bool


class PickDwarf(Wire, frozen=True, tag="dwarf"):
    """Request before a game: take this face and this colour, or the next ones that are free."""

    dwarf: Dwarf


class Leave(Wire, frozen=True, tag="leave"):
    """Request: leave the table for good."""


# Requests that only the host may make.


class ChangeSettings(Wire, frozen=True, tag="settings"):
    """Request of the host: replace all settings of the table."""

    settings: Settings


class PutBot(Wire, frozen=True, tag="put-bot"):
    """Request of the host: put a bot on a seat that is free or another bot's."""

    seat: SeatNumber
    name: PlayerName
    level: Level


class FreeSeat(Wire, frozen=True, tag="free-seat"):
    """Request of the host: free a seat; a person who had it watches."""

    seat: SeatNumber


class Kick(Wire, frozen=True, tag="kick"):
    """Request of the host: remove a member from the table."""

    member: Member


class HandOver(Wire, frozen=True, tag="hand-over"):
    """Request of the host: give a seat, with its gold, to a watcher.

    Allowed in the lobby and between rounds.
    """

    seat: SeatNumber
    member: Member


class Start(Wire, frozen=True, tag="start"):
    """Request of the host: begin the game."""


class NextRound(Wire, frozen=True, tag="next-round"):
    """Request of the host: deal the next round without waiting until all are ready.

    After a long wait, the person in the lowest seat may ask for it while the host is absent or not
    ready.
    """


class Pause(Wire, frozen=True, tag="pause"):
    """Request of the host: pause the game, or resume it."""

    paused: bool


class ShowStep(Wire, frozen=True, tag="show-step"):
    """Request of the host: show everybody this step of the finished game, counted from 0."""

    step: StepNumber


class PlayAgain(Wire, frozen=True, tag="play-again"):
    """Request of the host: return from a finished game to the lobby, and keep the seats."""


class Close(Wire, frozen=True, tag="close"):
    """Request of the host: close the table for good."""


class GoUnsaved(Wire, frozen=True, tag="go-unsaved"):
    """Request of the host: continue although nothing can be saved."""


class ContinueWithout(Wire, frozen=True, tag="go-on-without"):
    """Request of the host: play this round although too few of the table's people are present.

    The person in the lowest seat may ask for it while the host is absent.
    """


class LetBotMove(Wire, frozen=True, tag="let-bot-move"):
    """Request of the host: let a bot make the move of a person whose turn has taken very long.

    The person in the lowest seat may ask for it while the host is absent, or has the turn. It makes
    no step: the bot's move does.
    """


class GiveHost(Wire, frozen=True, tag="give-host"):
    """Request of the host: ask a member with a seat to run the table at their computer."""

    member: Member


class TakeHost(Wire, frozen=True, tag="take-host"):
    """Request of the member who was asked: move the table to their computer."""


class NewCode(Wire, frozen=True, tag="new-code"):
    """Request of the host: draw a new room code.

    The old code no longer works; people who were removed may enter with the new one.
    """


class Lock(Wire, frozen=True, tag="lock"):
    """Request of the host: admit no newcomers, or admit them again. Members may always return."""

    locked: bool


class SwitchDoor(Wire, frozen=True, tag="switch-door"):
    """Request of the host: open or close a door of the table. It makes no step."""

    kind: DoorKind
    open: bool


PlayerRequest: TypeAlias = (
    MakeMove
    | Chat
    | MakeClaim
    | Nudge
    | Sit
    | StandUp
    | SetReady
    | PickDwarf
    | Leave
    | ContinueWithout
    | TakeHost
    | NextRound
)
"""Requests that everybody at the table may make."""

HostStepRequest: TypeAlias = (
    ChangeSettings
    | PutBot
    | FreeSeat
    | Kick
    | HandOver
    | Start
    | Pause
    | ShowStep
    | PlayAgain
    | Close
    | NewCode
    | Lock
    | GiveHost
)
"""Requests that only the host may make, each of which makes a step."""

HostControlRequest: TypeAlias = GoUnsaved | SwitchDoor
"""Requests that only the host may make, and that make no step."""

TableRequest: TypeAlias = (
    PlayerRequest | React | LetBotMove | HostStepRequest | HostControlRequest | HallRequest
)
"""Requests to a table, or a hall."""


class TakeOverHere(Wire, frozen=True):
    """Request to one's own program: move the table here, as its host is silent."""


class SwitchHost(Wire, frozen=True):
    """Request to one's own program: switch to the copy of the table at another computer."""


class StopWaiting(Wire, frozen=True):
    """Request to one's own program: play with those who have come to the table here."""


OwnRequest: TypeAlias = TakeOverHere | SwitchHost | StopWaiting
"""Requests to one's own program, which never leave it."""

Request: TypeAlias = TableRequest | OwnRequest
