"""What programs tell each other when a host is gone: nothing of what a seat must not know (K).

Two tables do the same in public, and differ in cards, dwarves and goals. Their hosts go, their
programs elect another, and the games go on there: everything said on the way must be alike, but for
what is encrypted, and as long, in the same number and order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from engine.edition import EDITIONS
from net.client.log_copy import LogCopy
from net.protocol.election import Compare, Elected, Elector, Rally, Vote, VoteWanted
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.lobby import Settings
from net.protocol.lobby_events import HostChanged
from net.protocol.messages import KeyShareWanted, LogPart, LogWanted
from net.room import inputs
from net.room.succession import incarnation_in
from net.takeover.election import Election
from net.takeover.election_acts import (
    GRACE_S,
    Act,
    ElectionMessage,
    Follow,
    KeepPledge,
    Say,
    TakeOver,
)
from tests.net.room.sealed_table import ROUNDS, member, seat_key
from tests.net.room.twin_games import Script, plan, twin_script
from tests.net.room.twin_tables import (
    ME,
    PEOPLE,
    CopiedTable,
    as_long_to_all,
    make,
    messages_sent,
    perform,
    without_ciphers,
)
from tests.samples import first

pytestmark = pytest.mark.broad

TABLE = "0123456789abcdef"
BEHIND = ("Ben", "Cleo")
"""They missed the last steps, so that one of them has to take over the copy of another."""

LACKING = 5
MOVES_AFTER = 8
"""Moves of the round that are left to be made at the new host."""


class MovingTable(CopiedTable):
    """A table whose host goes, and what its people's programs tell each other then."""

    def __init__(self, settings: Settings = ROUNDS) -> None:
        super().__init__(settings)
        self.said: list[tuple[str, str, ElectionMessage]] = []
        self.elections: dict[str, Election] = {}
        self.voters: list[str] = []
        self.clock = 0.0
        self._coming: deque[tuple[str, str, ElectionMessage]] = deque()

    def move_house(self) -> None:
        """Let the host be gone, and its people go on."""
        self.voters = [person.name for _, person in self.lobby.sitting]
        self.elections = {name: self._election(name) for name in self.voters if name != "Ann"}
        for name in self.elections:
            self._do(name, self.elections[name].tick(0.0, alarmed=True))
        for name in self.elections:
            for other in self.elections:
                if other != name:
                    self._do(name, self.elections[name].note_link(member(other)))
        while self.lobby.term == 0:
            self._deliver()
            self.clock += GRACE_S
            assert self.clock < 20
            for name in self.elections:
                self._do(name, self.elections[name].tick(self.clock, alarmed=True))

    def _election(self, name: str) -> Election:
        client = self.people[name].client
        copy = client.copy if name not in BEHIND else beginning_of(client.copy)
        election = Election(seat_key(name), copy, member(name), TABLE, 0, host=member("Ann"))
        election.fingerprint = bytes([member(name)]) * 32
        election.set_electors(tuple(map(elector, self.voters)))
        return election

    def _do(self, name: str, acts: list[Act]) -> None:
        for act in acts:
            match act:
                case Say(to, message):
                    other = next(one for one in self.voters if member(one) == to)
                    assert not isinstance(message, Compare)
                    self.said.append((name, other, message))
                    self._coming.append((name, other, message))
                case TakeOver(_, mandate, _, steps):
                    self._open(name, list(steps))
                    self._do(name, self.elections[name].announce_table(mandate, 7341, (bytes(4),)))
                case KeepPledge() | Follow():
                    pass

    def _deliver(self) -> None:
        while self._coming:
            name, other, message = self._coming.popleft()
            if other in self.elections:
                acts = self.elections[other].receive(member(name), message, self.clock)
                self._do(other, acts)

    def _open(self, name: str, steps: list[bytes]) -> None:
        """Go on at the computer of an elected host; all but the old one come there."""
        self.disk = steps
        self.room = inputs.resume(
            self.kept,
            self.disk,
            incarnation_in(1, 1),
            lambda: self.seed,
            self.now,
            seals=True,
            table=TABLE,
            elected=HostChanged(member(name), 1),
        )
        for guest in self.people.values():
            guest.ended = True
            guest.client.end_connection()
        self.happen(inputs.reopen(self.room, self.now))
        for one in (*self.elections, "Wim"):
            self.come(one)


def elector(name: str) -> Elector:
    """An elector, whose program listens unless it is the host's."""
    listens = (bytes([member(name)]) * 32, 7350, (bytes(4),))
    return Elector(member(name), seat_key(name).public, *listens)


def beginning_of(copy: LogCopy) -> LogCopy:
    """A copy that lacks the last steps."""
    got, most = LogCopy(), copy.last - LACKING
    while got.last < most:
        part = copy.part(got.lacks_after or 0)
        room = most - (part.first - 1)
        got.take(LogPart(part.first, part.founding, part.steps[:room]), most)
    return got


def play_and_move(script: Script, monkeypatch: pytest.MonkeyPatch, seed: int) -> MovingTable:
    """Play a round short of its last moves, let the host go, and play on at the next."""
    before, after = script.moves[0][:-MOVES_AFTER], script.moves[0][-MOVES_AFTER:-1]
    script = replace(script, deals=script.deals[:1], moves=[before])
    table = perform(script, monkeypatch, seed, MovingTable)
    assert isinstance(table, MovingTable)
    for name in (*PEOPLE, "Wim"):
        table.come(name)
    table.wait(2.5)
    table.move_house()
    for move in after:
        table.wait(0.5)
        make(table, move)
    return table


def mask_encrypted(message: ElectionMessage) -> object:
    """A message of an election with zeroes for what is encrypted."""
    return without_ciphers(message) if isinstance(message, LogPart) else message


@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(8), thorough=2))
def test_cards_that_a_seat_never_saw_change_nothing_of_an_election_and_of_the_table_after_it(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "random", tuple(EDITIONS.values())[seed % len(EDITIONS)])
    one, two = (
        play_and_move(which, monkeypatch, seed) for which in (script, twin_script(script, ME, seed))
    )
    kinds = {type(message) for _, _, message in one.said}
    assert kinds >= {Rally, VoteWanted, Vote, LogWanted, LogPart, Elected}
    assert [(a, b, mask_encrypted(said)) for a, b, said in one.said] == [
        (a, b, mask_encrypted(said)) for a, b, said in two.said
    ]
    assert [len(pack(said, MAX_CLIENT_FRAME_BYTES)) for _, _, said in one.said] == [
        len(pack(said, MAX_CLIENT_FRAME_BYTES)) for _, _, said in two.said
    ]
    assert one.lobby.term == two.lobby.term == 1
    assert any(isinstance(message, KeyShareWanted) for message in messages_sent(one, PEOPLE[ME]))
    as_long_to_all(one, two)
    for name in (PEOPLE[ME], "Wim"):
        mine, theirs = (
            list(map(without_ciphers, messages_sent(table, name))) for table in (one, two)
        )
        assert mine == theirs
