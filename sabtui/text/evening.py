"""An evening at a table in words: its target, how far it is, and who has what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.events import Event, GameEnded
from net.protocol.evening import EveningPlan, TargetUnit
from net.protocol.lobby import Lobby
from sabtui.text.cards import nuggets_counted
from sabtui.text.i18n import _, join_words, ngettext, pgettext
from sabtui.text.layout import align_columns


def plan_words(plan: EveningPlan | None) -> str:
    """Return the phrase on a table's setting of an evening."""
    if plan is None:
        # Translators: a setting of a table: its games are not counted together.
        return _("single games")
    match plan.unit:
        case TargetUnit.GAMES:
            text = ngettext("a series of {count} game", "a series of {count} games", plan.target)
        case TargetUnit.GOLD:
            text = ngettext("a race to {count} nugget", "a race to {count} nuggets", plan.target)
        case _:
            assert_never(plan.unit)
    return text.format(count=plan.target)


def earned_words(name: str, lobby: Lobby) -> str:
    """Return a player's gold of the evening in words, "" if nothing was counted yet."""
    if lobby.settings.evening is None:
        return ""
    rows = (row for row in lobby.evening.rows if row.name.casefold() == name.casefold())
    row = next(rows, None)
    return "" if row is None else nuggets_counted(row.gold)


def progress_sentence(lobby: Lobby) -> str:
    """Return the sentence on how far the evening is, "" at a table without one."""
    plan, evening = lobby.settings.evening, lobby.evening
    if plan is None:
        return ""
    if evening.is_over(plan):
        names = join_words([row.name for row in evening.first])
        text = ngettext(
            "The series is over: {names} has won it.",
            "The series is over: {names} have won it.",
            len(evening.first),
        )
        return text.format(names=names)
    match plan.unit:
        case TargetUnit.GAMES:
            text = _("Series: {count} of {target} games played.")
            return text.format(count=evening.games, target=plan.target)
        case TargetUnit.GOLD:
            text = _("Series: the leader has {count} of {target} nuggets.")
            return text.format(count=evening.measure_progress(plan), target=plan.target)
        case _:
            assert_never(plan.unit)


def counted_lines(events: Sequence[Event], lobby: Lobby | None) -> list[str]:
    """Return the lines on the evening after the last events of a game; none before."""
    if lobby is None or lobby.settings.evening is None:
        return []
    return standing_lines(lobby) if any(isinstance(one, GameEnded) for one in events) else []


def finished_lines(lobby: Lobby) -> tuple[str, ...]:
    """Return who has won the evening, and who has how much gold; nothing before its end."""
    plan = lobby.settings.evening
    is_over = plan is not None and lobby.evening.is_over(plan)
    return tuple(standing_lines(lobby)) if is_over else ()


def standing_lines(lobby: Lobby) -> list[str]:
    """Return how far the evening is, and who has how much gold; nothing without an evening."""
    if not progress_sentence(lobby):
        return []
    rows = lobby.evening.rows
    gold = join_words([_("{name} {count}").format(name=row.name, count=row.gold) for row in rows])
    # Translators: the gold of an evening: {gold} is a list: Ana 12, Bruno 7 and Carla 3.
    return [progress_sentence(lobby), *([_("Gold: {gold}.").format(gold=gold)] if rows else [])]


def evening_lines(lobby: Lobby) -> list[str]:
    """Return the table of the evening, a line for each who played; nothing without an evening."""
    if not progress_sentence(lobby):
        return []
    name, games = pgettext("standings", "name"), pgettext("standings", "games")
    header = (name, _("gold"), games, pgettext("standings", "won"))
    rows = [(row.name, str(row.gold), str(row.games), str(row.won)) for row in lobby.evening.rows]
    return [progress_sentence(lobby), *(align_columns([header, *rows]) if rows else [])]
