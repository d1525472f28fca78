"""The options of this room's commands, as they are added to the parser and read from it.

Importing this imports nothing heavy, as every start of the program needs it.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from datetime import date

from sabtui.cli.args import Arguments, add_ascii_option, add_edition_option, add_number_option
from sabtui.text.i18n import _, alternatives, capitalise


class AfterArguments(Arguments):
    """Parsed options; each command sets those it has."""

    file: str
    line: str
    people: list[str]
    since: date | None
    until: date | None
    place: str
    evening: bool
    unchecked: bool
    me: bool
    numbers: bool
    export: str | None
    at: int | None


def add_record_options(record: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui record`."""
    record.add_argument("file", metavar="FILE.sab")


def add_replay_options(replay: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui replay`."""
    text = _("A .sab file; if left out, the last saved game")
    replay.add_argument("file", nargs="?", default="", metavar="FILE", help=text)
    export = _("Write the game to a file instead: .html, .svg, .cast or .txt")
    replay.add_argument("--export", type=game_file, metavar="FILE", help=export)
    moment = _("With --export: only the moment after this step")
    add_number_option(replay, "--at", (1, 99999), None, moment)


def add_review_options(review: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui review`."""
    review.add_argument("file", metavar="FILE.sab")
    review.add_argument("--numbers", action="store_true", help=capitalise(_("all figures")))
    add_ascii_option(review)


def add_study_options(study: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui study`."""
    study.add_argument("line", metavar="LINE", help=_("A position in notation, in quotes"))
    add_edition_option(study)


def add_standings_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui standings`."""
    parser.add_argument(
        "people",
        nargs="*",
        metavar="NAME",
        help=_("Only games in which all these players took part"),
    )
    parser.add_argument(
        "--since",
        type=day,
        metavar="DAY",
        help=_("Only games on or after this day, such as 2026-11-22"),
    )
    parser.add_argument(
        "--until", type=day, metavar="DAY", help=_("Only games on or before this day")
    )
    parser.add_argument(
        "--place", default="", metavar="NAME", help=_("Only games at tables of this name")
    )
    parser.add_argument(
        "--evening", action="store_true", help=_("Only the games of the last evening")
    )
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help=_("Also count games that your own program did not see, from other people's records"),
    )
    parser.add_argument(
        "--numbers",
        action="store_true",
        help=_("All figures, and bots: 95%% intervals, wins expected by chance"),
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--me", action="store_true", help=capitalise(_("your own statistics")))
    what.add_argument(
        "--export",
        type=table_file,
        metavar="FILE",
        help=_("Write a file instead: .txt, .csv or .html"),
    )
    add_ascii_option(parser)


def game_file(text: str) -> str:
    """Parse the path of a file to export a game to."""
    from sabtui.after.export import FORMATS  # noqa: PLC0415 - not at start

    return _ending_in(FORMATS, text)


def table_file(text: str) -> str:
    """Parse the path of a file to export standings to."""
    from sabtui.after.standings_table import TABLE_FORMATS  # noqa: PLC0415 - not at start

    return _ending_in(TABLE_FORMATS, text)


def _ending_in(suffixes: Collection[str], path: str) -> str:
    from pathlib import Path  # noqa: PLC0415 - not at start

    if Path(path).suffix.lower() not in suffixes:
        problem = _("{text!r} does not end in {suffixes}")
        ends = alternatives(tuple(suffixes))
        raise argparse.ArgumentTypeError(problem.format(text=path[:40], suffixes=ends))
    return path


def day(text: str) -> date:
    """Parse a day, as in 2026-11-22."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        problem = _("{text!r} is not a day such as 2026-11-22")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40])) from None
