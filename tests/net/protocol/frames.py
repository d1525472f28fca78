"""Frames as bytes, for tests and benchmarks that have no connection."""

from __future__ import annotations

from net.protocol.framing import (
    HEADER_BYTES,
    MAX_HOST_FRAME_BYTES,
    padded_length,
    read_length,
    unpad,
)


class Stream:
    """Bytes that come in chunks of any size, and the values in them."""

    def __init__(self, limit: int = MAX_HOST_FRAME_BYTES) -> None:
        self._limit = limit
        self._held = b""

    def feed(self, data: bytes) -> list[bytes]:
        self._held += data
        values = list[bytes]()
        while len(self._held) >= HEADER_BYTES:
            length = read_length(self._held[:HEADER_BYTES], self._limit)
            end = HEADER_BYTES + padded_length(length)
            if len(self._held) < end:
                break
            values.append(unpad(self._held[HEADER_BYTES:end], length))
            self._held = self._held[end:]
        return values


def value_of(frame: bytes, limit: int = MAX_HOST_FRAME_BYTES) -> bytes:
    (value,) = Stream(limit).feed(frame)
    return value
