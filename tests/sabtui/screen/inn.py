"""A room with seats on it in this process: what a host and its links are to the app, whole.

The room decides as it does on a network. Who calls may be in any thread.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable

from engine import Move
from net.client.end import End
from net.client.seat import Ending, Hear, Now, Standing, Update
from net.lobby import Settings
from net.messages import FromClient, Want
from net.room import Founding, Outcome, Room, Send
from net.table_view import ClientState

HOST_KEY = bytes(32)


class Inn:
    """A table, and the seats of all who came."""

    def __init__(self, name: str = "Gold Rush", settings: Settings | None = None) -> None:
        founding = Founding(name, HOST_KEY, settings or Settings())
        self.room = Room(founding, 1, lambda: bytes(range(32)), time.monotonic())
        self.lock = threading.RLock()
        self.seats: dict[int, InnSeat] = {}

    def seat(self, name: str, hear: Hear, *, is_host: bool = False, watch: bool = False) -> InnSeat:
        """A seat that comes in once it is run, or told to."""
        with self.lock:
            link = len(self.seats) + 1
            key = HOST_KEY if is_host else link.to_bytes(32, "big")
            self.seats[link] = seat = InnSeat(self, link, key, ClientState(name, watch), hear)
            return seat

    def guest(self, name: str, *, watch: bool = False) -> InnSeat:
        """Somebody who comes in now, and whom the test speaks for."""
        seat = self.seat(name, lambda _update: None, watch=watch)
        seat.come()
        return seat

    def say(self, link: int, messages: Iterable[FromClient]) -> None:
        """Take what a seat says, and give everybody what comes of it."""
        with self.lock:
            for message in messages:
                self.give(self.room.receive(link, message, time.monotonic()))

    def give(self, outcome: Outcome) -> None:
        """Give everybody what the room sends."""
        for do in outcome.do:
            if isinstance(do, Send):
                self.say(do.link, self.seats[do.link].end.take(do.message))


class InnSeat:
    """One person's seat, to be run beside an app, or driven by a test."""

    def __init__(self, inn: Inn, link: int, key: bytes, state: ClientState, hear: Hear) -> None:
        self.inn = inn
        self.link = link
        self.key = key
        self.end = End(state, hear)
        self.left = asyncio.Event()
        self.wants: list[Want] = []

    @property
    def now(self) -> Now:
        """What is now."""
        return self.end.now

    def want(self, want: Want) -> None:
        """Want something of the table."""
        with self.inn.lock:
            self.wants.append(want)
            self.inn.say(self.link, self.end.state.want(want))

    def play(self, move: Move) -> None:
        """Make a move."""
        with self.inn.lock:
            self.inn.say(self.link, self.end.state.play(move))

    def go_on(self) -> None:
        """Go on at a table that has gone back."""
        self.end.state.go_on()
        self.end.tell()

    def leave(self) -> None:
        """Let go."""
        self.left.set()

    def come(self) -> None:
        """Come in."""
        with self.inn.lock:
            self.inn.room.arrive(self.link, self.key, time.monotonic())
            self.inn.say(self.link, (self.end.state.linked(),))
            self.end.stands(Standing.LINKED)

    def over(self, why: Ending) -> None:
        """End it for good, as a host or a broken link does."""
        self.end.tell(None, Standing.ENDED, why)

    async def run(self) -> None:
        """Come in, and stay until one lets go."""
        self.come()
        await self.left.wait()
        self.end.stands(Standing.ENDED)


class Shut:
    """A seat that never comes in: the table says why at once."""

    def __init__(self, why: Ending, hear: Hear) -> None:
        self.now = Now()
        self.why = why
        self.hear = hear

    def want(self, want: Want) -> None:
        """Nobody hears it."""

    def play(self, move: Move) -> None:
        """Nobody hears it."""

    def go_on(self) -> None:
        """Nobody hears it."""

    def leave(self) -> None:
        """It is over already."""

    async def run(self) -> None:
        """End."""
        self.now = Now(Standing.ENDED, ending=self.why)
        self.hear(Update(self.now))
