"""A place at a table for a program: `join` finds the table, and the program follows it.

It is the session that Sabtui's own screens use, so the connection is kept up, and replaced when it
fails. Seats are kept apart from those of the person at this computer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from engine.moves import Move
from engine.view import View
from net.client.credentials import CredentialStore
from net.client.remote import RemoteSession
from net.client.session import ConnectionState, Status, Update
from net.protocol.lobby import Lobby, clean_text
from net.protocol.requests import Chat, Request, SetReady
from net.protocol.text import clean_name
from net.secure.code import BadCode, RoomCode
from net.tasks import finish
from sabtui.app import autopilot, errors, joining, launcher, requests
from sabtui.text.connection import why_ended
from sabtui.text.network import bad_code

SEATS_FOLDER: Final = "programs"
"""Folder of the seats that programs have, beside those of the person at this computer."""


class JoinedTable:
    """A table that `join` has joined. `async for` yields each `Update`, until the visit ends.

    The first one has the table as it was found. A method that asks for something does not wait:
    a later update has the answer, and `update.received.refused` if the table refuses.
    """

    def __init__(self, session: RemoteSession, updates: asyncio.Queue[Update | None]) -> None:
        self._session = session
        self._updates = updates
        self._found: Update | None = None
        self._acted = 0, 0

    @property
    def status(self) -> Status:
        """All that is known of the table."""
        return self._session.status

    @property
    def lobby(self) -> Lobby:
        """The people, the seats and the settings."""
        assert self.status.lobby is not None, "`join` has waited for it"
        return self.status.lobby

    @property
    def view(self) -> View | None:
        """All that is known of the game, `None` before it has begun."""
        return self.status.view

    @property
    def farewell(self) -> str:
        """The sentence on how the visit ended, empty before that."""
        return why_ended(self.status.ending) if self._is_ended else ""

    @property
    def is_asked_ready(self) -> bool:
        """True if the table waits for this seat to be ready, once for each step of the table."""
        return self._may_ask and autopilot.must_say_ready(self.status)

    @property
    def is_to_move(self) -> bool:
        """True if it is this seat's turn, once for each step of the table."""
        return self._may_ask and autopilot.may_move(self.status)

    def say_ready(self) -> None:
        """Say that one is ready for the game, or for the next round."""
        self.request(SetReady(ready=True))

    def play(self, move: Move) -> None:
        """Make a move, such as one of `view.legal_moves()`."""
        self.request(self.status.move_request(move))

    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        self.request(Chat(clean_text(text)))

    def request(self, request: Request) -> None:
        """Ask the table for anything that there is in `net.protocol.requests`."""
        self._acted = self._step
        self._session.request(request)

    async def enter(self) -> None:
        """Wait until the table is known. Raises `UserError` if it is not to be."""
        while self._found is None or self._found.status.lobby is None:
            self._found = await self._updates.get()
            if self._found is None or self._is_ended:
                raise errors.UserError(why_ended(self.status.ending))

    def __aiter__(self) -> JoinedTable:
        return self

    async def __anext__(self) -> Update:
        update, self._found = self._found, None
        update = update or await self._updates.get()
        if update is None:
            raise StopAsyncIteration
        return update

    @property
    def _is_ended(self) -> bool:
        return self.status.connection is ConnectionState.ENDED

    @property
    def _step(self) -> tuple[int, int]:
        held = self.status.game_state
        return (0, 0) if held is None else (held.incarnation, held.step)

    @property
    def _may_ask(self) -> bool:
        status = self.status
        is_connected = status.connection is ConnectionState.CONNECTED
        return is_connected and not status.unanswered and self._acted != self._step


@asynccontextmanager
async def join(
    at: str = "", *, name: str, code: str = "", watch: bool = False
) -> AsyncIterator[JoinedTable]:
    """Join a table, to `watch` or to sit, and leave it for now at the end.

    `at` is its name or address as people type it, empty for the only one on this network. Who comes
    again under the same `name` has the same seat.

    Raises `UserError`, whose text is one sentence: there is no such table, or it lets nobody in.
    """
    try:
        wanted = requests.JoinRequest(
            clean_name(name), at, RoomCode.parse(code) if code else None, watch, claims_name=True
        )
    except BadCode as error:
        raise errors.UserError(bad_code(error)) from error
    store = CredentialStore(launcher.state_folder() / SEATS_FOLDER)
    credentials = joining.credentials_for(await joining.find(at), wanted, store)
    updates = asyncio.Queue[Update | None]()
    session = RemoteSession(credentials, updates.put_nowait, store)
    running = asyncio.create_task(session.run())
    running.add_done_callback(lambda _: updates.put_nowait(None))
    table = JoinedTable(session, updates)
    try:
        await table.enter()
        yield table
    finally:
        session.leave()
        await finish(_end(running))


async def _end(running: asyncio.Task[None]) -> None:
    """Wait until a session has ended; raise what it raised, which is a bug."""
    await running
