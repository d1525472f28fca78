"""A session in a thread of its own: what is asked of it, and how it ends."""

import asyncio

import pytest

from net.client.session import (
    ConnectionState,
    OnUpdate,
    RunnableSession,
    SessionThread,
    Status,
    Update,
)
from net.protocol.requests import Request, Start

TIMEOUT_S = 10.0


class Asked:
    """A session that runs until it is left, and keeps what was asked of it."""

    def __init__(self, on_update: OnUpdate) -> None:
        self.status = Status(ConnectionState.CONNECTED)
        self.asked: list[Request | str] = []
        self.on_update = on_update
        self.left = asyncio.Event()

    def request(self, want: Request) -> None:
        self.asked.append(want)

    def leave(self) -> None:
        self.left.set()

    async def run(self) -> None:
        await self.left.wait()
        self.status = Status(ConnectionState.ENDED)
        self.on_update(Update(self.status))


class Broken(Asked):
    """A session with a bug."""

    async def run(self) -> None:
        raise ZeroDivisionError


def test_what_is_asked_of_a_session_that_does_not_run_yet_is_done_in_order() -> None:
    made: list[Asked] = []
    updates: list[Update] = []

    def make(on_update: OnUpdate) -> RunnableSession:
        made.append(Asked(on_update))
        return made[-1]

    thread = SessionThread(make, updates.append)
    thread.request(Start())
    thread.leave()
    thread.start()
    thread.join(TIMEOUT_S)
    assert made[0].asked == [Start()]
    assert thread.status == Status(ConnectionState.ENDED)
    assert updates == [Update(thread.status)]


def test_a_session_that_has_ended_is_asked_in_vain() -> None:
    thread = SessionThread(Asked, lambda _update: None)
    thread.start()
    thread.leave()
    thread.join(TIMEOUT_S)
    thread.request(Start())
    thread.leave()
    assert thread.status.connection is ConnectionState.ENDED


def test_a_bug_in_a_session_is_told_as_its_end_and_raised_to_whom_joins_it() -> None:
    updates: list[Update] = []
    thread = SessionThread(Broken, updates.append)
    thread.start()
    with pytest.raises(ZeroDivisionError):
        thread.join(TIMEOUT_S)
    assert updates == [Update(Status(ConnectionState.ENDED))]
    assert thread.status == updates[0].status
