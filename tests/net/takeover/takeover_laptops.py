"""Laptops of a simulated table, their programs and disks, the time, and what connects them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from net.client.draws import OwnShare
from net.client.log_copy import SavedCopy
from net.client.state import ClientState
from net.protocol.evening import EveningPlan
from net.protocol.lobby import Absence, Settings
from net.protocol.lobby_events import HostChanged
from net.protocol.messages import ClientCommand, ClientMessage
from net.protocol.requests import ReportMissing
from net.room import inputs
from net.room.room import Room
from net.room.state import TableCreated, write
from net.room.succession import incarnation_in
from net.secure.keys import SeatKey
from net.takeover.election import Election
from tests.net.takeover.accusations import Comparisons, Witness

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
    last_up: float = 0.0
    last_down: float = 0.0


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
    disk: SavedCopy | None = None
    written: SavedCopy | None = None
    writes: bool = False
    sealed_at: float | None = None
    witness: Witness = field(init=False)

    def __post_init__(self) -> None:
        self.witness = Witness(self.state)


@dataclass
class Laptops:
    """Laptops of one seed, what they run, and the network between them."""

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
    comparisons: Comparisons = field(init=False)

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
        self.comparisons = Comparisons(
            Random(self.seed),
            self.later,
            lambda: self.now,
            lambda: [player.witness for player in self.players],
            lambda one, other: self.reach(self.laptop_of(one), self.laptop_of(other)),
        )

    def laptop_of(self, witness: Witness) -> int:
        """The laptop on which a program runs."""
        return next(one.number for one in self.players if one.witness is witness)

    def room(self, term: int, disk: Iterable[bytes], life: int, host: int = 0) -> Room:
        """A table's process that opens what is on a disk."""
        return inputs.resume(
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
        if old.disk is not None:
            state.restore(old.disk)
        life = old.life + 1
        return Player(
            number, state, election, old.host, heard_at=self.now, life=life, disk=old.disk
        )

    # Time.

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Do something in so many seconds."""
        self.events += 1
        heapq.heappush(self.queue, (self.now + seconds, self.events, what))

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
        if last.room.opening is not None:  # sealed: how its steps hash, nobody knows
            assert len(last.disk) >= max(self.settled, default=0), "steps were lost"
            return
        for number, running in self.settled.items():
            assert last.room.past.hash_at(number) == running, f"step {number} was lost"

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
