"""Messages between a table and a door beside it, over the door's standard streams.

    door                                    table
                                       <-   DoorOrder, first and once
    DoorOpened or DoorFailed           ->
    TryCode (address, typed)           ->
                                       <-   DoorAnswer: right, or not, or wait and ask again
    Admit (key, address, is_new)       ->
                                       <-   DoorAnswer: whether that key may enter now
    IsSeated (key)                     ->
                                       <-   DoorAnswer: whether somebody there has that key
    TryExchange (address, share)       ->
                                       <-   DoorAnswer: the table's share and the secret, or wait
    Settle (address, is_right)         ->

Each is a line of JSON.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from net.protocol.doors import DoorTrouble

MAX_LINE_BYTES: Final = 1 << 16
"""Longest line that a door's process may write; all of them are short."""

MAX_TYPED_LETTERS: Final = 80
"""Most letters of a code as a guest types it; a longer text is none, and no line has it."""


class DoorOrder(msgspec.Struct, frozen=True):
    """Order to a door's process: the table that it leads to, and the language it speaks.

    `pin` is the fingerprint of the table's certificate. `folder` is the door's own state folder.
    """

    table: str
    title: str
    port: int
    pin: bytes
    folder: str
    language: str = "en"


class DoorOpened(msgspec.Struct, frozen=True, tag="opened"):
    """The door is open at this port; `fingerprint` and `trouble` as in `DoorNow`."""

    port: int
    fingerprint: str = ""
    trouble: DoorTrouble = DoorTrouble.NONE


class DoorFailed(msgspec.Struct, frozen=True, tag="failed"):
    """The door cannot be opened."""

    trouble: DoorTrouble


class TryCode(msgspec.Struct, frozen=True, tag="try"):
    """A guest at this address has typed a code; "" asks whether the table needs none."""

    id: int
    address: str
    typed: str


class Admit(msgspec.Struct, frozen=True, tag="admit"):
    """A screen with this public seat key is about to join for a guest at this address.

    `is_new` is True for one who has proven the code, after `renewed` earlier ones. The other ones
    need a seat already.
    """

    id: int
    key: bytes
    address: str
    is_new: bool
    renewed: int = 0


class IsSeated(msgspec.Struct, frozen=True, tag="is-seated"):
    """Question whether somebody at the table has this public seat key, there or away."""

    id: int
    key: bytes


class TryExchange(msgspec.Struct, frozen=True, tag="exchange"):
    """A guest at this address begins a SPAKE2 exchange with the room code as they have typed it.

    `binding` are bytes that the guest mixes in, too. The door reports later if the guess was right
    (`Settle`).
    """

    id: int
    address: str
    share: bytes
    binding: bytes


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """The guess of a guest at this address, in an exchange, was right or wrong."""

    address: str
    is_right: bool


class DoorAnswer(msgspec.Struct, frozen=True):
    """Answer to the question with this id. With a `wait`, in seconds, nothing was tried yet.

    `share` and `secret` are the table's side of an exchange; an open table has none. The code that
    was tried had been `renewed` this many times.
    """

    id: int
    yes: bool = False
    wait: float = 0.0
    share: bytes = b""
    secret: bytes = b""
    renewed: int = 0


Question: TypeAlias = TryCode | Admit | IsSeated | TryExchange
DoorMessage: TypeAlias = DoorOpened | DoorFailed | Question | Settle
