"""Actions and effects of the table: closed unions of values.

An action is something that the player does or that the screen is told. `update` answers it with the
next model and with effects, which the screen carries out. Actions without a value are members of an
enumeration.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from engine.bots.hints import Hint
from engine.view import View
from net.client.session import Status, Update
from net.lobby.model import Person
from net.protocol.requests import Request
from sabtui.tui.table.animation import Animation
from sabtui.tui.table.selection import TargetPlace
from sabtui.tui.theme import Glyphs


class CardAction(Enum):
    """Action with cards. `CONFIRM` does what the hint says; `PLAY_TURNED` turns the card first."""

    CONFIRM = auto()
    TURN = auto()
    PLAY_TURNED = auto()
    DISCARD = auto()
    NEXT_CARD = auto()
    HINT = auto()
    AUTOPILOT = auto()


@dataclass(frozen=True, slots=True)
class ChooseCard:
    """Choose a card by its digit, or gold by its nuggets; a chosen card is turned."""

    digit: int


@dataclass(frozen=True, slots=True)
class PressDigit:
    """Go to the place with this number; while none is numbered, choose the card with it."""

    digit: int


@dataclass(frozen=True, slots=True)
class Jump:
    """Move the cursor to the next place where the card can be played, or to the previous one."""

    step: int


@dataclass(frozen=True, slots=True)
class PressPlace:
    """Move the cursor to a place; if it is there and a card is chosen, confirm."""

    place: TargetPlace


AnyCardAction: TypeAlias = CardAction | ChooseCard | PressDigit | Jump | PressPlace


class ViewAction(Enum):
    """Action that changes what is visible. `BACK` goes one step back."""

    TO_PLAYERS = auto()
    TO_NEWEST = auto()
    TO_START = auto()
    TO_GOALS = auto()
    FIT = auto()
    CHANGE_PANE = auto()
    SHOW_ROLE = auto()
    READ_LOG = auto()
    TELL_WORDS = auto()
    TOGGLE_VEIL = auto()
    MARK = auto()
    BACK = auto()


@dataclass(frozen=True, slots=True)
class MoveCursor:
    """Move the cursor by a number of cells; among players, by rows."""

    east: int
    south: int


@dataclass(frozen=True, slots=True)
class Pan:
    """Move the mine but not the cursor, by a number of cells."""

    east: int
    south: int


@dataclass(frozen=True, slots=True)
class Zoom:
    """Draw larger tiles if `steps` is positive, else smaller ones."""

    steps: int


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll the open list, the known facts or the log by pages; positive is back."""

    pages: int


AnyViewAction: TypeAlias = ViewAction | MoveCursor | Pan | Zoom | Scroll


class TalkAction(Enum):
    """Action that opens the chat line, or opens or closes the list of quick claims."""

    TALK = auto()
    CLAIMS = auto()


@dataclass(frozen=True, slots=True)
class ChangeSubject:
    """Let the open list of claims concern the next player, or the previous one."""

    step: int


@dataclass(frozen=True, slots=True)
class PressClaim:
    """Make the claim at an index of the open list."""

    at: int


@dataclass(frozen=True, slots=True)
class SubmitTalk:
    """Send the text of the chat line to all, and leave the line."""

    text: str


AnyTalkAction: TypeAlias = TalkAction | ChangeSubject | PressClaim | SubmitTalk


class HostAction(Enum):
    """Action of the host alone. Those about a player mean the one under the cursor."""

    PAUSE = auto()
    NEXT_ROUND = auto()
    KICK = auto()
    HAND_OVER = auto()
    GIVE_HOST = auto()
    LOCK = auto()
    NEW_CODE = auto()
    CLOSE = auto()
    GO_UNSAVED = auto()


@dataclass(frozen=True, slots=True)
class GiveSeat:
    """Action of the host: give a seat to a watcher."""

    seat: int
    to: Person


class SeatAction(Enum):
    """Action of any person about their own seat, or with the record or result of a game."""

    SIT = auto()
    LEAVE = auto()
    LEAVE_FOR_GOOD = auto()
    WATCH_AGAIN = auto()
    SAVE_RECORD = auto()
    SAVE_PICTURE = auto()


AnySeatAction: TypeAlias = HostAction | GiveSeat | SeatAction

PlayerAction: TypeAlias = AnyCardAction | AnyViewAction | AnyTalkAction | AnySeatAction
"""Action of the player."""


@dataclass(frozen=True, slots=True)
class Open:
    """Show the current status, on a new screen; if `is_calm`, nothing is ever animated."""

    glyphs: Glyphs
    is_calm: bool = False


@dataclass(frozen=True, slots=True)
class UseGlyphs:
    """Draw with these glyphs."""

    glyphs: Glyphs


@dataclass(frozen=True, slots=True)
class Resize:
    """Lay the table out for the terminal's size."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class TakeUpdate:
    """Take in an update of the session; `before` is the status before it."""

    update: Update
    before: Status


@dataclass(frozen=True, slots=True)
class Unveil:
    """Show this many dwarves of a finished round, as their time has come."""

    dwarves: int


@dataclass(frozen=True, slots=True)
class UnveilAll:
    """Show all dwarves at once."""


@dataclass(frozen=True, slots=True)
class EndPause:
    """Let Enter act again, a while after all dwarves are unveiled."""


@dataclass(frozen=True, slots=True)
class ShowFrame:
    """Show the next frame of an animation; one that comes late ends it."""

    animation: Animation
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class TakeHints:
    """Take in the hints found for a view, best first."""

    view: View
    found: tuple[Hint, ...]


ScreenAction: TypeAlias = (
    Open | UseGlyphs | Resize | TakeUpdate | Unveil | UnveilAll | EndPause | ShowFrame | TakeHints
)
"""Action of the screen: something that happened to it."""

TableAction: TypeAlias = PlayerAction | ScreenAction


class ScreenEffect(Enum):
    """Effect without a value.

    `OPEN_LOG` shows the log on the whole screen, `OPEN_REPLAY` the finished game from its
    beginning. `END_PAUSE_LATER` lets Enter act again after a while. `RUN_AUTOPILOT` lets the
    autopilot make a pending move, `STOP_AUTOPILOT` stops it. `CLOSE_TALK` takes the focus from the
    chat line.
    """

    RING = auto()
    OPEN_TALK = auto()
    CLOSE_TALK = auto()
    OPEN_LOG = auto()
    OPEN_REPLAY = auto()
    SAVE_RECORD = auto()
    SAVE_PICTURE = auto()
    END_PAUSE_LATER = auto()
    RUN_AUTOPILOT = auto()
    STOP_AUTOPILOT = auto()


@dataclass(frozen=True, slots=True)
class SendRequest:
    """Effect: send a request to the host."""

    request: Request


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Effect: leave the table's screen, with a message for the next one."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class AskFirst:
    """Effect: ask a question, and carry out another effect if the answer is yes."""

    question: str
    then: TableEffect


@dataclass(frozen=True, slots=True)
class PickAction:
    """Effect: ask a question with rows as answers; each row has its action."""

    question: str
    answers: tuple[tuple[str, TableAction], ...]


@dataclass(frozen=True, slots=True)
class SetTitle:
    """Effect: show a text in the terminal's title."""

    title: str


@dataclass(frozen=True, slots=True)
class UnveilLater:
    """Effect: unveil this many dwarves after a while."""

    dwarves: int


@dataclass(frozen=True, slots=True)
class ShowFrameLater:
    """Effect: show the frame after the present one of an animation, after a moment."""

    animation: Animation


@dataclass(frozen=True, slots=True)
class FindHints:
    """Effect: compute hints for a view, in a thread."""

    view: View


TableEffect: TypeAlias = (
    ScreenEffect
    | SendRequest
    | LeaveTable
    | AskFirst
    | PickAction
    | SetTitle
    | UnveilLater
    | ShowFrameLater
    | FindHints
)
