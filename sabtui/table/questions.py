"""Questions that a table asks a person by itself, on screens: each stands until it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from net.client.session import Status
from net.protocol.requests import GoOnWithout, HandOver, TableRequest
from sabtui.text.moving import asking_sentence, without_question


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question, and the request that a yes makes; Enter is none where much hangs on it."""

    text: str
    request: TableRequest
    takes_enter: bool = True


def due_questions(status: Status) -> tuple[TableQuestion, ...]:
    """Return the questions that this person can answer now, the most important first."""
    return tuple(one for one in _questions(status) if status.why_not(one.request) is None)


def _questions(status: Status) -> Iterator[TableQuestion]:
    lobby = status.lobby
    if lobby is None or status.silent:
        return
    if status.short:
        yield TableQuestion(without_question(lobby), GoOnWithout())
    if status.is_host:
        for one in lobby.deserted:
            for member in one.asks:
                text = asking_sentence(lobby, one.seat, member)
                yield TableQuestion(text, HandOver(one.seat, member), takes_enter=False)
