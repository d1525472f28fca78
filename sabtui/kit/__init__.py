"""The room of `sabtui arena`, which measures bots. `ROOM` has the command, and loads it late."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Final

from sabtui.app.rooms import ShellCommand, SideRoom
from sabtui.text.i18n import _


def _commands() -> Iterable[ShellCommand]:
    """Yield the command of the shell."""
    yield ShellCommand(
        "arena",
        _("Measure how well bots play"),
        ("arena ./mybot", "arena easy medium mybots:digger --deals 400"),
        _add_options,
        _measure,
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
        parser, "--jobs", (1, 256), 1, _("How many processes at once (default: %(default)s)")
    )


def _measure(read: Namespace) -> int:
    from sabtui.cli.args import Arguments
    from sabtui.kit.arena import measure

    class ArenaArguments(Arguments):
        names: list[str]
        deals: int
        jobs: int

    asked = ArenaArguments(**vars(read))
    return measure(asked.names, asked.deals, asked.jobs)


ROOM: Final = SideRoom(_commands)
