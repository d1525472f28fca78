"""A copy of the log as it stands in a file: records, each with its length and a checksum.

The first record names the table and has its founding. Each of the others has steps that were
written together, and the running hash after the last of them. Steps are appended as they come; a
file whose last record was cut off is read as far as it is whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from net.client.log_copy import LogCopy
from net.protocol.election import TABLE_ID_LENGTH
from net.protocol.fields import RunningHash, StepNumber, Wire
from net.protocol.messages import Mark
from net.room.copies import MAX_COPY_BYTES
from net.room.state import read_founding, read_step

FORMAT: Final = 1

MAX_FILE_BYTES: Final = 2 * MAX_COPY_BYTES
"""Most bytes of a file that is read: the largest copy, with much room for lengths and hashes."""

_NUMBER_BYTES: Final = 4


class _Head(Wire, frozen=True):
    """The first record."""

    format: int
    table: Annotated[str, Meta(max_length=TABLE_ID_LENGTH)]
    founding: bytes


class _Batch(Wire, frozen=True):
    """Steps from `first` on, and the running hash after the last of them."""

    first: StepNumber
    steps: Annotated[tuple[bytes, ...], Meta(min_length=1)]
    running: RunningHash


@dataclass(frozen=True, slots=True)
class SavedCopy:
    """A copy of a table's log that was read from a file; `mark` is its last step."""

    table: str
    founding: bytes
    steps: tuple[bytes, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class SavedUpTo:
    """The content of a file: the steps of this revision of a copy, up to number `last`."""

    revision: int
    last: int


@dataclass(frozen=True, slots=True)
class CopyWrite:
    """Bytes to append to a file, or to replace it by if `is_whole`; then it is `saved` so far."""

    data: bytes
    is_whole: bool
    saved: SavedUpTo


def due_write(
    saved: SavedUpTo | None, copy: LogCopy, table: str, running: bytes
) -> CopyWrite | None:
    """Return the write that brings a file up to date with a copy, `None` if it is.

    `running` is the running hash after the last step of the copy. A copy that has too many bytes is
    written no further.
    """
    goal = SavedUpTo(copy.revision, copy.last)
    if saved == goal or not copy.last or copy.is_full:
        return None
    if saved is not None and saved.revision == copy.revision:
        return CopyWrite(_batch(copy, saved.last, running), is_whole=False, saved=goal)
    head = _record(_Head(FORMAT, table, copy.founding))
    return CopyWrite(head + _batch(copy, 0, running), is_whole=True, saved=goal)


def read_copy(data: bytes) -> SavedCopy | None:
    """Return the copy in a file, up to the first record that is not whole; `None` if it is none."""
    records = _records(data)
    try:
        head = msgspec.msgpack.decode(next(records, b""), type=_Head)
        read_founding(head.founding)
    except msgspec.DecodeError:
        return None
    if head.format != FORMAT:
        return None
    steps, running = list[bytes](), b""
    for record in records:
        try:
            batch = msgspec.msgpack.decode(record, type=_Batch)
            for step in batch.steps:
                read_step(step)
        except msgspec.DecodeError:
            break
        if batch.first != len(steps) + 1:  # by another program that had this seat, too
            break
        steps += batch.steps
        running = batch.running
    if not steps:
        return None
    return SavedCopy(head.table, head.founding, tuple(steps), Mark(len(steps), running))


def _batch(copy: LogCopy, after: int, running: bytes) -> bytes:
    return _record(_Batch(after + 1, tuple(copy.steps[after:]), running))


def _record(content: _Head | _Batch) -> bytes:
    payload = msgspec.msgpack.encode(content)
    numbers = (len(payload), zlib.crc32(payload))
    return b"".join(number.to_bytes(_NUMBER_BYTES, "big") for number in numbers) + payload


def _records(data: bytes) -> Iterator[bytes]:
    """Yield the records that are whole."""
    at = 0
    while at < len(data):
        begins = at + 2 * _NUMBER_BYTES
        length, check = (
            int.from_bytes(data[here : here + _NUMBER_BYTES], "big")
            for here in (at, at + _NUMBER_BYTES)
        )
        payload = data[begins : begins + length]
        if len(payload) < length or zlib.crc32(payload) != check:
            return
        yield payload
        at = begins + length
