"""A room with seats on it in this process: what a host and its connections are to the app, whole.

The room decides as it does on a network. Who calls may be in any thread.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable

from net.client.session import ConnectionState, Ending, OnUpdate, Status
from net.client.state import ClientState, StatusPublisher
from net.protocol.lobby import Settings
from net.protocol.messages import ClientMessage
from net.protocol.requests import OwnRequest, Request
from net.room import inputs
from net.room.effects import Effects, SendFrame
from net.room.room import Room
from net.room.steps import TableCreated

HOST_KEY = bytes(32)


class RoomInProcess:
    """A table, and the seats of all who came."""

    def __init__(self, name: str = "Gold Rush", settings: Settings | None = None) -> None:
        created = TableCreated(name, HOST_KEY, settings or Settings())
        self.room = Room(created, 1, lambda: bytes(range(32)), time.monotonic())
        self.lock = threading.RLock()
        self.seats: dict[int, InnSeat] = {}

    def seat(
        self,
        name: str,
        on_update: OnUpdate,
        *,
        is_host: bool = False,
        watch: bool = False,
        is_projector: bool = False,
    ) -> InnSeat:
        """A seat that comes in once it is run, or told to."""
        with self.lock:
            connection = len(self.seats) + 1
            key = HOST_KEY if is_host else connection.to_bytes(32, "big")
            self.seats[connection] = seat = InnSeat(
                self, connection, key, ClientState(name, watch, is_projector), on_update
            )
            return seat

    def guest(self, name: str, *, watch: bool = False) -> InnSeat:
        """Somebody who comes in now, and whom the test speaks for."""
        seat = self.seat(name, lambda _update: None, watch=watch)
        seat.come()
        return seat

    def say(self, connection: int, messages: Iterable[ClientMessage]) -> None:
        """Take what a seat says, and give everybody what comes of it."""
        with self.lock:
            for message in messages:
                self.give(inputs.receive(self.room, time.monotonic(), connection, message))

    def give(self, effects: Effects) -> None:
        """Give everybody what the room sends."""
        for do in effects.do:
            if isinstance(do, SendFrame):
                for connection in do.connections:
                    received = self.seats[connection].publisher.receive(do.message)
                    self.say(connection, received.send)


class InnSeat:
    """One person's seat, to be run beside an app, or driven by a test."""

    def __init__(
        self,
        inn: RoomInProcess,
        connection: int,
        key: bytes,
        state: ClientState,
        on_update: OnUpdate,
    ) -> None:
        self.inn = inn
        self.connection = connection
        self.key = key
        self.publisher = StatusPublisher(state, on_update)
        self.left = asyncio.Event()
        self.requests: list[Request] = []

    @property
    def status(self) -> Status:
        """What is now."""
        return self.publisher.state.status

    def request(self, wanted: Request) -> None:
        """Want something of the table."""
        assert not isinstance(wanted, OwnRequest)
        with self.inn.lock:
            self.requests.append(wanted)
            self.inn.say(self.connection, self.publisher.state.request(wanted))

    def leave(self) -> None:
        """Let go."""
        self.left.set()

    def come(self) -> None:
        """Come in."""
        with self.inn.lock:
            inputs.add_connection(self.inn.room, time.monotonic(), self.connection, self.key)
            self.inn.say(self.connection, (self.publisher.state.begin_connection(),))
            self.publisher.set_connection(ConnectionState.CONNECTED)

    def over(self, why: Ending) -> None:
        """End it for good, as a host or a broken connection does."""
        self.publisher.set_connection(ConnectionState.ENDED, why)

    async def run(self) -> None:
        """Come in, and stay until one lets go."""
        self.come()
        await self.left.wait()
        self.publisher.set_connection(ConnectionState.ENDED)
