"""What a shell has to do after it has asked a room something, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import View
from net.lobby.news import Why
from net.messages import FromHost
from net.speech import Occasion


@dataclass(frozen=True, slots=True)
class Numbered:
    """A step for the journal: `net.journal.Step` of these two."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Send:
    """Send this on that link."""

    link: int
    message: FromHost


@dataclass(frozen=True, slots=True)
class End:
    """Close that link once all that was sent on it is away; the room has forgotten it."""

    link: int


Do: TypeAlias = Send | End


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be done: first the `steps` into the journal, then `do`, in order.

    Nothing in `do` may be done before step `after` is on disk, and no outcome overtakes an earlier
    one but those whose `after` is 0: they tell nothing that a crash could undo. `finished` says
    that the table is closed for good, `go_unsaved` that its host goes on although nothing is saved.
    """

    steps: tuple[Numbered, ...] = ()
    do: tuple[Do, ...] = ()
    after: int = 0
    finished: bool = False
    go_unsaved: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """A bot of this `level` is to move for a seat.

    `turn` is the step with which the turn began. `why` tells what for a bot plays a person's seat
    or a free one, `None` for a bot's own.
    """

    seat: int
    level: str
    turn: int
    why: Why | None


@dataclass(frozen=True, slots=True)
class BotTurn(Due):
    """The same, with all that the bot may know."""

    view: View


@dataclass(frozen=True, slots=True)
class Cue:
    """The bot of a seat is to say something of what came with step `number`."""

    number: int
    seat: int
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class BotCue(Cue):
    """The same, with all that the bot may know."""

    view: View
