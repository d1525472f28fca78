"""Sessions: in a thread of their own, and at a table of bots in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from engine import Phase
from engine.bots import LEVELS, Budget, Playouts, Seconds, greedy
from net.client import session
from net.client.local import LocalSession, Opponents
from net.protocol.lobby import Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed
from net.protocol.requests import MakeClaim, Request, Start
from tests.net.server.served_table import until
from tests.samples import first

TIMEOUT_S = 10.0


class Asked:
    """A session that runs until it is left, and keeps what was asked of it."""

    def __init__(self, on_update: session.OnUpdate) -> None:
        self.status = session.Status(session.ConnectionState.CONNECTED)
        self.asked: list[Request | str] = []
        self.on_update = on_update
        self.left = asyncio.Event()

    def request(self, want: Request) -> None:
        self.asked.append(want)

    def leave(self) -> None:
        self.left.set()

    async def run(self) -> None:
        await self.left.wait()
        self.status = session.Status(session.ConnectionState.ENDED)
        self.on_update(session.Update(self.status))


class Broken(Asked):
    """A session with a bug."""

    async def run(self) -> None:
        raise ZeroDivisionError


def test_what_is_asked_of_a_session_that_does_not_run_yet_is_done_in_order() -> None:
    made: list[Asked] = []
    updates: list[session.Update] = []

    def make(on_update: session.OnUpdate) -> session.RunnableSession:
        made.append(Asked(on_update))
        return made[-1]

    thread = session.SessionThread(make, updates.append)
    thread.request(Start())
    thread.leave()
    thread.start()
    thread.join(TIMEOUT_S)
    assert made[0].asked == [Start()]
    assert thread.status == session.Status(session.ConnectionState.ENDED)
    assert updates == [session.Update(thread.status)]


def test_a_session_that_has_ended_is_asked_in_vain() -> None:
    thread = session.SessionThread(Asked, lambda _update: None)
    thread.start()
    thread.leave()
    thread.join(TIMEOUT_S)
    thread.request(Start())
    thread.leave()
    assert thread.status.connection is session.ConnectionState.ENDED


def test_a_bug_in_a_session_is_told_as_its_end_and_raised_as_its_thread_is_joined() -> None:
    updates: list[session.Update] = []
    thread = session.SessionThread(Broken, updates.append)
    thread.start()
    with pytest.raises(ZeroDivisionError):
        thread.join(TIMEOUT_S)
    assert updates == [session.Update(session.Status(session.ConnectionState.ENDED))]
    assert thread.status == updates[0].status


# A table in this process: its bots move and speak, and hold nobody up.


NAMES = ("Borin", "Dagna", "Eitri", "Frida")


class Player:
    """Somebody at a table with bots, who moves as greedy does."""

    def __init__(self, level: str, thought: Budget, *, polite: bool = False) -> None:
        seeds = Random(5)
        opponents = Opponents(
            NAMES, level, (0.0, 0.0), thought, lambda: seeds.randbytes(32), polite=polite
        )
        self.updates: list[session.Update] = []
        self.session = LocalSession("Ana", Settings(rounds=1), opponents, self.updates.append)
        self.rng = Random(1)

    @property
    def said(self) -> list[BotClaimed]:
        heard = [update.received for update in self.updates if update.received is not None]
        return [event for update in heard for event in update.news if isinstance(event, BotClaimed)]

    def is_wanted(self) -> bool:
        view = self.session.status.view
        return view is not None and view.to_act == 0 and not self.session.status.unanswered

    def is_over(self) -> bool:
        view = self.session.status.view
        return view is not None and view.phase is Phase.OVER

    async def play_on(self) -> None:
        while True:
            await until(lambda: self.is_wanted() or self.is_over())
            view = self.session.status.view
            if view is None or self.is_over():
                return
            self.session.request(
                self.session.status.move_request(greedy(view, self.rng, Playouts(0)))
            )


@asynccontextmanager
async def at_table(player: Player) -> AsyncIterator[Player]:
    running = asyncio.create_task(player.session.run())
    yield player
    player.session.leave()
    async with asyncio.timeout(10):
        await running
    assert player.session.status.connection is session.ConnectionState.ENDED


async def test_bots_say_what_they_saw_and_few_things_more() -> None:
    async with at_table(Player("medium", Playouts(0))) as player:
        await player.play_on()
        assert 2 <= len(player.said) <= 6 * len(NAMES)
        talk = player.session.status.game_state
        assert talk is not None
        assert {line.name for line in talk.talk} <= set(NAMES)


async def test_a_bot_that_is_blamed_answers_at_once() -> None:
    async with at_table(Player("medium", Playouts(0))) as player:
        await until(player.is_wanted)
        player.session.request(MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 2)))
        await until(lambda: any(news.seat == 2 for news in player.said))


@pytest.mark.parametrize("level", first(1, reversed(tuple(LEVELS))))
async def test_bots_that_think_for_seconds_do_so_in_another_process(level: str) -> None:
    async with at_table(Player(level, Seconds(0.01))) as player:
        for _ in range(2):
            await until(player.is_wanted)
            view = player.session.status.view
            assert view is not None
            player.session.request(
                player.session.status.move_request(greedy(view, player.rng, Playouts(0)))
            )
            await until(lambda: not player.is_wanted())
        await until(player.is_wanted)
        process = player.session._bot_pool._ours._process
        assert process is not None
        assert process.returncode is None
    assert process.returncode is not None
