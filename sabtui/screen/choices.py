"""What a table can agree upon, as choices of a form: edition, rounds, seats, who is gone, turns.

Knows settings; which form they stand in, others decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from engine.edition import EDITIONS, Edition
from engine.game import ROUNDS
from net.codec.fields import MOST_SEATS
from net.lobby import Absence, Settings
from net.lobby.values import FEWEST_SEATS
from sabtui.screen.form import Choice, Option
from sabtui.words.editions import book_name, differences, edition_name
from sabtui.words.tongue import _, ngettext

TURNS: Final = (0, 30, 60, 120, 300)
"""Seconds for a turn to choose from, 0 for no limit."""


def term_choices(settings: Settings) -> list[Choice]:
    """A choice for each thing to agree upon, as it is agreed now."""
    rounds_told = _("The book plays three rounds, about twenty minutes each.")
    rounds = [Option(str(count), str(count), rounds_told) for count in range(1, ROUNDS + 1)]
    seats_told = _("Players and bots together. Seats still free at the start are taken away.")
    seats = [Option(str(n), str(n), seats_told) for n in range(FEWEST_SEATS, MOST_SEATS + 1)]
    turns = sorted({*TURNS, settings.turn_seconds})
    return [
        Choice("edition", _("Edition"), _editions(settings.edition), settings.edition),
        Choice("rounds", _("Rounds"), rounds, str(settings.rounds)),
        Choice("seats", _("Seats"), seats, str(settings.seats)),
        Choice("absent", _("Who is gone"), _absences(), settings.absent.name),
        Choice("turn", _("Turn time"), [_turn(at) for at in turns], str(settings.turn_seconds)),
    ]


def agreed(settings: Settings, chosen: Mapping[str, str]) -> Settings:
    """The settings with what was chosen."""
    return replace(
        settings,
        edition=chosen["edition"],
        rounds=int(chosen["rounds"]),
        seats=int(chosen["seats"]),
        absent=Absence[chosen["absent"]],
        turn_seconds=int(chosen["turn"]),
    )


def _editions(now: str) -> list[Option]:
    """The books, and the table's own rules where it has some."""
    options = [Option(book, book_name(book), differences(of)) for book, of in EDITIONS.items()]
    if now not in EDITIONS:
        with suppress(KeyError):  # one that is new to us
            options.append(Option(now, edition_name(now), differences(Edition.read(now))))
    return options


def _absences() -> list[Option]:
    bot = _("When it is the turn of somebody whose link is lost, a bot plays until they are back.")
    wait = _("When it is the turn of somebody whose link is lost, all wait until they are back.")
    return [
        Option(Absence.BOT.name, _("a bot plays for them"), bot),
        Option(Absence.WAIT.name, _("all wait for them"), wait),
    ]


def _turn(seconds: int) -> Option:
    if not seconds:
        return Option("0", _("no limit"), _("Everybody thinks as long as they like."))
    told = _("Who thinks longer sees a bot make one move for them.")
    shown = ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    return Option(str(seconds), shown, told)
