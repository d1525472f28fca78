"""Frames: a length and one padded msgpack value; and values as typed messages.

    4 bytes    length of what follows, big-endian: a power of two from 256 up to the cap
    n bytes    one msgpack value
    the rest   0xC1, which can begin no msgpack value

Bytes in, values out. Knows no socket, no clock, and no message but by the types it is handed.

Why powers of two. TLS hides what is said and not how long it is. Messages give their secrets a
fixed size; padding is the second wall behind that, and the fewer lengths there are, the fewer
values of a secret can lie on both sides of a step. From 256 bytes to 64 KiB there are nine. A
step of the game fits the smallest; the caps of all stages are powers of two themselves, so none
of a cap is lost; a snapshot, which is rare, may double. A frame in any but its own bucket is
refused, and a length that no bucket has (such as the four letters `GET `) ends the link before a
byte is stored.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeVar, Union

import msgspec

from net.unpack import PAD, BadFrame, Fault, unpack

__all__ = [
    "BEFORE_TRUST",
    "FROM_HOST",
    "TO_HOST",
    "BadFrame",
    "Deframer",
    "Fault",
    "FrameTooLong",
    "Message",
    "bucket",
    "decode",
    "pack",
]

HEADER: Final = 4
SMALLEST: Final = 256
BEFORE_TRUST: Final = 512
"""Most bytes in the body of a frame while the link is not trusted, in both directions."""
TO_HOST: Final = 8 * 1024
"""Most bytes in the body of a frame from a trusted client to its host."""
FROM_HOST: Final = 64 * 1024
"""Most bytes in the body of a frame from a host that has proven itself."""

MessageT = TypeVar("MessageT", bound="Message")

_ENCODER: Final = msgspec.msgpack.Encoder()


class Message(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="is",
    tag=str.lower,
):
    """What all messages inherit: frozen, closed, and named by its class in lower case.

    Give every field of text, bytes or a list a bound with msgspec.Meta.
    """


class FrameTooLong(ValueError):
    """We were about to send more than the other side takes: a bug of ours, or a call to split."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(length, limit)
        self.length = length
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.length} bytes do not fit a frame of {self.limit}"


def bucket(length: int) -> int:
    """Give the length, in bytes, of the padded body for a value of so many bytes."""
    return max(SMALLEST, 1 << (length - 1).bit_length())


def pack(value: object, limit: int) -> bytes:
    """Make the one frame of a message, or of a plain value.

    Args:
        value: a Message, or what unpacks to itself: None, bool, int, float, str, bytes, list, dict.
        limit: the cap, in bytes, of the side it goes to.

    Raises:
        FrameTooLong: the value needs more than that.
    """
    body = _ENCODER.encode(value)
    size = bucket(len(body))
    if size > limit:
        raise FrameTooLong(len(body), limit)
    return size.to_bytes(HEADER, "big") + body.ljust(size, PAD)


@lru_cache(maxsize=64)
def _union(kinds: tuple[object, ...]) -> object:
    return Union[kinds]  # noqa: UP007 - the kinds are known at run time


def decode(value: object, *kinds: type[MessageT]) -> MessageT:
    """Make a message of one of these kinds from a plain value, with every field checked.

    Raises:
        BadFrame: the value is none of them, to the last field.
    """
    try:
        message: MessageT = msgspec.convert(
            value,
            type=_union(kinds),
            builtin_types=(bytes,),  # else text would pass for bytes, as base64
        )
    except msgspec.ValidationError:
        raise BadFrame(Fault.MESSAGE) from None
    return message


class Deframer:
    """Bytes of one link in, values out, never holding more than one frame.

    `limit` is the cap in bytes and may be raised between two frames, when trust is won; to be
    sure that no later frame has been looked at by then, feed at most `wanted` bytes at a time.
    """

    __slots__ = ("_broken", "_held", "_size", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = bytearray()
        self._size: int | None = None  # of the body being read; None in a header
        self._broken: Fault | None = None

    @property
    def wanted(self) -> int:
        """How many bytes complete what is being read, the header or the body; at least 1."""
        return (HEADER if self._size is None else self._size) - len(self._held)

    def feed(self, data: bytes) -> list[object]:
        """Take bytes as they come, in chunks of any size, and give the values they complete.

        Raises:
            BadFrame: a frame is bad. The values before it in this chunk are lost with it, and
                from then on each call raises the same, as there is no finding the way back.
        """
        if self._broken is not None:
            raise BadFrame(self._broken)
        try:
            return self._feed(memoryview(data))
        except BadFrame as bad:
            self._broken = bad.why
            self._held.clear()
            raise

    def close(self) -> None:
        """Take note that no more bytes will come.

        Raises:
            BadFrame: they end inside of a frame.
        """
        if self._held or self._size is not None:
            raise BadFrame(Fault.CUT_SHORT)

    def _feed(self, data: memoryview) -> list[object]:
        values: list[object] = []
        while data:
            wanted = self.wanted
            self._held += data[:wanted]
            data = data[wanted:]
            if self.wanted == 0:
                whole = bytes(self._held)
                self._held.clear()
                if self._size is None:
                    self._size = self._checked(int.from_bytes(whole, "big"))
                else:
                    self._size = None
                    values.append(_value(whole))
        return values

    def _checked(self, size: int) -> int:
        if size > self.limit or size != bucket(size):
            raise BadFrame(Fault.LENGTH)
        return size


def _value(body: bytes) -> object:
    value, length = unpack(body)
    if bucket(length) != len(body):
        raise BadFrame(Fault.PADDING)
    return value
