"""What a table has agreed upon, in a few words each: edition, rounds, who begins, who is absent.

Knows settings and names. Where they are shown, in a list or in a sentence about a change, others
decide.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from net.lobby import Absence, Settings
from sabtui.words.bots import level_name
from sabtui.words.cast import Cast
from sabtui.words.editions import edition_name
from sabtui.words.tongue import _, ngettext


class Terms(NamedTuple):
    """Settings in words, each by itself."""

    edition: str
    rounds: str
    seats: str
    youngest: str
    code: str
    absent: str
    turn: str
    stand_in: str
    hints: str

    @staticmethod
    def of(settings: Settings, cast: Cast) -> Terms:
        """Say what was agreed upon; `cast` names who begins."""
        return Terms(
            edition=_("edition {edition}").format(edition=edition_name(settings.edition)),
            rounds=ngettext("{count} round", "{count} rounds", settings.rounds).format(
                count=settings.rounds
            ),
            seats=ngettext("{count} seat", "{count} seats", settings.seats).format(
                count=settings.seats
            ),
            youngest=_youngest(settings.youngest, cast),
            code=_("anybody may join") if settings.is_open else _("a code is asked"),
            absent=_absent(settings.absent),
            turn=_turn(settings.turn_seconds),
            stand_in=_("bots that stand in are {level}").format(
                level=level_name(settings.stand_in)
            ),
            hints=_("hints are allowed") if settings.hints else _("no hints"),
        )

    def alone(self) -> tuple[str, ...]:
        """Return what counts where nobody else can come in: no code, no absence."""
        return self.edition, self.rounds, self.seats, self.youngest, self.turn, self.hints


def table_locked() -> str:
    """Say that nobody new comes in."""
    return _("The table is locked.")


def changes(before: Settings, now: Settings, cast: Cast) -> tuple[str, ...]:
    """What is agreed upon now and was not before."""
    old, new = Terms.of(before, cast), Terms.of(now, cast)
    return tuple(term for was, term in zip(old, new, strict=True) if was != term)


def _youngest(seat: int, cast: Cast) -> str:
    """Who begins (S8)."""
    if not 0 <= seat < len(cast.names):
        return _("who begins is drawn")
    return cast.say(seat, _("you begin"), _("{name} begins"))


def _absent(absence: Absence) -> str:
    match absence:
        case Absence.WAIT:
            return _("whoever is gone is waited for")
        case Absence.BOT:
            return _("a bot plays for whoever is gone")
        case _:
            assert_never(absence)


def _turn(seconds: int) -> str:
    if not seconds:
        return _("turns have no time limit")
    return ngettext(
        "a turn lasts {count} second at most", "a turn lasts {count} seconds at most", seconds
    ).format(count=seconds)
