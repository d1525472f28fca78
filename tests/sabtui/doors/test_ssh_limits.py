"""What strangers and guests can do to the SSH door: it goes on, and each has their own seat.

Its memory stays bounded in a flood of requests of every kind.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import asyncssh
import pytest
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import String

from benchmarks.attack import Player, play
from net.protocol.lobby import Settings
from net.protocol.messages import GuessAlarm
from net.protocol.requests import Chat
from net.secure.keys import SeatKey
from net.secure.limits import ALARM_WRONG_CODES, MAX_PENDING_PER_ADDRESS, Limit
from sabtui.doors import ssh_door, ssh_session
from sabtui.doors.guest_screen import FILLER, PIECES_BYTES
from sabtui.doors.guests import MAX_SCREENS, Caller, GuestBook
from sabtui.doors.ssh_door import MAX_KEYS_OFFERED, SshServer, make_options
from sabtui.doors.ssh_session import (
    MAX_UNREAD_BYTES,
    MIN_PACKET_BYTES,
    DoorConnection,
    GuestSession,
    SshDoor,
)
from sabtui.text.door_words import door_full, log_in_again
from tests.net.cable import Tap, cable
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, new_table, until
from tests.sabtui.doors import ssh_table
from tests.sabtui.doors.open_doors import idle_links, memory_of_door
from tests.sabtui.doors.ssh_flood import ask, ask_globally, variable
from tests.sabtui.doors.ssh_table import beside, connect, quick_door
from tests.sabtui.doors.web_guest import Gate, echoing


def new_key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


async def check_door_works(opened: ssh_table.SshDoor) -> None:
    """The door knows a friend's code, and the table answers its host."""
    assert await opened.host.wants(Chat("hello")) is None
    async with opened.login("Dede"):
        pass


async def test_idle_links_take_no_more_than_their_places_and_keep_nobody_out(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_door, "STARTS", Limit(1000, 20))  # a friend's turn comes after theirs
    places = MAX_PENDING_PER_ADDRESS
    async with (
        quick_door(where, tmp_path / "door") as opened,
        idle_links(opened.port, 2 * places) as ended,
    ):
        await until(lambda: sum(map(asyncio.Task.done, ended)) >= places)
        await check_door_works(opened)


async def test_a_link_that_is_cut_off_keeps_its_number_until_nothing_listens_to_it_any_more(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_door, "STARTS", Limit(1000, 20))
    numbers = list[int]()

    class Noted(DoorConnection):
        def connection_lost(self, exc: Exception | None = None) -> None:
            numbers.append(self._line.get_extra_info("socket").fileno())
            super().connection_lost(exc)

    monkeypatch.setattr(ssh_door, "DoorConnection", Noted)
    async with (
        quick_door(where, tmp_path / "door") as opened,
        idle_links(opened.port, MAX_PENDING_PER_ADDRESS + 4),
    ):
        await until(lambda: len(numbers) >= 4)
    assert -1 not in numbers


async def test_somebody_who_offers_keys_or_types_a_code_without_end_is_cut_off(
    where: Path, tmp_path: Path
) -> None:
    keys = tuple(new_key() for _ in range(MAX_KEYS_OFFERED + 1))
    async with quick_door(where, tmp_path / "door") as opened:
        for endless in (opened.login("Mallory", "x" * 200_000), opened.login("Dede", keys=keys)):
            with pytest.raises((asyncssh.Error, OSError)):
                async with endless:
                    raise AssertionError("nobody is let in")
        async with opened.login("Dede", keys=keys[: MAX_KEYS_OFFERED // 2]):
            pass


class Refusing(Gate):
    """A table that has no code, and lets nobody in."""

    async def admit(self, *_asked: object, **_how: object) -> bool:
        return False


async def read_refusal(crowded: SshDoor, name: str) -> str:
    """Come to a door by a code, and read why there is no screen."""
    options = make_options(crowded, new_key())
    loop = asyncio.get_running_loop()
    async with await loop.create_server(lambda: DoorConnection(options), HERE, 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with connect(port, name, str(OTHER_CODE)) as login:
            late = await login.create_process(term_type="xterm")
            told: str = await late.stdout.read()
        assert late.exit_status == 1
    return told


async def test_strangers_who_fill_the_door_keep_nobody_from_their_seat(tmp_path: Path) -> None:
    gate, guests, ended = Refusing(words=b""), GuestBook(tmp_path), list[str]()
    crowded = SshDoor(gate, guests)
    full, let_in = f"{door_full()}\r\n", f"{log_in_again()}\r\n"  # by this table nobody is
    crowded.screens = MAX_SCREENS - 1
    assert await read_refusal(crowded, "Zoe") == let_in
    (zoe,) = guests.find_known(Caller("Zoe"))
    for name in ("Ben", "Mallory 1", "Mallory 2"):
        guest = guests.add(Caller(name))
        session = SimpleNamespace(end=partial(ended.append, name))
        crowded.there[guest.id] = cast("GuestSession", session)
        if name == "Ben":
            gate.seated.add(guest.seat.public)
    crowded.screens = MAX_SCREENS
    assert await read_refusal(crowded, "Mallory 3") == full
    assert guests.find_known(Caller("Mallory 3")) == []
    assert await read_refusal(crowded, "Zoe") == full, "she has no seat"
    gate.seated.add(zoe.seat.public)
    assert [await read_refusal(crowded, "Zoe") for _ in range(3)] == [let_in, let_in, full]
    assert ended == ["Mallory 1", "Mallory 2"]
    ann = guests.add(Caller("Ann", proven="her key"))
    gate.seated.add(ann.seat.public)
    crowded.there[ann.id] = crowded.there[next(iter(crowded.there))]
    assert await crowded.make_room(Caller("Ann", proven="her key")), "in place of herself"
    assert crowded.screens == MAX_SCREENS


class Somebody:
    """The session of somebody who is there."""

    def end(self) -> None:
        """End it."""

    async def is_there(self) -> bool:
        return True


SOMEBODY = cast("GuestSession", Somebody())


def come_by_key(door: SshDoor, name: str) -> SshServer:
    """A connection to a door on which somebody begins to log in."""
    coming = SshServer(door)
    coming.begin_auth(name)
    return coming


async def test_a_key_that_was_only_offered_opens_nothing_once_another_is_proven(
    tmp_path: Path,
) -> None:
    gate = Gate(words=b"")
    opened = SshDoor(gate, GuestBook(tmp_path))
    evas, mallorys = (new_key() for _ in range(2))
    both = tuple(key.get_fingerprint() for key in (evas, mallorys))
    planted = await opened.find_guest(Caller("Eva", offered=both), SOMEBODY)
    gate.seated.add(planted.seat.public)
    eva, mallory = come_by_key(opened, "eva"), come_by_key(opened, "eva")
    assert await eva.validate_public_key("eva", evas)
    found = await opened.find_guest(eva.caller, SOMEBODY)
    assert found.seat == planted.seat
    assert not await mallory.validate_public_key("eva", mallorys)
    assert await eva.validate_public_key("eva", evas)


async def test_a_guest_who_offers_anothers_key_does_not_come_between_them_and_their_seat(
    tmp_path: Path,
) -> None:
    gate, guests = Gate(words=b""), GuestBook(tmp_path)
    opened = SshDoor(gate, guests)
    key = new_key()
    mark = key.get_fingerprint()
    anna = guests.add(Caller("Anna", offered=(mark,)))
    gate.seated.add(anna.seat.public)
    mallory = come_by_key(opened, "anna")
    assert await mallory.validate_public_key("anna", key), "asyncssh asks for a proof then"
    assert await mallory.validate_password("anna", str(OTHER_CODE))
    other = await opened.find_guest(mallory.caller, SOMEBODY)
    assert other != anna
    assert other.marks == ()
    gate.seated.add(other.seat.public)
    back = come_by_key(opened, "Anna")
    assert await back.validate_public_key("Anna", key)
    assert await opened.find_guest(back.caller, SOMEBODY) == anna
    gate.seated.clear()
    assert not await back.validate_public_key("Anna", key), "she was sent away"
    again = await opened.find_guest(Caller("Anna", offered=(mark,)), SOMEBODY)
    assert again.marks == (mark,), "as somebody new she is known by it again"
    gate.seated.add(again.seat.public)
    assert await opened.find_seated(Caller("Anna"), mark) == again


assert sys.platform != "win32"  # so that types know, too


def slip(seed: int, slipped: Callable[[], object]) -> Tap:
    """Return what cuts a stream, turns a bit of it, or doubles a part, somewhere in a login."""
    chance = Random(seed)
    at, seen = chance.randrange(2500), 0

    def alter(data: bytes) -> bytes:
        nonlocal seen
        before, seen = seen, seen + len(data)
        place = at - before
        if not 0 <= place < len(data):
            return data
        slipped()
        return {
            0: data[:place],
            1: data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :],
            2: data[:place] + data,
            3: data[:place] + chance.randbytes(40) + data[place:],
        }[seed % 4]

    return alter


async def test_a_login_that_is_cut_or_altered_anywhere_ends_its_own_connection_alone(
    where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened:

        async def log_in(seed: int) -> None:
            def hang_up_soon() -> None:
                limit.reschedule(asyncio.get_running_loop().time() + 0.3)

            with suppress(asyncssh.Error, OSError, TimeoutError):
                async with (
                    asyncio.timeout(60) as limit,
                    cable(opened.port, up=slip(seed, hang_up_soon)) as line,
                    replace(opened, via=line.port).login("Eva"),
                ):
                    pass

        await asyncio.gather(*map(log_in, range(16)))
        assert opened.names() == ["Ann"]
        await check_door_works(opened)


async def test_logins_without_a_screen_hold_no_more_than_the_places_of_strangers(
    where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened, AsyncExitStack() as stack:
        earliest = await stack.enter_async_context(opened.login("Eva"))
        for _ in range(MAX_PENDING_PER_ADDRESS):
            await stack.enter_async_context(opened.login("Eva"))
        async with asyncio.timeout(60):
            await earliest.wait_closed()
        await check_door_works(opened)


async def test_guesses_from_many_addresses_are_told_to_the_host_and_keep_no_friend_out(
    where: Path, tmp_path: Path
) -> None:
    addresses = [f"127.0.0.{number}" for number in range(2, 2 + ALARM_WRONG_CODES)]
    async with quick_door(where, tmp_path / "door") as opened:

        async def guess(address: str) -> None:
            with suppress(asyncssh.Error, OSError):
                visit = connect(opened.port, "Mallory", str(OTHER_CODE), local_addr=(address, 0))
                async with visit:
                    raise AssertionError("nobody guesses")

        guesses = opened.hosted.host.entrance.guesses
        guessing = [asyncio.create_task(guess(address)) for address in addresses for _ in range(3)]
        await until(lambda: guesses.wrong_codes >= 2 * ALARM_WRONG_CODES)
        await until(lambda: GuessAlarm(ALARM_WRONG_CODES) in opened.host.got)
        await check_door_works(opened)
        for task in guessing:
            task.cancel()
        ended = await asyncio.gather(*guessing, return_exceptions=True)
        assert not [error for error in ended if isinstance(error, AssertionError)]
        assert opened.names() == ["Ann"]


FOUR = Settings(seats=4, rounds=1)


async def test_two_of_one_name_who_come_at_the_same_moment_have_a_seat_each(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_session, "PRESENCE_S", 0.05)
    monkeypatch.setattr(ssh_session, "PRESENCE_TRIES", 8)
    with echoing() as started:
        async with quick_door(where, tmp_path / "door", FOUR) as opened, AsyncExitStack() as stack:
            logins = [await stack.enter_async_context(opened.login("Dede")) for _ in range(2)]
            opening = (login.create_process(term_type="xterm", encoding=None) for login in logins)
            screens = await asyncio.gather(*opening)
            await until(lambda: len(started) == len(screens))
            assert len({order.key for order, _ in started}) == len(screens)
            assert [screen.is_closing() for screen in screens] == [False, False]


@pytest.mark.rule("K")
async def test_the_length_of_what_is_shown_says_little_and_nothing_on_the_way_compresses_it(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with quick_door(where, tmp_path / "door", FOUR) as opened:
            async with opened.guest("Dede") as dede:
                await dede.sees("hello")
                await dede.until(lambda: len(dede.raw) % PIECES_BYTES[0] == 0)
                assert dede.raw.endswith(FILLER)
            packed = connect(opened.port, "Dede", str(CODE), compression_algs=["zlib@openssh.com"])
            # The door may hang up before its reason is read.
            with pytest.raises((asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost)):
                async with packed:
                    pass


def test_what_was_proven_under_one_name_counts_for_no_other() -> None:
    coming = come_by_key(cast("SshDoor", None), "Ana")
    coming._proven = "the mark of Ana's key"
    coming.begin_auth("Bruno")
    caller = coming.caller
    assert (caller.name, caller.proven, caller.offered) == ("Bruno", "", ())


async def test_whoever_has_the_last_place_keeps_it_from_who_comes_at_the_same_moment(
    tmp_path: Path,
) -> None:
    asked = asyncio.Event()

    class Slow(Refusing):
        async def admit(self, *_asked: object, **_how: object) -> bool:
            await asked.wait()
            return False

    door = SshDoor(Slow(words=b""), GuestBook(tmp_path))
    door.guests.add(Caller("Bruno"))
    door.screens = MAX_SCREENS - 1
    first = asyncio.create_task(read_refusal(door, "Ana"))
    await until(lambda: door.screens == MAX_SCREENS)
    assert await read_refusal(door, "Bruno") == f"{door_full()}\r\n"
    asked.set()
    assert await first == f"{log_in_again()}\r\n"
    assert door.screens == MAX_SCREENS - 1


Links = list[DoorConnection]

MANY = {f"V{number}": "x" for number in range(300)}
MOST_ASKED = 10_000
MAX_DOOR_BYTES = 120 << 20


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> Links:
    """The connections to doors in this process, as the doors have them."""
    made = Links()

    class Noted(DoorConnection):
        def __init__(self, options: asyncssh.SSHServerConnectionOptions) -> None:
            super().__init__(options)
            made.append(self)

    monkeypatch.setattr(ssh_door, "DoorConnection", Noted)
    return made


@asynccontextmanager
async def echo(
    where: Path, folder: Path, env: Mapping[str, str] = {}
) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, asyncssh.SSHClientProcess[str]]]:
    """A guest who sees what they type, in capitals: their connection, and what runs on it."""
    with echoing():
        async with quick_door(where, folder) as opened, opened.login("Dede") as login:
            process = await login.create_process(term_type="xterm", env=env)
            assert await process.stdout.readuntil("hello")
            yield login, process


async def test_variables_that_are_not_read_are_not_kept(
    links: Links, where: Path, tmp_path: Path
) -> None:
    env = {"LANG": "it_IT.UTF-8", "LC_ALL": "C", "COLORTERM": "x" * 1000} | MANY
    async with echo(where, tmp_path / "door", env) as (login, process):
        (channel,) = links[0]._channels.values()
        assert dict(channel.get_environment_bytes()) == {b"LANG": b"it_IT.UTF-8"}
        login.send_packet(*variable(b"x"))
        login.send_packet(*ask("env", String("LANG") + String("x" * 65), reply=False))
        process.stdin.write("seen")
        assert await process.stdout.readuntil("SEEN")
        assert len(channel.get_environment_bytes()) == 1


async def test_nobody_has_what_is_drawn_in_packets_of_a_few_bytes(
    where: Path, tmp_path: Path
) -> None:
    with echoing():
        async with quick_door(where, tmp_path / "door") as opened:
            async with opened.login("Dede") as login:
                with pytest.raises(asyncssh.ChannelOpenError):
                    await login.create_process(term_type="xterm", max_pktsize=MIN_PACKET_BYTES - 1)
            async with opened.login("Dede") as login:
                usual = await login.create_process(term_type="xterm", max_pktsize=MIN_PACKET_BYTES)
                assert await usual.stdout.readuntil("hello")


async def test_somebody_who_sends_much_before_there_is_a_screen_is_cut_off(
    links: Links, where: Path, tmp_path: Path
) -> None:
    async with quick_door(where, tmp_path / "door") as opened, opened.login("Dede") as login:
        while not login.is_closed():
            login.send_packet(MSG_IGNORE, String(bytes(8000)))
            await asyncio.sleep(0)
        assert links[0]._left < 0


async def test_a_screen_draws_no_more_while_much_waits_and_too_much_ends_its_connection(
    links: Links, where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with echo(where, tmp_path / "door") as (login, process):
        links[0].pause_writing()
        process.stdin.write("seen")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await process.stdout.readuntil("SEEN")
        links[0].resume_writing()
        assert await process.stdout.readuntil("SEEN")
        waiting = MAX_UNREAD_BYTES
        monkeypatch.setattr(links[0]._line, "get_write_buffer_size", lambda: waiting)
        process.stdin.write("again")
        assert await process.stdout.readuntil("AGAIN")
        waiting += 1
        process.stdin.write("not seen any more")
        await login.wait_closed()


async def test_a_client_that_never_ends_a_key_exchange_is_cut_off(
    links: Links, where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_session, "BYTES_PER_S", 1 << 30)
    async with echo(where, tmp_path / "door") as (login, _process):
        login._send_kexinit()
        login._kex_complete = True  # or the client would wait for the end
        asked = 0
        while links[0]._transport is not None:  # it reads none of the answers
            login.send_packet(*ask_globally("keepalive@openssh.com"))
            await asyncio.sleep(0)
            asked += 1
            assert asked < MOST_ASKED


@pytest.mark.parametrize("seconds", [2, pytest.param(60, marks=pytest.mark.level("soak"))])
async def test_requests_as_fast_as_the_link_takes_them_fill_no_memory_and_the_table_goes_on(
    seconds: int, where: Path, tmp_path: Path
) -> None:
    key = SeatKey.new()
    table = new_table(where, key, Settings(seats=3, rounds=3))
    async with beside(table, key, tmp_path / "door") as opened:
        players = [Player("Ann", key), Player("Ben", SeatKey.new()), Player("Cleo", SeatKey.new())]
        for player in players:
            await player.come(opened.hosted.port)
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.sabtui.doors.ssh_flood"),
            *(str(opened.port), str(seconds)),
            stdout=asyncio.subprocess.PIPE,
        )
        assert flood.stdout is not None
        peak = 0

        async def watch() -> None:
            nonlocal peak
            while True:
                peak = max(peak, memory_of_door())
                await asyncio.sleep(0.05)

        watching = asyncio.create_task(watch())
        took = await play(players, seconds)
        sent, links = map(int, (await flood.stdout.read()).split())
        await flood.wait()
        watching.cancel()
        print(  # noqa: T201 - the figures, for who runs the minute
            f"{sent / seconds / 1e6:.2f} MB/s on {links} connections; the door at most "
            f"{peak / 2**20:.0f} MB; longest of {len(took)} moves {max(took):.0f} ms"
        )
        for player in players:
            await player.leave()
        assert took, "moves were made meanwhile"
        assert links > seconds
        assert peak < MAX_DOOR_BYTES
