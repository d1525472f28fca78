"""Questions that a table asks a person by itself, on screens: each stands until it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from net.client.session import Status
from net.protocol.requests import GoOnWithout, HandOver, LetBotMove, TableRequest
from net.room.waiting import LONG_TURN_S
from sabtui.text.moving import asking_sentence, bot_move_question, without_question


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question, and the request that a yes makes; Enter is none where much hangs on it."""

    text: str
    request: TableRequest
    takes_enter: bool = True


def due_questions(status: Status, waited: int = 0) -> tuple[TableQuestion, ...]:
    """Return the questions that this person can answer now, the most important first.

    The present turn has lasted for so many seconds as they have `waited`.
    """
    due = _questions(status, waited)
    return tuple(one for one in due if status.why_not(one.request) is None)


def _questions(status: Status, waited: int) -> Iterator[TableQuestion]:
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
    view = status.view
    if waited >= LONG_TURN_S and view is not None and view.to_act is not None:
        text = bot_move_question(lobby, view.to_act)
        yield TableQuestion(text, LetBotMove(), takes_enter=False)
