"""A session in a thread of its own, with its own event loop.

A terminal that takes no more text, or a user interface that is busy, then never delays the
heartbeats.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from net.client.session import ConnectionState, OnUpdate, RunnableSession, Status, Update
from net.protocol.requests import Request

FAILED: Final = Status(ConnectionState.ENDED)
"""The status of a session that a bug has ended, and nothing else."""


class SessionThread:
    """Runs a session in a thread, from `start` until it has ended.

    `make` makes the session, given the callback to call with each update: `on_update`, which is
    called in the thread, and must only pass the update on. If the session raises, which is a bug,
    `join` raises the same.
    """

    def __init__(self, make: Callable[[OnUpdate], RunnableSession], on_update: OnUpdate) -> None:
        self._on_update = on_update
        self._session = make(on_update)
        self._loop = asyncio.new_event_loop()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    @property
    def status(self) -> Status:
        """The present status."""
        return self._session.status if self._failure is None else FAILED

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def request(self, want: Request) -> None:
        """Send a request to the host."""
        with suppress(RuntimeError):  # the loop is closed: the session has ended
            self._loop.call_soon_threadsafe(self._session.request, want)

    def go_on(self) -> None:
        """Continue at a table that was rolled back."""
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._session.go_on)

    def leave(self) -> None:
        """Close the connection."""
        with suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self._session.leave)

    def join(self, seconds: float | None = None) -> None:
        """Wait until the session has ended, at most `seconds`; raise what the session raised."""
        self._thread.join(seconds)
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._session.run())
        except Exception as error:  # noqa: BLE001 - whatever it is, `join` raises it
            self._failure = error
            self._on_update(Update(FAILED))
