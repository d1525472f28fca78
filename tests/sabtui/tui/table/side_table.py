"""Rounds at a table, and what stands beside the mine there, as rows and as text."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Broke, Collapsed
from engine.cards import Path, Tool
from engine.events import Event, Laid, Passed, RoundBegan
from engine.view import View
from net.client.session import Status
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import TableClaim, Topic
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import sentence
from sabtui.tui.widgets.panel import Row, plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

ANA, BRUNO, CHIARA, DEDE, NORRI = range(5)

TEE, DEAD = Path.read("ESW"), Path.read("nes")

ROUND: tuple[Event, ...] = (
    RoundBegan(2, CHIARA, (6,) * 5, 30),
    Laid(CHIARA, TEE, (1, 0)),
    Passed(DEDE),
    Passed(NORRI),
    Laid(ANA, DEAD, (3, 1)),
    Passed(BRUNO),
    Passed(CHIARA),
    Broke(DEDE, Tool.CART, BRUNO),
    Collapsed(NORRI, (3, 1), DEAD),
)
"""The first lap, and the second up to Ana, who plays fourth."""


def after(*events: Event, seat: int | None = ANA, turn: int = 1) -> View:
    view = scenes.view(turn=turn)
    if seat is None:
        view = view._replace(seat=None, role=None, hand=(), gold=())
    return view._replace(history=events, table=view.table._replace(starter=CHIARA))


def at_table(
    view: View, size: tuple[int, int] = (80, 24), talk: tuple[ChatLine, ...] = ()
) -> PureTable:
    return PureTable(scenes.now(view, talk=talk), size)


def silent(status: Status, talk: tuple[ChatLine, ...] = ()) -> Status:
    """Return a status with this talk alone."""
    assert status.game_state is not None
    return replace(status, game_state=replace(status.game_state, talk=talk))


def rows(table: PureTable) -> list[Row]:
    """Return the rule below the players, and the pane."""
    sentence_below = sentence(table.model, table.status)
    laid = Side.above(sentence_below, scenes.sight(table.status), table.model)
    return [laid.players[-1], *laid.pane]


def text(table: PureTable) -> list[str]:
    return [plain(row).rstrip() for row in rows(table)]


def side_text(table: PureTable) -> str:
    return "\n".join(text(table))


def make_claims(*said: tuple[str, int, Topic, int]) -> tuple[ChatLine, ...]:
    when = Moment(scenes.view().score.number, 0)
    return tuple(
        ChatLine(name, seat, "", TableClaim(topic, about), when)
        for name, seat, topic, about in said
    )
