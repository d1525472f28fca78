"""A table for tests in sentences: people by name, what they want, and what they are told.

No time passes and nothing is lost unless a test says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import count
from random import Random
from typing import TypeVar

from msgspec import structs

from engine import Game, Move, View
from engine.bots import BOTS, Playouts, greedy
from engine.cards import Role
from engine.dealing import Deal
from net.client.audit import Audit
from net.client.draws import OwnShare
from net.client.session import Received
from net.client.state import ClientState
from net.client.trail import GameState
from net.protocol import messages
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, Message, pack
from net.protocol.game_wire import read_view
from net.protocol.lobby import Chair, Lobby, Presence, Settings
from net.protocol.lobby_events import LobbyEvent
from net.protocol.messages import ClientMessage, HostMessage, Refusal
from net.protocol.requests import PutBot, SetReady, Start, TableRequest
from net.room import inputs
from net.room.bots import BotMoveRequest
from net.room.effects import CloseConnection, Effects, Output, SendFrame
from net.room.room import Room
from net.room.steps import TableCreated, write

SEED = bytes(range(32))

MessageT = TypeVar("MessageT", bound=Message)


def key_of(name: str) -> bytes:
    """The seat key of a person."""
    return name.encode().ljust(32, b"\0")[:32]


def shares_of(name: str) -> Callable[[], bytes]:
    """The shares of a person's program, the same in each test."""
    numbers = count()
    return lambda: sha256(f"{name} {next(numbers)}".encode()).digest()


class Guest:
    """Somebody with a client at the table, and all they were sent."""

    def __init__(self, name: str, connection: int, *, watch: bool) -> None:
        self.name = name
        self.connection = connection
        self.client = ClientState(name, watch, share=OwnShare(shares_of(name)))
        self.got: list[HostMessage] = []
        self.received: list[Received] = []
        self.ended = False

    def find(self, kind: type[MessageT]) -> list[MessageT]:
        """The messages of a kind that they were sent."""
        return [message for message in self.got if isinstance(message, kind)]

    @property
    def numbered(self) -> list[messages.NumberedFrame]:
        """The steps they were told, and their snapshots."""
        return [
            message
            for message in self.got
            if isinstance(message, messages.StepFrame | messages.Snapshot)
        ]

    @property
    def audits(self) -> list[Audit]:
        """The audits that their program has made by itself."""
        return [heard.audit for heard in self.received if heard.audit is not None]

    @property
    def member(self) -> int:
        """Their number at the table."""
        return self.client.status.member

    @property
    def held(self) -> GameState:
        """What their program holds of the table."""
        assert self.client.status.game_state is not None
        return self.client.status.game_state

    @property
    def sent(self) -> list[ClientMessage]:
        """All that their program has answered."""
        return [message for heard in self.received for message in heard.send]

    @property
    def disagreed(self) -> bool:
        """Whether their program held something else than its host, at any time."""
        return any(heard.disagreed for heard in self.received)

    @property
    def lost_steps(self) -> list[int]:
        """How many steps their program was told that the table has lost, each time."""
        return [heard.lost_steps for heard in self.received if heard.lost_steps]

    @property
    def view(self) -> View:
        """What their program holds of the game."""
        assert self.client.status.view is not None
        return self.client.status.view

    @property
    def news(self) -> list[LobbyEvent]:
        """All lobby events that they were told of, in frames."""
        return [event for frame in self.find(messages.StepFrame) for event in frame.lobby_events]

    @property
    def refusals(self) -> list[Refusal]:
        """What they were refused."""
        return [heard.refused.reason for heard in self.received if heard.refused is not None]

    def forget(self) -> None:
        """Lose what their program held of the table."""
        self.client.status = replace(self.client.status, game_state=None)

    @property
    def farewell(self) -> messages.CloseReason | None:
        """Why their connection was ended."""
        last = self.got[-1] if self.got else None
        return last.reason if isinstance(last, messages.Closing) else None


class Table:
    """A room with the host Ann in it, and whoever comes.

    `holds` are kinds of messages that are held back if these people say them, `changes` is what
    becomes of what they say otherwise.
    """

    def __init__(self, settings: Settings | None = None, seed: bytes = SEED) -> None:
        created = TableCreated("Gold Rush", key_of("Ann"), settings or Settings(seats=3, rounds=1))
        self.kept = write(created)
        self.seed = seed
        self.room = Room(created, 1, lambda: self.seed, 0.0)
        self.now = 0.0
        self.connections = 0
        self.connected: dict[int, Guest] = {}
        self.people: dict[str, Guest] = {}
        self.disk: list[bytes] = []
        self.deals: dict[bytes, Deal] = {}
        self.coming: deque[Output] = deque()
        self.at_doors: set[str] = set()
        self.holds: dict[str, tuple[type[ClientMessage], ...]] = {}
        self.held_back: list[tuple[Guest, ClientMessage]] = []
        self.changes: dict[str, Callable[[ClientMessage], ClientMessage]] = {}

    @property
    def game(self) -> Game:
        """The game, with every secret."""
        assert self.room.state.game is not None
        return self.room.state.game

    @property
    def turn(self) -> BotMoveRequest:
        """The move that a bot has to make now."""
        turn = self.room.bot_turn()
        assert turn is not None
        return turn

    @property
    def lobby(self) -> Lobby:
        """Who is there."""
        return self.room.lobby

    def deal_these(self, deals: Sequence[Deal]) -> Callable[[bytes, int, int, Sequence[int]], Deal]:
        """What deals these, round by round, whatever is drawn; earlier games stay as they were."""
        return lambda seed, number, _players, _gold: self.deals.setdefault(seed, deals[number - 1])

    def apply(self, effects: Effects) -> Effects:
        """Do what came of something."""
        self.disk += [step.payload for step in effects.steps]
        idle = not self.coming
        self.coming += effects.do
        while idle and self.coming:  # what answers lead to comes after what is under way
            self.deliver(self.coming[0])
            self.coming.popleft()
        return effects

    def deliver(self, do: Output) -> None:
        """Do one thing that came of something."""
        match do:
            case SendFrame(connections, message):
                for connection in connections:
                    self.receive(self.connected[connection], message)
            case CloseConnection(connection):
                self.connected[connection].ended = True

    def receive(self, connected: Guest, message: HostMessage) -> None:
        """Somebody receives a message, and their program answers."""
        told = self.message_for(connected, message)
        connected.got.append(told)
        received = connected.client.receive(told)
        connected.received.append(received)
        for answer in received.send:
            self.say(connected, answer)

    def message_for(self, connected: Guest, message: HostMessage) -> HostMessage:
        """What the host sends to somebody; an honest one sends what its room decided."""
        del connected
        return message

    def say(self, connected: Guest, message: ClientMessage) -> Effects:
        """A guest says something; how long it is tells nothing."""
        if isinstance(message, self.holds.get(connected.name, ())):
            self.held_back.append((connected, message))
            return Effects()
        if connected.name in self.changes:
            message = self.changes[connected.name](message)
        length = 4100 if isinstance(message, messages.Knowledge) else 260
        assert len(pack(message, MAX_CLIENT_FRAME_BYTES)) == length
        return self.apply(inputs.receive(self.room, self.now, connected.connection, message))

    def let_go(self) -> None:
        """Let all say what was held back."""
        held, self.holds, self.held_back = self.held_back, {}, []
        for connected, message in held:
            self.say(connected, message)

    def presence(self, name: str) -> Presence:
        """How far somebody is there, as all are told."""
        return self.lobby.find_person(self.people[name].member).presence

    def ready(self, *names: str) -> None:
        """People say that they are ready."""
        for name in names:
            assert self.wants(name, SetReady(ready=True)) is None

    def come_all(self, *names: str) -> None:
        """People come, in this order."""
        for name in names:
            self.come(name)

    def drop(self, name: str) -> None:
        """Somebody's connection breaks, and their program knows."""
        guest = self.people[name]
        self.apply(inputs.drop_connection(self.room, self.now, guest.connection))
        guest.ended = True
        guest.client.end_connection()

    def bot_moves(self) -> None:
        """A bot makes its due move."""
        turn = self.turn
        move = BOTS["random"](turn.view, Random(0), Playouts(0))
        self.apply(inputs.make_bot_move(self.room, self.now, turn, move))

    def near(
        self, name: str, *, watch: bool = False, address: str = "", key: bytes | None = None
    ) -> Guest:
        """Somebody's connection is trusted, and they have not entered yet."""
        self.connections += 1
        number, at_door = self.connections, name in self.at_doors
        guest = self.connected[number] = Guest(name, number, watch=watch)
        came = key or key_of(name), address, at_door
        self.apply(inputs.add_connection(self.room, self.now, number, *came))
        return guest

    def come(
        self,
        name: str,
        *,
        watch: bool = False,
        key: bytes | None = None,
        is_projector: bool = False,
    ) -> Guest:
        """Somebody comes, or comes back, on a new connection."""
        guest = self.near(name, watch=watch, key=key)
        if name in self.people:
            guest.client = self.people[name].client
        guest.client.projector = is_projector
        guest.client.at_door = name in self.at_doors
        self.people[name] = guest
        self.say(guest, guest.client.begin_connection())
        return guest

    def ask(self, connected: Guest) -> None:
        """A guest's program asks for a snapshot."""
        for message in connected.client._resync().send:
            self.say(connected, message)

    def wants(self, name: str, wanted: TableRequest) -> Refusal | None:
        """Somebody wants something: why not, or `None` where it was done."""
        guest = self.people[name]
        before = len(guest.find(messages.CommandRefused))
        for message in guest.client.request(wanted):
            self.say(guest, message)
        refused = guest.find(messages.CommandRefused)[before:]
        return refused[0].reason if refused else None

    def plays(self, name: str, move: Move) -> Refusal | None:
        """Somebody makes a move."""
        return self.wants(name, self.people[name].client.status.move_request(move))

    def command(self, name: str, number: int, wanted: TableRequest) -> HostMessage:
        """Somebody says a command with this id; the first answer."""
        connected = self.people[name]
        before = len(connected.got)
        self.say(connected, messages.ClientCommand(number, wanted))
        return connected.got[before]

    def wait(self, seconds: float, *silent: str) -> None:
        """Let time pass, with the heartbeats of all but some."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + 0.5)
            for name, connected in self.people.items():
                if name not in silent and not connected.ended:
                    self.say(connected, connected.client.ping())
            self.apply(inputs.tick(self.room, self.now))

    def name_to_act(self) -> str:
        """Whose turn it is: who came by that name, whatever they are called now."""
        seat = self.game.to_act
        assert seat is not None
        seats = self.lobby.seats
        came = (
            name
            for name, person in self.people.items()
            if seats.get(person.client.status.member) == seat
        )
        return next(came, self.lobby.name_at(seat))

    def move(self, level: str = "random", rng: Random | None = None) -> Move:
        """A legal move of whoever is to move."""
        game = self.game
        return BOTS[level](game.view(game.to_act), rng or Random(0), Playouts(0))

    def crash(self) -> None:
        """Kill the host and bring it back from its disk."""
        self.resume()
        self.apply(inputs.reopen(self.room, self.now))

    def resume(self) -> None:
        """Kill the host and bring it back, up to the moment at which its room is opened again."""
        incarnation = self.room.incarnation + 1
        self.room = inputs.resume(self.kept, self.disk, incarnation, lambda: self.seed, self.now)
        for connected in self.people.values():
            connected.ended = True
            connected.client.end_connection()


def set_hash(snapshot: messages.Snapshot) -> messages.Snapshot:
    """The same with the hash that its receiver works out."""
    view = None
    if snapshot.public is not None and snapshot.own is not None:
        view = read_view(snapshot.public, snapshot.own, snapshot.history)
    return structs.replace(snapshot, hash=messages.hash_of_all(snapshot.lobby, view))


def awaiting(client: ClientState) -> ClientState:
    """A client that has asked for a snapshot."""
    assert client._resync().send == (messages.Resync(),)
    return client


def three_in_lobby(settings: Settings | None = None) -> Table:
    """Ann the host, Ben and Cleo in the lobby, all ready, and Wim who watches."""
    table = Table(settings)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        table.ready(name)
    table.come("Wim", watch=True)
    return table


def three_in_game(settings: Settings | None = None) -> Table:
    """Ann, Ben and Cleo in their game, and Wim who watches."""
    table = three_in_lobby(settings)
    assert table.wants("Ann", Start()) is None
    return table


def play_on(table: Table, moves: int = 0, level: str = "", seed: int = 0) -> None:
    """Play this many moves by bots' advice, or until the round and its gold are done.

    Where it is to be done and no level is named, all dig for gold, saboteurs too: it soon ends.
    """
    rng = Random(seed)
    all_dig = not moves and not level
    for _ in range(moves or 1000):
        game = table.room.state.game
        assert game is not None
        if game.to_act is None:
            return
        name = table.name_to_act()
        if name in table.people:
            view = game.view(game.to_act)
            move = dig(view, rng) if all_dig else table.move(level or "random", rng)
            assert table.plays(name, move) is None
        else:
            turn = table.turn
            bot = dig if all_dig else partial(BOTS[turn.level], budget=Playouts(0))
            move = bot(turn.view, rng)
            table.apply(inputs.make_bot_move(table.room, table.now, turn, move))


def three_after_moves(
    moves: int, settings: Settings | None = None, *, level: str = "random"
) -> Table:
    """The same after this many moves by bots' advice."""
    table = three_in_game(settings)
    play_on(table, moves, level)
    return table


def dig(view: View, rng: Random) -> Move:
    """Return the move of somebody who digs for gold, whatever they are."""
    return greedy(view._replace(role=Role.MINER), rng, Playouts(0))


def seat_bots(table: Table, seats: Sequence[int]) -> None:
    """Put bots on some chairs."""
    for seat in seats:
        assert table.wants("Ann", PutBot(seat, f"Bot {seat}", "random")) is None


def chair(table: Table, seat: int) -> Chair:
    """One of its chairs."""
    return table.lobby.chairs[seat]
