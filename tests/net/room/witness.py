"""All that a program says against the host: nothing, where all programs are honest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from net.client.session import Received
from net.client.state import ClientState
from net.protocol.messages import Refusal


def accusations(received: Received) -> Iterator[str]:
    """Yield what a message of the host makes a program say against the host or another player."""
    if received.disagreed:
        yield f"the two sides disagree: {received.disagreed}"
    if received.audit is not None:
        yield from (f"the audit found: {one}" for one in received.audit.mismatches)
    yield from (f"a false draw of round {number}" for number in received.false_draws)
    if received.refused is not None and received.refused.reason is Refusal.ILLEGAL:
        yield "a move that was legal in view was refused"


@dataclass(eq=False)
class Witness:
    """What one run of a program was told: `dealt` are the rounds dealt before it came.

    `losses` are the times at which it was told that the table has gone back.
    """

    state: ClientState
    dealt: int | None = None
    losses: int = 0
    audits: int = 0

    def judge(self, received: Received, *, lost: bool) -> None:
        """Fail if a message made the program accuse somebody, or tell of a loss without `lost`."""
        state = self.state
        said = list(accusations(received))
        assert not said, said
        assert lost or not received.gone, "a table that lost nothing has gone back"
        self.losses += received.gone > 0
        view = state.status.view
        if self.dealt is None and state.status.game_state is not None:
            self.dealt = 0 if view is None else view.score.number
        if received.audit is not None:
            self.audits += 1
            assert self.losses or not received.audit.gone, "a loss that was none"
