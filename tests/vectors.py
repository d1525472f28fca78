"""Test vectors of the protocol: fixed inputs, and what this program makes of them.

`tests/data/vectors/protocol.json` is for those who write a client in another language; it goes with
`docs/protocol.md`, and `tests/docs/test_vectors.py` makes all of it again from that page. Bytes are
hexadecimal digits. Where a value of the protocol is spelt out, bytes in it are `{"bytes": "00ff"}`,
and `msgpack` has the value as it travels.

    .venv/bin/python -m tests.vectors      write the file again

Do that only after a change on purpose of the protocol, and read what git shows as different.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from engine.dealing import Draw, SeedShare, draw_id
from engine.events import RoundBegan, visible_to
from net.client.trail import begin_round_hash, extend_round_hash
from net.protocol.chat import ChatLine, Moment
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.game_wire import write_event
from net.protocol.lobby import Lobby, Settings
from net.protocol.lobby_events import BotSat, Entered, SatDown, apply_all
from net.protocol.messages import Gathering, Ping
from net.room.broadcast import snapshot
from net.room.seeds import deal_basis, deal_facts
from net.room.steps import RoomState, Step, apply_step, read_founding, read_step
from net.secure.code import RoomCode, words_to_compare
from net.secure.handshake import (
    CodeExchange,
    Hello,
    Offer,
    OpenExchange,
    PakeSide,
    Purpose,
    begin_exchange,
    client_mac,
    host_mac,
    join_statement,
    reentry_statement,
    transcript,
)
from net.secure.keys import SeatKey
from tests.kept import spell
from tests.net.room.room_fixture import Table, play_on, three_in_game

FILE: Final = Path(__file__).parent / "data" / "vectors" / "protocol.json"

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The order of the group of Ed25519."""

WIDTH: Final = 100
ASTRAL: Final = "𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇𠀈𠀉"
"""Letters beyond the 65,536 code points of a single UTF-16 unit."""

MOVES: Final = 4
"""Moves in the game whose running hashes are given."""


def number(name: str, count: int = 32) -> bytes:
    """Return this many bytes that look random and are the same each time."""
    return sha256(name.encode()).digest()[:count]


def pack_value(value: object) -> dict[str, object]:
    """Return a value of the protocol as JSON, and its msgpack."""
    data = msgspec.msgpack.encode(value)
    return {"value": spell(msgspec.msgpack.decode(data)), "msgpack": data.hex()}


def frames() -> object:
    """Return frames: a short one, the longest that 512 bytes hold, and one byte more."""
    return [
        {**pack_value(message), "frame": pack(message, MAX_HOST_FRAME_BYTES).hex()}
        for message in (Ping(17), gathering("end"), gathering("ends"))
    ]


def gathering(end: str) -> Gathering:
    """Return a message of 509 bytes and this text, with letters of four bytes each."""
    names = *[letter * 12 for letter in ASTRAL[:8]], ASTRAL[8] * 9 + end, ASTRAL[9] * 10
    return Gathering(names, 3)


def reduce_number(drawn: bytes) -> bytes:
    """Return 32 bytes as a number below the order of the group, in 32 bytes."""
    return (int.from_bytes(drawn, "big") % ORDER).to_bytes(32, "big")


def zeroes_before(drawn: bytes, count: int) -> bytes:
    """Return this many bytes, the last of which are these."""
    return drawn.rjust(count, b"\0")


def exchange_keys(code: RoomCode | None, seen: bytes) -> tuple[bytes, bytes, bytes]:
    """Return both shares of a key exchange whose random numbers are fixed, and the secret."""
    client, host = (begin_exchange(side, code, seen) for side in PakeSide)
    for side, drawn in ((client, number("x")), (host, number("y"))):
        match side:
            case CodeExchange():  # the package draws 64 bytes, and reduces them
                side._run.entropy_f = partial(zeroes_before, reduce_number(drawn))  # type: ignore[attr-defined] # the package - has no types
            case OpenExchange():
                side._ours = side._ours[:1] + drawn
            case _:
                raise TypeError(side)
    shares = client.share(), host.share()
    secret = client.key(shares[1])
    assert secret == host.key(shares[0])
    return (*shares, secret)


def handshake() -> object:
    """Return a handshake that joins, and one that returns."""
    fingerprint, code, key = number("certificate"), "amber-tulip", SeatKey(number("seat key"))
    hello = Hello(1, 1, Purpose.JOIN, number("client's nonce"))
    offer = Offer(1, 1, 1, is_open=False, nonce=number("host's nonce"))
    seen = transcript(fingerprint, hello, offer)
    client_share, host_share, secret = exchange_keys(RoomCode.parse(code), seen)
    statement = join_statement(seen, client_share, host_share)
    signature = key.sign(statement)
    mac = client_mac(secret, statement, key.public, signature)
    returning = Hello(1, 1, Purpose.RETURN, number("client's nonce"))
    seen_again = transcript(fingerprint, returning, offer)
    open_offer = Offer(1, 1, 1, is_open=True, nonce=number("host's nonce"))
    seen_open = transcript(fingerprint, hello, open_offer)
    open_client_share, open_host_share, open_secret = exchange_keys(None, seen_open)
    return {
        "fingerprint": fingerprint.hex(),
        "code": code,
        "private key": key.secret.hex(),
        "key": key.public.hex(),
        "join": {
            "hello": pack_value(hello),
            "offer": pack_value(offer),
            "seen": seen.hex(),
            "x": reduce_number(number("x")).hex(),
            "y": reduce_number(number("y")).hex(),
            "client's share": client_share.hex(),
            "host's share": host_share.hex(),
            "secret": secret.hex(),
            "join statement": statement.hex(),
            "signature": signature.hex(),
            "client's mac": mac.hex(),
            "host's mac": host_mac(secret, mac).hex(),
        },
        "join an open table": {
            "hello": pack_value(hello),
            "offer": pack_value(open_offer),
            "seen": seen_open.hex(),
            "client's share": open_client_share.hex(),
            "host's share": open_host_share.hex(),
            "secret": open_secret.hex(),
        },
        "return": {
            "hello": pack_value(returning),
            "offer": pack_value(offer),
            "seen": seen_again.hex(),
            "return statement": reentry_statement(seen_again).hex(),
            "signature": key.sign(reentry_statement(seen_again)).hex(),
        },
    }


def table_played() -> Table:
    """Return a table of three, with the first moves of a game."""
    table = three_in_game(Settings(seats=3, rounds=1))
    play_on(table, MOVES)
    return table


def states(table: Table) -> Iterator[tuple[RoomState, Step, list[object]]]:
    """Yield the states of a table, each with the step that led to it and its public events."""
    state = RoomState.create(read_founding(table.kept))
    for payload in table.disk:
        step = read_step(payload)
        state, events = apply_step(state, step)
        yield state, step, [write_event(event) for event in visible_to(events, None)]


def running() -> object:
    """Return the running hashes of a table, from its first step on."""
    steps: list[object] = []
    for state, step, events in states(table_played()):
        steps.append(
            {
                "step": state.number,
                "lobby_events": pack_value(step.news)["value"],
                "public events": pack_value(events)["value"],
                "msgpack": msgspec.msgpack.encode((state.number, step.news, events)).hex(),
                "running hash": state.running.hex(),
            }
        )
    return steps


def words() -> object:
    """Return six words of a round as all were told of it, as if it ended after a few moves."""
    table = table_played()
    ben = table.people["Ben"].client.status
    assert ben.lobby is not None
    assert ben.view is not None
    began, *events = visible_to(ben.view.history, None)
    assert isinstance(began, RoundBegan)
    names = [ben.lobby.name_at(seat) for seat in range(len(ben.lobby.chairs))]
    line = ChatLine("Ben", 1, "I saw gold 💰", None, Moment(1, 40))
    told = begin_round_hash(ben.lobby, ben.view, began)
    heard: list[object] = [pack_value(write_event(began))]
    told = extend_round_hash(told, line)
    heard.append(pack_value(line))
    for event in map(write_event, events):
        told = extend_round_hash(told, event)
        heard.append(pack_value(event))
    return {
        "[names, edition]": pack_value((names, ben.view.table.edition.text)),
        "told": heard,
        "hash": told.hex(),
        "six words": list(words_to_compare(told)),
    }


def state_hashes() -> object:
    """Return state hashes of the same table: before its game, and in it."""
    table = table_played()
    found = [state for state, _, _ in states(table)]
    lobby_only = next(state for state in found if len(state.lobby.people) > 1)
    hashes: list[object] = []
    for state, name in ((lobby_only, "Ben"), (found[-1], "Ben")):
        member = table.people[name].client.status.member
        if state.lobby.person(member) is None:
            member = max(person.member for person in state.lobby.people)
        told = snapshot(state, member, 1, table.room.disk)
        hashes.append(
            {
                "step": state.number,
                "[lobby, public]": pack_value((told.lobby, told.public)),
                "hash": told.hash.hex(),
            }
        )
    return hashes


def draw() -> object:
    """Return the draw of a seed."""
    names = ("Ben 𠮷", "Chloé")
    others = (*(SeedShare(name, number(f"{name}'s share")) for name in names), SeedShare("Dan"))
    lobby = Lobby.empty("Gold Rush", Settings(seats=6, rounds=2, youngest=5))
    for member, name in enumerate(("Ann", *names, "Dan"), 1):
        lobby = apply_all(lobby, (Entered(member, name, member == 1), SatDown(member - 1, member)))
    lobby = apply_all(lobby, (BotSat(5, "Borin", "easy"),))
    nonce, facts = number("nonce", 16), deal_facts(lobby, None, (2, 3))
    id_ = draw_id(nonce, deal_basis(lobby, None, (2, 3)))
    made = Draw(id_, SeedShare("Ann", number("Ann's share")), others)
    people: list[object] = [
        {
            "name": person.name,
            "share": person.share.hex(),
            "commitment": made.commitment(person).hex(),
        }
        for person in (made.host, *others)
    ]
    return {
        "nonce": nonce.hex(),
        "[round, edition, rounds, youngest, players, members, public]": pack_value(facts),
        "id": made.id.hex(),
        "host": people[0],
        "members": people[1:3],
        "absent": people[3:],
        "seed": made.seed.hex(),
    }


def all_vectors() -> dict[str, object]:
    """Return all vectors."""
    return {
        "frames": frames(),
        "handshake": handshake(),
        "running hash": running(),
        "state hash": state_hashes(),
        "draw": draw(),
        "words": words(),
    }


def text() -> str:
    """Return the file."""
    return lay_out(all_vectors()) + "\n"


def lay_out(value: object, indent: int = 0) -> str:
    """Return a value as JSON, in one line if it fits, else with a line for each part."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + len(line) <= WIDTH:
        return line
    within, inner = "\n" + " " * (indent + 1), indent + 1
    if isinstance(value, list):
        parts, ends = [lay_out(item, inner) for item in value], "[]"
    else:
        pairs = value.items()
        parts, ends = [f"{json.dumps(key)}: {lay_out(item, inner)}" for key, item in pairs], "{}"
    return f"{ends[0]}{within}{f',{within}'.join(parts)}\n{' ' * indent}{ends[1]}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
