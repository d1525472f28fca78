"""Dealing a round from a seed that people may draw together (RULES S2, S6 to S8, N1).

Anybody can check a deal. This is the only place in a game where anything is random. The stream of a
round is

    block(i) = HMAC-SHA256(key=seed, message="sabtui deal 1" + round number + i)

with the round number and the block number i = 0, 1, 2... as 4 bytes each, big-endian. The blocks
are joined, and read 4 bytes at a time as big-endian numbers. A number below n is the next such
number modulo n; a number that is not below the greatest multiple of n up to 2**32 is skipped, so
that all results are equally likely. A shuffle is Fisher-Yates: for i from the last index down to 1,
exchange item i with item j, where j is the next number below i + 1. The stream shuffles or draws,
in this order:

1. the dwarf cards of S2, miners first: one to each seat in turn, the last is left over;
2. the goals, as (treasure, stone NE, stone NW): from north to south;
3. the 67 cards in the order of S3 and S4: the first seat's whole hand, then the second's and so
   on, then the draw pile, its next card first;
4. the gold cards that nobody has, sorted from least nuggets: the next one first;
5. the seat that begins, which counts only in a first round for which the table named none (S8).

Where people draw a seed together, none of them can choose the deal. Each contributes a share of 32
random bytes: first all commit to theirs, then all except the host show theirs; the host's comes
with the record of the game. With `parts` for byte strings joined, each with its length in front (4
bytes, big-endian), and names in UTF-8,

    commitment = SHA-256(parts("sabtui share 1", id, name, share))
    seed = HMAC-SHA256(key = host's share, parts("sabtui seed 1", id,
        host's name, host's commitment,
        and for each of the others in turn: name, commitment, share))

The `id` belongs to a single draw, and binds it to what is dealt from it:

    id = the first 16 bytes of SHA-256(parts("sabtui draw 1", nonce, basis))

The nonce is 16 random bytes of the host, new for each draw, and the basis a hash of all that the
deal depends on. The commitment and the share of somebody who contributed nothing are empty.
`net.room.seeds` has the basis, and the order in which all this is sent at a table.
"""

from __future__ import annotations

import hmac
import struct
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Final, TypeVar

from engine.cards import DECK, GOALS, Card, Goal, Role, in_order
from engine.legality import Hand
from engine.readonly import ReadOnly
from engine.state import GOLD_CARDS, PLAYERS, check_players
from engine.tokens import format_seat

DRAW_ID_BYTES: Final = 16
NONCE_BYTES: Final = 16
SHARE_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32


def draw_id(nonce: bytes, basis: bytes) -> bytes:
    """Return the id of a draw with this nonce, of a deal with this basis."""
    return sha256(_join_parts((b"sabtui draw 1", nonce, basis))).digest()[:DRAW_ID_BYTES]


def commitment(draw: bytes, name: str, share: bytes) -> bytes:
    """Return the commitment of a person to a share, which says nothing about the share."""
    # The name is in it, so that nobody can copy another's commitment, and later the share.
    return sha256(_join_parts((b"sabtui share 1", draw, name.encode(), share))).digest()


@dataclass(frozen=True, slots=True)
class SeedShare:
    """A person's part in a draw: 32 bytes, or none if they contributed nothing."""

    name: str
    share: bytes = b""


@dataclass(frozen=True, slots=True)
class Draw:
    """A finished draw: its id, the host's share, and the shares of the others in their order.

    The deal follows from it, so only the host may hold one until the game is over. The constructor
    raises `ValueError` for an id or a share of the wrong length, and for a host who contributed
    nothing.
    """

    id: bytes
    host: SeedShare
    others: tuple[SeedShare, ...]

    def __post_init__(self) -> None:
        if len(self.id) != DRAW_ID_BYTES:
            raise ValueError(f"a draw's id has {DRAW_ID_BYTES} bytes, not {len(self.id)}")
        # The host's is required: the seed is secret only as long as that share is.
        shares = (self.host.share, *(other.share for other in self.others if other.share))
        for share in shares:
            if len(share) != SHARE_BYTES:
                raise ValueError(f"a share has {SHARE_BYTES} bytes, not {len(share)}")

    def commitment(self, share: SeedShare) -> bytes:
        """Return the commitment to a share of this draw, empty for no share."""
        return commitment(self.id, share.name, share.share) if share.share else b""

    @property
    def seed(self) -> bytes:
        """The 32 bytes that follow from all shares, from which the round is dealt."""
        parts = [b"sabtui seed 1", self.id, self.host.name.encode(), self.commitment(self.host)]
        for other in self.others:
            parts += [other.name.encode(), self.commitment(other), other.share]
        return hmac.digest(self.host.share, _join_parts(parts), "sha256")

    @property
    def dealers(self) -> tuple[str, ...]:
        """The names of everybody who contributed a share, the host first."""
        return (self.host.name, *(other.name for other in self.others if other.share))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of those who contributed nothing."""
        return tuple(other.name for other in self.others if not other.share)


def _join_parts(parts: Iterable[bytes]) -> bytes:
    """Return byte strings joined, each with its length in front."""
    # Without the lengths, the end of a name could be read as the beginning of a share.
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


T = TypeVar("T")

SEED_BYTES: Final = 32
MINERS: Final = ReadOnly(zip(PLAYERS, (3, 4, 4, 5, 5, 6, 7, 7), strict=True))
SABOTEURS: Final = ReadOnly(zip(PLAYERS, (1, 1, 2, 2, 3, 3, 3, 4), strict=True))
HAND_SIZES: Final = ReadOnly(zip(PLAYERS, (6, 6, 6, 5, 5, 4, 4, 4), strict=True))
"""The table of S2, by number of players."""

ALL_GOLD: Final = tuple(
    sorted(nuggets for nuggets, cards in GOLD_CARDS.items() for _ in range(cards))
)
"""The 28 gold cards in nuggets, least first (S5)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All that chance decides in a round."""

    roles: tuple[Role, ...]
    """The dwarf of each seat."""
    spare: Role
    """The dwarf left over."""
    goals: tuple[Goal, Goal, Goal]
    """The goals from north to south."""
    hands: tuple[Hand, ...]
    """The cards of each seat, in the order of the rules."""
    pile: tuple[Card, ...]
    """The draw pile, its next card first."""
    gold: tuple[int, ...]
    """The gold cards that nobody has, in nuggets, the next one first."""
    starter: int
    """The seat to begin a first round for which the table named none (S8)."""


def list_dwarves(players: int) -> tuple[Role, ...]:
    """Return the dwarf cards for a number of players, miners first: one more than players (S2).

    Raises `ValueError` for a number of players that S1 does not allow.
    """
    check_players(players)
    return (Role.MINER,) * MINERS[players] + (Role.SABOTEUR,) * SABOTEURS[players]


def deal(seed: bytes, number: int, players: int, gold: Sequence[int] = ALL_GOLD) -> Deal:
    """Deal round `number` (from 1) of a game from a 32-byte seed.

    `gold` are the gold cards that nobody has, in nuggets. Raises `ValueError` for a seed of another
    length, a number of players that S1 does not allow, or a round number outside 1 to 2**32 - 1.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if type(number) is not int or not 1 <= number < 1 << 32:
        raise ValueError(f"rounds are counted from 1, not {number}")
    check_players(players)
    below = _Chance(seed, number)
    # Each call takes numbers off one stream. One more call, or a call elsewhere, would change what
    # is dealt from the seeds of all records.
    *roles, spare = below.permute(list_dwarves(players))
    north, middle, south = below.permute(GOALS)
    cards = below.permute(DECK)
    size = HAND_SIZES[players]
    hands = tuple(in_order(cards[size * seat : size * (seat + 1)]) for seat in range(players))
    return Deal(
        roles=tuple(roles),
        spare=spare,
        goals=(north, middle, south),
        hands=hands,
        pile=tuple(cards[size * players :]),
        gold=tuple(below.permute(sorted(gold))),
        starter=below(players),
    )


def check_deal(deal: Deal, players: int, gold: Sequence[int]) -> None:
    """Raise `ValueError` unless a deal is made of exactly the game's cards (S2 to S5, N1).

    `gold` are the gold cards that nobody has, in nuggets. The error names the cards that differ.
    """
    check_players(players)
    parts: tuple[tuple[str, Sequence[Hashable], Sequence[Hashable]], ...] = (
        ("dwarves", (*deal.roles, deal.spare), list_dwarves(players)),
        ("goals", deal.goals, GOALS),
        ("cards", (*chain(*deal.hands), *deal.pile), DECK),
        ("gold cards", deal.gold, gold),
    )
    faults = [
        f"of the {name} it lacks {_list_extra(due, has)} and has {_list_extra(has, due)} too many"
        for name, has, due in parts
        if Counter(has) != Counter(due)
    ]
    size = HAND_SIZES[players]
    if len(deal.roles) != players or [len(hand) for hand in deal.hands] != [size] * players:
        faults.append(f"{players} play, each with a dwarf and {size} cards")
    elif any(hand != in_order(hand) for hand in deal.hands):
        faults.append("a hand is not in the order of the rules")
    if type(deal.starter) is not int:
        faults.append(f"there is no seat {deal.starter!r}: a seat is an int, from 0")
    elif not 0 <= deal.starter < players:
        faults.append(f"there is no seat {format_seat(deal.starter)} to begin")
    if faults:
        raise ValueError(f"this deal is not made of the cards of this game: {'; '.join(faults)}")


def _list_extra(those: Sequence[Hashable], others: Sequence[Hashable]) -> str:
    """Return, as text, the items that `those` have more of than `others`."""
    return " ".join(map(str, (Counter(those) - Counter(others)).elements())) or "none"


class _Chance:
    """The stream of random numbers of one round, as specified in the module's docstring."""

    def __init__(self, seed: bytes, number: int) -> None:
        self._numbers = self._read_numbers(seed, number)

    @staticmethod
    def _read_numbers(seed: bytes, number: int) -> Iterator[int]:
        """Yield the 32-bit numbers of the stream, eight to a block, without end."""
        label = b"sabtui deal 1" + number.to_bytes(4, "big")
        index = 0
        while True:
            block = hmac.digest(seed, label + index.to_bytes(4, "big"), "sha256")
            yield from struct.unpack(">8I", block)
            index += 1

    def __call__(self, n: int) -> int:
        """Return the next number below n."""
        fair = 2**32 - 2**32 % n
        while (number := next(self._numbers)) >= fair:
            pass
        return number % n

    def permute(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return shuffled
