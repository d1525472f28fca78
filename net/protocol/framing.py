"""Length-prefixed, padded frames of strict msgpack; bytes in, values out.

    4 bytes    n, the length of the value, big-endian
    n bytes    one msgpack value
    the rest   zeroes, up to the next power of two from 256 to the cap

Whatever bytes arrive, the only exception is `BadFrame`. This is the only module that uses the
untyped msgpack package.

What is padded is a power of two long because TLS hides the content of a frame but not its length.
Secrets have a fixed size in every message; padding is the second line of defence: there are only
nine lengths from 256 bytes to 64 KiB, so two values of a secret rarely fall into different ones. A
step of the game fits the smallest; the caps are powers of two themselves, so no part of a cap is
wasted. A length beyond the cap (such as the four letters `GET `) ends the connection before a byte
of the body is stored.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar, Union, cast

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types
import msgspec

MAX_DEPTH: Final = 16  # most levels of lists and maps inside each other, counting the outermost
MAX_ELEMENTS: Final = 1024  # most elements in a list or a map; no message may need more
PAD_BYTE: Final = b"\0"  # filler behind the value of a frame


class FrameFault(StrEnum):
    """The fault of a bad frame."""

    LENGTH = "length"  # not a length that a frame may have at this stage of a connection
    CUT_SHORT = "cut short"  # the connection ended inside the frame
    MALFORMED = "malformed"  # not one msgpack value, or a list or map of more than MAX_ELEMENTS
    TEXT = "text"  # text that is not UTF-8
    EXTENSION = "extension"  # an extension type, a timestamp among them
    KEY = "key"  # a map key that is not text, or that occurs twice
    DEPTH = "depth"  # lists and maps nested deeper than MAX_DEPTH
    PADDING = "padding"  # the bytes after the value are not zeroes
    MESSAGE = "message"  # a valid value, but no message that this side may receive


class BadFrame(Exception):
    """The other side sent a frame that no honest side sends. It ends that one connection."""

    def __init__(self, why: FrameFault) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


def unpack(data: bytes) -> object:
    """Return the value that these bytes are, at most 64 KiB.

    It is made only of None, bool, int, float, str, bytes, list and dict with text keys.

    Raises BadFrame: for anything else, whatever the bytes.
    """
    try:
        value: object = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            strict_map_key=True,
            object_pairs_hook=_unique,
            ext_hook=_refuse_extension,
            max_str_len=len(data),
            max_bin_len=len(data),
            # msgpack allocates a list by its claimed length, before it reads the elements, and
            # nested lists likewise: without a cap, 64 KiB could claim hundreds of megabytes.
            max_array_len=MAX_ELEMENTS,
            max_map_len=MAX_ELEMENTS,
            max_ext_len=0,
        )
    except msgpack.StackError:
        raise BadFrame(FrameFault.DEPTH) from None
    except UnicodeDecodeError:
        raise BadFrame(FrameFault.TEXT) from None
    except ValueError:
        raise BadFrame(FrameFault.MALFORMED) from None
    _check_depth(value)
    return value


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """Build a map from its pairs; refuse repeated keys and keys that are not text."""
    found = dict(pairs)
    if len(found) < len(pairs) or not all(isinstance(key, str) for key in found):
        raise BadFrame(FrameFault.KEY)
    return found


def _refuse_extension(_code: int, _data: bytes) -> object:
    """Refuse empty extensions, which `max_ext_len=0` lets pass."""
    raise BadFrame(FrameFault.EXTENSION)


def _check_depth(value: object) -> None:
    """Refuse values nested too deep, level by level: recursion could exhaust the stack."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        lists = [node for node in level if isinstance(node, list)]
        maps = [node for node in level if isinstance(node, dict)]
        if not lists and not maps:
            return
        level = [child for node in lists for child in node]
        level += [child for node in maps for child in node.values()]
    raise BadFrame(FrameFault.DEPTH)


HEADER_BYTES: Final = 4
MIN_BODY_BYTES: Final = 256
MAX_UNTRUSTED_FRAME_BYTES: Final = 512
"""Most bytes in the body of a frame before the connection is trusted, in both directions."""
MAX_CLIENT_FRAME_BYTES: Final = 8 * 1024
"""Most bytes in the body of a frame from a trusted client to its host."""
MAX_HOST_FRAME_BYTES: Final = 256 * 1024
"""Most bytes in the body of a frame from a host that has proven itself."""

MessageT = TypeVar("MessageT", bound="Message")

_ENCODER: Final = msgspec.msgpack.Encoder()


class Message(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="is",
):
    """Base of all messages: frozen, without unknown fields, with a `tag` under the name "is".

    Each kind gives its own tag, so that it may be renamed without a change of the wire. Every field
    of text, bytes or a list needs a bound by `msgspec.Meta`.
    """


class FrameTooLong(ValueError):
    """A value of ours needs more bytes than the other side accepts: a bug, or a need to split."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(length, limit)
        self.length = length
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.length} bytes do not fit a frame of {self.limit}"


def padded_length(length: int) -> int:
    """Return the length, in bytes, of the padded body for a value of `length` bytes."""
    return max(MIN_BODY_BYTES, 1 << (length - 1).bit_length())


def pack(value: object, limit: int) -> bytes:
    """Pack a message, or a plain value, into one frame.

    Args:
        value: a Message, or a plain value: None, bool, int, float, str, bytes, list, dict.
        limit: the cap on the body, in bytes, of the side that receives it.

    Raises FrameTooLong: the padded body would exceed the cap.
    """
    body = _ENCODER.encode(value)
    size = padded_length(len(body))
    if size > limit:
        raise FrameTooLong(len(body), limit)
    return len(body).to_bytes(HEADER_BYTES, "big") + body.ljust(size, PAD_BYTE)


@lru_cache(maxsize=64)
def _decoder(kinds: tuple[object, ...]) -> msgspec.msgpack.Decoder[object]:
    return msgspec.msgpack.Decoder(Union[kinds])  # noqa: UP007 - the kinds are known at run time


def decode(value: object, *kinds: type[MessageT]) -> MessageT:
    """Convert a plain value into a message of one of these kinds, checking every field.

    Raises BadFrame: the value is no message of these kinds.
    """
    try:
        # `msgspec.convert` takes the types apart at each call, which costs ten times as much.
        message = _decoder(kinds).decode(_ENCODER.encode(value))
    except (msgspec.DecodeError, OverflowError):  # the latter for an int of more than 64 bits
        raise BadFrame(FrameFault.MESSAGE) from None
    return cast("MessageT", message)


def is_readable(value: msgspec.Struct) -> bool:
    """Return True if the other side can read this message of ours, or this part of one.

    Types say nothing of the bounds of fields, and a message beyond them ends the connection.
    """
    try:
        _decoder((type(value),)).decode(_ENCODER.encode(value))
    except (msgspec.DecodeError, OverflowError, UnicodeEncodeError):
        return False
    return True


class Deframer:
    """Splits the bytes of one connection into values, holding at most one frame.

    `limit` is the cap on a body in bytes. It may be raised between two frames, once the
    connection is trusted; feed at most `wanted` bytes at a time to be sure that no later frame
    was read under the old cap.
    """

    __slots__ = ("_broken", "_held", "_length", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = bytearray()
        self._length: int | None = None  # of the value being read; None while reading a header
        self._broken: FrameFault | None = None

    @property
    def wanted(self) -> int:
        """Number of bytes, at least 1, that may be read at once: all of them are of one frame.

        With a header, as much of the body is read as every body has.
        """
        return self._missing + (MIN_BODY_BYTES if self._length is None else 0)

    @property
    def _missing(self) -> int:
        """Number of bytes, at least 1, that complete the header or the body being read."""
        size = HEADER_BYTES if self._length is None else padded_length(self._length)
        return size - len(self._held)

    def feed(self, data: bytes) -> list[object]:
        """Add received bytes, in chunks of any size, and return the values that they complete.

        Raises BadFrame: a frame is bad. The values before it in this chunk are lost, and every
        later call raises the same fault, since the start of the next frame is unknown.
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
        """Note that no more bytes will come.

        Raises BadFrame: the bytes end inside a frame.
        """
        if self._held or self._length is not None:
            raise BadFrame(FrameFault.CUT_SHORT)

    def _feed(self, data: memoryview) -> list[object]:
        values: list[object] = []
        while data:
            missing = self._missing
            self._held += data[:missing]
            data = data[missing:]
            if self._missing == 0:
                whole = bytes(self._held)
                self._held.clear()
                if self._length is None:
                    self._length = self._check_length(int.from_bytes(whole, "big"))
                else:
                    length, self._length = self._length, None
                    values.append(_value(whole, length))
        return values

    def _check_length(self, length: int) -> int:
        if length == 0 or length > self.limit:
            raise BadFrame(FrameFault.LENGTH)
        return length


def _value(body: bytes, length: int) -> object:
    if body.count(PAD_BYTE, length) != len(body) - length:
        raise BadFrame(FrameFault.PADDING)
    return unpack(body[:length])
