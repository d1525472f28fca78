"""The games on this network, put together from hints, answers, goodbyes and silence.

Knows adverts, addresses and times, which are passed in (seconds, of any clock that goes forward).
Must not know sockets, mDNS or nonces. Everything that comes in may be forged: a hint makes us ask
and list a game as unreachable at most, a goodbye is undone by the next answer, and nothing grows
without bounds. Who really hosts a game is proven later, by its room code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from net.bucket import Bucket
from net.discovery.address import Address, may_be_asked
from net.discovery.advert import Advert
from net.discovery.game import Game, Status, titled
from net.discovery.questions import Heard
from net.discovery.table import Table, Way
from net.secure.versions import Outdated, Versions, agree

CHECKING: Final = 1.0
"""Seconds that a game has to answer before it is listed as unreachable."""

LINGER: Final = 3.0
"""Seconds that a game is still asked after its goodbye, in case somebody else said it."""

FORGET: Final = 60.0
"""Seconds of silence after which a game that mDNS does not name any more is forgotten."""

MOST_TABLES: Final = 64
MOST_WAYS: Final = 8
QUESTIONS: Final = 200.0
"""The most questions a second, whatever is forged; the others are due right after."""
BURST: Final = 2.0
"""Seconds' worth of questions that may be saved up."""


class Games:
    """The list of games, for a player who speaks `ours`."""

    __slots__ = ("_bucket", "_ours", "_sought", "_tables")

    def __init__(self, ours: Versions) -> None:
        self._ours = ours
        self._bucket = Bucket(QUESTIONS, QUESTIONS * BURST, now=0.0)
        self._tables: dict[str, Table] = {}
        self._sought: dict[Address, Way] = {}

    def hint(self, advert: Advert, addresses: Iterable[Address], now: float) -> None:
        """MDNS tells of a game, or tells more of it."""
        usable = sorted(filter(may_be_asked, set(addresses)), key=lambda address: address.rank)
        table = self._tables.get(advert.id) or self._seat(advert, now)
        if table is None:
            return
        table.hinted = True
        if table.left is not None:
            table.begin(now)
        if table.never_heard:
            table.advert = advert
        live = {address: way for address, way in table.ways.items() if way.live(now)}
        ways = live | {address: table.ways.get(address, Way()) for address in usable}
        table.ways = dict(list(ways.items())[:MOST_WAYS])
        for way in table.ways.values():
            way.hurry()

    def goodbye(self, table_id: str, now: float) -> None:
        """MDNS takes a game back. It is gone at once, unless it still answers."""
        if table := self._tables.get(table_id):
            table.leave(now)

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at addresses that somebody typed, whoever may be there."""
        for address in addresses:
            self._sought.setdefault(address, Way())

    def answer(self, heard: Heard, now: float) -> None:
        """A table answers: from now on, that address is its own."""
        self._sought.pop(heard.address, None)
        for table_id, other in self._tables.items():
            if table_id != heard.advert.id:
                other.ways.pop(heard.address, None)
        table = self._tables.get(heard.advert.id) or self._seat(heard.advert, now)
        if table is None or (table.left is not None and heard.asked <= table.left):
            return
        if heard.address not in table.ways and len(table.ways) >= MOST_WAYS:
            return
        table.ways.setdefault(heard.address, Way()).hear(now)
        table.advert = heard.advert
        table.never_heard = False
        table.left = None

    def due(self, now: float) -> tuple[Address, ...]:
        """The addresses to ask now, counted as asked, those waiting longest first."""
        for table_id in [key for key, table in self._tables.items() if _over(table, now)]:
            del self._tables[table_id]
        waiting = sorted(
            ((way.asked_again(best=best), address, way) for address, way, best in self._ways(now)),
            key=lambda entry: entry[0],
        )
        asked: list[Address] = []
        for when, address, way in waiting:
            if when > now or not self._bucket.take(1, now):
                break
            way.ask(now)
            asked.append(address)
        return tuple(asked)

    def wake(self, now: float) -> float:
        """When to look again, to ask or because the list changes by itself; at most a minute."""
        asks = [max(now, way.asked_again(best=best)) for _, way, best in self._ways(now)]
        turns: list[float] = []
        for table in self._tables.values():
            turns.append(table.since + CHECKING if table.left is None else table.left + LINGER)
            turns += [way.silent_at for way in table.ways.values() if way.live(now)]
        return min([*asks, *(turn for turn in turns if turn > now), now + FORGET])

    def listing(self, now: float) -> tuple[Game, ...]:
        """The games as they are to be shown."""
        return titled(self._shown(now))

    def _shown(self, now: float) -> Iterator[Game]:
        for table in self._tables.values():
            live = table.live(now)
            if not live and not _suspect(table, now):
                continue
            match agree(client=self._ours, host=table.advert.versions):
                case Outdated.CLIENT:
                    status = Status.UPDATE_OURS
                case Outdated.HOST:
                    status = Status.UPDATE_THEIRS
                case _:
                    status = Status.JOINABLE if live else Status.UNREACHABLE
            yield Game(table.advert.name, table.advert, status, table.addresses(now))

    def _ways(self, now: float) -> Iterator[tuple[Address, Way, bool]]:
        """Every address that is asked, and whether it is a table's best."""
        for address, way in self._sought.items():
            yield address, way, False
        for table in self._tables.values():
            order = table.addresses(now)
            for address in order:
                yield address, table.ways[address], address == order[0]

    def _seat(self, advert: Advert, now: float) -> Table | None:
        """Make room for a table, if need be in place of the oldest that never answered."""
        if len(self._tables) >= MOST_TABLES:
            unproven = (key for key, table in self._tables.items() if table.never_heard)
            oldest = next(unproven, None)
            if oldest is None:
                return None
            del self._tables[oldest]
        table = self._tables[advert.id] = Table(advert, now)
        return table


def _suspect(table: Table, now: float) -> bool:
    """Whether a table is announced, and had time enough to answer."""
    patient = now >= table.since + CHECKING
    return table.hinted and table.never_heard and bool(table.ways) and patient


def _over(table: Table, now: float) -> bool:
    """Whether a table can be forgotten."""
    if table.left is not None:
        return now >= table.left + LINGER
    return not table.hinted and now >= table.last_sign() + FORGET
