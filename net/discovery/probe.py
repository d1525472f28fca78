"""The probe: a question to one address, the answer of a table there, its goodbye, and both sides.

All kinds of packets begin alike:

    4 bytes  "SABT"
    1 byte   format, 1
    1 byte   kind: "Q" a question, "A" an answer, "G" a goodbye
    8 bytes  nonce, chosen by the asker and echoed

A question is padded with zeroes to 128 bytes, and an answer is never longer, so that a forged
question cannot make a table send more than it received. An answer goes on, big-endian:

    8 bytes  the table's id
    2, 2     lowest and highest protocol version
    1 byte   stage: 0 lobby, 1 playing, 2 over, 3 full, 4 locked, 5 club, 6 host away,
             255 any other
    1, 1     players, seats
    1, n     length of the name in bytes, and the name in UTF-8
    2        port of the SSH door, 0 for none; may be missing
    2        term of its host, 0 for the first; may be missing
    1        number of people with seats who are there, and 128 if the table plays; may be missing

A goodbye goes on with the table's id alone. A host that leaves its table sends one to each recent
asker, with the nonce of that asker's last question; answer and goodbye together are still no longer
than the question.

Later formats only add to the end, and readers ignore what they do not know. A packet that is none
of these is read as `None`, without an error: nobody could be notified.

An answer is matched by its nonce alone, not by its source: a host of several addresses may answer
from another one than was asked, and only those who saw the question know its nonce. A broadcast is
one question to a whole network; each of its answers stands for the address that it came from.

A host answers within rate limits, per source and in all. Sources can be forged, so these protect
the table's own time.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
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
from net.secure.address import Address
from net.secure.limits import Limit, Limiter, keep_last

QUESTION_BYTES: Final = 128
PROBE_NONCE_BYTES: Final = 8

_MAGIC: Final = b"SABT"
_FORMAT: Final = 1
_HEAD: Final = struct.Struct(">4sB1s8s")
_BODY: Final = struct.Struct(">8sHHBBBB")
_STAGES: Final = (
    AdvertStage.LOBBY,
    AdvertStage.PLAYING,
    AdvertStage.OVER,
    AdvertStage.FULL,
    AdvertStage.LOCKED,
    AdvertStage.CLUB,
    AdvertStage.AWAY,
)
_OTHER: Final = 255
_ID: Final = struct.Struct(">8s")
_PORT: Final = struct.Struct(">H")
_TERM: Final = struct.Struct(">H")
_PEOPLE: Final = struct.Struct(">B")
_PLAYS: Final = 0x80
_LONGEST_ANSWER: Final = (
    _HEAD.size + _BODY.size + MAX_NAME_BYTES + 2 * _PORT.size + _TERM.size + _PEOPLE.size
)
assert _LONGEST_ANSWER + _HEAD.size + _ID.size <= QUESTION_BYTES

QUERY_LIFETIME_S: Final = 3.0
"""Seconds that a question stays open, and that its answer can be taken back."""

ADDRESS_ANSWERS: Final = Limit(rate=50, burst=100)
"""Answers to one source. Ten players on one machine, each with a list open, ask 20 a second."""

ANSWERS: Final = Limit(rate=500, burst=1000)  # answers to all sources together
MAX_KNOWN_ADDRESSES: Final = 1024  # number of recent sources that are remembered


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
            _PEOPLE.pack(advert.people | (_PLAYS if advert.plays else 0)),
        )
    )


def read_answer(packet: bytes) -> tuple[bytes, Advert] | None:
    """Return the nonce of the question and the description of the table in an answer.

    It is cleaned and bounded like everything from the network. `None` for any other packet.
    """
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
    people = more[6] if len(more) > 6 else 0
    advert = Advert(
        id=table.hex(),
        name=clean_name(name.decode(errors="replace")),
        versions=versions,
        stage=_STAGES[stage] if stage < len(_STAGES) else AdvertStage.OTHER,
        players=min(players, MAX_ADVERTISED_COUNT),
        seats=min(seats, MAX_ADVERTISED_COUNT),
        doors=DoorPorts(_read_port(ssh), _read_port(web)),
        term=_TERM.unpack(term)[0] if len(term) == _TERM.size else 0,
        plays=bool(people & _PLAYS),
        people=min(people & ~_PLAYS, MAX_ADVERTISED_COUNT),
    )
    return nonce, advert


def _read_port(more: bytes) -> int:
    """Return the port that bytes begin with, 0 if there are too few: an older table says less."""
    return read_port(*_PORT.unpack_from(more)) if len(more) >= _PORT.size else 0


def write_goodbye(nonce: bytes, table: str) -> bytes:
    """Return the packet that takes back the answer to the question with this nonce."""
    return _HEAD.pack(_MAGIC, _FORMAT, b"G", nonce) + _ID.pack(bytes.fromhex(table))


def read_goodbye(packet: bytes) -> tuple[bytes, str] | None:
    """Return the nonce and the table's id in a goodbye, `None` for any other packet.

    The nonce proves that the sender saw our question.
    """
    nonce = _read_head(packet, b"G")
    if nonce is None or len(packet) < _HEAD.size + _ID.size:
        return None
    (table,) = _ID.unpack_from(packet, _HEAD.size)
    return nonce, table.hex()


def _read_head(packet: bytes, kind: bytes) -> bytes | None:
    if len(packet) < _HEAD.size:
        return None
    magic, version, its_kind, nonce = _HEAD.unpack_from(packet)
    fits = magic == _MAGIC and version >= _FORMAT and its_kind == kind
    return bytes(nonce) if fits else None


@dataclass(frozen=True, slots=True)
class ProbeReply:
    """An answer to a question.

    `address` is the address it stands for, `asked` the time it was asked there, in seconds.
    """

    address: Address
    asked: float
    advert: Advert
    is_broadcast: bool = False


class Queries:
    """The open questions, and the answers of the last seconds to those that were not broadcast."""

    def __init__(self, nonce: Callable[[], bytes]) -> None:
        self._nonce = nonce
        self._open: dict[bytes, tuple[Address | None, float]] = {}
        self._answered: dict[bytes, ProbeReply] = {}

    def ask(self, address: Address | None, now: float) -> bytes:
        """Return a question to an address, or to broadcast if that is `None`; keep it open."""
        for nonce, (_, asked) in list(self._open.items()):
            if now - asked <= QUERY_LIFETIME_S:
                break
            del self._open[nonce]
        nonce = self._nonce()
        self._open[nonce] = (address, now)
        return write_question(nonce)

    def match_answer(self, packet: bytes, source: Address, now: float) -> ProbeReply | None:
        """Parse an answer from `source`; return `None` if it matches no open question."""
        nonce, advert = read_answer(packet) or (b"", None)
        address, asked = self._open.get(nonce, (None, float("-inf")))
        if advert is None or now - asked > QUERY_LIFETIME_S:
            return None
        if address is None:
            return ProbeReply(source, asked, advert, is_broadcast=True)
        del self._open[nonce]
        reply = ProbeReply(address, asked, advert)
        answered = (*self._answered.items(), (nonce, reply))
        self._answered = {key: one for key, one in answered if now - one.asked <= QUERY_LIFETIME_S}
        return reply

    def match_goodbye(self, packet: bytes, now: float) -> ProbeReply | None:
        """Parse a goodbye; return the answer that it takes back, `None` if there is none."""
        nonce, table = read_goodbye(packet) or (b"", "")
        reply = self._answered.pop(nonce, None)
        if reply is None or now - reply.asked > QUERY_LIFETIME_S:
            return None
        return reply if reply.advert.id == table else None


class ProbeResponder:
    """Answers questions within the rate limits."""

    def __init__(self) -> None:
        self._limiter = Limiter(MAX_KNOWN_ADDRESSES)
        self._answered: dict[Address, tuple[bytes, float]] = {}

    def answer(self, packet: bytes, source: Address, now: float, advert: Advert) -> bytes | None:
        """Return the answer to a packet received at `now` (seconds), or `None`."""
        nonce = read_question(packet)
        take = self._limiter.take
        if nonce is None or not (take(ADDRESS_ANSWERS, now, source.host) and take(ANSWERS, now)):
            return None
        keep_last(self._answered, source, (nonce, now), MAX_KNOWN_ADDRESSES)
        return write_answer(nonce, advert)

    def goodbyes(self, now: float, table: str) -> list[tuple[Address, bytes]]:
        """Return the packets to send when the table closes: one for each recent asker's address."""
        return [
            (source, write_goodbye(nonce, table))
            for source, (nonce, answered) in self._answered.items()
            if now - answered <= QUERY_LIFETIME_S
        ]
