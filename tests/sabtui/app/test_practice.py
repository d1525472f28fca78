"""Practice games that are left and resumed."""

from __future__ import annotations

import asyncio

from engine.view import View
from net.client.local import LocalSession
from sabtui.app import Speed
from sabtui.app.practice import find_practice, keep_practice
from sabtui.app.requests import PracticeRequest, TableHandle
from sabtui.app.tables import TableService
from sabtui.cli.args import read
from sabtui.cli.play import handle_for


async def play(handle: TableHandle, moves: int) -> View:
    """Make the first legal move this many times, wait for the next turn, and leave."""
    session, made = handle.make(lambda _update: None), 0
    assert isinstance(session, LocalSession)
    task, last = asyncio.create_task(session.run()), -1
    async with asyncio.timeout(60):
        while True:
            await asyncio.sleep(0.005)
            status = session.status
            view, held = status.view, status.game_state
            if view is None or held is None or view.to_act != view.seat or held.step == last:
                continue
            if made == moves:
                break
            made, last = made + 1, held.step
            session.request(status.move_request(next(iter(view.legal_moves()))))
    session.leave()
    await task
    return view


async def test_a_game_begun_from_the_shell_is_kept_as_well() -> None:
    await play(handle_for(read(["practise", "--bots", "2", "--speed", "instant"])), 0)
    assert find_practice() is not None
    keep_practice(None, Speed.NORMAL)


async def test_a_practice_game_that_is_left_goes_on_with_its_hands_roles_and_mine() -> None:
    tables = TableService()
    request = PracticeRequest("Ana", bots=2, level="easy", speed=Speed.INSTANT)
    left = await play(tables.practise(request), 3)
    (kept,) = tables.resumable()
    assert kept.is_practice
    again = await play(await tables.resume(kept), 0)
    assert again.hand == left.hand
    assert again.role is left.role
    assert again.table == left.table
    assert find_practice() is not None, "it was left once more"
    later = await play(await tables.resume(kept), 1)
    assert len(later.history) > len(left.history), "it can be played on"
    keep_practice(None, Speed.NORMAL)
    assert tables.resumable() == ()
