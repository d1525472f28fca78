"""Packages outside the core, and the commands, rows of the welcome screen and doors that each adds.

Each has a `FEATURE`. All are loaded at every start, so they import their work late, and what they
add are named tuples: dataclasses would load `inspect`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from textual.screen import Screen

    from net.server.doors import ServeDoor

MODULES: Final = ("sabtui.club", "sabtui.after", "sabtui.doors", "sabtui.kit")
"""The packages, in the order of their commands and rows."""


class ShellCommand(NamedTuple):
    """A command of the shell, such as `sabtui replay`."""

    name: str
    purpose: str
    examples: tuple[str, ...]  # command lines after `sabtui`
    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]  # runs the command, and returns the exit code
    has_face: bool = False  # True if it opens a screen, or continues in lines


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


class Feature(NamedTuple):
    """Additions of a package; their words are functions, called once the language is known."""

    commands: Callable[[], Iterable[ShellCommand]] = tuple
    rows: Callable[[], Iterable[WelcomeRow]] = tuple
    doors: tuple[DoorProgram, ...] = ()


@cache
def features() -> tuple[Feature, ...]:
    return tuple(importlib.import_module(name).FEATURE for name in MODULES)
