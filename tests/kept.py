"""What this release writes, kept so that every later one is seen to read it.

`tests/data/kept/1/` has a record of a game of each edition, the journal and the seat file of a
table, and a frame of each kind of message, of request and of event, in hexadecimal digits, with
what it says. `tests/test_kept.py` reads all of it.

    .venv/bin/python -m tests.kept 2      write the folder 2, by today's program

A folder is written once, when a version is new, and never again: it stands for what is on people's
disks, and for the programs of those who have not updated. The command refuses to replace one.
Only what a frame says may follow a new name of a field in an array, which is not on the wire.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, inspect

from engine.notation import format_record
from net.client.credentials import Credentials, CredentialStore, Place
from net.protocol.framing import MAX_HOST_FRAME_BYTES, BadFrame, Message, decode, pack
from net.protocol.hall import Visit
from net.protocol.messages import CLIENT_KINDS, HOST_KINDS, Mark
from net.room.effects import JournalStep
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.handshake import HANDSHAKE_CLIENT_KINDS, HANDSHAKE_HOST_KINDS
from net.secure.keys import SeatKey, TableCertificate
from net.server.journal import Journal
from tests.engine.notation.games import BOOKS, play
from tests.net.protocol.frames import value_of
from tests.net.room.room_fixture import play_on, three_in_game

FOLDER: Final = Path(__file__).parent / "data" / "kept"
KINDS: Final = {
    "client": (*HANDSHAKE_CLIENT_KINDS, *CLIENT_KINDS),
    "host": (*HANDSHAKE_HOST_KINDS, *HOST_KINDS),
    "visitor": (Visit,),
}
"""Kinds of messages by who sends them."""

MOVES: Final = 12
"""Moves in the game of the journal."""


def vary(kind: inspect.Type, shown: set[type]) -> Iterator[object]:
    """Yield a value of a type, then others that differ in the kind of one part.

    A kind that was `shown` somewhere as one of several is not shown as one again.
    """
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            first = {field.name: next(vary(field.type, shown)) for field in fields}
            yield cls(**first)
            for field in fields:
                others = vary(field.type, shown)
                next(others)
                for other in others:
                    yield cls(**{**first, field.name: other})
        case inspect.UnionType(types=types):
            for number, part in enumerate(types):
                own: type = part.cls if isinstance(part, inspect.StructType) else type(part)
                if number == 0 or own not in shown:
                    yield from vary(part, shown)
                shown.add(own)
        case inspect.VarTupleType(item_type=item):
            for other in vary(item, shown):
                yield (other,)
        case inspect.TupleType(item_types=items):
            yield tuple(next(vary(item, shown)) for item in items)
        case inspect.EnumType(cls=cls):
            yield [*cls][-1]
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.NoneType():
            yield None
        case inspect.BoolType():
            yield True
        case inspect.IntType(ge=least):
            yield max(1, least or 0)
        case inspect.FloatType():
            yield 0.5
        case inspect.StrType(min_length=least, pattern=pattern):
            yield "0" * 16 if pattern else "gold".ljust(least or 0, "s")  # an id of a table
        case inspect.BytesType(min_length=least, max_length=most):
            yield bytes(at % 256 for at in range(max(least or 0, min(4, most or 4))))
        case inspect.Metadata(type=plain):
            yield from vary(plain, shown)
        case inspect.RawType():
            yield msgspec.Raw(msgspec.msgpack.encode(None))
        case _:
            raise TypeError(f"no value of {kind} is known")


def spell(value: object) -> object:
    """Return a value of the protocol as JSON; bytes are `{"bytes": "00ff"}`."""
    match value:
        case Enum():
            return spell(value.value)
        case bytes():
            return {"bytes": value.hex()}
        case msgspec.Raw():
            return spell(msgspec.msgpack.decode(value))
        case dict():
            return {str(key): spell(item) for key, item in value.items()}
        case list() | tuple():
            return [spell(item) for item in value]
        case Struct():
            fields = {name: spell(getattr(value, name)) for name in value.__struct_fields__}
            return {"is": type(value).__struct_config__.tag, **fields}
        case _:
            return value


def list_frames() -> Iterator[dict[str, object]]:
    """Yield frames with who sends them and what they say: of each kind, and those of a game."""
    shown = set[type]()
    for sender, kinds in KINDS.items():
        for kind in kinds:
            for message in vary(inspect.type_info(kind), shown):
                assert isinstance(message, Message)
                with suppress(BadFrame):  # a lobby that is made up contradicts itself
                    yield describe(sender, message)
    table = three_in_game()
    play_on(table, MOVES)
    for message in table.people["Ben"].got:
        yield describe("host", message)


def describe(sender: str, message: Message) -> dict[str, object]:
    """Return a message as the file has it; raises BadFrame where it could not be read."""
    frame = pack(message, MAX_HOST_FRAME_BYTES)
    decode(value_of(frame), *KINDS[sender])
    digits = frame.rstrip(b"\0").hex()  # the frame is filled up with zeros
    return {"from": sender, "frame": digits, "says": spell(message)}


def write_journal(path: Path) -> None:
    """Write the journal of a table in the midst of a game."""
    table = three_in_game()
    play_on(table, MOVES)
    certificate = TableCertificate.new()
    meta = {
        "founding": table.kept,
        "certificate": certificate.certificate,
        "private key": certificate.private_key,
        "code": b"amber-tulip",
        "port": b"7341",
        "doors": b"web",
    }
    journal = Journal.create(path, table=path.stem, name="Gold Rush", meta=meta)
    journal.commit([JournalStep(number, step) for number, step in enumerate(table.disk, 1)])
    journal.close()
    path.with_suffix(".lock").unlink()


def make_credentials() -> Credentials:
    """Return what a player's program keeps of a seat, with keys that are the same each time."""
    return Credentials(
        name="Änne",
        addresses=(Address("192.168.1.20", 7341), Address("fe80::1", 7342)),
        key=SeatKey(bytes(range(32))),
        table="amber",
        title="Gold Rush",
        pin=bytes(range(32, 64)),
        code=RoomCode.parse("amber-tulip"),
        seen=Mark(17, bytes(16)),
        left_at=Place(bytes(16), 2, 0, 5),
        club="nugget",
    )


def main(name: str) -> None:
    """Write a folder of this name."""
    folder = FOLDER / name
    if folder.exists():
        sys.exit(f"{folder} is there already: it stays as it is")
    folder.mkdir(parents=True)
    for number, edition in enumerate(BOOKS):
        record, _game, _told = play(number, 3 + number, edition, rounds=2)
        path = folder / f"{edition}.sab"
        path.write_text(format_record(record), encoding="utf-8", newline="\n")
    lines = ",\n".join(json.dumps(frame, ensure_ascii=False) for frame in list_frames())
    (folder / "frames.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")
    write_journal(folder / "gold.journal")
    CredentialStore(folder).store(make_credentials())


if __name__ == "__main__":
    main(sys.argv[1])
