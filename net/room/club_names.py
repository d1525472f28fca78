"""`ClubNames`: the names of a club's people: who may have which, and who is forgotten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from net.protocol.messages import Refusal
from net.protocol.text import suffixed_name
from net.secure.limits import Limit, Limiter

MAX_NAMES: Final = 2000
"""Most people whose names a club keeps. Beyond that it forgets who has been away the longest."""

ADDRESS_NAMES: Final = Limit(rate=1 / 10, burst=30)  # new people from one address
NAMES: Final = Limit(rate=1 / 2, burst=150)  # new people from all addresses


class ClubNames(dict[bytes, str]):
    """The names that a club keeps, by seat key; the last is that of who came last.

    `changed` are those that the disk has to be told of, empty for a key that is forgotten.
    """

    def __init__(self, names: Mapping[bytes, str]) -> None:
        super().__init__(names)
        self.changed: list[tuple[bytes, str]] = []
        self._limiter = Limiter()

    def why_not(self, name: str, address: str, now: float) -> Refusal | None:
        """Return why somebody new from an address cannot have a name, `None` if they can."""
        if not name:
            return Refusal.NO_NAME
        if self.is_taken(name):
            return Refusal.NAME_TAKEN
        take = self._limiter.take
        has_time = take(ADDRESS_NAMES, now, address) and take(NAMES, now)
        return None if has_time else Refusal.BUSY

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if a name at a table is this person's, or theirs with a number added.

        Such a name with a number is not theirs if somebody else has it in the club.
        """
        own = self.get(key, "")
        return name == own or (
            not self.is_taken(name)
            and any(name == suffixed_name(own, number) for number in range(2, 10))
        )

    def is_taken(self, name: str) -> bool:
        """Return True if somebody has this name, be it in other letters' case."""
        return name.casefold() in {one.casefold() for one in self.values()}

    def keep(self, key: bytes, name: str, here: Collection[bytes | str]) -> None:
        """Keep a person's name; if there are too many then, forget that of somebody else.

        That is nobody whose key or name is among those who are `here`, while there is another.
        """
        if self.pop(key, None) != name:
            self.changed.append((key, name))
        self[key] = name
        if len(self) <= MAX_NAMES:
            return
        away = (one for one in self if one not in here and self[one] not in here)
        gone = next(away, next(iter(self)))
        del self[gone]
        self.changed.append((gone, ""))
