"""All that a client holds and has seen of a table, updated by the host's frames and snapshots.

A state that no table can have is refused: the view is checked after each step, and each lobby as it
arrives, so that no host, not even a modified program, can bring a client into a state that cannot
be shown. Whether the moves that led there are legal is checked once the game is over
(`net.client.audit`).

A snapshot is only the host's word, in addition to what the program has seen itself. What happened
meanwhile was not seen, and the check of the game says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile
from typing import Final

from msgspec import structs
from msgspec.msgpack import encode

from engine.board import GOAL_CELLS
from engine.cards import BREAK, DECK, GOALS, Card, Tool
from engine.edition import Edition
from engine.events import Event, GameEnded, GoldEvent, RoundBegan, addressee, visible_to
from engine.mistakes import NotationError
from engine.notation.record import ObservedRecord
from engine.notation.record_parser import format_record
from engine.state import ROUNDS, Phase
from engine.view import View
from net.client.draws import NOTHING_DEALT, NoteKind, OwnShare, SeenDeals, SeenRound, is_due
from net.protocol import lobby_events
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.chat import BEFORE_ALL, ChatHistory, ChatLine, chat_after, chat_line_of, moment
from net.protocol.fields import MAX_SEATS
from net.protocol.framing import BadFrame
from net.protocol.game_wire import (
    MAX_ROUND_EVENTS,
    EventWire,
    check_seats,
    read_view,
    write_event,
)
from net.protocol.lobby import (
    MAX_GAMES,
    MAX_PEOPLE,
    THE_TABLE,
    Lobby,
    Relocation,
    SeedDraw,
    TablePhase,
)
from net.protocol.messages import NOTHING_SEEN, Mark, Snapshot, StepFrame, hash_of_all, running_hash

_COPIES: Final = Counter(DECK)


def is_settled(view: View) -> bool:
    """Return True if a seat's own knowledge matches the public facts, as after every step.

    The seat must know as many cards, gold cards and goals as everybody knows that it has seen.

    Raises BadFrame: it is not even a view.
    """
    check_seats(view)
    table, score, seat = view.table, view.score, view.seat
    is_possible_table = (
        len(view.history) <= MAX_ROUND_EVENTS  # otherwise a host could fill this computer's memory
        and 1 <= score.number <= score.rounds
        and min(*table.hands, table.pile, score.pile) >= 0
        and (table.turn is None or table.hands[table.turn] > 0)
        and (table.end is None or Counter(table.end.goals) == Counter(GOALS))
        and Counter(_cards_known(view)) <= _COPIES
    )
    if seat is None:
        return is_possible_table and view == view._replace(
            role=None, hand=(), peeks=(None, None, None), buried=(), gold=(), offer=()
        )
    seen = tuple(goal is not None for goal in view.peeks)
    return (
        is_possible_table
        and view.role is not None
        and len(view.hand) == table.hands[seat]
        and len(view.buried) == table.buried[seat]
        and len(view.gold) == score.cards[seat]
        and len(view.offer) == (score.offer if score.chooser == seat else 0)
        and seen == tuple(cell in table.looks[seat] for cell in GOAL_CELLS)
    )


def _cards_known(view: View) -> Iterator[Card]:
    """Yield every card that a seat can locate (S3, S4)."""
    table = view.table
    yield from (*view.hand, *view.buried, *table.discards)
    yield from (table.board.cards[cell].card for cell in table.board.tunnels())
    yield from (BREAK[tool] for tools in table.broken for tool in Tool.within(tools))


def follows_from_history(view: View) -> bool:
    """Return True if replaying a view's own ledger and history gives that view."""
    recent = sum(isinstance(event, GoldEvent) for event in view.history)
    ledger = view.ledger[: len(view.ledger) - recent]
    number = max(view.score.number - 1, 0)
    try:
        before = View.before(view.table.edition, view.table.players, view.score.rounds, view.seat)
        for gold in ledger:
            before = before.after(gold)
        score = replace(before.score, number=number, wins=view.score.wins[:number])
        before = before._replace(score=score)
        for event in view.history:
            before = before.after(event)
    except Exception:  # noqa: BLE001 - whatever comes of events that no game has
        return False
    return before == view


def is_possible_lobby(lobby: Lobby) -> bool:
    return (
        lobby.is_sound
        and (lobby.is_hall or lobby.settings.youngest < len(lobby.chairs))
        and len(lobby.people) <= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE)
        and lobby.board.is_sound
        and (lobby.host == THE_TABLE or lobby.person(lobby.host) is not None)
        and _is_edition(lobby.settings.edition)
        and (lobby.draw is None or _is_possible_draw(lobby.draw))
        and all(map(lobby.has_deserted, lobby.deserted))
    )


def _is_possible_draw(draw: SeedDraw) -> bool:
    asked, some = (*draw.people, *draw.absent), len(draw.people)
    return (
        len({person.member for person in asked}) == len(asked)
        and len(draw.commitments) in {0, some}
        and len(draw.shares) == (len(draw.commitments) if draw.done else 0)
        and (not draw.done or len(draw.shares) == some)
    )


def _is_edition(text: str) -> bool:
    try:
        Edition.read(text)
    except NotationError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything a client holds of a table after a step."""

    incarnation: int  # of the host's program: each start has a new one
    step: int
    lobby: Lobby
    view: View | None  # of the player; its history covers the present round
    talk: ChatHistory = ()
    record: str = ""  # text of the last game, once it is over
    past: tuple[Event, ...] | None = ()
    """Events seen in the rounds before, `None` if the player was not there for all of them."""
    running: bytes = NOTHING_SEEN.hash  # the running hash
    deals: SeenDeals = NOTHING_DEALT
    game_id: bytes = b""  # empty without a game
    round_hash: bytes = b""
    """Hash of all that was public of the round and its gold (`extend_round_hash`), the same for
    everybody; empty if this program missed a part."""
    shares: tuple[bytes, ...] | None = None
    """By round, the shares that the host of a game that moved has shown at its end; `None` until
    then, or if this program was away then."""

    @property
    def mark(self) -> Mark:
        return Mark(self.step, self.running)

    @property
    def phase(self) -> Phase | None:
        return None if self.view is None else self.view.phase

    @property
    def round(self) -> int:
        """The number of the round that was dealt last, 0 if none was."""
        return 0 if self.view is None else self.view.score.number


def seen_record(held: GameState | None) -> str:
    """Return the record of the game as its seat saw it so far, as the text of a `.sab` file.

    It holds nothing that the seat did not see. It is the complete record if the game is over, and
    empty if there is no game, or none by the rules. A player who was not there for the earlier
    rounds gets a record of the present round only, as the first of a game; a `Round` tag gives its
    real number.
    """
    if held is None or held.view is None:
        return ""
    if held.record:
        return held.record
    if held.past is None:
        number = held.view.score.number
        first = (
            replace(event, number=1) if isinstance(event, RoundBegan) else event
            for event in held.view.history
        )
        seen = replace(_record(held.lobby, held.view), extra=(("Round", str(number)),))
        seen = seen.with_events(*first)
    else:
        seen = _record(held.lobby, held.view).with_events(*held.past, *held.view.history)
    try:
        return format_record(seen)
    except ValueError:  # the table was dealt again elsewhere, or its host cheats
        return ""


def _record(lobby: Lobby, view: View) -> ObservedRecord:
    names = tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs)))
    return ObservedRecord(names, view.seat, view.table.edition, view.score.rounds)


def after_frame(
    held: GameState, frame: StepFrame, events: tuple[Event, ...], member: int, share: OwnShare
) -> GameState:
    """Return a member's state after the next step, whose game events were read already.

    Raises LookupError: the step is about something unknown, or may not happen now; ValueError: an
    event's values are impossible.
    """
    news = frame.lobby_events
    lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
    past, deals, game_id, round_hash = held.past, held.deals, held.game_id, held.round_hash
    shares: tuple[bytes, ...] | None = None
    running = running_hash(held.running, frame.step, news, events)
    when = BEFORE_ALL if view is None else moment(view.table, view.score)
    for lobby_event in news:
        if not lobby_event.fits(lobby):
            raise LookupError("news of what is not at this table")
        if not is_due(lobby_event, lobby, view):
            raise LookupError("news that is not due")
        talk = chat_after(talk, lobby, lobby_event, when)
        line = chat_line_of(lobby_event, lobby, when)
        if line is not None and round_hash and view is not None and view.table.end is None:
            round_hash = extend_round_hash(round_hash, line)
        before, lobby = lobby, lobby_event.change(lobby)
        deals = deals.after(before, lobby_event, lobby)
        match lobby_event:
            case lobby_events.GameBegins():
                view, game_id = view_before_game(lobby, member), running
                record, past = "", ()
            case lobby_events.Rematch():
                view, game_id = None, b""
            case lobby_events.RecordPublished(text):
                record = text
            case lobby_events.HostSharesShown(shown):
                shares = shown
            case _:
                pass
    deals = share.note_draws(deals, lobby, view, member)
    for event in events:
        if view is None:
            raise LookupError("an event of no game")
        if isinstance(event, RoundBegan):
            is_first = event.number == 1
            over = None if is_first else SeenRound(view.history)
            deals = deals.add_round(share.describe_draw(lobby, event.number, member), over)
            past = None if past is None else past + view.history
            round_hash = begin_round_hash(lobby, view, event)
        elif round_hash and addressee(event) is None:
            round_hash = extend_round_hash(round_hash, write_event(event))
        view = view.after(event)
        if isinstance(event, GameEnded):
            lobby = lobby_events.count_game(lobby, view.score.nuggets or ())
            shares = shares or ()
    if _is_draw_without_deal(lobby, view):
        raise LookupError("a draw without its deal")
    after = replace(
        held,
        step=frame.step,
        lobby=lobby,
        view=view,
        talk=talk,
        record=record,
        past=past,
        running=running,
        deals=deals,
        game_id=game_id,
        round_hash=round_hash,
        shares=shares,
    )
    return with_own_record(after)


def _is_draw_without_deal(lobby: Lobby, view: View | None) -> bool:
    """Return True if a draw is finished but its round not dealt: one step does both."""
    draw = lobby.draw
    dealt = 0 if view is None else view.score.number
    return draw is not None and draw.done and draw.round > dealt


def with_own_record(held: GameState) -> GameState:
    """Return the state with its seat's own record, if its game moved and is over.

    Nobody has a whole record of such a game.
    """
    is_over = held.view is not None and held.view.phase is Phase.OVER
    if not (is_over and held.lobby.relocations) or held.record:
        return held
    return replace(held, record=seen_record(held))


def begin_round_hash(lobby: Lobby, view: View, began: RoundBegan) -> bytes:
    """Return the hash of a round that begins, of the names by seat, the edition and the event."""
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    start = sha256(encode((names, view.table.edition.text))).digest()
    return extend_round_hash(start, write_event(began))


def extend_round_hash(before: bytes, added: ChatLine | EventWire) -> bytes:
    return sha256(before + encode(added)).digest()


def view_before_game(lobby: Lobby, member: int) -> View:
    settings = lobby.settings
    edition = Edition.read(settings.edition)
    return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(member))


def is_possible(
    lobby: Lobby, view: View | None, member: int, *, before: Lobby | None = None
) -> bool:
    """Return True if a member can hold this lobby and this view together, after any step.

    A lobby that is the one held `before` is not checked again.
    """
    if lobby is not before and not is_possible_lobby(lobby):
        return False
    if view is None:
        return lobby.stage is not TablePhase.PLAYING
    settings = lobby.settings
    return (
        lobby.stage is not TablePhase.LOBBY
        and view.table.players == len(lobby.chairs)
        and view.table.edition == Edition.read(settings.edition)
        and view.score.rounds == settings.rounds
        and view.seat == lobby.seat_of(member)
        and is_settled(view)
    )


# Snapshots.


def read_snapshot(snapshot: Snapshot) -> GameState:
    """Read the state in a snapshot. Raises BadFrame: no table can be in this state."""
    lobby, view = snapshot.lobby, None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    if (
        hash_of_all(lobby, view) != snapshot.hash
        or not is_possible(lobby, view, snapshot.member)
        or bool(snapshot.game_id) is (view is None)
        or not (view is None or follows_from_history(view))
        or _is_draw_without_deal(lobby, view)
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
        game_id=snapshot.game_id,
    )


def merge_snapshot(
    before: GameState | None,
    now: GameState,
    lost_steps: int,
    *,
    last_valid: GameState | None,
    was_away: bool,
) -> tuple[GameState, bool]:
    """Return the state of a snapshot with all that was seen of its game `before`.

    Also return True if it contradicts that. `lost_steps` is the number of steps that the table has
    lost, and `last_valid` the state before them, `None` if that is no longer known. Notes are never
    dropped, whatever the snapshot says: only the end of a game clears them.
    """
    held, is_kept = _add_seen(last_valid if lost_steps else before, now, lost_steps)
    was = SeenDeals() if before is None or _is_put_away(before, now) else before.deals
    deals = replace(
        held.deals, notes=was.notes, undecided=was.undecided, lost_steps=was.lost_steps + lost_steps
    )
    contradicts = not (is_kept or lost_steps)
    if before is not None and was is before.deals:
        deals, is_replaced = _note_lost_draw(deals, before, now, lost_steps, was_away=was_away)
        contradicts = contradicts or is_replaced
    if contradicts:
        deals = deals.add_note(NoteKind.REWRITTEN, max(now.round, 1))
    return with_own_record(replace(held, deals=deals)), contradicts


def _is_put_away(before: GameState, now: GameState) -> bool:
    """Return True if the previous game is over, and this one or none has replaced it."""
    return before.phase is Phase.OVER and before.game_id != now.game_id


def _add_seen(before: GameState | None, now: GameState, lost_steps: int) -> tuple[GameState, bool]:
    """Add the rounds seen before to a snapshot's state, and return True if it fits them."""
    number = now.round
    last = 0 if before is None else before.round
    if before is None or before.game_id != now.game_id or number < last:
        missed = () if lost_steps or now.view is None or not number else (number,)
        none = (None,) * number
        deals = SeenDeals(draws=none, rounds=none[:-1], missed=missed)
        seen = replace(now, past=() if number <= 1 else None, deals=deals)
        return seen, number >= last or before is None or before.game_id != now.game_id
    deals, is_kept = before.deals, True
    round_hash = b"" if lost_steps else before.round_hash
    if before.view is None or now.view is None:  # no game before, and none now
        return replace(now, deals=deals), True
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
        round_hash = b""
    elif _shows_more(before, before.view, now, now.view):
        are_cards_new, is_round_new = _may_differ(before, now)
        pairs = _compare(before.view, now.view, has_secrets=not are_cards_new)
        is_kept = is_round_new or all(new[: len(old)] == old for old, new in pairs)
        deals = replace(deals, missed=deals.missed if lost_steps else _unite(deals.missed, number))
        round_hash = b""
    is_seat = before.view.seat == now.view.seat or not before.past
    past = before.past if number == last and is_seat else None
    return replace(now, past=past, deals=deals, round_hash=round_hash), is_kept


def _note_lost_draw(
    deals: SeenDeals, before: GameState, now: GameState, lost_steps: int, *, was_away: bool
) -> tuple[SeenDeals, bool]:
    """Return the deals with a note on the game or the draw before, if a snapshot no longer has it.

    Also return True if there is no honest reason for that. Honest reasons are lost steps, another
    host, people who left, and a game that ended while this program was away, which the table of the
    evening shows to everybody.
    """
    games, is_moved = before.lobby.evening.games, has_moved(before, now)
    is_counted = now.lobby.evening.games > games or games == MAX_GAMES
    is_excused = bool(lost_steps) or is_moved or (was_away and is_counted)
    if before.view is not None and before.game_id != now.game_id and not lost_steps:
        return deals.add_note(NoteKind.UNFINISHED, max(before.round, 1)), not is_excused
    was, draw = before.lobby.draw, now.lobby.draw
    if was is None:
        return deals, False
    is_same = draw is not None and draw.id == was.id
    is_back = bool(lost_steps) or is_moved
    if draw is not None and is_same and not _continues_draw(was, draw, is_back=is_back):
        return deals, True
    if is_same or (draw is not None and now.round >= was.round < draw.round):
        is_decided = was.done or now.round < was.round or was in deals.undecided
        kept = deals.undecided if is_decided else (*deals.undecided[-ROUNDS + 1 :], was)
        return replace(deals, undecided=kept), False
    asked = {who.member for who in now.lobby.people}
    if draw is not None and draw.round == was.round:
        asked = {who.member for who in draw.people}
    left = [who.name for who in was.people if who.member not in asked]
    left = [was.host_name] if is_moved else left
    return deals.add_note(NoteKind.VOID, was.round, left), not (left or is_excused)


def _continues_draw(was: SeedDraw, draw: SeedDraw, *, is_back: bool) -> bool:
    """Return True if nothing in a draw has changed, except that more of it may be public.

    If it `is_back` at an earlier step, commitments made since then may differ.
    """
    if is_back:
        was = structs.replace(was, commitments=(), shares=(), done=False)
    return was == structs.replace(
        draw,
        commitments=was.commitments and draw.commitments,
        shares=was.shares and draw.shares,
        done=was.done and draw.done,
    )


def has_moved(before: GameState, now: GameState) -> bool:
    """Return True if the host says that the table has moved to another computer since `before`."""
    is_of_game = before.game_id == now.game_id
    is_other = bool(_moves_since(before, now) or _moves_since(now, before))
    return now.lobby.term != before.lobby.term or (is_of_game and is_other)


def is_shared(held: GameState, before: GameState, now: GameState) -> bool:
    """Return True if the kept state `held` is part of the past of both `before` and `now`.

    Once a table continues at two computers, each deals its own cards. So they share the states up
    to the round of the first relocation that only one of them knows.
    """
    apart = [*_moves_since(before, now), *_moves_since(now, before)]
    last = min((move.round for move in apart), default=before.round)
    return held.round <= last and not _moves_since(now, held)


def count_taken_back(before: GameState | None, now: GameState) -> int:
    """Count the round's events that were lost because the table resumed from before them.

    The host cannot report them if an earlier host lost them, or if we missed the move. A round that
    was dealt again has lost nothing. A new host that was restarted after it could save nothing has
    drawn cards again: then events that only our seat saw count, too.
    """
    if before is None or before.view is None or now.view is None or before.game_id != now.game_id:
        return 0
    moves = _moves_of_its_own(before, now)
    if before.round != now.round or any(move.at_odds for move in moves):
        return 0
    old, new = visible_to(before.view.history, None), visible_to(now.view.history, None)
    if not moves:
        if not _may_be_drawn_again(before, now) or new[: len(old)] != old:
            return 0
        old, new = before.view.history, now.view.history
    return len(old) - count_same(old, new)


def count_same(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Count the first events that two lists have in common."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _same in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _may_be_drawn_again(before: GameState, now: GameState) -> bool:
    seat = None if now.view is None else now.view.seat
    moves = (move for move in now.lobby.relocations[-1:] if move.round == now.round)
    is_ours = any(seat in move.anew or move.at_odds for move in moves)
    return is_ours and before.incarnation != now.incarnation


def _moves_since(before: GameState, now: GameState) -> list[Relocation]:
    known = {(move.term, move.round) for move in before.lobby.relocations}
    return [move for move in now.lobby.relocations if (move.term, move.round) not in known]


def _moves_of_its_own(before: GameState, now: GameState) -> Sequence[Relocation]:
    """Return the moves of the table `now` that `before` may not have known.

    If a known move is missing, the table took another course before that move. There a term may
    recur with another host, so none of its moves counts as known.
    """
    if _moves_since(now, before):
        return now.lobby.relocations
    return _moves_since(before, now)


def _may_differ(before: GameState, now: GameState) -> tuple[bool, bool]:
    """Return whether our seat's cards, and the whole round, may differ since the table moved.

    Cards may have been drawn again, or the round dealt again, as programs disagreed.
    """
    moves = _moves_of_its_own(before, now)
    seat = None if now.view is None else now.view.seat
    return any(seat in move.anew for move in moves), any(move.at_odds for move in moves)


def _unite(missed: tuple[int, ...], *numbers: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*missed, *numbers)))


def _shows_more(before: GameState, old_view: View, now: GameState, new_view: View) -> bool:
    has_new_talk = old_view.table.end is None and before.talk != now.talk
    return has_new_talk or any(old != new for old, new in _compare(old_view, new_view))


def _compare(
    before: View, now: View, *, has_secrets: bool = True
) -> Iterator[tuple[Sequence[Event], Sequence[Event]]]:
    """Yield the events seen before and now: those of the round, then those of the gold.

    Secrets are left out if the view is another seat's.
    """
    for old, new in ((before.history, now.history), (before.ledger, now.ledger)):
        is_same = before.seat == now.seat and has_secrets
        yield (old, new) if is_same else (visible_to(old, None), visible_to(new, None))
