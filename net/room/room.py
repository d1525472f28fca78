"""`Room`: all that a table is on the host's side, how it changes, and what its shell asks of it.

What must outlive the program is in `net.room.steps`, and changes only by steps (`Room.commit`).
Connections, times and recent frames are kept beside it. What happens to a room is in
`net.room.inputs` and `net.room.handlers`. It never waits, and never raises for what a client sends.
Nobody else sets a field of a room: what changes one is a method here.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Final

from msgspec.structs import replace

from engine.bots.talk import SILENCE
from engine.state import Phase
from net.discovery.advert import AdvertStage
from net.protocol import CopyRank, messages
from net.protocol import lobby_events as events
from net.protocol.copies import rank_of
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import Lobby, Presence, TableClaim, TablePhase
from net.protocol.messages import CloseReason, DiskStatus, Mark
from net.protocol.requests import SwitchDoor
from net.room import bots
from net.room.broadcast import StepChange, broadcast, snapshot
from net.room.draws import Answers, Seeds, drawing_step
from net.room.effects import Asked, Effects, JournalStep
from net.room.gathering import GATHER_S, TakeoverGathering
from net.room.permissions import LONG_TURN_S, can_move, may_play
from net.room.sessions import GONE_AFTER_S, SHAKY_AFTER_S, Connected, Limits, Sessions, may_overtake
from net.room.steps import (
    Assembled,
    DealNext,
    GameStep,
    RoomState,
    Step,
    TableCreated,
    apply_step,
    write,
)

KEPT_MARKS: Final = 4096  # running hashes kept for those who come back: of about three evenings

HAND_OVER_S: Final = 20.0
"""Seconds that people have to reach the new host when a table is handed over: as long as that host
gathers them, and asks what they know (`net.room.gathering`)."""


class Room:
    """A table on the host's side. Times are in seconds of a clock that the shell owns."""

    def __init__(self, created: TableCreated, incarnation: int, seeds: Seeds, now: float) -> None:
        """Open a new table. `incarnation` is the journal's; `now` is in seconds of any clock."""
        self.incarnation = incarnation
        self.seeds = seeds
        self.state = RoomState.create(created)
        self.sessions = Sessions(now)
        self.starts_with = 0
        """Number of people who must sit and be ready for a game to begin automatically, or 0."""
        self.starts_by = inf  # the time from which it starts with fewer
        self.first_code = ""
        """The room code that the table opened with, for its people; "" in practice or a club."""
        self.hashes = deque([self.state.running], maxlen=KEPT_MARKS)  # the last running hashes
        self.reopenings: list[int] = []  # the steps at which it was resumed
        self.claims = bots.PendingClaims()
        self.talk = SILENCE  # everybody's claims
        self.steps: list[JournalStep] = []  # those for the journal that were not collected yet
        self.written = 0  # steps made so far
        self.disk = DiskStatus.OK  # the last reported state of the journal
        self.go_unsaved = False  # the host has just chosen to continue unsaved
        self.turn_since = now  # the time at which the present turn began
        self.let_turn: int | None = None
        """The turn in which a bot moves for a person, at the request of somebody who waited."""
        self.answers = Answers()  # to the draw under way
        self.alarm = 0  # wrong codes that were not reported to the host yet
        self.announcing: bool | None = None  # `None` until the shell has reported if it works
        self.doors: dict[DoorKind, DoorNow] = {}
        self.switches: list[SwitchDoor] = []  # orders to open or close doors, not collected yet
        self.asked: list[Asked] = []  # what was asked of a hall, for its club
        self.returning = frozenset[int]()  # after a restart, the members for whom it waits
        self.returning_until = now
        self.gathering: TakeoverGathering | None = None
        """Set until it is clear how the table resumes here."""
        self.is_new_here = False  # it moved here, and nobody has played since
        self.kept = frozenset[int]()  # seats that keep their cards while `is_new_here`
        self.resumed_from = messages.NOTHING_SEEN  # the last step before it moved here
        self.handing_until = now
        self.has_moved = False  # it has moved to another computer
        if created.moved is not None:
            self.gathering = TakeoverGathering(created.moved, now + GATHER_S)

    def become_hall(self, state: RoomState, limits: Limits) -> None:
        self.state = state
        self.sessions = Sessions(self.sessions.now, limits)

    def is_known(self, key: bytes) -> bool:
        return self.state.member_with(key) is not None

    @property
    def rank(self) -> CopyRank:
        lobby, gathering = self.lobby, self.gathering
        if gathering is not None:
            here = sum(person.member in gathering.entering for _chair, person in lobby.sitting)
            is_led = self.state.member_with(self.state.host_key) in gathering.entering
            return CopyRank(people=here if is_led else 0, term=gathering.moved.claim.term)
        return CopyRank(term=lobby.term) if lobby.handing else rank_of(lobby)

    @property
    def may_play(self) -> bool:
        return may_play(self.lobby, self.state.round)

    def count_gone(self, seen: Mark, incarnation: int) -> int:
        """Count the steps up to a mark that somebody has seen and this table lacks.

        It lacks some if it was resumed from an older copy, and continued differently from there.
        They were seen in this `incarnation`: the loss counts from the next time that the table was
        reopened, or from the last time if the incarnation is another table's, or 0 (not known).
        """
        if self.lobby.is_hall:  # its steps are not kept, and nothing is lost by that
            return 0
        number = self.state.number
        oldest = number + 1 - len(self.hashes)
        if seen.step < oldest:  # too old to tell
            return 0
        if seen.step <= number and self.hashes[seen.step - oldest] == seen.hash:
            return 0
        # Each time counts up the incarnation; those of another host's terms differ by more.
        count = max(0, self.incarnation - incarnation) if incarnation else 0
        since = [at - 1 for at in self.reopenings[-count:] if at <= seen.step] or [seen.step - 1]
        return seen.step - min(since[0] if count else since[-1], number)

    @property
    def lobby(self) -> Lobby:
        return self.state.lobby

    @property
    def stage(self) -> AdvertStage:
        if self.state.phase is Phase.OVER:
            return AdvertStage.OVER
        if self.lobby.stage is not TablePhase.LOBBY:
            return AdvertStage.PLAYING
        if self.lobby.locked:
            return AdvertStage.LOCKED
        return AdvertStage.FULL if self.lobby.next_seat() is None else AdvertStage.LOBBY

    @property
    def host(self) -> Connected | None:
        """The host's connection; `None` while it is lost."""
        return self.sessions.by_member.get(self.lobby.host)

    @property
    def move_due(self) -> bots.BotMoveDue | None:
        if self.disk.is_waiting or self.gathering is not None:
            return None
        now = self.sessions.now
        returning = self.returning if now < self.returning_until else frozenset[int]()
        is_asked_for = self.state.turn == self.let_turn
        return bots.bot_due(self.state, now - self.turn_since, returning, is_asked_for=is_asked_for)

    @property
    def is_turn_long(self) -> bool:
        """True once the present turn is so long that others may play on without that person."""
        return self.sessions.now - self.turn_since >= LONG_TURN_S

    def let_bot_move(self) -> None:
        self.let_turn = self.state.turn

    @property
    def turn_lasted(self) -> int:
        """Seconds that the present turn has lasted, 0 if turns are not limited."""
        is_timed = self.lobby.settings.turn_seconds > 0
        return int(self.sessions.now - self.turn_since) if is_timed else 0

    def bot_turn(self) -> bots.BotMoveRequest | None:
        due = self.move_due
        if due is None:
            return None
        view = self.state.view(due.seat)
        assert view is not None
        talk = bots.talk_for_bot(self.talk, self.lobby.settings)
        temper = bots.temper_of(self.state, due.seat)
        return bots.BotMoveRequest(due.seat, due.level, due.turn, due.reason, view, talk, temper)

    @property
    def claim_due(self) -> bots.BotClaimDue | None:
        if self.disk.is_waiting or not self.claims.waiting or bots.bots_must_wait(self.state):
            return None
        return self.claims.waiting[0]

    def claim_request(self) -> bots.BotClaimRequest | None:
        due = self.claim_due
        if due is None:
            return None
        view = self.state.view(due.seat)
        assert view is not None
        temper = bots.temper_of(self.state, due.seat)
        return bots.BotClaimRequest(due.number, due.seat, due.occasion, view, self.talk, temper)

    # Changes.

    def apply(self, step: Step) -> StepChange:
        """Change the state by a step, new or from the journal, and what follows from the state."""
        before = self.state
        self.state, happened = apply_step(before, step)
        change = StepChange(before, step, self.state, happened)
        self.written += 1
        if isinstance(step.act, Assembled):
            self.gathering = None
            self.hashes.clear()
            self.hashes.append(step.act.mark.hash)
            self.resumed_from = step.act.mark
        self.talk = bots.talk_after(self.talk, change)
        self.claims = bots.pending_claims_after(self.claims, change, self.talk)
        self.hashes.append(self.state.running)
        if not {events.Reopened, events.HostChanged}.isdisjoint(map(type, step.news)):
            self.reopenings.append(self.state.number)
        return change

    def commit(self, step: Step) -> None:
        """Give a step its number, keep it for the journal, and send each member their frame."""
        sessions, lobby = self.sessions, self.lobby
        if self.is_new_here and isinstance(step.act, GameStep | DealNext):
            # From now on it is too late for people to bring their cards; they may still return.
            self.is_new_here = False
            redealt = lobby.relocations[-1].anew if lobby.relocations else ()
            step = replace(step, news=(events.DrawnAnew(redealt), *step.news)) if redealt else step
        change = self.apply(step)
        self._begin_times(change)
        self.steps.append(JournalStep(self.written, write(step)))
        for frame, members in broadcast(change, self.incarnation):
            sessions.hand_out(frame, members)
        newcomers = change.find_newcomers()
        for member in newcomers & sessions.by_member.keys():
            self.send_snapshot(sessions.by_member[member], member)
        if step.code and not self.lobby.in_club:
            sessions.end_unentered(
                {self.state.host_key, *(person.key for person in self.lobby.people)}
            )
        if step.code:
            for connected in sessions.by_member.values():
                self._send_code(connected)
        here = sessions.by_member.keys() - newcomers  # they learn of it on arrival
        for event in step.news:
            if isinstance(event, events.SatDown) and event.member in here:
                self._send_code(sessions.by_member[event.member])
            if isinstance(event, events.Exited):
                sessions.end_member(event.member, CloseReason[event.reason.name])
            if isinstance(event, events.Closed):
                sessions.end_all(CloseReason.MOVED if self.has_moved else CloseReason.CLOSED)

    def _begin_times(self, change: StepChange) -> None:
        """Note the start of a turn, a handover or a draw in a step, and who has seen cards."""
        now, happened = self.sessions.now, set(map(type, change.step.news))
        if self.is_new_here:  # whoever is given a seat has seen its cards from now on
            seats = self.lobby.seats
            self.kept |= {seats[member] for member in seats.keys() & self.sessions.by_member.keys()}
        if self.state.turn != change.before.turn or events.Paused in happened:
            self.turn_since = now
        if events.HandingOver in happened:
            self.handing_until = now + HAND_OVER_S
        if happened & {events.DrawBegan, events.SharesCommitted}:
            self.answers.restart(now)

    def continue_draw(self) -> None:
        """Make the next step of the draw under way, if it is due and can be saved."""
        if not self.may_play:  # nothing is drawn until its people are back
            self.answers.extend(self.sessions.now)
        elif not self.disk.is_waiting:
            step = drawing_step(self.state, self.answers, self.sessions.now, self.seeds)
            if step is not None:
                self.commit(step)

    def return_lent_seats(self) -> None:
        """Give lent seats back to their own people who are there; not while a round is drawn."""
        if self.lobby.is_drawing or self.disk.is_waiting:
            return
        here = self.sessions.by_member
        back = [loan for loan in self.lobby.lent if loan.member in here]
        if back:
            self.commit(Step(news=tuple(events.SatDown(loan.seat, loan.member) for loan in back)))

    def set_presence(self, member: int, presence: Presence) -> None:
        """Announce a presence to everybody, unless it changes too often (`may_announce`)."""
        is_news = self.lobby.find_person(member).presence is not presence
        if not is_news or self.disk.is_waiting:
            return
        if self.sessions.buffer_of(member).may_announce(presence, self.sessions.now):
            self.commit(Step(news=(events.PresenceChanged(member, presence),)))

    def doubt_all(self) -> None:
        """Count everybody as shaky until they have acknowledged it: the host was suspended.

        The table may have gone on elsewhere meanwhile, and must not play here until its people are
        known to be here. What they sent before still waits to be read, and proves nothing.
        """
        if self.gathering is not None or self.disk.is_waiting or not can_move(self.lobby):
            return
        there = [person.member for person in self.lobby.people if person.presence is Presence.THERE]
        for member in there:
            if (buffer := self.sessions.buffers.get(member)) is not None:
                buffer.last_message_at = self.sessions.now - SHAKY_AFTER_S
        if there:
            news = tuple(events.PresenceChanged(member, Presence.SHAKY) for member in there)
            self.commit(Step(news=news))
            for connected in self.sessions.by_member.values():
                connected.doubted = self.state.number

    def continue_handover(self) -> None:
        """Close a handed-over table once all have left, or half when time is up; else keep it."""
        people = [person for _chair, person in self.lobby.sitting if not person.presence.is_gone]
        still_here = [person for person in people if person.member in self.sessions.by_member]
        is_late = self.sessions.now >= self.handing_until
        if not still_here or (is_late and 2 * len(still_here) <= len(people)):
            self.close_moved()
        elif is_late:
            self.commit(Step(news=(events.HandingOver(begins=False),)))

    def reopen(self) -> None:
        """Note after `resume` that nobody was connected; members learn of it when they return.

        Bots do not move for absent members, and no draw continues without them, until these have
        had the usual time to reconnect.
        """
        if self.gathering is not None:
            return
        self.returning = frozenset(person.member for person in self.lobby.people)
        self.returning_until = self.sessions.now + GONE_AFTER_S
        self.commit(Step(news=(events.Reopened(),)))
        for member in tuple(self.sessions.by_member):  # who has returned already, as in a club
            self.set_presence(member, Presence.THERE)
        self.restart_turn()
        self.answers.extend(self.sessions.now, GONE_AFTER_S)

    def collect(self) -> Effects:
        """Return the effects since the last call, including those of an input that raised."""
        steps, self.steps = tuple(self.steps), []
        do = self.sessions.collect()
        unsaved, self.go_unsaved = self.go_unsaved, False
        switches, self.switches = tuple(self.switches), []
        asked, self.asked = tuple(self.asked), []
        number = 0 if not steps and (unsaved or may_overtake(do)) else self.written
        ended = self.has_moved or self.lobby.stage is TablePhase.CLOSED
        return Effects(steps, do, number, ended, unsaved, switches, asked)

    def begin_with(self, people: int, by: float = inf) -> None:
        """Start the game automatically once this many are ready, from a time on with fewer."""
        self.starts_with, self.starts_by = people, by

    def make_bot_claim(self, due: bots.BotClaimDue, claim: TableClaim | None) -> None:
        """Make the claim that a bot has chosen, if any. A claim that is not due is dropped."""
        asked = self.claim_due
        if asked is not None and (asked.number, asked.seat) == (due.number, due.seat):
            if claim is not None and claim.fits(len(self.lobby.chairs)):
                self.commit(Step(news=(events.BotClaimed(asked.seat, claim),)))
            self.claims = self.claims.without(asked)

    def restart_turn(self) -> None:
        self.turn_since = self.sessions.now

    def play_unsaved(self) -> None:
        self.go_unsaved = self.disk.is_waiting

    def close_moved(self) -> None:
        """Close this copy of the table, which has moved to another computer.

        While it gathers, it takes no step, so not even `Closed`: its connections are just ended.
        """
        self.has_moved = True
        if self.gathering is None:
            self.commit(Step(news=(events.Closed(),)))
        else:
            self.sessions.end_all(CloseReason.MOVED)

    def note_takeover(self, kept: frozenset[int]) -> None:
        self.kept, self.is_new_here = kept, True

    def keep_cards(self, seat: int) -> None:
        self.kept |= {seat}

    # Messages that are not part of a step.

    def send_snapshot(self, connected: Connected, member: int) -> None:
        frame = snapshot(self.state, member, self.incarnation, self.disk)
        self.sessions.send_step(connected, frame)

    def send_host_state(self, connected: Connected) -> None:
        if connected is self.host:
            self._send_alarm()
            self._send_announcing()
        self._send_code(connected)
        for door in self.doors.values():
            self.sessions.send(connected, door)

    def _send_code(self, connected: Connected) -> None:
        """Send the host, or somebody with a seat, the code that lets friends in."""
        has_seat = connected.member is not None and self.lobby.seat_of(connected.member) is not None
        code = self.state.code or self.first_code
        if code and not self.lobby.in_club and (has_seat or connected is self.host):
            self.sessions.send(connected, messages.Code(code))

    def note_wrong_codes(self, tried: int) -> None:
        """Note the number of wrong codes tried; tell the host now, or when the host connects."""
        self.alarm = tried
        self._send_alarm()

    def _send_alarm(self) -> None:
        if self.host is not None and self.alarm:
            self.sessions.send(self.host, messages.GuessAlarm(self.alarm))
            self.alarm = 0

    def note_announcing(self, *, works: bool) -> None:
        self.announcing = works
        self._send_announcing()

    def _send_announcing(self) -> None:
        if self.host is not None and self.announcing is not None:
            self.sessions.send(self.host, messages.Announcing(self.announcing))

    def note_disk(self, disk: DiskStatus) -> None:
        self.disk = disk
        self.restart_turn()  # nobody could move before
        self.answers.extend(self.sessions.now)
        for connected in self.sessions.inside:
            connected.owed_since = None
            self.sessions.send(connected, messages.Disk(disk))

    def note_door(self, door: DoorNow) -> None:
        """Store the state of a door; send it to those inside, and to others when they connect."""
        self.doors[door.kind] = door
        for connected in self.sessions.inside:
            self.sessions.send(connected, door)
