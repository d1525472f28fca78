"""What the host's player could look into while a game lasts holds nothing of it that is secret."""

from __future__ import annotations

import asyncio
import mmap
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
from msgspec.msgpack import encode

from engine.events import Played, Private
from net.protocol.events import read_event
from net.protocol.lobby import Absence, Settings
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import PutBot, SetReady
from net.room.sealing import SealedLog
from net.room.state import Begin, DealNext, read_step
from net.secure.keys import SeatKey
from net.secure.sealing import open_share
from net.server.journal import Journal
from tests.net.server.child_process import start_child
from tests.net.server.journal_tools import HOUSE
from tests.net.server.served_table import Guest, new_table, until

pytest.importorskip("fcntl", reason="looks into /proc")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def memory_of(pid: int) -> bytes:
    """All memory that a process can write to, but for pages of zeros, which are most of it."""
    maps = Path(f"/proc/{pid}/maps").read_text()
    found: list[bytes] = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for begin, end in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw", maps, re.MULTILINE):
            with suppress(OSError):  # the system's own pages
                memory.seek(int(begin, 16))
                area = memory.read(int(end, 16) - int(begin, 16))
                pages = (area[at : at + mmap.PAGESIZE] for at in range(0, len(area), mmap.PAGESIZE))
                found += [page for page in pages if page.strip(b"\0")]
    return b"".join(found)


def facts_of(pid: int) -> bytes:
    """What we can read of a process: its command line and, if it lets its user, its environment."""
    folder = Path("/proc", str(pid))
    facts = (folder / "cmdline").read_bytes()
    with suppress(PermissionError):  # the process of a table hides it, but from root
        facts += (folder / "environ").read_bytes()
    return facts


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, such as that of its bots."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def files_in(folder: Path) -> bytes:
    """All that lies in a folder: journal, its log, spare file, log of the program."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


class Sealed(NamedTuple):
    """What a journal has sealed of a game; nothing once it is over.

    `keys` are the key and its shares, `draws` the host's shares in draws of seeds, with those seeds
    that it drew alone, `moves` all moves so far, some of which may be alike.
    """

    keys: set[bytes]
    draws: set[bytes]
    moves: list[bytes]

    @property
    def secrets(self) -> set[bytes]:
        """All of it."""
        return self.keys | self.draws | set(self.moves)


def secrets_in(journal: Path, folder: Path, people: list[Guest]) -> Sealed:
    """Read what is sealed from a copy of the journal, with the people's help."""
    copy = folder / "copy.table"
    for file in journal.parent.glob(f"{journal.name}*"):
        shutil.copy(file, copy.with_name(file.name.replace(journal.name, copy.name)))
    with Journal.open(copy) as opened:
        log = SealedLog([read_step(step.payload) for step in opened.steps()])
    so_far = Sealed(set(), set(), [])
    if not log.needed:
        return so_far
    keys, draws, moves = so_far
    for member, guest in enumerate(people, 1):
        if sealed := log.share_of(member):
            share = open_share(guest.key, sealed)
            assert log.give(member, share)
            keys.add(share)
    keys.add(log.key())
    for step in log.open_steps(log.key()).values():
        if step.share:
            draws.add(step.share)
        if isinstance(step.act, Begin | DealNext):
            if step.act.seed:  # not of a deal drawn by all, which is a few bytes found anywhere
                draws.add(step.act.seed)
        elif step.act is not None:
            moves.append(encode(step.act))
    return so_far


def moves_seen(guest: Guest) -> list[Played]:
    """The moves that somebody has seen; the bot's are those of seat 3."""
    view = guest.state.status.view
    return [] if view is None else [one for one in view.history if isinstance(one, Played)]


def moves_of_bot(guest: Guest) -> int:
    """Count the moves of the bot that somebody has seen."""
    return sum(one.seat == 3 for one in moves_seen(guest))


def private_words(got: list[HostMessage]) -> Iterator[bytes]:
    """What one seat alone was told: dwarf, hand, cards, goals."""
    for step in got:
        for event in step.events if isinstance(step, StepFrame) else ():
            if isinstance(read_event(event), get_args(Private)):
                yield encode(event)


@contextmanager
def hold_still(pid: int) -> Iterator[None]:
    """Stop a process for as long as one looks."""
    if sys.platform != "win32":
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)
    else:
        yield


def look_around(
    table: int, journal: Path, folder: Path, people: list[Guest], *, into_memory: bool
) -> set[bytes]:
    """Look for all that is secret so far in all that the host's player could read.

    All people know the deal. Returns the key and its shares; nothing once the game is over, when
    there are no secrets.
    """
    with hold_still(table):
        readable = {"files": files_in(journal.parent), "table": facts_of(table)}
        (bots,) = children_of(table)
        readable["bots"] = facts_of(bots)
        seen = max(len(moves_seen(guest)) for guest in people)
        sealed = secrets_in(journal, folder, people)
        if not sealed.keys:
            return sealed.keys
        # Root can; for others the next test shows that they cannot.
        if into_memory and sys.platform != "win32" and os.geteuid() == 0:
            readable["memory of the bots"] = memory_of(bots)
            inside = memory_of(table)
            assert any(secret in inside for secret in sealed.secrets), "what is there, one finds"
    told = {secret for guest in people for secret in private_words(guest.got)}
    # The host holds no share. How many moves there are depends on who began, and on the machine.
    assert (len(sealed.keys), len(sealed.draws)) == (len(people), 1)
    assert len(sealed.moves) >= seen >= 1
    assert len(told) >= 2 * len(people), "a dwarf and a hand for each"
    for secret in sealed.secrets | told:
        for where, found in readable.items():
            assert secret not in found, (where, secret)
    return sealed.keys


@pytest.mark.thorough  # `room/test_sealing` has what a journal holds
@pytest.mark.broad
async def test_no_file_log_command_line_or_bot_holds_a_role_card_seed_or_key_of_a_game(
    where: Path, tmp_path: Path
) -> None:
    key = SeatKey.new()
    waits = Settings(
        seats=4, rounds=1, absent=Absence.WAIT
    )  # a stand-in may know whose cards it plays
    table = new_table(where, key, waits)
    table.journal.close()
    path = table.journal.path
    people = [Guest("Ann", 0, key), Guest("Ben", 0), Guest("Cleo", 0)]
    async with start_child("host", path) as child:
        port = int(await child.line())
        for guest in people:
            guest.port = port
            await guest.join()
            assert await guest.wants(SetReady(ready=True)) is None
        assert await people[0].wants(PutBot(3, "Borin", "greedy")) is None
        keys = set[bytes]()
        for guest in people:
            guest.plays = True
            guest.move()
        for moves in (1, 7):  # of the bot, so that its process is there; most games are longer
            await until(
                lambda: all(moves_of_bot(guest) >= moves or guest.is_over for guest in people)  # noqa: B023 - asked at once
            )
            # In a thread: a loaded machine takes seconds, and people are to be heard meanwhile.
            keys |= await asyncio.to_thread(
                look_around,
                child.process.pid,
                path,
                tmp_path,
                people,
                into_memory=not keys,  # once: that takes a second
            )
        await until(lambda: all(guest.is_over for guest in people))
        assert keys
        assert not any(key in files_in(path.parent) for key in keys), "they are forgotten"
        for guest in people:
            await guest.leave()


PEEK = """
import sys
from pathlib import Path
try:
    with Path(f"/proc/{sys.argv[1]}/mem").open("rb"):
        print("read")
except PermissionError:
    print("refused")
"""

SECRETIVE = """
import ctypes, os, resource, sys
from net.server.process import hide_memory
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # which a change of the user takes away
hide_memory()
peek = sys.stdin.read()
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    sys.argv = ["-", str(os.getppid())]
    exec(peek)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(pid, 0)
print(*resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_another_process_of_the_same_user_cannot_read_the_memory_of_one_that_hides_it() -> None:
    run = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", SECRETIVE],
        input=PEEK,
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["refused", "0", "0"]
