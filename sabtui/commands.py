"""The command line: what can be asked for from a shell, and the exit code.

0 is fine, 2 wrong use, 1 anything else, being interrupted too; what goes wrong is said in one line
that tells what to do. Must stay quick: what a command needs is imported when it is asked for.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

import sabtui
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from engine.edition import Edition

FINE, ELSE, WRONG_USE = 0, 1, 2


class Options(argparse.Namespace):
    """What was asked for, each already right by itself."""

    command: str | None
    bots: int
    edition: Edition
    seed: bytes | None
    name: str
    rounds: int
    file: str


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Complain, and exit."""
        advice = _("{problem}; {program} --help tells more").format(
            problem=message, program=self.prog
        )
        complain(f"{self.prog}: {advice}")
        raise SystemExit(WRONG_USE)


def complain(problem: str) -> None:
    """Say in one line on standard error what is wrong, whatever it quotes."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
    encoding = sys.stderr.encoding
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def parser() -> Parser:
    """All that can be asked for."""
    plain = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    plain.add_argument(
        "--plain", action="store_true", help=_("lines in, lines out (so far all there is)")
    )
    top = Parser(
        "sabtui",
        description=_("The card game Saboteur in a terminal."),
        epilog=_("Without a command it begins a practice game."),
        parents=[plain],
    )
    top.add_argument("--version", action="version", version=f"sabtui {sabtui.__version__}")
    commands = top.add_subparsers(dest="command", metavar=_("COMMAND"), title=_("commands"))

    def command(name: str, purpose: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=purpose, description=purpose, parents=[plain])

    _practise_options(command("practise", _("play a whole game against bots")))
    command("games", _("list the games seen on this network"))
    record = command("record", _("check the record of a game, and show it"))
    record.add_argument("file", metavar=_("FILE"), help=_("a .sab file"))
    return top


def _practise_options(practise: argparse.ArgumentParser) -> None:
    practise.add_argument(
        "--bots",
        type=_from_to(2, 9),
        default=4,
        metavar="N",
        help=_("how many bots, 2 to 9 (%(default)s)"),
    )
    practise.add_argument(
        "--edition",
        type=_edition,
        default="international",
        metavar="NAME[+ROW...]",
        help=_("whose rulebook, with house rules after a plus: italia+linked (%(default)s)"),
    )
    practise.add_argument(
        "--rounds",
        type=_from_to(1, 3),
        default=3,
        metavar="N",
        help=_("1, 2 or 3 (%(default)s)"),
    )
    practise.add_argument("--name", default="", metavar="NAME", help=_("what you are called"))
    practise.add_argument("--seed", type=_seed, metavar="HEX", help=_("deal the same game again"))


def _from_to(first: int, last: int) -> Callable[[str], int]:
    """What reads a number between these, both included."""

    def number(text: str) -> int:
        if text.isdecimal() and len(text) < 4 and first <= int(text) <= last:
            return int(text)
        problem = _("{text!r} is no number from {first} to {last}")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40], first=first, last=last))

    return number


def _edition(text: str) -> Edition:
    """Read an edition's name, and the rows that are changed."""
    from engine.edition import EDITIONS, Edition  # noqa: PLC0415 - not at start

    try:
        return Edition.read(text)
    except KeyError:
        problem = _("{text!r} is no edition: take {names}, with house rules as in italia+linked")
        raise argparse.ArgumentTypeError(
            problem.format(text=text[:40], names=", ".join(EDITIONS))
        ) from None


def _seed(text: str) -> bytes:
    """Read a seed, as a number in hexadecimal that may leave out zeros in front."""
    if re.fullmatch("[0-9a-fA-F]{1,64}", text) is None:
        problem = _("{text!r} is no seed: 1 to 64 digits 0 to 9 and a to f")
        raise argparse.ArgumentTypeError(problem.format(text=text[:40]))
    return int(text, 16).to_bytes(32, "big")


def main(argv: Sequence[str] | None = None) -> int:
    """Do what a command line asks, and return the exit code."""
    try:
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit as leaving:  # argparse has said all there is to say.
            code = leaving.code if isinstance(leaving.code, int) else FINE
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return ELSE
    except BrokenPipeError:  # Whoever read along has had enough; Python's last flush must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    return code


def _run(argv: Sequence[str]) -> int:
    asked = parser().parse_args(argv, Options())
    match asked.command:
        case "games":
            import asyncio  # noqa: PLC0415 - not at start

            from sabtui.games import SECONDS, games  # noqa: PLC0415 - not at start

            return asyncio.run(games(SECONDS, sys.stdout))
        case "record":
            from sabtui.record import show  # noqa: PLC0415 - not at start

            return show(asked.file)
        case "practise":
            return _practise(asked)
        case _:
            asked = parser().parse_args([*argv, "practise"], Options())
            sys.stdout.write(
                _("No welcome screen yet, so here is a practice game; sabtui --help lists more.")
                + "\n"
            )
            return _practise(asked)


def _practise(asked: Options) -> int:
    from sabtui.plain.console import Console  # noqa: PLC0415 - not at start
    from sabtui.practise import Setup, practise  # noqa: PLC0415 - not at start

    name = asked.name or _login()
    practise(Setup(name, asked.bots, asked.edition, asked.rounds, asked.seed), Console())
    return FINE


def _login() -> str:
    """What the system calls the player."""
    import getpass  # noqa: PLC0415 - not at start

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""
