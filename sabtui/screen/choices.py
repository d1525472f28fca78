"""What a table can agree upon, as choices of a form: rounds, who is gone, hints and so on.

Knows settings; which form they stand in, others decide. The edition is `screen.editions`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from engine.bots import LEVELS
from engine.game import ROUNDS
from net.codec.fields import MOST_SEATS
from net.lobby import Absence, Settings
from net.lobby.values import FEWEST_SEATS
from sabtui.screen.form import Choice, Option
from sabtui.words.bots import level_name
from sabtui.words.tongue import _, ngettext, pgettext

TURNS: Final = (0, 30, 60, 120, 300)
"""Seconds for a turn to choose from, 0 for no limit."""

WITH, WITHOUT = "with", "without"


def term_choices(settings: Settings) -> list[Choice]:
    """A choice for each thing to agree upon but the edition, as it is agreed now."""
    rounds_told = _("The book plays three rounds, about twenty minutes each.")
    rounds = [Option(str(count), str(count), rounds_told) for count in range(1, ROUNDS + 1)]
    seats_told = _("Players and bots together. Seats still free at the start are taken away.")
    seats = [Option(str(n), str(n), seats_told) for n in range(FEWEST_SEATS, MOST_SEATS + 1)]
    turns = sorted({*TURNS, settings.turn_seconds})
    return [
        Choice("rounds", _("Rounds"), rounds, str(settings.rounds)),
        Choice("seats", _("Seats"), seats, str(settings.seats)),
        Choice("absent", _("Who is gone"), _absences(), settings.absent.name),
        # Translators: how good the bots are that play for who is gone: easy, fair or hard.
        Choice("stand_in", _("Stand-ins"), levels(settings.stand_in), settings.stand_in),
        Choice("turn", _("Turn time"), [_turn(at) for at in turns], str(settings.turn_seconds)),
        Choice("hints", _("Hints"), _hints(), WITH if settings.hints else WITHOUT),
    ]


def agreed(settings: Settings, chosen: Mapping[str, str]) -> Settings:
    """The settings with what was chosen."""
    return replace(
        settings,
        edition=chosen["edition"],
        rounds=int(chosen["rounds"]),
        seats=int(chosen["seats"]),
        absent=Absence[chosen["absent"]],
        stand_in=chosen["stand_in"],
        turn_seconds=int(chosen["turn"]),
        hints=chosen["hints"] == WITH,
    )


def levels(now: str) -> list[Option]:
    """How good bots may be, and how good they are now."""
    told = {
        "easy": _("They play what looks best at once."),
        "fair": _("They watch who digs where, and doubt."),
        "hard": _("They think ahead, and hide what they are."),
    }
    known = dict.fromkeys((*LEVELS, now))
    return [Option(level, level_name(level), told.get(level, "")) for level in known]


def _absences() -> list[Option]:
    bot = _("When it is the turn of somebody whose link is lost, a bot plays until they are back.")
    wait = _("When it is the turn of somebody whose link is lost, all wait until they are back.")
    return [
        Option(Absence.BOT.name, _("a bot plays for them"), bot),
        Option(Absence.WAIT.name, _("all wait for them"), wait),
    ]


def _hints() -> list[Option]:
    allowed = _("Whose turn it is may ask for a move that may be good, and why.")
    none = _("Nobody is given advice on moves.")
    # Translators: hints at a table.
    return [
        Option(WITH, pgettext("hints", "allowed"), allowed),
        Option(WITHOUT, pgettext("hints", "none"), none),
    ]


def _turn(seconds: int) -> Option:
    if not seconds:
        return Option("0", _("no limit"), _("Everybody thinks as long as they like."))
    told = _("Who thinks longer sees a bot make one move for them.")
    shown = ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    return Option(str(seconds), shown, told)
