"""Going on at this computer with a table whose host is gone, in a process of its own.

The player's program is asked to by the others (`net.client.election`), and starts the process as it
starts a table of its own. The log goes to it by a pipe, sealed as it is.
"""

from __future__ import annotations

import asyncio
import logging

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import OnUpdate, OpenedHere
from net.client.standby import Handover
from net.server.tables import journal_of
from sabtui.app.errors import UserError
from sabtui.app.launcher import give_up, start_table, state_folder
from sabtui.app.requests import SucceedRequest

_log = logging.getLogger(__name__)


class TableSuccessor:
    """Opens the tables of other hosts at this computer, for the player with these credentials."""

    def __init__(self, credentials: Credentials) -> None:
        self._code = credentials.code

    def has_opened(self, table: str, term: int) -> bool:
        """Return True if the table was opened here in that term."""
        return journal_of(table, term, state_folder() / "tables").exists()

    async def open(self, handover: Handover) -> OpenedHere | None:
        """Go on with a table in a process of its own; return `None` if that fails."""
        mandate, certificate = handover.mandate, handover.certificate
        request = SucceedRequest(
            table=handover.table,
            founding=handover.founding,
            steps=handover.steps,
            member=mandate.member,
            term=mandate.term,
            certificate=certificate.certificate,
            private_key=certificate.private_key,
            code="" if self._code is None else str(self._code),
        )
        try:
            opened = await asyncio.to_thread(start_table, request)
        except asyncio.CancelledError:
            give_up()
            raise
        except UserError as error:
            _log.warning("the table cannot go on here: %s", error)
            return None
        return OpenedHere(opened.port, opened.hosts, opened.code)


def session_at(
    credentials: Credentials, on_update: OnUpdate, store: CredentialStore
) -> RemoteSession:
    """Return the session of a player whose program may go on with the table."""
    return RemoteSession(credentials, on_update, store, successor=TableSuccessor(credentials))
