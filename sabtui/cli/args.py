"""The command-line options, and their parser.

Values are validated here; `sabtui.cli.main` runs the commands. Start-up must stay fast: nothing
heavy is imported at module level.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

import sabtui
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.errors import complain
from sabtui.text.i18n import _, languages, teach_argparse

if TYPE_CHECKING:
    from engine.edition import Edition
    from net.security.code import RoomCode

LANGUAGE: Final = "--language"
"""The option that sets the language; it is also looked for before parsing (`language_in`)."""

EXIT_OK, EXIT_ERROR, EXIT_USAGE = 0, 1, 2


class Arguments(argparse.Namespace):
    """Parsed command-line options; each command sets those it has."""

    command: str | None
    plain: bool = False
    ascii: bool = False
    language: str = ""
    bots: int
    edition: Edition
    seed: bytes | None
    name: str
    rounds: int
    level: str
    file: str
    title: str
    players: int | None
    code: RoomCode | None
    is_open: bool
    absent: str
    turn: int
    hints: bool
    port: int | None
    headless: bool
    idle: int
    resume: str | None
    """Title of a table to bring back, empty for the last one."""
    sweep: bool
    where: str
    watch: bool
    autopilot: bool = False


class Parser(argparse.ArgumentParser):
    """Argument parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        """Write the error message with a hint at `--help`, and exit with `EXIT_USAGE`."""
        advice = _("{problem}; {program} --help tells more").format(
            problem=message, program=self.prog
        )
        complain(f"{self.prog}: {advice}")
        raise SystemExit(EXIT_USAGE)


def read(argv: Sequence[str]) -> Arguments:
    """Parse a command line. Raises `SystemExit` if it is wrong, or after help or the version."""
    teach_argparse()
    return _parser().parse_args(argv, Arguments())


def language_in(argv: Sequence[str]) -> str:
    """Return the language that a command line names, "" if none: help is translated, too."""
    asked = ""
    for word, after in pairwise((*argv, "")):
        if word == LANGUAGE:
            asked = after
        elif word.startswith(f"{LANGUAGE}="):
            asked = word.removeprefix(f"{LANGUAGE}=")
    return asked if asked in languages() else ""


def _parser() -> Parser:
    plain = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    plain.add_argument("--plain", action="store_true", help=_("lines in, lines out, no screen"))
    plain.add_argument("--ascii", action="store_true", help=_("draw with | - + . # alone"))
    plain.add_argument(
        LANGUAGE, choices=languages(), metavar=_("CODE"), help=_("speak it: %(choices)s")
    )
    top = Parser(
        "sabtui",
        description=_("The card game Saboteur in a terminal."),
        parents=[plain],
    )
    version = f"sabtui {sabtui.__version__}"
    top.add_argument("--version", action="version", version=version, help=_("show the version"))
    commands = top.add_subparsers(dest="command", metavar=_("COMMAND"), title=_("commands"))

    def command(name: str, purpose: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=purpose, description=purpose, parents=[plain])

    _practise_options(command("practise", _("play a whole game against bots")))
    _host_options(command("host", _("open a table for others on the network")))
    _join_options(command("join", _("join a table, or come back to it")))
    command("doctor", _("look at terminal, network and firewall, each with advice"))
    games = command("games", _("list the games seen on this network"))
    games.add_argument(
        "--sweep", action="store_true", help=_("ask each address of this network, one by one")
    )
    record = command("record", _("check the record of a game, and show it"))
    record.add_argument("file", metavar=_("FILE"), help=_("a .sab file"))
    return top


def _practise_options(practise: argparse.ArgumentParser) -> None:
    _number(practise, "--bots", (2, 9), 4, _("how many bots, 2 to 9 (%(default)s)"))
    _game_options(practise)
    _name_option(practise)
    practise.add_argument(
        "--seed", type=_seed, metavar=_("HEX"), help=_("deal the same game again")
    )


def _host_options(host: argparse.ArgumentParser) -> None:
    host.add_argument(
        "title", nargs="?", default="", metavar=_("NAME"), help=_("what the table is called")
    )
    _number(host, "--players", (3, 10), None, _("how many seats, 3 to 10 (5, or more for bots)"))
    _number(host, "--bots", (0, 9), 0, _("how many of them are bots' (%(default)s)"))
    _game_options(host)
    _name_option(host)
    code = host.add_mutually_exclusive_group()
    code.add_argument(
        "--code", type=_code, metavar=_("TWO-WORDS"), help=_("the room code (drawn by chance)")
    )
    code.add_argument(
        "--open",
        dest="is_open",
        action="store_true",
        help=_("no code: whoever is on the network may come in"),
    )
    host.add_argument(
        "--absent",
        choices=("bot", "wait"),
        default="bot",
        help=_("who plays for somebody who is gone: a bot, or all wait (%(default)s)"),
    )
    host.add_argument(
        "--no-hints", dest="hints", action="store_false", help=_("nobody is given advice on moves")
    )
    seconds = _("seconds to think before a bot moves for a sleeper, 0 for ever (%(default)s)")
    _number(host, "--turn", (0, 3600), 0, seconds)
    _number(host, "--port", (1024, 65535), None, _("the port to take (7341 or the next free)"))
    host.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=_("NAME"),
        help=_("bring back a table that was not closed, the last one if no name is given"),
    )
    host.add_argument(
        "--headless", action="store_true", help=_("only the table: join it from elsewhere")
    )
    idle = _("with --headless: end when nobody was there for so many minutes (0: never)")
    _number(host, "--idle", (0, 9999), 0, idle)
    _autopilot_option(host)


def _join_options(join: argparse.ArgumentParser) -> None:
    join.add_argument(
        "where",
        nargs="?",
        default="",
        metavar=_("NAME|HOST[:PORT]"),
        help=_("the table's name or address; not needed where there is only one"),
    )
    join.add_argument("--code", type=_code, metavar=_("TWO-WORDS"), help=_("the room code"))
    join.add_argument("--watch", action="store_true", help=_("only watch"))
    _name_option(join)
    _autopilot_option(join)


def _game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--edition",
        type=_edition,
        default="international",
        metavar=_("NAME[+ROW...]"),
        help=_("whose rulebook, with house rules after a plus: italia+linked (%(default)s)"),
    )
    _number(parser, "--rounds", (1, 3), 3, _("1, 2 or 3 (%(default)s)"))
    parser.add_argument(
        "--level",
        choices=("easy", "fair", "hard"),
        default=DEFAULT_BOT_LEVEL,
        help=_("how good the bots are (%(default)s)"),
    )


def _name_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", metavar=_("NAME"), help=_("what you are called"))


def _autopilot_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--autopilot", action="store_true", help=_("a bot plays your seat"))


def _number(
    parser: argparse.ArgumentParser,
    option: str,
    between: tuple[int, int],
    default: int | None,
    purpose: str,
) -> None:
    """Add an option whose value is an integer within `between`, both ends included."""
    parser.add_argument(
        option, type=_from_to(*between), default=default, metavar=_("N"), help=purpose
    )


def _from_to(first: int, last: int) -> Callable[[str], int]:
    """Return a parser of integers from `first` to `last`, both included."""

    def number(text: str) -> int:
        if text.isdecimal() and len(text) < 6 and first <= int(text) <= last:
            return int(text)
        problem = _("{text!r} is no number from {first} to {last}")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40], first=first, last=last))

    return number


def _edition(text: str) -> Edition:
    """Parse the name of an edition, and the house rules after it."""
    from engine.edition import EDITIONS, Edition  # noqa: PLC0415 - not at start

    try:
        return Edition.read(text)
    except KeyError:
        problem = _("{text!r} is no edition: take {names}, with house rules as in italia+linked")
        raise argparse.ArgumentTypeError(
            problem.format(text=text[:40], names=", ".join(EDITIONS))
        ) from None


def _code(text: str) -> RoomCode:
    """Parse a room code, with small typing errors corrected."""
    from net.security.code import BadCode, RoomCode  # noqa: PLC0415 - not at start
    from sabtui.text.errors import bad_code  # noqa: PLC0415 - not at start

    try:
        return RoomCode.parse(text)
    except BadCode as bad:
        raise argparse.ArgumentTypeError(bad_code(bad)) from None


def _seed(text: str) -> bytes:
    """Parse a seed of 32 bytes, written in hexadecimal; leading zeros may be omitted."""
    if re.fullmatch("[0-9a-fA-F]{1,64}", text) is None:
        problem = _("{text!r} is no seed: 1 to 64 digits 0 to 9 and a to f")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40]))
    return int(text, 16).to_bytes(32, "big")
