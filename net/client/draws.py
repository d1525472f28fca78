"""The client's part in the draws of seeds (`net.room.seeds`), and what it keeps of each to check.

The program answers without its player, who has nothing to decide. Its share is kept in memory
alone: after a restart between commitment and share it cannot answer, and is left out.

Nobody has a whole record of a game whose table has moved. Its last host shows its own shares in the
draws, and from each of them the round's deal follows, except for the gold: no program knows what is
left of that.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from msgspec import structs

from engine.board import GOAL_CELLS
from engine.cards import Card
from engine.dealing import SHARE_BYTES, Deal, Draw, commitment
from engine.events import (
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    FaceUpPlay,
    GoalPeeked,
    HandDealt,
    RoundEnded,
)
from engine.state import Phase
from engine.view import View
from net.protocol import lobby_events
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Lobby, SeedDraw, TablePhase
from net.protocol.messages import CommitShare, ShowShare
from net.room.seeds import finish_draw, has_committed_to, is_false, next_round

new_share: Final = partial(secrets.token_bytes, SHARE_BYTES)


@dataclass(frozen=True, slots=True)
class SeenDraw:
    """The deal of a round, as far as this program saw it."""

    draw: SeedDraw | None  # `None` if the host dealt alone
    host: str  # the host's name
    own: bytes = b""  # the share that this program contributed, empty if none
    lacks_draw: bool = False  # the host dealt alone, although all should have drawn together


class NoteKind(StrEnum):
    """Kind of irregularity in a game; a client never forgets one, whatever the host sends."""

    VOID = "void"  # a draw led to no deal
    FALSE_DRAW = "false draw"  # it was not for the table as this program has it
    REWRITTEN = "rewritten"  # a snapshot contradicts what was seen
    UNFINISHED = "unfinished"  # another game came before this program saw the end of one


@dataclass(frozen=True, slots=True)
class Note:
    """An irregularity in round `number`, and how often it has occurred.

    `names` are the people because of whom draws were void; if empty, the host gave them up.
    """

    kind: NoteKind
    number: int
    names: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class SeenRound:
    """The events seen of a round; unless `whole`, only those up to an absence of the program."""

    events: tuple[Event, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class SeenDeals:
    """A game up to its present round, as far as it was seen, for its audit."""

    names: tuple[str, ...] = ()  # of the players at its beginning, empty if that was not seen
    youngest: int | None = None  # the seat that was to begin it, `None` if that is drawn
    draws: tuple[SeenDraw | None, ...] = ()
    """By round, `None` for each that was dealt while this program was away."""
    rounds: tuple[SeenRound | None, ...] = ()  # by round, those before the present one
    missed: tuple[int, ...] = ()  # rounds of which this program knows a part only from a snapshot
    undecided: tuple[SeedDraw, ...] = ()
    """Draws that this program took part in, of rounds that were dealt while it was away: only the
    record of the game can show whether they were dealt from these."""
    notes: tuple[Note, ...] = ()
    """Since the last game. They only grow, and there is at most one of each kind and round, besides
    one for draws that were void because of people."""
    lost_steps: int = 0  # steps that this program saw and the table has lost

    def add_round(self, draw: SeenDraw | None, before: SeenRound | None) -> SeenDeals:
        rounds = self.rounds if before is None else (*self.rounds, before)
        return replace(self, draws=(*self.draws, draw), rounds=rounds)

    def after(self, before: Lobby, event: lobby_events.LobbyEvent, now: Lobby) -> SeenDeals:
        draw = before.draw if before.is_drawing else None
        match event:
            case lobby_events.GameBegins():
                names = tuple(map(now.name_at, range(len(now.chairs))))
                seat = now.settings.youngest
                youngest = seat if seat >= 0 else None
                return replace(self, names=names, youngest=youngest, draws=(), rounds=())
            case lobby_events.Rematch():
                return NOTHING_DEALT
            case lobby_events.Exited(member) if draw is not None and now.draw is None:
                return self.add_note(NoteKind.VOID, draw.round, [before.find_person(member).name])
            case lobby_events.DrawBegan(members=members) if draw is not None:
                silent = [who.name for who in draw.people if who.member not in members]
                return self.add_note(NoteKind.VOID, draw.round, silent)
            case _:
                return self

    def rounds_with(self, kind: NoteKind) -> tuple[int, ...]:
        return tuple(note.number for note in self.notes if note.kind is kind)

    def add_note(self, kind: NoteKind, number: int, names: Iterable[str] = ()) -> SeenDeals:
        new = Note(kind, number, tuple(names)[:MAX_SEATS])
        notes = list(self.notes)
        for at, note in enumerate(notes):
            if (note.kind, note.number, not note.names) == (kind, number, not new.names):
                together = tuple(dict.fromkeys((*note.names, *new.names)))[:MAX_SEATS]
                notes[at] = replace(note, names=together, count=note.count + 1)
                return replace(self, notes=tuple(notes))
        return replace(self, notes=(*notes, new))

    def false_since(self, before: SeenDeals) -> tuple[int, ...]:
        known = before.rounds_with(NoteKind.FALSE_DRAW)
        return tuple(at for at in self.rounds_with(NoteKind.FALSE_DRAW) if at not in known)


def rounds_drawn_without(member: int, before: Lobby, now: Lobby) -> tuple[int, ...]:
    """Return the round whose draw has just begun without a member, if one has."""
    draw = now.draw
    if draw is None or (before.draw is not None and before.draw.id == draw.id):
        return ()
    return (draw.round,) if member in [who.member for who in draw.absent] else ()


NOTHING_DEALT: Final = SeenDeals()  # nothing seen yet, as before a game


@dataclass(slots=True)
class OwnShare:
    """This program's share in a draw."""

    source: Callable[[], bytes] = new_share
    draw: bytes = b""  # id of the draw that the share is for
    share: bytes = b""
    pinned: SeedDraw | None = None
    """The draw as it stood when the share was shown: nothing in it may change after that."""
    refused: bytes = b""  # id of a draw that did not follow from what was seen: it gets no answer
    met: bytes = b""
    """Id of a draw that was under way when this program connected, perhaps to an older copy of
    the table: it may already hold an answer of ours that we do not know."""

    def note_draws(
        self, deals: SeenDeals, lobby: Lobby, view: View | None, member: int
    ) -> SeenDeals:
        """Return the deals with a note if the draw is false, or has another share in place of ours.

        It has our share only if we have committed to it, unless an earlier run of this program did.
        """
        draw, number = lobby.draw, next_round(view)
        is_forged = (
            draw is not None
            and draw.round == number
            and bool(draw.commitments)
            and member in [person.member for person in draw.people]
            and draw.id != self.met
            and not (draw.id == self.draw and has_committed_to(draw, member, self.share))
        )
        is_wrong = is_forged or is_false(lobby, view)
        is_new = is_wrong and number not in deals.rounds_with(NoteKind.FALSE_DRAW)
        return deals.add_note(NoteKind.FALSE_DRAW, number) if is_new else deals

    def answer(
        self, lobby: Lobby, view: View | None, member: int
    ) -> tuple[CommitShare | ShowShare, ...]:
        """Return the answer that the draw under way expects from a member, `None` for none.

        A false draw gets no answer. A share is shown only for a draw with our own commitment to it,
        and for one list of commitments.
        """
        draw = lobby.draw
        if draw is None or draw.done or draw.id == self.refused or is_false(lobby, view):
            return ()
        name = next((person.name for person in draw.people if person.member == member), None)
        if name is None:
            return ()
        if not draw.commitments:
            if draw.id != self.draw:
                self.draw, self.share, self.pinned = draw.id, self.source(), None
            return (CommitShare(draw.id, commitment(draw.id, name, self.share)),)
        if draw.id != self.draw or not has_committed_to(draw, member, self.share):
            return ()
        if self.pinned not in (None, draw):
            return ()
        self.pinned = draw
        return (ShowShare(draw.id, self.share),)

    def describe_draw(self, lobby: Lobby, number: int, member: int) -> SeenDraw | None:
        """Describe the draw of round `number`, dealt now, as this program saw it.

        The commitments are those that were public when our own share was not yet. `None` if there
        is a share of our own that this program does not know.
        """
        draw = lobby.draw
        if draw is None or not draw.done or draw.round != number:
            return SeenDraw(None, lobby.dealer, lacks_draw=bool(lobby.drawers))
        if self.pinned is None or draw.id != self.draw:
            is_ours = member in [person.member for person in draw.people]
            return None if is_ours else SeenDraw(draw, draw.host_name)
        ours = structs.replace(self.pinned, shares=draw.shares, done=True)
        return SeenDraw(ours, draw.host_name, self.share)


def is_due(event: lobby_events.LobbyEvent, lobby: Lobby, view: View | None) -> bool:
    """Return True if a lobby event may come now: draws, rounds and ends of games have an order.

    The host never changes by an event: everybody reconnects to a new one, and begins with a
    snapshot.
    """
    match event:
        case lobby_events.HostChanged():
            return False
        case lobby_events.DrawBegan():
            return lobby.stage is TablePhase.LOBBY if view is None else view.phase is Phase.DEAL
        case lobby_events.RoundBegins():
            return view is not None and view.phase is Phase.DEAL
        case lobby_events.Rematch():
            return view is not None and view.phase is Phase.OVER
        case _:
            return True


def read_draw(seen: SeenDraw, share: bytes) -> Draw | None:
    """Complete a draw that was seen with its host's share; `None` if they do not fit together."""
    draw = seen.draw
    if draw is None or (seen.own and seen.own not in draw.shares):
        return None
    try:
        drawn = finish_draw(draw, share)
    except ValueError:  # no share has this length
        return None
    return drawn if drawn.commitment(drawn.host) == draw.host else None


def find_false_event(dealt: Deal, events: Iterable[Event]) -> Event | None:
    """Return the first event of a round that does not follow from its deal, `None` if all do."""
    hands = [Counter(hand) for hand in dealt.hands]
    pile, drawn = iter(dealt.pile), None
    hidden = dict(zip(GOAL_CELLS, dealt.goals, strict=True))
    for event in events:
        match event:
            case DwarfDealt(to, role):
                fits = role is dealt.roles[to]
            case HandDealt(to, cards):
                fits = cards == dealt.hands[to]
            case Drew(seat):
                drawn = next(pile, None)
                hands[seat].update([] if drawn is None else [drawn])
                fits = drawn is not None
            case Dealt(_, card):
                fits = card is drawn
            case DiscardedCard(to, card):
                fits = _take(hands[to], card)
            case GoalPeeked(_, cell, goal):
                fits = goal is hidden.get(cell)
            case RoundEnded(_, roles, spare, goals):
                fits = (roles, spare, goals) == (dealt.roles, dealt.spare, dealt.goals)
            case _:
                fits = not isinstance(event, FaceUpPlay) or _take(
                    hands[event.seat], event.move.card
                )
        if not fits:
            return event
    return None


def _take(hand: Counter[Card], card: Card) -> bool:
    hand[card] -= 1
    return hand[card] >= 0
