"""The client's state of a table, without socket or clock: messages in, state and messages out.

`ClientState` folds the host's frames into lobby, view and chat. It checks by number and hash that
no step is missing and that both sides have the same state, and asks for a snapshot if not.

Each command has an id. Those that have no answer yet are sent again after a reconnect.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from engine.events import Private
from engine.facts import secrets_of, watch
from engine.notation.position import format_position
from engine.state import Phase
from net.client import session, trail
from net.client.audit import Audit, audit
from net.client.draws import NOTHING_DEALT, OwnShare, rounds_drawn_without
from net.protocol import messages
from net.protocol.doors import DoorNow
from net.protocol.fields import has_clean_text
from net.protocol.framing import BadFrame
from net.protocol.game_wire import read_event
from net.protocol.hall import GoTo, NextTable
from net.protocol.lobby import UNPICKED, Dwarf
from net.protocol.lobby_events import Paused, Rematch
from net.protocol.requests import MakeMove, React, TableRequest
from net.room.permissions import seconds_left, term_of
from net.room.steps import PublicState

_log = logging.getLogger(__name__)

KEPT_STATES: Final = 16  # last states kept: a moved table resumes from one that all have seen
PATIENCE: Final = 3
"""Answered heartbeats after which a step that they name, but that has not arrived, is asked for:
an answer may overtake steps that the host's disk does not have yet."""


@dataclass(slots=True)
class ClientState:
    """One person's client state of a table."""

    name: str
    watch: bool = False
    projector: bool = False  # True for a projector, which shows the table to a room
    dwarf: Dwarf = UNPICKED  # the dwarf that was picked before
    status: session.Status = field(default_factory=session.Status)  # all that is shown of it
    commands: tuple[messages.ClientCommand, ...] = ()  # that wait for their answers
    last_id: int = 0  # the last id that was given to a command
    entered: bool = False  # the host has admitted the present connection
    lost: bool = False  # steps are ignored until a snapshot comes
    asked: bool = False  # we have asked for a snapshot: at first, and whenever we are `lost`
    lost_steps: int = 0
    """Steps seen and lost, according to the host, until a snapshot shows what is left."""
    mark: messages.Mark = messages.NOTHING_SEEN  # last step seen, perhaps in an earlier run
    share: OwnShare = field(default_factory=OwnShare)
    audited: bool = False  # the game that is over was audited
    at_door: bool = False  # this program runs at the host's computer
    is_alone: bool = False  # the game is only in this process, and needs no audit
    make_words: Callable[[bytes], tuple[str, ...]] | None = None
    """Makes the words of a round, which takes a moment; without it there are none."""
    ahead: int = 0  # heartbeats answered since the last step that named a later step
    is_elsewhere: bool = False  # there is a new host, which has sent no snapshot yet
    recall: Callable[[messages.Mark], tuple[Private, ...] | None] = lambda _mark: None
    """Returns what our seat knew at a step that this run of the program has not seen, if it can."""
    kept: deque[trail.GameState] = field(default_factory=lambda: deque(maxlen=KEPT_STATES))
    """The last states, from which a table can resume at another computer."""
    branch: trail.GameState | None = None
    """The last state before this program went to another host's copy, or its own."""

    def begin_connection(self) -> messages.ClientMessage:
        self.entered = self.lost = False
        self.asked = True
        self.ahead = 0
        held, self.mark = self.status.game_state, self.last_seen
        incarnation = 0 if held is None else held.incarnation
        return messages.EnterTable(
            self.name, self.watch, incarnation, self.mark, self.projector, self.dwarf
        )

    def end_connection(self) -> None:
        """Note that the connection is lost; pending commands are kept for the next."""
        self.entered = False
        # A reaction that arrives after what it was about makes no sense.
        self._set_commands(
            command for command in self.commands if not isinstance(command.request, React)
        )

    def ping(self) -> messages.ClientMessage:
        held = self.status.game_state
        return messages.Ping(0 if held is None else held.step)

    def request(self, want: TableRequest) -> tuple[messages.ClientMessage, ...]:
        """Queue a request and return the messages to send now, none while not connected.

        Nor is anything sent while steps are lost and no snapshot has come since.
        """
        self.last_id += 1
        command = messages.ClientCommand(self.last_id, want)
        self._set_commands((*self.commands, command))
        return () if self.lost_steps or not self.entered else (command,)

    def _set_commands(self, commands: Iterable[messages.ClientCommand]) -> None:
        self.commands = tuple(commands)
        self.status = replace(self.status, unanswered=len(self.commands))

    def _note_answer(self, number: int) -> None:
        self._set_commands(command for command in self.commands if command.id != number)

    def _note_handled(self, last: int) -> None:
        self.last_id = max(self.last_id, last)
        self._set_commands(command for command in self.commands if command.id > last)

    def receive(self, message: messages.HostMessage) -> session.Received:
        """Handle a message of the host. Raises BadFrame: it breaks the protocol."""
        if not has_clean_text(message):
            raise BadFrame("message")
        match message:
            case messages.Welcome():
                return self._receive_welcome(message)
            case messages.StepFrame():
                return self._apply_frame(message)
            case messages.Snapshot():
                return self._snapshot(message)
            case messages.CommandRefused(number):
                self._note_answer(number)
                return session.Received(refused=message)
            case messages.Accepted(number):
                self._note_answer(number)
                return session.Received(settled=number)
            case messages.Pong(step, lasted):
                return self._pong(step, lasted)
            case messages.Disk(disk):
                self.status = replace(self.status, disk=disk)
            case messages.GuessAlarm(tried):
                return session.Received(alarm=tried)
            case messages.Code(code):
                is_new = self.status.code not in {"", code}
                self.status = replace(self.status, code=code)
                return session.Received(code=code if is_new else "")
            case messages.Notice() | NextTable():
                return session.Received(notice=message)
            case messages.Reacted():
                return session.Received(reaction=message)
            case messages.Announcing(works):
                self.status = replace(self.status, announced=works)
            case DoorNow(kind):
                others = [door for door in self.status.doors if door.kind is not kind]
                doors = sorted((*others, message), key=lambda door: door.kind)  # none changes place
                self.status = replace(self.status, doors=tuple(doors))
            case messages.Gathering():
                self.status = replace(self.status, gathering=None if self.entered else message)
            case GoTo(table):
                return session.Received(opened=table)
            case messages.KnowledgeWanted():
                return self._send_secrets(message)
            case messages.Closing(why):
                self.entered = False
                return session.Received(farewell=why)
            case _:
                assert_never(message)
        return session.Received()

    def _send_secrets(self, wanted: messages.KnowledgeWanted) -> session.Received:
        """Send the host the secrets that our seat knew after a step.

        Raises BadFrame: we have entered the table already, so its host knows all that we do.
        """
        if self.entered:
            raise BadFrame("message")
        view = next((kept.view for kept in self.kept if kept.mark == wanted.mark), None)
        has_seat = view is not None and view.seat is not None
        secrets = secrets_of(view) if view is not None and has_seat else self.recall(wanted.mark)
        return session.Received(send=(messages.Knowledge(messages.encode_knowledge(secrets)),))

    def _receive_welcome(self, welcome: messages.Welcome) -> session.Received:
        """Handle a welcome: send again the commands that the host has not handled.

        Raises BadFrame: the host takes us for another member than before. If a table continued at
        two computers, each of them has numbered newcomers itself.
        """
        status, is_other = self.status, welcome.member != self.status.member
        if status.game_state is not None and is_other and not self.is_elsewhere:
            raise BadFrame("message")
        self.entered = True
        held, now = status.game_state, term_of(welcome.incarnation)
        is_elsewhere = held is not None and term_of(held.incarnation) != now
        doors = () if is_elsewhere else status.doors  # a new host reports its own
        self.status = replace(status, member=welcome.member, gathering=None, doors=doors)
        if self.status.opening is session.Opening.UNDER_WAY:
            self.status = replace(self.status, opening=session.Opening.NOT_ASKED)
        self._note_handled(welcome.last)
        self.lost_steps = min(welcome.gone, self.mark.step)
        # Otherwise the snapshot will show whether the requests still make sense.
        return session.Received(send=() if self.lost_steps else (*self.commands, *self._answer()))

    @property
    def last_seen(self) -> messages.Mark:
        held = self.status.game_state
        return self.mark if held is None else held.mark

    def _apply_frame(self, frame: messages.StepFrame) -> session.Received:
        """Apply the next step; ask for a snapshot if a step is missing or does not fit.

        Raises BadFrame: the state after it would be impossible.
        """
        held = self.status.game_state
        if self.lost:
            return session.Received()
        if held is None or frame.incarnation != held.incarnation or frame.step > held.step + 1:
            return self._resync()
        if frame.step <= held.step:
            return session.Received()
        events = tuple([read_event(event) for event in frame.events])
        try:
            after_it = trail.after_frame(held, frame, events, self.status.member, self.share)
            view, seat = after_it.view, after_it.lobby.seat_of(self.status.member)
            if view is not None and view.seat != seat:  # it lacks the secrets of a new seat
                return self._resync()
            ours = messages.hash_of_all(after_it.lobby, after_it.view)
        except Exception:  # noqa: BLE001 - whatever comes of an event that has no place in the game
            return self._disagree(held, frame, b"")
        if ours != frame.hash:
            return self._disagree(held, frame, ours)
        if not trail.is_possible(after_it.lobby, view, self.status.member, before=held.lobby):
            raise BadFrame("message")
        self.asked = False
        begins = bool(events) or any(isinstance(event, Paused) for event in frame.lobby_events)
        self._hold(after_it, begins=begins)
        self._find_words()
        self._note_answer(frame.yours)
        send = self._answer() if after_it.lobby.draw is not held.lobby.draw else ()
        return session.Received(
            frame.lobby_events,
            events,
            settled=frame.yours,
            send=send,
            left_out=rounds_drawn_without(self.status.member, held.lobby, after_it.lobby),
            false_draws=after_it.deals.false_since(held.deals),
            audit=self._audit(),
        )

    def _audit(self) -> Audit | None:
        """Audit a game that is over, on the first call after its end."""
        held = self.status.game_state
        is_over = held is not None and held.view is not None and held.view.score.gold is not None
        is_due, self.audited = is_over and not self.audited, is_over
        found = audit(held) if is_due and held is not None and not self.is_alone else None
        found = None if found is None else replace(found, at_door=self.at_door)
        if found is not None or not is_over:
            self.status = replace(self.status, audit=found)
        return found

    def _find_words(self) -> None:
        held = self.status.game_state
        if self.make_words is None or held is None or held.view is None:
            return
        here = (held.game_id, held.view.score.number)
        is_over = held.view.table.end is not None and held.phase is not Phase.GOLD
        if not is_over or (self.status.words is not None and self.status.words.round == here):
            return
        words = self.make_words(held.round_hash) if held.round_hash else ()
        lost_steps = 0 if words else held.deals.lost_steps
        away = not words and held.view.score.number in held.deals.missed
        found = session.RoundWords(here, words, away=away, lost_steps=lost_steps)
        self.status = replace(self.status, words=found)

    def _answer(self) -> tuple[messages.ClientMessage, ...]:
        lobby = self.status.lobby
        if lobby is None:
            return ()
        return self.share.answer(lobby, self.status.view, self.status.member)

    def _pong(self, step: int, lasted: int) -> session.Received:
        """Handle the answer to a heartbeat: the host's last step, and the turn's seconds so far.

        Steps that have not arrived after `PATIENCE` answers are asked for, unless the disk is full.
        """
        held, is_saved = self.status.game_state, self.status.disk is messages.DiskStatus.OK
        if held is None:
            return session.Received()
        self.ahead = 0 if step <= held.step else self.ahead + 1
        if step == held.step:
            left = seconds_left(held.lobby, held.view, lasted)
            self.status = replace(self.status, turn_left=left)
        is_due = self.ahead >= PATIENCE and is_saved and not self.asked
        return self._resync() if is_due else session.Received()

    def _disagree(
        self, held: trail.GameState, frame: messages.StepFrame, ours: bytes
    ) -> session.Received:
        """Ask for a snapshot, and log where the sides differ; `ours` is empty without a hash."""
        events = (*frame.lobby_events, *frame.events)
        _log.warning(
            "step %d, %s: the host's hash is %s, ours %s, after %s",
            frame.step,
            " ".join(type(event).__name__ for event in events),
            frame.hash.hex(),
            ours.hex() or "none",
            "no game" if held.view is None else format_position(held.view),
        )
        return replace(self._resync(), disagreed=True)

    def _hold(self, held: trail.GameState, *, begins: bool = False) -> None:
        """Replace the state held; optionally restart the clock of the turn."""
        left = seconds_left(held.lobby, held.view)
        left = left if begins or left is None else self.status.turn_left
        self.status = replace(self.status, game_state=held, turn_left=left)
        self.ahead = 0
        self.kept.append(held)

    def _resync(self) -> session.Received:
        self.lost = self.asked = True
        return session.Received(send=(messages.Resync(),))

    def _snapshot(self, snapshot: messages.Snapshot) -> session.Received:
        """Replace the state by a snapshot.

        Raises BadFrame: nobody asked for it, it contradicts itself, it is for another member, or it
        reports a move of the table, but this program followed nobody.
        """
        is_other = self.status.member not in (0, snapshot.member)
        if not self.asked or is_other:
            raise BadFrame("message")
        before, now = self.status.game_state, trail.read_snapshot(snapshot)
        if before is not None and trail.has_moved(before, now) and not self.is_elsewhere:
            raise BadFrame("message")
        self.is_elsewhere = False
        lost = self._count_lost(now)
        lost_steps = lost or trail.count_taken_back(before, now)
        last_valid = self._forget(before, now, self.last_seen.step - lost) if lost else before
        held, contradicts = trail.merge_snapshot(
            before, now, lost_steps, last_valid=last_valid, was_away=not self.lost
        )
        if before is not None and trail.has_moved(before, now):
            self.branch = last_valid
        draw = held.lobby.draw
        if draw is not None and contradicts:
            self.share.refused = draw.id
        if draw is not None and (before is None or lost_steps):
            self.share.met = draw.id
        noted = self.share.note_draws(held.deals, held.lobby, held.view, snapshot.member)
        held = replace(held, deals=noted)
        if lost_steps:
            self._set_commands(
                command for command in self.commands if not isinstance(command.request, MakeMove)
            )
        waits, self.lost_steps = self.lost_steps > 0, 0
        self.lost = self.asked = False
        self.status = replace(self.status, member=snapshot.member, disk=snapshot.disk)
        self._note_handled(snapshot.last)
        self._hold(held)
        self._find_words()
        pending = self.commands if waits else ()
        deals = NOTHING_DEALT if before is None else before.deals
        return session.Received(
            renewed=True,
            send=(*pending, *self._answer(), self.ping()),
            false_draws=held.deals.false_since(deals),
            lost_steps=lost_steps,
            audit=self._audit(),
            disagreed=contradicts,
        )

    def _count_lost(self, now: trail.GameState) -> int:
        """Count the steps that were seen and that the table in a snapshot lacks."""
        if now.lobby.is_hall:  # its steps start from 1 whenever its club starts
            return 0
        lobby, branch, seen = self.status.lobby, self.branch, self.last_seen.step
        lost = max(self.lost_steps, seen - now.step)
        if not lost or lobby is None or branch is None:
            return lost
        if not branch.lobby.term == now.lobby.term != lobby.term:
            return lost
        # We are back at a host who cannot know how long we were at another copy.
        since = seen - branch.step
        return since if branch.incarnation == now.incarnation else max(since, lost)

    def _forget(
        self, before: trail.GameState | None, now: trail.GameState, step: int
    ) -> trail.GameState | None:
        """Forget the states after `step`, and those that the table does not share (`is_shared`).

        Return the last state that is left, `None` if none is.
        """
        while self.kept and (
            self.kept[-1].step > step
            or before is None
            or not trail.is_shared(self.kept[-1], before, now)
        ):
            self.kept.pop()
        return self.kept[-1] if self.kept else None


def public_states(kept: Iterable[trail.GameState]) -> tuple[PublicState, ...]:
    """Return the public parts of states to resume from; after a finished game, only the lobby."""
    states: list[PublicState] = []
    for held in kept:
        view, lobby, game_id = held.view, held.lobby, held.game_id
        if view is not None and view.phase is Phase.OVER:
            view, lobby, game_id = None, Rematch().change(lobby), b""
        watched = None if view is None else watch(view)
        states.append(PublicState.of(held.mark, lobby, game_id, watched))
    return tuple(states)


class StatusPublisher:
    """Publishes the status of a client's state: calls `on_update` once for each change."""

    def __init__(self, state: ClientState, on_update: session.OnUpdate) -> None:
        self.state = state
        self._published = state.status
        self._on_update = on_update

    def receive(self, message: messages.HostMessage) -> session.Received:
        """Handle a message as `ClientState.receive` does, and publish the change."""
        received = self.state.receive(message)
        self.publish(received)
        return received

    def set_connection(
        self, connection_state: session.ConnectionState, ending: session.Ending | None = None
    ) -> None:
        """Publish the state of the connection; ENDED is final."""
        status = self.state.status
        if status.connection is not session.ConnectionState.ENDED:
            self.set_status(replace(status, connection=connection_state, ending=ending))

    def set_status(self, status: session.Status) -> None:
        self.state.status = status
        self.publish()

    def publish(self, received: session.Received | None = None) -> None:
        status = self.state.status
        if status != self._published or received not in (None, session.Received()):
            self._published = status
            self._on_update(session.Update(status, received))
