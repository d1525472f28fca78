"""For each reason why something cannot be, the status line of the table names the cause."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

import pytest

from engine import View
from engine.actions import (
    AlreadyBroken,
    CannotRepair,
    NoHiddenGoal,
    NoSuchSeat,
    NotBroken,
    NoTunnel,
)
from engine.moves import (
    CellTaken,
    DealAwaited,
    GameOver,
    GoldBeingShared,
    NotInHand,
    NotLinked,
    NotOnOffer,
    NotYourTurn,
    OnlyWatching,
    Reason,
    SideClashes,
    ToolsBroken,
    TouchesNothing,
)
from net.client.session import Status
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

NEVER_OFFERED = {NotInHand, NoSuchSeat, CannotRepair}
"""A screen has no way to wish for these: a card not held, a seat not there, another tool."""

CUT_OFF = scenes.view("EW@1/NS@3n1 ?/?/?", "NS/M")
OTHERS_GOLD = scenes.choosing()._replace(score=replace(scenes.choosing().score, chooser=1))
WATCHING = scenes.view()._replace(seat=None, role=None, hand=())


@dataclass(frozen=True, slots=True)
class Case:
    """What is pressed where, and the cause that is named."""

    reason: type[Reason]
    view: View
    keys: tuple[str, ...]
    text: str


CASES = [
    Case(ToolsBroken, scenes.view(hand="NE/NES"), ("1",), ""),
    Case(CellTaken, scenes.view(), ("1", "home"), "A card lies there already."),
    Case(SideClashes, scenes.view(), ("1", "home", "up", "left"), "would"),
    Case(
        TouchesNothing,
        scenes.view(),
        ("1", "home", *["left"] * 5),
        "There is no path card next to ",
    ),
    Case(
        NotLinked,
        CUT_OFF,
        ("1", "home", *["right"] * 3, "up", "up"),
        "No tunnel from the start opens",
    ),
    Case(AlreadyBroken, scenes.view(hand="-P"), ("1", "up", "up"), "Already broken: Bruno's"),
    Case(NotBroken, scenes.view(), ("5", "up"), "Not broken: your pick."),
    Case(NoTunnel, scenes.view(), ("6", "home"), "A rockfall cannot remove the start or a goal."),
    Case(NoHiddenGoal, CUT_OFF, ("2", "home"), "0 is not a goal"),
    Case(NotYourTurn, scenes.view(turn=2), ("1", "enter"), "It is Bruno's turn."),
    Case(GoldBeingShared, OTHERS_GOLD, ("1",), "Bruno is choosing a gold card."),
    Case(NotOnOffer, scenes.choosing(), ("6",), "That is not on the list: choose from it."),
    Case(DealAwaited, scenes.between(), ("1",), "The next round has not been dealt yet."),
    Case(GameOver, scenes.over(), ("1",), "The game is over."),
    Case(
        OnlyWatching,
        WATCHING,
        ("1",),
        "Watchers cannot do that: sit down first, if a seat is free.",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason.__name__)
def test_the_status_line_names_the_cause(case: Case) -> None:
    view, text = case.view, case.text
    if case.reason is ToolsBroken:
        broken = (7, *view.table.broken[1:])
        view = view._replace(table=view.table._replace(broken=broken))
        text = "Your pick, lantern and cart are broken: no digging."
    status = scenes.now(view)
    if view.seat is None:
        status = Status(status.connection, 9, status.game_state)
    at = PureTable(status)
    at.press(*case.keys)
    assert text in at.said
    assert at.moves == []


def test_each_reason_is_met_or_never_offered() -> None:
    assert {case.reason for case in CASES} | NEVER_OFFERED == {*get_args(Reason)}
