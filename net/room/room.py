"""`Room`: a table on the host's side, from inputs (connections, messages, time) to effects.

All of a table that must outlive the program is in `net.room.state`, and changes by steps alone.
Connections, times and recent frames are kept beside it, in `net.room.live_table`. A room never
waits, and never raises for what a client sends.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.bots import BOTS
from engine.moves import Move
from engine.state import Phase
from net.discovery import advert
from net.lobby.events import (
    BotClaimed,
    BotRetired,
    HostChanged,
    LobbyEvent,
    PresenceChanged,
    Reopened,
    StoodIn,
)
from net.lobby.fold import apply
from net.lobby.model import THE_HOSTS_COMPUTER, Lobby, Presence, Settings, Stage, TableClaim
from net.lobby.permissions import is_round_due, is_start_due
from net.lobby.validation import can_be_told
from net.protocol.election import Standby
from net.protocol.events import write_move
from net.protocol.messages import ClientMessage, CloseReason, DiskStatus, DoorNow
from net.room.bots import bot_due, is_still
from net.room.computers import UNKNOWN, Origin
from net.room.draws import Seeds, deal_step
from net.room.effects import BotClaimDue, BotClaimRequest, BotMoveDue, BotMoveRequest, Effects
from net.room.handlers import handle
from net.room.live_table import LiveTable
from net.room.opening import Opening, Returned
from net.room.sealing import SealedLog, Sealer
from net.room.sessions import GONE_AFTER_S, presence_after
from net.room.state import GameStep, RoomState, Step, TableCreated, read_founding, read_step


class Room:
    """A table on the host's side.

    If `starts_with` is not 0, a game begins by itself once so many people sit and are ready.
    """

    def __init__(  # noqa: PLR0913 - this is what a table is opened with
        self,
        created: TableCreated,
        incarnation: int,
        seeds: Seeds,
        now: float,
        *,
        seals: bool = False,
        table: str = "",
    ) -> None:
        """Open a new table. `incarnation` is the journal's; `now` is in seconds of any clock.

        `seals` says that the journal's steps are sealed, as those of a host on a disk must be.
        `table` is the id of the table.
        """
        sealer = Sealer() if seals else None
        self.starts_with = 0
        self._table = LiveTable(created, incarnation, seeds, now, sealer=sealer, table=table)
        self._elected: HostChanged | None = None
        self._returning_until = now
        self._returning = frozenset[int]()
        self._opening: Opening | None = None

    @classmethod
    def resume(  # noqa: PLR0913 - the same, and the journal
        cls,
        kept: bytes,
        steps: Iterable[bytes],
        incarnation: int,
        seeds: Seeds,
        now: float,
        *,
        seals: bool = False,
        table: str = "",
        elected: HostChanged | None = None,
    ) -> Room:
        """Restore a table from its founding and the payloads of its steps; call `reopen` next.

        If they are sealed, the room opens once those who hold shares have come and given them.
        `elected` is set if it goes on here with a new host: the first step here is to say so.

        Raises:
            msgspec.DecodeError: bytes are no founding or no step.
            SealBroken: sealed steps were altered; if people hold the key, this is found out later.
        """
        room = cls(read_founding(kept), incarnation, seeds, now, seals=seals, table=table)
        room._elected = elected
        log = SealedLog([read_step(payload) for payload in steps])
        if log.needed:
            room._opening = Opening(log, room._table)
        else:
            room._table.load(log)
        return room

    # Questions of the shell.

    @property
    def state(self) -> RoomState:
        """The table, with its secrets."""
        return self._table.state

    @property
    def incarnation(self) -> int:
        """Number of times that a program has opened this table."""
        return self._table.incarnation

    @property
    def disk(self) -> DiskStatus:
        """The last reported state of the journal."""
        return self._table.disk

    @property
    def lobby(self) -> Lobby:
        """The people, chairs and settings of the table."""
        return self._table.lobby

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
        return self.lobby.players

    @property
    def is_at_rest(self) -> bool:
        """True if time alone changes nothing soon.

        That is so if no turn is timed, no draw is under way and no connection is shaky.
        """
        lobby = self.lobby
        is_timed = lobby.stage is Stage.PLAYING and lobby.settings.turn_seconds > 0
        is_drawn = lobby.draw is not None and not lobby.draw.done
        return not (is_timed or is_drawn) and all(
            person.presence is not Presence.SHAKY for person in lobby.people
        )

    def knows(self, key: bytes) -> bool:
        """Return True if a member has this seat key, and so may return with it."""
        return self.state.member_with(key) is not None

    @property
    def due(self) -> BotMoveDue | None:
        """The move that a bot has to make now, `None` if there is none."""
        if self.disk is DiskStatus.FULL or self._table.is_handed_over:
            return None
        now = self._table.sessions.now
        returning = self._returning if now < self._returning_until else frozenset[int]()
        return bot_due(self.state, now - self._table.turn_since, returning)

    def bot_turn(self) -> BotMoveRequest | None:
        """Return the due move of a bot together with the view that the bot may use."""
        to_move = self.due
        if to_move is None:
            return None
        view = self.state.view(to_move.seat)
        assert view is not None
        return BotMoveRequest(
            to_move.seat, to_move.level, to_move.turn, to_move.reason, view, self._table.talk
        )

    @property
    def claim_due(self) -> BotClaimDue | None:
        """The claim that a bot may make now, `None` if there is none."""
        due = next(iter(self._table.claims.waiting), None)
        if due is None or self.disk is DiskStatus.FULL or is_still(self.lobby):
            return None
        return due

    def claim_request(self) -> BotClaimRequest | None:
        """Return the due claim of a bot together with the view that the bot may use."""
        due = self.claim_due
        if due is None:
            return None
        view = self.state.view(due.seat)
        assert view is not None
        return BotClaimRequest(due.number, due.seat, due.occasion, view, self._table.talk)

    # Inputs of the shell.

    def arrive(
        self,
        connection: int,
        key: bytes,
        now: float,
        address: str = "",
        origin: Origin = UNKNOWN,
    ) -> Effects:
        """Add a trusted connection whose other side has proven this seat key.

        People from one `address` are limited in number. `origin` says at which computer they play.
        """
        self._table.sessions.advance(now)
        self._table.sessions.arrive(connection, key, address, origin)
        return self._table.collect_effects()

    def receive(self, connection: int, message: ClientMessage, now: float) -> Effects:
        """Handle a message. Messages on a connection that has ended are ignored."""
        self._table.sessions.advance(now)
        connected = self._table.sessions.connected.get(connection)
        if connected is None:
            return Effects()
        if self._opening is None:
            handle(self._table, connected, message)
        elif (returned := self._opening.receive(connected, message)) is not None:
            self._opened(returned)
        if self._opening is None:
            self._table.change_electors()
        return self._table.collect_effects()

    def lost(self, connection: int, now: float) -> None:
        """Handle a closed connection. Its member may reconnect within a few seconds."""
        self._table.sessions.advance(now)
        connected = self._table.sessions.connected.get(connection)
        if connected is not None:
            self._table.sessions.forget(connected)

    def fell_behind(self, connection: int, now: float) -> Effects:
        """Tell the client on a slow connection that the shell has dropped steps for it."""
        self._table.sessions.advance(now)
        connected = self._table.sessions.connected.get(connection)
        if connected is not None and connected.member is not None and self._opening is None:
            self._table.tell_behind(connected)
        return self._table.collect_effects()

    def tick(self, now: float) -> Effects:
        """Let time pass: end silent connections, update presence. Call every second or two."""
        sessions, full = self._table.sessions, self.disk is DiskStatus.FULL
        sessions.advance(now)
        for connected in tuple(sessions.connected.values()):
            if connected.is_silent(sessions.now) or (not full and connected.is_slow(sessions.now)):
                sessions.end(connected, CloseReason.TOO_SLOW)
        if not full and self._opening is None:
            self._watch_people()
            self._table.go_on_drawing()
        return self._table.collect_effects()

    def bot_moved(self, turn: BotMoveDue, move: Move, now: float) -> Effects:
        """Make the move that a bot has chosen. A move for a turn that is over is dropped.

        Raises `engine.IllegalMove`, and changes nothing, for an illegal move: a bug of the
        bot.
        """
        self._table.sessions.advance(now)
        to_move = self.due
        if to_move is not None and (to_move.turn, to_move.seat) == (turn.turn, turn.seat):
            news = () if to_move.reason is None else (StoodIn(to_move.seat, to_move.reason),)
            self._table.commit(Step(news=news, act=GameStep(write_move(move))))
        return self._table.collect_effects()

    def retire_bot(self, bot: str, now: float) -> Effects:
        """Let one of our bots play on wherever this one, of another package, plays at the table.

        A bot that plays nowhere any more is let be.
        """
        self._table.sessions.advance(now)
        settings = self.lobby.settings
        level = settings.stand_in if settings.stand_in in BOTS else Settings().stand_in
        retired = BotRetired(bot, level)
        is_played = self.lobby.stage is Stage.PLAYING and can_be_told(self.lobby, retired)
        if bot not in BOTS and is_played:
            self._table.commit(Step(news=(retired,)))
        return self._table.collect_effects()

    def bot_spoke(self, due: BotClaimDue, claim: TableClaim | None, now: float) -> Effects:
        """Make the claim that a bot has chosen, if any. A claim that is not due is dropped."""
        self._table.sessions.advance(now)
        asked = self.claim_due
        if asked is not None and (asked.number, asked.seat) == (due.number, due.seat):
            if claim is not None and claim.fits(len(self.lobby.chairs)):
                self._table.commit(Step(news=(BotClaimed(asked.seat, claim),)))
            self._table.claims = self._table.claims.without(asked)
        return self._table.collect_effects()

    def disk_is(self, disk: DiskStatus, now: float) -> Effects:
        """Note the journal's state: saving, failing or done without. Tell everybody at once."""
        self._table.sessions.advance(now)
        return self._table.tell_disk(disk)

    def wrong_codes(self, tried: int, now: float) -> Effects:
        """Note the number of wrong codes tried; tell the host now, or when the host connects."""
        self._table.sessions.advance(now)
        self._table.alarm = tried
        self._table.tell_alarm()
        return self._table.collect_effects()

    def announcing(self, *, works: bool, now: float) -> Effects:
        """Note if mDNS announcing works; tell the host now, and whenever the host connects."""
        self._table.sessions.advance(now)
        self._table.announcing = works
        self._table.tell_announcing()
        return self._table.collect_effects()

    def door_is(self, door: DoorNow, now: float) -> Effects:
        """Note the state of a door; tell the host now, and whenever the host connects."""
        self._table.sessions.advance(now)
        self._table.doors[door.kind] = door
        self._table.tell_door(door)
        return self._table.collect_effects()

    @property
    def standbys(self) -> dict[int, Standby | None]:
        """Return the address of each program that may become the host and is here, if known."""
        told, here = self._table.electors.standbys(self.state), self._table.sessions.by_member
        return {member: standby for member, standby in told.items() if member in here}

    def standby_is(self, member: int, *, reachable: bool, now: float) -> Effects:
        """Note if others can reach a member's program; tell all who have seats, if it is new."""
        self._table.sessions.advance(now)
        self._table.electors.reached(member, reachable=reachable)
        self._table.tell_electors()
        return self._table.collect_effects()

    def reopen(self, now: float) -> Effects:
        """Note after `resume` that nobody is connected; members learn of it when they return.

        Bots do not move for absent members, and no draw goes on without them, until these have had
        the usual time to reconnect. With a new host that is so for those alone who were there and
        did not play at the old host's computer. A sealed table notes it once it has opened.
        """
        self._table.sessions.advance(now)
        if self._opening is None:
            self._note_reopened()
        return self._table.collect_effects()

    def _note_reopened(self) -> None:
        self._returning_until = self._table.sessions.now + GONE_AFTER_S
        event: LobbyEvent = Reopened()
        people = self.lobby.people
        if self._elected is not None and self._elected.term > self.lobby.term:
            event = self._elected
            people = tuple(
                one
                for one in people
                if not one.presence.is_gone and one.computer != THE_HOSTS_COMPUTER
            )
        self._returning = frozenset(one.member for one in people)
        self._table.commit(Step(news=(event,)))
        self._table.answers.extend(self._table.sessions.now, GONE_AFTER_S)

    def _opened(self, returned: Returned) -> None:
        """Go on with a table that has just opened, with those who have come back to it."""
        self._opening = None
        self._note_reopened()
        for connected, message in returned:
            handle(self._table, connected, message)

    def _watch_people(self) -> None:
        """Tell everybody of members who fell silent; deal if all others are ready."""
        lobby_events: list[LobbyEvent] = []
        lobby = self.lobby
        for person in lobby.people:
            buffer = self._table.sessions.buffers.get(person.member)
            if buffer is not None:
                now = self._table.sessions.now
                presence = presence_after(now - buffer.last_heard)
                if presence > person.presence and buffer.may_tell(presence, now):
                    lobby_events.append(PresenceChanged(person.member, presence))
                    lobby = apply(lobby, lobby_events[-1])
        step = Step(news=tuple(lobby_events))
        if self._is_deal_due(lobby):
            step = deal_step(self.state, step, self._table.seeds())
        if step != Step():
            self._table.commit(step)

    def _is_deal_due(self, lobby: Lobby) -> bool:
        """Return True if a round or a game begins by itself now."""
        if self.state.phase is None and self.starts_with:
            return is_start_due(lobby, self.starts_with)
        return self.state.phase is Phase.DEAL and is_round_due(lobby)
