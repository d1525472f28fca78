"""Laptops whose hosts die and whose network falls apart, and a table that goes on, in one process.

Time is simulated, all chance is of one seed, and there are as many hosts as there were elections.
Whatever happens: no two hosts have one term, no step is lost that more than half of the players'
programs had in their copies, and once all laptops are back together the game is played to its end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from engine import Phase
from engine.bots import BOTS, Playouts
from net.client.copy_format import CopyWrite, SavedUpTo, due_write, read_copy
from net.client.draws import OwnShare
from net.client.election import Election
from net.client.election_acts import Act, ElectionMessage, Follow, KeepPledge, Say, TakeOver
from net.client.state import ClientState
from net.lobby.evening import EveningPlan
from net.lobby.events import HostChanged
from net.lobby.model import Absence, Settings, Stage
from net.lobby.permissions import why_not
from net.lobby.succession import (
    ALARM_AFTER_S,
    WARN_AFTER_S,
    electors,
    incarnation_in,
    is_majority,
    is_outnumbered,
)
from net.protocol.election import ElectorsTold, HandingOver, Mandate, Standby, Superseded
from net.protocol.messages import ClientCommand, ClientMessage, HostMessage, KeyShareGiven
from net.protocol.requests import NextRound, PlayAgain, ReportMissing, SetReady, Start
from net.room.copies import keeps_copy, outlives_program
from net.room.effects import CloseConnection, Effects
from net.room.room import Room
from net.room.state import TableCreated, write
from net.security.keys import SeatKey

LONGEST_S = 4_000.0
"""Simulated seconds after which a game counts as stuck."""

TABLE = "0123456789abcdef"


def key_of(number: int) -> SeatKey:
    """The seat key of a player."""
    return SeatKey(number.to_bytes(32, "big"))


def is_report(message: ClientMessage) -> bool:
    """Whether a program tells of moves that the table has lost."""
    return isinstance(message, ClientCommand) and isinstance(message.request, ReportMissing)


@dataclass(eq=False)
class Host:
    """A table's process on a laptop, and its disk."""

    term: int
    laptop: int
    room: Room
    disk: list[bytes]
    runs: bool = True
    superseded: bool = False
    lives: int = 1


@dataclass(eq=False)
class Line:
    """A connection of a program to a host's process; once a frame is lost, nothing comes on it."""

    number: int
    host: Host
    player: Player
    up: bool = True
    broken: bool = False


@dataclass(eq=False)
class Player:
    """Somebody's laptop and program. It keeps what is in its credentials when it is restarted."""

    number: int
    state: ClientState
    election: Election
    host: Host
    line: Line | None = None
    heard_at: float = 0.0
    stood_by: bool = False
    links: set[int] = field(default_factory=set)
    on: bool = True
    steps: int = 0
    copied: int = -1
    life: int = 0
    disk: bytes = b""
    saved: SavedUpTo | None = None
    writes: bool = False
    sealed_at: float | None = None


@dataclass
class World:
    """One game of one seed."""

    seed: int
    people: int = 0
    absent: Absence | None = None
    evening: EveningPlan | None = None
    now: float = 0.0
    queue: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    events: int = 0
    hosts: list[Host] = field(default_factory=list)
    lines: dict[tuple[int, int], Line] = field(default_factory=dict)
    groups: list[int] = field(default_factory=list)
    heard: dict[tuple[int, bytes], set[int]] = field(default_factory=dict)
    settled: dict[int, bytes] = field(default_factory=dict)
    calm: bool = False
    deaf: set[int] = field(default_factory=set)
    unreachable: set[int] = field(default_factory=set)
    gone_for_good: set[int] = field(default_factory=set)
    share_loss: float = 0.0
    open_failure: float = 0.0
    takeovers: int = 0
    handed_over: int = 0
    undone: int = 0
    waits: list[float] = field(default_factory=list)
    gone_at: float | None = None

    def __post_init__(self) -> None:
        self.rng = rng = Random(self.seed)
        people = self.people or rng.choice((3, 3, 4, 5))
        settings = Settings(
            rounds=rng.choice((1, 2, 3)),
            seats=people,
            absent=self.absent or rng.choice(tuple(Absence)),
            evening=self.evening,
        )
        self.founding = write(TableCreated("Gold Rush", key_of(0).public, settings))
        self.hosts = [Host(0, 0, self.room(0, (), 1), [])]
        self.players = [self.player(number) for number in range(people)]
        self.groups = [0] * people

    def room(self, term: int, disk: Iterable[bytes], life: int, host: int = 0) -> Room:
        """A table's process that opens what is on a disk."""
        return Room.resume(
            self.founding,
            disk,
            incarnation_in(term, life),
            lambda: self.rng.randbytes(32),
            self.now,
            seals=True,
            table=TABLE,
            elected=HostChanged(host, term) if host else None,
        )

    def player(self, number: int, old: Player | None = None) -> Player:
        """A program that begins, with what an earlier one wrote down."""
        key = key_of(number)
        share = OwnShare(lambda: self.rng.randbytes(32))
        state = ClientState(f"player {number}", key=key, share=share)
        election = Election(key, state.copy, fingerprint=bytes([number]) * 32)
        if old is None:
            return Player(number, state, election, self.hosts[0])
        opening = old.election.pledge.opening
        has_opened = any((host.laptop, host.term) == (number, opening) for host in self.hosts)
        election.restore(old.election.standing, has_opened=has_opened)
        state.bound = election.pledge.bound
        saved = read_copy(old.disk)
        if saved is not None:
            state.restore(saved)
        life = old.life + 1
        return Player(
            number, state, election, old.host, heard_at=self.now, life=life, disk=old.disk
        )

    # Time.

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Do something in so many seconds."""
        self.events += 1
        heapq.heappush(self.queue, (self.now + seconds, self.events, what))

    def begin(self) -> None:
        """Switch everything on."""
        self.later(0.5, self.tick)
        for player in self.players:
            self.later(self.rng.uniform(0, 1), partial(self.dial, player.number))
            self.later(0.25, partial(self.watch, player.number))
            self.later(2.0, partial(self.ping, player.number))
            self.later(0.5, partial(self.think, player.number))

    def run_until(self, happens: Callable[[], bool]) -> None:
        """Let time pass until something is so."""
        while not happens():
            self.now, _, what = heapq.heappop(self.queue)
            assert self.now < LONGEST_S, f"stuck: {self.where()}"
            what()

    def run_for(self, seconds: float) -> None:
        """Let so much time pass."""
        until = self.now + seconds
        self.run_until(lambda: self.now >= until)

    def check_settled(self) -> None:
        """See that the table has all that more than half had in their copies."""
        last = self.newest()
        if last.room._opening is not None:  # sealed: how its steps hash, nobody knows
            assert len(last.disk) >= max(self.settled, default=0), "steps were lost"
            return
        for number, running in self.settled.items():
            assert last.room._table.marks.hash_at(number) == running, f"step {number} was lost"

    def where(self) -> str:
        """How things stand, for a game that is stuck."""
        hosts = [(one.term, one.laptop, one.runs, one.superseded) for one in self.hosts]
        told = [
            (one.number, one.host.term, one.election.term, one.election.pledge, one.steps,
             one.state.status.sealed, one.line is not None)
            for one in self.players
        ]  # fmt: skip
        return f"{hosts} {told}"

    def newest(self) -> Host:
        """The host of the highest term."""
        return max(self.hosts, key=lambda one: one.term)

    def is_over(self) -> bool:
        """Whether the game is over, and all who are still there know."""
        room = self.newest().room
        if not self.calm or room.state.phase is not Phase.OVER or not self.is_last():
            return False
        here = [player for player in self.players if player.number not in self.gone_for_good]
        held = [player.state.status.game_state for player in here]
        return all(
            one is not None and one.running == room.state.running and one.record for one in held
        )

    def is_last(self) -> bool:
        """Whether the present game is the last of the evening."""
        return self.evening is None or self.newest().room.lobby.evening.is_over(self.evening)

    @staticmethod
    def key_of(number: int) -> bytes:
        """The public seat key of a player."""
        return key_of(number).public

    def reach(self, one: int, other: int) -> bool:
        """Whether two laptops are on and connected."""
        on = self.players[one].on and self.players[other].on
        return on and (one == other or self.groups[one] == self.groups[other])

    def delay(self) -> float:
        """How long a message takes."""
        return self.rng.choice((0.001, 0.005, 0.03))

    # Hosts.

    def tick(self) -> None:
        """The hosts' clocks, and their bots."""
        self.later(0.5, self.tick)
        for host in self.hosts:
            if host.runs:
                self.happen(host, host.room.tick(self.now))
                turn = host.room.bot_turn()
                if turn is not None:
                    move = BOTS["greedy"](turn.view, self.rng, Playouts(0))
                    self.happen(host, host.room.bot_moved(turn, move, self.now))

    def happen(self, host: Host, effects: Effects) -> None:
        """Write what came of something, and send it."""
        for step in effects.steps:
            for number, payload in step.rewritten:
                host.disk[number - 1] = payload
            host.disk.append(step.payload)
        for do in effects.do:
            if isinstance(do, CloseConnection):
                self.later(0.01, partial(self.cut_number, host, do.connection))
                continue
            for number in do.connections:
                line = self.lines.get((id(host), number))
                if line is not None:
                    self.later(self.delay(), partial(self.arrive, line, do.message))
        if effects.finished:
            host.runs = False

    def cut_number(self, host: Host, number: int) -> None:
        """A host ends a connection."""
        line = self.lines.get((id(host), number))
        if line is not None:
            self.cut(line)

    def arrive(self, line: Line, message: HostMessage) -> None:
        """A frame reaches its client, if there is a way."""
        player = line.player
        line.broken |= not self.reach(line.host.laptop, player.number)
        if line.up and player.line is line and not line.broken and player.number not in self.deaf:
            player.heard_at = self.now
            self.take_in(player, line, message)

    def kill(self, host: Host) -> None:
        """A table's process is killed."""
        host.runs = False
        for line in [one for one in self.lines.values() if one.host is host]:
            self.cut(line)
        if self.gone_at is None:
            self.gone_at = self.now

    def resume(self, host: Host) -> None:
        """A table's process is brought back from its disk."""
        if host.runs or host.superseded or not self.players[host.laptop].on:
            return
        host.lives += 1
        member = self.players[host.laptop].election.member if host.term else 0
        elected = member if host.term > self.term_on(host) else 0
        host.room = self.room(host.term, host.disk, host.lives, elected)
        host.runs = True
        self.happen(host, host.room.reopen(self.now))

    def term_on(self, host: Host) -> int:
        """The term that the log on a disk has reached."""
        return self.room(0, host.disk, 1).lobby.term

    # Players and their hosts.

    def dial(self, number: int) -> None:
        """Connect to the host that is followed, if that is allowed and possible."""
        player, host = self.players[number], self.players[number].host
        bound = player.election.pledge.bound > host.term
        if bound or not host.runs or not self.reach(number, host.laptop):
            return
        if player.line is not None:
            player.line.up = False
        line = Line(self.events, host, player)
        self.events += 1
        self.lines[id(host), line.number] = line
        player.line, player.stood_by, player.heard_at = line, False, self.now
        player.state.disconnected()
        self.happen(host, host.room.arrive(line.number, key_of(number).public, self.now))
        self.say(player, player.state.connected())

    def cut(self, line: Line) -> None:
        """A connection ends, and both sides know."""
        line.up = False
        self.lines.pop((id(line.host), line.number), None)
        line.host.room.lost(line.number, self.now)
        if line.player.line is line:
            line.player.line = None
            line.player.state.disconnected()

    def say(self, player: Player, *messages: ClientMessage) -> None:
        """Send something to the host."""
        line = player.line
        for message in messages:
            if line is not None:
                self.later(self.delay(), partial(self.hear, line, message))

    def hear(self, line: Line, message: ClientMessage) -> None:
        """A frame reaches the host, if there is a way."""
        line.broken |= not self.reach(line.host.laptop, line.player.number)
        line.broken |= isinstance(message, KeyShareGiven) and self.rng.random() < self.share_loss
        if line.up and line.host.runs and not line.broken:
            self.happen(line.host, line.host.room.receive(line.number, message, self.now))

    def take_in(self, player: Player, line: Line, message: HostMessage) -> None:
        """A client takes in a message."""
        received = player.state.receive(message)
        assert not received.disagreed, "the two sides disagree"
        if player.state.status.undone is not None:
            player.state.go_on()
        self.undone += sum(is_report(one) for one in received.send)
        self.say(player, *received.send)
        match received.for_electors:
            case ElectorsTold(table, known):
                player.election.told(table, known)
            case HandingOver(member):
                player.election.call(member, self.now)
            case None:
                pass
        lobby, election = player.state.status.lobby, player.election
        if lobby is None:
            return
        election.member = player.state.status.member
        election.follow(lobby.term, lobby.host)
        if (
            not player.stood_by
            and keeps_copy(lobby, player.state.status.member)
            and player.state.entered
        ):
            player.stood_by = True
            self.say(player, Standby(election.fingerprint, 1, (bytes(4),)))
        self.save(player, line.host)

    def save(self, player: Player, host: Host) -> None:
        """Bring a copy on disk up to date, as `CopyKeeper` does, one write after the other."""
        held, copy = player.state.status.game_state, player.state.copy
        assert held is not None
        phase = None if held.view is None else held.view.phase
        if not outlives_program(held.lobby, player.state.status.member, phase) or not copy.last:
            player.disk, player.saved = b"", None
        elif copy.last == held.step and not player.writes:
            due = due_write(player.saved, copy, TABLE, held.running)
            if due is not None:
                player.writes = True
                self.later(self.delay(), partial(self.wrote, player, host, due))

    def wrote(self, player: Player, host: Host, due: CopyWrite) -> None:
        """The disk has a write, unless the laptop is off by now: then it may have a part of it."""
        player.writes = False
        if self.players[player.number] is not player:
            return
        if not player.on:
            cut = self.rng.randint(0, len(due.data))
            player.disk += b"" if due.anew else due.data[:cut]
            return
        player.disk = due.data if due.anew else player.disk + due.data
        player.saved = due.saved
        self.note_copy(player, host)
        self.save(player, host)

    def note_copy(self, player: Player, host: Host) -> None:
        """Note which steps more than half have in their copies on disk."""
        copy, lobby, saved = player.state.copy, player.state.status.lobby, player.saved
        assert lobby is not None
        if copy.term != host.term or saved is None or saved.revision != copy.revision:
            return  # it is renewed, and what it has is of another host
        if player.copied != host.term:
            player.copied, player.steps = host.term, 0
        for number in range(player.steps + 1, saved.last + 1):
            running = host.room._table.marks.hash_at(number)
            those = self.heard.setdefault((number, running), set())
            those.add(player.state.status.member)
            if is_majority(those, electors(lobby)):
                assert self.settled.setdefault(number, running) == running
        player.steps = max(player.steps, saved.last)

    def ping(self, number: int) -> None:
        """The heartbeat."""
        self.later(2.0, partial(self.ping, number))
        player = self.players[number]
        if player.on and (player.state.entered or player.state.status.sealed):
            self.say(player, player.state.ping())

    def watch(self, number: int) -> None:
        """What a program does all the time: look for its host, or for another."""
        self.later(0.25, partial(self.watch, number))
        player = self.players[number]
        if not player.on:
            return
        silent = self.now - player.heard_at
        if player.line is None or silent >= ALARM_AFTER_S:
            self.dial(number)
        lobby, election = player.state.status.lobby, player.election
        outnumbered = lobby is not None and is_outnumbered(lobby)
        is_sealed = player.state.status.sealed is not None
        waits = outnumbered or is_sealed
        player.sealed_at = (player.sealed_at or self.now) if is_sealed else None
        worried = silent >= WARN_AFTER_S or player.line is None or waits or election.is_bound
        worried = worried or election.called is not None
        wanted = {one.member for one in election.successors} if worried else set()
        for member in wanted | player.links:
            there = self.owner(member)
            linked = member in player.links
            may = self.reach(number, there) and there not in {number, *self.unreachable}
            if member in wanted and not linked and may:
                player.links.add(member)
                self.do(player, election.linked(member))
            elif linked and not (member in wanted and self.reach(number, there)):
                player.links.discard(member)
                election.unlinked(member)
                self.players[there].election.left(election.member)
        alarmed = silent >= ALARM_AFTER_S or outnumbered
        sealed = player.sealed_at is not None and self.now - player.sealed_at >= ALARM_AFTER_S
        self.do(player, election.tick(self.now, alarmed=alarmed, sealed=sealed))

    def owner(self, member: int) -> int:
        """The laptop of a member."""
        return next(one.number for one in self.players if one.election.member == member)

    def do(self, player: Player, acts: Iterable[Act]) -> None:
        """Do what an election asks for."""
        for act in acts:
            match act:
                case Say(member, message):
                    other = self.owner(member)
                    ours, theirs = player.life, self.players[other].life
                    there = partial(self.told, player.number, ours, other, theirs, message)
                    self.later(self.delay(), there)
                case KeepPledge(pledge):
                    player.state.bound = pledge.bound
                case TakeOver(mandate, log):
                    disk, founding = list(log.steps), log.founding
                    assert founding == self.founding
                    opens = partial(self.open, player, player.life, mandate, disk)
                    self.later(self.rng.uniform(0.3, 1.5), opens)
                case Follow(elected):
                    self.follow(player, elected.mandate.term)

    def told(self, by: int, ours: int, to: int, theirs: int, message: ElectionMessage) -> None:
        """A message reaches another program, if there is a way and both still run."""
        one, other = self.players[by], self.players[to]
        if (one.life, other.life) == (ours, theirs) and self.reach(by, to):
            self.do(other, other.election.receive(one.election.member, message, self.now))

    def open(self, player: Player, life: int, mandate: Mandate, disk: list[bytes]) -> None:
        """The process of an elected host has started."""
        if not player.on or player.life != life:
            return
        if self.rng.random() < self.open_failure:
            self.do(player, player.election.give_up())
            return
        term, member = mandate.term, mandate.member
        assert all(host.term != term for host in self.hosts), "two hosts of one term"
        host = Host(term, player.number, self.room(term, disk, 1, member), disk)
        self.hosts.append(host)
        self.takeovers += 1
        if self.gone_at is not None:
            self.waits.append(self.now - self.gone_at)
            self.gone_at = None
        self.happen(host, host.room.reopen(self.now))
        self.do(player, player.election.opened(mandate, 1, ()))
        self.has_opened(host)

    def has_opened(self, host: Host) -> None:
        """A table has gone on: a place for what may go wrong next."""

    def follow(self, player: Player, term: int) -> None:
        """Go to a new host, and tell our own old one that it is over."""
        for host in self.hosts:
            if host.laptop == player.number and host.term < term:
                host.superseded = True
                if host.runs:
                    connection, key = self.events, player.state.key
                    self.events += 1
                    assert key is not None
                    self.happen(host, host.room.arrive(connection, key.public, self.now))
                    leaving = Superseded(term)
                    self.happen(host, host.room.receive(connection, leaving, self.now))
                    host.runs = False
        if player.line is not None:
            self.cut(player.line)
        player.host = next(host for host in self.hosts if host.term == term)
        player.heard_at = self.now
        self.dial(player.number)

    # Playing.

    def think(self, number: int) -> None:
        """A player does what is due."""
        self.later(self.rng.uniform(0.2, 1.5), partial(self.think, number))
        player = self.players[number]
        client = player.state
        if not player.on or not client.entered or client.lost or client.pending:
            return
        lobby, view = client.status.lobby, client.status.view
        if lobby is None:
            return
        if lobby.stage is Stage.LOBBY:
            is_host = client.status.member == lobby.host
            want = Start() if is_host else SetReady(ready=True)
            may = why_not(lobby, view, client.status.member, want) is None
            if may and (is_host or not lobby.is_ready(client.status.member)):
                self.say(player, *client.request(want))
        elif view is not None and view.phase is Phase.OVER:
            again = PlayAgain()
            if why_not(lobby, view, client.status.member, again) is None and not self.is_last():
                self.say(player, *client.request(again))
        elif view is not None and view.phase is Phase.DEAL:
            if not lobby.is_ready(client.status.member):
                self.say(player, *client.request(SetReady(ready=True)))
            elif client.status.member == lobby.host and self.rng.random() < 0.1:
                self.say(player, *client.request(NextRound()))
        elif view is not None and view.to_act == client.status.seat and not is_outnumbered(lobby):
            self.say(
                player,
                *client.request(
                    client.status.move_request(BOTS["greedy"](view, self.rng, Playouts(0)))
                ),
            )

    # Power and cables.

    def switch_off(self, player: Player, seconds: float) -> None:
        """A laptop loses its power, and comes back after a while, with what was on its disk."""
        if not player.on:
            return
        for host in self.hosts:
            if host.laptop == player.number and host.runs:
                self.kill(host)
        if player.line is not None:
            self.cut(player.line)
        player.on = False

        def back() -> None:
            if not player.on and player.number not in self.gone_for_good:
                self.players[player.number] = self.player(player.number, player)

        self.later(seconds, back)

    def join(self) -> None:
        """The network is whole again."""
        self.groups = [0] * len(self.players)
