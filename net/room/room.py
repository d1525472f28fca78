"""`Room`: a table on the host's side, from inputs (connections, messages, time) to effects.

All of a table that must outlive the program is in `net.room.state`, and changes by steps alone.
Connections, times and recent frames are kept here beside it. A room never waits, and never raises
for what a client sends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, assert_never

from engine import Move, Phase
from net.discovery import advert
from net.lobby import Free, Lobby, Presence, Stage, TableClaim, apply
from net.lobby.events import (
    BotClaimed,
    Closed,
    Exited,
    LeaveReason,
    LobbyEvent,
    Paused,
    PresenceChanged,
    Reopened,
    RoundBegins,
    StoodIn,
)
from net.protocol import write_move
from net.protocol.messages import (
    Accepted,
    Announcing,
    ClientCommand,
    ClientMessage,
    CloseReason,
    Code,
    CommandRefused,
    Disk,
    DiskStatus,
    EnterTable,
    GoUnsaved,
    GuessAlarm,
    Kick,
    MakeMove,
    NewCode,
    NextRound,
    Ping,
    Pong,
    Refusal,
    ReportMissing,
    Request,
    Resync,
    SetReady,
    Start,
    Welcome,
)
from net.room.bots import PendingClaims, bot_due, is_still, pending_claims_after
from net.room.broadcast import StepChange, broadcast, snapshot
from net.room.commands import decide, decide_entry
from net.room.decision import all_ready
from net.room.effects import (
    BotClaimDue,
    BotClaimRequest,
    BotMoveDue,
    BotMoveRequest,
    Effects,
    JournalStep,
)
from net.room.marks import Marks
from net.room.sessions import GONE_AFTER_S, Connected, Sessions, may_overtake, presence_after
from net.room.state import (
    Act,
    DealNext,
    GameStep,
    RoomState,
    Step,
    TableCreated,
    apply_step,
    read_founding,
    read_step,
    write,
)

Seeds: TypeAlias = Callable[[], bytes]
"""Source of 32 random bytes, called when a round is dealt or a room code is drawn."""

_FAREWELLS: Final = {
    LeaveReason.LEFT: CloseReason.LEFT,
    LeaveReason.KICKED: CloseReason.KICKED,
    LeaveReason.FORGOTTEN: CloseReason.FORGOTTEN,
}


class Room:
    """A table. `state` holds its secrets; `disk` is the last reported state of the journal."""

    def __init__(self, created: TableCreated, incarnation: int, seeds: Seeds, now: float) -> None:
        """Open a new table. `incarnation` is the journal's; `now` is in seconds of any clock."""
        self.state = RoomState.found(created)
        self.incarnation = incarnation
        self.disk = DiskStatus.OK
        self._seeds = seeds
        self._sessions = Sessions(now)
        self._turn_since = now
        self._returning_until = now
        self._marks = Marks()
        self._reported: set[tuple[bytes, int, str]] = set()
        self._claims = PendingClaims()
        self._steps: list[JournalStep] = []
        self._go_unsaved = False
        self._alarm = 0
        self._announcing: bool | None = None  # None until the shell has reported it

    @classmethod
    def resume(
        cls, kept: bytes, steps: Iterable[bytes], incarnation: int, seeds: Seeds, now: float
    ) -> Room:
        """Restore a table from its founding and the payloads of its steps; call `reopen` next.

        Raises `msgspec.DecodeError` for bytes that are no founding or no step.
        """
        room = cls(read_founding(kept), incarnation, seeds, now)
        for payload in steps:
            before, step = room.state, read_step(payload)
            room.state, events = apply_step(before, step)
            room._claims = pending_claims_after(
                room._claims, StepChange(before, step, room.state, events)
            )
            room._marks.add(before, step, room.state)
        return room

    # Questions of the shell.

    @property
    def lobby(self) -> Lobby:
        """The people, chairs and settings of the table."""
        return self.state.lobby

    @property
    def stage(self) -> advert.AdvertStage:
        """The stage of the table, as it is announced to strangers."""
        if self.state.phase is Phase.OVER:
            return advert.AdvertStage.OVER
        if self.lobby.stage is not Stage.LOBBY:
            return advert.AdvertStage.PLAYING
        if self.lobby.locked:
            return advert.AdvertStage.LOCKED
        return (
            advert.AdvertStage.FULL if self.lobby.first_free() is None else advert.AdvertStage.LOBBY
        )

    @property
    def players(self) -> int:
        """Number of chairs that are taken, by people or bots."""
        return sum(not isinstance(chair, Free) for chair in self.lobby.chairs)

    def knows(self, key: bytes) -> bool:
        """Return True if a member has this seat key, and so may return with it."""
        return self.state.member_with(key) is not None

    @property
    def due(self) -> BotMoveDue | None:
        """The move that a bot has to make now, `None` if there is none."""
        if self.disk is DiskStatus.FULL:
            return None
        now = self._sessions.now
        returning = now < self._returning_until
        return bot_due(self.state, now - self._turn_since, returning=returning)

    def bot_turn(self) -> BotMoveRequest | None:
        """Return the due move of a bot together with the view that the bot may use."""
        to_move = self.due
        if to_move is None:
            return None
        view = self.state.view(to_move.seat)
        assert view is not None
        return BotMoveRequest(to_move.seat, to_move.level, to_move.turn, to_move.reason, view)

    @property
    def cue(self) -> BotClaimDue | None:
        """The claim that a bot may make now, `None` if there is none."""
        if self.disk is DiskStatus.FULL or is_still(self.lobby):
            return None
        return next(iter(self._claims.waiting), None)

    def bot_cue(self) -> BotClaimRequest | None:
        """Return the due claim of a bot together with the view that the bot may use."""
        cue = self.cue
        if cue is None:
            return None
        view = self.state.view(cue.seat)
        assert view is not None
        return BotClaimRequest(cue.number, cue.seat, cue.occasion, view)

    # Inputs of the shell.

    def arrive(self, link: int, key: bytes, now: float, address: str = "") -> Effects:
        """Add a trusted connection whose other side has proven this seat key."""
        self._sessions.advance(now)
        self._sessions.arrive(link, key, address)
        return self._outcome()

    def receive(self, link: int, message: ClientMessage, now: float) -> Effects:
        """Handle a message. Messages on a connection that has ended are ignored."""
        self._sessions.advance(now)
        connected = self._sessions.connected.get(link)
        if connected is None:
            return Effects()
        connected.last_heard = self._sessions.now
        if connected.member is None:
            self._receive_stranger(connected, message)
        else:
            self._receive_member(connected, connected.member, message)
        return self._outcome()

    def lost(self, link: int, now: float) -> None:
        """Handle a closed connection. Its member may reconnect within a few seconds."""
        self._sessions.advance(now)
        connected = self._sessions.connected.get(link)
        if connected is not None:
            self._sessions.forget(connected)

    def catch_up(self, link: int, now: float) -> Effects:
        """Send a snapshot on a slow connection, whose queue the shell has dropped."""
        self._sessions.advance(now)
        connected = self._sessions.connected.get(link)
        if connected is not None and connected.member is not None:
            self._send_snapshot(connected, connected.member)
        return self._outcome()

    def tick(self, now: float) -> Effects:
        """Let time pass: end silent connections, update presence. Call about twice a second."""
        sessions, full = self._sessions, self.disk is DiskStatus.FULL
        sessions.advance(now)
        for connected in tuple(sessions.connected.values()):
            if connected.is_silent(sessions.now) or (not full and connected.is_slow(sessions.now)):
                sessions.end(connected, CloseReason.TOO_SLOW)
        if not full:
            self._watch_people()
        return self._outcome()

    def bot_moved(self, turn: BotMoveDue, move: Move, now: float) -> Effects:
        """Make the move that a bot has chosen. A move for a turn that is over is dropped.

        Raises `engine.IllegalMove`, and changes nothing, for an illegal move: a bug of the
        bot.
        """
        self._sessions.advance(now)
        to_move = self.due
        if to_move is not None and (to_move.turn, to_move.seat) == (turn.turn, turn.seat):
            news = () if to_move.reason is None else (StoodIn(to_move.seat, to_move.reason),)
            self._commit(Step(news=news, act=GameStep(write_move(move))))
        return self._outcome()

    def bot_spoke(self, cue: BotClaimDue, claim: TableClaim | None, now: float) -> Effects:
        """Make the claim that a bot has chosen, if any. A claim that is not due is dropped."""
        self._sessions.advance(now)
        asked = self.cue
        if asked is not None and (asked.number, asked.seat) == (cue.number, cue.seat):
            if claim is not None and claim.fits(len(self.lobby.chairs)):
                self._commit(Step(news=(BotClaimed(asked.seat, claim),)))
            self._claims = self._claims.without(asked)
        return self._outcome()

    def disk_is(self, disk: DiskStatus, now: float) -> Effects:
        """Note the journal's state: saving, failing or done without. Tell everybody at once."""
        self._sessions.advance(now)
        self.disk = disk
        # Nobody can move while the disk is full: that time is not counted against anybody.
        self._turn_since = self._sessions.now
        for connected in self._sessions.links.values():
            connected.owed_since = None
            self._sessions.send(connected, Disk(disk))
        # `after` stays 0: while the journal cannot save, nothing could wait for it.
        return Effects(do=self._sessions.collect())

    def wrong_codes(self, tried: int, now: float) -> Effects:
        """Note the number of wrong codes tried; tell the host now, or when the host connects."""
        self._sessions.advance(now)
        self._alarm = tried
        self._tell_alarm()
        return self._outcome()

    def announcing(self, *, works: bool, now: float) -> Effects:
        """Note if mDNS announcing works; tell the host now, and whenever the host connects."""
        self._sessions.advance(now)
        self._announcing = works
        self._tell_announcing()
        return self._outcome()

    def reopen(self, now: float) -> Effects:
        """Note after `resume` that nobody is connected; members learn of it when they return.

        Bots do not move for absent members until these have had the usual time to
        reconnect.
        """
        self._sessions.advance(now)
        self._returning_until = self._sessions.now + GONE_AFTER_S
        self._commit(Step(news=(Reopened(),)))
        return self._outcome()

    # Entering and returning.

    def _receive_stranger(self, connected: Connected, message: ClientMessage) -> None:
        """Handle a message on a connection that has not entered: enter, ping, or end it."""
        match message:
            case EnterTable():
                member = self.state.member_with(connected.key)
                if member is None:
                    self._enter(connected, message)
                else:
                    self._come_back(connected, member, message)
            case Ping():
                self._sessions.send(connected, Pong(0))
            case ClientCommand() | Resync():
                self._sessions.end(connected, CloseReason.OUT_OF_ORDER)
            case _:
                assert_never(message)

    def _enter(self, connected: Connected, message: EnterTable) -> None:
        """Let a newcomer enter, or refuse them."""
        decided = decide_entry(self.state, connected.key, message.name, watch=message.watch)
        if self.disk is DiskStatus.FULL:
            decided = Refusal.DISK_FULL
        elif self._sessions.is_crowded(connected.address) and connected.key != self.state.host_key:
            decided = Refusal.CROWDED
        if isinstance(decided, Refusal):
            self._sessions.send(connected, CommandRefused(0, decided))
            return
        self._sessions.attach(connected, decided.by)
        self._greet(connected, decided.by, message)
        self._commit(decided)
        self._tell_alarm()
        self._tell_code()
        self._tell_announcing()

    def _come_back(self, connected: Connected, member: int, message: EnterTable) -> None:
        """Let a member return on a new connection, which replaces an older one at once.

        Returns that need a snapshot are rate-limited per member.
        """
        buffer, seen = self._sessions.remember(member), self._seen(message)
        if buffer.has_much_after(seen) and not buffer.snapshots.take(1, self._sessions.now):
            self._sessions.end(connected, CloseReason.TOO_MUCH)
            return
        older = self._sessions.links.get(member)
        if older is not None:
            self._sessions.end(older, CloseReason.REPLACED)
        self._is_there(member)
        self._sessions.attach(connected, member)
        self._greet(connected, member, message)
        self._tell_alarm()
        self._tell_code()
        self._tell_announcing()
        missed = buffer.missed(seen)
        if missed is None:
            self._send_snapshot(connected, member)
            return
        for frame in missed:
            self._sessions.send_step(connected, frame)

    def _greet(self, connected: Connected, member: int, message: EnterTable) -> None:
        """Send the welcome: the member's number, and the table's marks of the past they saw."""
        known, last = self._marks.hash_at(message.seen), self.state.ids.get(member, 0)
        welcome = Welcome(member, self.incarnation, known, self._marks.reopenings, last)
        self._sessions.send(connected, welcome)

    def _seen(self, message: EnterTable) -> int | None:
        """Return the last step that a returning client has seen.

        `None` if it is from another incarnation, or from the future: then its frames cannot
        be continued.
        """
        ours = message.incarnation == self.incarnation and message.seen <= self.state.number
        return message.seen if ours else None

    def _tell_alarm(self) -> None:
        """Tell the host of wrong codes, once, if the host is connected."""
        host = self._sessions.links.get(self.lobby.host)
        if host is not None and self._alarm:
            self._sessions.send(host, GuessAlarm(self._alarm))
            self._alarm = 0

    def _tell_code(self) -> None:
        """Tell the host, if connected, the code that replaced the first one."""
        host = self._sessions.links.get(self.lobby.host)
        if host is not None and self.state.code:
            self._sessions.send(host, Code(self.state.code))

    def _tell_announcing(self) -> None:
        """Tell the host, if connected, the state of announcing."""
        host = self._sessions.links.get(self.lobby.host)
        if host is not None and self._announcing is not None:
            self._sessions.send(host, Announcing(self._announcing))

    # Commands and steps.

    def _receive_member(self, connected: Connected, member: int, message: ClientMessage) -> None:
        """Handle a message of a member."""
        buffer = self._sessions.buffers[member]
        buffer.last_heard = self._sessions.now
        self._is_there(member)
        match message:
            case EnterTable():
                self._sessions.end(connected, CloseReason.OUT_OF_ORDER)
            case ClientCommand():
                self._command(connected, member, message)
            case Ping(seen):
                connected.has_seen(seen, self._sessions.now)
                self._sessions.send(connected, Pong(self.state.number))
            case Resync():
                if buffer.snapshots.take(1, self._sessions.now):
                    self._send_snapshot(connected, member)
                else:
                    self._sessions.end(connected, CloseReason.TOO_MUCH)
            case _:
                assert_never(message)

    def _command(self, connected: Connected, member: int, command: ClientCommand) -> None:
        """Do a command, unless it was done before or is refused."""
        if command.id <= self.state.ids.get(member, 0):
            self._sessions.send(connected, Accepted(command.id))
            return
        unsaved = isinstance(command.request, GoUnsaved) and self.disk is not DiskStatus.OK
        if unsaved and member == self.lobby.host:
            self._go_unsaved = self.disk is DiskStatus.FULL
            self._sessions.send(connected, Accepted(command.id))
            return
        if isinstance(command.request, ReportMissing) and self._was_reported(command.request):
            self._sessions.send(connected, Accepted(command.id))
            return
        decided = self._decide(member, command)
        if isinstance(decided, Refusal):
            self._sessions.send(connected, CommandRefused(command.id, decided))
            return
        if isinstance(command.request, ReportMissing):
            self._reported.add((command.request.hash, command.request.seat, command.request.name))
        self._commit(decided)

    def _decide(self, member: int, command: ClientCommand) -> Step | Refusal:
        if self.disk is DiskStatus.FULL:
            return (
                Refusal.HOST_ONLY if isinstance(command.request, GoUnsaved) else Refusal.DISK_FULL
            )
        words = self._sessions.buffers[member].words
        if not isinstance(command.request, MakeMove) and not words.take(1, self._sessions.now):
            return Refusal.TOO_FAST
        if isinstance(command.request, ReportMissing) and not self._marks.reopenings:
            return Refusal.NOT_NOW  # a table that was never reopened has lost no moves
        draws = isinstance(command.request, Kick | NewCode) or self._may_deal(command.request)
        seed = self._seeds() if draws else b""
        return decide(self.state, member, command, seed)

    def _was_reported(self, want: ReportMissing) -> bool:
        """Return True if somebody has reported the same lost moves since the host restarted."""
        return (want.hash, want.seat, want.name) in self._reported

    def _may_deal(self, request: Request) -> bool:
        """Return True if a request may deal a round, and so needs a seed."""
        waits = self.state.phase is Phase.DEAL
        return isinstance(request, Start) or (waits and isinstance(request, SetReady | NextRound))

    def _is_there(self, member: int) -> None:
        """Tell everybody that a member is heard of again, if they counted as shaky or gone."""
        person = self.lobby.person(member)
        assert person is not None
        if person.presence is not Presence.THERE and self.disk is not DiskStatus.FULL:
            self._commit(Step(news=(PresenceChanged(member, Presence.THERE),)))

    def _watch_people(self) -> None:
        """Tell everybody of members who fell silent; deal if only they were not ready."""
        lobby_events: list[LobbyEvent] = []
        lobby = self.lobby
        for person in lobby.people:
            buffer = self._sessions.buffers.get(person.member)
            if buffer is not None:
                presence = presence_after(self._sessions.now - buffer.last_heard)
                if presence > person.presence:
                    lobby_events.append(PresenceChanged(person.member, presence))
                    lobby = apply(lobby, lobby_events[-1])
        act: Act | None = None
        if self.state.phase is Phase.DEAL and all_ready(lobby):
            lobby_events.append(RoundBegins())
            act = DealNext(self._seeds())
        if lobby_events:
            self._commit(Step(news=tuple(lobby_events), act=act))

    def _commit(self, step: Step) -> None:
        """Apply a step: give it the next number, write it, and send each member their frame."""
        before, sessions = self.state, self._sessions
        self.state, events = apply_step(before, step)
        self._steps.append(JournalStep(self.state.number, write(step)))
        if self.state.turn != before.turn or any(isinstance(one, Paused) for one in step.news):
            self._turn_since = sessions.now
        change = StepChange(before, step, self.state, events)
        self._claims = pending_claims_after(self._claims, change)
        self._marks.add(before, step, self.state)
        sessions.hand_out(broadcast(change, self.incarnation, self.disk))
        if step.code:
            self._tell_code()
        for event in step.news:
            if isinstance(event, Exited):
                sessions.end_member(event.member, _FAREWELLS[event.reason])
            if isinstance(event, Closed):
                for connected in tuple(sessions.connected.values()):
                    sessions.end(connected, CloseReason.CLOSED)

    # Sending.

    def _send_snapshot(self, connected: Connected, member: int) -> None:
        snapshot_frame = snapshot(self.state, member, self.incarnation, self.disk)
        self._sessions.send_step(connected, snapshot_frame)

    def _outcome(self) -> Effects:
        """Return the effects collected since the last call."""
        steps, self._steps = tuple(self._steps), []
        do = self._sessions.collect()
        unsaved, self._go_unsaved = self._go_unsaved, False
        number = 0 if not steps and (unsaved or may_overtake(do)) else self.state.number
        return Effects(steps, do, number, self.lobby.stage is Stage.CLOSED, unsaved)
