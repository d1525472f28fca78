"""A player's way around a club: from its hall to its tables and back, without typing a code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from net.client.credentials import Credentials, CredentialStore
from net.client.hall import HallSession, at_table
from net.client.session import OnUpdate, RunnableSession
from net.protocol.hall import HallRequest
from sabtui.app.requests import TableHandle

MakeSession = Callable[[Credentials, OnUpdate, CredentialStore], RunnableSession]


class ClubVisit:
    """A player's visit of a club, by the credentials for it; `make_session` makes those at tables.

    The credentials are in use until the program ends.
    """

    def __init__(
        self, credentials: Credentials, store: CredentialStore, make_session: MakeSession
    ) -> None:
        self._credentials = credentials
        self._store = store
        self._make_session = make_session
        self._session: HallSession | None = None
        self._went = set[str]()  # tables of a night to which the player was led already
        self._use = ExitStack()

    def hall(self) -> TableHandle:
        """Return the handle of the hall."""
        return TableHandle(self._make_hall, club=self)

    def table(self, table: str, title: str, *, watch: bool = False) -> TableHandle:
        """Return the handle of a table, by its id and name; the player has been in the hall."""
        self._learn()
        credentials = at_table(self._credentials, table, title, watch=watch)
        for stored in self._store.list_stored():
            kept = stored.credentials
            if (kept.key, kept.table) == (credentials.key, table):
                credentials = replace(credentials, seen=kept.seen)
        return TableHandle(
            lambda on_update: self._make_session(credentials, on_update, self._store),
            club=self,
            in_club=True,
        )

    def ask(self, request: HallRequest) -> None:
        """Ask the club for something, from the hall: a table, or what an organiser may."""
        if self._session is not None:
            self._session.ask(request)

    def _make_hall(self, on_update: OnUpdate) -> RunnableSession:
        self._learn()
        if self._session is None:
            self._use.enter_context(self._store.using(self._credentials))
        self._session = HallSession(self._credentials, on_update, self._store, went=self._went)
        return self._session

    def _learn(self) -> None:
        """Go on with what the last time in the hall has told."""
        if self._session is not None:
            self._credentials = self._session.credentials
