"""The command-line options, and their parser.

Values are validated here; `sabtui.cli.main` runs the commands. Start-up must stay fast: nothing
heavy is imported at module level.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

import sabtui
from sabtui.app import (
    DEFAULT_BOT_LEVEL,
    DEFAULT_LEVEL_TYPED,
    LEVEL_BY_TYPED,
    Speed,
)
from sabtui.app.errors import complain
from sabtui.cli import values
from sabtui.text.i18n import _, languages, teach_argparse, uncompiled

if TYPE_CHECKING:
    from engine.edition import Edition
    from net.security.code import RoomCode

LANGUAGE: Final = "--language"
"""The option that sets the language; it is also looked for before parsing (`language_in`)."""

EXAMPLES: Final = {
    "": (
        "practise",
        "host --bots 2",
        "join",
        "join 192.168.1.20:7341 --code amber-tiger",
    ),
    "host": (
        'host "Gold Rush" --players 6 --bots 2 --turn 60',
        "host --edition italia+linked --open",
        "host --resume",
    ),
    "practise": (
        "practise --bots 5 --level hard --edition france",
        "practise --rounds 1 --speed fast",
    ),
    "games": ("games --sweep",),
    "record": ("record game.sab",),
    "replay": (
        "replay",
        "replay game.sab",
        "replay game.sab --plain",
        "replay game.sab --export game.html",
    ),
    "review": ("review game.sab",),
    "study": ('study "EW@1/NEW@2 ?/(NE)/? 1 -,P,- NE/-L/M,3,2 0 m??+?"',),
    "standings": (
        "standings --since 2026-11-01 Ana Bruno",
        "standings --evening --export evening.html",
        "standings --same Annie Ana",
    ),
}
"""Examples for the help of each command, "" for the program itself."""

EXIT_OK, EXIT_ERROR, EXIT_USAGE = 0, 1, 2


class Arguments(argparse.Namespace):
    """Parsed command-line options; each command sets those it has."""

    command: str | None
    plain: bool = False
    ascii: bool = False
    calm: bool = False
    language: str = ""
    bots: int
    edition: Edition
    seed: bytes | None
    name: str
    rounds: int
    level: str
    speed: str | None
    file: str
    title: str
    players: int | None
    code: RoomCode | None
    is_open: bool
    absent: str
    turn: int
    hints: bool
    port: int | None
    ssh: bool = False
    web: bool = False
    headless: bool
    idle: int
    resume: str | None
    """Title of a table to bring back, empty for the last one."""
    sweep: bool
    where: str
    watch: bool
    autopilot: bool = False
    line: str
    people: list[str]
    since: date | None
    until: date | None
    place: str
    evening: str | None
    target: str | None
    evening_name: str | None
    unchecked: bool
    fooled: bool
    me: bool
    same: list[list[str]] | None
    apart: list[str] | None
    export: str
    at: int | None


class Parser(argparse.ArgumentParser):
    """Argument parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        """Write the error message with a hint at `--help`, and exit with `EXIT_USAGE`."""
        advice = _("{problem}; see {program} --help").format(problem=message, program=self.prog)
        complain(f"{self.prog}: {advice}")
        raise SystemExit(EXIT_USAGE)


def read(argv: Sequence[str]) -> Arguments:
    """Parse a command line. Raises `SystemExit` if it is wrong, or after help or the version."""
    teach_argparse()
    return parser().parse_args(argv, Arguments())


def language_in(argv: Sequence[str]) -> str:
    """Return the language that a command line names, "" if none: help is translated, too."""
    asked = ""
    for word, after in pairwise((*argv, "")):
        if word == LANGUAGE:
            asked = after
        elif word.startswith(f"{LANGUAGE}="):
            asked = word.removeprefix(f"{LANGUAGE}=")
    return asked if asked in languages() else ""


def _language(text: str) -> str:
    """Return a language code as it is, or say why there is no choice but English."""
    if text not in languages() and uncompiled():
        raise argparse.ArgumentTypeError(_("other languages are not compiled yet: run make words"))
    return text


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formatter that keeps the lines of examples, and words with hyphens, in one piece.

    No line begins with a mark that stands alone, as in French, which titles have, too.
    """

    def start_section(self, heading: str | None) -> None:
        """Begin a titled section; before Python 3.12 its colon was the English one."""
        if heading is not None and sys.version_info < (3, 12):
            heading = (_("%(heading)s:") % {"heading": heading}).removesuffix(":")
        super().start_section(heading)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from sabtui.text.layout import wrapped  # noqa: PLC0415 - not at start

        return wrapped([" ".join(text.split())], width, 0)


def _common_options() -> Parser:
    """Return the options of every command."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("-h", "--help", action="help", help=_("Show this help and exit"))
    common.add_argument(
        LANGUAGE,
        type=_language,
        choices=languages(),
        metavar=_("CODE"),
        help=_("Language: %(choices)s"),
    )
    return common


def _face_options() -> Parser:
    """Return the options of commands that open a screen."""
    face = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    face.add_argument(
        "--plain", action="store_true", help=_("Plain lines of text instead of a full screen")
    )
    face.add_argument("--ascii", action="store_true", help=_("Draw in plain ASCII only"))
    face.add_argument("--calm", action="store_true", help=_("No animations"))
    return face


def _examples(command: str) -> str:
    """Return the examples below the help of a command, "" for none."""
    lines = [f"  sabtui {words}" for words in EXAMPLES.get(command, ())]
    return "\n".join([_("Examples:"), *lines]) if lines else ""


def parser() -> Parser:
    """Return the parser of all commands; the manual page and shell completions are made from it."""
    common, face = _common_options(), _face_options()
    top = Parser(
        "sabtui",
        description=_("The card game Saboteur in a terminal."),
        parents=[common, face],
        add_help=False,
        epilog=_examples(""),
        formatter_class=_HelpFormatter,
    )
    version = f"sabtui {sabtui.__version__}"
    top.add_argument("--version", action="version", version=version, help=_("Show the version"))
    commands = top.add_subparsers(dest="command", metavar=_("COMMAND"), title=_("commands"))

    def command(name: str, purpose: str, *more: Parser) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=purpose,
            description=purpose,
            parents=[common, *more],
            add_help=False,
            epilog=_examples(name),
            formatter_class=_HelpFormatter,
        )

    _name_option(command("learn", _("Learn the game by playing, step by step"), face))
    _practise_options(command("practise", _("Play a whole game against bots"), face))
    _host_options(command("host", _("Open a table for others on the network"), face))
    _join_options(command("join", _("Join a table, or come back to it"), face))
    command("doctor", _("Check terminal, network and firewall, with advice on each"))
    games = command("games", _("List the games on this network"))
    games.add_argument(
        "--sweep", action="store_true", help=_("Try every address on this network, one by one")
    )
    record = command("record", _("Check and show the record of a game"))
    record.add_argument("file", metavar=_("FILE"), help=_("A .sab file"))
    replay = command("replay", _("Watch a finished game again"), face)
    text = _("A .sab file; if left out, the game that was kept last")
    replay.add_argument("file", nargs="?", default="", metavar=_("FILE"), help=text)
    export = _("Write the game to a file instead: .html, .svg, .cast or .txt")
    replay.add_argument("--export", default="", metavar=_("FILE"), help=export)
    only = _("With --export: only the moment after this step")
    _number(replay, "--at", (1, 99999), None, only)
    review = command("review", _("Review a finished game: chances, suspicions, better moves"))
    review.add_argument("file", metavar=_("FILE"), help=_("A .sab file"))
    review.add_argument("--ascii", action="store_true", help=_("Draw in plain ASCII only"))
    study = command("study", _("Try moves in a position, with hints and reasons"), face)
    study.add_argument("line", metavar=_("LINE"), help=_("A position in notation, in quotes"))
    _edition_option(study)
    _standings_options(
        command("standings", _("Count gold and wins over the games that you have kept"))
    )
    return top


def _practise_options(practise: argparse.ArgumentParser) -> None:
    _number(practise, "--bots", (2, 9), 4, _("How many bots, 2 to 9 (default: %(default)s)"))
    _game_options(practise)
    practise.add_argument(
        "--speed",
        choices=tuple(map(str, Speed)),
        help=_("Speed of the bots (default: {usual}; with --plain: {plain})").format(
            usual=Speed.NORMAL, plain=Speed.INSTANT
        ),
    )
    _name_option(practise)
    practise.add_argument(
        "--seed", type=values.seed, metavar=_("HEX"), help=_("Seed of a game, to deal it again")
    )


def _host_options(host: argparse.ArgumentParser) -> None:
    host.add_argument(
        "title", nargs="?", default="", metavar=_("NAME"), help=_("Name of the table")
    )
    _number(
        host,
        "--players",
        (3, 10),
        None,
        _("How many seats, 3 to 10 (default: 5, or as many as the bots need)"),
    )
    _number(host, "--bots", (0, 9), 0, _("How many of the seats are bots (default: %(default)s)"))
    _game_options(host)
    _name_option(host)
    code = host.add_mutually_exclusive_group()
    code.add_argument(
        "--code",
        type=values.room_code,
        metavar=_("TWO-WORDS"),
        help=_("Room code (default: two random words)"),
    )
    code.add_argument(
        "--open",
        dest="is_open",
        action="store_true",
        help=_("No code: anybody on the network may join"),
    )
    host.add_argument(
        "--absent",
        choices=("bot", "wait"),
        default="bot",
        help=_(
            "When a player loses connection: a bot plays for them, or everybody waits "
            "(default: %(default)s)"
        ),
    )
    host.add_argument(
        "--no-hints", dest="hints", action="store_false", help=_("No hints at this table")
    )
    host.add_argument(
        "--evening",
        dest="target",
        type=values.target,
        metavar=_("N|Ngold"),
        help=_("Count several games together: so many, or until somebody has so much gold"),
    )
    host.add_argument(
        "--evening-name",
        type=values.evening_word,
        metavar=_("WORD"),
        help=_("With --evening: a word that several tables share, to be counted together"),
    )
    seconds = _(
        "Seconds per turn before a bot makes the move, 0 for no limit (default: %(default)s)"
    )
    _number(host, "--turn", (0, 3600), 0, seconds)
    _number(
        host, "--port", (1024, 65535), None, _("Port to use (default: 7341, or the next free one)")
    )
    host.add_argument(
        "--ssh",
        action="store_true",
        help=_("Open an SSH door as well: friends join with nothing but ssh"),
    )
    host.add_argument(
        "--web",
        action="store_true",
        help=_("Open a browser door as well: friends join with a phone or any browser"),
    )
    host.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=_("NAME"),
        help=_("Bring back a table that was not closed; the last one if no name is given"),
    )
    host.add_argument(
        "--headless",
        action="store_true",
        help=_("Run the table without a screen; join it from elsewhere"),
    )
    idle = _("With --headless: stop after this many minutes with nobody there (default: 0, never)")
    _number(host, "--idle", (0, 9999), 0, idle)
    _autopilot_option(host)


def _join_options(join: argparse.ArgumentParser) -> None:
    join.add_argument(
        "where",
        nargs="?",
        default="",
        metavar=_("NAME|HOST[:PORT]"),
        help=_(
            "Name or address of the table, or a login such as ssh://ana@box; not needed if "
            "there is only one"
        ),
    )
    join.add_argument("--code", type=values.room_code, metavar=_("TWO-WORDS"), help=_("Room code"))
    join.add_argument("--watch", action="store_true", help=_("Watch, without taking a seat"))
    _name_option(join)
    _autopilot_option(join)


def _standings_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "people", nargs="*", metavar=_("NAME"), help=_("Only games that all of these played")
    )
    day = _("DAY")
    parser.add_argument(
        "--since",
        type=values.day,
        metavar=day,
        help=_("Only games of this day and later: 2026-11-22"),
    )
    parser.add_argument(
        "--until", type=values.day, metavar=day, help=_("Only games of this day and earlier")
    )
    parser.add_argument(
        "--place", default="", metavar=_("NAME"), help=_("Only games at tables of this name")
    )
    parser.add_argument(
        "--evening",
        nargs="?",
        const="",
        type=values.word_or_nothing,
        metavar=_("WORD"),
        help=_(
            "Only the last evening's games; with its word, those that the tables of an evening "
            "on this network tell"
        ),
    )
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help=_("Count records of others, too, whose games your own program did not see"),
    )
    parser.add_argument(
        "--me", action="store_true", help=_("Your own statistics, with small plots")
    )
    parser.add_argument(
        "--fooled",
        action="store_true",
        help=_("Who fooled whom: how often miners went along with each saboteur"),
    )
    parser.add_argument(
        "--same",
        nargs=2,
        action="append",
        metavar=_("NAME"),
        help=_("From now on, count the first name as the second one's"),
    )
    parser.add_argument(
        "--apart",
        action="append",
        metavar=_("NAME"),
        help=_("From now on, count this name by itself again"),
    )
    parser.add_argument(
        "--export",
        default="",
        metavar=_("FILE"),
        help=_("Write a file instead: .txt, .csv or .html"),
    )
    parser.add_argument("--ascii", action="store_true", help=_("Draw in plain ASCII only"))


def _edition_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--edition",
        type=values.edition,
        default="international",
        metavar=_("NAME[+RULE...]"),
        help=values.EditionHelp(),
    )


def _game_options(parser: argparse.ArgumentParser) -> None:
    _edition_option(parser)
    _number(parser, "--rounds", (1, 3), 3, _("Rounds to play, 1 to 3 (default: %(default)s)"))
    parser.add_argument(
        "--level",
        type=values.bot_level,
        metavar="{" + ",".join(LEVEL_BY_TYPED) + "}",
        default=DEFAULT_BOT_LEVEL,
        help=_("Level of the bots (default: {level})").format(level=DEFAULT_LEVEL_TYPED),
    )


def _name_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", metavar=_("NAME"), help=_("Your name at the table"))


def _autopilot_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--autopilot", action="store_true", help=_("Let a bot play your seat"))


def _number(
    parser: argparse.ArgumentParser,
    option: str,
    between: tuple[int, int],
    default: int | None,
    purpose: str,
) -> None:
    """Add an option whose value is an integer within `between`, both ends included."""
    parser.add_argument(
        option, type=values.number_within(*between), default=default, metavar=_("N"), help=purpose
    )
