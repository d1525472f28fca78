"""The work of `sabtui arena`: it measures one bot beside ours, or rates several in a league."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from sabtui.app.errors import UserError, print_lines
from sabtui.kit.arena.figures import ReportRow, in_markdown
from sabtui.kit.arena.league import AGAINST_COLUMNS, LEAGUE_COLUMNS, against, tournament
from sabtui.kit.arena.matches import BadBot, bot_to_measure


def measure(names: Sequence[str], deals: int, jobs: int) -> int:
    """Print a table of the bots `names` as its rows come, and return the exit code.

    Raises `UserError` that says in one line what is wrong with a bot.
    """
    sys.path.append(str(Path.cwd()))  # where `python -m` would look for MODULE:NAME, too
    bots = [*dict.fromkeys(names)]
    for name in bots:
        try:
            bot_to_measure(name)
        except ValueError as error:
            raise UserError(str(error)) from error
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise UserError(f"no bot {name}: its module raised {what}") from error
    if len(bots) == 1:
        return _print(bots, AGAINST_COLUMNS, against(bots[0], deals, jobs))
    return _print(bots, LEAGUE_COLUMNS, tournament(bots, deals, jobs))


def _print(bots: Sequence[str], head: Sequence[str], rows: Iterable[ReportRow]) -> int:
    """Print a table. Raises `UserError` if a bot ends it."""
    try:
        return print_lines(in_markdown(head, rows))
    except BadBot as error:
        raise UserError(str(error)) from error
    except BrokenProcessPool as error:
        raise UserError(f"the process that {' or '.join(bots)} played in ended") from error
