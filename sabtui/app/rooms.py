"""Rooms beside the core, and what each adds to it: the core names them here and nowhere else.

A room is a module with a `ROOM`. All are loaded at every start: what they do, they load late, and
what they add are tuples, as dataclasses would load Python's inspection of code.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from textual.screen import Screen

    from net.client.credentials import Credentials, CredentialStore
    from net.client.remote import RemoteSession
    from net.client.session import OnUpdate
    from net.client.trail import GameState
    from net.server.doors import ServeDoor
    from sabtui.app.requests import HallVisit, TableHandle
    from sabtui.plain.console import Console
    from sabtui.text.layout import TerminalSize

    MakeSession: TypeAlias = Callable[[Credentials, OnUpdate, CredentialStore], RemoteSession]

MODULES: Final = ("sabtui.club", "sabtui.after", "sabtui.doors", "sabtui.kit")
"""The modules of the rooms, in the order of their commands and rows."""


class ShellCommand(NamedTuple):
    """A command of the shell, as in `sabtui replay`."""

    name: str
    purpose: str
    examples: tuple[str, ...]  # command lines after `sabtui`
    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]  # does it, and returns the exit code
    has_face: bool = False  # True if it opens a screen, or goes on in lines


class WelcomeRow(NamedTuple):
    """A row of the welcome screen."""

    name: str
    key: str
    label: str
    purpose: str
    make_screen: Callable[[], Screen[None]]


class DoorProgram(NamedTuple):
    """The program of a kind of door, for guests without Sabtui."""

    kind: str
    arguments: tuple[str, ...]  # arguments of Python that start it
    library: str  # the library without which it cannot be opened
    serve_by: Callable[[Sequence[str], Path, str], ServeDoor]
    """Returns what serves it, from arguments of Python, a folder for its state, and a language."""


class SharedReplay(NamedTuple):
    """A finished game on a screen."""

    screen: Screen[None]
    visit: Callable[[int, str], None]  # goes to a step there, and shows a message


class ReplayLines(Protocol):
    """A finished game that is watched again in lines of text."""

    @property
    def step(self) -> int:
        """The step of the game that is shown, counted from 0."""

    def begin(self) -> list[str]:
        """Return the first lines to show."""

    def prompt(self) -> str:
        """Return what stands before the cursor."""

    def visit(self, step: int) -> list[str]:
        """Go to a step; return what to show."""

    def answer(self, line: str, size: TerminalSize) -> list[str] | None:
        """Take a typed line; return what to show, `None` if the player goes back to the table."""


class SideRoom(NamedTuple):
    """A room and its additions; their words are asked for once the language is known."""

    commands: Callable[[], Iterable[ShellCommand]] = tuple
    rows: Callable[[], Iterable[WelcomeRow]] = tuple
    watch_again: Callable[[GameState, Callable[[int], None] | None], SharedReplay] | None = None
    """Makes the screen on which a finished game is watched again, and tells a host's program each
    step that is shown; raises UserError."""
    watch_in_lines: Callable[[GameState], ReplayLines] | None = None  # the same in lines of text
    doors: tuple[DoorProgram, ...] = ()
    visit: Callable[[Credentials, CredentialStore, MakeSession], HallVisit] | None = None
    """Begins the visit of a table, or of a club's hall: which of them is known once connected."""
    hall_screen: Callable[[], type[Screen[None]]] | None = None  # loads the screen of such a hall
    visit_in_lines: Callable[[TableHandle, Console, Iterable[str], bool], int] | None = None
    """Plays in lines of text at a table, or in the hall that it may be, and at its tables.

    With True a bot plays the visitor's seat from the start. Returns the exit code.
    """
    visit_as_stage: Callable[[Callable[[CredentialStore], Credentials]], HallVisit] | None = None
    """Begins the visit of a stage, which has no seat, with the credentials for its store."""


@cache
def rooms() -> tuple[SideRoom, ...]:
    return tuple(importlib.import_module(name).ROOM for name in MODULES)


def watch_in_lines(held: GameState) -> ReplayLines:
    """Replay a finished game in lines. Raises `UserError`: the record is invalid."""
    return next(room.watch_in_lines for room in rooms() if room.watch_in_lines)(held)
