"""The command-line options, and their parser.

`argparse` shows the sentence for a wrong value; `sabtui.cli.main` runs the commands. Start-up must
stay fast: options that need the game are in `sabtui.cli.options`, which is loaded late.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

import sabtui
from sabtui.app import RULES_TOPICS, topic_typed
from sabtui.app.errors import complain
from sabtui.app.features import features
from sabtui.art import Art
from sabtui.text.i18n import _, capitalise, lacks_catalogues, languages, of_argparse, teach_argparse
from sabtui.text.signs import plain_characters

if TYPE_CHECKING:
    from engine.edition import Edition
    from net.secure.code import RoomCode


ART: Final = "--art"


def add_drawing_options(parser: argparse.ArgumentParser) -> None:
    ways = ",".join(Art)
    purpose = _("How to draw the cards (default: as in the settings)")
    parser.add_argument(ART, type=Art, choices=list(Art), metavar=f"{{{ways}}}", help=purpose)
    purpose = plain_characters().removesuffix(".")
    parser.add_argument("--ascii", action="store_const", dest="art", const=Art.ASCII, help=purpose)
    parser.add_argument("--calm", action="store_true", help=_("No animations"))


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
    kept: Mapping[str, str]
    """Options of `host`, by their names here, that a table keeps once it is open."""
    run: Callable[[argparse.Namespace], int] | None = None
    """Runs a command of a feature, and returns the exit code."""
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
    resume: str | None  # title of a table to resume, empty for the last one
    place: Sequence[str]  # words of a table's name or address
    watch: bool
    autopilot: bool = False

    @property
    def where(self) -> str:
        """The place as one text: an address with a blank may have been typed without quotes."""
        return " ".join(self.place)


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
    if not argv:  # as most players start, who need not wait until a parser is made
        return Arguments(command=None)
    teach_argparse()
    words, command = _spell_command(argv)
    asked, unknown = parser(command).parse_known_args(words, Arguments())
    if unknown:
        asked.parser.error(of_argparse("unrecognized arguments: %s") % " ".join(unknown))
    if asked.command != "host":
        return asked
    if asked.start_with is not None and not asked.headless:
        text = of_argparse("the following arguments are required: %s")
        asked.parser.error(text % "--headless")
    if asked.resume is not None:
        usual = vars(asked.parser.parse_args([], Arguments()))
        not_allowed = of_argparse("not allowed with argument %s") % "--resume"
        wrong = of_argparse("argument %(argument_name)s: %(message)s")
        for name, option in asked.kept.items():
            if vars(asked)[name] != usual[name]:
                asked.parser.error(wrong % {"argument_name": option, "message": not_allowed})
    return asked


def _spell_command(argv: Sequence[str]) -> tuple[list[str], str]:
    """Return a command line and its command, "" if it has none; `practice` becomes `practise`."""
    words = list(argv)
    for at, word in enumerate(words):
        if not word.startswith("-") and (at == 0 or not _takes_value(words[at - 1])):
            words[at] = "practise" if word == "practice" else word
            return words, words[at]
    return words, ""


def _takes_value(word: str) -> bool:
    """Return True if a word is, or begins, an option whose value is the next word."""
    return len(word) > 2 and any(option.startswith(word) for option in (LANGUAGE, ART))


def language_in(argv: Sequence[str]) -> str:
    """Return the language that a command line names, "" if none.

    It is needed before parsing, as help is translated, too.
    """
    asked = ""
    for word, after in pairwise((*argv, "")):
        if word == LANGUAGE:
            asked = after
        elif word.startswith(f"{LANGUAGE}="):
            asked = word.removeprefix(f"{LANGUAGE}=")
    return asked if asked in languages() else ""


def _parse_language(text: str) -> str:
    """Return a language code unchanged, or say why only English is available."""
    if text not in languages() and lacks_catalogues():
        raise argparse.ArgumentTypeError("other languages are not compiled yet: run make words")
    return text


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formatter that breaks neither the lines of examples nor words with hyphens.

    In French, no line begins with `:` or `?`, which have a blank before them there.
    """

    def _split_lines(self, text: str, width: int) -> list[str]:
        from sabtui.text.layout import wrap_lines  # noqa: PLC0415 - not at start

        return wrap_lines([" ".join(text.split())], width, 0)


def _common_options() -> Parser:
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("-h", "--help", action="help", help=_("Show this help and exit"))
    common.add_argument(
        LANGUAGE,
        type=_parse_language,
        choices=languages(),
        metavar="CODE",
        help=_("Language: %(choices)s"),
    )
    return common


def _face_options() -> Parser:
    face = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    face.add_argument(
        "--plain", action="store_true", help=_("Plain lines of text instead of a full screen")
    )
    add_drawing_options(face)
    return face


def _table_options() -> Parser:
    table = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    text = _("Like --plain, but one JSON value per line, for programs (docs/json.md)")
    table.add_argument("--json", action="store_true", help=text)
    return table


def _examples(examples: Sequence[str]) -> str:
    """Format examples of command lines for the end of the help, "" for none."""
    lines = [f"  sabtui {words}" for words in examples]
    return "\n".join([_("Examples:"), *lines]) if lines else ""


def parser(only: str | None = None) -> Parser:
    """Return the parser of all commands; the manual page and shell completions are made from it.

    Options that load the game are added for all commands, or for the `only` one that is run.
    """
    common, face, table = _common_options(), _face_options(), _table_options()
    top = Parser(
        "sabtui",
        description=capitalise(_("the card game Saboteur, terminal to terminal")),
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

    learn = command("learn", capitalise(_("your first game, step by step")), face, table)
    practise = command("practise", capitalise(_("play against bots")), face, table)
    host = command("host", capitalise(_("open a table for your friends")), face, table)
    join = command("join", _("Join a table, or come back to it"), face, table)
    if only in (None, "learn", "practise", "host", "join"):
        from sabtui.cli import options  # noqa: PLC0415 - it loads the game

        options.add_name_option(learn)
        options.add_practise_options(practise)
        options.add_host_options(host)
        options.add_join_options(join)
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
    for feature in features():
        for beside in feature.commands():
            more = (face,) if beside.has_face else ()
            made = command(beside.name, beside.purpose, *more, examples=beside.examples)
            made.set_defaults(run=beside.run)
            if only in (None, beside.name):
                beside.add_options(made)
    return top
