"""The fold of a host's frames and snapshots into a client's state of a table.

What a host sends is checked here: a state that no table can be in is refused.
"""

from __future__ import annotations

from engine.edition import Edition
from engine.events import Event, GameEnded, RoundBegan
from engine.view import View
from net.client.draws import NOTHING_DEALT, OwnShare, SeenDeals, contradicts, is_due
from net.client.trail import GameState
from net.lobby.chat import BEFORE_ALL, chat_after, moment
from net.lobby.events import (
    GameBegins,
    RecordPublished,
    Rematch,
)
from net.lobby.fold import apply, count_game
from net.lobby.model import Lobby, Stage
from net.lobby.validation import can_be_told, is_clean_line, is_clean_lobby
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import Snapshot, StepFrame
from net.protocol.plausibility import can_follow, follows_from_history, is_settled
from net.protocol.state_hash import hash_of_all, running_hash
from net.protocol.text import is_clean_page
from net.protocol.views import read_view


def after_frame(
    held: GameState, frame: StepFrame, events: tuple[Event, ...], member: int, share: OwnShare
) -> GameState:
    """Return a member's state after the next step, whose game events were read already.

    Raises:
        LookupError: the step is about something that is not held.
        ValueError: an event's values are impossible.
    """
    lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
    past, deals = held.past, held.deals
    when = BEFORE_ALL if view is None else moment(view.table, view.score)
    for lobby_event in frame.lobby_events:
        if not can_be_told(lobby, lobby_event):
            raise LookupError("news of what is not at this table")
        if not is_due(lobby_event, held.running, lobby, view):
            raise LookupError("a draw that is not due")
        talk = chat_after(talk, lobby, lobby_event, when)
        lobby = apply(lobby, lobby_event)
        match lobby_event:
            case GameBegins():
                view, record, past = view_before_game(lobby, member), "", ()
                deals = SeenDeals(tuple(map(lobby.name_at, range(len(lobby.chairs)))))
            case Rematch():
                view = None
            case RecordPublished(text):
                record = text
            case _:
                pass
    for event in events:
        if view is None or not can_follow(view, event):
            raise LookupError("an event that has no place in this game")
        if isinstance(event, RoundBegan):
            deals = deals.then(event.number, share.seen(lobby, event.number, live=True))
            past = None if past is None else past + view.history
        view = view.after(event)
        if isinstance(event, GameEnded):
            lobby = count_game(lobby, view.score.nuggets or ())
    running = running_hash(held.running, frame.step, frame.lobby_events, events)
    head = frame.incarnation, frame.step, lobby, view, talk, record
    return GameState(*head, past, running, deals)


def view_before_game(lobby: Lobby, member: int) -> View:
    """Return a member's view of a game before its first deal."""
    settings = lobby.settings
    edition = Edition.read(settings.edition)
    return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(member))


def from_snapshot(snapshot: Snapshot, before: GameState | None, share: OwnShare) -> GameState:
    """Return the state of a snapshot; `before` is what was held, `None` if it does not count.

    Raises:
        BadFrame: the snapshot contradicts itself, or no table can be in this state.
    """
    lobby, view = snapshot.lobby, None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    if (
        hash_of_all(lobby, view) != snapshot.hash
        or not is_possible(lobby, view, snapshot.member)
        or not is_clean_page(snapshot.record)
        or (view is not None and not follows_from_history(view))
        or not all(map(is_clean_line, snapshot.talk))
    ):
        raise BadFrame(FrameFault.MESSAGE)
    past = past_before(before, view)
    deals = deals_before(before, share, lobby, view)
    head = snapshot.incarnation, snapshot.step, lobby, view
    return GameState(*head, snapshot.talk, snapshot.record, past, snapshot.running, deals)


def is_possible(lobby: Lobby, view: View | None, member: int) -> bool:
    """Return True if a member can hold this lobby and this view together, after any step."""
    if not is_clean_lobby(lobby):
        return False
    if view is None:
        return lobby.stage is not Stage.PLAYING
    settings = lobby.settings
    return (
        lobby.stage is not Stage.LOBBY
        and view.table.players == len(lobby.chairs)
        and view.table.edition == Edition.read(settings.edition)
        and view.score.rounds == settings.rounds
        and view.seat == lobby.seat_of(member)
        and is_settled(view)
    )


def past_before(held: GameState | None, view: View | None) -> tuple[Event, ...] | None:
    """Return the events of the rounds before that of a snapshot's view, `None` if not known.

    `held` is what was held before the snapshot, `None` if it does not count.
    """
    if view is None or view.score.number <= 1:
        return ()
    ours = None if held is None else held.view
    if held is None or ours is None or ours.seat != view.seat:
        return None
    same = ours.score.number == view.score.number
    follows = view.ledger[: len(ours.ledger)] == ours.ledger
    return held.past if same and follows else None


def deals_before(
    held: GameState | None, share: OwnShare, lobby: Lobby, view: View | None
) -> SeenDeals:
    """Return what is known, at a snapshot, of the way in which the game was dealt."""
    if view is None:
        return NOTHING_DEALT
    number = view.score.number
    seen = share.seen(lobby, number, live=False)
    if held is None or held.view is None:
        return NOTHING_DEALT.then(number, seen)
    is_rewritten = contradicts(held.lobby, held.view, lobby, view)
    return held.deals.after_gap(number, seen, is_rewritten=is_rewritten)
