"""Sealed steps: what a journal holds of a game that is not over, and how it opens again.

The act of a step (a seed, a move) and the host's share in the draw of a seed are what the host's
player must not read. From the first draw to the end of a game they are encrypted, and all else of a
step, which everybody at the table has seen, is authenticated with them. The key belongs to an
*epoch*: it is new with each game, with each change of those who hold its shares, and with each
opening of the journal, so that the number of a step is never a nonce twice, not even in a journal
that was copied back. Each epoch seals the key of the one before, so that the shares of the last
open all. The shares lie in the journal too, each encrypted to a seat key: an epoch begins on disk
together with the first step under it, and nobody has to be waited for.

One person at each computer holds a share, but nobody at the host's (`net.room.succession`). More
than half of them open the journal. When a game is over everybody has its record, and its last step
rewrites the others in the clear; when a table is closed before, they are rewritten without their
secrets, for ever.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from engine.state import Phase
from net.protocol.fields import KEY_BYTES
from net.protocol.lobby import Lobby, Stage
from net.protocol.messages import EnterTable
from net.room.state import Epoch, KeyShare, RoomState, Step, StepSecrets, read_secrets, write
from net.room.succession import successors
from net.secure.sealing import (
    SealBroken,
    check_of,
    join_key,
    pad,
    seal,
    seal_share,
    split_key,
    threshold,
    unpad,
    unseal,
)

_PREVIOUS: Final = 0
"""Number under which an epoch seals the key before it; steps are numbered from 1."""

Rewritten: TypeAlias = tuple[tuple[int, bytes], ...]  # new payloads of earlier steps, by number


def share_holders(state: RoomState) -> Mapping[int, bytes] | None:
    """Return the seat keys of those who hold shares, by member; `None` without a secret to keep."""
    lobby = state.lobby
    if not has_secrets(lobby, state.phase):
        return None
    return {member: state.keys[member] for member in successors(lobby)}


def has_secrets(lobby: Lobby, phase: Phase | None) -> bool:
    """Return True if a game or the draw before it is under way, so that steps are sealed."""
    is_over = phase is Phase.OVER or lobby.stage is Stage.CLOSED
    return not is_over and (phase is not None or lobby.draw is not None)


class Sealer:
    """Seals the steps of one table, from the opening of its journal on."""

    def __init__(self) -> None:
        self._key = b""
        self._holders: Mapping[int, bytes] | None = None
        self._shares: tuple[KeyShare, ...] = ()
        self._steps: dict[int, Step] = {}  # in the clear, those of the game that are sealed on disk

    def go_on(self, key: bytes, opened: Mapping[int, Step]) -> None:
        """Continue a journal with the key of its last epoch, and the steps that it opened."""
        self._key = key
        self._steps = dict(opened)

    def seal(self, step: Step, state: RoomState) -> tuple[Step, Rewritten]:
        """Return a step as the journal is to hold it, and the earlier steps that it rewrites.

        `state` is the table after the step.
        """
        holders = share_holders(state)
        if holders is None:
            return step, self._forget(is_closed=state.lobby.stage is Stage.CLOSED)
        epoch = None
        if holders != self._holders:
            epoch, self._key, self._holders = *_begin(holders, self._key), holders
            self._shares = epoch.shares
        if epoch is None and not _is_secret(step):
            return step, ()
        self._steps[state.number] = step
        sealed = self._seal_step(step, state.number)
        return sealed if epoch is None else replace(sealed, epoch=epoch), ()

    def for_copy(self, number: int, step: Step) -> Step:
        """Return a step of the journal as it stands in a copy of the log.

        There all is sealed by the present key, whose shares are with the first step of the game.
        That a number is sealed again by another key does no harm; by the same key it is the same.
        """
        known = self._steps.get(number)
        if known is None:
            return step
        is_first = number == next(iter(self._steps))
        return replace(
            self._seal_step(known, number), epoch=Epoch(self._shares) if is_first else None
        )

    def _seal_step(self, step: Step, number: int) -> Step:
        """Return a step with its secrets, if it has any, sealed by the present key."""
        if not _is_secret(step):
            return step
        value, public = pad(write(StepSecrets(step.act, step.share))), _public(step)
        return replace(public, sealed=seal(self._key, number, value, write(public)))

    def _forget(self, *, is_closed: bool) -> Rewritten:
        """Drop the key; return the sealed steps, without their secrets if the table is closed."""
        steps, self._steps = self._steps, {}
        self._key, self._holders, self._shares = b"", None, ()
        return tuple(
            (number, write(_public(step) if is_closed else step)) for number, step in steps.items()
        )


def _begin(holders: Mapping[int, bytes], previous: bytes) -> tuple[Epoch, bytes]:
    """Begin an epoch: return it, and its new key."""
    key = secrets.token_bytes(KEY_BYTES)
    sealed = seal(key, _PREVIOUS, previous) if previous else b""
    if not holders:
        return Epoch((), sealed, key), key
    shares = split_key(key, len(holders))
    held = [
        KeyShare(member, _encrypt_share(public, share), check_of(share))
        for (member, public), share in zip(holders.items(), shares, strict=True)
    ]
    return Epoch(tuple(held), sealed), key


def _encrypt_share(public: bytes, share: bytes) -> bytes:
    """Return a share encrypted to a seat key, nothing if the client has made up a wrong one."""
    try:
        return seal_share(public, share)
    except ValueError:
        return b""


def _is_secret(step: Step) -> bool:
    return step.act is not None or bool(step.share)


def _public(step: Step) -> Step:
    """Return all of a step that is not secret."""
    return replace(step, act=None, share=b"", sealed=b"", epoch=None)


class SealedLog:
    """The steps of a journal, and the shares that have been given to open it."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = tuple(steps)
        self._epochs = {number: one.epoch for number, one in enumerate(steps, 1) if one.epoch}
        self._last = next(reversed(self._epochs.values()), Epoch(()))
        self._given: dict[int, bytes] = {}

    @property
    def needed(self) -> int:
        """Number of shares that are still needed."""
        return max(0, threshold(len(self._last.shares)) - len(self._given))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The members whose shares are not given yet."""
        return tuple(
            held.member for n, held in enumerate(self._last.shares, 1) if n not in self._given
        )

    def share_of(self, member: int) -> bytes:
        """Return the encrypted share of a member, empty if they hold none or have given it."""
        at = self._place(member)
        return b"" if at is None or at in self._given else self._last.shares[at - 1].sealed

    def give(self, member: int, share: bytes) -> bool:
        """Take in a member's share; return False if it is not theirs."""
        at = self._place(member)
        if at is None or not compare_digest(check_of(share), self._last.shares[at - 1].check):
            return False
        self._given[at] = share
        return True

    def key(self) -> bytes:
        """Return the key of the last epoch, once no share is needed; empty if nothing is sealed."""
        assert not self.needed
        return join_key(self._given) if self._given else self._last.key

    def open_steps(self, key: bytes) -> dict[int, Step]:
        """Return the steps that are sealed or begin an epoch, in the clear, by number.

        Raises SealBroken: the journal was altered.
        """
        keys = dict[int, bytes]()
        for number, epoch in reversed(self._epochs.items()):
            keys[number] = key
            key = unseal(key, _PREVIOUS, epoch.previous) if epoch.previous else b""
        opened, key = dict[int, Step](), b""
        for number, step in enumerate(self.steps, 1):
            key = keys.get(number, key)
            if step.sealed:
                opened[number] = _open(step, number, key)
            elif step.epoch is not None:
                opened[number] = replace(step, epoch=None)
        return opened

    def _place(self, member: int) -> int | None:
        """Return a member's number among the holders, from 1."""
        held = enumerate(self._last.shares, 1)
        return next((n for n, share in held if share.member == member), None)


@dataclass(slots=True)
class Opening:
    """A table that waits for shares: its journal, who is there, and whose shares were wrong.

    It is `broken` if the journal was altered, and then never opens.
    """

    log: SealedLog
    entering: dict[int, EnterTable] = field(default_factory=dict)  # by member
    wrong: set[int] = field(default_factory=set)
    broken: bool = False


def _open(step: Step, number: int, key: bytes) -> Step:
    """Return a sealed step in the clear."""
    public = _public(step)
    try:
        secrets_of = read_secrets(unpad(unseal(key, number, step.sealed, write(public))))
    except (ValueError, msgspec.DecodeError):  # there is no key, or nothing was sealed
        raise SealBroken from None
    return replace(public, act=secrets_of.act, share=secrets_of.share)
