"""The format of a journal, without its disk: a file of frames, one for each commit; and its errors.

    8 bytes  "SabTable"
    2 bytes  format
    frames:
        4 bytes  length of the payload
        4 bytes  CRC-32 of these four bytes
        8 bytes  BLAKE2b of the payload
        n bytes  payload: msgpack of the writes of one commit

Numbers are big-endian. A frame that is not whole and is the last thing in the file comes from a
commit that a crash cut off: nobody was told of it, so it does not count. Anything else after the
last whole frame does not count either, but the host is told: it may be a commit that was altered
later. A broken frame that is followed by whole ones was altered, and then none of the file is used.
Digests find accidents; they do not protect against somebody who can write the file.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeAlias, assert_never

import msgspec

from net.protocol.framing import Wire
from net.room.effects import JournalStep


class Damage(StrEnum):
    """Reason why a file cannot be read as a journal."""

    NOT_A_JOURNAL = "not-a-journal"
    NEWER_FORMAT = "newer-format"  # written by a later Sabtui
    DAMAGED = "damaged"  # altered, or parts of it are missing


class JournalError(Exception):
    """Base of all errors of the journal at `path`."""

    def __init__(self, path: Path, *details: object) -> None:
        super().__init__(str(path), *details)
        self.path = path


class JournalMissing(JournalError):
    """Raised if there is no file of that name."""


class JournalBusy(JournalError):
    """Raised if another host holds this journal."""


class JournalFinished(JournalError):
    """Raised if the table of this journal was closed for good."""


class JournalUnwritable(JournalError):
    """Raised if a write failed: nothing of it is in the journal, and it may be tried again."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(path, error)
        self.error = error


class JournalBroken(JournalError):
    """Raised if a file is not a whole journal. It is neither used nor overwritten."""

    def __init__(self, path: Path, damage: Damage) -> None:
        super().__init__(path, damage)
        self.damage = damage


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn system errors while a journal is written into `JournalUnwritable`."""
    try:
        yield
    except OSError as error:
        raise JournalUnwritable(path, error) from error


MAGIC: Final = b"SabTable"
FORMAT: Final = 2  # 1 is read, too: it has other ids of games at tables that moved

_START: Final = struct.Struct(">8sH")
_HEAD: Final = struct.Struct(">I4s8s")


class Founded(Wire, frozen=True, tag="founded"):
    """The first write: the id and the name of the table."""

    table: str
    name: str
    created: float  # time at which it was created, in seconds since 1970


class Opened(Wire, frozen=True, tag="opened"):
    """The write with which a host opens the journal; the incarnations count up from 1."""

    incarnation: int


class PutMeta(Wire, frozen=True, tag="put"):
    """The write of a metadata value under a key; it overwrites an older value."""

    key: str
    value: bytes


class Finish(Wire, frozen=True, tag="finish"):
    """The write that closes a table for good; it cannot be resumed."""


Write: TypeAlias = JournalStep | PutMeta | Finish
_Any: TypeAlias = Founded | Opened | Write
_ENCODER: Final = msgspec.msgpack.Encoder()
_WRITES: Final = msgspec.msgpack.Decoder(tuple[_Any, ...])


class Contents:
    """The contents of a journal, built up by its writes in order (`take`)."""

    def __init__(self, founded: Founded, number: int = FORMAT) -> None:
        self.founded = founded
        self.format = number
        self.incarnation = 0  # times that the journal was opened for hosting
        self.finished = False
        self.kept: dict[str, bytes] = {}
        self.steps: list[JournalStep] = []
        self.size = 0  # bytes of the file that count; a cut-off commit may follow
        self.has_lost_end = False  # True if anything other than a cut-off commit follows
        self.stale = 0  # bytes of values that were overwritten

    @property
    def last(self) -> int:
        return len(self.steps)

    def write(self) -> bytes:
        kept = [PutMeta(key, value) for key, value in self.kept.items()]
        return begin_file(self.founded, [*kept, *self.steps, Opened(self.incarnation)])

    def take(self, write: _Any) -> None:
        """Add a write. Raises ValueError: it does not follow from those before."""
        match write:
            case JournalStep(number) if number == self.last + 1:
                self.steps.append(write)
            case PutMeta(key, value):
                self.stale += len(self.kept.get(key, b""))
                self.kept[key] = value
            case Opened(incarnation):
                self.incarnation = incarnation
            case Finish():
                self.finished = True
            case JournalStep() | Founded():
                raise ValueError(write)
            case _:
                assert_never(write)


def begin_file(founded: Founded, writes: Iterable[Opened | Write]) -> bytes:
    return _START.pack(MAGIC, FORMAT) + write_frame([founded, *writes])


def write_frame(writes: Iterable[_Any]) -> bytes:
    payload = _ENCODER.encode(tuple(writes))
    return _head_of(payload) + payload


def read_file(path: Path, data: bytes) -> Contents:
    """Read a journal's bytes. Raises JournalBroken: damaged, in a later format, or no journal."""
    if len(data) < _START.size or not data.startswith(MAGIC):
        raise JournalBroken(path, Damage.NOT_A_JOURNAL)
    _magic, number = _START.unpack_from(data)
    if not 1 <= number <= FORMAT:
        raise JournalBroken(path, Damage.NEWER_FORMAT if number > FORMAT else Damage.DAMAGED)
    contents: Contents | None = None
    at = _START.size
    try:
        while (payload := _read_payload(data, at)) is not None:
            for write in _WRITES.decode(payload):
                if contents is not None:
                    contents.take(write)
                elif isinstance(write, Founded):
                    contents = Contents(write, number)
                else:
                    raise ValueError(write)  # noqa: TRY301 - as any other write out of place
            at += _HEAD.size + len(payload)
    except _NoFrame as error:
        if contents is None or _has_frame(data, at + 1):
            raise JournalBroken(path, Damage.DAMAGED) from error
        contents.has_lost_end = True
    except (ValueError, msgspec.DecodeError) as error:
        raise JournalBroken(path, Damage.DAMAGED) from error
    if contents is None:
        raise JournalBroken(path, Damage.DAMAGED)
    contents.size = at
    return contents


def read_name(data: bytes) -> str | None:
    """Return the name in a file that may be damaged or in a later format, `None` if unknown."""
    try:
        payload = _read_payload(data, _START.size)
        first, *_others = msgspec.msgpack.decode(payload or b"")
        return msgspec.convert(first, Founded).name
    except (ValueError, TypeError, msgspec.DecodeError):
        return None


class _NoFrame(ValueError):
    """Raised if bytes are neither a whole frame nor one that was cut off."""


def _has_frame(data: bytes, start: int) -> bool:
    """Return True if a whole frame begins at this place or later."""
    for at in range(start, len(data) - _HEAD.size + 1):
        length = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == _check_of(length):
            end = at + _HEAD.size
            payload = memoryview(data)[end : end + length]
            if len(payload) == length and data[at:end] == _head_of(payload):
                return True
    return False


def _read_payload(data: bytes, at: int) -> memoryview | None:
    """Return the payload of the frame at a place, `None` at the end or if it was cut off there.

    Raises _NoFrame: it was altered, or is something else.
    """
    if len(data) - at < _HEAD.size or not any(data[at : at + _HEAD.size]):
        return None  # some disks fill a cut-off part with zeroes
    length, check, _digest = _HEAD.unpack_from(data, at)
    start = at + _HEAD.size
    payload = memoryview(data)[start : start + length]
    if data[at:start] == _head_of(payload):
        return payload
    is_cut = start + length > len(data) or not any(payload[-1:])  # or zeroes fill the rest, too
    if check == _check_of(length) and start + length >= len(data) and is_cut:
        return None
    raise _NoFrame(at)


def _head_of(payload: bytes | memoryview) -> bytes:
    digest = blake2b(payload, digest_size=8).digest()
    return _HEAD.pack(len(payload), _check_of(len(payload)), digest)


def _check_of(length: int) -> bytes:
    return zlib.crc32(length.to_bytes(4, "big")).to_bytes(4, "big")
