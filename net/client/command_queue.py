"""Commands to the host, kept until they are answered.

Each has an id. Those that have no answer yet are sent again after a reconnect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from net.protocol.messages import ClientCommand
from net.protocol.requests import MakeMove, TableRequest


@dataclass(frozen=True, slots=True)
class CommandQueue:
    """The commands that have no answer yet, `pending` by their ids, and the last id given."""

    pending: Mapping[int, ClientCommand] = field(default_factory=dict)
    last_id: int = 0

    def add(self, want: TableRequest) -> CommandQueue:
        """Return the queue with a command that has the next id, which is then the last."""
        number = self.last_id + 1
        return CommandQueue({**self.pending, number: ClientCommand(number, want)}, number)

    def without(self, number: int) -> CommandQueue:
        """Return the queue after the answer to a command."""
        return replace(
            self, pending={one: old for one, old in self.pending.items() if one != number}
        )

    def without_moves(self) -> CommandQueue:
        """Return the queue without moves."""
        kept = {
            number: old
            for number, old in self.pending.items()
            if not isinstance(old.request, MakeMove)
        }
        return replace(self, pending=kept)

    def after(self, last: int) -> CommandQueue:
        """Return the queue without the commands up to this id, which the host has handled.

        Some may have been sent by an earlier run of this program, so later ids begin after it.
        """
        left = {number: old for number, old in self.pending.items() if number > last}
        return CommandQueue(left, max(self.last_id, last))
