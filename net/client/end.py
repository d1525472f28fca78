"""What both kinds of seat share: the client's state, how its link stands, and who hears of it.

Knows no socket and no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from net.client.seat import Ending, Hear, Now, Standing, Update
from net.messages import FromClient, FromHost
from net.table_view import ClientState, Disagreement, Heard


class End:
    """A player's end of a link. `hear` is called with every change, once each.

    `report` writes down where the two sides differ, and returns the path of that.
    """

    def __init__(
        self,
        state: ClientState,
        hear: Hear,
        report: Callable[[Disagreement], str] = lambda _disagreement: "",
    ) -> None:
        self.state = state
        self._report = report
        self.now = Now()
        self.kept = True
        self._hear = hear

    def take(self, message: FromHost) -> tuple[FromClient, ...]:
        """Take in what the host says, tell of it, and return what to answer.

        Raises `BadFrame` where no honest host says it.
        """
        heard = self.state.receive(message)
        if heard.disagreed is not None:
            heard = replace(heard, report=self._report(heard.disagreed))
        self.tell(heard)
        return heard.send

    def stands(self, standing: Standing, ending: Ending | None = None) -> None:
        """Tell how the link stands, where it stands otherwise than before."""
        if self.now.standing not in (standing, Standing.ENDED):
            self.tell(None, standing, ending)

    def tell(
        self,
        heard: Heard | None = None,
        standing: Standing | None = None,
        ending: Ending | None = None,
    ) -> None:
        """Tell what is now, unless nothing has changed."""
        state = self.state
        now = Now(
            standing=self.now.standing if standing is None else standing,
            member=state.member,
            held=state.held,
            disk=state.disk,
            code=state.code,
            announced=state.announced,
            kept=self.kept,
            unanswered=len(state.wanted),
            ending=ending,
            undone=state.undone,
        )
        if now != self.now or heard not in (None, Heard()):
            self.now = now
            self._hear(Update(now, heard))
