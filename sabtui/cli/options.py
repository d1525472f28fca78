"""The options of commands that lead to a table, and how their values are read.

Everything about rules and tables is imported here; `sabtui.cli.args` loads this for such a command.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from typing import Final

from engine.bots import installed
from engine.edition import (
    EDITIONS,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    ShareRule,
    StarterRule,
)
from engine.mistakes import NotationError
from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from net.secure.code import BadCode, RoomCode
from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, Speed
from sabtui.text.door_words import door_purpose
from sabtui.text.i18n import _, capitalise, of_argparse
from sabtui.text.network import bad_code
from sabtui.text.settings import Setting, setting_of, table_settings


def add_practise_options(practise: argparse.ArgumentParser) -> None:
    add_number_option(practise, "--bots", (2, 9), 4, _("How many bots (default: %(default)s)"))
    add_game_options(practise)
    add_speed_option(practise, None, f"{Speed.NORMAL}; --plain: {Speed.INSTANT}")
    add_name_option(practise)
    add_autopilot_option(practise)
    practise.add_argument(
        "--seed",
        type=parse_seed,
        metavar="HEX",
        help=_("Seed, to deal the same cards again"),
    )


def add_host_options(host: argparse.ArgumentParser) -> None:
    host.add_argument("title", nargs="?", default="", metavar="NAME", help=_("Name of the table"))
    add_number_option(host, "--bots", (0, 9), 0, _("How many bots (default: %(default)s)"))
    add_game_options(host)
    add_speed_option(host, Speed.NORMAL, Speed.NORMAL)
    add_name_option(host)
    code = host.add_mutually_exclusive_group()
    add_code_option(code)
    for setting in table_settings():
        if setting.purpose and setting.field != "rounds":  # practice has that option, too
            add_setting_option(code if setting.field == "is_open" else host, setting)
    add_port_and_doors(host)
    host.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="NAME",
        help=_("Reopen a table that was not closed (default: the last one)"),
    )
    screenless = host.add_mutually_exclusive_group()
    screenless.add_argument(
        "--headless",
        action="store_true",
        help=_("Run the table without a screen; join it from elsewhere"),
    )
    add_autopilot_option(screenless)
    alone = _("With --headless: start once this many people are seated and ready")
    add_number_option(host, "--start-with", (1, 10), None, alone)
    settings = {setting.field: setting.flag for setting in table_settings() if setting.purpose}
    host.set_defaults(kept=_OF_NEW_TABLES | settings)


_OF_NEW_TABLES: Final = {
    "title": "NAME",
    "bots": "--bots",
    "edition": "--edition",
    "level": "--level",
    "name": "--name",
    "code": "--code",
}
"""Options of `sabtui host` that a table keeps once it is open, by their names in `Arguments`.

So are its settings' options. The name of the table is an argument.
"""


def add_join_options(join: argparse.ArgumentParser) -> None:
    add_place_options(join)
    seat = join.add_mutually_exclusive_group()
    seat.add_argument("--watch", action="store_true", help=_("Watch, without taking a seat"))
    add_autopilot_option(seat)
    add_name_option(join)


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a table, or a club, and its code."""
    parser.add_argument(
        "place",
        nargs="*",
        metavar="NAME|HOST[:PORT]",
        help=_(
            "Name or address of the table, or a login such as ssh://ana@box; not needed if "
            "there is only one"
        ),
    )
    purpose = capitalise(_("room code"))
    parser.add_argument("--code", type=parse_room_code, metavar="TWO-WORDS", help=purpose)


def add_code_option(parser: argparse._ActionsContainer) -> None:
    purpose = _("Room code (default: two random words)")
    parser.add_argument("--code", type=parse_room_code, metavar="TWO-WORDS", help=purpose)


def add_port_and_doors(parser: argparse.ArgumentParser) -> None:
    purpose = _("Port to use (default: 7341, or the next free one)")
    add_number_option(parser, "--port", (1024, 65535), None, purpose)
    parser.add_argument("--ssh", action="store_true", help=door_purpose(DoorKind.SSH))
    parser.add_argument("--web", action="store_true", help=door_purpose(DoorKind.WEB))


def add_game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--edition",
        type=parse_edition,
        default="international",
        metavar="NAME[+RULE...]",
        help=describe_editions(),
    )
    add_setting_option(parser, setting_of("rounds"))
    parser.add_argument(
        "--level",
        type=parse_bot_level,
        metavar="{" + ",".join(BOT_LEVELS) + "}",
        default=DEFAULT_BOT_LEVEL,
        help=_(
            "Level of the bots, name of an installed bot, or path of a program (default: {level})"
        ).format(level=DEFAULT_BOT_LEVEL),
    )


def add_setting_option(parser: argparse._ActionsContainer, setting: Setting) -> None:
    """Add the option for a table's setting: a switch, a number in bounds, or one of its words."""
    add = partial(parser.add_argument, setting.flag, dest=setting.field, help=setting.purpose)
    # Without `--seats` there are as many seats as the players and bots need.
    usual = None if setting.field == "seats" else setting.spell(Settings())
    if setting.means:
        add(action="store_const", const=setting.means, default=usual)
    elif setting.bounds is not None:
        add(type=make_number_parser(*setting.bounds), metavar="N", default=usual)
    else:
        add(choices=tuple(setting.values), default=usual)


def add_speed_option(parser: argparse.ArgumentParser, default: Speed | None, usual: str) -> None:
    purpose = _("Speed of the bots (default: {usual})").format(usual=usual)
    parser.add_argument("--speed", choices=tuple(map(str, Speed)), default=default, help=purpose)


def add_name_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", metavar="NAME", help=_("Your name"))


def add_autopilot_option(parser: argparse._ActionsContainer) -> None:
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
        option, type=make_number_parser(*between), default=default, metavar="N", help=purpose
    )


def describe_editions() -> str:
    """Return the help on editions, with the names of all rulebooks and house rules."""
    kinds = (Direction, ConnectRule, DeadTable, ShareRule, StarterRule)
    rows = ", ".join(" / ".join(map(str, kind)) for kind in kinds)
    return _(
        "Rulebook: {books} (default: %(default)s). Add house rules with a plus, as in "
        "italia+linked: {rows}"
    ).format(books=", ".join(EDITIONS), rows=rows)


def parse_bot_level(text: str) -> str:
    """Parse a level of bots, the name of an installed bot, in any case, or a program's path."""
    level = text.casefold()
    if level in BOT_LEVELS:
        return level
    if installed.is_program(text):
        level = text = installed.offer_program(text)
    if level in installed.installed_bots():
        return level
    if text in installed.refused_bots():
        raise argparse.ArgumentTypeError(installed.refused_bots()[text])
    raise _not_among(text, ", ".join((*BOT_LEVELS, *installed.installed_bots())))


def parse_edition(text: str) -> Edition:
    try:
        return Edition.read(text)
    except NotationError:
        raise _not_among(text, ", ".join((*EDITIONS, "italia+linked"))) from None


def parse_room_code(text: str) -> RoomCode:
    try:
        return RoomCode.parse(text)
    except BadCode as bad:
        raise argparse.ArgumentTypeError(bad_code(bad)) from None


def parse_seed(text: str) -> bytes:
    """Parse a seed of 32 bytes, written in hexadecimal; leading zeros may be omitted."""
    if re.fullmatch("[0-9a-fA-F]{1,64}", text) is None:
        raise _not_among(text, "[0-9a-f]{1,64}")
    return int(text, 16).to_bytes(32, "big")


def make_number_parser(first: int, last: int) -> Callable[[str], int]:
    """Return a parser of integers from `first` to `last`, both included."""

    def parse_number(text: str) -> int:
        if text.isdecimal() and len(text) < 6 and first <= int(text) <= last:
            return int(text)
        raise _not_among(text, f"{first}-{last}")

    return parse_number


def _not_among(text: str, choices: str) -> argparse.ArgumentTypeError:
    problem = of_argparse("invalid choice: %(value)r (choose from %(choices)s)")
    return argparse.ArgumentTypeError(problem % {"value": text[:40], "choices": choices})
