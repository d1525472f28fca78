"""Games that are over: the record, watching again, review, standings, export.

export          a game as a page for those without Sabtui
library         the folder of kept games, the rows of a list of them, and standings
lines           a finished game watched again in lines of text
replays         watching a game again: positions, points of view, and steps in sentences
review          the review of a kept game, step by step, and its sentences
records_screen  the list of kept games, one of them, and their standings
replay_screen   a game watched again, on the mine and list of the table
review_screen   the review of a game: its progress, and its graph to walk along

Nothing here makes requests to a table.

`FEATURE` has what this package adds to the core, and loads it on demand.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from sabtui.app.features import Feature, ShellCommand, WelcomeRow
from sabtui.text.i18n import _, capitalise

if TYPE_CHECKING:
    from textual.screen import Screen


def _commands() -> Iterable[ShellCommand]:
    yield ShellCommand(
        "replay",
        capitalise(_("watch a finished game again")),
        (
            "replay",
            "replay game.sab",
            "replay game.sab --plain",
            "replay game.sab --export game.html",
        ),
        _add_replay_options,
        _replay,
        has_face=True,
    )
    yield ShellCommand(
        "review",
        _("Look back at a game: chances, suspicions, better moves"),
        ("review game.sab",),
        _add_review_options,
        _review,
    )
    yield ShellCommand(
        "standings",
        capitalise(_("everybody's gold and wins")),
        ("standings",),
        lambda _parser: None,
        lambda _read: _show_standings(),
    )


def _add_replay_options(replay: ArgumentParser) -> None:
    text = _("A .sab file (default: the last saved game)")
    replay.add_argument("file", nargs="?", default="", metavar="FILE", help=text)
    export = capitalise(_("export the game as a web page"))
    replay.add_argument("--export", metavar="FILE", help=export)


def _add_review_options(review: ArgumentParser) -> None:
    review.add_argument("file", metavar="FILE.sab")


def _replay(read: Namespace) -> int:
    from pathlib import Path

    from sabtui.after.replays import read_replay
    from sabtui.app.records import newest_kept
    from sabtui.cli.args import Arguments

    asked, file = Arguments(**vars(read)), vars(read)["file"]
    game = read_replay(Path(file) if file else newest_kept())
    if export := vars(read)["export"]:
        from sabtui.after.export import save_export
        from sabtui.app.errors import print_lines

        return print_lines([save_export(game.replay, Path(export))])
    from sabtui.cli.main import is_in_lines, show_screens

    if not is_in_lines(asked):
        from sabtui.after.replay_screen import ReplayScreen

        return show_screens(asked, first=lambda: ReplayScreen(game))
    from sabtui.after.lines import watch_in_lines
    from sabtui.plain.console import Console

    return watch_in_lines(game, Console())


def _review(read: Namespace) -> int:
    from sabtui.after.review import show_review

    return show_review(vars(read)["file"])


def _show_standings() -> int:
    from sabtui.after.library import show_standings

    return show_standings()


def _rows() -> Iterable[WelcomeRow]:
    # Translators: games that are over, to be watched again; at most 10 columns.
    label, purpose = _("Past games"), _("watch a finished game again")
    yield WelcomeRow("records", "c", label, purpose, _show_past_games)
    # Translators: everybody's gold and wins over all kept games; at most 10 columns.
    label, purpose = capitalise(_("standings")), _("everybody's gold and wins")
    yield WelcomeRow("standings", "t", label, purpose, _show_everybody)


def _show_past_games() -> Screen[None]:
    from sabtui.after.records_screen import RecordsScreen

    return RecordsScreen()


def _show_everybody() -> Screen[None]:
    from sabtui.after.records_screen import StandingsScreen

    return StandingsScreen()


FEATURE: Final = Feature(_commands, _rows)
