"""The options of this room's commands, as they are added to the parser and read from it.

Importing this imports nothing heavy, as every start of the program needs it.
"""

from __future__ import annotations

import argparse

from sabtui.cli.args import Arguments
from sabtui.text.i18n import _, capitalise


class AfterArguments(Arguments):
    """Parsed options; each command sets those it has."""

    file: str
    export: str | None


def add_replay_options(replay: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui replay`."""
    text = _("A .sab file; if left out, the last saved game")
    replay.add_argument("file", nargs="?", default="", metavar="FILE", help=text)
    export = capitalise(_("export the game as a page that any browser shows"))
    replay.add_argument("--export", metavar="FILE", help=export)


def add_review_options(review: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui review`."""
    review.add_argument("file", metavar="FILE.sab")
