"""A client of docs/protocol.md, written from that page alone.

It imports nothing of Sabtui, and does nothing that the page does not say: what it lacks, the page
lacks. It plays the dullest game there is, discarding its first card in every turn. As a program it
plays one game: `python -m tests.docs.page_client HOST PORT CODE NAME`.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import ssl
import sys
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Final, cast

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.docs.page_formats import (
    Message,
    Value,
    begin_exchange,
    card_played,
    commit_to,
    encode,
    frame_value,
    hash_parts,
    join_parts,
    padded_length,
)

VERSION: Final = 2
PRIVATE: Final = frozenset(("dwarf", "hand", "card", "discarded", "goal", "offer", "gold"))
"""Events that one seat is told."""
AT_THE_END: Final = (18, 38)
"""Lobby events that come with the end of a game, which the running hash leaves out."""


class Refused(Exception):
    """The host refuses the handshake."""


class Closed(Exception):
    """The host ends the connection."""


class PageClient:
    """One player at one table."""

    def __init__(self, name: str, host: str, port: int, code: str | None) -> None:
        self.name = name
        self.address = host, port
        self.code = code
        self.key = Ed25519PrivateKey.generate()
        self.fingerprint = b""
        self.member = self.incarnation = self.step = self.last_id = 0
        self.running = bytes(16)
        self.seat = -1
        self.hand: list[int] = []
        self.offer = b""
        self.to_act = False
        self.is_round_over = False
        self.moves = 0
        self.record = ""
        self.gold: tuple[bytes, ...] = ()
        self.refusals: list[str] = []
        self.is_lost = False
        """True after `resync`, until the snapshot comes."""
        self.is_asked = False
        """True after `enter` and `resync`, until a step or the snapshot comes."""
        self.snapshots = 0
        self.draw: list[Value] | None = None
        """The draw under way: id, host's commitment, members, absent, commitments."""
        self.names: dict[int, str] = {}
        self.settings: Sequence[Value] = ()
        self.players: list[int] = []
        self.bots: dict[int, str] = {}
        """The member on each seat, 0 for nobody."""
        self.host = 0
        self.share = b""
        self.draws: list[tuple[bytes, bytes]] = []
        """Of each round what the seed is made of, but for the host's share, and that commitment."""
        self.beat: asyncio.Task[None] | None = None

    # The connection.

    async def connect(self) -> None:
        """Connect, and check the certificate against the one kept, if one was."""
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        tls.minimum_version = ssl.TLSVersion.TLSv1_3
        tls.check_hostname = False
        tls.verify_mode = ssl.CERT_NONE
        tls.set_alpn_protocols(["sabtui"])
        self.reader, self.writer = await asyncio.open_connection(
            *self.address, ssl=tls, server_hostname=""
        )
        made = cast("ssl.SSLObject", self.writer.get_extra_info("ssl_object"))
        assert made.selected_alpn_protocol() == "sabtui"
        fingerprint = sha256(made.getpeercert(binary_form=True) or b"").digest()
        assert self.fingerprint in (b"", fingerprint), "another table"
        self.fingerprint = fingerprint

    async def close(self) -> None:
        """Let go of the connection without a word."""
        if self.beat is not None:
            self.beat.cancel()
            await asyncio.wait((self.beat,))
        self.writer.transport.abort()

    def send(self, kind: str, **fields: Value) -> bytes:
        """Send a message; return its msgpack."""
        message = {"is": kind, **fields}
        self.writer.write(frame_value(message))
        return encode(message)

    async def receive(self) -> Message:
        """Return the next message."""
        length = int.from_bytes(await self.reader.readexactly(4), "big")
        body = await self.reader.readexactly(padded_length(length))
        return cast("Message", msgpack.unpackb(body[:length], use_list=False))

    async def answer(self, kind: str) -> Message:
        """Return the next message of the handshake, which should be of this kind."""
        message = await self.receive()
        if message["is"] != kind:
            raise Refused(message)
        return message

    # The handshake.

    async def join(self) -> None:
        """Join by the room code, with a new key."""
        await self.connect()
        seen, is_open = await self._begin("join")
        assert is_open == (self.code is None)
        ours, secret_of = begin_exchange(self.code, seen)
        self.send("share", share=ours)
        theirs = cast("bytes", (await self.answer("share"))["share"])
        secret = secret_of(theirs)
        statement = hash_parts(b"sabtui join", seen, ours, theirs)
        public, signature = self._sign(statement)
        told = hash_parts(b"sabtui client", statement, public, signature)
        mac = hmac.digest(secret, told, "sha256")
        self.send("proof", key=public, signature=signature, mac=mac)
        proof = await self.answer("host-proof")
        assert proof["mac"] == hmac.digest(secret, hash_parts(b"sabtui host", mac), "sha256")
        self._enter()

    async def come_back(self) -> None:
        """Return by the key, to the steps that were missed."""
        await self.connect()
        seen, _ = await self._begin("return")
        public, signature = self._sign(hash_parts(b"sabtui return", seen))
        self.send("return", key=public, signature=signature)
        await self.answer("known")
        self._enter()

    async def _begin(self, purpose: str) -> tuple[bytes, bool]:
        nonce = secrets.token_bytes(32)
        hello = self.send("hello", low=VERSION, high=VERSION, purpose=purpose, nonce=nonce)
        offer = await self.answer("offer")
        assert offer["version"] == VERSION
        fields = (
            "is",
            "low",
            "high",
            "version",
            "is_open",
            "nonce",
            "host",
            "plays",
            "people",
            "term",
        )
        offered = encode({field: offer[field] for field in fields})
        seen = hash_parts(b"sabtui handshake", self.fingerprint, hello, offered)
        return seen, bool(offer["is_open"])

    def _sign(self, statement: bytes) -> tuple[bytes, bytes]:
        return self.key.public_key().public_bytes_raw(), self.key.sign(statement)

    def _enter(self) -> None:
        self.is_asked = True
        self.send(
            "enter",
            name=self.name,
            watch=False,
            incarnation=self.incarnation,
            seen=self.mark,
        )
        self.beat = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(2)
            self.send("ping", seen=self.step)

    # At the table.

    @property
    def mark(self) -> tuple[int, bytes]:
        """The last step, and the running hash after it."""
        return self.step, self.running

    def resync(self) -> None:
        """Ask for a snapshot."""
        self.is_lost = self.is_asked = True
        self.send("resync")

    def request(self, *request: Value) -> None:
        """Send a command."""
        self.last_id += 1
        self.send("command", id=self.last_id, request=request)

    async def take(self) -> str:
        """Handle the next message; return its kind."""
        message = await self.receive()
        match message["is"]:
            case "welcome":
                self.member = cast("int", message["member"])
                self.last_id = max(self.last_id, cast("int", message["last"]))
                assert not message["gone"], "the table has another past"
            case "snapshot":
                self._replace(message)
            case "behind" if not self.is_lost:
                self.resync()
            case "step" if not self.is_lost and cast("int", message["step"]) > self.step:
                self._follow(message)
            case "command-refused":
                self.refusals.append(str(message["reason"]))
            case "closing":
                raise Closed(message["reason"])
            case _:
                pass
        return str(message["is"])

    def _replace(self, snapshot: Message) -> None:
        """Take a snapshot for all that is known, and check its hash."""
        assert self.is_asked, "nobody asked"
        public, own = snapshot["public"], snapshot["own"]
        state = encode((snapshot["lobby"], public))
        if own is not None:
            self.hand = list(cast("bytes", cast("Sequence[Value]", own)[2]))
        assert snapshot["hash"] == blake2b(state, digest_size=8).digest()
        self.step, self.running = (
            cast("int", snapshot["step"]),
            cast("bytes", snapshot["running"]),
        )
        self.is_lost = self.is_asked = False
        self.snapshots += 1
        self.member = cast("int", snapshot["member"])
        self.incarnation = cast("int", snapshot["incarnation"])
        lobby = cast("Sequence[Value]", snapshot["lobby"])
        people = cast("Sequence[tuple[int, str, int, bool, bytes, bool]]", lobby[3])
        self.names = {member: name for member, name, *_ in people}
        self.host = cast("int", lobby[4])
        self.settings = cast("Sequence[Value]", lobby[1])
        self.players = [0] * cast("int", self.settings[2])
        for seat, chair in enumerate(cast("Sequence[Sequence[Value]]", lobby[2])):
            self.players[seat] = cast("int", chair[1]) if chair[0] == 2 else 0
            if chair[0] == 3:
                self.bots[seat] = cast("str", chair[1])
        self.seat = self.players.index(self.member) if self.member in self.players else -1

    def _follow(self, step: Message) -> None:
        """Apply a step, and go on with the running hash."""
        if step["step"] != self.step + 1 or step["incarnation"] != self.incarnation:
            self.resync()
            return
        self.is_asked = False
        news = cast("Sequence[Sequence[Value]]", step["lobby_events"])
        events = cast("Sequence[Sequence[Value]]", step["events"])
        self.step += 1
        past = (
            self.step,
            [event for event in news if event[0] not in AT_THE_END],
            [event for event in events if event[0] not in PRIVATE],
        )
        self.running = blake2b(self.running + encode(past), digest_size=16).digest()
        for event in news:
            self._hear(*event)
        for event in events:
            self._see(*event)

    def _hear(self, tag: Value, *fields: Value) -> None:
        """Apply a lobby event."""
        match tag, fields:
            case 1, (int(member), str(name), bool(is_host), bool(), bytes(), bool()):
                self.names[member] = name
                self.host = member if is_host else self.host
            case 23, (bytes(draw), bytes(nonce), int(number), bytes(commitment), members, absent):
                if number == 1:
                    assert draw == self._first_draw(nonce, members), "of another table"
                self._begin_draw(draw, commitment, members, absent)
            case 24, (commitments,):
                self._show(cast("Sequence[bytes]", commitments))
            case 25, (shares,):
                self._finish_draw(cast("Sequence[bytes]", shares))
            case 3, (int(seat), int(member)):
                self.players = [0 if player == member else player for player in self.players]
                self.players[seat] = member
                self.bots.pop(seat, None)
                self.seat = seat if member == self.member else self.seat
            case 4, (int(seat),):
                self.players[seat] = 0
                self.bots.pop(seat, None)
                self.seat = -1 if seat == self.seat else self.seat
            case 5, (int(seat), str(name), str()):
                self.players[seat] = 0
                self.bots[seat] = name
            case 18, (str(record),):
                self.record = record
            case _:
                pass

    # A seed that is drawn by all.

    def _first_draw(self, nonce: bytes, members: Value) -> bytes:
        """Return the id of the draw of the first round, in which nobody is chosen to begin."""
        edition, rounds, *_ = self.settings
        seats = [
            (player, self.names.get(player) or self.bots.get(at))
            for at, player in enumerate(self.players)
        ]
        players = [(member, name) for member, name in seats if name]
        basis = sha256(encode((1, edition, rounds, -1, players, members, None))).digest()
        return sha256(join_parts(b"sabtui draw 1", nonce, basis)).digest()[:16]

    def _begin_draw(self, draw: bytes, commitment: bytes, members: Value, absent: Value) -> None:
        asked = cast("Sequence[int]", members)
        self.draw = [draw, commitment, asked, cast("Sequence[int]", absent), ()]
        if self.member in asked:
            self.share = secrets.token_bytes(32)
            ours = commit_to(draw, self.names[self.member], self.share)
            self.send("commit", draw=draw, commitment=ours)

    def _show(self, commitments: Sequence[bytes]) -> None:
        assert self.draw is not None
        draw, _, asked, *_ = self.draw
        self.draw[4] = commitments
        if self.member in cast("Sequence[int]", asked):
            ours = commit_to(cast("bytes", draw), self.names[self.member], self.share)
            assert ours == commitments[cast("Sequence[int]", asked).index(self.member)]
            self.send("show", draw=draw, share=self.share)

    def _finish_draw(self, shares: Sequence[bytes]) -> None:
        assert self.draw is not None
        draw, host, asked, absent, commitments = cast(
            "tuple[bytes, bytes, Sequence[int], Sequence[int], Sequence[bytes]]", tuple(self.draw)
        )
        parts = [b"sabtui seed 1", draw, self.names.get(self.host, "").encode(), host]
        for member, commitment, share in zip(asked, commitments, shares, strict=True):
            assert commitment == commit_to(draw, self.names[member], share)
            parts += [self.names[member].encode(), commitment, share]
        for member in absent:
            parts += [self.names[member].encode(), b"", b""]
        self.draws.append((join_parts(*parts), host))
        self.draw = None

    def check_seeds(self) -> int:
        """Check the seeds in the record against what was seen; return how many were checked."""
        said = dict(
            cast("tuple[str, str]", tuple(line[1:].split("]")[0].split(" ", 1)))
            for line in self.record.splitlines()
            if line.startswith("[")
        )
        for number, (parts, host) in enumerate(self.draws, 1):
            draw = bytes.fromhex(said[f"Draw{number}"].strip('"'))
            commitment, share, name = said[f"Share{number}_0"].strip('"').split(" ", 2)
            assert bytes.fromhex(commitment) == host
            assert host == commit_to(draw, name, bytes.fromhex(share))
            seed = hmac.digest(bytes.fromhex(share), parts, "sha256")
            assert said[f"Seed{number}"].strip('"') == seed.hex()
        return len(self.draws)

    def _see(self, tag: Value, *fields: Value) -> None:
        """Apply an event of the game."""
        match tag, fields:
            case "hand", (int(seat), bytes(cards)):
                self.seat = seat  # free seats before it may have gone
                self.hand = list(cards)
            case "card", (_, int(card)):
                self.hand.append(card)
            case "discarded", (_, int(card)):
                self.hand.remove(card)
            case "laid" | "broke" | "fixed" | "fell" | "looked", (self.seat, first, *_):
                self.hand.remove(card_played(str(tag), cast("int", first)))
            case "end", _:
                self.is_round_over = True
            case "turn" | "choose", (seat,):
                self.to_act = seat == self.seat
            case "passed" | "took", (self.seat,):
                self.to_act = False
            case "offer", (_, bytes(nuggets)):
                self.offer = nuggets
            case "shown", (gold,):
                self.gold = tuple(cast("Sequence[bytes]", gold))
            case _:
                pass

    async def play_game(self, seat: int = -1) -> None:
        """Join, take the seat that a newcomer gets or this one, play until the record has come."""
        await self.join()
        while self.seat < 0:
            await self.take()
        if seat >= 0:
            self.request("sit", seat)
        while not self.record:
            await self.take()
            self.move()

    def move(self) -> None:
        """Make a move if it is our turn: keep the most gold, or discard the first card.

        After a round be ready for the next.
        """
        if self.is_round_over and not self.gold:
            self.is_round_over, ready = False, True
            self.request("ready", ready)
        if self.to_act and self.step and not self.gold:
            self.to_act = False
            self.moves += 1
            move = ("keep", self.offer[0]) if self.offer else ("discard", self.hand[0])
            self.offer = b""
            self.request("move", self.step, move)


async def main(host: str, port: str, code: str, name: str) -> None:
    """Play one game; print the gold of each seat, and what was checked. No code is `-`."""
    client = PageClient(name, host, int(port), None if code == "-" else code)
    await client.play_game()
    gold = " ".join(str(sum(cards)) for cards in client.gold)
    checked = client.check_seeds()
    print(f"gold {gold}; {checked} seeds; {client.running.hex()}; refused {client.refusals}")  # noqa: T201 - its output
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
