"""The packets of the probe: a question to one address, the answer of a table there, its goodbye.

All kinds begin alike:

    4 bytes  "SABT"
    1 byte   format, 1
    1 byte   kind: "Q" a question, "A" an answer, "G" a goodbye
    8 bytes  nonce, chosen by the asker and echoed

A question is padded with zeroes to 128 bytes, and an answer is never longer, so that a forged
question cannot make a table send more than it received. An answer goes on, big-endian:

    8 bytes  the table's id
    2, 2     lowest and highest protocol version
    1 byte   stage: 0 lobby, 1 full, 2 playing, 3 over, 4 locked, 255 any other
    1, 1     players, seats
    1, n     length of the name in bytes, and the name in UTF-8
    2        port of the SSH door, 0 for none; may be missing
    2        term of the election of its host, 0 for none; may be missing

A goodbye goes on with the table's id alone. A host that leaves its table sends one to each recent
asker, with the nonce of that asker's last question; answer and goodbye together are still no longer
than the question.

Later formats only add to the end, and readers ignore what they do not know. A packet that is none
of these is read as `None`, without an error: nobody could be notified.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from net.discovery.advert import (
    MAX_ADVERTISED_COUNT,
    Advert,
    AdvertStage,
    DoorPorts,
    read_port,
    read_versions,
)
from net.protocol.text import MAX_NAME_BYTES, clean_name

QUESTION_BYTES: Final = 128
PROBE_NONCE_BYTES: Final = 8

_MAGIC: Final = b"SABT"
_FORMAT: Final = 1
_HEAD: Final = struct.Struct(">4sB1s8s")
_BODY: Final = struct.Struct(">8sHHBBBB")
_STAGES: Final = (
    AdvertStage.LOBBY,
    AdvertStage.FULL,
    AdvertStage.PLAYING,
    AdvertStage.OVER,
    AdvertStage.LOCKED,
)
_OTHER: Final = 255
_ID: Final = struct.Struct(">8s")
_PORT: Final = struct.Struct(">H")
_TERM: Final = struct.Struct(">H")
_LONGEST_ANSWER: Final = _HEAD.size + _BODY.size + MAX_NAME_BYTES + 2 * _PORT.size + _TERM.size
assert _LONGEST_ANSWER + _HEAD.size + _ID.size <= QUESTION_BYTES


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """A table's description of itself, in answer to the question with this nonce."""

    nonce: bytes
    advert: Advert


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The table with this id is closed; the nonce proves that the sender saw our question."""

    nonce: bytes
    table: str


def write_question(nonce: bytes) -> bytes:
    """Return a question to any table at an address."""
    assert len(nonce) == PROBE_NONCE_BYTES
    return _HEAD.pack(_MAGIC, _FORMAT, b"Q", nonce).ljust(QUESTION_BYTES, b"\0")


def read_question(packet: bytes) -> bytes | None:
    """Return the nonce of a question, `None` for any other packet or one not padded in full."""
    return _read_head(packet, b"Q") if len(packet) >= QUESTION_BYTES else None


def write_answer(nonce: bytes, advert: Advert) -> bytes:
    """Return the answer to the question with this nonce, at most 128 bytes."""
    name = advert.name.encode()
    stage = _STAGES.index(advert.stage) if advert.stage in _STAGES else _OTHER
    versions = advert.versions
    return b"".join(
        (
            _HEAD.pack(_MAGIC, _FORMAT, b"A", nonce),
            _BODY.pack(
                bytes.fromhex(advert.id),
                versions.low,
                versions.high,
                stage,
                advert.players,
                advert.seats,
                len(name),
            ),
            name,
            _PORT.pack(advert.doors.ssh),
            _PORT.pack(advert.doors.web),
            _TERM.pack(advert.term),
        )
    )


def read_answer(packet: bytes) -> ProbeAnswer | None:
    """Parse an answer, cleaned and bounded like everything from the network."""
    nonce = _read_head(packet, b"A")
    if nonce is None or len(packet) < _HEAD.size + _BODY.size:
        return None
    table, low, high, stage, players, seats, length = _BODY.unpack_from(packet, _HEAD.size)
    rest = packet[_HEAD.size + _BODY.size :]
    name, more = rest[:length], rest[length:]
    versions = read_versions(low, high)
    if versions is None or len(name) < length:
        return None
    ssh, web, term = more[:2], more[2:4], more[4:6]
    advert = Advert(
        id=table.hex(),
        name=clean_name(name.decode(errors="replace")),
        versions=versions,
        stage=_STAGES[stage] if stage < len(_STAGES) else AdvertStage.OTHER,
        players=min(players, MAX_ADVERTISED_COUNT),
        seats=min(seats, MAX_ADVERTISED_COUNT),
        doors=DoorPorts(_read_port(ssh), _read_port(web)),
        term=_TERM.unpack(term)[0] if len(term) == _TERM.size else 0,
    )
    return ProbeAnswer(nonce, advert)


def _read_port(more: bytes) -> int:
    """Return the port that bytes begin with, 0 if there are too few: an older table says less."""
    return read_port(*_PORT.unpack_from(more)) if len(more) >= _PORT.size else 0


def write_goodbye(nonce: bytes, table: str) -> bytes:
    """Return the packet that takes back the answer to the question with this nonce."""
    return _HEAD.pack(_MAGIC, _FORMAT, b"G", nonce) + _ID.pack(bytes.fromhex(table))


def read_goodbye(packet: bytes) -> Goodbye | None:
    """Parse a goodbye."""
    nonce = _read_head(packet, b"G")
    if nonce is None or len(packet) < _HEAD.size + _ID.size:
        return None
    (table,) = _ID.unpack_from(packet, _HEAD.size)
    return Goodbye(nonce, table.hex())


def _read_head(packet: bytes, kind: bytes) -> bytes | None:
    if len(packet) < _HEAD.size:
        return None
    magic, version, its_kind, nonce = _HEAD.unpack_from(packet)
    fits = magic == _MAGIC and version >= _FORMAT and its_kind == kind
    return bytes(nonce) if fits else None
