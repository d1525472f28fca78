"""The status of a session, published: what remote and local sessions share.

Each message of the host, and each change of the connection, becomes one update of the user
interface.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from net.client.audit import Audit
from net.client.session import (
    Comparison,
    ConnectionState,
    Disagreement,
    Ending,
    OnUpdate,
    Received,
    Status,
    Update,
)
from net.client.state import ClientState
from net.protocol.lobby import THE_HOSTS_COMPUTER
from net.protocol.messages import HostMessage


class StatusPublisher:
    """Publishes the status of a client's state: calls `on_update` once for each change.

    `report` writes down a disagreement between host and client, or an audit with mismatches, and
    returns the report's path.
    """

    def __init__(
        self,
        state: ClientState,
        on_update: OnUpdate,
        report: Callable[[Disagreement | Audit], str] = lambda _trouble: "",
    ) -> None:
        self.state = state
        self._report = report
        self._published = state.status
        self._on_update = on_update

    @property
    def status(self) -> Status:
        """The present status."""
        return self.state.status

    def receive(self, message: HostMessage) -> Received:
        """Handle one message of the host, publish the change, and return what came of it.

        Raises BadFrame: the message violates the protocol.
        """
        received = self.state.receive(message)
        trouble: Disagreement | Audit | None = received.disagreed
        if received.audit is not None and received.audit.mismatches:
            trouble = received.audit
        if trouble is not None:
            received = replace(received, report=self._report(trouble))
        self.publish(received)
        return received

    def set_connection(
        self, connection_state: ConnectionState, ending: Ending | None = None
    ) -> None:
        """Publish the state of the connection; once it is ENDED, it stays so."""
        if self.status.connection is not ConnectionState.ENDED:
            self.set_status(replace(self.status, connection=connection_state, ending=ending))

    def set_far_away(self, *, far: bool) -> None:
        """Publish whether the host counts the player at its computer, from which they are `far`."""
        lobby, member = self.status.lobby, self.status.member
        person = None if lobby is None else lobby.person(member)
        is_wrong = (
            far
            and lobby is not None
            and person is not None
            and person.computer == THE_HOSTS_COMPUTER
            and member != lobby.host
            and lobby.seat_of(member) is not None
        )
        if is_wrong is not self.status.misplaced:
            self.set_status(replace(self.status, misplaced=is_wrong))

    def tell_comparison(self, compared: Comparison) -> None:
        """Publish what came of comparing the end of a round with other programs."""
        self.state.status = replace(self.status, compared=compared)
        self.publish(Received(comparison=compared))

    def set_status(self, status: Status) -> None:
        """Publish another status, of which the caller has changed a part."""
        self.state.status = status
        self.publish()

    def publish(self, received: Received | None = None) -> None:
        """Publish the present status, unless nothing has changed."""
        if self.status != self._published or received not in (None, Received()):
            self._published = self.status
            self._on_update(Update(self.status, received))
