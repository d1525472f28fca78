"""The host's side of the draw of a round's seed (`net.room.seeds`): its steps, and the answers.

A round is drawn together if anybody but the host plays; otherwise the host's program deals alone,
as there is nobody to cheat. Answers that have arrived since the last step are only in memory: after
a restart of the host's program the clients send them again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from engine.dealing import commitment, draw_id
from net.protocol.lobby import SeedDraw, TablePhase
from net.protocol.lobby_events import (
    DrawBegan,
    GameBegins,
    RoundBegins,
    SharesCommitted,
    SharesShown,
    apply_all,
)
from net.protocol.messages import CommitShare, ShowShare
from net.room.seeds import DRAW_TIMEOUT_S, deal_basis, has_committed_to, make_nonce
from net.room.steps import Begin, DealNext, RoomState, Step

Seeds: TypeAlias = Callable[[], bytes]
"""Source of 32 random bytes, called for a round's seed or share, and when a code is drawn."""


@dataclass(slots=True)
class Answers:
    """Answers since the last step of a draw, by member; more are awaited until the time `until`."""

    until: float = 0.0
    given: dict[int, bytes] = field(default_factory=dict)

    def restart(self, now: float) -> None:
        self.given, self.until = {}, now + DRAW_TIMEOUT_S

    def extend(self, now: float, seconds: float = DRAW_TIMEOUT_S) -> None:
        self.until = max(self.until, now + seconds)

    def add(self, draw: SeedDraw | None, member: int, message: CommitShare | ShowShare) -> bool:
        """Keep a member's answer, if it is the awaited one; return True if it is.

        The first commitment counts, and only the share that was committed to.
        """
        if draw is None or draw.done or message.draw != draw.id or member in self.given:
            return False
        if member not in [person.member for person in draw.people]:
            return False
        match message:
            case CommitShare(_, committed) if not draw.commitments:
                self.given[member] = committed
            case ShowShare(_, share) if draw.commitments and has_committed_to(draw, member, share):
                self.given[member] = share
            case _:
                return False
        return True


def deal_step(state: RoomState, step: Step, seed: bytes) -> Step:
    """Return a step that deals the next round after its own events, or begins the draw for it.

    `seed` is the seed of the round, or the host's share in the draw.
    """
    drawers = apply_all(state.lobby, step.news).drawers
    if not drawers:
        return _add_deal(state, step, seed)
    there = [person.member for person in drawers if not person.presence.is_gone]
    return _add_draw(there, state, step, seed)


def drawing_step(state: RoomState, answers: Answers, now: float, seeds: Seeds) -> Step | None:
    """Return the next step of the draw under way, `None` if there is none yet.

    It continues once everybody has answered. When time is up, another draw begins without the
    members who did not answer.
    """
    draw = state.lobby.draw
    if draw is None or draw.done or state.lobby.stage is TablePhase.CLOSED:
        return None
    there = [person.member for person in draw.people if person.member in answers.given]
    if len(there) < len(draw.people):
        return None if now < answers.until else _add_draw(there, state, Step(), seeds())
    given = tuple(answers.given[member] for member in there)
    if not draw.commitments:
        return Step(news=(SharesCommitted(given),))
    return _add_deal(state, Step(news=(SharesShown(given),)))


def _add_draw(there: list[int], state: RoomState, step: Step, share: bytes) -> Step:
    lobby = apply_all(state.lobby, step.news)
    absent = [drawer.member for drawer in lobby.drawers if drawer.member not in there]
    nonce, name = make_nonce(share), lobby.dealer
    draw = draw_id(nonce, deal_basis(lobby, state.view(None, history=False), there))
    committed = commitment(draw, name, share)
    began = DrawBegan(draw, nonce, state.next_round, committed, tuple(there), tuple(absent))
    step = replace(step, news=(*step.news, began), share=share)
    return step if there else _add_deal(state, replace(step, news=(*step.news, SharesShown(()))))


def _add_deal(state: RoomState, step: Step, seed: bytes = b"") -> Step:
    """Return the step with a deal from `seed` or, if that is empty, from the draw just finished."""
    if state.lobby.stage is TablePhase.LOBBY:
        return replace(step, news=(*step.news, GameBegins()), act=Begin(seed))
    return replace(step, news=(*step.news, RoundBegins()), act=DealNext(seed))
