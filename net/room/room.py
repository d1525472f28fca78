"""`Room`: all that a table is on the host's side, and the questions that its shell asks of it.

What must outlive the program is in `net.room.state`, and changes by steps alone (`net.room.steps`).
Connections, times and recent frames are kept beside it. `net.room.inputs` has what happens to a
room. It never waits, and never raises for what a client sends.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Final

from engine.bots.talk import SILENCE
from engine.state import Phase
from net.discovery.advert import AdvertStage
from net.protocol.lobby import Lobby, Presence, Stage
from net.protocol.messages import NOTHING_SEEN, DiskStatus, DoorNow, EnterTable, Mark
from net.protocol.requests import DoorKind, SwitchDoor
from net.room.bots import PendingClaims, bot_due, is_still
from net.room.broadcast import OwnHalves
from net.room.draws import Answers, Seeds
from net.room.effects import BotClaimDue, BotClaimRequest, BotMoveDue, BotMoveRequest
from net.room.gathering import GATHER_S, GatheringTable
from net.room.journal_step import JournalStep
from net.room.sessions import Connected, Sessions
from net.room.standing import Standing, may_play, standing_of
from net.room.state import RoomState, TableCreated

KEPT_MARKS: Final = 4096  # steps whose running hash is kept, for those who come back


class Room:
    """A table on the host's side. Times are in seconds of a clock that the shell owns.

    If `starts_with` is not 0, a game begins by itself once so many people sit and are ready, and
    from the time `starts_by` on with fewer of them. One
    that `is_in_club` has the club's code and doors, and stays with it as long as it runs. `disk` is
    the last reported state of the journal, `claims` the claims that bots may make, `talk` the
    claims that all have made, and `turn_since` the time at which the present turn began. The host
    is told of `alarm` wrong codes, of the state of `announcing`, `None` until the shell has
    reported it, and of the `doors` beside the table. `switches` are the host's orders to open or
    close one, and `steps` the steps for the journal, neither carried out yet. `answers` are those
    to the draw under way. `go_unsaved` is True once the host has chosen to go on although nothing
    can be saved. A table that was resumed waits for those who are `returning`, until a time.
    `hashes` are the last running hashes, `reopenings` the steps with which it was brought back. So
    many steps are `written`. A table that goes on here is `gathering` at first; then the seats that
    have `kept` their cards are known until the first move, and who comes later is `bringing` them,
    by connection. It `is_gone_over` once its host has found it elsewhere.
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
        self.halves = OwnHalves()
        self.steps: list[JournalStep] = []
        self.disk = DiskStatus.OK
        self.turn_since = now
        self.answers = Answers()
        self.go_unsaved = False
        self.alarm = 0
        self.announcing: bool | None = None
        self.doors: dict[DoorKind, DoorNow] = {}
        self.switches: list[SwitchDoor] = []
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
        if created.moved is not None:
            self.gathering = GatheringTable(created.moved, now + GATHER_S)

    def lobby_member_of_host(self) -> int | None:
        """Return the member whose computer this is, `None` before they come."""
        return self.state.member_with(self.state.host_key)

    @property
    def is_gathering(self) -> bool:
        """True until a table goes on here."""
        return self.gathering is not None

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

    def note_step(self, *, is_reopened: bool) -> None:
        """Note the mark of the step just made, and if the table was brought back with it."""
        self.hashes.append(self.state.running)
        if is_reopened:
            self.reopenings.append(self.state.number)

    def count_gone(self, seen: Mark) -> int:
        """Return how many steps this table lacks of those that somebody has seen up to a mark.

        A table that was brought back from an older copy went on from there in another way.
        """
        number = self.state.number
        oldest = number + 1 - len(self.hashes)
        if seen.step < oldest:  # nobody can tell any more
            return 0
        if seen.step <= number and self.hashes[seen.step - oldest] == seen.hash:
            return 0
        since = max((at - 1 for at in self.reopenings if at <= seen.step), default=seen.step - 1)
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
    def is_at_rest(self) -> bool:
        """True if time alone changes nothing soon.

        That is so if no turn is timed, no draw is under way and no connection is shaky.
        """
        lobby = self.lobby
        if self.gathering is not None:
            return False
        is_timed = lobby.stage is Stage.PLAYING and lobby.settings.turn_seconds > 0
        return not (is_timed or lobby.is_drawing) and all(
            person.presence is not Presence.SHAKY for person in lobby.people
        )

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
        return bot_due(self.state, now - self.turn_since, returning)

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
