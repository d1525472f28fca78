"""The client's state of a table, without socket or clock: messages in, state and messages out.

`ClientState` folds the host's frames into lobby, view and chat. It checks by number and hash that
no step is missing and that both sides hold the same, and asks for a snapshot if not. Commands to
the host have ids and are sent again after a reconnect until they are answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from engine.events import Event
from net.client.audit import Audit, audit
from net.client.copy_format import SavedCopy
from net.client.draws import OwnShare
from net.client.log_copy import LogCopy
from net.client.session import Disagreement, Received, Status
from net.client.trail import (
    GameState,
    SeenStep,
    Trail,
    after_frame,
    from_snapshot,
    is_possible,
    reports,
)
from net.lobby.events import ElectorChanged
from net.lobby.succession import term_of
from net.lobby.validation import is_clean_event
from net.protocol.election import Electors, HandingOver
from net.protocol.events import read_event
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import (
    CODE_LENGTH,
    FINGERPRINT_LENGTH,
    NOTHING_SEEN,
    Accepted,
    Announcing,
    ClientCommand,
    ClientMessage,
    Closing,
    Code,
    CommandRefused,
    Disk,
    DoorNow,
    EnterTable,
    GuessAlarm,
    HostMessage,
    KeyShareGiven,
    KeyShareWanted,
    LogPart,
    LogWanted,
    Mark,
    Ping,
    Pong,
    Resync,
    Snapshot,
    StepFrame,
    TableSealed,
    Welcome,
)
from net.protocol.requests import Close, DoorKind, Leave, MakeMove, ReportMissing, Request
from net.protocol.state_hash import hash_of_all
from net.protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, is_clean
from net.room.copies import keeps_copy
from net.security.keys import SeatKey
from net.security.sealing import SealBroken, open_share


@dataclass(slots=True)
class ClientState:
    """One person's client state of a table.

    `status` is all of it that a user interface shows. `pending` maps ids to commands that have no
    answer yet. `entered` is True if the host has let the present connection in, `lost` if a
    snapshot was asked for and frames before it are ignored. `mark` is the last step seen, maybe by
    an earlier run of the program. `share` is this program's share in the draw of a seed. `audited`
    is True once the game that is over was audited. `key` is the seat key, to which the player's
    share of the table's key is encrypted. `copy` is this program's copy of the table's log; it
    `asks_log` while a part of it is awaited. `bound` is the term of a vote that still stands: steps
    of lower ones are ignored. By the `account_mark` the host knows two seats of one account.
    """

    name: str
    watch: bool = False
    status: Status = field(default_factory=Status)
    pending: dict[int, ClientCommand] = field(default_factory=dict)
    last_id: int = 0
    entered: bool = False
    lost: bool = False
    mark: Mark = NOTHING_SEEN
    trail: Trail = field(default_factory=Trail)
    share: OwnShare = field(default_factory=OwnShare)
    audited: bool = False
    key: SeatKey | None = None
    copy: LogCopy = field(default_factory=LogCopy)
    asks_log: bool = False
    bound: int = 0
    account_mark: bytes = b""

    def restore(self, saved: SavedCopy) -> None:
        """Begin with the copy of the log that an earlier run of the program has saved.

        Not all steps seen are in it, or it has some that were seen after the mark was stored.
        """
        if saved.mark.step == self.mark.step and saved.mark != self.mark:
            return  # it is of another past
        self.copy.restore(saved.founding, saved.steps)
        self.mark = max(self.mark, saved.mark, key=lambda mark: mark.step)

    def connected(self) -> ClientMessage:
        """Return the first message for a connection that is up and authenticated."""
        self.entered = self.lost = False
        held = self.status.game_state
        if held is None:
            return EnterTable(self.name, self.watch, 0, self.mark.step, self.account_mark)
        self.mark = held.mark
        return EnterTable(
            self.name, self.watch, held.incarnation, self.mark.step, self.account_mark
        )

    def disconnected(self) -> None:
        """Note that the connection is gone; pending commands are kept for the next."""
        self.entered = False
        self.status = replace(self.status, sealed=None)

    def ping(self) -> ClientMessage:
        """Return the heartbeat to send."""
        held = self.status.game_state
        return Ping(0 if held is None else held.step)

    def request(self, want: Request) -> tuple[ClientMessage, ...]:
        """Queue a request and return the messages to send now, none while not connected.

        While the table is rolled back and the player has not decided to continue, every request but
        `Leave` and `ReportMissing` is dropped. While it is sealed, its host may close it.
        """
        if self.status.undone is not None and not isinstance(want, Leave | ReportMissing):
            return ()
        self.last_id += 1
        command = ClientCommand(self.last_id, want)
        self._await({**self.pending, command.id: command})
        sealed = self.status.sealed
        gives_up = sealed is not None and sealed.yours and isinstance(want, Close)
        return (command,) if self.entered or gives_up else ()

    def _await(self, pending: dict[int, ClientCommand]) -> None:
        """Replace the commands that have no answer yet."""
        self.pending = pending
        self.status = replace(self.status, unanswered=len(pending))

    def _answered(self, number: int) -> None:
        """Note that the host has answered a command."""
        self._await({one: old for one, old in self.pending.items() if one != number})

    def go_on(self) -> None:
        """Continue at a table that was rolled back, from its present state."""
        self.status = replace(self.status, undone=None)

    def receive(self, message: HostMessage) -> Received:
        """Handle one message of the host.

        Raises:
            BadFrame: the message violates the protocol; end the connection.
        """
        if self._is_of_lower_term(message):
            return Received()
        match message:
            case Welcome():
                return self._welcomed(message)
            case TableSealed():
                return self._table_sealed(message)
            case KeyShareWanted(sealed):
                return self._share_wanted(sealed)
            case StepFrame():
                return self._apply_frame(message)
            case Snapshot():
                return self._snapshot(message)
            case CommandRefused(number):
                self._answered(number)
                return Received(refused=message)
            case Accepted(number):
                self._answered(number)
                return Received(settled=number)
            case LogPart():
                return self._log_part(message)
            case Pong():
                return Received(send=self._log_wanted())
            case Disk(disk):
                self.status = replace(self.status, disk=disk)
                return Received()
            case GuessAlarm(tried):
                return Received(alarm=tried)
            case Code(code):
                return self._code(code)
            case Announcing(works):
                self.status = replace(self.status, announced=works)
                return Received()
            case DoorNow(kind):
                return self._door(kind, message)
            case Electors() | HandingOver():
                return Received(for_electors=message)
            case Closing(why):
                self.entered = False
                return Received(farewell=why)
            case _:
                assert_never(message)

    def _door(self, kind: DoorKind, door: DoorNow) -> Received:
        """Handle the state of a door, which is sent to the host alone."""
        if door.fingerprint and not is_clean(
            door.fingerprint, FINGERPRINT_LENGTH, FINGERPRINT_LENGTH
        ):
            raise BadFrame(FrameFault.MESSAGE)
        others = [other for other in self.status.doors if other.kind is not kind]
        self.status = replace(self.status, doors=(*others, door))
        return Received()

    def _is_of_lower_term(self, message: HostMessage) -> bool:
        """Return True for a step of a host whom we have voted to replace."""
        lobby = message.lobby if isinstance(message, Snapshot) else self.status.lobby
        is_step = isinstance(message, Snapshot | StepFrame | LogPart)
        return is_step and lobby is not None and lobby.term < self.bound

    def _code(self, code: str) -> Received:
        """Handle a new room code, which is sent to the host alone."""
        if not is_clean(code, CODE_LENGTH, CODE_LENGTH):
            raise BadFrame(FrameFault.MESSAGE)
        self.status = replace(self.status, code=code)
        return Received(code=code)

    def _table_sealed(self, sealed: TableSealed) -> Received:
        """Handle the news that the table waits for others, whom it names."""
        names = (*sealed.waiting, *sealed.wrong)
        if not all(is_clean(name, MAX_NAME_CELLS, MAX_NAME_BYTES) for name in names):
            raise BadFrame(FrameFault.MESSAGE)
        self.status = replace(self.status, sealed=sealed)
        return Received()

    def _share_wanted(self, sealed: bytes) -> Received:
        """Give our share of the table's key to its host, who has proven to be this table's."""
        if self.key is None:
            return Received()
        try:
            return Received(send=(KeyShareGiven(open_share(self.key, sealed)),))
        except SealBroken:  # the journal has been altered; the host counts on others
            return Received()

    def _log_part(self, part: LogPart) -> Received:
        """Take in a part of the log, and ask for the next."""
        if self.status.game_state is not None:
            self.copy.take(part, self.status.game_state.step)
        return Received(send=self._log_wanted())

    def _log_wanted(self) -> tuple[ClientMessage, ...]:
        """Return the question for the part of the log that the copy lacks, if it lacks any.

        It is asked again with each heartbeat, for a host may leave it unanswered.
        """
        held, member = self.status.game_state, self.status.member
        if held is None or not self.entered or self.lost or not keeps_copy(held.lobby, member):
            return ()
        after = self.copy.wanted(held.step)
        self.asks_log = after is not None
        return () if after is None else (LogWanted(after),)

    def _welcomed(self, welcome: Welcome) -> Received:
        """Handle a welcome: send again the commands that the host has not handled.

        Raises:
            BadFrame: the host takes us for another member than before.
        """
        status = self.status
        if status.game_state is not None and welcome.member != status.member:
            raise BadFrame(FrameFault.MESSAGE)
        self.entered = True
        self.status = replace(status, member=welcome.member, sealed=None)
        self._done_up_to(welcome.last)
        if welcome.known == self.mark.hash:
            return Received(send=(*self.pending.values(), *self._answer()))
        self._went_back(welcome)
        held = status.game_state
        # At a table that was opened anew since, a snapshot follows unasked.
        is_anew = held is None or held.incarnation != welcome.incarnation
        asked = () if is_anew else self._resync().send
        return Received(send=(*self.pending.values(), *asked))

    def _went_back(self, welcome: Welcome) -> None:
        """Drop the pending moves: the table was rolled back, so its past differs from what we saw.

        If an earlier rollback is still undecided, that one stays in `undone`. With another host
        there is nothing to decide: what few had seen is told.
        """
        kept = {
            number: old
            for number, old in self.pending.items()
            if not isinstance(old.request, MakeMove | ReportMissing)
        }
        self._await(kept)
        held = self.status.game_state
        undone = self.trail.undone(self.mark, welcome.reopenings, held)
        has_moved = term_of(welcome.incarnation) > term_of(0 if held is None else held.incarnation)
        undecided = None if has_moved else self.status.undone or undone
        self.status = replace(self.status, undone=undecided)
        for report in reports(undone, self.mark):
            self.request(report)
        self.trail = Trail()
        self.copy.forget()

    def _done_up_to(self, last: int) -> None:
        """Drop the commands up to this id, which the host has handled.

        Some may have been sent by an earlier run of this program, so later ids begin after it.
        """
        self.last_id = max(self.last_id, last)
        self._await({number: old for number, old in self.pending.items() if number > last})

    def _apply_frame(self, frame: StepFrame) -> Received:
        """Apply the next step; ask for a snapshot if a step is missing or does not fit.

        Raises:
            BadFrame: the frame's text is unclean, or no state like the one after it is possible.
        """
        held = self.status.game_state
        if self.lost:
            return Received()
        if held is None or frame.incarnation != held.incarnation or frame.step > held.step + 1:
            return self._resync()
        if frame.step <= held.step:
            return Received()
        if not all(map(is_clean_event, frame.lobby_events)):
            raise BadFrame(FrameFault.MESSAGE)
        events = tuple([read_event(event) for event in frame.events])
        try:
            after_it = after_frame(held, frame, events, self.status.member, self.share)
            ours = hash_of_all(after_it.lobby, after_it.view)
        except (LookupError, ValueError):  # an event about something that we do not hold
            return self._disagree(held, frame, b"")
        if ours != frame.hash:
            return self._disagree(held, frame, ours)
        if not is_possible(after_it.lobby, after_it.view, self.status.member):
            raise BadFrame(FrameFault.MESSAGE)
        self._hold(after_it, events)
        view = after_it.view
        phase = None if view is None else view.phase
        self.copy.follow(frame, after_it.lobby, phase)
        self._answered(frame.yours)
        send = self._answer() if after_it.lobby.draw is not held.lobby.draw else ()
        send += () if self.asks_log else self._log_wanted()
        if any(isinstance(event, ElectorChanged) for event in frame.lobby_events):
            send += (self.ping(),)  # the host waits for that before they change again
        return Received(
            frame.lobby_events, events, settled=frame.yours, send=send, audit=self._audit()
        )

    def _audit(self) -> Audit | None:
        """Return the audit of the game, once, when it is over."""
        held = self.status.game_state
        is_over = held is not None and held.view is not None and held.view.score.gold is not None
        is_due = is_over and not self.audited
        self.audited = is_over
        return audit(held) if is_due and held is not None else None

    def _answer(self) -> tuple[ClientMessage, ...]:
        """Return the answer that a draw under way awaits from this program, if it awaits one.

        While the table is rolled back, it has none.
        """
        lobby = self.status.lobby
        if lobby is None or self.status.undone is not None:
            return ()
        return self.share.answer(lobby, self.status.member)

    def _disagree(self, held: GameState, frame: StepFrame, ours: bytes) -> Received:
        """Ask for a snapshot, and describe where the two sides differ."""
        news, events = (
            [type(one).__name__ for one in many] for many in (frame.lobby_events, frame.events)
        )
        disagreed = Disagreement(
            frame.incarnation, frame.step, frame.hash, ours, tuple(news), tuple(events), held.view
        )
        return replace(self._resync(), disagreed=disagreed)

    def _hold(self, held: GameState, events: tuple[Event, ...]) -> None:
        """Replace the state held, and add its step to the trail."""
        self.status = replace(self.status, game_state=held)
        self.trail = self.trail.then(SeenStep.of(held.mark, held.lobby, events))

    def _resync(self) -> Received:
        """Ask for a snapshot."""
        self.lost = True
        return Received(send=(Resync(),))

    def _snapshot(self, snapshot: Snapshot) -> Received:
        """Replace the state by a snapshot.

        Raises:
            BadFrame: the snapshot contradicts itself, or is for another member.
        """
        if self.status.member not in (0, snapshot.member):
            raise BadFrame(FrameFault.MESSAGE)
        before = None if self.status.undone is not None else self.status.game_state
        held = from_snapshot(snapshot, before, self.share)
        self.lost = False
        self.status = replace(self.status, member=snapshot.member, disk=snapshot.disk)
        self._done_up_to(snapshot.last)
        self._hold(held, ())
        self.copy.renew()
        send = (*self._answer(), self.ping(), *self._log_wanted())
        return Received(renewed=True, send=send, audit=self._audit())
