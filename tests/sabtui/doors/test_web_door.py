"""The browser door: who is let in, their screens as pages come and go, and a real table behind."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from net.protocol.lobby import DEFAULT_LEVEL
from net.protocol.requests import Kick, NewCode, PutBot, Start
from net.server.tables import resume
from sabtui.doors import web_door
from sabtui.doors.guest_screen import FILLER, PIECES_BYTES, GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.table_link import DoorAnswer
from sabtui.doors.web_door import CODE_ELSEWHERE
from sabtui.doors.web_login import Arrival
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.test_guest_screen import COLOURS, ECHO, NOBODY, SIGKILL, nursery_of
from tests.sabtui.doors.web_guest import (
    WORDS,
    EchoScreen,
    Gate,
    OpenDoor,
    Refused,
    WebGuest,
    beside,
    door,
    open_door,
)

FEW = 4


@pytest.mark.rule("K")
async def test_somebody_who_knows_the_code_types_sees_and_comes_back_by_the_secret_of_their_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as opened:
        anna = await WebGuest.enter(opened.port)
        await anna.sees(b"hello" + FILLER)
        shown = len(anna.shown)
        opened.screens[0].draw(b"a saboteur")
        await anna.sees(b"a saboteur" + FILLER)
        assert len(anna.shown) - shown == PIECES_BYTES[0], "its length says little"
        monkeypatch.setattr(web_door, "KEPT_S", 600)
        gate.words = b"another-code"
        second = await anna.back(opened.port)
        assert await anna.wait_for_close() == CODE_ELSEWHERE
        second.link.transport.abort()
        held = opened.door._screens[anna.seat]
        await until(lambda: held._leaving is not None)
        leaving = held._leaving
        third = await anna.back(opened.port)
        await third.type(b"and all again")
        await third.sees(b"AND ALL AGAIN")
        assert leaving is not None
        assert leaving.cancelled()
        assert held._leaving is None
        assert third.seat == anna.seat
        assert len(opened.screens) == 1
        assert gate.settled == [True], "the secret is no guess"
    assert opened.screens[0].is_closed


@pytest.mark.parametrize(
    ("gate", "words", "why", "settled"),
    [
        (Gate(), b"amber-tiger", "code", [False]),
        (Gate(wait=5.0), WORDS, "wait", []),
        (Gate(is_gone=True), WORDS, "table", []),
    ],
    ids=["a wrong code", "too many guesses", "a table that is gone"],
)
async def test_somebody_who_is_not_let_in_reads_why_and_nothing_is_started(
    gate: Gate, words: bytes, why: str, settled: list[bool], tmp_path: Path
) -> None:
    async with open_door(tmp_path, gate) as opened:
        with pytest.raises(Refused, match=why):
            await WebGuest.enter(opened.port, words=words)
        assert gate.settled == settled
        assert opened.screens == []


async def test_a_seat_is_of_who_has_its_secret_whatever_others_are_called(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate(words=b"")) as opened:
        anna = await WebGuest.enter(opened.port, words=b"")
        for known in ((anna.seat, "00" * 32), ("00" * 8, anna.secret)):
            with pytest.raises(Refused, match="seat"):
                await WebGuest.enter(opened.port, known=known)
        await anna.link.close()
        other = await WebGuest.enter(opened.port, name="ANNA", words=b"")
        assert other.seat != anna.seat
        await other.sees(b"hello")


@pytest.mark.rule("K")
async def test_a_page_hears_of_its_door_every_few_seconds_whatever_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "BEAT_S", 0.01)
    async with open_door(tmp_path, Gate()) as opened:
        anna = await WebGuest.enter(opened.port)
        await anna.sees(b"hello")
        before = anna.beats
        while anna.beats < before + 3:
            assert await anna.read_frame() == b"", "nothing is drawn meanwhile"
        await anna.type(b"good morning")
        await anna.sees(b"GOOD MORNING")


async def test_a_screen_without_a_page_ends_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "KEPT_S", 0.01)
    async with open_door(tmp_path, Gate()) as opened:
        anna = await WebGuest.enter(opened.port)
        await anna.sees(b"hello")
        anna.link.transport.abort()
        await until(lambda: not opened.door._screens)
        assert opened.screens[0].is_closed


async def stay_without_table(opened: OpenDoor) -> WebGuest:
    """Somebody enters, and types on after the door's table is gone."""
    anna = await WebGuest.enter(opened.port)
    await anna.sees(b"hello")
    opened.gone.set()
    await anna.type(b"still here")
    await anna.sees(b"STILL HERE")
    return anna


async def test_a_door_whose_table_is_gone_lets_nobody_in_and_ends_once_its_guests_are_gone(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path, Gate()) as opened:
        anna = await stay_without_table(opened)
        with pytest.raises(OSError, match="onnect"):
            await asyncio.open_connection(HERE, opened.port)
        assert not opened.task.done()
        await anna.type(b"q")
        await anna.wait_for_close()
        async with asyncio.timeout(60):
            await opened.task


async def test_a_door_whose_table_is_gone_can_be_stopped_while_a_page_is_open(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path, Gate()) as opened:
        anna = await stay_without_table(opened)
        opened.task.cancel()
        await anna.wait_for_close()
        done, _ = await asyncio.wait([opened.task], timeout=60)
        assert done


async def test_strangers_who_fill_the_door_keep_nobody_from_their_seat_and_players_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "MAX_SCREENS", FEW)
    gate = Gate()
    async with open_door(tmp_path, gate) as opened:

        async def leave_seat(name: str) -> WebGuest:
            guest = await WebGuest.enter(opened.port, name)
            seated = opened.guests.get(guest.seat)
            assert seated is not None
            gate.seated.add(seated.seat.public)
            await guest.type(b"q")
            await guest.wait_for_close()
            assert guest.has_ended
            return guest

        anna, bruno = [await leave_seat(name) for name in ("Anna", "Bruno")]
        guests = [await WebGuest.enter(opened.port, f"Guest {number}") for number in range(FEW)]
        again = await anna.back(opened.port)
        await again.type(b"here")
        await again.sees(b"HERE")
        await guests[0].wait_for_close()
        assert guests[0].refused == "full", "who has been there the longest without a seat"
        assert not guests[0].has_ended, "they would read that they have left"
        gate.seated |= {guest.seat.public for guest in opened.guests._guests.values()}
        for late in (guests[0], bruno):
            turned_away = await late.back(opened.port)
            await turned_away.wait_for_close()
            assert turned_away.refused == "full"
        assert len(opened.door._screens) == FEW


async def test_a_code_that_was_renewed_meanwhile_lets_no_page_in(tmp_path: Path) -> None:
    class Renewing(Gate):
        async def exchange(self, address: str, share: bytes, binding: bytes) -> DoorAnswer:
            run = await super().exchange(address, share, binding)
            self.renewed += 1
            return run

    async with open_door(tmp_path, Renewing()) as opened:
        mallory = await WebGuest.enter(opened.port)
        await mallory.wait_for_close()
        assert mallory.refused == "seat"
        assert opened.screens == []


async def test_a_screen_that_cannot_be_started_is_told_and_another_is_started_for_a_stage(
    tmp_path: Path,
) -> None:
    failures, stages = [OSError("no more processes")], list[bool]()

    def start(_guest: Guest, arrival: Arrival) -> GuestScreen:
        stages.append(arrival.stage)
        if failures:
            raise failures.pop()
        return EchoScreen()

    async with open_door(tmp_path, Gate(), start) as opened:
        anna = await WebGuest.enter(opened.port)
        await anna.wait_for_close()
        assert anna.refused == "table"
        await (await WebGuest.enter(opened.port, "Stage", stage=True)).sees(b"hello")
        assert stages == [False, True]


async def test_a_guest_who_reads_nothing_stalls_nobody_else(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as opened:
        anna, bruno = await WebGuest.enter(opened.port), await WebGuest.enter(opened.port, "Bruno")
        await anna.sees(b"hello")
        await bruno.sees(b"hello")
        anna.link.transport.pause_reading()
        for _ in range(400):
            opened.screens[0].draw(b"x" * 65536)
        await bruno.type(b"my turn")
        await bruno.sees(b"MY TURN")
        assert opened.screens[0].waiting > 100
        anna.link.transport.abort()


async def test_somebody_who_comes_back_once_their_screen_was_killed_has_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens, nursery = list[GuestScreen](), nursery_of(ECHO)

    async def start(_guest: Guest, _arrival: Arrival) -> GuestScreen:
        screens.append(await GuestScreen.start(NOBODY, tmp_path, COLOURS, nursery))
        return screens[-1]

    async with open_door(tmp_path, Gate()) as opened:
        monkeypatch.setattr(opened.door, "_open_screen", start)
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(b"ready")
        os.kill(screens[0]._process.pid, SIGKILL)
        await zoe.wait_for_close()
        assert zoe.has_ended
        again = await zoe.back(opened.port)
        await again.type(b"still here")
        await again.sees(b"still here")
        assert len(screens) == 2
    await nursery.close()


SEATED = b'{"do":"unready"'
IS_NOT_READY = b'"is":"person","ready":false'


async def test_a_guest_comes_by_the_code_and_back_by_the_secret_until_they_are_removed(
    where: Path, tmp_path: Path
) -> None:
    assert str(CODE).encode() == WORDS
    async with door(where, tmp_path) as opened:
        with pytest.raises(Refused, match="code"):
            await WebGuest.enter(opened.port, words=b"amber-tiger")
        await until(lambda: opened.hosted.host.entrance.guesses.wrong_codes == 1)
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(SEATED)
        await zoe.do("unready")
        await zoe.sees(IS_NOT_READY)
        zoe.link.transport.abort()
        again = await zoe.back(opened.port)
        await again.do("all")
        await again.sees(IS_NOT_READY)
        assert opened.names() == ["Ann", "Zoe"]
        (member,) = (person.member for person in opened.host.lobby.people if person.name == "Zoe")
        assert await opened.host.wants(Kick(member)) is None
        await again.wait_for_close()
        assert again.has_ended
        removed = await zoe.back(opened.port)
        await removed.wait_for_close()
        assert removed.refused == "seat", "it is the code that is needed again"


async def test_a_screen_follows_its_table_that_was_killed_and_resumed_and_so_does_its_page(
    where: Path, tmp_path: Path
) -> None:
    async with in_this_process(), AsyncExitStack() as stack:
        opened = await stack.enter_async_context(door(where, tmp_path))
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(SEATED)
        path, key, port = opened.hosted.table.journal.path, opened.hosted.host_key, opened.port
        await opened.host.leave()
        await opened.hosted.stop()
        await zoe.sees(b'"connection":"lost"')
        zoe.shown = b""
        with pytest.raises(OSError, match="onnect"):
            await asyncio.open_connection(HERE, port)
        again = await stack.enter_async_context(beside(resume(path), key, tmp_path))
        await again.host.come_back()
        await zoe.sees(b'"connection":"connected"')
        await zoe.do("unready")
        await until(lambda: not again.hosted.state.lobby.sitting[1][0].ready)
        back = await zoe.back(again.port)
        await back.do("all")
        await back.sees(IS_NOT_READY)
        assert again.names() == ["Ann", "Zoe"]


async def test_a_stage_is_a_projector_whose_secret_is_worth_nothing_after_a_new_code(
    where: Path, tmp_path: Path
) -> None:
    async with in_this_process(), door(where, tmp_path) as opened:
        page = await WebGuest.enter(opened.port, "Beamer", stage=True)
        await page.sees(b'"name":"Gold Rush"')
        assert opened.names() == ["Ann", "Beamer"]
        assert await opened.host.wants(NewCode()) is None
        await until(lambda: opened.names() == ["Ann"])
        for stage in (True, False):
            back = await WebGuest.enter(opened.port, known=(page.seat, page.secret), stage=stage)
            await back.wait_for_close()
            assert back.has_ended or back.refused == "seat"
            assert opened.names() == ["Ann"], "it is the code that is needed again"


@pytest.mark.level("thorough")  # the first test comes by the page, and `test_json` watches
async def test_a_stage_watches_and_comes_back_to_a_game(where: Path, tmp_path: Path) -> None:
    async with in_this_process(), door(where, tmp_path) as opened:
        page = await WebGuest.enter(opened.port, "Stage", stage=True)
        await page.sees(b'"name":"Gold Rush"')
        assert opened.names() == ["Ann", "Stage"]
        for seat in (1, 2):
            assert await opened.host.wants(PutBot(seat, f"Bot {seat}", DEFAULT_LEVEL)) is None
        assert await opened.host.wants(Start()) is None
        await page.sees(b'"round":1')
        assert b'"hand":[{' not in page.shown
        again = await WebGuest.enter(opened.port, known=(page.seat, page.secret), stage=True)
        await again.do("all")
        await again.sees(b'"round":1')
        assert opened.names() == ["Ann", "Stage"]
