"""Dispatch of the commands of `sabtui`, and the exit code.

Exit codes: 0 is success, 2 wrong usage, 1 any other failure, an interrupt included. An error is one
line on standard error that says what to do. Start-up must stay fast: imports that a command needs
are made when the command runs.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from sabtui.app import RULES_TOPICS
from sabtui.app.errors import UsageError, UserError, complain, find_clash, print_lines
from sabtui.app.terminal import plays_in_lines, prepare_streams, why_no_screen
from sabtui.cli.args import EXIT_ERROR, EXIT_OK, EXIT_USAGE, Arguments, language_in, read
from sabtui.text.i18n import _, choose_language, load_locale, set_language

if TYPE_CHECKING:
    from textual.screen import Screen

    from sabtui.app.requests import TableHandle
    from sabtui.app.tables import TableService

YOUNG_OBJECTS: Final = 100_000
"""New objects after which screens collect garbage: more than a start makes, which leaves none."""


def main(argv: Sequence[str] | None = None) -> int:
    prepare_streams()
    try:
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit as leaving:  # argparse has written its message already
            code = leaving.code if isinstance(leaving.code, int) else EXIT_OK
        sys.stdout.flush()
    except UserError as trouble:
        complain(f"sabtui: {trouble}")
        return EXIT_USAGE if isinstance(trouble, UsageError) else EXIT_ERROR
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return EXIT_ERROR
    except BrokenPipeError:  # The reader is gone; Python's flush at exit must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except Exception as error:  # noqa: BLE001 - a bug of ours, reported like other errors
        from sabtui.app.errors import crash_message

        complain(f"sabtui: {crash_message(error)}")
        return EXIT_ERROR
    return code


def _run(argv: Sequence[str]) -> int:
    _speak(language_in(argv))
    asked = read(argv)
    if asked.run is not None:
        return asked.run(asked)
    match asked.command:
        case "games":
            import asyncio

            from sabtui.cli.games import SEARCH_S, watch_games

            return asyncio.run(watch_games(SEARCH_S, sys.stdout))
        case "rules":
            return _show_rules(asked)
        case "doctor":
            if clash := find_clash():
                raise UserError(clash)
            from sabtui.cli.doctor import doctor

            return doctor(sys.stdout)
        case "host" if asked.headless:
            from sabtui.cli.play import run_headless

            return run_headless(asked)
        case _ if is_in_lines(asked):
            return _play_in_lines(asked)
        case _:
            return _play_on_screens(asked)


def _speak(language: str) -> None:
    """Set the language, the player's preferred one if none is given, before any text is written."""
    if not language:
        from sabtui.app.preferences import PreferencesStore, usual_path

        liked, _trouble = PreferencesStore(usual_path()).read()
        language = choose_language(liked.language, os.environ)
    set_language(load_locale(language))


def is_in_lines(asked: Arguments) -> bool:
    """Return True for plain-text mode: by request, for the autopilot, or without screens."""
    if asked.plain or asked.json or asked.autopilot:
        return True
    if not (why := why_no_screen(os.environ)):
        return False
    complain(f"sabtui: {why} {plays_in_lines()}")
    return True


def _play_in_lines(asked: Arguments) -> int:
    from sabtui.app.log import keep_off_terminal
    from sabtui.app.preferences import PreferencesStore, Reactions, usual_path
    from sabtui.cli.play import play_in_lines

    keep_off_terminal()
    preferences, trouble = PreferencesStore(usual_path()).read()
    if trouble:
        complain(f"sabtui: {trouble}")
    if asked.command is None:
        text = _("Starting a practice game; see sabtui --help for everything else.")
        sys.stdout.write(f"{text}\n")
        asked = read(["practise"])
    return play_in_lines(asked, shows_reactions=preferences.reactions is Reactions.ON)


def _show_rules(asked: Arguments) -> int:
    if not asked.plain and not why_no_screen(os.environ):
        from sabtui.tui.screens.rules import RulesScreen

        at = 0 if asked.page is None else RULES_TOPICS.index(asked.page)
        return show_screens(asked, first=lambda: RulesScreen(at))
    from sabtui.plain.console import Console
    from sabtui.plain.rules_pager import printed_rules
    from sabtui.text.layout import LINE_COLUMNS

    topics = RULES_TOPICS if asked.page is None else (asked.page,)
    console = Console()
    console.say(printed_rules(topics, min(console.size.columns, LINE_COLUMNS)))
    return EXIT_OK


def _play_on_screens(asked: Arguments) -> int:
    """Open the welcome screen, or the requested table, or the list of all.

    The list waits for tables: people who are early see the table as soon as it opens.
    """
    if asked.command is None:
        return show_screens(asked)
    from sabtui.app.joining import NoTableFound, SeveralTables
    from sabtui.app.log import keep_off_terminal
    from sabtui.cli.play import bot_log_lines, handle_for, join_request

    keep_off_terminal()
    try:
        handle = handle_for(asked)
    except (SeveralTables, NoTableFound) as unclear:
        if isinstance(unclear, NoTableFound) and asked.where:
            raise
        from sabtui.tui.screens.join import JoinScreen

        return show_screens(asked, first=lambda: JoinScreen(join_request(asked)))
    code = show_screens(asked, handle=handle)
    print_lines(bot_log_lines(asked))
    return code


def show_screens(
    asked: Arguments,
    *,
    handle: TableHandle | None = None,
    first: Callable[[], Screen[None]] | None = None,
) -> int:
    """Run the app at a table, or with a `first` screen above the welcome screen."""
    gc.set_threshold(YOUNG_OBJECTS)
    from sabtui.app.log import keep_off_terminal
    from sabtui.app.preferences import PreferencesStore, has_played, usual_path
    from sabtui.tui.app import SabtuiApp, run

    keep_off_terminal()
    return run(
        SabtuiApp(
            _tables,
            PreferencesStore(usual_path()),
            art=asked.art,
            is_calm=asked.calm,
            language=asked.language,
            handle=handle,
            first=first,
            has_played=has_played(),
        )
    )


def _tables() -> TableService:
    from sabtui.app import tables

    return tables.TableService()
