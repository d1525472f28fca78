"""Length-prefixed, padded frames.

Strict msgpack: from the bytes of one frame to one plain value, or to a fault.

The only module that knows the msgpack package, which ships no types. It knows nothing of sockets,
of lengths on the wire or of messages, and whatever bytes it is given, it raises BadFrame alone.

Frames: a length and one padded msgpack value; and values as typed messages.

    4 bytes    length of what follows, big-endian: a power of two from 256 up to the cap
    n bytes    one msgpack value
    the rest   0xC1, which can begin no msgpack value

Bytes in, values out.

Why powers of two. TLS hides what is said and not how long it is. Messages give their secrets a
fixed size; padding is the second wall behind that, and the fewer lengths there are, the fewer
values of a secret can lie on both sides of a step. From 256 bytes to 64 KiB there are nine. A
step of the game fits the smallest; the caps of all stages are powers of two themselves, so none
of a cap is lost; a snapshot, which is rare, may double. A frame in any but its own bucket is
refused, and a length that no bucket has (such as the four letters `GET `) ends the link before a
byte is stored.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar, Union

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types
import msgspec

__all__ = [
    "MAX_CLIENT_FRAME_BYTES",
    "MAX_HOST_FRAME_BYTES",
    "MAX_UNTRUSTED_FRAME_BYTES",
    "BadFrame",
    "Deframer",
    "FrameFault",
    "FrameTooLong",
    "Message",
    "decode",
    "pack",
    "padded_length",
]

MAX_DEPTH: Final = 16
"""How deep lists and maps may lie in each other, the outermost being the first."""

MAX_ELEMENTS: Final = 1024
"""How many elements a list or a map may have; no message may need more."""

PAD_BYTE: Final = b"\xc1"
"""What fills a frame behind its value: the one byte that can begin no msgpack value, so that a
reader that forgets the padding fails at once."""


class FrameFault(StrEnum):
    """What is wrong with a frame."""

    LENGTH = "length"  # not a length that a frame may have at this stage of a link
    CUT_SHORT = "cut short"  # the link ended inside of it
    MALFORMED = "malformed"  # not msgpack, or a list or map of more than ELEMENTS
    TEXT = "text"  # text that is not UTF-8
    EXTENSION = "extension"  # an extension type, a timestamp among them
    KEY = "key"  # a key of a map that is no text, or stands in it twice
    DEPTH = "depth"  # lists and maps nested deeper than DEPTH
    PADDING = "padding"  # bytes behind the value that are not the padding it should have
    MESSAGE = "message"  # a good value, and no message that this side may be sent


class BadFrame(Exception):
    """The other side sent what no honest one sends. It ends that link, and nothing else."""

    def __init__(self, why: FrameFault) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


def unpack(body: bytes) -> tuple[object, int]:
    """Read one value and what pads it.

    Args:
        body: one frame without its length, at most 64 KiB.

    Returns:
        The value, of None, bool, int, float, str, bytes, list and dict with text keys alone, and
        the number of bytes it took. The rest is PAD.

    Raises:
        BadFrame: for anything else, whatever the bytes.
    """
    padding = b""
    try:
        value: object = msgpack.unpackb(
            body,
            raw=False,
            use_list=True,
            strict_map_key=True,
            object_pairs_hook=_unique,
            ext_hook=_refuse_extension,
            max_str_len=len(body),
            max_bin_len=len(body),
            # msgpack makes room for a list before it has seen its elements, and for a list in it
            # likewise: without this, 64 KiB could claim hundreds of megabytes.
            max_array_len=MAX_ELEMENTS,
            max_map_len=MAX_ELEMENTS,
            max_ext_len=0,
        )
    except msgpack.ExtraData as extra:
        value, padding = extra.unpacked, extra.extra
    except msgpack.StackError:
        raise BadFrame(FrameFault.DEPTH) from None
    except UnicodeDecodeError:
        raise BadFrame(FrameFault.TEXT) from None
    except ValueError:
        raise BadFrame(FrameFault.MALFORMED) from None
    if padding.count(PAD_BYTE) != len(padding):
        raise BadFrame(FrameFault.PADDING)
    _check_depth(value)
    return value, len(body) - len(padding)


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """Make a map of its pairs, of which none may hide another."""
    found = dict(pairs)
    if len(found) < len(pairs) or not all(isinstance(key, str) for key in found):
        raise BadFrame(FrameFault.KEY)
    return found


def _refuse_extension(_code: int, _data: bytes) -> object:
    """Refuse the empty extensions, which max_ext_len=0 lets pass."""
    raise BadFrame(FrameFault.EXTENSION)


def _check_depth(value: object) -> None:
    """Go down level by level, as nothing here may recurse as deep as a stranger likes."""
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
"""Most bytes in the body of a frame while the link is not trusted, in both directions."""
MAX_CLIENT_FRAME_BYTES: Final = 8 * 1024
"""Most bytes in the body of a frame from a trusted client to its host."""
MAX_HOST_FRAME_BYTES: Final = 64 * 1024
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


def padded_length(length: int) -> int:
    """Give the length, in bytes, of the padded body for a value of so many bytes."""
    return max(MIN_BODY_BYTES, 1 << (length - 1).bit_length())


def pack(value: object, limit: int) -> bytes:
    """Make the one frame of a message, or of a plain value.

    Args:
        value: a Message, or what unpacks to itself: None, bool, int, float, str, bytes, list, dict.
        limit: the cap, in bytes, of the side it goes to.

    Raises:
        FrameTooLong: the value needs more than that.
    """
    body = _ENCODER.encode(value)
    size = padded_length(len(body))
    if size > limit:
        raise FrameTooLong(len(body), limit)
    return size.to_bytes(HEADER_BYTES, "big") + body.ljust(size, PAD_BYTE)


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
        raise BadFrame(FrameFault.MESSAGE) from None
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
        self._broken: FrameFault | None = None

    @property
    def wanted(self) -> int:
        """How many bytes complete what is being read, the header or the body; at least 1."""
        return (HEADER_BYTES if self._size is None else self._size) - len(self._held)

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
            raise BadFrame(FrameFault.CUT_SHORT)

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
        if size > self.limit or size != padded_length(size):
            raise BadFrame(FrameFault.LENGTH)
        return size


def _value(body: bytes) -> object:
    value, length = unpack(body)
    if padded_length(length) != len(body):
        raise BadFrame(FrameFault.PADDING)
    return value
