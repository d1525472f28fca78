"""A seat at a table on the network: a link kept up, through all that a network does.

Knows when to dial, to beat and to give up. What the host says is folded by `net.table_view`, how a
link is got is `net.client.dialling`'s.

The host is heard of every two seconds. After five without a word the link is shaky, and another is
dialled beside it; after ten it is given up. The newest link of a person is the one that counts, on
both sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from engine import Move
from net.client.dialling import Dialled, Dialler, end_attempts
from net.client.end import End
from net.client.finder import Finder
from net.client.reports import Reports
from net.client.seat import Ending, Hear, Now, Standing
from net.client.ticket import Ticket
from net.client.wallet import Wallet
from net.frames import BadFrame, decode
from net.link import Link, LinkError
from net.messages import (
    HOST_KINDS,
    Farewell,
    FromClient,
    FromHost,
    Goodbye,
    Here,
    No,
    Refused,
    Want,
)
from net.secure.client import Rejection
from net.table_view import ClientState
from net.tasks import cancel_and_wait
from net.text import clean_name

JOINING: Final = 6.0
COMING_BACK: Final = 60.0
"""Seconds to try for at first: a table where one has a seat is worth a longer look."""

AMENDS: Final = 3.0
"""Seconds to wait before coming back where the host has ended the link for good reason."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Seconds between two heartbeats, and without a word until a link is shaky, and given up."""

    beat: float = 2.0
    shaky: float = 5.0
    gone: float = 10.0


RHYTHM: Final = Rhythm()

_FOR_GOOD: Final = {
    Farewell.REPLACED,
    Farewell.KICKED,
    Farewell.LEFT,
    Farewell.FORGOTTEN,
    Farewell.CLOSED,
}
_NO_WAY_BACK: Final = (_FOR_GOOD - {Farewell.REPLACED}) | {Rejection.NOT_SEATED}
_NAMESAKES: Final = 9


class Client:
    """One person's seat at one table. The ticket to come back with is kept in `wallet`.

    Beside the wallet's folder lie the reports of what host and client disagreed about.

    Run it in a loop; `want`, `play` and `leave` belong to that loop.
    """

    def __init__(self, ticket: Ticket, hear: Hear, wallet: Wallet, rhythm: Rhythm = RHYTHM) -> None:
        self._ticket = ticket
        self._rhythm = rhythm
        self._wallet = wallet
        state = ClientState(ticket.name, ticket.watch, mark=ticket.seen)
        self._end = End(state, hear, Reports(wallet.folder.parent / "reports").write)
        self._finder = Finder(ticket.table, ticket.addresses)
        self._link: Link | None = None
        self._heard = 0.0
        self._namesakes = 1
        self._ending: Ending | None = None
        self._left = asyncio.Event()
        self._amends = 0.0

    @property
    def now(self) -> Now:
        """What is now."""
        return self._end.now

    def want(self, want: Want) -> None:
        """Want something of the host, now or when it is there again."""
        self._say(self._end.state.want(want))
        self._end.tell()

    def play(self, move: Move) -> None:
        """Want to make a move in the turn that is in view."""
        self._say(self._end.state.play(move))
        self._end.tell()

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        self._end.state.go_on()
        self._end.tell()

    def leave(self) -> None:
        """Let go of the link; what was said before still goes out."""
        self._left.set()

    async def run(self) -> None:
        """Keep the link up until the seat has ended, or is left."""
        with self._wallet.using(self._ticket):
            await self._run()
            self._keep_mark(left=True)
        if self._ending in _NO_WAY_BACK:
            self._wallet.drop(self._ticket)
        self._end.tell(None, Standing.ENDED, self._ending)

    async def _run(self) -> None:
        keeping = asyncio.create_task(self._keep_up())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((keeping, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._link is not None:
                self._link.close()
                await asyncio.wait((keeping,), timeout=1.0)
        finally:
            await cancel_and_wait(keeping, leaving)
        if not keeping.cancelled():
            keeping.result()  # raises what is a bug

    async def _keep_up(self) -> None:
        """One link after the other, until one ends for good."""
        try:
            patience = JOINING if self._ticket.pin is None else COMING_BACK
            link: Link | None = await self._dial(patience)
            while self._ending is None and not self._left.is_set():
                if link is None:
                    self._end.stands(Standing.LOST)
                    await asyncio.sleep(self._amends)
                    link = await self._dial(None)
                link = await self._hold(link)
            if link is not None:
                link.abort()
        except Dialled as error:
            self._ending = error.why

    async def _dial(self, patience: float | None) -> Link:
        """Get a trusted link. Raises `Dialled` where there will be none."""
        following = asyncio.create_task(self._finder.follow())
        link: Link | None = None
        try:
            dialler = Dialler(lambda: self._finder.addresses, patience)
            link = await dialler.dial(self._ticket)
            return link
        finally:
            await end_attempts((following,), link)

    async def _hold(self, link: Link) -> Link | None:
        """Use a link while it is good; return the one to go on with, or None if there is none."""
        self._link, self._heard = link, link.clock()
        state = self._end.state
        self._say((state.linked(),))
        reading = asyncio.create_task(self._read(link))
        beating = asyncio.create_task(self._beat(link))
        newer: Link | None = None
        try:
            await asyncio.wait((reading, beating), return_when=asyncio.FIRST_COMPLETED)
            if beating.done():
                newer = beating.result()
            return newer
        finally:
            link.abort()
            self._link = None
            state.unlinked()
            self._keep_mark()
            await end_attempts((reading, beating), newer)

    async def _beat(self, link: Link) -> Link:
        """Beat; look for a better link while this one is silent, and return it once it is there."""
        dialling: asyncio.Task[Link] | None = None
        try:
            while True:
                self._say((self._end.state.ping(),))
                self._keep_mark()
                await self._pause(dialling)
                silent = link.clock() - self._heard
                if silent < self._rhythm.shaky:
                    if dialling is not None:
                        await end_attempts((dialling,))
                        dialling = None
                elif dialling is None:
                    self._end.stands(Standing.SHAKY)
                    dialling = asyncio.create_task(self._dial(None))
                elif dialling.done():
                    newer, dialling = dialling, None
                    return newer.result()
                elif silent >= self._rhythm.gone:
                    self._end.stands(Standing.LOST)
        finally:
            if dialling is not None:
                await end_attempts((dialling,))

    async def _pause(self, dialling: asyncio.Task[Link] | None) -> None:
        """Wait until the next beat is due, or the link that was dialled is there."""
        if dialling is None:
            await asyncio.sleep(self._rhythm.beat)
        else:
            await asyncio.wait((dialling,), timeout=self._rhythm.beat / 4)

    async def _read(self, link: Link) -> None:
        """Take in what the host says until the link is gone, or has to end."""
        with suppress(LinkError):
            while self._ending is None:
                try:
                    message: FromHost = decode(await link.recv(), *HOST_KINDS)
                    self._heard = link.clock()
                    self._take(message)
                    if self._end.state.entered:
                        self._end.stands(Standing.LINKED)
                except BadFrame:
                    self._amends = AMENDS
                    return

    def _take(self, message: FromHost) -> None:
        """Take in one message. Raises `BadFrame` where no honest host says it."""
        answers = self._end.take(message)
        match message:
            case Goodbye(why) if why in _FOR_GOOD:
                self._ending = why
            case Goodbye(Farewell.OUT_OF_ORDER | Farewell.TOO_MUCH):
                self._amends = AMENDS
            case Refused(0, why):
                self._not_let_in(why)
            case Here():
                self._let_in()
            case _:
                pass
        self._say(answers)

    def _let_in(self) -> None:
        """The host knows us from now on, and we have proven each other."""
        assert self._link is not None
        self._amends = 0.0
        self._ticket = replace(
            self._ticket,
            name=self._end.state.name,
            pin=self._link.fingerprint,
            addresses=self._finder.addresses,
        )
        self._end.kept = self._wallet.keep(self._ticket)
        self._end.tell()

    def _keep_mark(self, *, left: bool = False) -> None:
        """Keep the last step that was seen, for who comes back after this program has ended.

        At each heartbeat and at the end of each link, not at each step: a kill costs two seconds.
        Where the table has gone back, the older mark stays until the player goes on from there.
        Who has left keeps the ticket once more: when that was, its file tells.
        """
        state, seen = self._end.state, self._ticket.seen
        if state.held is None or self._ticket.pin is None:
            return
        if state.undone is None:
            self._ticket = replace(self._ticket, seen=state.held.mark)
        if left or self._ticket.seen != seen:
            self._wallet.keep(self._ticket)

    def _not_let_in(self, why: No) -> None:
        """The host refuses that we enter; where it is for the name, try another."""
        self._namesakes += 1
        if why is not No.NAME_TAKEN or not self._ticket.may_differ or self._namesakes > _NAMESAKES:
            self._ending = why
            return
        state = self._end.state
        state.name = numbered(self._ticket.name, self._namesakes)
        self._say((state.linked(),))

    def _say(self, messages: Iterable[FromClient]) -> None:
        """Say something to the host; where the link breaks over it, the reader notices."""
        if self._link is None:
            return
        for message in messages:
            try:
                self._link.send(message)
            except LinkError:
                self._link.abort()
                return


def numbered(name: str, number: int) -> str:
    """A name like another, and not the same: `anna 2`."""
    tail = f" {number}"
    kept = clean_name(name)
    while clean_name(kept + tail) != (kept + tail).strip():
        kept = kept[:-1].rstrip()
    return kept + tail
