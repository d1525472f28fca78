"""A whole table in one process: a room, its disk, connections that break, and players with whims.

Time is simulated, all chance is of one seed, and messages cross every connection as bytes. After
each thing that a client takes in, what it holds is compared with what the host says it should hold.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from engine import Phase
from engine.bots import BOTS, Playouts
from net.client.draws import OwnShare
from net.client.session import Received
from net.client.state import ClientState
from net.protocol import NO_TABLE, CopyRank
from net.protocol import requests as ask
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, MAX_HOST_FRAME_BYTES, decode, pack
from net.protocol.lobby import Absence, Settings, TableClaim, TablePhase, Taken, Topic
from net.protocol.lobby_events import BotClaimed
from net.protocol.messages import (
    CLIENT_KINDS,
    HOST_KINDS,
    ClientCommand,
    ClientMessage,
    CommitShare,
    DiskStatus,
    HostMessage,
    Knowledge,
    Refusal,
    ShowShare,
)
from net.room import inputs
from net.room.bots import bot_claim
from net.room.effects import CloseConnection, Effects
from net.room.permissions import incarnation_in, term_of
from net.room.room import Room
from net.room.steps import RoomState, TableCreated, apply_step, read_step, write
from net.secure.keys import SeatKey
from tests.net.protocol.frames import Stream


def seat_key_of(number: int) -> SeatKey:
    """The seat key of a player."""
    return SeatKey(number.to_bytes(32, "big"))


LONGEST = 3_000.0
"""Simulated seconds after which a game counts as stuck."""


@dataclass(eq=False)
class Line:
    """A connection under way: bytes in order, each frame after a delay, until somebody cuts it."""

    number: int
    player: Player
    site: Site
    to_host: Stream = field(default_factory=lambda: Stream(MAX_CLIENT_FRAME_BYTES))
    to_client: Stream = field(default_factory=Stream)
    up: bool = True
    last_up: float = 0.0
    last_down: float = 0.0


@dataclass(eq=False)
class Player:
    """Somebody with a client, who plays by a bot's advice and has whims.

    `losses` are the times at which their program was told that the table has gone back.
    """

    state: ClientState
    key: SeatKey
    level: str
    site: Site = field(init=False)
    line: Line | None = None
    away: bool = False
    losses: int = 0


@dataclass(eq=False)
class Site:
    """A computer at which the table runs: the room, its disk, and what was true after each step."""

    owner: Player
    kept: bytes
    room: Room
    truth: dict[int, RoomState]
    disk: list[bytes] = field(default_factory=list)
    waiting: deque[Effects] = field(default_factory=deque)
    life: int = 0
    opened: int = 1
    unsaved: bool = False
    lost: bool = False
    is_up: bool = True
    advert: CopyRank = NO_TABLE


@dataclass
class World:
    """One game of one seed: a host and its disk, and the players' programs on their connections."""

    seed: int
    rng: Random = field(init=False)
    now: float = 0.0
    queue: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    events: int = 0
    lines: dict[int, Line] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    crashes: int = 0
    cuts: int = 0
    compared: int = 0
    calm: float = 2.0
    claims: list[BotClaimed] = field(default_factory=list)
    told: dict[tuple[int, int, bytes, int], bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        rng = self.rng
        settings = Settings(
            rounds=rng.choice((1, 1, 2, 3)),
            edition=rng.choice(("international", "argentina", "italia", "france")),
            seats=rng.choice((3, 3, 4, 5)),
            absent=rng.choice(tuple(Absence)),
            turn_seconds=rng.choice((0, 5)),
        )
        kept = write(TableCreated("Gold Rush", seat_key_of(0).public, settings))
        self.calm = rng.choice((0.7, 1.5, 4.0))
        level = rng.choice(("random", "greedy"))
        people = rng.randint(1, settings.seats)
        self.players = [
            Player(
                self.start_client(f"player {number}", number >= people), seat_key_of(number), level
            )
            for number in range(people + rng.randint(0, 2))
        ]
        self.open_site(self.players[0], kept, 0)
        for player in self.players:
            player.site = self.sites[0]

    def open_site(self, owner: Player, kept: bytes, term: int) -> Site:
        """Open the table at somebody's computer."""
        room = inputs.resume(kept, (), incarnation_in(term, 1), self.seeds, self.now)
        self.sites.append(Site(owner, kept, room, {room.state.number: room.state}))
        return self.sites[-1]

    def seeds(self) -> bytes:
        """A seed or a share of one."""
        return self.rng.randbytes(32)

    def start_client(self, name: str, watch: bool) -> ClientState:  # noqa: FBT001 - as in `ClientState`
        """A client's program that has just begun."""
        return ClientState(name, watch, share=OwnShare(self.seeds))

    # Time.

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Do something in this many seconds."""
        self.events += 1
        heapq.heappush(self.queue, (self.now + seconds, self.events, what))

    # The host.

    def tick(self, site: Site) -> None:
        """The shell's clock, and its worker for bots."""
        self.later(0.5, partial(self.tick, site))
        if not site.is_up:
            return
        life = site.life
        self.apply(site, inputs.tick(site.room, self.now))
        if life != site.life:
            return  # it has stopped
        self.speak(site)
        turn = site.room.bot_turn()
        if turn is not None:
            move = BOTS[turn.level](turn.view, self.rng, Playouts(0))
            delay = self.rng.choice((0.0, 0.1, 0.4))

            def move_bot() -> None:
                if life == site.life:
                    self.apply(site, inputs.make_bot_move(site.room, self.now, turn, move))

            self.later(delay, move_bot)

    def speak(self, site: Site) -> None:
        """Whoever has something to say says it after a while, or has by then no more to say."""
        due = site.room.claim_request()
        if due is None:
            return
        life, claim = site.life, bot_claim(due.view, due.occasion)

        def spoke() -> None:
            if life == site.life:
                self.apply(site, inputs.make_bot_claim(site.room, self.now, due, claim))

        self.later(self.rng.choice((0.0, 0.3, 2.0)), spoke)

    def apply(self, site: Site, effects: Effects) -> None:
        """Put what came of something into the disk's queue, and remember what is true then."""
        if effects.steps:
            last = site.room.written
            numbers = range(last + 1 - len(effects.steps), last + 1)
            assert [step.number for step in effects.steps] == [*numbers]
            state = next(reversed(site.truth.values()))
            for step in effects.steps:
                state = apply_step(state, read_step(step.payload))[0]
                site.truth.pop(state.number, None)  # a table goes on from an earlier step
                site.truth[state.number] = state
            assert state == site.room.state
        if effects.after == 0:
            self.deliver(site, effects)
            return
        site.waiting.append(effects)
        self.later(self.rng.choice((0.0, 0.001, 0.05)), partial(self.write_one, site, site.life))

    def write_one(self, site: Site, life: int) -> None:
        """The disk has written the oldest outcome that waits."""
        if life == site.life and site.waiting and site.room.disk is not DiskStatus.FULL:
            effects = site.waiting.popleft()
            if not site.unsaved:
                site.disk += [step.payload for step in effects.steps]
                assert len(site.disk) >= effects.after
            self.deliver(site, effects)

    def deliver(self, site: Site, effects: Effects) -> None:
        """What is on disk may leave."""
        for do in effects.do:
            if isinstance(do, CloseConnection):
                if do.connection in self.lines:
                    self.later(0.01, partial(self.cut, self.lines[do.connection]))
                continue
            for line in map(self.lines.get, do.connections):
                if line is not None:
                    data = pack(do.message, MAX_HOST_FRAME_BYTES)
                    line.last_down = max(line.last_down, self.now + self.delay())
                    self.later(line.last_down - self.now, partial(self.arrive, line, data))
        if effects.finished:
            self.stop(site)

    def arrive(self, line: Line, data: bytes) -> None:
        """A frame reaches its client."""
        if line.up and line.player.line is line:  # a client ends the old line for the new one
            for value in line.to_client.feed(data):
                message: HostMessage = decode(value, *HOST_KINDS)
                self.take_in(line.player, message)

    def stop(self, site: Site) -> None:
        """The host's program ends, or is killed."""
        site.life += 1
        site.is_up = False
        site.waiting.clear()
        for line in tuple(self.lines.values()):
            if line.site is site:
                self.cut(line)

    def crash(self, site: Site) -> None:
        """The host's program is killed, and resumed from what is on its disk."""
        self.stop(site)
        self.resume(site)

    def resume(self, site: Site) -> None:
        """The host's program comes back with what is on its disk."""
        self.crashes += 1
        site.lost |= site.unsaved
        site.unsaved = False
        site.opened += 1
        site.is_up = True
        site.room = self.resume_room(site)
        true = site.room.state
        if site.room.gathering is None:  # else the step with which it went on is lost
            assert true == site.truth[true.number]
        site.truth = {at: item for at, item in site.truth.items() if at < true.number}
        site.truth[true.number] = true
        self.apply(site, inputs.reopen(site.room, self.now))

    def resume_room(self, site: Site) -> Room:
        """The room of what is on disk."""
        incarnation = incarnation_in(term_of(site.room.incarnation), site.opened)
        return inputs.resume(site.kept, site.disk, incarnation, self.seeds, self.now)

    # The players.

    def delay(self) -> float:
        """How long a frame takes."""
        return self.rng.choice((0.0, 0.002, 0.03)) if self.rng.random() > 0.004 else 4.0

    def dial(self, player: Player) -> None:
        """Open a new connection, be the old one up or not."""
        site = player.site
        if player.away or not self.reaches(player, site):
            return
        if player.state.status.member and site.room.state.member_with(player.key.public) is None:
            self.start_again(player)  # the step in which they came is lost: they join again
        line = Line(self.events, player, site)
        self.events += 1
        self.lines[line.number] = line
        player.line = line
        came = inputs.add_connection(site.room, self.now, line.number, player.key.public)
        self.apply(site, came)
        self.say(player, player.state.begin_connection())

    def reaches(self, player: Player, site: Site) -> bool:
        """Whether somebody's program reaches a computer at which the table runs."""
        del player
        return site.is_up

    def cut(self, line: Line) -> None:
        """A connection breaks; its client dials again, unless another connection is its by now."""
        if not line.up:
            return
        line.up = False
        self.cuts += 1
        del self.lines[line.number]
        inputs.drop_connection(line.site.room, self.now, line.number)
        player = line.player
        if player.line is line:
            player.line = None
            player.state.end_connection()
            self.later(self.rng.choice((0.1, 0.5, 2.0)), partial(self.dial_if_down, player))

    def dial_if_down(self, player: Player) -> None:
        """Dial, unless that is done."""
        if player.line is None:
            self.dial(player)

    def say(self, player: Player, *messages: ClientMessage) -> None:
        """Send something to the host, an answer or a command now and then twice."""
        line = player.line
        for message in messages:
            if line is None:
                return
            data = pack(message, MAX_CLIENT_FRAME_BYTES)
            assert len(data) == (4100 if isinstance(message, Knowledge) else 260)
            again = isinstance(message, ClientCommand | CommitShare | ShowShare)
            for _ in range(2 if self.rng.random() < 0.02 and player.state.entered and again else 1):
                line.last_up = max(line.last_up, self.now + self.delay())
                self.later(line.last_up - self.now, partial(self.receive, line, data))

    def receive(self, line: Line, data: bytes) -> None:
        """A frame reaches the host."""
        if line.up:
            for value in line.to_host.feed(data):
                message: ClientMessage = decode(value, *CLIENT_KINDS)
                heard = inputs.receive(line.site.room, self.now, line.number, message)
                self.apply(line.site, heard)

    def take_in(self, player: Player, message: HostMessage) -> None:
        """A client takes in a message, and is compared with the truth."""
        lost = self.has_lost(player)
        received = player.state.receive(message)
        self.judge(player, received, lost=lost)
        held = player.state.status.game_state
        if held is not None and held.round_hash and not lost and held.view is not None:
            site, number = self.sites.index(player.site), held.view.score.number
            here = site, held.lobby.term, held.game_id, number
            if held.view.phase in {Phase.DEAL, Phase.OVER}:  # its gold is divided
                assert self.told.setdefault(here, held.round_hash) == held.round_hash, "other words"
        if (
            held is not None
            and not held.round_hash
            and held.view is not None
            and held.view.score.number
        ):
            away = held.view.score.number in held.deals.missed
            assert away or held.deals.lost_steps, "no words, and no reason"
        if received.news or received.events or received.renewed:
            self.compare(player)
        self.say(player, *received.send)
        self.note(player, received)

    @staticmethod
    def judge(player: Player, received: Received, *, lost: bool) -> None:
        """Fail if a message made a program accuse somebody, or tell of a loss without `lost`."""
        audit, refused = received.audit, received.refused
        assert not received.disagreed, "the two sides disagree"
        assert audit is None or not audit.mismatches, "the audit accuses the host"
        assert not received.false_draws, "a false draw"
        assert refused is None or refused.reason is not Refusal.ILLEGAL, "it was legal in view"
        assert lost or not received.lost_steps, "a table that lost nothing has gone back"
        player.losses += received.lost_steps > 0
        assert audit is None or player.losses or not audit.lost_steps, "a loss that was none"

    def has_lost(self, player: Player) -> bool:
        """Whether the table may tell somebody that steps are gone."""
        return player.site.lost

    def note(self, player: Player, received: Received) -> None:
        """Do what else follows from a message; here nothing does."""

    def compare(self, player: Player) -> None:
        """See whether somebody holds what the host says they should."""
        held = player.state.status.game_state
        assert held is not None
        true = player.site.truth[held.step]
        self.compared += 1
        assert held.lobby == true.lobby
        assert held.talk == true.talk
        assert held.view == true.view(true.lobby.seat_of(player.state.status.member))

    def ping(self, player: Player) -> None:
        """The heartbeat of a client's shell."""
        self.later(2.0, partial(self.ping, player))
        if player.state.entered:
            self.say(player, player.state.ping())

    def start_again(self, player: Player) -> None:
        """A client's program begins again."""
        player.state, player.losses = self.start_client(player.state.name, player.state.watch), 0

    # A game.

    def run(self) -> None:
        """Play until the game is over for all."""
        self.later(0.5, partial(self.tick, self.sites[0]))
        self.later(self.rng.uniform(0, 5), self.mishap)
        for player in self.players:
            self.later(self.rng.uniform(0, 2), partial(self.dial, player))
            self.later(2.0, partial(self.ping, player))
            self.later(0.5, partial(self.think, player))
        while not self.is_over():
            self.now, _, what = heapq.heappop(self.queue)
            assert self.now < LONGEST, "the game is stuck"
            what()
        self.check_journal()

    def is_over(self) -> bool:
        """Whether the game is over, and every client knows: a table without anybody stops, too."""
        used = {line.site for line in self.lines.values()}
        (site, *more) = [site for site in self.sites if site.is_up and site in used] or self.sites
        if more or site.room.state.phase is not Phase.OVER or site.waiting:
            return False
        return all(
            player.site is site
            and player.state.status.game_state is not None
            and player.state.status.game_state.incarnation == site.room.incarnation
            and player.state.status.game_state.step == site.room.state.number
            and player.state.status.view is not None
            and not player.state.commands
            for player in self.players
        )

    # The players.

    def think(self, player: Player) -> None:
        """A player looks at the table and does what is due, or what comes to mind."""
        self.later(self.rng.uniform(0.05, 0.6), partial(self.think, player))
        client = player.state
        if not client.entered or client.status.game_state is None or client.lost:
            return
        pending = client.commands
        if any(not isinstance(command.request, ask.Chat) for command in pending):
            return
        if self.rng.random() < 0.01:
            words = ask.Chat("digging 金 " * self.rng.randint(1, 8))
            topic = self.rng.choice((Topic.GOLD_AT, Topic.DIGS_AGAINST_US, Topic.BLUFF))
            claim = ask.MakeClaim(TableClaim(topic, self.rng.randrange(3)))
            self.say(player, *client.request(self.rng.choice((words, claim))))
        view, lobby, seat = client.status.view, client.status.game_state.lobby, client.status.seat
        if view is not None and seat is not None and view.to_act == seat:
            if not lobby.paused and self.rng.random() > 0.01:
                move = BOTS[player.level](view, self.rng, Playouts(0))
                self.say(player, *client.request(client.status.move_request(move)))
        elif seat is not None and (view is None or view.phase is Phase.DEAL):
            chair = lobby.chairs[seat]
            if isinstance(chair, Taken) and not chair.ready:
                self.say(player, *client.request(ask.SetReady(ready=True)))
        elif seat is None and view is not None and view.phase is Phase.DEAL:
            bots = [at for at, chair in enumerate(lobby.chairs) if not isinstance(chair, Taken)]
            if bots and self.rng.random() < 0.5:
                self.say(player, *client.request(ask.Sit(self.rng.choice(bots))))
        if client.status.is_host:
            self.preside(player)

    def preside(self, host: Player) -> None:
        """What the host does."""
        client, rng = host.state, self.rng
        assert client.status.game_state is not None
        lobby, view = client.status.game_state.lobby, client.status.view
        if lobby.stage is TablePhase.LOBBY:
            free = lobby.first_free()
            expected = sum(not player.state.watch for player in self.players)
            if len(lobby.sitting) < expected:
                return
            if free is not None and (free < 3 or rng.random() < 0.3):
                self.say(host, *client.request(ask.PutBot(free, f"bot {free}", host.level)))
            elif all(chair.ready for chair, _ in lobby.sitting):
                self.say(host, *client.request(ask.Start()))
        elif lobby.paused or rng.random() < 0.005:
            self.say(host, *client.request(ask.Pause(not lobby.paused)))
        elif view is not None and view.phase is Phase.DEAL and rng.random() < 0.1:
            self.say(host, *client.request(ask.NextRound()))
        elif rng.random() < 0.01:
            changed = Settings(
                edition=lobby.settings.edition,
                rounds=lobby.settings.rounds,
                seats=lobby.settings.seats,
                youngest=lobby.settings.youngest,
                absent=rng.choice(tuple(Absence)),
                turn_seconds=rng.choice((0, 2)),
            )
            self.say(host, *client.request(ask.ChangeSettings(changed)))
        elif rng.random() < 0.01:
            watching = [person for person in lobby.people if lobby.seat_of(person.member) is None]
            bots = [at for at, chair in enumerate(lobby.chairs) if not isinstance(chair, Taken)]
            if watching and bots:
                want = ask.HandOver(rng.choice(bots), rng.choice(watching).member)
                self.say(host, *client.request(want))

    # Mishaps.

    def mishap(self) -> None:
        """Something goes wrong with a connection, a laptop, the disk or the host."""
        rng = self.rng
        self.later(rng.expovariate(1 / self.calm), self.mishap)
        player = rng.choice(self.players)
        kind = rng.random()
        if kind < 0.45 and player.line is not None:
            self.cut(player.line)
        elif kind < 0.65:
            self.dial(player)
        elif kind < 0.75 and player.line is not None and not player.away:
            self.close_lid(player)
        elif kind < 0.85:
            self.crash(self.sites[-1])
        elif kind < 0.92 and self.sites[-1].room.disk is DiskStatus.OK:
            self.fill_disk(self.sites[-1])
        elif kind < 0.97:
            self.start_again(player)
            for line in tuple(self.lines.values()):
                if line.player is player:  # a connection ends with its program
                    self.cut(line)

    def close_lid(self, player: Player) -> None:
        """A laptop sleeps without goodbye for some seconds, and wakes with another address."""
        assert player.line is not None
        line, player.line, player.away = player.line, None, True
        player.state.end_connection()

        def wake() -> None:
            player.away = False
            self.cut(line)
            self.dial(player)

        self.later(self.rng.uniform(1, 25), wake)

    def fill_disk(self, site: Site) -> None:
        """The disk is full for some seconds."""
        self.deliver(site, inputs.note_disk(site.room, self.now, DiskStatus.FULL))
        life, unsaved = site.life, self.rng.random() < 0.3
        disk = DiskStatus.UNSAVED if unsaved else DiskStatus.OK

        def free_disk() -> None:
            if life == site.life:
                site.unsaved = unsaved
                self.deliver(site, inputs.note_disk(site.room, self.now, disk))
                for _ in range(len(site.waiting)):
                    self.write_one(site, life)

        self.later(self.rng.uniform(0.5, 12), free_disk)

    # The end.

    def has_lost_part(self, player: Player) -> bool:
        """Whether a program missed a round of a game that moved, or its gold was drawn again."""
        held = player.state.status.game_state
        assert held is not None
        assert held.view is not None
        seat, moves = held.view.seat, held.lobby.relocations
        is_anew = any(move.anew and seat in (None, *move.anew) for move in moves)
        return len(self.sites) > 1 and (held.past is None or is_anew)

    def check_journal(self) -> None:
        """No command is in the journal twice, and played again it leads to the same table."""
        site = self.players[0].site
        assert site.unsaved or len(site.disk) == site.room.written
        steps = [read_step(payload) for payload in site.disk]
        self.claims = [
            event for step in steps for event in step.news if isinstance(event, BotClaimed)
        ]
        done = [(step.by, step.id) for step in steps if step.id]
        assert len(done) == len(set(done))
        again = self.resume_room(site).state
        assert not steps or again == site.truth[again.number]
        for player in self.players:
            self.compare(player)
            assert player.state.status.game_state is not None
            assert player.state.status.game_state.record or self.has_lost_part(player)
