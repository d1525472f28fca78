"""Audit of a finished game: its record, compared with all that this program saw of the game.

Every program makes its own. The record alone proves that deals follow from shares and that moves
are legal (`engine.notation`); only the programs that were there can say that these are the shares,
the cards and the moves of that evening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from msgspec import structs

from engine.dealing import Draw, deal
from engine.events import Event, Private, RoundBegan, visible_to
from engine.mistakes import NotationError
from engine.notation.record import Record, replay
from engine.notation.record_parser import parse_record
from engine.view import View
from net.client.draws import (
    Note,
    NoteKind,
    SeenDeals,
    SeenDraw,
    SeenRound,
    find_false_event,
    read_draw,
)
from net.client.trail import GameState


class MismatchKind(StrEnum):
    """Kind of a mismatch between a record and what was seen."""

    NO_RECORD = "no record"  # the host shows none
    NOT_VALID = "not valid"  # checksums, shares, deals or moves of the record do not fit together
    OTHER_GAME = "other game"  # other players, or other rules
    FALSE_DRAW = "false draw"  # for other seats or settings than this program saw
    OTHER_SHARES = "other shares"  # not those that were committed to, or shown, in a round
    NOT_DRAWN = "not drawn"  # the host dealt a round alone, though others played
    OTHER_EVENTS = "other events"  # cards or moves that differ from those seen
    REWRITTEN = "rewritten"  # a snapshot of the host contradicts what it had said


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A contradiction. `number` is the round, 0 for the whole game."""

    kind: MismatchKind
    number: int = 0


@dataclass(frozen=True, slots=True)
class Audit:
    """Result of an audit. If there are no `mismatches`, nothing is wrong."""

    dealers: tuple[str, ...]
    """The names of the host, who may have none, and of all at other computers who shared."""
    left_out: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The number of each round that was drawn without somebody, and the names left out of it."""
    unseen: tuple[int, ...] = ()
    """Rounds that were dealt while this program was away, from draws of which it did not see that
    all had committed to shares: only their record was checked."""
    mismatches: tuple[Mismatch, ...] = ()
    voids: tuple[Note, ...] = ()  # draws that had begun but led to no deal
    is_first: bool = True  # False if this program did not see the end of the game before
    missed: tuple[int, ...] = ()  # rounds of which this program saw only a part
    lost_steps: int = 0  # steps that this program saw and the table has lost
    at_door: bool = False  # True if the check was made at the host's computer, for a guest there
    moved: tuple[int, ...] = ()
    """Rounds in which the table moved. No deal up to the last of them can be checked: only the
    former host had its shares. If later rounds were not drawn together, the host is the only
    dealer."""


def audit(held: GameState) -> Audit | None:
    """Return the audit of the game that is over, `None` without one; it reads the whole record."""
    view = held.view
    if view is None or view.score.gold is None:
        return None
    host = held.lobby.dealer
    if held.lobby.relocations:
        return _audit_moved(held, view)
    if not held.record:
        return Audit((host,), mismatches=(Mismatch(MismatchKind.NO_RECORD),))
    try:
        record = parse_record(held.record)
    except NotationError:
        return Audit((host,), mismatches=(Mismatch(MismatchKind.NOT_VALID),))
    if not isinstance(record, Record):
        return Audit((host,), mismatches=(Mismatch(MismatchKind.NO_RECORD),))
    held = replace(held, deals=_decide_draws(held.deals, record))
    return _sum_up(held, record.draws, _find_mismatches(record, held, view))


def _decide_draws(deals: SeenDeals, record: Record) -> SeenDeals:
    """Return the deals with each undecided draw as seen, or with a note if it led to no deal.

    A draw to which not everybody had committed stays unseen: its shares may be anybody's.
    """
    draws = list(deals.draws)
    for draw in deals.undecided:
        recorded = record.draws[draw.round - 1] if draw.round <= len(record.draws) else None
        shown = [] if recorded is None else [who for who in recorded.others if who.share]
        if recorded is not None and recorded.id == draw.id:
            made = (recorded.commitment(recorded.host), *map(recorded.commitment, shown))
            if made[: 1 + len(draw.commitments)] != (draw.host, *draw.commitments):
                deals = deals.add_note(NoteKind.REWRITTEN, draw.round)
            elif draw.commitments:
                shares = tuple(share.share for share in shown)
                made_of = structs.replace(draw, shares=shares, done=True)
                draws[draw.round - 1 : draw.round] = [SeenDraw(made_of, draw.host_name)]
            continue
        names = [who.name for who in shown]
        left = [who.name for who in draw.people if who.name not in names]
        deals = deals.add_note(NoteKind.VOID, draw.round, left)
        deals = deals if left else deals.add_note(NoteKind.REWRITTEN, draw.round)
    return replace(deals, draws=tuple(draws))


def _sum_up(
    held: GameState,
    draws: Sequence[Draw | None],
    mismatches: Iterable[Mismatch],
    moved: tuple[int, ...] = (),
) -> Audit:
    """Return the audit of a game: who dealt, what does not fit, and what was not seen.

    A round counts as unseen or as missed in part, not as both. Up to the last round in which the
    table `moved`, none counts as unseen.
    """
    deals = held.deals
    drawn = [seen.draw for seen in deals.draws if seen is not None and seen.draw is not None]
    at_doors = {person.name for person in held.lobby.people if person.at_door}
    at_doors.update(person.name for draw in drawn for person in draw.people if person.at_door)
    made = [(number, draw) for number, draw in enumerate(draws, 1) if draw is not None]
    dealers = dict.fromkeys(name for _, draw in made for name in draw.dealers)
    first, *others = dealers or (held.lobby.dealer,)
    later = [*enumerate(deals.draws, 1)][max(moved, default=0) :]
    unseen = tuple(number for number, seen in later if seen is None)
    return Audit(
        dealers=(first, *(name for name in others if name not in at_doors)),
        left_out=tuple((number, draw.left_out) for number, draw in made if draw.left_out),
        unseen=unseen,
        mismatches=tuple(mismatches),
        voids=tuple(note for note in deals.notes if note.kind is NoteKind.VOID),
        is_first=not deals.rounds_with(NoteKind.UNFINISHED),
        missed=tuple(number for number in deals.missed if number not in unseen),
        lost_steps=deals.lost_steps,
        moved=moved,
    )


def _audit_moved(held: GameState, view: View) -> Audit:
    """Audit a game whose table has moved: only its last host's deals are checked."""
    deals, shares = held.deals, held.shares
    moved = tuple(dict.fromkeys(relocation.round for relocation in held.lobby.relocations))
    rounds = (*deals.rounds, SeenRound(view.history))
    mismatches = [*_find_noted(deals)]
    draws: list[Draw | None] = [None] * len(deals.draws)
    for number, seen in enumerate(deals.draws, 1):
        if number <= max(moved) or shares is None or seen is None or seen.draw is None:
            continue
        drawn = read_draw(seen, shares[number - 1] if number <= len(shares) else b"")
        draws[number - 1], now = drawn, rounds[number - 1]
        if drawn is None:
            mismatches.append(Mismatch(MismatchKind.OTHER_SHARES, number))
        elif now is not None:
            dealt = deal(drawn.seed, number, view.table.players, ())  # except for the gold
            if find_false_event(dealt, now.events) is not None:
                mismatches.append(Mismatch(MismatchKind.OTHER_EVENTS, number))
    return _sum_up(held, draws, mismatches, moved)


def _find_noted(deals: SeenDeals) -> Iterator[Mismatch]:
    """Yield the faults noticed during the game, whatever the record says."""
    for number, seen in enumerate(deals.draws, 1):
        if number in deals.rounds_with(NoteKind.FALSE_DRAW):
            yield Mismatch(MismatchKind.FALSE_DRAW, number)
        if seen is not None and seen.lacks_draw:
            yield Mismatch(MismatchKind.NOT_DRAWN, number)
    if deals.rounds_with(NoteKind.REWRITTEN):
        yield Mismatch(MismatchKind.REWRITTEN)


def _find_mismatches(record: Record, held: GameState, view: View) -> Iterator[Mismatch]:
    begun = held.deals
    if (
        (record.edition, record.rounds) != (view.table.edition, view.score.rounds)
        or len(record.names) != view.table.players
        or (begun.names and (begun.names, begun.youngest) != (record.names, record.youngest))
    ):
        yield Mismatch(MismatchKind.OTHER_GAME)
    yield from _find_noted(begun)
    for number, seen in enumerate(begun.draws[: len(record.moves)], 1):
        recorded = record.draws[number - 1] if record.draws else None
        if seen is not None and not _fits(recorded, seen):
            yield Mismatch(MismatchKind.OTHER_SHARES, number)
    yield from _find_other_events(record, held, view)


def _fits(recorded: Draw | None, seen: SeenDraw) -> bool:
    """Return True if a recorded draw is the one that was seen, our own share included."""
    draw = seen.draw
    if recorded is None or draw is None:
        return recorded is None and draw is None
    shown = [share for share in recorded.others if share.share]
    return (
        (recorded.id, recorded.host.name, recorded.commitment(recorded.host))
        == (draw.id, seen.host, draw.host)
        and [person.name for person in recorded.others]
        == [person.name for person in (*draw.people, *draw.absent)]
        and [share.share for share in shown] == list(draw.shares)
        and [recorded.commitment(share) for share in shown] == list(draw.commitments)
        and (not seen.own or seen.own in draw.shares)
    )


def _find_other_events(record: Record, held: GameState, view: View) -> Iterator[Mismatch]:
    """Yield the first round in which the record and what was seen differ, if they do."""
    theirs: dict[int, list[Event]] = {}  # the events of each round by its number
    number = 0
    for event in (event for _, events in replay(record) for event in events):
        number = event.number if isinstance(event, RoundBegan) else number
        theirs.setdefault(number, []).append(event)
    rounds = (*held.deals.rounds, SeenRound(view.history))
    for number, ours in enumerate(rounds, 1):
        if ours is None:
            continue
        seat = next((event.to for event in ours.events if isinstance(event, Private)), None)
        recorded = visible_to(theirs.get(number, ()), seat)
        if (recorded if ours.whole else recorded[: len(ours.events)]) != ours.events:
            yield Mismatch(MismatchKind.OTHER_EVENTS, number)
            return
