"""Doing what is asked for from a shell, and the exit code.

0 is fine, 2 wrong use, 1 anything else, being interrupted too; what goes wrong is said in one line
that tells what to do. Must stay quick: what a command needs is imported when it is asked for.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sabtui.options import ELSE, FINE, Options, complain, language_in, read
from sabtui.terminal import no_screen, why_no_screen
from sabtui.trouble import Trouble
from sabtui.words.languages import chosen, tongue
from sabtui.words.tongue import _, speak

if TYPE_CHECKING:
    from sabtui.screen.doors import Doors


def main(argv: Sequence[str] | None = None) -> int:
    """Do what a command line asks, and return the exit code."""
    try:
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit as leaving:  # argparse has said all there is to say.
            code = leaving.code if isinstance(leaving.code, int) else FINE
        sys.stdout.flush()
    except Trouble as trouble:
        complain(f"sabtui: {trouble}")
        return ELSE
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return ELSE
    except BrokenPipeError:  # Whoever read along has had enough; Python's last flush must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # noqa: BLE001 - a bug of ours, told in a sentence as all else
        from sabtui.logs import mishap  # noqa: PLC0415 - rarely needed

        complain(f"sabtui: {mishap(error)}")
        return ELSE
    return code


def _run(argv: Sequence[str]) -> int:
    _speak(language_in(argv))
    asked = read(argv)
    match asked.command:
        case "games":
            import asyncio  # noqa: PLC0415 - not at start

            from sabtui.games import SECONDS, SWEEPING, games  # noqa: PLC0415 - not at start

            seconds = SWEEPING if asked.sweep else SECONDS
            return asyncio.run(games(seconds, sys.stdout, sweep=asked.sweep))
        case "record":
            from sabtui.record import show  # noqa: PLC0415 - not at start

            return show(asked.file)
        case "doctor":
            from sabtui.doctor import doctor  # noqa: PLC0415 - not at start

            return doctor(sys.stdout)
        case "host" if asked.headless:
            from sabtui.table import headless  # noqa: PLC0415 - not at start

            return headless(asked)
        case _ if _in_lines(asked):
            return _play_in_lines(asked)
        case _:
            return _play_on_screens(asked)


def _speak(language: str) -> None:
    """Speak a language, or without one what the player likes, before the first word is said."""
    if not language:
        from sabtui.preferences import Store, usual_path  # noqa: PLC0415 - 5 ms, where need be

        liked, _trouble = Store(usual_path()).read()
        language = chosen(liked.language, os.environ)
    speak(tongue(language))
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may lack a letter of the language
        sys.stdout.reconfigure(errors="replace")


def _in_lines(asked: Options) -> bool:
    """Whether to play in lines: as asked, for an autopilot, or where no screen can be shown."""
    if asked.plain or asked.autopilot:
        return True
    why = why_no_screen(os.environ)
    if why is None:
        return False
    told, instead = (
        no_screen(why, os.environ.get("TERM", "")),
        _("Playing in lines, as with --plain."),
    )
    complain(f"sabtui: {told} {instead}")
    return True


def _play_in_lines(asked: Options) -> int:
    from sabtui import lines  # noqa: PLC0415 - not at start
    from sabtui.logs import keep_off_terminal  # noqa: PLC0415 - not at start

    keep_off_terminal()
    match asked.command:
        case "host":
            return lines.host(asked)
        case "join":
            return lines.join(asked)
        case "practise":
            return lines.practise(asked)
        case _:
            told = _("Here is a practice game; sabtui --help lists what else there is.")
            sys.stdout.write(f"{told}\n")
            return lines.practise(read(["practise"]))


def _play_on_screens(asked: Options) -> int:
    from sabtui.logs import keep_off_terminal  # noqa: PLC0415 - not at start
    from sabtui.preferences import Store, usual_path  # noqa: PLC0415 - not at start
    from sabtui.screen.app import SabtuiApp, run  # noqa: PLC0415 - not at start

    keep_off_terminal()
    way = None
    if asked.command is not None:
        from sabtui.ways import way_to  # noqa: PLC0415 - not at start

        way = way_to(asked)
    return run(
        SabtuiApp(
            _porter, Store(usual_path()), ascii_only=asked.ascii, language=asked.language, way=way
        )
    )


def _porter() -> Doors:
    from sabtui.porter import Porter  # noqa: PLC0415 - not at start

    return Porter()
