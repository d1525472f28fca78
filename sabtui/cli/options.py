"""The options of each command, as they are added to its parser, and how their values are read.

`argparse` shows the sentence for a wrong value. Importing this imports nothing heavy, as every
start of the program needs it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, Speed
from sabtui.art import Art
from sabtui.text.i18n import _, of_argparse

if TYPE_CHECKING:
    from engine.edition import Edition
    from net.secure.code import RoomCode
    from sabtui.text.settings import Setting


def add_practise_options(practise: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui practise`."""
    add_number_option(practise, "--bots", (2, 9), 4, _("How many bots (default: %(default)s)"))
    add_game_options(practise)
    add_speed_option(practise, None, f"{Speed.NORMAL}; --plain: {Speed.INSTANT}")
    add_name_option(practise)
    practise.add_argument(
        "--seed",
        type=seed,
        metavar="HEX",
        help=_("Seed of a game, to deal the same cards again"),
    )


def add_host_options(host: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui host`."""
    host.add_argument("title", nargs="?", default="", metavar="NAME", help=_("Name of the table"))
    add_number_option(host, "--bots", (0, 9), 0, _("How many bots (default: %(default)s)"))
    add_game_options(host)
    add_speed_option(host, Speed.NORMAL, Speed.NORMAL)
    add_name_option(host)
    code = host.add_mutually_exclusive_group()
    add_code_option(code)
    from sabtui.text.settings import table_settings  # noqa: PLC0415 - not at start

    for setting in table_settings():
        if setting.purpose and setting.field != "rounds":  # which practice has, too
            add_setting_option(code if setting.field == "is_open" else host, setting)
    add_port_and_doors(host)
    host.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="NAME",
        help=_("Bring back a table that was not closed; the last one if no name is given"),
    )
    host.add_argument(
        "--headless",
        action="store_true",
        help=_("Run the table without a screen; join it from elsewhere"),
    )
    idle = _("With --headless: stop after this many minutes with nobody there (default: 0, never)")
    add_number_option(host, "--idle", (0, 9999), 0, idle)
    alone = _("With --headless: start the game once this many people sit and are ready")
    add_number_option(host, "--start-with", (1, 10), None, alone)
    add_autopilot_option(host)


def add_code_option(parser: argparse._ActionsContainer) -> None:
    """Add the option that names the room code to open a table with."""
    purpose = _("Room code (default: two random words)")
    parser.add_argument("--code", type=room_code, metavar="TWO-WORDS", help=purpose)


def add_port_and_doors(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a port and open doors."""
    purpose = _("Port to use (default: 7341, or the next free one)")
    add_number_option(parser, "--port", (1024, 65535), None, purpose)
    parser.add_argument(
        "--ssh",
        action="store_true",
        help=_("Open an SSH door as well: friends join with nothing but ssh"),
    )
    parser.add_argument(
        "--web",
        action="store_true",
        help=_("Open a browser door as well: friends join with a phone or any browser"),
    )


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a table, or a club, and its code."""
    parser.add_argument(
        "where",
        nargs="*",
        action=Words,
        default="",
        metavar="NAME|HOST[:PORT]",
        help=_(
            "Name or address of the table, or a login such as ssh://ana@box; not needed if "
            "there is only one"
        ),
    )
    purpose = _("Room code")
    parser.add_argument("--code", type=room_code, metavar="TWO-WORDS", help=purpose)


def add_join_options(join: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui join`."""
    add_place_options(join)
    join.add_argument("--watch", action="store_true", help=_("Watch, without taking a seat"))
    add_name_option(join)
    add_autopilot_option(join)


def add_art_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how cards are drawn."""
    ways = ",".join(Art)
    purpose = _("How to draw the cards (default: as in the settings)")
    parser.add_argument("--art", type=Art, choices=list(Art), metavar=f"{{{ways}}}", help=purpose)


def add_drawing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how screens are drawn."""
    add_art_option(parser)
    add_ascii_option(parser)
    parser.add_argument("--calm", action="store_true", help=_("No animations"))


def add_ascii_option(parser: argparse.ArgumentParser) -> None:
    """Add the option to draw in ASCII."""
    purpose = _("Draw in plain ASCII only")
    parser.add_argument("--ascii", action="store_const", dest="art", const=Art.ASCII, help=purpose)


def add_edition_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names an edition and house rules."""
    parser.add_argument(
        "--edition",
        type=edition,
        default="international",
        metavar="NAME[+RULE...]",
        help=edition_help(),
    )


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on a game: its edition, rounds and bots."""
    from sabtui.text.settings import setting_of  # noqa: PLC0415 - not at start

    add_edition_option(parser)
    add_setting_option(parser, setting_of("rounds"))
    parser.add_argument(
        "--level",
        type=bot_level,
        metavar="{" + ",".join(BOT_LEVELS) + "}",
        default=DEFAULT_BOT_LEVEL,
        help=_(
            "Level of the bots, name of an installed bot, or path of a program (default: {level})"
        ).format(level=DEFAULT_BOT_LEVEL),
    )


def add_setting_option(parser: argparse._ActionsContainer, setting: Setting) -> None:
    """Add the option of a setting of a table; its value is as typed, or a number."""
    from net.protocol.lobby import Settings  # noqa: PLC0415 - not at start

    add = partial(parser.add_argument, setting.flag, dest=setting.field, help=setting.purpose)
    # As many seats as the bots need, unless it is said.
    usual = None if setting.field == "seats" else setting.spell(Settings())
    if setting.means:
        add(action="store_const", const=setting.means, default=usual)
    elif setting.bounds is not None:
        add(type=number_within(*setting.bounds), metavar="N", default=usual)
    else:
        add(choices=tuple(setting.values), default=usual)


def add_speed_option(parser: argparse.ArgumentParser, default: Speed | None, usual: str) -> None:
    """Add the option for the speed of the bots, whose `usual` speed its help tells."""
    purpose = _("Speed of the bots (default: {usual})").format(usual=usual)
    parser.add_argument("--speed", choices=tuple(map(str, Speed)), default=default, help=purpose)


def add_name_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the player's name."""
    parser.add_argument("--name", default="", metavar="NAME", help=_("Your name at the table"))


def add_autopilot_option(parser: argparse.ArgumentParser) -> None:
    """Add the option by which a bot plays one's seat."""
    parser.add_argument("--autopilot", action="store_true", help=_("Let a bot play your seat"))


def add_number_option(
    parser: argparse.ArgumentParser,
    option: str,
    between: tuple[int, int],
    default: int | None,
    purpose: str,
) -> None:
    """Add an option whose value is an integer within `between`, both ends included."""
    parser.add_argument(
        option, type=number_within(*between), default=default, metavar="N", help=purpose
    )


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


def bot_level(text: str) -> str:
    """Parse a level of bots, the name of an installed bot, in any case, or a program's path."""
    level = text.casefold()
    if level in BOT_LEVELS:
        return level
    from engine.bots import installed  # noqa: PLC0415 - not at start

    if "/" in text or os.sep in text:
        level = text = installed.offer_program(Path(text))
    if level in installed.installed_bots():
        return level
    if text in installed.refused_bots():
        raise argparse.ArgumentTypeError(installed.refused_bots()[text])
    problem = of_argparse("invalid choice: %(value)r (choose from %(choices)s)")
    choices = ", ".join((*BOT_LEVELS, *installed.installed_bots()))
    raise argparse.ArgumentTypeError(problem % {"value": text[:40], "choices": choices})


def edition(text: str) -> Edition:
    """Parse the name of an edition, and the house rules after it."""
    from engine.edition import EDITIONS, Edition  # noqa: PLC0415 - not at start
    from engine.mistakes import NotationError  # noqa: PLC0415 - as above

    try:
        return Edition.read(text)
    except NotationError:
        problem = _(
            "{text!r} is not an edition: choose {names}, with house rules as in italia+linked"
        )
        raise argparse.ArgumentTypeError(
            problem.format(text=text[:40], names=", ".join(EDITIONS))
        ) from None


class Words(argparse.Action):
    """Join words by blanks: an address may have been typed with one, without quotes."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Set the words that were typed; no words leave the default."""
        del parser, option_string
        setattr(namespace, self.dest, " ".join(map(str, values or ())))


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
