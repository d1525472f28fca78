"""The browser door on a port: who is let in, and their screens as pages come and go."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sabtui.doors import web_door
from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.messages import DoorAnswer
from sabtui.doors.padding import FILLER, PIECES_BYTES
from sabtui.doors.web_door import CODE_ELSEWHERE, CODE_REFUSED, HeldScreen
from sabtui.doors.web_login import Arrival
from tests.sabtui.doors.test_guest_screen import ECHO, NOBODY, request
from tests.sabtui.doors.web_guest import HERE, EchoScreen, Gate, Refused, WebGuest, open_door

FEW = 4


@pytest.fixture
def few_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a door have few screens, so that a small crowd fills it."""
    monkeypatch.setattr(web_door, "MAX_SCREENS", FEW)


@dataclass
class SeatedGate(Gate):
    """A table that knows these seat keys."""

    seated: set[bytes] = field(default_factory=set)

    async def is_seated(self, key: bytes) -> bool:
        return key in self.seated


async def test_who_knows_the_code_types_and_sees(tmp_path: Path) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        await anna.type(b"good morning")
        await anna.sees(b"GOOD MORNING")
    assert gate.settled == [True]
    assert door.screens[0].is_closed


@pytest.mark.rule("K")
async def test_a_page_hears_of_its_door_every_few_seconds_whatever_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "BEAT_S", 0.01)
    async with open_door(tmp_path, Gate()) as door:
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        before = anna.beats
        while anna.beats < before + 3:
            assert await anna.read_frame() == b"", "nothing is drawn meanwhile"
        await anna.type(b"good morning")
        await anna.sees(b"GOOD MORNING")


async def test_a_wrong_code_counts_as_a_guess_and_starts_nothing(tmp_path: Path) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        with pytest.raises(Refused, match="code"):
            await WebGuest.enter(door.port, words=b"amber-tiger")
        assert gate.settled == [False]
        assert door.screens == []


async def test_who_guessed_too_often_is_told_to_wait(tmp_path: Path) -> None:
    gate = Gate(wait=5.0)
    async with open_door(tmp_path, gate) as door:
        with pytest.raises(Refused, match="wait"):
            await WebGuest.enter(door.port)
        assert gate.settled == []


async def test_a_page_comes_back_to_its_screen_by_the_secret_of_its_seat(tmp_path: Path) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        anna.link.transport.abort()
        gate.words = b"another-code"
        again = await anna.back(door.port)
        await again.type(b"and all again")
        await again.sees(b"AND ALL AGAIN")
        assert again.seat == anna.seat
        assert len(door.screens) == 1
        assert gate.settled == [True]


async def test_the_secret_of_a_seat_is_no_code_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:
        anna = await WebGuest.enter(door.port)
        with pytest.raises(Refused, match="seat"):
            await WebGuest.enter(door.port, known=(anna.seat, "00" * 32))
        with pytest.raises(Refused, match="seat"):
            await WebGuest.enter(door.port, known=("00" * 8, anna.secret))


async def test_a_seat_on_two_pages_is_played_on_the_later_one(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:
        first = await WebGuest.enter(door.port)
        await first.sees(b"hello")
        second = await first.back(door.port)
        assert await first.wait_for_close() == CODE_ELSEWHERE
        await second.type(b"here")
        await second.sees(b"HERE")
        assert len(door.screens) == 1


async def test_a_name_and_the_code_give_nobody_the_seat_of_another(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:
        one = await WebGuest.enter(door.port)
        await one.sees(b"hello")
        await one.link.close()
        other = await WebGuest.enter(door.port, name="ANNA")
        assert other.seat != one.seat
        await other.sees(b"hello")


async def test_who_was_removed_from_the_table_is_asked_for_the_code_again(tmp_path: Path) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.type(b"q")
        await anna.wait_for_close()
        gate.knows_seats = False
        again = await anna.back(door.port)
        await again.wait_for_close()
        assert again.refused == "seat"


async def test_a_table_that_is_gone_is_told_and_who_is_there_stays(tmp_path: Path) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        gate.is_gone = True
        with pytest.raises(Refused, match="table"):
            await WebGuest.enter(door.port, "Bruno")
        door.gone.set()
        await anna.type(b"still here")
        await anna.sees(b"STILL HERE")
        with pytest.raises(OSError, match="onnect"):
            await asyncio.open_connection(HERE, door.port)
        assert not door.task.done()
        await anna.type(b"q")
        await anna.wait_for_close()
        async with asyncio.timeout(60):
            await door.task


async def test_a_door_whose_table_is_gone_can_be_stopped_while_a_page_is_open(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path, Gate()) as door:
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        door.gone.set()
        await anna.type(b"still here")
        await anna.sees(b"STILL HERE")
        door.task.cancel()
        await anna.wait_for_close()
        done, _ = await asyncio.wait([door.task], timeout=60)
        assert done


async def test_a_screen_that_ends_tells_its_page(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:
        anna = await WebGuest.enter(door.port)
        await anna.type(b"q")
        await anna.wait_for_close()
        assert anna.has_ended
        again = await anna.back(door.port)
        await again.sees(b"hello")
        assert len(door.screens) == 2


async def test_an_open_table_asks_for_no_code(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate(words=b"")) as door:
        anna = await WebGuest.enter(door.port, words=b"")
        await anna.sees(b"hello")


@pytest.mark.usefixtures("few_screens")
async def test_strangers_who_fill_the_door_keep_nobody_from_their_seat(tmp_path: Path) -> None:
    gate = SeatedGate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.type(b"q")
        await anna.wait_for_close()
        seated = door.guests.get(anna.seat)
        assert seated is not None
        gate.seated.add(seated.seat.public)
        crowd = [await WebGuest.enter(door.port, f"Guest {number}") for number in range(FEW)]
        again = await anna.back(door.port)
        await again.type(b"here")
        await again.sees(b"HERE")
        await crowd[0].wait_for_close()
        assert crowd[0].refused == "full", "who has been there the longest without a seat"
        assert not crowd[0].has_ended, "they would read that they have left"
        late = await crowd[0].back(door.port)
        assert await late.wait_for_close() == CODE_REFUSED
        assert late.refused == "full"
        assert len(door.door._screens) == FEW


@pytest.mark.usefixtures("few_screens")
async def test_a_door_that_is_full_of_players_is_full(tmp_path: Path) -> None:
    gate = SeatedGate()
    async with open_door(tmp_path, gate) as door:
        anna = await WebGuest.enter(door.port)
        await anna.type(b"q")
        await anna.wait_for_close()
        for number in range(FEW):
            await (await WebGuest.enter(door.port, f"Guest {number}")).sees(b"hello")
        gate.seated |= {guest.seat.public for guest in door.guests._guests.values()}
        again = await anna.back(door.port)
        assert await again.wait_for_close() == CODE_REFUSED
        assert again.refused == "full"


async def test_a_code_that_was_renewed_meanwhile_lets_no_page_in(tmp_path: Path) -> None:
    class Renewing(Gate):
        async def exchange(self, address: str, share: bytes, binding: bytes) -> DoorAnswer:
            run = await super().exchange(address, share, binding)
            self.renewed += 1
            return run

    gate = Renewing(knows_seats=False)
    async with open_door(tmp_path, gate) as door:
        mallory = await WebGuest.enter(door.port)
        await mallory.wait_for_close()
        assert mallory.refused == "seat"
        assert door.screens == []


async def test_a_screen_that_cannot_be_started_is_told_and_leaves_the_door_open(
    tmp_path: Path,
) -> None:
    failures = [OSError("no more processes")]

    def start(_guest: Guest, _arrival: Arrival) -> GuestScreen:
        if failures:
            raise failures.pop()
        return EchoScreen()

    async with open_door(tmp_path, Gate(), start) as door:
        anna = await WebGuest.enter(door.port)
        assert await anna.wait_for_close() == CODE_REFUSED
        assert anna.refused == "table"
        await (await WebGuest.enter(door.port)).sees(b"hello")


async def test_a_guest_who_reads_nothing_stalls_nobody_else(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:
        anna, bruno = await WebGuest.enter(door.port), await WebGuest.enter(door.port, "Bruno")
        await anna.sees(b"hello")
        await bruno.sees(b"hello")
        anna.link.transport.pause_reading()
        for _ in range(400):
            door.screens[0].draw(b"x" * 65536)
        await bruno.type(b"my turn")
        await bruno.sees(b"MY TURN")
        assert door.screens[0]._drawn.qsize() > 100
        anna.link.transport.abort()


async def test_who_comes_back_once_their_screen_was_killed_has_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens = list[GuestScreen]()

    async def start(_guest: Guest, _arrival: Arrival) -> GuestScreen:
        screens.append(await GuestScreen.start(request(tmp_path, NOBODY), ("-c", ECHO)))
        return screens[-1]

    async with open_door(tmp_path, Gate()) as opened:
        monkeypatch.setattr(opened.door, "_open_screen", start)
        zoe = await WebGuest.enter(opened.port, "Zoe")
        await zoe.sees(b"ready")
        screens[0]._process.kill()
        await zoe.wait_for_close()
        assert zoe.has_ended
        again = await zoe.back(opened.port)
        await again.type(b"still here")
        await again.sees(b"still here")
        assert len(screens) == 2


class Page:
    """A page that shows what it is sent."""

    def __init__(self) -> None:
        self.shown = b""
        self._came = asyncio.Event()

    async def show(self, data: bytes) -> None:
        self.shown += data
        self._came.set()

    async def sees(self, text: bytes) -> None:
        async with asyncio.timeout(60):
            while text not in self.shown:
                self._came.clear()
                await self._came.wait()


@pytest.mark.rule("K")
async def test_the_length_of_what_is_shown_says_little() -> None:
    echo, page = EchoScreen(), Page()
    held = HeldScreen(echo, lambda: None)
    held.attach(page.show)
    await page.sees(b"hello" + FILLER)
    before = len(page.shown)
    echo.draw(b"a saboteur")
    await page.sees(b"a saboteur" + FILLER)
    assert len(page.shown) - before == PIECES_BYTES[0]
    await held.close()


async def test_a_screen_without_a_page_is_read_on_and_ends_after_its_time() -> None:
    echo, page, ended = EchoScreen(), Page(), asyncio.Event()
    held = HeldScreen(echo, ended.set, kept_s=0.01)
    held.attach(page.show)
    held.detach(page.show)
    async with asyncio.timeout(60):
        await ended.wait()
    assert echo.is_closed
    assert held.ended.is_set()


async def test_a_page_that_comes_in_time_keeps_the_screen() -> None:
    echo, page, again = EchoScreen(), Page(), Page()
    held = HeldScreen(echo, lambda: None, kept_s=600)
    held.attach(page.show)
    held.detach(page.show)
    timer = held._leaving
    assert timer is not None
    held.attach(again.show)
    assert timer.cancelled()
    held.detach(page.show)  # the old page says so late
    assert held._leaving is None, "the new page has not gone"
    await held.close()
