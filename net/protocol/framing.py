"""Length-prefixed, padded frames of msgpack, and the messages in them.

    4 bytes    n, the length of the value, big-endian
    n bytes    one msgpack value
    the rest   zeroes, up to the next power of two from 256 to the cap

Whatever bytes arrive, the only exception is `BadFrame`. A length beyond the cap (such as the four
letters `GET `) ends the connection before its body is read.

TLS hides the content of a frame but not its length. Secrets have a fixed size in every message;
padding is the second line of defence: two values of a secret rarely need different powers of two. A
step of the game fits the smallest frame.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, TypeAlias, TypeVar, Union, cast

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types
import msgspec

PAD_BYTE: Final = b"\0"  # filler after the value of a frame


class BadFrame(Exception):
    """The other side sent a frame that no honest side sends. It ends only that connection.

    The text names what is at fault: `length`, `padding` or `message`.
    """


HEADER_BYTES: Final = 4
MIN_BODY_BYTES: Final = 256
MAX_UNTRUSTED_FRAME_BYTES: Final = 512
"""Maximum bytes in the body of a frame before the connection is trusted, in both directions."""
MAX_CLIENT_FRAME_BYTES: Final = 8 * 1024
"""Maximum bytes in the body of a frame from a trusted client to its host."""
MAX_HOST_FRAME_BYTES: Final = 256 * 1024
"""Maximum bytes in the body of a frame from a host that has proven itself."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A number that only grows, such as a step's or a host's; 0 before the first."""

MessageT = TypeVar("MessageT", bound="Message")

_ENCODER: Final = msgspec.msgpack.Encoder()


class Wire(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of the values inside messages: an array of fields, led by a tag if kinds differ."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="is"):
    """Base of all messages: frozen, without unknown fields, with a `tag` under the name "is".

    Each kind gives its own tag, so that the class may be renamed without changing the wire. Every
    field of text, bytes or a list needs a bound in `msgspec.Meta`, and a host's text its
    `is_clean`.
    """


class FrameTooLong(ValueError):
    """Our value needs more bytes than the other side accepts: a bug, or it must be split."""


def padded_length(length: int) -> int:
    """Return the length, in bytes, of the padded body for a value of `length` bytes."""
    return max(MIN_BODY_BYTES, 1 << (length - 1).bit_length())


def _to_plain(value: object) -> object:
    """Convert the contents of a message to plain values, for msgpack."""
    return msgspec.to_builtins(value, builtin_types=(bytes,))


def pack(value: object, limit: int) -> bytes:
    """Pack a message, or a plain value of msgpack, into one frame.

    Raises FrameTooLong: the padded body would exceed `limit`, the cap of the other side in bytes.
    """
    body: bytes = msgpack.packb(value, default=_to_plain)
    size = padded_length(len(body))
    if size > limit:
        raise FrameTooLong(f"{len(body)} bytes do not fit a frame of {limit}")
    return len(body).to_bytes(HEADER_BYTES, "big") + body.ljust(size, PAD_BYTE)


@lru_cache(maxsize=64)
def _decoder(kinds: tuple[object, ...]) -> msgspec.msgpack.Decoder[object]:
    return msgspec.msgpack.Decoder(Union[kinds])  # noqa: UP007 - the kinds are known at run time


def decode(value: bytes, *kinds: type[MessageT]) -> MessageT:
    """Decode a value as a message of one of these kinds. Raises BadFrame: it is none of them."""
    try:
        message = _decoder(kinds).decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFrame("message") from None
    return cast("MessageT", message)


def is_readable(value: msgspec.Struct) -> bool:
    """Return True if the other side can read this message of ours, or this part of a message.

    Python checks no bounds when we make one, and a message beyond them ends the connection.
    """
    try:
        _decoder((type(value),)).decode(_ENCODER.encode(value))
    except (msgspec.DecodeError, OverflowError, UnicodeEncodeError):  # also for more than 64 bits
        return False
    return True


def read_length(header: bytes, limit: int) -> int:
    """Return the length of the value in a frame that begins with this header.

    Raises BadFrame: no value of this length may come where `limit` is the cap on a body, in bytes.
    """
    length = int.from_bytes(header, "big")
    if length == 0 or length > limit:
        raise BadFrame("length")
    return length


def unpad(body: bytes, length: int) -> bytes:
    """Return the value of this length in a body. Raises BadFrame: the rest is not all zeroes."""
    if body.count(PAD_BYTE, length) != len(body) - length:
        raise BadFrame("padding")
    return body[:length]
