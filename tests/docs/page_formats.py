"""Formats of docs/protocol.md, written from that page alone: frames, hashes, probes, cards.

It imports nothing of Sabtui: what it lacks, the page lacks. `tests.docs.page_client` plays by it.
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final, TypeAlias, cast

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types
from spake2 import SPAKE2_A

Value: TypeAlias = bool | int | str | bytes | Sequence["Value"] | Mapping[str, "Value"] | None
Message: TypeAlias = dict[str, Value]

CARD_NAMES: Final = (
    "NS EW NE NW NES NEW NESW n e ns ew ne nw nes new nesw -P -L -C +P +L +C +PL +PC +LC R M"
)
PATH_NAMES: Final = (
    "NE NS ES NES NW EW NEW SW NSW ESW NESW n e ne s ns es nes w nw ew new sw nsw esw nesw"
)
CARDS: Final = CARD_NAMES.split()
PATHS: Final = PATH_NAMES.split()
TURNED: Final = str.maketrans("NESWnesw", "SWNEswne")


def encode(value: Value) -> bytes:
    """Return the msgpack of a value, in the shortest form."""
    return cast("bytes", msgpack.packb(value))


def frame_value(value: Value) -> bytes:
    """Return the frame of a value: its length, the value, padding."""
    body = encode(value)
    return len(body).to_bytes(4, "big") + body.ljust(padded_length(len(body)), b"\0")


def padded_length(length: int) -> int:
    """Return the length of a value of this length and its padding."""
    return max(256, 1 << (length - 1).bit_length())


def join_parts(*parts: bytes) -> bytes:
    """Return P of the page."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def hash_parts(*parts: bytes) -> bytes:
    """Return H of the page."""
    return sha256(join_parts(*parts)).digest()


def commit_to(draw: bytes, name: str, share: bytes) -> bytes:
    """Return the commitment to a share."""
    return hash_parts(b"sabtui share 1", draw, name.encode(), share)


def begin_exchange(code: str | None, seen: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:
    """Return our share, and the function from the host's share to the secret."""
    if code is not None:
        exchange = SPAKE2_A(code.encode(), idA=b"sabtui client", idB=seen)
        return cast("bytes", exchange.start()), exchange.finish
    ours = b"A" + secrets.token_bytes(32)
    return ours, lambda theirs: sha256(b"sabtui open table" + seen + ours + theirs).digest()


def question(nonce: bytes) -> bytes:
    """Return a probe's question."""
    return (b"SABT\x01Q" + nonce).ljust(128, b"\0")


def read_answer(packet: bytes) -> tuple[bytes, str, int, int, int, int, int, str]:
    """Return nonce, id, versions, stage, players, seats and name in the answer to a probe."""
    assert packet[:6] == b"SABT\x01A"
    nonce, table, low, high, stage, *counts = struct.unpack_from(">8s8sHHBBBB", packet, 6)
    players, seats, length = counts
    return nonce, table.hex(), low, high, stage, players, seats, packet[30 : 30 + length].decode()


def card_played(event: str, first: int) -> int:
    """Return the card that leaves a hand with an event; `first` is its field after the seat."""
    match event:
        case "laid":
            ways = {"".join(sorted(PATHS[first])), "".join(sorted(PATHS[first].translate(TURNED)))}
            return next(at for at, card in enumerate(CARDS) if "".join(sorted(card)) in ways)
        case "broke":
            return CARDS.index("-" + "PLC"[first])
        case "fixed":
            return first
        case _:
            return CARDS.index("R" if event == "fell" else "M")
