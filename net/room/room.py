"""`Room`: all that a table is on the host's side, and the questions that its shell asks of it.

What must outlive the program is in `net.room.state`, and changes by steps alone (`net.room.steps`).
Connections, times and recent frames are kept beside it. `net.room.inputs` has what happens to a
room. It never waits, and never raises for what a client sends. Nobody else sets a field of a room:
what changes one is a method here.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Final

from engine.bots.talk import SILENCE
from engine.state import Phase
from net.discovery.advert import AdvertStage
from net.protocol.lobby import Lobby, Stage
from net.protocol.lobby_events import (
    DrawBegan,
    HandingOver,
    HostChanged,
    LobbyEvent,
    Paused,
    Reopened,
    SharesCommitted,
)
from net.protocol.messages import NOTHING_SEEN, DiskStatus, DoorNow, EnterTable, Mark
from net.protocol.requests import DoorKind, SwitchDoor
from net.room.bots import PendingClaims, bot_due, is_still, pending_claims_after, talk_after
from net.room.broadcast import StepChange
from net.room.draws import Answers, Seeds
from net.room.effects import (
    Asked,
    BotClaimDue,
    BotClaimRequest,
    BotMoveDue,
    BotMoveRequest,
    Effects,
    JournalStep,
)
from net.room.gathering import GATHER_S, GatheringTable
from net.room.sessions import Connected, Limits, Sessions, may_overtake
from net.room.standing import Standing, may_play, standing_of
from net.room.state import Assembled, RoomState, Step, TableCreated, apply_step, write
from net.room.waiting import LONG_TURN_S

KEPT_MARKS: Final = 4096  # steps whose running hash is kept, for those who come back

HAND_OVER_S: Final = 20.0
"""Seconds in which all go to the new host of a table that is handed over."""


class Room:
    """A table on the host's side. Times are in seconds of a clock that the shell owns.

    If `starts_with` is not 0, a game begins by itself once so many people sit and are ready, and
    from the time `starts_by` on with fewer of them. One
    that `is_in_club` has the club's code and doors, and stays with it as long as it runs. `disk` is
    the last reported state of the journal, `claims` the claims that bots may make, `talk` the
    claims that all have made, and `turn_since` the time at which the present turn began. In turn
    `let_turn` a bot moves for a person, as somebody who waited has asked. The host
    is told of `alarm` wrong codes, of the state of `announcing`, `None` until the shell has
    reported it, and of the `doors` beside the table. `switches` are the host's orders to open or
    close one, and `steps` the steps for the journal, neither carried out yet. `answers` are those
    to the draw under way. `go_unsaved` is True once the host has chosen to go on although nothing
    can be saved. A table that was resumed waits for those who are `returning`, until a time.
    `hashes` are the last running hashes, `reopenings` the steps with which it was brought back. So
    many steps are `written`. A table that goes on here is `gathering` at first; then the seats that
    have `kept` their cards are known until the first move, and who comes later is `bringing` them,
    by connection. It `is_gone_over` once its host has found it elsewhere. What was `asked` of a
    hall is for its club.
    """

    def __init__(self, created: TableCreated, incarnation: int, seeds: Seeds, now: float) -> None:
        """Open a new table. `incarnation` is the journal's; `now` is in seconds of any clock."""
        self.incarnation = incarnation
        self.seeds = seeds
        self.starts_with = 0
        self.starts_by = inf
        self.is_in_club = False
        self.state = RoomState.create(created)
        self.hashes = deque([self.state.running], maxlen=KEPT_MARKS)
        self.reopenings: list[int] = []
        self.claims = PendingClaims()
        self.talk = SILENCE
        self.sessions = Sessions(now)
        self.steps: list[JournalStep] = []
        self.disk = DiskStatus.OK
        self.turn_since = now
        self.answers = Answers()
        self.go_unsaved = False
        self.alarm = 0
        self.announcing: bool | None = None
        self.doors: dict[DoorKind, DoorNow] = {}
        self.switches: list[SwitchDoor] = []
        self.let_turn: int | None = None
        self.returning = frozenset[int]()
        self.returning_until = now
        self.written = 0
        self.gathering: GatheringTable | None = None
        self.kept = frozenset[int]()
        self.is_new_here = False
        self.gone_on_from = NOTHING_SEEN
        self.bringing: dict[int, EnterTable] = {}
        self.is_gone_over = False
        self.handing_until = now
        self.asked: list[Asked] = []
        if created.moved is not None:
            self.gathering = GatheringTable(created.moved, now + GATHER_S)

    def become_hall(self, state: RoomState, limits: Limits) -> None:
        """Be the hall of a club, in this state, with limits of its own."""
        self.state = state
        self.sessions = Sessions(self.sessions.now, limits)
        self.is_in_club = True

    def note_asked(self, asked: Asked) -> None:
        """Note what somebody has asked of the club."""
        self.asked.append(asked)

    def lobby_member_of_host(self) -> int | None:
        """Return the member whose computer this is, `None` before they come."""
        return self.state.member_with(self.state.host_key)

    def is_known(self, key: bytes) -> bool:
        """Return True if the person or the stage with this key has been here."""
        return self.state.member_with(key) is not None or key in self.sessions.stage_keys

    @property
    def standing(self) -> Standing:
        """All that the table shows to programs that look for it."""
        if self.lobby.handing and self.gathering is None:
            return Standing(False, 0, self.lobby.term)  # noqa: FBT003 - a row
        if self.gathering is None:
            return standing_of(self.lobby)
        here = [one for _chair, one in self.lobby.sitting if one.member in self.gathering.entering]
        return Standing(False, len(here), self.gathering.moved.claim.term)  # noqa: FBT003 - a row

    @property
    def may_play(self) -> bool:
        """True if enough of the table's people are there, or somebody chose to go on."""
        return may_play(self.lobby, self.state.round)

    def count_gone(self, seen: Mark) -> int:
        """Return how many steps this table lacks of those that somebody has seen up to a mark.

        A table that was brought back from an older copy went on from there in another way. Which
        copy that was is not known if there were several: then the loss counts from the first.
        """
        if self.lobby.is_hall:  # its steps are not kept, and nothing is lost by that
            return 0
        number = self.state.number
        oldest = number + 1 - len(self.hashes)
        if seen.step < oldest:  # nobody can tell any more
            return 0
        if seen.step <= number and self.hashes[seen.step - oldest] == seen.hash:
            return 0
        since = min((at - 1 for at in self.reopenings if at <= seen.step), default=seen.step - 1)
        return seen.step - min(since, number)

    @property
    def lobby(self) -> Lobby:
        """The people, chairs and settings of the table."""
        return self.state.lobby

    @property
    def stage(self) -> AdvertStage:
        """The stage of the table, as it is announced to strangers."""
        if self.state.phase is Phase.OVER:
            return AdvertStage.OVER
        if self.lobby.stage is not Stage.LOBBY:
            return AdvertStage.PLAYING
        if self.lobby.locked:
            return AdvertStage.LOCKED
        return AdvertStage.FULL if self.lobby.first_free() is None else AdvertStage.LOBBY

    @property
    def host(self) -> Connected | None:
        """The host's connection."""
        return self.sessions.by_member.get(self.lobby.host)

    @property
    def due(self) -> BotMoveDue | None:
        """The move that a bot has to make now, `None` if there is none."""
        if self.disk is DiskStatus.FULL or self.gathering is not None:
            return None
        now = self.sessions.now
        returning = self.returning if now < self.returning_until else frozenset[int]()
        is_let = self.state.turn == self.let_turn
        return bot_due(self.state, now - self.turn_since, returning, is_let=is_let)

    @property
    def is_turn_long(self) -> bool:
        """True once the present turn has lasted so long that a bot may be let make the move."""
        return self.sessions.now - self.turn_since >= LONG_TURN_S

    def let_bot_move(self) -> None:
        """Let a bot make the move of this turn."""
        self.let_turn = self.state.turn

    @property
    def turn_lasted(self) -> int:
        """Seconds that the present turn has lasted, 0 if turns are not limited."""
        is_timed = self.lobby.settings.turn_seconds > 0
        return int(self.sessions.now - self.turn_since) if is_timed else 0

    def bot_turn(self) -> BotMoveRequest | None:
        """Return the due move of a bot together with the view that the bot may use."""
        due = self.due
        if due is None:
            return None
        view = self.state.view(due.seat)
        assert view is not None
        return BotMoveRequest(due.seat, due.level, due.turn, due.reason, view, self.talk)

    @property
    def claim_due(self) -> BotClaimDue | None:
        """The claim that a bot may make now, `None` if there is none."""
        if self.disk is DiskStatus.FULL or not self.claims.waiting or is_still(self.state):
            return None
        return self.claims.waiting[0]

    def claim_request(self) -> BotClaimRequest | None:
        """Return the due claim of a bot together with the view that the bot may use."""
        due = self.claim_due
        if due is None:
            return None
        view = self.state.view(due.seat)
        assert view is not None
        return BotClaimRequest(due.number, due.seat, due.occasion, view, self.talk)

    # Changes.

    def apply(self, step: Step) -> StepChange:
        """Apply a step, of a command or of the journal, and nothing else."""
        before = self.state
        self.state, events = apply_step(before, step)
        change = StepChange(before, step, self.state, events)
        self.written += 1
        if isinstance(step.act, Assembled):
            self.gathering = None
            self.hashes.clear()
            self.hashes.append(step.act.mark.hash)
            self.gone_on_from = step.act.mark
        self.claims = pending_claims_after(self.claims, change)
        self.talk = talk_after(self.talk, change)
        self.hashes.append(self.state.running)
        if any(isinstance(event, Reopened | HostChanged) for event in step.news):
            self.reopenings.append(self.state.number)
        return change

    def record(self, change: StepChange) -> None:
        """Keep a step for the journal that was just applied, and begin the times that it begins."""
        step, now = change.step, self.sessions.now
        if self.is_new_here:  # who is given a seat has seen its cards from now on
            seats = self.lobby.seats
            self.kept |= {seats[member] for member in seats.keys() & self.sessions.by_member.keys()}
        self.steps.append(JournalStep(self.written, write(step)))
        if self.state.turn != change.before.turn or _has(step, Paused):
            self.turn_since = now
        if _has(step, HandingOver):
            self.handing_until = now + HAND_OVER_S
        if _has(step, DrawBegan) or _has(step, SharesCommitted):
            self.answers.restart(now)

    def collect(self) -> Effects:
        """Return the effects since the last call; what an input left that raised is among them."""
        steps, self.steps = tuple(self.steps), []
        do = self.sessions.collect()
        unsaved, self.go_unsaved = self.go_unsaved, False
        switches, self.switches = tuple(self.switches), []
        asked, self.asked = tuple(self.asked), []
        number = 0 if not steps and (unsaved or may_overtake(do)) else self.written
        ended = self.is_gone_over or self.lobby.stage is Stage.CLOSED
        return Effects(steps, do, number, ended, unsaved, switches, asked)

    def begin_with(self, people: int, by: float = inf) -> None:
        """Let the game begin by itself once so many are ready, from a time on with fewer."""
        self.starts_with, self.starts_by = people, by

    def join_club(self) -> None:
        """Stay in a club as long as the table runs."""
        self.is_in_club = True

    def await_returns(self, seconds: float) -> None:
        """Wait so many seconds for all people: nobody was connected before."""
        self.returning = frozenset(one.member for one in self.lobby.people)
        self.returning_until = self.sessions.now + seconds

    def restart_turn(self) -> None:
        """Count the time of the present turn from now on."""
        self.turn_since = self.sessions.now

    def restart_clocks(self) -> None:
        """Count the time of the present turn and draw from now on: nobody could move before."""
        self.restart_turn()
        self.answers.extend(self.sessions.now)

    def drop_claim(self, due: BotClaimDue) -> None:
        """Let a claim of a bot be due no more."""
        self.claims = self.claims.without(due)

    def note_disk(self, disk: DiskStatus) -> None:
        """Note the journal's state."""
        self.disk = disk
        self.restart_clocks()

    def note_alarm(self, tried: int) -> None:
        """Note a number of wrong codes; 0 once the host was told."""
        self.alarm = tried

    def note_announcing(self, *, works: bool) -> None:
        """Note if mDNS announcing works."""
        self.announcing = works

    def note_door(self, door: DoorNow) -> None:
        """Note the state of a door."""
        self.doors[door.kind] = door

    def switch_door(self, switch: SwitchDoor) -> None:
        """Keep the host's order to open or close a door."""
        self.switches.append(switch)

    def play_unsaved(self) -> None:
        """Go on although nothing can be saved, if that is so."""
        self.go_unsaved = self.disk is DiskStatus.FULL

    def note_gone_over(self) -> None:
        """Note that the table goes on elsewhere."""
        self.is_gone_over = True

    def go_on_here(self, kept: frozenset[int]) -> None:
        """Go on with a table that has gathered; these seats have kept their cards."""
        self.kept, self.is_new_here = kept, True

    def keep_cards(self, seat: int) -> None:
        """Note that a seat has kept its cards: what it sees now is its own."""
        self.kept |= {seat}

    def ask_to_bring(self, connection: int, message: EnterTable) -> None:
        """Note that who comes on a connection is asked what their seat knows."""
        self.bringing[connection] = message

    def stop_bringing(self, connection: int) -> EnterTable | None:
        """Note that somebody is asked no more; return the message with which they came."""
        return self.bringing.pop(connection, None)

    def close_bringing(self) -> bool:
        """Let nobody bring cards any more; return True if somebody could until now.

        Who was asked for them and has not answered yet is let in once they do.
        """
        was_new, self.is_new_here = self.is_new_here, False
        return was_new


def _has(step: Step, kind: type[LobbyEvent]) -> bool:
    return any(isinstance(event, kind) for event in step.news)
