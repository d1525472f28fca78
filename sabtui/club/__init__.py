"""A club: a hall from which people come to its tables, its nights, and the stage for a projector.

folder   the files of a club: what it keeps, and the journals of its tables
hall     a room without chairs, and the inputs that the club adds
lines    the hall in lines of text
night    a night in progress: who sits with whom in each round, and their gold
program  the program that runs a club, and what it says in its terminal
screens  the hall on a screen, and the page of a night
server   the hall and all tables behind one entrance
stage    what a projector shows of a club or table, in which order, and on which screens
text     sentences, standings of a night, and their files
visit    a player's way around a club

`FEATURE` has what this package adds to the core, and loads it on demand.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import Final

from sabtui.app import Speed
from sabtui.app.features import Feature, ShellCommand
from sabtui.text.i18n import _


def _commands() -> Iterable[ShellCommand]:
    yield ShellCommand(
        "club",
        _("Open a hall with room for many tables"),
        ('club "The Nugget" --ssh --web',),
        _add_club_options,
        _run_club,
    )
    yield ShellCommand(
        "stage",
        _("Show a club or a table on a projector, without a seat"),
        ("stage", "stage 192.168.1.20 --code amber-tulip"),
        _add_stage_options,
        _show_stage,
    )


def _add_club_options(club: ArgumentParser) -> None:
    from sabtui.cli import options

    club.add_argument("title", metavar="NAME", help=_("Name"))
    options.add_code_option(club)
    options.add_port_and_doors(club)
    options.add_speed_option(club, Speed.NORMAL, Speed.NORMAL)


def _add_stage_options(stage: ArgumentParser) -> None:
    from sabtui.cli import args, options

    options.add_place_options(stage)
    stage.add_argument("--hide-code", action="store_true", help=_("Do not show the room code"))
    args.add_drawing_options(stage)


def _run_club(read: Namespace) -> int:
    from sabtui.cli.args import Arguments
    from sabtui.club.program import run_club

    return run_club(Arguments(**vars(read)))


def _show_stage(read: Namespace) -> int:
    """Show a club or a table on a projector, once it is found; a stage needs a screen."""
    import os
    from functools import partial

    from sabtui.app.errors import UserError
    from sabtui.app.log import keep_off_terminal
    from sabtui.app.terminal import why_no_screen
    from sabtui.cli.args import Arguments

    asked = Arguments(**vars(read))
    if why := why_no_screen(os.environ):
        raise UserError(why)
    keep_off_terminal()
    from sabtui.cli.main import show_screens
    from sabtui.club.stage import StageHallScreen, StageOrder, ask_for_stage, find_stage_place

    place, code = ask_for_stage(asked.where, asked.code)
    find_again = partial(find_stage_place, asked.where, code)
    order = StageOrder(find_again, place, shows_code=not vars(read)["hide_code"])
    return show_screens(asked, first=lambda: StageHallScreen(order))


FEATURE: Final = Feature(_commands)
