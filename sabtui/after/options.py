"""The options of this room's commands, as they are added to the parser and read from it.

Importing this imports nothing heavy, as every start of the program needs it.
"""

from __future__ import annotations

import argparse
from datetime import date

from sabtui.cli.args import Arguments, add_ascii_option
from sabtui.text.i18n import _, capitalise


class AfterArguments(Arguments):
    """Parsed options; each command sets those it has."""

    file: str
    people: list[str]
    since: date | None
    evening: bool
    numbers: bool
    export: str | None


def add_record_options(record: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui record`."""
    record.add_argument("file", metavar="FILE.sab")


def add_replay_options(replay: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui replay`."""
    text = _("A .sab file; if left out, the last saved game")
    replay.add_argument("file", nargs="?", default="", metavar="FILE", help=text)
    export = capitalise(_("export the game as a page that any browser shows"))
    replay.add_argument("--export", metavar="FILE", help=export)


def add_review_options(review: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui review`."""
    review.add_argument("file", metavar="FILE.sab")
    review.add_argument("--numbers", action="store_true", help=capitalise(_("all figures")))
    add_ascii_option(review)


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
        "--evening", action="store_true", help=_("Only the games of the last evening")
    )
    parser.add_argument(
        "--numbers",
        action="store_true",
        help=_("All figures, and bots: 95%% intervals, wins expected by chance"),
    )


def day(text: str) -> date:
    """Parse a day, as in 2026-11-22."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        problem = _("{text!r} is not a day such as 2026-11-22")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40])) from None
