"""The screen of a study: a position on the table itself, where moves are tried and taken back.

The table's screen does not know the difference: its session is a `StudySession`, which answers each
move with the table as the next player sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, cast

from net.client.session import ConnectionState, Received, Status, Update
from net.client.trail import GameState
from net.protocol.events import read_move
from net.protocol.lobby import Lobby, Person, Presence, Settings, Stage, Taken
from net.protocol.requests import MakeMove, Request
from sabtui.after.study import (
    Study,
    StudyCommand,
    after_move,
    imagined_sentence,
    is_first_imagined,
    line_of,
    nothing_tried,
    purpose_of,
    take_back,
)
from sabtui.text.i18n import _
from sabtui.tui.command import Command
from sabtui.tui.table.screen import TableScreen

ELSEWHERE: Final = frozenset(
    (
        *("talk", "claim", "note", "save", "picture", "autopilot", "leave", "unsaved", "pause"),
        *("next round", "remove", "hand over", "give host", "lock", "new code", "close", "sit"),
        *("leave for good", "words"),
    )
)
"""Commands of the table that make no sense where nobody else is."""

WATCHER_MEMBER: Final = 99
"""A member number that has no seat."""


class StudySession:
    """A position that is studied, as a session of whoever is to move."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.on_update: Callable[[Update], None] = lambda _update: None

    @property
    def status(self) -> Status:
        """The present position, as the seat to move sees it."""
        return status_of(self.study)

    def request(self, want: Request) -> None:
        """Try a legal move; there is nobody who could be asked for anything else."""
        if isinstance(want, MakeMove):
            self.turn_to(after_move(self.study, read_move(want.move)))

    def leave(self) -> None:
        """Do nothing: a study ends with its screen."""

    def turn_to(self, study: Study) -> None:
        """Show another position."""
        self.study = study
        self.on_update(Update(self.status, Received(renewed=True)))


def status_of(study: Study) -> Status:
    """Return the status that a client would have at a position."""
    view = study.view
    seats = range(view.table.players)
    lobby = Lobby(
        name=_("Study"),
        settings=Settings(view.table.edition.text, view.score.rounds, len(seats)),
        chairs=tuple(Taken(seat + 1, ready=True) for seat in seats),
        people=tuple(
            Person(seat + 1, name, Presence.THERE) for seat, name in enumerate(study.names.names)
        ),
        stage=Stage.PLAYING,
    )
    member = WATCHER_MEMBER if view.seat is None else view.seat + 1
    held = GameState(0, len(study.views), lobby, view, ())
    return Status(ConnectionState.CONNECTED, member, held)


class StudyScreen(TableScreen, inherit_bindings=False):
    """A position on the table."""

    HAS_CEREMONIES = False

    def commands(self) -> Iterable[Command]:
        """Yield the commands of the table that make sense here, and those of a study."""
        yield from (one for one in super().commands() if one.name not in ELSEWHERE)
        # Translators: label of the key that takes a tried move back.
        label, purpose = _("undo"), purpose_of(StudyCommand.BACK)
        yield Command("undo", ("b", "backspace"), label, purpose, self.undo, self._why_no_undo)
        # Translators: label of the key that shows a position in one line.
        label, purpose = _("line"), purpose_of(StudyCommand.LINE)
        yield Command("line", ("o",), label, purpose, lambda: self.say(line_of(self._study)))
        yield Command("leave", ("q",), _("back"), _("end the study"), self.back)

    @property
    def _study(self) -> Study:
        return self._seat.study

    @property
    def _seat(self) -> StudySession:
        return cast("StudySession", self.session)

    def on_mount(self) -> None:
        """Show the position, and every one after it."""
        self._seat.on_update = self.show_update
        super().on_mount()
        self.talk_line.display = False

    def show_update(self, update: Update) -> None:
        """Show a position, and say if cards are imagined in it for the first time."""
        super().show_update(update)
        if is_first_imagined(self._study):
            self.say(imagined_sentence())

    def undo(self) -> None:
        """Take the last move back."""
        self._seat.turn_to(take_back(self._study))

    def _why_no_undo(self) -> str | None:
        if len(self._study.views) > 1:
            return None
        return nothing_tried()
