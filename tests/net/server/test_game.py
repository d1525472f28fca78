"""A real table: who comes, a whole game, its end, and a table that goes on at this computer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from dataclasses import replace as with_fields
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.events import GameEnded
from net.discovery import service
from net.discovery.advert import OURS, Advert, AdvertStage, read_answer, write_question
from net.discovery.networks import claim_port
from net.protocol import messages
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.framing import pack
from net.protocol.lobby import Settings
from net.protocol.requests import ChangeSettings, Chat, Close, Lock, NewCode, SetReady, SwitchDoor
from net.room import handlers, inputs, sessions
from net.room.room import Room
from net.room.sessions import Connected
from net.room.steps import PublicState
from net.secure.code import RoomCode
from net.secure.connection import authenticate, connect
from net.secure.handshake import AuthenticationFailed, ClientHandshake, Rejection
from net.secure.keys import SeatKey
from net.server import live_table
from net.server import live_table as host_module
from net.server.doors import DoorTable
from net.server.journal import Journal, path_of
from net.server.journal_format import JournalBusy, JournalFinished
from net.server.tables import move_here, resume
from tests.net.room.room_fixture import three_in_game
from tests.net.server.served_table import (
    CODE,
    HERE,
    OTHER_CODE,
    QUICK,
    SMALL,
    Guest,
    hosting,
    run,
    until,
)


async def test_three_people_play_to_the_last_nugget_and_nothing_is_printed(
    where: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with hosting(where) as hosted:
        people = await hosted.begin()
        (wim,) = await hosted.come("Wim")
        await hosted.play_on()
        steps = [message.step for message in wim.got if isinstance(message, messages.StepFrame)]
        assert steps == list(range(steps[0], hosted.state.number + 1)), "each step once"
        view = people[0].state.status.view
        assert view is not None
        assert view.score.gold is not None
        assert isinstance(view.history[-1], GameEnded)
    with Journal.open(hosted.table.journal.path) as journal:
        assert journal.last == hosted.state.number
    assert capfd.readouterr() == ("", "")


async def test_a_host_that_is_cancelled_lets_go_of_its_journal_and_its_port(where: Path) -> None:
    async with hosting(where) as hosted:
        await hosted.come("Ann")
        hosted.task.cancel()
        with suppress(asyncio.CancelledError):
            await hosted.wait_for_end()
        claim_port(first=hosted.port, ports=[], hosts=[HERE]).close()
        resume(hosted.table.journal.path).journal.close()
        hosted.task = asyncio.create_task(asyncio.sleep(0))


async def test_strangers_hear_how_far_it_is(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def join_mdns() -> None:
        raise OSError("port 5353 is taken")

    monkeypatch.setattr(service, "join_mdns", join_mdns)
    async with hosting(where, options=with_fields(QUICK, announce=True)) as hosted:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.setblocking(False)  # noqa: FBT003 - the name of the thing
            loop = asyncio.get_running_loop()

            async def ask_advert() -> Advert:
                await loop.sock_sendto(asking, write_question(bytes(8)), (HERE, hosted.port))
                async with asyncio.timeout(10):
                    answer = read_answer(await loop.sock_recv(asking, 512))
                assert answer is not None
                return answer[1]

            await hosted.come("Ann")
            assert await ask_advert() == Advert(
                hosted.table.id,
                "Gold Rush",
                OURS,
                AdvertStage.LOBBY,
                players=1,
                seats=3,
                plays=True,
                people=1,
            )
            await hosted.guests[0].leave()
            with monkeypatch.context() as soon:  # nobody who is there may be late
                soon.setattr(sessions, "SHAKY_AFTER_S", 0.1)
                soon.setattr(sessions, "GONE_AFTER_S", 0.2)
                while (await ask_advert()).stage is not AdvertStage.AWAY:  # noqa: ASYNC110 - it is asked for
                    await asyncio.sleep(0.05)
            await hosted.guests[0].come_back()
            while (await ask_advert()).stage is not AdvertStage.LOBBY:  # noqa: ASYNC110 - it is asked for
                await asyncio.sleep(0.05)
            await hosted.come("Ben", "Cleo")
            assert (await ask_advert()).players == 3
            assert await hosted.guests[0].wants(Lock(locked=True)) is None
            assert (await ask_advert()).stage is AdvertStage.LOCKED


async def test_what_many_hear_is_packed_once(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[object] = []

    def counting(value: object, limit: int) -> bytes:
        packed.append(value)
        return pack(value, limit)

    monkeypatch.setattr(live_table, "pack", counting)
    async with hosting(where) as hosted:
        people = await hosted.begin()
        await hosted.come("Wim", "Xan", "Yve")
        await hosted.all_know()
        packed.clear()
        assert await people[0].wants(Chat("hello, all six")) is None
        await hosted.all_know()
        assert sum(isinstance(message, messages.StepFrame) for message in packed) == 2, (
            "one for who said it, one for all others"
        )


async def test_a_table_that_is_closed_tells_all_and_is_never_resumed(where: Path) -> None:
    async with hosting(where) as hosted:
        people = await hosted.begin()
        people[0].say(*people[0].state.request(Close()))
        await hosted.wait_for_end()
        await until(lambda: all(guest.connection is None for guest in people))
        assert [guest.farewell for guest in people] == [messages.CloseReason.CLOSED] * 3
    with pytest.raises(JournalFinished):
        resume(hosted.table.journal.path)


@pytest.mark.parametrize("is_over", [True, False])
async def test_a_table_at_which_nobody_is_for_long_stops_and_can_be_resumed(
    where: Path, monkeypatch: pytest.MonkeyPatch, *, is_over: bool
) -> None:
    monkeypatch.setattr(host_module, "TICK_S", 0.01)
    async with hosting(where) as hosted:
        people = await hosted.begin()
        if is_over:
            await hosted.play_on()
        soon = with_fields(QUICK, over_seconds=0.1), with_fields(QUICK, idle_seconds=0.1)
        hosted.host._options = soon[0 if is_over else 1]  # not before there is somebody
        assert await people[0].wants(Chat("so quiet")) is None
        assert not hosted.task.done()
        for guest in people:
            await guest.leave()
        await hosted.wait_for_end()
    resume(hosted.table.journal.path).journal.close()


async def test_a_step_survives_a_later_fault(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def handle_and_fail(room: Room, connected: Connected, message: messages.ClientMessage) -> None:
        handlers.handle(room, connected, message)
        if isinstance(message, messages.ClientCommand) and message.request == SetReady(ready=True):
            raise RuntimeError("a fault of ours")

    async with hosting(where) as hosted:
        ann, ben = await hosted.come("Ann", "Ben")
        monkeypatch.setattr(inputs, "handle", handle_and_fail)
        ben.say(messages.ClientCommand(1, SetReady(ready=True)))
        await until(lambda: ann.step == hosted.state.number > 2)
        assert await ann.wants(Chat("Ben is gone")) is None


async def refusal(coming: Coroutine[None, None, Guest]) -> Rejection:
    with pytest.raises(AuthenticationFailed) as caught:
        await coming
    return caught.value.why


async def test_a_player_comes_back_by_key_and_is_told_what_they_missed(where: Path) -> None:
    async with hosting(where) as hosted:
        _, ben, cleo = await hosted.begin()
        await ben.leave()
        assert await cleo.wants(Chat("where is Ben?")) is None
        assert await cleo.wants(Chat("ah")) is None
        heard = len(ben.got)
        await ben.come_back()
        await until(lambda: ben.step == hosted.state.number)
        assert not any(isinstance(message, messages.Snapshot) for message in ben.got[heard:])
        assert sum(isinstance(message, messages.StepFrame) for message in ben.got[heard:]) == 2
        await hosted.go_on()


async def test_wrong_codes_are_refused_and_told_to_the_host_alone_while_the_game_goes_on(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(where) as hosted:
        ann, ben, cleo = await hosted.begin()
        connections = [guest.connection for guest in (ann, ben, cleo)]
        strangers = [Guest("Eve", hosted.port) for _ in range(5)]
        why = await asyncio.gather(*(refusal(eve.join(OTHER_CODE)) for eve in strangers))
        assert why == [Rejection.WRONG_CODE] * 5
        assert await refusal(Guest("Eve", hosted.port).join(OTHER_CODE)) is Rejection.SLOW_DOWN
        assert await refusal(Guest("Eve", hosted.port).join(None)) is Rejection.CODE_NEEDED
        await until(lambda: messages.GuessAlarm(5) in ann.got)
        await hosted.go_on()
        assert not any(
            isinstance(message, messages.GuessAlarm)
            for guest in (ben, cleo)
            for message in guest.got
        )
        assert [guest.connection for guest in (ann, ben, cleo)] == connections
    assert "tiger" not in caplog.text
    assert "lantern" not in caplog.text


async def test_an_open_table_asks_for_no_code_and_may_be_opened_late(where: Path) -> None:
    async with hosting(where) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await refusal(hosted.guest("Ben").join(None)) is Rejection.CODE_NEEDED
        settings = Settings(seats=SMALL.seats, rounds=SMALL.rounds, is_open=True)
        assert await ann.wants(ChangeSettings(settings)) is None
        ben = await hosted.guest("Ben").join(None)
        assert ben.state.status.seat == 1


async def test_each_code_that_newcomers_need_is_reported_and_the_doors_again_with_it(
    where: Path,
) -> None:
    told: list[tuple[str, RoomCode | None]] = []

    async def serve(
        _table: DoorTable, kind: DoorKind, report: Callable[[DoorNow], None]
    ) -> DoorTrouble:
        report(DoorNow(kind, 7361))
        return await asyncio.Future()

    options = with_fields(
        QUICK,
        doors={DoorKind.WEB: serve},
        on_door=lambda door, code: told.append((door.kind, code)),
        on_code=lambda code: told.append(("code", code)),
    )
    is_open = Settings(seats=SMALL.seats, rounds=SMALL.rounds, is_open=True)
    async with hosting(where, options=options) as hosted:
        (ann,) = await hosted.come("Ann")
        assert await ann.wants(SwitchDoor(DoorKind.WEB, open=True)) is None
        await until(lambda: bool(told))
        needed: list[RoomCode | None] = [CODE]
        for wanted in (NewCode(), ChangeSettings(is_open), ChangeSettings(SMALL)):
            assert await ann.wants(wanted) is None
            needed.append(hosted.host.code)
        assert await ann.wants(Chat("hello")) is None
        door = ("web", CODE)
        assert told == [door, *((what, code) for code in needed[1:] for what in ("code", "web"))]
        assert len(set(needed)) == len(needed), "each code is a new one"


ID = "0123456789abcdef"


def moves_here(folder: Path, term: int) -> Path:
    """Go on with a table at this computer; the path of its journal."""
    lobby = three_in_game().lobby
    states = (PublicState(messages.Mark(9, bytes(16)), lobby),)
    key = SeatKey(b"\x02" * 32)
    path, _pin = move_here(folder, ID, term=term, key=key, states=states, talk=(), code=None)
    return path


def test_a_table_that_comes_back_takes_the_place_of_its_earlier_journal(tmp_path: Path) -> None:
    path = moves_here(tmp_path, 18)
    assert path == moves_here(tmp_path, 38) == path_of(ID, tmp_path)
    path.write_bytes(b"broken")
    assert moves_here(tmp_path, 58) == path
    resume(path).journal.close()


def test_a_host_elsewhere_that_claims_our_tables_id_does_not_end_our_table(tmp_path: Path) -> None:
    path = moves_here(tmp_path, 18)
    before = path.read_bytes()
    with Journal.open(path), pytest.raises(JournalBusy):
        moves_here(tmp_path, 38)
    assert path.read_bytes().startswith(before)
    with closing(resume(path).journal) as journal:
        assert journal.kept["founding"]


async def test_a_table_that_gathers_is_announced_with_who_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, key = three_in_game().room.state, SeatKey.new()
    ann, ben, *others = state.lobby.people
    lobby = replace(state.lobby, people=(ann, replace(ben, key=key.public), *others))
    states = (PublicState.of(messages.Mark(9, bytes(16)), lobby, state.game_id, state.view(None)),)
    path, pin = move_here(tmp_path, ID, term=18, key=key, states=states, talk=(), code=None)
    async with run(resume(path), key) as hosted:
        table, announced = hosted.host, list[int]()
        monkeypatch.setattr(
            table.entrance, "announce", lambda: announced.append(table.advert().people)
        )
        guest = Guest("Ben", hosted.port, key)
        hosted.guests.append(guest)
        connection = await connect(HERE, hosted.port, pin=pin)
        await authenticate(connection, ClientHandshake.rejoin(pin, OURS, key))
        guest.begin(connection)
        await until(lambda: announced[-1:] == [1])
