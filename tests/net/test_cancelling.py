"""Whatever is cancelled, wherever it waits, ends at once, as cancelled, and leaves nothing."""

from __future__ import annotations

import asyncio
import dataclasses
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from textual.app import App
from textual.events import Key
from textual.screen import Screen

from engine.bots import Budget, Playouts, greedy
from net.client import dialer
from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import Dialer
from net.client.local import LocalSession, Opponents
from net.client.remote import RemoteSession
from net.client.session import ConnectionState
from net.discovery.advert import OURS, AdvertStage
from net.discovery.announcer import Announcer
from net.discovery.browser import Browser
from net.discovery.networks import LOOPBACK_HOSTS, claim_port
from net.protocol.lobby import Settings, TableClaim
from net.protocol.messages import NOTHING_SEEN, DiskStatus, EnterTable
from net.protocol.requests import Chat
from net.room import inputs
from net.room.bots import BotClaimRequest, BotMoveRequest, bot_claim
from net.room.effects import Effects, Output
from net.secure.address import Address
from net.secure.connection import connect
from net.secure.keys import SeatKey
from net.server import bot_process
from net.server import journal as writer
from net.server.bot_process import BotReply
from net.server.bots import BotPace, BotPool, BotScheduler
from net.server.journal import JournalWriter
from sabtui.tui.command import Keyboard
from tests.net.cable import cable
from tests.net.cancelling import Inline, Scenario, Setting, cancel_everywhere
from tests.net.discovery.conftest import loopback_mdns, no_mdns, no_networks, own_service
from tests.net.discovery.discovery_tools import advert
from tests.net.discovery.discovery_tools import until as listed
from tests.net.server.conftest import where
from tests.net.server.journal_tools import POSIX, no_file_beyond
from tests.net.server.served_table import CODE, HERE, SMALL, hosting, new_table, until
from tests.net.server.test_bots import deal_to_a_bot

__all__ = ["loopback_mdns", "no_mdns", "no_networks", "own_service", "where"]


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do at once what is for threads: a loop whose clock is its own does not wait for them."""
    monkeypatch.setattr(bot_process, "ThreadPoolExecutor", Inline)
    monkeypatch.setattr(writer, "ThreadPoolExecutor", Inline)


def loop_time() -> float:
    """The time of the loop, whose clock is its own."""
    return asyncio.get_running_loop().time()


def with_nothing(scenario: Scenario) -> Setting:
    """A setting with nothing around the scenario."""

    @asynccontextmanager
    async def setting() -> AsyncIterator[Scenario]:
        yield scenario

    return setting


async def list_a_table() -> None:
    """List a table on this machine, and what changes there, until it is gone."""
    with closing(claim_port(ports=[0], hosts=LOOPBACK_HOSTS)) as taken:
        async with Browser(OURS) as browser:
            browser.seek([Address("127.0.0.1", taken.port)])
            async with Announcer(advert("Ana"), taken.port, taken.udp) as announcer:
                await listed(browser, ("Ana",))
                announcer.update(
                    dataclasses.replace(
                        announcer.advert, stage=AdvertStage.LOBBY, players=3, seats=5
                    )
                )
                await listed(browser, ("Ana",), players=3)
                await asyncio.sleep(3)
            await listed(browser, ())


@pytest.mark.usefixtures("no_mdns")
def test_lists_and_tables_without_mdns() -> None:
    assert cancel_everywhere(with_nothing(list_a_table)) > 20


class Idle(App[None]):
    """An app that does what it is asked to a little later."""

    @property
    def screen_stack(self) -> list[Screen[object]]:
        return []

    def call_later(  # type: ignore[explicit-any] # - Textual takes what has any parameters
        self, callback: Callable[..., object], *_: object, **__: object
    ) -> bool:
        asyncio.get_running_loop().call_later(0.1, callback)
        return True


def test_the_keyboard_of_a_screen() -> None:
    async def type_three_keys() -> None:
        given: asyncio.Queue[object] = asyncio.Queue()
        keyboard = Keyboard(Idle(), given.put)
        async with asyncio.TaskGroup() as group:
            running = group.create_task(keyboard.run())
            for key in "123":
                keyboard.put(Key(key, key))
                await given.get()
            running.cancel()

    assert cancel_everywhere(with_nothing(type_three_keys)) > 10


@pytest.mark.level("broad")
def test_dialling(where: Path) -> None:
    @asynccontextmanager
    async def at_a_host() -> AsyncIterator[Scenario]:
        with socket.create_server((HERE, 0)) as mute:  # takes connections, and never says a word
            async with hosting(where) as hosted:
                places = (mute.getsockname()[1], 9, hosted.port, hosted.port)
                credentials = Credentials(
                    "Ben", tuple(Address(HERE, port) for port in places), code=CODE
                )

                async def dial() -> None:
                    connection = await Dialer(credentials, 6.0).dial()
                    connection.abort()

                yield dial

    assert cancel_everywhere(at_a_host) > 20


@pytest.mark.level("thorough")  # as long as all others here; a client that dials is in each run
def test_a_client_whose_link_is_lost_for_a_while(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialer, "connect", partial(connect, clock=loop_time))
    seats = count()

    @asynccontextmanager
    async def at_a_host() -> AsyncIterator[Scenario]:
        # An open one: an exchange by a code takes longer than all of the rest, each time anew, and
        # `test_dialling` is cancelled in the midst of it.
        settings = replace(SMALL, is_open=True)
        async with hosting(where, settings) as hosted, cable(hosted.port) as line:
            credentials = Credentials("Ben", (Address(HERE, line.port),))
            store = CredentialStore(where / f"seats {next(seats)}")
            stood: asyncio.Queue[ConnectionState] = asyncio.Queue()
            client = RemoteSession(
                credentials, lambda update: stood.put_nowait(update.status.connection), store
            )

            async def stands(connection_state: ConnectionState) -> None:
                while await stood.get() is not connection_state:
                    pass

            async def sit() -> None:
                try:
                    async with asyncio.TaskGroup() as group:
                        group.create_task(client.run())
                        await stands(ConnectionState.CONNECTED)
                        line.freeze()
                        await stands(ConnectionState.SHAKY)
                        await asyncio.sleep(1)
                        line.thaw()
                        await stands(ConnectionState.CONNECTED)
                        line.cut()
                        await stands(ConnectionState.LOST)
                        await stands(ConnectionState.CONNECTED)
                        client.request(Chat("Goodbye."))
                        client.leave()
                finally:
                    line.thaw()

            yield sit

    assert cancel_everywhere(at_a_host) > 50


async def practise() -> None:
    """Play a few turns with bots that move and speak."""
    seeds = Random(5)
    opponents = Opponents(
        ("Borin", "Dagna"), "medium", (0.5, 0.5), Playouts(0), lambda: seeds.randbytes(32)
    )
    session = LocalSession("Ana", Settings(rounds=1, seats=3), opponents, lambda _: None)
    async with asyncio.TaskGroup() as group:
        group.create_task(session.run())
        for _ in range(3):
            await until(lambda: is_due(session))
            view = session.status.view
            assert view is not None
            session.request(session.status.move_request(greedy(view, seeds, Playouts(0))))
            await asyncio.sleep(1)
        session.leave()


def is_due(session: LocalSession) -> bool:
    """Whether the player is to move."""
    view = session.status.view
    return view is not None and view.to_act == 0 and not session.status.unanswered


def test_practice() -> None:
    assert cancel_everywhere(with_nothing(practise)) > 15


class Brisk(BotPool):
    """A thinker that needs no process of its own."""

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        del budget
        await asyncio.sleep(0.1)
        return BotReply(greedy(turn.view, chance, Playouts(0)))

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        await asyncio.sleep(0.1)
        return bot_claim(due.view, due.occasion)


def test_bots_of_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.server.bots.time", SimpleNamespace(monotonic=loop_time))

    async def play() -> None:
        table = deal_to_a_bot(7)

        def happen(effects: Effects) -> None:
            table.happen(effects)

        bots = BotScheduler(table.room, Brisk(lambda _: None), BotPace((1.0, 1.0)), happen)
        async with asyncio.TaskGroup() as group:
            running = group.create_task(bots.run())
            for _ in range(6):
                await asyncio.sleep(1.2)
                if table.name_to_act() in table.people:
                    table.plays(table.name_to_act(), table.move())
                bots.look()
            running.cancel()

    assert cancel_everywhere(with_nothing(play)) > 10


@POSIX
def test_saving_to_a_disk_that_is_full_for_a_while(where: Path) -> None:
    async def save() -> None:
        disks: list[DiskStatus] = []
        let_out: list[Output] = []
        table = new_table(where, SeatKey.new())
        write_ahead = JournalWriter(table.journal, disks.append)

        def submit(effects: Effects) -> None:
            write_ahead.write(effects.steps, lambda: let_out.extend(effects.do))

        try:
            with no_file_beyond(0):
                submit(inputs.add_connection(table.room, 0.0, 1, bytes(32)))
                enter = EnterTable("Ann", watch=False, incarnation=0, seen=NOTHING_SEEN)
                submit(inputs.receive(table.room, 0.0, 1, enter))
                await until(lambda: disks == [DiskStatus.FULL])
                await asyncio.sleep(2.5)
                assert not let_out
            await until(lambda: disks == [DiskStatus.FULL, DiskStatus.OK])
            assert let_out
        finally:
            await write_ahead.close()

    assert cancel_everywhere(with_nothing(save), "JournalWriter.close") > 8
