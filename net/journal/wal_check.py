"""A check whether a write-ahead log was altered after it was written.

SQLite takes the first log frame with a wrong checksum for the end of the log. That is right after a
crash, where the last commit was never acknowledged, and silently fatal when a bit has flipped in
the middle: all acknowledged steps behind it would be gone.

A frame's checksum continues that of the frame before. So if a frame behind the supposed end follows
from a *commit* frame there, that commit had been synced before the next was begun: it was
acknowledged, and is about to be lost. Two kinds of frames look similar and are left alone: those of
an older round of the log (other salts), and remains of a commit that failed and was overwritten.
Two kinds of damage cannot be told from a crash and pass: damage to the last commit, and a log that
was cut short.
"""

import struct
from pathlib import Path

_HEADER_BYTES = 32  # bytes
_FRAME_HEADER_BYTES = 24  # bytes, and then the page
_LOW_BITS = 0xFFFFFFFF

Checksum = tuple[int, int]


def was_altered(path: Path, page: int) -> bool:
    """Return True if opening the journal `path`, of `page`-byte pages, would lose commits."""
    log_path = path.with_name(path.name + "-wal")
    log = log_path.read_bytes() if log_path.exists() else b""
    if len(log) < _HEADER_BYTES:
        return False
    order = ">" if log[3] & 1 else "<"
    whole = _stored(log, 24) == _sum(log[:24], (0, 0), order)
    if not whole:  # the header is synced before any frame is written
        return any(log)
    salts = log[16:24]
    before = [_stored(log, 24)]
    committed = False
    for start in range(
        _HEADER_BYTES, len(log) - _FRAME_HEADER_BYTES - page + 1, _FRAME_HEADER_BYTES + page
    ):
        stored = _stored(log, start + 16)
        data = (
            log[start : start + 8]
            + log[start + _FRAME_HEADER_BYTES : start + _FRAME_HEADER_BYTES + page]
        )
        computed = [_sum(data, seed, order) for seed in before]
        follows = stored in computed and log[start + 8 : start + 16] == salts
        if follows and committed and not whole:
            return True
        whole = whole and follows
        # In an altered frame one of two is still right: its data, or its stored checksum.
        before = [stored] if whole else [stored, computed[0]]
        committed = any(log[start + 4 : start + 8])
    return False


def _stored(log: bytes, start: int) -> Checksum:
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
