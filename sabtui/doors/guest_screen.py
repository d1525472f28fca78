"""A guest's screen: a program of its own on a pseudo-terminal (`sabtui.doors.guest_program`).

For a page, which draws the table itself, it writes and reads lines of JSON, on pipes in place of
the terminal. The order with its secrets comes through a socket of its own.

The process joins the table as one person and can do nothing else. It inherits no environment, and
its home is a folder of that person's own, so it finds none of the host's files, seats, records and
settings. Its output is read only as fast as the guest accepts it: a guest who stops reading stalls
only their own screen.

What a door sends is encrypted, but anybody on the network sees how long it is, and when it is sent.
The first screen of a round takes some 450 bytes more to draw for a saboteur than for a miner. So
what is drawn within a moment is sent as one piece, padded to one of `PIECES_BYTES` with NUL bytes.
Terminals ignore these: NUL is the padding character of terminfo. Nothing on the way may compress
the pieces: their lengths would differ again.

POSIX only: Windows has no pseudo-terminals of this kind.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import site
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self, TypeAlias

import msgspec

from net.protocol.cleaning import clean_name
from net.server.process import environment
from sabtui.doors.guests import Guest
from sabtui.doors.nursery import Birth, Nursery, ScreenProcess
from sabtui.doors.table_link import DoorOrder

KILL: Final = 9  # the signal, which Windows does not have

READ_BYTES: Final = 64 * 1024  # maximum bytes that one `read` returns; Linux gives 4 KiB at a time

MAX_TYPED_BYTES: Final = 64 * 1024
"""Maximum typed bytes that wait for a screen; anything typed beyond them is dropped."""

MAX_COLUMNS, MAX_ROWS = 500, 200
"""Largest size that a screen is told: each cell costs it memory and time."""

GOODBYE_S: Final = 2.0  # seconds that a screen has to say goodbye to the table before it is killed
USUAL_TERM: Final = "xterm-256color"
USUAL_LANG: Final = "C.UTF-8"

_TERM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_LANG: Final = re.compile(r"[A-Za-z]{1,8}(_[A-Za-z]{2})?(\.[A-Za-z0-9-]{1,16})?(@[a-z]{1,16})?")


class GuestTerminal(msgspec.Struct, frozen=True):
    """The guest's own terminal, as they describe it; each text is checked before use."""

    term: str = USUAL_TERM
    lang: str = ""  # "" if it is unknown: UTF-8 in any language
    colorterm: str = ""
    no_color: bool = False
    columns: int = 80
    rows: int = 24


class GuestOrder(msgspec.Struct, frozen=True):
    """Order to a guest's screen: whom to join as, and at which port of this computer.

    There is no code in it, since the table has admitted the seat key.
    """

    name: str
    port: int
    key: bytes  # the secret of the seat key
    pin: bytes  # the fingerprint of the table's certificate
    table: str
    title: str
    lines: bool = False  # play in lines of JSON, for a page
    stage: bool = False  # show the table to a room, without a seat
    host: str = ""  # where the guest reached the door, "" for a page, which knows that

    @classmethod
    def for_guest(
        cls,
        guest: Guest,
        table: DoorOrder,
        *,
        lines: bool = False,
        stage: bool = False,
        host: str = "",
    ) -> Self:
        name, key = guest.name, guest.key
        pin, title = table.pin, table.title
        return cls(name, table.port, key, pin, table.table, title, lines, stage, host)


class GuestScreen:
    """A guest's screen while it runs; made by `start`. Use it in the event loop that started it."""

    def __init__(
        self, process: ScreenProcess, drawn: asyncio.StreamReader, typed: asyncio.WriteTransport
    ) -> None:
        self._process = process
        self._drawn = drawn
        self._typed = typed
        self._is_closed = False

    @classmethod
    async def start(
        cls, order: GuestOrder, home: Path, terminal: GuestTerminal, nursery: Nursery
    ) -> Self:
        """Start a guest's screen; `home` is this guest's own folder, created if necessary.

        Raises OSError: there are no processes, terminals or files left, or no folder can be made.
        """
        await asyncio.to_thread(home.mkdir, mode=0o700, parents=True, exist_ok=True)
        variables = make_environment(order.name, home, terminal)
        birth = Birth(msgspec.json.encode(order), str(home), variables)
        if order.lines:
            (typed, typing), (drawing, drawn) = os.pipe(), os.pipe()
        else:
            typing, typed = _open_terminal()
            _set_size(typing, terminal.columns, terminal.rows)
            drawing, drawn = os.dup(typing), os.dup(typed)
        try:
            process = await nursery.start(birth, typed, drawn)
        except BaseException:
            os.close(typing)
            os.close(drawing)
            raise
        finally:
            os.close(typed)
            os.close(drawn)
        return cls(process, *await _connect(drawing, typing))

    async def read(self) -> bytes:
        """Wait for the screen's next output, and return it; b"" once the screen has ended.

        Only one caller may wait at a time. Nothing is lost if it is cancelled.
        """
        return await self._drawn.read(READ_BYTES)

    def write(self, data: bytes) -> None:
        """Pass on what the guest types, without waiting; drop it if too much waits already."""
        waiting = self._typed.get_write_buffer_size()
        if waiting + len(data) <= MAX_TYPED_BYTES and not self._typed.is_closing():
            self._typed.write(data)

    def resize(self, columns: int, rows: int) -> None:
        with suppress(OSError, ValueError):  # the screen has ended
            _set_size(self._typed.get_extra_info("pipe").fileno(), columns, rows)

    async def close(self) -> int:
        """End the screen, kill it if it takes longer than `GOODBYE_S`, and return its exit code.

        Its remaining output is dropped, so nobody may wait in `read`. A second call only waits.
        """
        if self._is_closed:
            return await self._process.wait()
        self._is_closed = True
        try:
            self._process.send_signal(signal.SIGTERM)
            with suppress(TimeoutError):  # too slow: it is killed below
                async with asyncio.timeout(GOODBYE_S):
                    while await self.read():
                        pass
                    await self._process.wait()
        finally:
            self._process.send_signal(KILL)
            if not self._typed.is_closing():
                self._typed.abort()
        return await self._process.wait()


class _TerminalProtocol(asyncio.StreamReaderProtocol):
    """Reads a terminal into a stream."""

    def connection_lost(self, _error: Exception | None) -> None:
        """End the stream: Linux reports an error once no process has the terminal open."""
        super().connection_lost(None)


async def _connect(
    drawing: int, typing: int
) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
    """Return a stream of what a screen draws, and a transport for what is typed."""
    loop, drawn = asyncio.get_running_loop(), asyncio.StreamReader(READ_BYTES)
    reading, writing = os.fdopen(drawing, "rb", 0), os.fdopen(typing, "wb", 0)
    await loop.connect_read_pipe(lambda: _TerminalProtocol(drawn), reading)
    typed, _protocol = await loop.connect_write_pipe(asyncio.BaseProtocol, writing)
    return drawn, typed


PIECES_BYTES: Final = (4 * 1024, 16 * 1024, 64 * 1024)
"""Lengths of pieces: the first holds most changes of a screen, the last a whole screen. Any
further length could distinguish two screens that differ in a secret."""

GATHER_S: Final = 0.02
"""Seconds whose output becomes one piece: the system hands over 4 KiB at a time."""

FILLER: Final = b"\0"

_MAX_CUT_BYTES: Final = 256
"""Maximum bytes that wait for the rest of a character or an escape sequence."""

_CUT: Final = re.compile(
    rb"("
    rb"\x1b(\[[ -?]*|[ -/]*)"  # the beginning of an escape or a control sequence
    rb"|\x1b[]P^_X][^\x07\x1b]*\x1b?"  # a string of the system or the device, without its end
    rb"|[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xff][\x80-\xbf]{0,2}"  # part of a character
    rb")\Z"
)

ReadOutput: TypeAlias = Callable[[], Awaitable[bytes]]
"""Waits for what a screen draws next; b"" once it has ended. Nothing is lost if it is cancelled."""


async def pad_output(read: ReadOutput) -> AsyncIterator[bytes]:
    """Yield what a screen draws until it has ended, in pieces of one of the `PIECES_BYTES` each.

    No character and no escape sequence is cut in two.
    """
    loop, drawn, has_ended = asyncio.get_running_loop(), b"", False
    while drawn or not has_ended:
        until: float | None = None
        while not has_ended and len(drawn) < PIECES_BYTES[-1]:
            if until is None and drop_cut_end(drawn):
                until = loop.time() + GATHER_S
            try:
                async with asyncio.timeout_at(until):
                    part = await read()
            except TimeoutError:
                break
            drawn, has_ended = drawn + part, not part
        piece = drawn[: PIECES_BYTES[-1]]
        if not has_ended or len(piece) < len(drawn):
            piece = drop_cut_end(piece)
        drawn = drawn[len(piece) :]
        if piece:
            yield fill_up(piece)


def drop_cut_end(drawn: bytes) -> bytes:
    """Return output without an incomplete character or escape sequence at its end."""
    cut = _CUT.search(drawn, max(0, len(drawn) - _MAX_CUT_BYTES))
    return drawn if cut is None else drawn[: cut.start()]


def fill_up(piece: bytes) -> bytes:
    """Return a piece, padded to the smallest of the `PIECES_BYTES` that holds it."""
    return piece.ljust(next(size for size in PIECES_BYTES if size >= len(piece)), FILLER)


def make_environment(name: str, home: Path, terminal: GuestTerminal) -> dict[str, str]:
    """Return all environment variables of a guest's screen; it inherits none.

    They describe the guest's terminal, name and home, and where Python finds our packages.
    """
    variables = {
        "HOME": str(home),
        "LOGNAME": clean_name(name),  # the account's own name is nobody's business
        "TERM": terminal.term if _TERM.fullmatch(terminal.term) else USUAL_TERM,
        "LANG": terminal.lang if _LANG.fullmatch(terminal.lang) else USUAL_LANG,
        "PYTHONPATH": environment()["PYTHONPATH"],
        "PYTHONUSERBASE": site.getuserbase(),  # Python would look for it in HOME
        "PYTHONUTF8": "1",
    }
    if _TERM.fullmatch(terminal.colorterm):
        variables["COLORTERM"] = terminal.colorterm
    if terminal.no_color:
        variables["NO_COLOR"] = "1"
    return variables


if sys.platform == "win32":

    def _refuse(*_asked: int, **_how: bool) -> tuple[int, int]:
        raise PermissionError("no pseudo-terminals here")

    _open_terminal = _set_size = _refuse
else:
    import fcntl
    import pty
    import termios

    _open_terminal = pty.openpty

    def _set_size(terminal: int, columns: int, rows: int) -> None:
        """Set the size of a terminal, given by its file number, within bounds."""
        columns, rows = min(max(columns, 1), MAX_COLUMNS), min(max(rows, 1), MAX_ROWS)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
