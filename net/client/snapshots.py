"""Snapshots of a table, as a client takes them: the host's word beside what it has seen itself.

A snapshot is the host's word alone. What happened meanwhile was not seen, and the check of the game
says so (`net.client.audit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from engine.events import Event, visible_to
from engine.state import Phase
from engine.view import View
from net.client.draws import NOTHING_DEALT, SeenRound
from net.client.trail import GameState, follows_from_history, is_possible, with_own_record
from net.protocol.events import read_view
from net.protocol.fields import MAX_SEATS
from net.protocol.framing import BadFrame
from net.protocol.lobby import Relocation
from net.protocol.messages import Snapshot, hash_of_all

MIN_GAME_STEPS: Final = 20  # fewer steps than any game has


def read_snapshot(snapshot: Snapshot) -> GameState:
    """Return what a snapshot says.

    Raises BadFrame: it contradicts itself, or no table can be in this state.
    """
    lobby, view = snapshot.lobby, None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    if (
        hash_of_all(lobby, view) != snapshot.hash
        or not is_possible(lobby, view, snapshot.member)
        or bool(snapshot.began) is (view is None)
        or not (view is None or follows_from_history(view))
        or not all(line.claim is None or line.claim.fits(MAX_SEATS) for line in snapshot.talk)
    ):
        raise BadFrame("message")
    return GameState(
        incarnation=snapshot.incarnation,
        step=snapshot.step,
        lobby=lobby,
        view=view,
        talk=snapshot.talk,
        record=snapshot.record,
        running=snapshot.running,
        began=snapshot.began,
    )


def go_on_from(before: GameState | None, now: GameState, gone: int) -> tuple[GameState, bool]:
    """Return the state of a snapshot with all that was seen of its game `before`.

    Also return True if it contradicts that. `gone` is the number of steps the table has lost.
    """
    number, last = now.round, 0 if before is None else before.round
    if before is None or before.began != now.began or number < last:
        left = () if gone or now.view is None or not number else (number,)
        deals = replace(NOTHING_DEALT.after_gap(number), gone=gone, missed=left)
        deals = deals.check_draw(now.lobby, now.view)
        seen = replace(now, past=() if number <= 1 else None, deals=deals)
        return with_own_record(seen), False
    contradicts = not gone and _is_drawn_anew(before, now)
    deals = replace(
        before.deals.check_draw(now.lobby, now.view),
        gone=before.deals.gone + gone,
        rewritten=before.deals.rewritten or contradicts,
    )
    if before.view is None or now.view is None:  # no game before, and none now
        return replace(now, deals=deals), contradicts
    told = before.told
    if number > last:
        is_whole = before.view.phase is Phase.DEAL
        over = SeenRound(before.view.history, whole=is_whole) if last else None
        unseen = number - last
        left = () if is_whole or not last else (last,)
        deals = replace(
            deals,
            draws=(*deals.draws, *(None,) * unseen),
            rounds=(*deals.rounds, over, *(None,) * (unseen - 1)),
            missed=_unite(deals.missed, *left, number),
        )
        told = b""
    elif _has_more(before, before.view, now, now.view):
        are_cards_new, is_round_new = _may_differ(before, now)
        pairs = _compare(before.view, now.view, has_secrets=not are_cards_new)
        is_kept = all(told_now[: len(seen)] == seen for seen, told_now in pairs)
        contradicts = contradicts or not (gone or is_round_new or is_kept)
        missed = deals.missed if gone else _unite(deals.missed, number)
        rewritten = deals.rewritten or contradicts
        deals = replace(deals, missed=missed, rewritten=rewritten)
        told = b""
    is_seat = before.view.seat == now.view.seat or not before.past
    past = before.past if number == last and is_seat else None
    return with_own_record(replace(now, past=past, deals=deals, told=told)), contradicts


def go_on_after_loss(
    before: GameState | None, stands: GameState | None, now: GameState, gone: int
) -> GameState:
    """Return the state of a snapshot of a table that has lost `gone` steps.

    `stands` is the last state before them, `None` if it is not known any more.
    """
    held, _ = go_on_from(stands, now, gone)
    if before is None or before.began != now.began:
        return held
    was = before.deals
    deals = replace(held.deals, gone=was.gone + gone, rewritten=was.rewritten)
    return replace(held, deals=deals, told=b"")


def has_moved(before: GameState, now: GameState) -> bool:
    """Return True if a table has moved, as its host says, once more than was known before."""
    moves, known = now.lobby.relocations, before.lobby.relocations
    is_one_more = before.began == now.began and len(moves) > len(known)
    return now.lobby.term > before.lobby.term or is_one_more


def is_shared(held: GameState, before: GameState, now: GameState) -> bool:
    """Return True if a state held `before` can be of the past of the table as it is `now`.

    A table that went on at two computers was dealt at each what came after, and only one of them
    knows that move.
    """
    apart = [*_moves_since(before, now), *_moves_since(now, before)]
    last = min((move.round for move in apart), default=before.round)
    return held.round <= last and not _moves_since(now, held)


def count_taken_back(before: GameState | None, now: GameState) -> int:
    """Return how many events of the round are gone, as the table has moved from before them.

    A host who has never heard of them cannot tell: they were lost by an earlier host, or by a move
    that was missed. A round that was dealt anew has taken back nothing. A new host who could save
    nothing and is started again draws cards once more: what their seat saw of the first counts.
    """
    if before is None or before.view is None or now.view is None or before.began != now.began:
        return 0
    moves = _moves_of_its_own(before, now)
    if before.round != now.round or any(move.at_odds for move in moves):
        return 0
    seen, told = visible_to(before.view.history, None), visible_to(now.view.history, None)
    if not moves:
        if not _may_be_drawn_again(before, now) or told[: len(seen)] != seen:
            return 0
        seen, told = before.view.history, now.view.history
    kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(seen, told, strict=False)))
    return len(seen) - kept


def _may_be_drawn_again(before: GameState, now: GameState) -> bool:
    """Return True if our cards were drawn anew by a host who was started again since."""
    seat = None if now.view is None else now.view.seat
    moves = (move for move in now.lobby.relocations[-1:] if move.round == now.round)
    is_ours = any(seat in move.anew or move.at_odds for move in moves)
    return is_ours and before.incarnation != now.incarnation


def _moves_since(before: GameState, now: GameState) -> list[Relocation]:
    """Return the moves of the table that were not known before."""
    known = {(move.term, move.round) for move in before.lobby.relocations}
    return [move for move in now.lobby.relocations if (move.term, move.round) not in known]


def _moves_of_its_own(before: GameState, now: GameState) -> Sequence[Relocation]:
    """Return the moves of the table that may be others than those that were known before.

    A table that lacks a move which was known has gone on another way from before it. There a term
    may come again, with another host, so all moves may be others.
    """
    if _moves_since(now, before):
        return now.lobby.relocations
    return _moves_since(before, now)


def _may_differ(before: GameState, now: GameState) -> tuple[bool, bool]:
    """Return if our seat's cards may be others, and the whole round, as the table has moved since.

    Cards were drawn anew; or the round was dealt anew, as programs disagreed.
    """
    moves = _moves_of_its_own(before, now)
    seat = None if now.view is None else now.view.seat
    return any(seat in move.anew for move in moves), any(move.at_odds for move in moves)


def _is_drawn_anew(before: GameState, now: GameState) -> bool:
    """Return True if a draw under way was begun again although everybody asked is there still.

    From `MIN_GAME_STEPS` on it may be another game.
    """
    was, draw = before.lobby.draw, now.lobby.draw
    if was is None or draw is None or was.done or was.id == draw.id or was.round != draw.round:
        return False
    was_asked, was_absent, asked, absent = (
        {person.member for person in some}
        for some in (was.people, was.absent, draw.people, draw.absent)
    )
    is_soon = now.step - before.step < MIN_GAME_STEPS
    return is_soon and was_asked <= asked and was_asked | was_absent <= asked | absent


def _unite(missed: tuple[int, ...], *numbers: int) -> tuple[int, ...]:
    """Return the rounds that were missed in part with more of them, each once."""
    return tuple(dict.fromkeys((*missed, *numbers)))


def _has_more(before: GameState, had: View, now: GameState, has: View) -> bool:
    """Return True unless a snapshot has just what was known before of the present round."""
    is_said = had.table.end is None and before.talk != now.talk
    return is_said or any(told != seen for seen, told in _compare(had, has))


def _compare(
    before: View, now: View, *, has_secrets: bool = True
) -> Iterator[tuple[Sequence[Event], Sequence[Event]]]:
    """Yield what was told before and now, but for secrets if the view is another seat's."""
    for seen, told in ((before.history, now.history), (before.ledger, now.ledger)):
        is_same = before.seat == now.seat and has_secrets
        yield (seen, told) if is_same else (visible_to(seen, None), visible_to(told, None))
