"""Beliefs judged: the log loss of roles over a published set of rounds.

Beliefs are a function `beliefs(view)` that returns, for each seat, the probability that it is a
saboteur. Each seat is asked at four moments of each round, about all other seats. Its loss is minus
the natural logarithm of the probability that it gave to what was true: 0 for certainty that is
right, 0.69 for not knowing, and without end for certainty that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, Protocol

from benchmarks.arena.statistics import Scale
from engine.bots.beliefs import infer_beliefs, infer_public_beliefs
from engine.bots.estimates import STANDARD_ERRORS
from engine.bots.evidence import observe
from engine.cards import Role
from engine.dealing import SABOTEURS
from engine.game import Game
from engine.notation import Record, parse_record, replay
from engine.view import View
from sabtui.kit.arena import ReportRow

RECORDS: Final = Path("tests") / "data" / "beliefs"
"""The folder of the published rounds, relative to the current directory."""

MOMENTS: Final = (0.25, 0.5, 0.75, 1.0)
"""The moments of a round, as shares of its moves, at which beliefs are asked; the last one before
the last move."""

MIN_PROBABILITY: Final = 1e-6
"""Smallest probability that is counted, so that one certainty that is wrong does not hide all."""


class BeliefsFunction(Protocol):
    """A function whose beliefs can be measured."""

    def __call__(self, view: View) -> Sequence[float]:
        """Return the probability of each seat to be a saboteur."""


def by_chance(view: View) -> Sequence[float]:
    """Return the probabilities of somebody who knows nothing but their own dwarf (S2)."""
    players = view.table.players
    left = SABOTEURS[players] - (view.role is Role.SABOTEUR)
    return [left / players] * players


def by_all(view: View) -> Sequence[float]:
    """Return the probabilities of somebody who watches the table: of our bots, the public ones."""
    return infer_public_beliefs(observe(view)).saboteur


def by_seat(view: View) -> Sequence[float]:
    """Return the probabilities of `wary` and `search`, who have a dwarf and maps of their own."""
    return infer_beliefs(observe(view)).saboteur


OURS: Final = {"by chance": by_chance, "a watcher": by_all, "wary and search": by_seat}
"""Our beliefs by the name in the table."""

JUDGING_COLUMNS: Final = (
    "beliefs",
    "rounds",
    *(f"after {share:.0%}".replace("%", " %") for share in MOMENTS[:-1]),
    "at the end",
    "loss",
    "less than by chance",
)
"""The header of the table of beliefs."""


def beliefs_named(name: str) -> BeliefsFunction:
    """Return the function of a `MODULE:NAME`. Raises `ValueError` if there is none."""
    module, _, attribute = name.partition(":")
    try:
        found: BeliefsFunction = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"no beliefs {name}: {error}") from None
    return found


def judge(scale: Scale, also: str | None = None) -> Iterator[ReportRow]:
    """Yield the loss of our beliefs, and of a `MODULE:NAME`, over the published rounds.

    Raises `ValueError` if there is no such function, or it returns no probabilities.
    """
    del scale  # The rounds are as many as they are.
    rounds = [list(states) for states in map(states_of, sorted(RECORDS.glob("*.sab")))]
    if not rounds:
        raise ValueError(f"no records in {RECORDS}: begin in a clone of Sabtui")
    functions: dict[str, BeliefsFunction] = dict(OURS)
    if also is not None:
        functions[also] = beliefs_named(also)
    usual: list[float] = []
    for name, beliefs in functions.items():
        losses = [[_loss(name, beliefs, game) for game in states] for states in rounds]
        means = [fmean(of_round) for of_round in losses]
        usual = usual or means
        gains = [before - now for before, now in zip(usual, means, strict=True)]
        at_moments = (f"{fmean(moment):.3f}" for moment in zip(*losses, strict=True))
        yield name, len(rounds), *at_moments, _with_interval(means), _with_interval(gains)


def states_of(path: Path) -> Iterator[Game]:
    """Yield the states of a record's round at each of `MOMENTS`."""
    record = parse_record(path.read_bytes())
    assert isinstance(record, Record)
    states = [game for game, _ in replay(record) if game.round.table.end is None]
    for share in MOMENTS:
        yield states[round(share * (len(states) - 1))]


def _loss(name: str, beliefs: BeliefsFunction, game: Game) -> float:
    """Return the mean loss of all seats about all others. Raises `ValueError`."""
    roles, found = game.round.roles, []
    for seat in range(len(roles)):
        told = beliefs(game.view(seat))
        if len(told) != len(roles) or not all(0 <= chance <= 1 for chance in told):
            raise ValueError(f"{name} returned no probability for each seat: {told}")
        for other, role in enumerate(roles):
            if other != seat:
                right = told[other] if role is Role.SABOTEUR else 1 - told[other]
                found.append(-log(max(right, MIN_PROBABILITY)))
    return fmean(found)


def _with_interval(values: Sequence[float]) -> str:
    """Return a mean with its 95% interval, from round to round, as text."""
    mean = fmean(values)
    spread = STANDARD_ERRORS * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{mean:.3f} ({mean - spread:.3f} to {mean + spread:.3f})"
