"""Saboteurs who fooled miners: how often a miner went along with a saboteur.

A miner went along with a saboteur in a round if they repaired a tool of the saboteur's, or claimed
that the saboteur digs for the miners. Nothing else counts: these two are said or done on purpose.
It is worked out of whole records, once for each game, and kept in the library's index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from engine.bots.estimates import Estimate
from engine.bots.talk import DigsForUs
from engine.cards import Role
from engine.events import Repaired, RoundEnded
from engine.notation import NotationError, Record, parse_record, replay
from sabtui.app.library import Library, Progress
from sabtui.app.library_files import record_bytes
from sabtui.app.library_index import IndexedGame
from sabtui.app.people import NOBODY_ELSE, People
from sabtui.app.standings import known_name
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import aligned, wrapped
from sabtui.text.review import estimated

FOOLED_KIND: Final = "fooled 1"
"""The kind of analysis in the library's index; its number is that of the way it is worked out."""

TEXT_COLUMNS: Final = 79
"""Width in columns to which sentences are wrapped."""

FooledRounds = tuple[tuple[int, int, int, bool], ...]
"""For each round, saboteur and miner: the round, both seats, and True if the miner went along."""


@dataclass(frozen=True, slots=True)
class Fooled:
    """Rounds in which a miner went along with a saboteur, of those in which they were the two."""

    saboteur: str
    miner: str
    times: int = 0
    rounds: int = 0

    @property
    def share(self) -> Estimate:
        """The share of these rounds, with its interval."""
        return Estimate.share(self.times, self.rounds)


def fooled_in(record: Record) -> FooledRounds:
    """Return who went along with whom in the rounds of a game that are over."""
    helped: set[tuple[int, int, int]] = {
        (said.round, said.claim.seat, said.seat)
        for said in record.talk
        if said.seat is not None and isinstance(said.claim, DigsForUs)
    }
    roles: dict[int, Sequence[Role]] = {}
    for game, events in replay(record):
        for event in events:
            if isinstance(event, Repaired):
                helped.add((game.score.number, event.target, event.seat))
            elif isinstance(event, RoundEnded):
                roles[game.score.number] = event.roles
    return tuple(
        (number, saboteur, miner, (number, saboteur, miner) in helped)
        for number, dwarves in roles.items()
        for saboteur, one in enumerate(dwarves)
        for miner, other in enumerate(dwarves)
        if one is Role.SABOTEUR and other is Role.MINER
    )


def fooled_rounds(
    where: Path, games: Iterable[IndexedGame], progress: Progress = lambda _done, _all: True
) -> dict[str, FooledRounds]:
    """Return who went along with whom in games of the library in a folder, by their ids.

    A game of which the library has no whole and valid record has none. Raises `OSError` if the
    library cannot be opened.
    """
    found: dict[str, FooledRounds] = {}
    every = [game for game in games if game.file and game.seen is None]
    with closing(Library(where)) as library:
        for done, game in enumerate(every):
            if not progress(done, len(every)):
                break
            kept = _read(library.analysis(game.id, FOOLED_KIND))
            if kept is None:
                kept = _worked_out(where / game.file)
                library.store_analysis(game.id, FOOLED_KIND, msgspec.json.encode(kept))
            found[game.id] = kept
    progress(len(every), len(every))
    return found


def _worked_out(path: Path) -> FooledRounds:
    try:
        record = parse_record(record_bytes(path))
    except (OSError, NotationError):
        return ()
    return fooled_in(record) if isinstance(record, Record) else ()


def _read(data: bytes | None) -> FooledRounds | None:
    """Return what is kept of a game, `None` if that is nothing that can be read."""
    try:
        return None if data is None else msgspec.json.decode(data, type=FooledRounds)
    except msgspec.MsgspecError:
        return None


def fooled(
    games: Iterable[IndexedGame],
    rounds: Mapping[str, FooledRounds],
    people: People = NOBODY_ELSE,
    me: str = "",
) -> tuple[Fooled, ...]:
    """Return every pair of a saboteur and a miner in these games, those first that count most.

    They are sorted by the low end of the interval, so that few rounds say little. `me` is the name
    of the library's user.
    """
    pairs: dict[tuple[str, str], Fooled] = {}
    for game in games:
        names = [
            known_name(game, seat, player, people, me) for seat, player in enumerate(game.players)
        ]
        for _round, saboteur, miner, went_along in rounds.get(game.id, ()):
            two = names[saboteur], names[miner]
            key = two[0].casefold(), two[1].casefold()
            before = pairs.get(key, Fooled(*two))
            pairs[key] = Fooled(*two, before.times + went_along, before.rounds + 1)
    return tuple(sorted(pairs.values(), key=lambda one: (-one.share.low, one.saboteur, one.miner)))


def fooled_lines(pairs: Sequence[Fooled], columns: int = TEXT_COLUMNS) -> list[str]:
    """Return who fooled whom as a table, with a sentence on what counts."""
    header = (
        pgettext("fooled", "saboteur"),
        pgettext("fooled", "miner"),
        pgettext("fooled", "went along"),
    )
    rows = [
        (one.saboteur, one.miner, f"{one.times}/{one.rounds} {estimated(one.share)}")
        for one in pairs
        if one.times
    ]
    text = _(
        "A miner went along with a saboteur in each round in which the miner repaired one "
        "of the saboteur's tools, or said that the saboteur was a miner. In brackets: the "
        "95 % interval."
    )
    table = (
        aligned([header, *rows]) if rows else [_("No miner has gone along with a saboteur yet.")]
    )
    return [*table, "", *wrapped([text], columns, 0)]
