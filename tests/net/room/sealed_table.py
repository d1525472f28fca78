"""A table whose journal is sealed, for tests: everybody at it has a real seat key."""

from __future__ import annotations

from hashlib import sha256

from engine import Phase
from net.protocol.lobby import Settings
from net.protocol.lobby_events import HostChanged
from net.protocol.messages import HostMessage, TableSealed
from net.protocol.requests import PutBot, SetReady, Start
from net.room import inputs
from net.room.computers import UNKNOWN, Origin
from net.room.effects import Effects
from net.room.room import Room
from net.room.state import Step, TableCreated, read_step, write
from net.room.succession import incarnation_in
from net.secure.keys import SeatKey
from tests.net.room.room_fixture import Guest, Table, play_on

ROUNDS = Settings(seats=5, rounds=2)


def seat_key(name: str) -> SeatKey:
    """The whole seat key of a person."""
    return SeatKey(sha256(name.encode()).digest())


class SealedTable(Table):
    """A table with a sealed journal, at which everybody has a real seat key."""

    def __init__(self, settings: Settings = ROUNDS) -> None:
        super().__init__(settings)
        created = TableCreated("Gold Rush", seat_key("Ann").public, settings)
        self.kept = write(created)
        self.room = Room(created, 1, lambda: self.seed, 0.0, seals=True)
        self.deaf = False

    def happen(self, effects: Effects) -> Effects:
        for step in effects.steps:
            for number, payload in step.rewritten:
                self.disk[number - 1] = payload
            self.disk.append(step.payload)
        return super().happen(replace_steps(effects))

    def hear(self, connected: Guest, message: HostMessage) -> None:
        if not self.deaf:
            super().hear(connected, message)

    def come(
        self,
        name: str,
        *,
        watch: bool = False,
        key: bytes | None = None,
        origin: Origin = UNKNOWN,
    ) -> Guest:
        if name not in self.people:
            self.people[name] = Guest(name, 0, watch=watch)
            self.people[name].client.key = seat_key(name)
        return super().come(name, watch=watch, key=key or seat_key(name).public, origin=origin)

    def kill(self, elected: HostChanged | None = None) -> None:
        """Kill the host, and bring it back from its disk as far as that goes by itself.

        If somebody was elected, that is at their computer.
        """
        life = self.room.incarnation + 1 if elected is None else incarnation_in(elected.term, 1)
        self.room = inputs.resume(
            self.kept, self.disk, life, lambda: self.seed, self.now, seals=True, elected=elected
        )
        for guest in self.people.values():
            guest.ended = True
            guest.client.end_connection()
        self.happen(inputs.reopen(self.room, self.now))

    @property
    def steps(self) -> list[Step]:
        """The steps as they lie in the journal."""
        return [read_step(payload) for payload in self.disk]

    def last_news(self, name: str) -> TableSealed:
        """What somebody was last told of the sealed table."""
        return [one for one in self.people[name].got if isinstance(one, TableSealed)][-1]

    def is_open(self) -> bool:
        """Whether the table has opened."""
        return self.room.state.game is not None


def replace_steps(effects: Effects) -> Effects:
    """The same without its steps, which are on disk."""
    return Effects((), effects.do, effects.after, effects.finished, effects.go_unsaved)


def seat_people(*names: str, settings: Settings = ROUNDS, moves: int = 7) -> SealedTable:
    """A table at which these people play, and bots on the other chairs, some moves on."""
    table = SealedTable(settings)
    for name in names:
        table.come(name)
    for seat in range(len(names), settings.seats):
        assert table.wants("Ann", PutBot(seat, f"Bot {seat}", "random")) is None
    for name in names:
        assert table.wants(name, SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    play_on(table, moves)
    return table


def member(name: str) -> int:
    """The number of a member, who came in alphabetical order."""
    return ord(name[0]) - ord("A") + 1


def play_on_with_stand_ins(table: SealedTable) -> None:
    """Play on until the round is over; bots stand in for those who are away."""
    table.wait(15, *(name for name, guest in table.people.items() if guest.ended))
    for _ in range(300):
        game = table.room.state.game
        assert game is not None
        if game.phase is not Phase.PLAY:
            return
        name = table.name_to_act()
        if name in table.people and not table.people[name].ended:
            assert table.plays(name, table.move()) is None
        else:
            turn = table.room.bot_turn()
            assert turn is not None
            table.happen(inputs.make_bot_move(table.room, table.now, turn, table.move()))
    raise AssertionError("the round does not end")
