"""The command-line options, and their parser.

Values are validated here, and `argparse` shows the sentence for a wrong one; `sabtui.cli.main` runs
the commands. Start-up must stay fast: nothing heavy is imported at module level.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import sabtui
from sabtui.app import BOT_LEVELS, DEFAULT_BOT_LEVEL, RULES_TOPICS, Speed, topic_typed
from sabtui.app.errors import complain
from sabtui.app.rooms import rooms
from sabtui.art import Art
from sabtui.text.i18n import _, capitalise, lacks_catalogues, languages, of_argparse, teach_argparse
from sabtui.text.signs import plain_characters

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
    add_autopilot_option(practise)
    practise.add_argument(
        "--seed", type=seed, metavar="HEX", help=_("Seed of a game, to deal the same cards again")
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
    screenless = host.add_mutually_exclusive_group()
    screenless.add_argument(
        "--headless",
        action="store_true",
        help=_("Run the table without a screen; join it from elsewhere"),
    )
    add_autopilot_option(screenless)
    alone = _("With --headless: start the game once this many people sit and are ready")
    add_number_option(host, "--start-with", (1, 10), None, alone)


def add_code_option(parser: argparse._ActionsContainer) -> None:
    """Add the option that names the room code to open a table with."""
    purpose = _("Room code (default: two random words)")
    parser.add_argument("--code", type=room_code, metavar="TWO-WORDS", help=purpose)


def add_port_and_doors(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a port and open doors."""
    purpose = _("Port to use (default: 7341, or the next free one)")
    add_number_option(parser, "--port", (1024, 65535), None, purpose)
    from net.protocol.doors import DoorKind  # noqa: PLC0415 - not at start
    from sabtui.text.doors import door_purpose  # noqa: PLC0415 - not at start

    parser.add_argument("--ssh", action="store_true", help=door_purpose(DoorKind.SSH))
    parser.add_argument("--web", action="store_true", help=door_purpose(DoorKind.WEB))


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
    purpose = capitalise(_("room code"))
    parser.add_argument("--code", type=room_code, metavar="TWO-WORDS", help=purpose)


def add_join_options(join: argparse.ArgumentParser) -> None:
    """Add the options of `sabtui join`."""
    add_place_options(join)
    seat = join.add_mutually_exclusive_group()
    seat.add_argument("--watch", action="store_true", help=_("Watch, without taking a seat"))
    add_autopilot_option(seat)
    add_name_option(join)


def add_drawing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how screens are drawn."""
    ways = ",".join(Art)
    purpose = _("How to draw the cards (default: as in the settings)")
    parser.add_argument("--art", type=Art, choices=list(Art), metavar=f"{{{ways}}}", help=purpose)
    purpose = plain_characters().removesuffix(".")
    parser.add_argument("--ascii", action="store_const", dest="art", const=Art.ASCII, help=purpose)
    parser.add_argument("--calm", action="store_true", help=_("No animations"))


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on a game: its edition, rounds and bots."""
    from sabtui.text.settings import setting_of  # noqa: PLC0415 - not at start

    parser.add_argument(
        "--edition",
        type=edition,
        default="international",
        metavar="NAME[+RULE...]",
        help=edition_help(),
    )
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


def add_autopilot_option(parser: argparse._ActionsContainer) -> None:
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
    from engine.edition import EDITIONS, ConnectRule, DeadTable, Direction, ShareRule, StarterRule  # noqa: PLC0415 - not at start

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
        raise _not_among(text, f"{first}-{last}")

    return number


def _not_among(text: str, choices: str) -> argparse.ArgumentTypeError:
    """Return the error that a typed value is none of these."""
    problem = of_argparse("invalid choice: %(value)r (choose from %(choices)s)")
    return argparse.ArgumentTypeError(problem % {"value": text[:40], "choices": choices})


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
    raise _not_among(text, ", ".join((*BOT_LEVELS, *installed.installed_bots())))


def edition(text: str) -> Edition:
    """Parse the name of an edition, and the house rules after it."""
    from engine.edition import EDITIONS, Edition  # noqa: PLC0415 - not at start
    from engine.mistakes import NotationError  # noqa: PLC0415 - as above

    try:
        return Edition.read(text)
    except NotationError:
        raise _not_among(text, ", ".join((*EDITIONS, "italia+linked"))) from None


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
        raise _not_among(text, "[0-9a-f]{1,64}")
    return int(text, 16).to_bytes(32, "big")


LANGUAGE: Final = "--language"
"""The option that sets the language; it is also looked for before parsing (`language_in`)."""

EXAMPLES: Final = {
    "": (
        "practise",
        "host --bots 2",
        "join",
        "join 192.168.1.20:7341 --code amber-tulip",
        "rules tunnels",
    ),
    "host": (
        'host "Gold Rush" --players 6 --bots 2 --turn 60',
        "host --edition italia+linked --open",
        "host --headless --start-with 3 --bots 2 --speed instant",
        "host --resume",
    ),
    "practise": (
        "practise --bots 5 --level hard --edition france",
        "practise --rounds 1 --speed fast",
    ),
    "join": ("join", "join 192.168.1.20:7341 --code amber-tulip", "join ssh://ana@box"),
    "rules": ("rules", "rules tunnels", "rules 3 --plain"),
}
"""Examples for the help of each command of the core, "" for the program itself."""

EXIT_OK, EXIT_ERROR, EXIT_USAGE = 0, 1, 2


class Arguments(argparse.Namespace):
    """Parsed command-line options; each command sets those it has."""

    command: str | None
    parser: Parser  # the parser of the command, which names it in its errors
    run: Callable[[argparse.Namespace], int] | None = None
    """Does a command of a room beside the core, and returns the exit code."""
    plain: bool = False
    json: bool = False
    art: Art | None = None
    calm: bool = False
    language: str = ""
    bots: int
    edition: Edition
    seed: bytes | None
    name: str
    rounds: int
    level: str
    speed: str | None
    page: str | None  # topic of a page of the rules, `None` for all of them
    title: str
    seats: int | None
    code: RoomCode | None
    port: int | None
    ssh: bool = False
    web: bool = False
    headless: bool
    start_with: int | None
    resume: str | None  # title of a table to bring back, empty for the last one
    where: str
    watch: bool
    autopilot: bool = False


class Parser(argparse.ArgumentParser):
    """Argument parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        """Write the error message with a hint at `--help`, and exit with `EXIT_USAGE`."""
        advice = _("{problem}; see {program} --help").format(problem=message, program=self.prog)
        complain(f"{self.prog}: {advice}")
        raise SystemExit(EXIT_USAGE)

    def _check_help(self, action: argparse.Action) -> None:
        """Do not format help that nobody asked for, as Python 3.14 would: tests read all help."""


def read(argv: Sequence[str]) -> Arguments:
    """Parse a command line. Raises `SystemExit` if it is wrong, or after help or the version."""
    teach_argparse()
    words, command = _spell(argv)
    asked, unknown = parser(command).parse_known_args(words, Arguments())
    if unknown:
        asked.parser.error(of_argparse("unrecognized arguments: %s") % " ".join(unknown))
    if asked.command != "host":
        return asked
    if asked.start_with is not None and not asked.headless:
        text = of_argparse("the following arguments are required: %s")
        asked.parser.error(text % "--headless")
    if asked.resume is not None:
        for option in _kept_options(asked):
            not_allowed = of_argparse("not allowed with argument %s") % "--resume"
            asked.parser.error(
                of_argparse("argument %(argument_name)s: %(message)s")
                % {"argument_name": option, "message": not_allowed}
            )
    return asked


def _spell(argv: Sequence[str]) -> tuple[list[str], str]:
    """Return a command line with its command as we spell it, and that: Americans `practice`."""
    words = list(argv)
    for at, word in enumerate(words):
        if not word.startswith("-") and (at == 0 or words[at - 1] != LANGUAGE):
            words[at] = "practise" if word == "practice" else word
            return [*words[: at + 1], *_join_ssh_line(words[at:])[1:]], words[at]
    return words, ""


def _join_ssh_line(words: list[str]) -> list[str]:
    """Return `join` and its words with a line for ssh as one, whose options are not ours."""
    if words[0] not in {"join", "stage"} or "ssh" not in words[1:]:
        return words
    begin = words.index("ssh")
    end = next((at for at in range(begin, len(words)) if words[at].startswith("--")), len(words))
    return [*words[:begin], " ".join(words[begin:end]), *words[end:]]


def _kept_options(asked: Arguments) -> Iterator[str]:
    """Yield each option given for a table to bring back that it keeps as it is."""
    from sabtui.text.settings import table_settings  # noqa: PLC0415 - not at start

    usual = vars(parser(asked.command).parse_args(["host"], Arguments()))
    settings = {one.field: one.flag for one in table_settings() if one.purpose}
    for name, option in (_OF_NEW_TABLES | settings).items():
        if vars(asked)[name] != usual[name]:
            yield option or "NAME"


_OF_NEW_TABLES: Final = {
    "title": "",
    "bots": "--bots",
    "edition": "--edition",
    "level": "--level",
    "name": "--name",
    "code": "--code",
}
"""Options of `sabtui host` that a table keeps once it is open, by their names in `Arguments`.

So are its settings' options. The one without a name is the table's own, an argument.
"""


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
    if text not in languages() and lacks_catalogues():
        raise argparse.ArgumentTypeError("other languages are not compiled yet: run make words")
    return text


_COLON_IS_ENGLISH: Final = (
    "%(heading)s:" not in argparse.HelpFormatter._Section.format_help.__code__.co_consts  # noqa: SLF001 - nothing else tells
)
"""True where `argparse` does not translate the colon of a title: that is so up to some 3.12."""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formatter that keeps the lines of examples, and words with hyphens, in one piece.

    No line begins with a mark that stands alone, as in French, which titles have, too.
    """

    def start_section(self, heading: str | None) -> None:
        """Begin a titled section, with the colon of the language."""
        if heading is not None and _COLON_IS_ENGLISH:
            heading = (_("%(heading)s:") % {"heading": heading}).removesuffix(":")
        super().start_section(heading)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from sabtui.text.layout import wrap_lines  # noqa: PLC0415 - not at start

        return wrap_lines([" ".join(text.split())], width, 0)


def _common_options() -> Parser:
    """Return the options of every command."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("-h", "--help", action="help", help=_("Show this help and exit"))
    common.add_argument(
        LANGUAGE,
        type=_language,
        choices=languages(),
        metavar="CODE",
        help=_("Language: %(choices)s"),
    )
    return common


def _face_options() -> Parser:
    """Return the options of commands that open a screen."""
    face = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    face.add_argument(
        "--plain", action="store_true", help=_("Plain lines of text instead of a full screen")
    )
    add_drawing_options(face)
    return face


def _table_options() -> Parser:
    """Return the options of commands that lead to a table."""
    table = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    text = _("As --plain, but each line is a value of JSON, for programs (docs/json.md)")
    table.add_argument("--json", action="store_true", help=text)
    return table


def _examples(examples: Sequence[str]) -> str:
    """Return examples of command lines as they stand below the help, "" for none."""
    lines = [f"  sabtui {words}" for words in examples]
    return "\n".join([_("Examples:"), *lines]) if lines else ""


def parser(only: str | None = None) -> Parser:
    """Return the parser of all commands; the manual page and shell completions are made from it.

    Options that load the engine are there for all commands, or `only` for one.
    """
    common, face, table = _common_options(), _face_options(), _table_options()
    top = Parser(
        "sabtui",
        description=_("The card game Saboteur in a terminal."),
        parents=[common, face, table],
        add_help=False,
        epilog=_examples(EXAMPLES[""]),
        formatter_class=_HelpFormatter,
    )
    version = f"sabtui {sabtui.__version__}"
    top.add_argument("--version", action="version", version=version, help=_("Show the version"))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title=_("commands"))

    top.set_defaults(parser=top)

    def command(name: str, purpose: str, *more: Parser, examples: Sequence[str] = ()) -> Parser:
        made = commands.add_parser(
            name,
            help=purpose,
            description=purpose,
            parents=[common, *more],
            add_help=False,
            epilog=_examples(examples or EXAMPLES.get(name, ())),
            formatter_class=_HelpFormatter,
        )
        made.set_defaults(parser=made)
        return made

    add_name_option(command("learn", capitalise(_("your first game, step by step")), face, table))
    practise = command("practise", capitalise(_("play against bots")), face, table)
    if only in (None, "practise"):
        add_practise_options(practise)
    host = command("host", capitalise(_("open a table for your friends")), face, table)
    if only in (None, "host"):
        add_host_options(host)
    add_join_options(command("join", _("Join a table, or come back to it"), face, table))
    rules = command("rules", capitalise(_("how to play, page by page")), face)
    rules.add_argument(
        "page",
        nargs="?",
        type=topic_typed,
        choices=RULES_TOPICS,
        metavar="PAGE",
        help=_("A page, by number or word: %(choices)s"),
    )
    command("doctor", _("Check terminal, network and firewall"))
    command("games", _("Games on this network"))
    for room in rooms():
        for beside in room.commands():
            more = (face,) if beside.has_face else ()
            made = command(beside.name, beside.purpose, *more, examples=beside.examples)
            made.set_defaults(run=beside.run)
            if only in (None, beside.name):
                beside.add_options(made)
    return top
