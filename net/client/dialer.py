"""Authenticated connections to one table.

Attempts overlap, over all addresses that the table may have. Addresses found on the network are
hints: a host that answers there still has to prove that it is the table, and its refusal is that of
this host only. So a newcomer who is refused at one address may be let in at the next. Each host,
identified by its certificate, gets a room code once, so that a wrong code is one guess, not many.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import count
from typing import Final, TypeAlias

from net.client.credentials import Credentials
from net.discovery.advert import OURS
from net.discovery.service import Browser
from net.protocol.hall import Visit
from net.secure.address import Address, is_tunnel
from net.secure.connection import (
    TUNNEL_TIMEOUT_S,
    Connection,
    ConnectionFailed,
    ConnectionFault,
    authenticate,
    connect,
)
from net.secure.handshake import AuthenticationFailed, ClientHandshake, Rejection
from net.tasks import cancel_and_wait

DIAL_INTERVAL_S: Final = 0.5
"""Seconds between the starts of two attempts, in the first `FAST_DIAL_PERIOD_S`."""

SLOW_DIAL_INTERVAL_S: Final = 5.0  # after that, as the host may be gone for the night
FAST_DIAL_PERIOD_S: Final = 60.0
DIAL_TIMEOUT_S: Final = 6.0  # longer than one attempt may take (`TLS_TIMEOUT_S`)
MAX_ATTEMPTS: Final = 8  # at once; an attempt at a silent address lasts for TLS_TIMEOUT_S

OTHER_HOSTS_S: Final = 3.0
"""Seconds for the other addresses to answer, once a host at one of them has refused a newcomer or
needs no code."""

KNOWN_ADDRESSES_ONLY_S: Final = 1.0
"""Seconds for which only the known addresses are tried: most tables have not moved."""

MAX_TABLE_ADDRESSES: Final = 16  # maximum number tried: anybody may announce more for the table

Failure: TypeAlias = Rejection | ConnectionFault


class DialFailed(Exception):
    """No authenticated connection, and trying again would not help. `reason` says why."""

    def __init__(self, why: Failure) -> None:
        super().__init__(why)
        self.reason = why


async def asks_for_code(credentials: Credentials) -> bool:
    """Return True if the table asks newcomers for a code. This makes no guess.

    Every address is asked, as a stranger at one of them may ask for no code.

    Raises DialFailed: there is no such table, or it would reject us with a code too.
    """
    newcomer, failed = replace(credentials, pin=None, code=None), list[Failure]()
    asked = {
        asyncio.create_task(_admits(replace(newcomer, addresses=(address,))))
        for address in newcomer.addresses
    }
    # Each dial has its own time limit; the first open table sets one for the rest.
    seconds, is_open = None, False
    try:
        while asked:
            done, asked = await asyncio.wait(
                asked, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
            for answer in done:
                try:
                    if not answer.result():
                        return True
                    seconds, is_open = OTHER_HOSTS_S, True
                except DialFailed as error:
                    failed.append(error.reason)
    finally:
        await cancel_and_wait(*asked)
    if is_open:
        return False
    raise DialFailed(_most_telling(failed))


async def try_code(newcomer: Credentials) -> None:
    """Dial, and hang up once a table has admitted the newcomer. Raises DialFailed: none has."""
    (await Dialer(newcomer, DIAL_TIMEOUT_S).dial()).abort()


async def _admits(newcomer: Credentials) -> bool:
    """Return True if no code is needed. Raises DialFailed: another refusal, or no answer."""
    try:
        await try_code(newcomer)
    except DialFailed as error:
        if error.reason is Rejection.CODE_NEEDED:
            return False
        raise
    return True


def _most_telling(failed: Iterable[Failure]) -> Failure:
    """Return the failure that says most to the player: a refusal rather than no answer.

    TABLE_IS_OPEN ranks below other refusals: anybody can answer in a table's name and ask for no
    code.
    """

    def rank(why: Failure) -> int:
        if why in {Rejection.WRONG_CODE, Rejection.CODE_NEEDED}:
            return 0
        if isinstance(why, ConnectionFault):
            return 3
        return 2 if why is Rejection.TABLE_IS_OPEN else 1

    return min(failed, key=rank, default=ConnectionFault.NO_ANSWER)


class Dialer:
    """Dials one table.

    `addresses` are those where it may be, as known now, the likeliest first; if it `looks`, it also
    finds more on the network. `patience` is in seconds, `None` for no limit.
    """

    def __init__(
        self, credentials: Credentials, patience: float | None, *, looks: bool = False
    ) -> None:
        self.addresses = credentials.addresses
        self._credentials = credentials
        self._looks = looks
        self._patience = patience
        self._guessing: defaultdict[bytes, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._refused: dict[bytes, Rejection] = {}  # by the certificate
        self._refused_at: dict[Address, Rejection] = {}
        self._refused_by = 0.0  # time by which other addresses must have answered
        self._again: dict[Address, float] = {}  # when each may be asked again, by the loop's clock
        self._failed: ConnectionFault = ConnectionFault.NO_ANSWER

    async def dial(self) -> Connection:
        """Return the first authenticated connection, and end all other attempts.

        A wait that the host demands does not count against `patience`. A newcomer whom a host
        refuses learns of it once no host at the other addresses lets them in. A newcomer's login
        over ssh is tried once, as a server may shut out addresses that fail often. A club is told
        first which of its tables the connection is for.

        Raises DialFailed: the table rejects us, nothing answered in time, or ssh fails.
        """
        credentials, loop = self._credentials, asyncio.get_running_loop()
        begun = loop.time()
        # Each ssh attempt is a login of its own: one at a time, and with time to finish.
        by_ssh = any(is_tunnel(address.host) for address in self.addresses)
        most = 1 if by_ssh else MAX_ATTEMPTS
        patience = self._patience
        if by_ssh and patience is not None:
            patience = max(patience, TUNNEL_TIMEOUT_S)
        attempts: set[asyncio.Task[Connection]] = set()
        looking = asyncio.create_task(self._search_network())
        connection: Connection | None = None
        try:
            for number in count():
                passed = loop.time() - begun
                where = [address for address in self.addresses if address not in self._refused_at]
                self._give_up_if_refused(where)
                tried_for = loop.time() - max([begun, *self._again.values()])
                if patience is not None and tried_for > patience:
                    raise DialFailed(self._failed)
                ready = [address for address in where if self._may_ask(address)]
                if len(attempts) < most and ready:
                    address = ready[number % len(ready)]
                    attempts.add(loop.create_task(self._attempt(address)))
                pause = DIAL_INTERVAL_S if passed < FAST_DIAL_PERIOD_S else SLOW_DIAL_INTERVAL_S
                connection = await self._first(attempts, pause)
                if connection is not None:
                    if credentials.club:
                        with suppress(ConnectionFailed):  # its reader notices
                            connection.send(Visit(credentials.table))
                    return connection
                if self._failed is ConnectionFault.SSH and credentials.pin is None:
                    raise DialFailed(self._failed)
        finally:
            await end_attempts((looking, *attempts), connection)
        raise AssertionError("it counts for ever")

    async def _search_network(self) -> None:
        table = self._credentials.club or self._credentials.table
        if not table or not self._looks:
            return
        await asyncio.sleep(KNOWN_ADDRESSES_ONLY_S)
        async with Browser(OURS) as browser:
            async for games in browser:
                for game in games:
                    if game.advert.id == table:
                        first, others = self.addresses[:1], self.addresses[1:]
                        found = dict.fromkeys((*first, *game.addresses, *others))
                        self.addresses = tuple(found)[:MAX_TABLE_ADDRESSES]

    def _give_up_if_refused(self, where: Sequence[Address]) -> None:
        """Raise `DialFailed` if hosts refuse this newcomer and no other address may answer."""
        if not self._refused_at:
            return
        late = asyncio.get_running_loop().time() > self._refused_by
        if late or not where or len(self._refused_at) >= MAX_TABLE_ADDRESSES:
            raise DialFailed(_most_telling(self._refused_at.values()))

    def _may_ask(self, address: Address) -> bool:
        return self._again.get(address, 0.0) <= asyncio.get_running_loop().time()

    async def _first(
        self, attempts: set[asyncio.Task[Connection]], pause: float
    ) -> Connection | None:
        """Wait up to `pause` seconds for a connection; remove the attempts that have failed.

        It ends early, for another address, as soon as a host has refused a newcomer.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + pause
        while (left := until - loop.time()) > 0:
            if not attempts:
                await asyncio.sleep(left)
                break
            done, _ = await asyncio.wait(
                attempts, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            for attempt in done:
                attempts.discard(attempt)
                try:
                    return attempt.result()
                except ConnectionFailed as error:
                    self._failed = error.why
                except DialFailed:
                    if self._credentials.pin is not None:
                        raise
                    return None  # a stranger may have refused us: try the other addresses
        return None

    async def _attempt(self, address: Address) -> Connection:
        """Make a trusted connection. Raises ConnectionFailed, which may pass, or DialFailed."""
        known, loop = self._credentials, asyncio.get_running_loop()
        connection = await connect(address.host, address.port, pin=known.pin)
        shown, trusted = connection.fingerprint, False
        handshake = ClientHandshake.rejoin(shown, OURS, known.key)
        if known.pin is None:
            handshake = ClientHandshake.join(shown, OURS, known.key, known.code)
        try:
            async with self._guessing[shown] if known.pin is None else nullcontext():
                if not self._may_ask(address):  # another attempt was just told to wait
                    raise ConnectionFailed(ConnectionFault.REFUSED)
                if shown not in self._refused:
                    await authenticate(connection, handshake)
                    trusted = True
                    return connection
        except AuthenticationFailed as error:
            if error.why is Rejection.SLOW_DOWN:
                self._again[address] = loop.time() + error.wait
                raise ConnectionFailed(ConnectionFault.REFUSED) from error
            if not self._refused:
                self._refused_by = loop.time() + OTHER_HOSTS_S
            self._refused[shown] = error.why
        finally:
            if not trusted:
                connection.abort()
        self._refused_at[address] = self._refused[shown]
        raise DialFailed(self._refused[shown])


async def end_attempts(
    attempts: Iterable[asyncio.Task[object]], best: Connection | None = None
) -> None:
    """Cancel attempts, and abort every connection that they made, except `best`.

    If the caller is cancelled meanwhile, `best` is aborted too, since nobody will receive it.
    """
    attempts = tuple(attempts)
    try:
        await cancel_and_wait(*attempts)
    except asyncio.CancelledError:
        if best is not None:
            best.abort()
        raise
    finally:
        for attempt in attempts:
            got = None if attempt.cancelled() or attempt.exception() else attempt.result()
            if isinstance(got, Connection) and got is not best:
                got.abort()
