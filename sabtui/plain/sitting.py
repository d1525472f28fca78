"""A place at a table in lines, between two lines typed: the game's face and the table around it.

Knows what its seat was told last, and what was typed that still waits for an answer. A `Sitting`
is a value: `hearing` makes the next one of what comes, `reading` of what is typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import assert_never

from net.client.seat import Now, Standing
from net.lobby import BotChair, Free, Lobby, Stage, Taken
from net.messages import DiskIs
from sabtui.plain.face import Face, Said
from sabtui.plain.lobby import BETWEEN, offers, phase
from sabtui.plain.wishes import Ask, GoOn, KeepAndLetGo, LetGo, Play, Save, Wish
from sabtui.plain.wrap import Size, wrapped
from sabtui.words.endings import standing
from sabtui.words.tongue import _


class Question(Enum):
    """What was asked, so that the next line is the answer."""

    QUIT = auto()
    LEAVE = auto()
    CLOSE = auto()
    GONE_BACK = auto()


@dataclass(frozen=True, slots=True)
class Sitting:
    """A place at a table.

    `now` is what the seat was told last, `face` the game if there is one. `awaiting` counts what
    the host has still to answer. `flying` tells that the autopilot plays. `silent` keeps the lobby
    quiet until a game begins. `back` says how to come back, where a seat is kept for who quits.
    """

    now: Now = field(default_factory=Now)
    face: Face | None = None
    size: Size = field(default_factory=Size)
    question: Question | None = None
    awaiting: int = 0
    flying: bool = False
    silent: bool = False
    back: str = ""

    @property
    def lobby(self) -> Lobby:
        """The table, once one has entered."""
        assert self.now.lobby is not None, "not at a table yet"
        return self.now.lobby

    @property
    def bot_moves(self) -> bool:
        """Whether the game waits for a bot, which will move."""
        view = self.now.view
        if view is None or view.to_act is None or self.lobby.stage is not Stage.PLAYING:
            return False
        if self.lobby.paused or self.now.disk is DiskIs.FULL:
            return False
        return isinstance(self.lobby.chairs[view.to_act], BotChair | Free)

    def say(self, lines: Iterable[str], wish: Wish | None = None) -> Answer:
        """Say something, as wide as the terminal, and wish something."""
        wanted = _wanted(wish)
        sitting = replace(self, awaiting=self.awaiting + wanted)
        told = [*lines]
        if wanted and self.now.standing is not Standing.LINKED:
            told.append(_("The host hears of it once it is there again."))
        return Answer(sitting, tuple(wrapped(told, self.size.columns)), wish)

    def played(self, said: Said) -> Answer:
        """What the game's face says, and wishes if no earlier wish is unanswered."""
        sitting = replace(self, face=said.face)
        if not isinstance(said.wish, Play):
            return Answer(sitting, said.lines, said.wish)
        if self.awaiting:
            return self.say([_("That has to wait: the host has not answered yet.")])
        return replace(sitting, flying=False).say(said.lines, said.wish)

    def where(self) -> list[str]:
        """Where one is: what the table or the game waits for, and what can be done."""
        if self.now.held is None:
            return [standing(self.now)]
        if self.now.standing is Standing.ENDED:
            return [_("save FILE keeps the record of the game, Enter leaves.")]
        if self.now.standing is not Standing.LINKED:
            return [standing(self.now)]
        if self.lobby.paused:
            return [_("The game is paused; the host lets it go on with go.")]
        if self.face is None or phase(self.now) in BETWEEN:
            return offers(self.now, self.lobby)
        return self.face.where()

    def prompt(self) -> str:
        """What stands before the line to type."""
        if self.question is not None:
            return _asked(self.question)
        if self.now.held is None:
            return _("Looking for the host")
        match self.now.standing:
            case Standing.LINKING:
                return _("Looking for the host")
            case Standing.SHAKY:
                return _("The connection is shaky")
            case Standing.LOST:
                return _("The host is gone")
            case Standing.ENDED:
                return _("The table is closed")
            case Standing.LINKED:
                return self._linked()
            case _:
                assert_never(self.now.standing)

    def takes_line(self, *, eager: bool) -> bool:
        """Whether a line typed can be answered now, and does not have to wait for what comes.

        Lines wait for the host's answer to earlier ones, which is on its way. Where they come from
        a file, not from somebody `eager`, they also wait for bots, as those always move soon.
        """
        linked = self.now.standing is Standing.LINKED
        if linked and self.awaiting:
            return False
        if self.question is Question.GONE_BACK:
            return True
        if self.silent and self.face is None:
            return self.now.standing is Standing.ENDED
        if eager or self.flying:
            return True
        if self.now.held is None:
            return self.now.standing is Standing.ENDED
        return not (linked and self.bot_moves)

    def _linked(self) -> str:
        if self.now.disk is DiskIs.FULL:
            return _("The disk is full")
        if self.lobby.paused:
            return _("Paused")
        if self.flying:
            return _("The autopilot plays")
        if self.face is not None:
            return self.face.prompt()
        if self.now.is_host:
            return _("Lobby")
        if self.now.seat is None:
            return _("Lobby, watching")
        chair = self.lobby.chairs[self.now.seat]
        ready = isinstance(chair, Taken) and chair.ready
        return _("Lobby, ready") if ready else _("Lobby, not ready")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, the place to go on from, and what is wished to be done."""

    sitting: Sitting
    lines: tuple[str, ...] = ()
    wish: Wish | None = None


def _wanted(wish: Wish | None) -> int:
    """How many answers of the host a wish leads to."""
    match wish:
        case Play():
            return 1
        case Ask(wants):
            return len(wants)
        case Save() | LetGo() | GoOn() | KeepAndLetGo() | None:
            return 0
        case _:
            assert_never(wish)


def _asked(question: Question) -> str:
    match question:
        case Question.QUIT:
            return _("Leave? yes or no")
        case Question.LEAVE:
            return _("Leave for good? yes or no")
        case Question.CLOSE:
            return _("Close the table? yes or no")
        case Question.GONE_BACK:
            return _("Go on from there? yes or no")
        case _:
            assert_never(question)
