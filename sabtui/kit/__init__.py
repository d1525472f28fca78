"""The commands `sabtui arena` and `sabtui bot check`, for authors of bots, loaded late."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from sabtui.app.features import Feature, ShellCommand
from sabtui.text.i18n import _


def _commands() -> Iterable[ShellCommand]:
    yield ShellCommand(
        "arena",
        _("Measure how well bots play"),
        ("arena ./mybot", "arena easy medium mybots:digger --deals 400"),
        _add_options,
        _measure,
    )
    yield ShellCommand(
        "bot",
        _("Ask a bot for moves in many positions, and report what it did"),
        ("bot check ./digger.js", "bot check mybots:digger"),
        _add_check_options,
        _check,
    )


def _add_options(parser: ArgumentParser) -> None:
    from sabtui.cli.options import add_number_option

    purpose = _(
        "One bot to measure beside easy and medium ones, or several for a league: a level, the "
        "name of an installed bot, MODULE:NAME, or the path of a program"
    )
    parser.add_argument("names", nargs="+", metavar="BOT", help=purpose)
    add_number_option(
        parser, "--deals", (1, 99999), 100, _("How many deals (default: %(default)s)")
    )
    add_number_option(
        parser, "--jobs", (1, 256), 1, _("Processes to run at once (default: %(default)s)")
    )
    parser.add_argument(
        "--records", type=Path, metavar="FOLDER", help=_("Keep a record of each game in a folder")
    )


def _add_check_options(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=["check"], help=_("What to do with the bot"))
    purpose = _("The name of an installed bot, MODULE:NAME, or the path of a program")
    parser.add_argument("name", metavar="BOT", help=purpose)


def _check(read: Namespace) -> int:
    from engine.bots.executables import MAX_INSTALLED_BOT_BYTES
    from engine.bots.installed import is_program
    from net.server.process import limit_memory
    from sabtui.kit.check import check

    name = vars(read)["name"]
    if not is_program(name):  # it runs in this process
        limit_memory(MAX_INSTALLED_BOT_BYTES)
    return check(name)


def _measure(read: Namespace) -> int:
    from sabtui.kit.arena import measure

    asked = vars(read)
    return measure(asked["names"], asked["deals"], asked["jobs"], asked["records"])


FEATURE: Final = Feature(_commands)
