"""The client's state of a table, without socket or clock: messages in, state and messages out.

`ClientState` folds the host's frames into lobby, view and chat. It checks by number and hash that
no step is missing and that both sides hold the same, and asks for a snapshot if not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from net.client.audit import Audit, audit
from net.client.command_queue import CommandQueue
from net.client.draws import NOTHING_DEALT, OwnShare
from net.client.host_news import after_news
from net.client.log_copy import LogCopy, SavedCopy
from net.client.missed import Missed, contradiction, note_rollback
from net.client.session import Disagreement, Received, Status
from net.client.trail import (
    GameState,
    Rollback,
    SeenStep,
    Trail,
    Viewer,
    after_frame,
    ends_round,
    is_possible,
    reports,
)
from net.protocol.election import Electors, HandingOver
from net.protocol.events import read_event
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.lobby_events import ElectorChanged, Paused
from net.protocol.messages import (
    NOTHING_SEEN,
    Accepted,
    Announcing,
    Behind,
    ClientMessage,
    Closing,
    Code,
    CommandRefused,
    Disk,
    DiskStatus,
    DoorNow,
    EnterTable,
    GuessAlarm,
    HostMessage,
    KeyShareGiven,
    KeyShareWanted,
    LogPart,
    LogWanted,
    Mark,
    Notice,
    Past,
    Ping,
    Pong,
    Resync,
    Snapshot,
    StepFrame,
    TableSealed,
    Welcome,
)
from net.protocol.requests import Close, Leave, ReportMissing, Request
from net.protocol.state_hash import hash_of_all
from net.room.copies import keeps_copy
from net.room.permissions import seconds_left
from net.room.succession import term_of
from net.room.validation import is_clean_event
from net.secure.keys import SeatKey
from net.secure.sealing import SealBroken, open_share

PATIENCE: Final = 3
"""Heartbeats whose answers tell of a step that has not come, before it is asked for."""


@dataclass(slots=True)
class ClientState:
    """One person's client state of a table.

    `status` is all of it that a user interface shows. `commands` wait for their answers. `entered`
    is True if the host has let the present connection in. A snapshot is `asked` for at its
    beginning, and whenever the state is `lost`: steps are ignored then. `missed` are the missed
    steps that have come. `is_known` is True if the host knows the last step that was seen. `mark`
    is that step, maybe of an earlier run of the program. `share` is this program's share in the
    draw of a seed. `audited` is True once the game that is over was audited. `key` is the seat key,
    to which the player's share of the table's key is encrypted. `copy` is this program's copy of
    the table's log; it `asks_log` while a part of it is awaited. `bound` is the term of a vote that
    still stands: steps of lower ones are ignored. By the `account_mark` the host knows two seats of
    one account. So many `pings` were not answered on this connection; so many answers since the
    last step were `ahead`, told of a step that has not come.
    """

    name: str
    watch: bool = False
    status: Status = field(default_factory=Status)
    commands: CommandQueue = field(default_factory=CommandQueue)
    entered: bool = False
    lost: bool = False
    asked: bool = False
    missed: Missed | None = None
    is_known: bool = True
    mark: Mark = NOTHING_SEEN
    trail: Trail = field(default_factory=Trail)
    share: OwnShare = field(default_factory=OwnShare)
    audited: bool = False
    key: SeatKey | None = None
    copy: LogCopy = field(default_factory=LogCopy)
    asks_log: bool = False
    bound: int = 0
    account_mark: bytes = b""
    pings: int = 0
    ahead: int = 0

    def restore(self, saved: SavedCopy) -> None:
        """Begin with the copy of the log that an earlier run of the program has saved.

        Not all steps seen are in it, or it has some that were seen after the mark was stored.
        """
        if saved.mark.step == self.mark.step and saved.mark != self.mark:
            return  # it is of another past
        self.copy.restore(saved.founding, saved.steps)
        self.mark = max(self.mark, saved.mark, key=lambda mark: mark.step)

    def begin_connection(self) -> ClientMessage:
        """Return the first message for a connection that is up and authenticated."""
        self.entered = self.lost = False
        self.asked, self.missed = True, None
        self.pings, self.ahead, self.share.pongs_due = 0, 0, None
        held, self.mark = self.status.game_state, self.last_seen
        incarnation = 0 if held is None else held.incarnation
        return EnterTable(self.name, self.watch, incarnation, self.mark, self.account_mark)

    def end_connection(self) -> None:
        """Note that the connection is gone; pending commands are kept for the next."""
        self.entered = False
        self.status = replace(self.status, sealed=None)

    def ping(self) -> ClientMessage:
        """Return the heartbeat to send."""
        held = self.status.game_state
        self.pings += 1
        return Ping(0 if held is None else held.step)

    def request(self, want: Request) -> tuple[ClientMessage, ...]:
        """Queue a request and return the messages to send now, none while not connected.

        While the table is rolled back and the player has not decided to continue, every request but
        `Leave` and `ReportMissing` is dropped. While it is sealed, its host may close it.
        """
        if self.status.undone is not None and not isinstance(want, Leave | ReportMissing):
            return ()
        self._set_commands(self.commands.add(want))
        sealed = self.status.sealed
        gives_up = sealed is not None and sealed.yours and isinstance(want, Close)
        return (self.commands.pending[self.commands.last_id],) if self.entered or gives_up else ()

    def _set_commands(self, commands: CommandQueue) -> None:
        self.commands = commands
        self.status = replace(self.status, unanswered=len(commands.pending))

    def go_on(self) -> None:
        """Continue at a table that was rolled back, from its present state."""
        self.status = replace(self.status, undone=None)

    def receive(self, message: HostMessage) -> Received:
        """Handle one message of the host.

        Raises BadFrame: the message violates the protocol; end the connection.
        """
        if self._is_of_lower_term(message):
            return Received()
        match message:
            case Welcome():
                return self._receive_welcome(message)
            case KeyShareWanted(sealed):
                return self._share_wanted(sealed)
            case StepFrame():
                return self._apply_frame(message)
            case Past():
                return self._past(message)
            case Snapshot():
                return self._snapshot(message)
            case Behind():
                return Received() if self.lost or not self.entered else self._resync()
            case CommandRefused(number):
                self._set_commands(self.commands.without(number))
                return Received(refused=message)
            case Accepted(number):
                self._set_commands(self.commands.without(number))
                return Received(settled=number)
            case LogPart():
                return self._log_part(message)
            case Pong(step, lasted):
                return self._pong(step, lasted)
            case (
                TableSealed() | Disk() | GuessAlarm() | Code() | Announcing() | DoorNow() | Notice()
            ):
                self.status, received = after_news(self.status, message)
                return received
            case Electors() | HandingOver():
                return Received(for_electors=message)
            case Closing(why):
                self.entered = False
                return Received(farewell=why)
            case _:
                assert_never(message)

    def _is_of_lower_term(self, message: HostMessage) -> bool:
        """Return True for a step of a host whom we have voted to replace."""
        lobby = message.lobby if isinstance(message, Snapshot) else self.status.lobby
        is_step = isinstance(message, Snapshot | StepFrame | LogPart)
        return is_step and lobby is not None and lobby.term < self.bound

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
        after = self.copy.find_gap(held.step)
        self.asks_log = after is not None
        return () if after is None else (LogWanted(after),)

    def _receive_welcome(self, welcome: Welcome) -> Received:
        """Handle a welcome: send again the commands that the host has not handled.

        Raises BadFrame: the host takes us for another member than before.
        """
        status = self.status
        if status.game_state is not None and welcome.member != status.member:
            raise BadFrame(FrameFault.MESSAGE)
        self.entered = True
        self.status = replace(status, member=welcome.member, sealed=None)
        self._set_commands(self.commands.after(welcome.last))
        self.is_known = welcome.known
        # Else the snapshot will show if what was asked for still makes sense.
        pending = self.commands.pending.values()
        return Received(send=(*pending, *self._answer()) if self.is_known else ())

    def _went_back(self, undone: Rollback, *, has_moved: bool) -> None:
        """Drop the pending moves: the table was rolled back, so its past differs from what we saw.

        If an earlier rollback is still undecided, that one stays in `undone`. With another host
        there is nothing to decide: what few had seen is told.
        """
        self._set_commands(self.commands.without_moves())
        undecided = None if has_moved else self.status.undone or undone
        self.status = replace(self.status, undone=undecided)
        for report in reports(undone, self.last_seen):
            self.request(report)
        self.trail = self.trail.up_to(undone.since)
        self.copy.forget()

    @property
    def last_seen(self) -> Mark:
        """The last step that was seen."""
        held = self.status.game_state
        return self.mark if held is None else held.mark

    def _apply_frame(self, frame: StepFrame) -> Received:
        """Apply the next step; ask for a snapshot if a step is missing or does not fit.

        Raises BadFrame: the frame's text is unclean, or no state like the one after it is possible.
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
            if after_it.has_new_seat(self.status.member):
                return self._resync()
            ours = hash_of_all(after_it.lobby, after_it.view)
        except (LookupError, ValueError):  # an event about something that we do not hold
            return self._disagree(held, frame, b"")
        if ours != frame.hash:
            return self._disagree(held, frame, ours)
        view = after_it.view
        if not is_possible(after_it.lobby, view, self.status.member, before=held.lobby):
            raise BadFrame(FrameFault.MESSAGE)
        self.asked = False
        begins = bool(events) or any(isinstance(event, Paused) for event in frame.lobby_events)
        self._hold(after_it, SeenStep.of(after_it.mark, after_it.lobby, events), begins=begins)
        self.copy.follow(frame, after_it.lobby, after_it.phase)
        self._set_commands(self.commands.without(frame.yours))
        send = self._answer() if after_it.lobby.draw is not held.lobby.draw else ()
        send += () if self.asks_log else self._log_wanted()
        if any(isinstance(event, ElectorChanged) for event in frame.lobby_events):
            send += (self.ping(),)  # the host waits for that before they change again
        ends = view is not None and ends_round(events, view)
        return Received(
            frame.lobby_events,
            events,
            settled=frame.yours,
            send=send,
            left_out=after_it.deals.news_since(held.deals, after_it.lobby.draw),
            round_end=after_it.mark if ends else None,
            audit=self._audit(),
        )

    def _audit(self) -> Audit | None:
        """Return the audit of the game, once, when it is over."""
        held = self.status.game_state
        is_over = held is not None and held.view is not None and held.view.score.gold is not None
        is_due, self.audited = is_over and not self.audited, is_over
        return audit(held) if is_due and held is not None else None

    def _answer(self) -> tuple[ClientMessage, ...]:
        """Return the answer that a draw under way awaits from this program, if it awaits one.

        While the table is rolled back, it has none.
        """
        lobby = self.status.lobby
        if lobby is None or self.status.undone is not None:
            return ()
        answer = self.share.answer(lobby, self.status.member)
        if answer:
            self.share.pongs_due = self.pings + 1
        return answer

    def _pong(self, step: int, lasted: int) -> Received:
        """Handle the answer to a heartbeat, given after `step`, when the turn had `lasted` so long.

        Steps that do not come between `PATIENCE` answers are asked for, unless the disk is full.
        """
        self.pings = max(0, self.pings - 1)
        held, self.ahead = self.status.game_state, self.ahead + 1
        if held is not None and step <= held.step:
            self.ahead = 0
            self.share.note_pong()
            if step == held.step:
                left = seconds_left(held.lobby, held.view, lasted)
                self.status = replace(self.status, turn_left=left)
        elif held is not None and self.ahead >= PATIENCE and self.status.disk is DiskStatus.OK:
            return Received() if self.asked else self._resync()
        return Received(send=self._log_wanted())

    def _disagree(self, held: GameState, frame: StepFrame, ours: bytes) -> Received:
        """Ask for a snapshot, and describe where the two sides differ."""
        return replace(self._resync(), disagreed=Disagreement.at(frame, ours, held.view))

    def _hold(self, held: GameState, *steps: SeenStep, begins: bool = False) -> None:
        """Replace the state held, and add its steps to the trail; a turn's time may begin anew."""
        left = seconds_left(held.lobby, held.view)
        left = left if begins or left is None else self.status.turn_left
        self.status = replace(self.status, game_state=held, turn_left=left)
        self.trail, self.ahead = self.trail.then(held, *steps), 0

    def _resync(self) -> Received:
        """Ask for the steps after the last one seen, and a snapshot."""
        self.lost = self.asked = True
        self.missed = None
        return Received(send=(Resync(self.last_seen),))

    def _past(self, past: Past) -> Received:
        """Follow missed steps, and ask for the rest of them.

        Raises BadFrame: nobody asked for them, or they are none.
        """
        if not self.asked or (past.more and not past.steps):
            raise BadFrame(FrameFault.MESSAGE)
        self.lost = True
        missed = self.missed
        if missed is None or missed.mark != past.base:
            missed = self.missed = Missed(past.base, self.trail, self.last_seen)
        viewer = Viewer(self.status.member, self.share, away=True)
        for public in past.steps:
            missed.add(public, viewer)
        return Received(send=(Resync(missed.mark),) if past.more else ())

    def _snapshot(self, snapshot: Snapshot) -> Received:
        """Replace the state by a snapshot, which the missed steps have to lead to.

        Raises BadFrame: nobody asked for it, it contradicts itself, or it is for another member.
        """
        missed, before = self.missed, self.status.game_state
        if missed is None or self.status.member not in (0, snapshot.member):
            raise BadFrame(FrameFault.MESSAGE)
        held, contradicts = missed.state_of(snapshot, before)
        undone = missed.rollback(before)
        term = term_of(0 if before is None else before.incarnation)
        has_moved = term_of(snapshot.incarnation) > term
        if undone is not None:
            self._went_back(undone, has_moved=has_moved)
            held = note_rollback(held, undone)
        if contradicts and held.lobby.draw is not None:
            self.share.refused = held.lobby.draw.id
        self.lost = self.asked = False
        self.missed = None
        self.status = replace(self.status, member=snapshot.member, disk=snapshot.disk)
        self._set_commands(self.commands.after(snapshot.last))
        self._hold(held, *missed.seen_steps)
        self.copy.renew()
        pending = () if self.is_known else tuple(self.commands.pending.values())
        self.is_known = True
        deals = NOTHING_DEALT if before is None else before.deals
        return Received(
            renewed=True,
            send=(*pending, *self._answer(), self.ping(), *self._log_wanted()),
            left_out=held.deals.news_since(deals, held.lobby.draw),
            lost=undone if has_moved else None,
            gap=missed.gap,
            round_end=missed.round_end,
            audit=self._audit(),
            disagreed=contradiction(snapshot, missed) if contradicts else None,
        )
