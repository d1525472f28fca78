"""A session in a thread of its own, with its own event loop.

A terminal that takes no more text, or a user interface that is busy, then never delays the
heartbeats.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from engine import Move
from net.client.session import ConnectionState, OnUpdate, Session, Status, Update
from net.protocol.messages import Request


class RunnableSession(Session, Protocol):
    """A session that has to be run in an event loop."""

    async def run(self) -> None:
        """Run the session until it has ended."""
        ...


class SessionThread:
    """Runs a session in a thread, from `start` until it has ended.

    `make` is called in the thread, in its event loop; its argument is the callback that the session
    calls with each update. `on_update` is called in the thread too: it must only pass the update
    on. If the session raises, which is a bug, `join` raises the same.
    """

    def __init__(self, make: Callable[[OnUpdate], RunnableSession], on_update: OnUpdate) -> None:
        self._make = make
        self._on_update = on_update
        self._status = Status()
        self._seat: RunnableSession | None = None
        self._loop = asyncio.new_event_loop()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="seat", daemon=True)

    @property
    def status(self) -> Status:
        """The status of the last update."""
        return self._status

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def request(self, want: Request) -> None:
        """Send a request to the host."""
        self._call_soon(lambda session: session.request(want))

    def play(self, move: Move) -> None:
        """Request a move in the turn that is in view."""
        self._call_soon(lambda session: session.play(move))

    def go_on(self) -> None:
        """Continue at a table that was rolled back."""
        self._call_soon(lambda session: session.go_on())

    def leave(self) -> None:
        """Close the connection."""
        self._call_soon(lambda session: session.leave())

    def join(self, seconds: float | None = None) -> None:
        """Wait until the session has ended, at most `seconds`; raise what the session raised."""
        self._thread.join(seconds)
        if self._failure is not None:
            raise self._failure

    def _call_soon(self, do: Callable[[RunnableSession], None]) -> None:
        def done() -> None:
            if self._seat is not None:
                do(self._seat)

        with suppress(RuntimeError):  # the loop is closed: the session has ended
            self._loop.call_soon_threadsafe(done)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._main())
        except Exception as error:  # noqa: BLE001 - whatever it is, `join` raises it
            self._failure = error
            self._notify(Update(Status(ConnectionState.ENDED)))

    async def _main(self) -> None:
        self._seat = self._make(self._notify)
        await self._seat.run()

    def _notify(self, update: Update) -> None:
        self._status = update.status
        self._on_update(update)
