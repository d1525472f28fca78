"""Values of command-line options, parsed; `argparse` shows the sentence for a wrong one.

Nothing heavy is imported at module level, as in `sabtui.cli.args`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection
from datetime import date
from typing import TYPE_CHECKING

from sabtui.app import BOT_LEVELS
from sabtui.text.i18n import _, alternatives, lower_first, of_argparse, phrases

if TYPE_CHECKING:
    from engine.edition import Edition
    from net.secure.code import RoomCode


def edition_help() -> str:
    """Return the help on editions, with the names of all rulebooks and house rules."""
    from engine.edition import (  # noqa: PLC0415 - not at start
        EDITIONS,
        ConnectRule,
        DeadTable,
        Direction,
        ShareRule,
        StarterRule,
    )

    kinds = (Direction, ConnectRule, DeadTable, ShareRule, StarterRule)
    rows = ", ".join(" / ".join(map(str, kind)) for kind in kinds)
    return _(
        "Rulebook: {books} (default: %(default)s). Add house rules with a plus, as in "
        "italia+linked: {rows}"
    ).format(books=", ".join(EDITIONS), rows=rows)


def number_within(first: int, last: int) -> Callable[[str], int]:
    """Return a parser of integers from `first` to `last`, both included."""

    def number(text: str) -> int:
        if text.isdecimal() and len(text) < 6 and first <= int(text) <= last:
            return int(text)
        raise argparse.ArgumentTypeError(_not_within(text, first, last))

    return number


def _not_within(text: str, first: int, last: int) -> str:
    problem = _("{text!r} is not a number from {first} to {last}")
    return problem.format(text=text[:40], first=first, last=last)


def day(text: str) -> date:
    """Parse a day, as in 2026-11-22."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        problem = _("{text!r} is not a day such as 2026-11-22")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40])) from None


def bot_level(text: str) -> str:
    """Parse a level of bots, or the name of an installed bot, in any case."""
    level = text.casefold()
    if level in BOT_LEVELS:
        return level
    from engine.bots.installed import installed_bots, refused_bots  # noqa: PLC0415 - not at start

    if level in installed_bots():
        return level
    if text in refused_bots():
        raise argparse.ArgumentTypeError(refused_bots()[text])
    problem = of_argparse("invalid choice: %(value)r (choose from %(choices)s)")
    choices = ", ".join((*BOT_LEVELS, *installed_bots()))
    raise argparse.ArgumentTypeError(problem % {"value": text[:40], "choices": choices})


def target(text: str) -> str:
    """Check the target of an evening, or that there is none."""
    from net.protocol.evening import MAX_TARGET  # noqa: PLC0415 - not at start
    from sabtui.text.settings import EVENINGS, setting_of  # noqa: PLC0415 - not at start

    if text.casefold() not in EVENINGS:
        problem, purpose = _not_within(text, 1, MAX_TARGET), setting_of("evening").purpose
        raise argparse.ArgumentTypeError(phrases([problem, lower_first(purpose)]))
    return text.casefold()


def game_file(text: str) -> str:
    """Parse the path of a file to export a game to."""
    from sabtui.app.export import FORMATS  # noqa: PLC0415 - not at start

    return _ending_in(FORMATS, text)


def table_file(text: str) -> str:
    """Parse the path of a file to export standings to."""
    from sabtui.app.standings_table import TABLE_FORMATS  # noqa: PLC0415 - not at start

    return _ending_in(TABLE_FORMATS, text)


def _ending_in(suffixes: Collection[str], path: str) -> str:
    from pathlib import Path  # noqa: PLC0415 - not at start

    if Path(path).suffix.lower() not in suffixes:
        problem = _("{text!r} does not end in {suffixes}")
        ends = alternatives(tuple(suffixes))
        raise argparse.ArgumentTypeError(problem.format(text=path[:40], suffixes=ends))
    return path


def edition(text: str) -> Edition:
    """Parse the name of an edition, and the house rules after it."""
    from engine.edition import EDITIONS, Edition  # noqa: PLC0415 - not at start

    try:
        return Edition.read(text)
    except KeyError:
        problem = _(
            "{text!r} is not an edition: choose {names}, with house rules as in italia+linked"
        )
        raise argparse.ArgumentTypeError(
            problem.format(text=text[:40], names=", ".join(EDITIONS))
        ) from None


def room_code(text: str) -> RoomCode:
    """Parse a room code, with small typing errors corrected."""
    from net.secure.code import BadCode, RoomCode  # noqa: PLC0415 - not at start
    from sabtui.text.network import bad_code  # noqa: PLC0415 - not at start

    try:
        return RoomCode.parse(text)
    except BadCode as bad:
        raise argparse.ArgumentTypeError(bad_code(bad)) from None


def seed(text: str) -> bytes:
    """Parse a seed of 32 bytes, written in hexadecimal; leading zeros may be omitted."""
    if re.fullmatch("[0-9a-fA-F]{1,64}", text) is None:
        problem = _("{text!r} is not a seed: 1 to 64 digits, 0 to 9 and a to f")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40]))
    return int(text, 16).to_bytes(32, "big")
