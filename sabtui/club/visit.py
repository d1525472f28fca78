"""A player's way around a club: from its hall to its tables and back, without typing a code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Final, TypeAlias

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import OnUpdate, RunnableSession, Status, Update
from sabtui.app.launcher import state_folder
from sabtui.app.requests import Invitation, TableHandle

MakeSession: TypeAlias = Callable[[Credentials, OnUpdate, CredentialStore], RemoteSession]

DRAWN_PAUSE_S: Final = 5.0
"""Seconds from the draw until people's programs go to their tables: time to finish a sentence."""


class ClubVisit:
    """A player's visit to a place that may be a club; `make_session` makes the sessions there.

    Once the player has gone to a table of the club, the credentials are locked until the program
    ends: no other program enters with them.
    """

    def __init__(
        self, credentials: Credentials, store: CredentialStore, make_session: MakeSession
    ) -> None:
        self._credentials = credentials
        self._store = store
        self._make_session = make_session
        self._session: RemoteSession | None = None
        self._went = set[str]()  # tables of a night to which the player has been sent
        self._use = ExitStack()
        self._is_in_use = False

    @property
    def is_club(self) -> bool:
        """True once it is known to be a club, as the player has left its hall for a table."""
        return self._is_in_use

    def hall(self, invitation: Invitation | None = None) -> TableHandle:
        """Return the handle of the hall, or of the table found in place of a club."""
        return TableHandle(self._enter, invitation, club=self)

    def table(self, table: str, title: str, *, watch: bool = False) -> TableHandle:
        """Return the handle of a table, by its id and name; the player has been in the hall."""
        self._learn()
        if not self._is_in_use:
            self._is_in_use = True
            self._use.enter_context(self._store.using(self._credentials))
        credentials = self._credentials.for_table(table, title, watch=watch)
        for stored in self._store.list_stored():
            kept = stored.credentials
            if (kept.key, kept.table) == (credentials.key, table):
                credentials = replace(credentials, seen=kept.seen)
        return TableHandle(
            lambda on_update: self._make_session(credentials, on_update, self._store),
            club=self,
            in_club=True,
        )

    def find_way(self, update: Update) -> str:
        """Return the id of the table to which an update in the hall leads the player, "" for none.

        It is the table that they have opened, that an organiser has sent them to, or that they were
        drawn for in a night; the last of these is returned only once.
        """
        received, hall = update.received, update.status.hall
        if received is not None and received.opened:
            return received.opened
        if hall is None or hall.board.night is None:
            return ""
        player = hall.find_person(update.status.member)
        place = None if player.projector else hall.board.night.place_of(player.name)
        if place is None or place[1].is_over or place[1].id in self._went:
            return ""
        self._went.add(place[1].id)
        return place[1].id

    def sees_end(self, was: Status, now: Status) -> bool:
        """Return True once a night is over that the player watched or took part in."""
        before, after = (
            None if status.hall is None else status.hall.board.night for status in (was, now)
        )
        if after is None or not after.is_over:
            return False
        has_seen = bool(self._went) or (before is not None and not before.is_over)
        self._went.clear()
        return has_seen

    def _enter(self, on_update: OnUpdate) -> RunnableSession:
        self._learn()
        self._session = self._make_session(self._credentials, on_update, self._store)
        return self._session

    def _learn(self) -> None:
        if self._session is not None:
            self._credentials = self._session.credentials


def stage_store() -> CredentialStore:
    return CredentialStore(state_folder() / "stages")


def watch_table(
    credentials: Credentials, on_update: OnUpdate, store: CredentialStore
) -> RemoteSession:
    return RemoteSession(credentials, on_update, store, is_projector=True)
