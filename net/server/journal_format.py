"""The format of a journal, without its disk: headers, writes, digests, and the log beside the file.

Every row carries a digest, a BLAKE2b hash of its table, key and value: SQLite has no checksums of
its own, and a flipped bit in a payload would be replayed as a different game. Digests find
accidents; they are no defence against somebody who can write the file.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from net.room.journal_step import JournalStep
from net.server.journal_errors import Damage, JournalBroken

APPLICATION_ID: Final = int.from_bytes(b"SabT", "big")
FORMAT_NUMBER: Final = 4
"""The format of journals, as SQLite's `user_version`. Steps of earlier ones have other tags."""

PAGE_BYTES: Final = 4096

RowKey = str | int
HashedRow = tuple[RowKey, object, object]
"""A row as it is read: key, value and digest, any of which may be damaged."""


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The facts about a table that its journal opens with.

    `created` is in seconds since 1970. `incarnation` counts how often the journal was opened for
    hosting, this time included. `unsaved_after` is the last step on disk if the host went on
    without saving, else None.
    """

    table: str
    name: str
    created: float
    incarnation: int = 0
    finished: bool = False
    unsaved_after: int | None = None


@dataclass(frozen=True, slots=True)
class PutMeta:
    """The write of a metadata value under a key; it overwrites an older value."""

    key: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Finish:
    """The write that closes a table for good; it cannot be resumed."""


Write = JournalStep | PutMeta | Finish


def header_rows(header: JournalHeader) -> dict[str, bytes]:
    """Return the rows of a new journal's header."""
    return {
        "table": header.table.encode(),
        "name": header.name.encode(),
        "created": repr(header.created).encode(),
        "incarnation": b"%d" % header.incarnation,
    }


def parse_header(rows: dict[RowKey, bytes], path: Path) -> JournalHeader:
    """Parse the rows of a header.

    Raises JournalBroken: some are missing.
    """
    if not rows.keys() >= {"table", "name", "created", "incarnation"}:
        raise JournalBroken(path, Damage.DAMAGED)
    unsaved_after = rows.get("unsaved_after")
    return JournalHeader(
        table=rows["table"].decode(),
        name=rows["name"].decode(),
        created=float(rows["created"]),
        incarnation=int(rows["incarnation"]),
        finished="finished" in rows,
        unsaved_after=None if unsaved_after is None else int(unsaved_after),
    )


def check_digests(rows: Iterable[HashedRow], table: str, path: Path) -> list[tuple[RowKey, bytes]]:
    """Return the keys and values of a table's rows.

    Raises JournalBroken: a digest does not fit.
    """
    checked = list[tuple[RowKey, bytes]]()
    for key, value, its_digest in rows:
        if not isinstance(value, bytes) or its_digest != digest_of(table, key, value):
            raise JournalBroken(path, Damage.DAMAGED)
        checked.append((key, value))
    return checked


def check_numbers(steps: Iterable[tuple[RowKey, bytes]], path: Path) -> int:
    """Return the last step's number, or 0.

    Raises JournalBroken: a number is missing.
    """
    last = 0
    for number, _ in steps:
        if number != last + 1:
            raise JournalBroken(path, Damage.STEPS_MISSING, last + 1)
        last += 1
    return last


def digest_of(table: str, key: RowKey, value: bytes) -> bytes:
    """Return the digest of a row, 8 bytes."""
    data = str(key).encode() + b"\0" + value
    return blake2b(data, digest_size=8, person=table.encode()).digest()


# The log. SQLite takes the first frame with a wrong checksum for its end. That is right after a
# crash, where the last commit was never acknowledged, and silently fatal when a bit has flipped in
# the middle: all acknowledged steps behind it would be gone.
#
# A frame's checksum continues that of the frame before. So if a frame behind the supposed end
# follows from a *commit* frame there, that commit had been synced before the next was begun: it was
# acknowledged, and is about to be lost. Two kinds of frames look similar and are left alone: those
# of an older round of the log (other salts), and remains of a commit that failed and was
# overwritten. Two kinds of damage cannot be told from a crash and pass: damage to the last commit,
# and a log that was cut short.

_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24
_FRAME_BYTES: Final = _FRAME_HEADER_BYTES + PAGE_BYTES
_LOW_BITS: Final = 0xFFFFFFFF

Checksum = tuple[int, int]


def loses_commits(log: bytes) -> bool:
    """Return True if opening a journal with this write-ahead log would lose commits."""
    if len(log) < _HEADER_BYTES:
        return False
    order = ">" if log[3] & 1 else "<"
    whole = _read_checksum(log, 24) == _sum(log[:24], (0, 0), order)
    if not whole:  # the header is synced before any frame is written
        return any(log)
    salts = log[16:24]
    before = [_read_checksum(log, 24)]
    committed = False
    for start in range(_HEADER_BYTES, len(log) - _FRAME_BYTES + 1, _FRAME_BYTES):
        stored = _read_checksum(log, start + 16)
        page = log[start + _FRAME_HEADER_BYTES : start + _FRAME_BYTES]
        data = log[start : start + 8] + page
        computed = [_sum(data, seed, order) for seed in before]
        follows = stored in computed and log[start + 8 : start + 16] == salts
        if follows and committed and not whole:
            return True
        whole = whole and follows
        # In an altered frame one of two is still right: its data, or its stored checksum.
        before = [stored] if whole else [stored, computed[0]]
        committed = any(log[start + 4 : start + 8])
    return False


def _read_checksum(log: bytes, start: int) -> Checksum:
    """Read a stored checksum; it is big-endian in every log."""
    first, second = struct.unpack_from(">II", log, start)
    return first, second


def _sum(data: bytes, seed: Checksum, order: str) -> Checksum:
    """Continue a checksum over more data: 32-bit words in the given byte order."""
    first, second = seed
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for one, other in zip(words, words, strict=True):
        first = (first + one + second) & _LOW_BITS
        second = (second + other + first) & _LOW_BITS
    return first, second
