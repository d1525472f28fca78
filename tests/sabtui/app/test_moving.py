"""Going on with a table here, and looking where one of ours goes on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from net.client.credentials import Credentials
from net.client.dialer import MoveOrder
from net.client.trail import GameState
from net.discovery.advert import Standing
from net.protocol.doors import DoorKind
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import Mark
from net.room.state import PublicState
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from sabtui.app import launcher
from sabtui.app.launcher import TableOpened
from sabtui.app.requests import HostRequest, ReopenRequest
from sabtui.app.tables import choose_host, move_table

BEN, CLEO = Address("10.77.0.2", 7341), Address("10.77.0.3", 7341)
OURS = Address("10.77.0.1", 7341)
HERE = {"127.0.0.1", OURS.host}


def test_a_table_to_bring_back_stands_elsewhere_where_people_are_or_the_term_is_later() -> None:
    waits = partial(Standing, False)  # noqa: FBT003 - a row
    plays = Standing(plays=True, people=2, term=3)
    empty, people, later = waits(0, 7), waits(2, 7), waits(0, 18)
    assert choose_host([], 7, HERE) is None
    assert choose_host([(BEN, empty)], 7, HERE) is None
    assert choose_host([(BEN, later)], 7, HERE) == BEN
    assert choose_host([(BEN, later), (CLEO, people)], 7, HERE) == CLEO
    assert choose_host([(BEN, people), (CLEO, plays)], 7, HERE) == CLEO, "it plays"
    assert choose_host([(OURS, people)], 7, HERE) is None, "it runs here"


async def test_a_table_goes_on_here_with_the_doors_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = list[HostRequest | ReopenRequest]()

    def start(request: HostRequest | ReopenRequest) -> TableOpened:
        started.append(request)
        return TableOpened(port=7341)

    monkeypatch.setattr(launcher, "start_table", start)
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    lobby, mark = Lobby.empty("Rush", Settings()), Mark(3, bytes(16))
    seat = Credentials("Ben", (OURS,), key=SeatKey.new(), table="0" * 16, title="Rush")
    order = MoveOrder(
        seat,
        18,
        (PublicState(mark, lobby),),
        GameState(1, 3, lobby, None),
        RoomCode("coral", "otter"),
        doors=(DoorKind.SSH,),
    )
    assert await move_table(order) is not None
    (request,) = started
    assert isinstance(request, ReopenRequest)
    assert request.doors == (DoorKind.SSH,)
