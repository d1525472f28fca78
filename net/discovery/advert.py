"""The public description of a table, as an mDNS record and as a probe's answer.

An advert from the network is only a hint; its text is cut and cleaned here.

The packets of the probe are listed in docs/protocol.md (*A probe*). A question is padded with
zeroes to 128 bytes, and an answer is never longer, so that a forged question cannot make a table
send more than it received. The last fields of an answer may be missing.

Later formats only add to the end, and readers ignore what they do not know. Any other packet is
read as `None`, without an error: nobody could be notified.

An answer is matched only by its nonce, not by its source: a host of several addresses may answer
from another one than was asked, and only those who saw the question know its nonce. A broadcast is
one question to a whole network; each of its answers stands for the address that it came from.
"""

from __future__ import annotations

import re
import secrets
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from net.protocol import CopyRank, Versions
from net.protocol.cleaning import MAX_NAME_BYTES, clean_name

SERVICE: Final = "_sabtui._tcp.local."  # the mDNS service type of a table

MAX_ADVERTISED_COUNT: Final = 99
"""Highest number of players or seats that is advertised, in place of any larger one."""

HIGHEST_VERSION: Final = 0xFFFF
HIGHEST_PORT: Final = 0xFFFF
HIGHEST_TERM: Final = 0xFFFF  # highest term that is advertised; higher ones are capped
_TXTVERS: Final = b"1"
_ID: Final = re.compile(r"[0-9a-f]{16}")
_NUMBER: Final = re.compile(rb"[0-9]{1,2}")
_PORT: Final = re.compile(rb"[0-9]{4,5}")
_TERM: Final = re.compile(rb"[0-9]{1,5}")
_VERSIONS: Final = re.compile(rb"([0-9]{1,5})(?:-([0-9]{1,5}))?")


class AdvertStage(StrEnum):
    """The stage of a table. `OTHER` stands for any word that only newer versions know."""

    LOBBY = "lobby"
    FULL = "full"
    PLAYING = "playing"
    OVER = "over"
    LOCKED = "locked"  # before the game; no newcomers are admitted
    CLUB = "club"  # no table, but a hall with many
    AWAY = "away"  # before the game; a seat is free, but the host is not there to begin
    OTHER = "other"


OURS: Final = Versions(2, 2)  # the protocol versions that this Sabtui speaks


def read_versions(low: int, high: int) -> Versions | None:
    """Return the range of versions that a peer claims to speak, `None` if it is invalid."""
    return Versions(low, high) if 1 <= low <= high <= HIGHEST_VERSION else None


def read_port(port: int) -> int:
    """Return a door's port as announced, 0 for a system port, which no door has."""
    return port if 1024 <= port <= HIGHEST_PORT else 0


@dataclass(frozen=True, slots=True)
class DoorPorts:
    """The ports of the doors beside a table, each 0 if there is none."""

    ssh: int = 0
    web: int = 0


NO_DOORS: Final = DoorPorts()


@dataclass(frozen=True, slots=True)
class Advert:
    """The public description of a table, or of a club."""

    id: str  # the table's own for life: 16 lower-case hexadecimal digits
    name: str  # cleaned by `clean_name`, may be empty
    versions: Versions
    stage: AdvertStage
    players: int  # number of those seated, bots included; in a club, of everybody present
    seats: int
    doors: DoorPorts = NO_DOORS
    term: int = 0  # its host's, 0 for the first
    plays: bool = False  # as in `CopyRank`
    people: int = 0  # as in `CopyRank`

    @property
    def row(self) -> str:
        """The text that tells this table from all others of a list."""
        return f"{self.id} {self.versions.low} {self.versions.high} {self.name}"

    @property
    def rank(self) -> CopyRank:
        return CopyRank(self.plays, self.people, self.term)

    @property
    def tail(self) -> str:
        """The number that tells tables of one name apart, and copies of one table."""
        return _tail_of_label(self.id, self.term)

    @property
    def label(self) -> str:
        """The mDNS instance label, at most 63 bytes.

        It ends in part of the id, so that no two tables ever claim one label: asking first whether
        it is free takes 0.7 s and does not see a table that asks at the same moment. The term is
        added to that, for two hosts of one table. Dots become spaces, since zeroconf takes each for
        the end of a label.
        """
        return f"{self.name.replace('.', ' ')} {_tail_of_label(self.id, self.term)}".strip()

    @property
    def txt(self) -> dict[str, str]:
        low, high = self.versions.low, self.versions.high
        more = {"ssh": self.doors.ssh, "web": self.doors.web, "tm": self.term}
        return {
            "txtvers": _TXTVERS.decode(),
            "pv": str(low) if low == high else f"{low}-{high}",
            "id": self.id,
            "st": self.stage,
            "pl": str(self.players),
            "mx": str(self.seats),
            **{key: str(number) for key, number in more.items() if number},
        }


def _tail_of_label(table: str, term: int) -> str:
    """Return the end of a label, `(0123)`: the first digits of the id, with the term added."""
    return f"({(int(table[:4], 16) + term) % 0x10000:04x})"


def new_id() -> str:
    """Return an id for a new table. It is not secret."""
    return secrets.token_hex(8)


def read_advert(label: str, txt: Mapping[bytes, bytes | None]) -> Advert | None:
    """Parse a label and its TXT record; return `None` if they do not describe a table.

    `txtvers`, `pv` and `id` keep their meaning in every later version, so that newer tables are
    listed and the player can be asked to update. Any other unreadable field counts as unknown.
    """
    found_id = _ID.fullmatch((txt.get(b"id") or b"").decode("ascii", "replace"))
    spoken = _VERSIONS.fullmatch(txt.get(b"pv") or b"")
    if txt.get(b"txtvers") != _TXTVERS or found_id is None or spoken is None:
        return None
    versions = read_versions(int(spoken[1]), int(spoken[2] or spoken[1]))
    if versions is None:
        return None
    term = min(_number(txt.get(b"tm"), _TERM), HIGHEST_TERM)
    ssh, web = (read_port(_number(txt.get(door), _PORT)) for door in (b"ssh", b"web"))
    return Advert(
        id=found_id[0],
        name=clean_name(label.removesuffix(_tail_of_label(found_id[0], term))),
        versions=versions,
        stage=read_stage((txt.get(b"st") or b"").decode("ascii", "replace")),
        players=_number(txt.get(b"pl")),
        seats=_number(txt.get(b"mx")),
        doors=DoorPorts(ssh, web),
        term=term,
    )


def read_stage(word: str) -> AdvertStage:
    """Return the stage with this name, `OTHER` if unknown."""
    return AdvertStage(word) if word in set(AdvertStage) else AdvertStage.OTHER


def _number(digits: bytes | None, form: re.Pattern[bytes] = _NUMBER) -> int:
    """Return a number of a TXT record, 0 if it is missing or does not have this form."""
    return int(digits) if digits and form.fullmatch(digits) else 0


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
_TAIL: Final = struct.Struct(">HHHB")
_PLAYS: Final = 0x80
assert _HEAD.size + _BODY.size + MAX_NAME_BYTES + _TAIL.size <= QUESTION_BYTES


def write_question(nonce: bytes) -> bytes:
    assert len(nonce) == PROBE_NONCE_BYTES
    return _HEAD.pack(_MAGIC, _FORMAT, b"Q", nonce).ljust(QUESTION_BYTES, b"\0")


def read_question(packet: bytes) -> bytes | None:
    """Return the nonce of a question, `None` for any other packet or one not padded in full."""
    return _read_head(packet, b"Q") if len(packet) >= QUESTION_BYTES else None


def write_answer(nonce: bytes, advert: Advert) -> bytes:
    """Return the answer to the question with this nonce, at most 128 bytes."""
    name = advert.name.encode()
    stage = _STAGES.index(advert.stage) if advert.stage in _STAGES else _OTHER
    table, versions, doors = bytes.fromhex(advert.id), advert.versions, advert.doors
    counts = advert.players, advert.seats, len(name)
    people = advert.people | (_PLAYS if advert.plays else 0)
    head = _HEAD.pack(_MAGIC, _FORMAT, b"A", nonce)
    body = _BODY.pack(table, versions.low, versions.high, stage, *counts)
    return head + body + name + _TAIL.pack(doors.ssh, doors.web, advert.term, people)


def read_answer(packet: bytes) -> tuple[bytes, Advert] | None:
    """Return the nonce and the cleaned description in an answer, `None` for any other packet."""
    nonce = _read_head(packet, b"A")
    if nonce is None or len(packet) < _HEAD.size + _BODY.size:
        return None
    table, low, high, stage, players, seats, length = _BODY.unpack_from(packet, _HEAD.size)
    rest = packet[_HEAD.size + _BODY.size :]
    name, tail = rest[:length], rest[length:][: _TAIL.size]
    versions = read_versions(low, high)
    if versions is None or len(name) < length:
        return None
    if len(tail) < _TAIL.size:  # an older table sends fewer fields; half a field counts as none
        tail = tail[: len(tail) // 2 * 2].ljust(_TAIL.size, b"\0")
    ssh, web, term, people = _TAIL.unpack(tail)
    advert = Advert(
        id=table.hex(),
        name=clean_name(name.decode(errors="replace")),
        versions=versions,
        stage=_STAGES[stage] if stage < len(_STAGES) else AdvertStage.OTHER,
        players=min(players, MAX_ADVERTISED_COUNT),
        seats=min(seats, MAX_ADVERTISED_COUNT),
        doors=DoorPorts(read_port(ssh), read_port(web)),
        term=term,
        plays=bool(people & _PLAYS),
        people=min(people & ~_PLAYS, MAX_ADVERTISED_COUNT),
    )
    return nonce, advert


def _read_head(packet: bytes, kind: bytes) -> bytes | None:
    """Return the nonce of a packet of this kind, `None` for any other packet."""
    if len(packet) < _HEAD.size:
        return None
    magic, version, its_kind, nonce = _HEAD.unpack_from(packet)
    fits = magic == _MAGIC and version >= _FORMAT and its_kind == kind
    return bytes(nonce) if fits else None
