"""A live table: its state, the connections to it, and the effects not yet handed to the shell.

`LiveTable` makes steps and sends their frames. It decides nothing: `net.room.handlers` answers
messages, and `net.room.room` keeps the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.bots.talk import SILENCE
from net.lobby.events import (
    Closed,
    ComputerChanged,
    DrawBegan,
    Exited,
    HostChanged,
    LeaveReason,
    Paused,
    PresenceChanged,
    SharesCommitted,
)
from net.lobby.fold import apply
from net.lobby.model import Lobby, Presence, Stage
from net.lobby.succession import electors, has_successors, is_outnumbered
from net.protocol.election import HandingOver, Standby
from net.protocol.messages import (
    NOTHING_SEEN,
    Announcing,
    Behind,
    CloseReason,
    Code,
    Disk,
    DiskStatus,
    DoorNow,
    GuessAlarm,
    Past,
)
from net.protocol.requests import DoorKind, ReportMissing, SwitchDoor
from net.room.bots import PendingClaims, pending_claims_after, talk_after
from net.room.broadcast import OwnHalves, StepChange, broadcast, snapshot
from net.room.computers import Origin, computer_of
from net.room.copies import CopiedLog, keeps_copy, without_news
from net.room.draws import Answers, Seeds, drawing_step
from net.room.effects import Effects, JournalStep
from net.room.electors import HANDING_OVER_S, Acknowledgements, ElectorList
from net.room.past import PublicPast
from net.room.sealing import SealedLog, Sealer
from net.room.sessions import Connected, Sessions, may_overtake
from net.room.state import RoomState, Step, TableCreated, apply_step, write

_FAREWELLS: Final = {
    LeaveReason.LEFT: CloseReason.LEFT,
    LeaveReason.KICKED: CloseReason.KICKED,
    LeaveReason.FORGOTTEN: CloseReason.FORGOTTEN,
}


class LiveTable:
    """A table with its connections. Times are in seconds of a clock that the shell owns.

    `disk` is the last reported state of the journal, `claims` the claims that bots may make, `talk`
    the claims that all have made, and `turn_since` the time at which the present turn began. The
    host is told of `alarm` wrong codes, and of the state of `announcing`, `None` until the shell
    has reported it, and of the `doors` beside the table. `switches` are the host's orders to open
    or close one, not carried out yet. `answers` are those to the draw under way. `go_unsaved` is
    True once the host has chosen to go on although nothing can be saved. `sealer` seals the steps
    for the journal; without one they are written in the clear.
    """

    def __init__(  # noqa: PLR0913 - this is what a table is opened with
        self,
        created: TableCreated,
        incarnation: int,
        seeds: Seeds,
        now: float,
        *,
        sealer: Sealer | None = None,
        table: str = "",
    ) -> None:
        self._created = created
        self.state = RoomState.found(created)
        self.past = PublicPast()
        self.claims = PendingClaims()
        self.talk = SILENCE
        self.incarnation = incarnation
        self.seeds = seeds
        self.sealer = sealer
        self.sessions = Sessions(now)
        self.disk = DiskStatus.OK
        self.turn_since = now
        self.answers = Answers()
        self.go_unsaved = False
        self.alarm = 0
        self.announcing: bool | None = None
        self.doors: dict[DoorKind, DoorNow] = {}
        self.switches: list[SwitchDoor] = []
        self._reported: set[tuple[bytes, int, str]] = set()
        self._steps: list[JournalStep] = []
        self._halves = OwnHalves()
        self._log = CopiedLog(write(created))
        self.electors = ElectorList(table)
        self.acknowledged = Acknowledgements()
        self.is_superseded = False
        self._handed_over_until = now

    @property
    def lobby(self) -> Lobby:
        """The people, chairs and settings of the table."""
        return self.state.lobby

    # Steps.

    def replay(self, step: Step) -> StepChange:
        """Apply a step, of a command or of the journal, and nothing else."""
        before = self.state
        self.state, events = apply_step(before, step)
        change = StepChange(before, step, self.state, events)
        self.claims = pending_claims_after(self.claims, change)
        self.talk = talk_after(self.talk, change)
        self.past.add(change)
        self.acknowledged.follow(self.state.number, step.news)
        return change

    def load(self, log: SealedLog) -> None:
        """Replay all steps of a journal for which no share is needed any more.

        Raises:
            SealBroken: sealed steps were altered; nothing has changed then.
        """
        key = log.key()
        opened = log.opened_by(key)
        if self.sealer is not None:
            self.sealer.go_on(key, opened)
            self._log.load(log.steps)
        self._replay_all(opened.get(n, step) for n, step in enumerate(log.steps, 1))

    def load_public(self, log: SealedLog) -> None:
        """Replay what is not sealed, without any game: who is there, and what was said."""
        self._replay_all(replace(step, act=None) for step in log.steps)

    def give_up(self, log: SealedLog, closes: Step) -> None:
        """Close a table that cannot be opened, by this step; what is sealed in it is removed."""
        if self.sealer is not None:
            self.sealer.go_on(b"", {n: step for n, step in enumerate(log.steps, 1) if step.sealed})
            self._log.load(log.steps)
        self.commit(closes)

    def _replay_all(self, steps: Iterable[Step]) -> None:
        """Replay steps from the founding on."""
        self.state = RoomState.found(self._created)
        self.past = PublicPast()
        self.claims = PendingClaims()
        self.talk = SILENCE
        for step in steps:
            self.replay(step)

    def commit(self, step: Step) -> None:
        """Apply a step: give it the next number, write it, and send each member their frame.

        The electors may change with it.
        """
        step = self._with_electors(step)
        change, sessions = self.replay(step), self.sessions
        sealed = self._write(step)
        begins = self.state.turn != change.before.turn
        if begins or any(isinstance(event, Paused) for event in step.news):
            self.turn_since = sessions.now
        if any(isinstance(event, DrawBegan | SharesCommitted) for event in step.news):
            self.answers.restart(sessions.now)
        for frame, members in broadcast(change, self.incarnation, self._halves, sealed):
            sessions.hand_out(frame, members)
        for member in change.entered() & sessions.by_member.keys():
            self.bring_along(sessions.by_member[member], member, self.past.part(NOTHING_SEEN))
        if step.code:
            self.tell_code()
        if self.lobby is not change.before.lobby:
            self.tell_electors()
        for event in step.news:
            if isinstance(event, Exited):
                sessions.end_member(event.member, _FAREWELLS[event.reason])
            if isinstance(event, Closed):
                for connected in tuple(sessions.connected.values()):
                    sessions.end(connected, CloseReason.CLOSED)

    def go_on_drawing(self) -> None:
        """Make the next step of the draw under way, if it is due and can be saved."""
        if self.disk is not DiskStatus.FULL and not is_outnumbered(self.lobby):
            step = drawing_step(self.state, self.answers, self.sessions.now, self.seeds)
            if step is not None:
                self.commit(step)

    def _write(self, step: Step) -> bytes:
        """Write the step just made to the journal; return what copies of the log get of it."""
        if self.sealer is None:
            self._steps.append(JournalStep(self.state.number, write(step)))
            return b""
        sealed, rewritten = self.sealer.seal(step, self.state)
        payload = write(sealed)
        self._steps.append(JournalStep(self.state.number, payload, rewritten))
        self._log.add(payload, rewritten)
        if not has_successors(self.lobby):
            return b""
        return without_news(sealed) if sealed.news else payload

    def set_presence(self, member: int, presence: Presence) -> None:
        """Tell everybody, if it is new, that a member is heard of again or leaves for now.

        Who leaves for now too often just falls silent to the others.
        """
        person = self.lobby.person(member)
        assert person is not None
        if person.presence is presence or self.disk is DiskStatus.FULL:
            return
        if self.sessions.remember(member).may_tell(presence, self.sessions.now):
            self.commit(Step(news=(PresenceChanged(member, presence),)))

    def set_computer(self, member: int, origin: Origin) -> None:
        """Tell everybody, if it is new, at which computer a member plays who is back."""
        person = self.lobby.person(member)
        assert person is not None
        computer = computer_of(origin, self.lobby, self.sessions.origins, member)
        is_host = member == self.lobby.host
        if computer != person.computer and not is_host and self.disk is not DiskStatus.FULL:
            self.commit(Step(news=(ComputerChanged(member, computer),)))

    def change_electors(self) -> None:
        """Take the next step towards the electors that there are to be, if it may be taken."""
        waits = self.disk is DiskStatus.FULL or self.is_handed_over or self.is_superseded
        if not waits and self.acknowledged.next_change(self.lobby) is not None:
            self.commit(Step())

    def _with_electors(self, step: Step) -> Step:
        lobby = self.lobby
        for event in step.news:
            lobby = apply(lobby, event)
        is_new_host = any(isinstance(event, HostChanged) for event in step.news)
        change = None if is_new_host else self.acknowledged.next_change(lobby)
        return step if change is None else replace(step, news=(*step.news, change))

    def was_reported(self, lost: ReportMissing) -> bool:
        """Return True if somebody has reported the same lost moves since the host restarted."""
        return (lost.hash, lost.seat, lost.name) in self._reported

    def note_report(self, lost: ReportMissing) -> None:
        """Note that these lost moves were reported."""
        self._reported.add((lost.hash, lost.seat, lost.name))

    @property
    def is_log_long(self) -> bool:
        """True if the log is so long that nobody new may come, for the sake of its copies."""
        return self._log.is_long

    # Sending.

    def bring_along(self, connected: Connected, member: int, past: Past) -> None:
        """Send a member a part of the past, and after the last part all that they may know."""
        self.sessions.send(connected, past)
        if not past.more:
            snapshot_frame = snapshot(self.state, member, self.incarnation, self.disk)
            self.sessions.send_step(connected, snapshot_frame)

    def tell_behind(self, connected: Connected) -> None:
        """Tell a member, whose connection was too slow for some steps, to ask for them."""
        self.sessions.send(connected, Behind())

    def send_log(self, connected: Connected, member: int, after: int) -> None:
        """Send a member the next part of the log, if their program is to keep a copy of it."""
        if self.sealer is not None and keeps_copy(self.lobby, member):
            self.sessions.send(connected, self._log.part(after, self.sealer))

    def tell_electors(self) -> None:
        """Tell everybody where the programs of those who have seats listen, if it is new."""
        news = self.electors.news(self.state)
        if news is not None:
            for connected in self.sessions.by_member.values():
                self.sessions.send(connected, news)

    def tell_watcher(self, connected: Connected, member: int) -> None:
        """Tell one who is back, and is no elector, where those programs listen; theirs does not."""
        if has_successors(self.lobby) and member not in electors(self.lobby):
            self.sessions.send(connected, self.electors.message(self.state))

    def stand_by(self, connected: Connected, member: int, standby: Standby) -> None:
        """Note the address of a member's program, and send it those of the others."""
        self.electors.note(member, standby)
        self.tell_electors()
        if keeps_copy(self.lobby, member):
            self.sessions.send(connected, self.electors.message(self.state))

    def hand_over_to(self, member: int) -> None:
        """Ask a member's program to go on with the table; nothing happens here until it does."""
        self._handed_over_until = self.sessions.now + HANDING_OVER_S
        for elector in electors(self.lobby):
            connected = self.sessions.by_member.get(elector)
            if connected is not None:
                self.sessions.send(connected, HandingOver(member))

    @property
    def is_handed_over(self) -> bool:
        """True while the table waits for another program to go on with it."""
        return self.sessions.now < self._handed_over_until

    def supersede(self, term: int) -> None:
        """End everything here: the table has gone on with another host."""
        if term > self.lobby.term:
            self.is_superseded = True
            for connected in tuple(self.sessions.connected.values()):
                self.sessions.end(connected, CloseReason.MOVED)

    def tell_host(self) -> None:
        """Tell the host, who has just connected, what only the host is told."""
        self.tell_alarm()
        self.tell_code()
        self.tell_announcing()
        for door in self.doors.values():
            self.tell_door(door)

    def tell_alarm(self) -> None:
        """Tell the host of wrong codes, once, if the host is connected."""
        if self._host is not None and self.alarm:
            self.sessions.send(self._host, GuessAlarm(self.alarm))
            self.alarm = 0

    def tell_code(self) -> None:
        """Tell the host, if connected, the code that replaced the first one."""
        if self._host is not None and self.state.code:
            self.sessions.send(self._host, Code(self.state.code))

    def tell_announcing(self) -> None:
        """Tell the host, if connected, the state of announcing."""
        if self._host is not None and self.announcing is not None:
            self.sessions.send(self._host, Announcing(self.announcing))

    def tell_door(self, door: DoorNow) -> None:
        """Tell the host, if connected, the state of a door."""
        if self._host is not None:
            self.sessions.send(self._host, door)

    def tell_disk(self, disk: DiskStatus) -> Effects:
        """Note the state of the journal, and tell everybody at once."""
        self.disk = disk
        # Nobody can move while the disk is full: that time is not counted against anybody.
        self.turn_since = self.sessions.now
        self.answers.extend(self.sessions.now)
        for connected in self.sessions.by_member.values():
            connected.owed_since = None
            self.sessions.send(connected, Disk(disk))
        # `after` stays 0: while the journal cannot save, nothing could wait for it.
        return Effects(do=self.sessions.collect())

    @property
    def _host(self) -> Connected | None:
        """The host's connection."""
        return self.sessions.by_member.get(self.lobby.host)

    def collect_effects(self) -> Effects:
        """Return the effects collected since the last call."""
        steps, self._steps = tuple(self._steps), []
        do = self.sessions.collect()
        unsaved, self.go_unsaved = self.go_unsaved, False
        switches, self.switches = tuple(self.switches), []
        number = 0 if not steps and (unsaved or may_overtake(do)) else self.state.number
        ended = self.lobby.stage is Stage.CLOSED or self.is_superseded
        return Effects(steps, do, number, ended, unsaved, switches)
