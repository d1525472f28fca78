"""A handshake over a link: the thin shell around net.secure, one function for each side.

Knows links and steps; takes no decision of its own. The slow steps go to a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import assert_never

from net.budget import GUEST, HOST
from net.frames import FROM_HOST, TO_HOST, BadFrame, decode
from net.link import Link, LinkError, LinkFault
from net.secure.client import ClientHandshake, ClientStep, Rejected, Trusted
from net.secure.guesses import WrongCodes
from net.secure.host import HostHandshake, HostStep, TurnAway, Welcome
from net.secure.messages import (
    CLIENT_KINDS,
    HOST_KINDS,
    FromClient,
    FromHost,
    Refusal,
    Refused,
    Say,
    Work,
)


class NotTrusted(Exception):
    """The client has no trusted link to this host. `rejected` tells why."""

    def __init__(self, rejected: Rejected) -> None:
        super().__init__(rejected)
        self.rejected = rejected

    def __str__(self) -> str:
        return self.rejected.why.value


async def welcome(
    link: Link, handshake: HostHandshake, tell_host: Callable[[WrongCodes], None]
) -> Welcome:
    """Do the host's side, and trust the link.

    Raises:
        LinkError: there is no trust. The guest has been told and the link closed.
    """
    left = link.budget.deadline - link.clock()
    try:
        async with asyncio.timeout(left):
            return await _welcome(link, handshake, tell_host)
    except TimeoutError:
        link.abort()
        raise LinkError(LinkFault.OVERDUE) from None


async def _welcome(
    link: Link, handshake: HostHandshake, tell_host: Callable[[WrongCodes], None]
) -> Welcome:
    while True:
        value = await link.recv()
        step: HostStep
        try:
            message: FromClient = decode(value, *CLIENT_KINDS)
            step = handshake.receive(message, link.clock())
        except BadFrame:
            step = TurnAway(Refused(Refusal.NOT_UNDERSTOOD))
        if isinstance(step, Work):
            step = await asyncio.to_thread(step.run)
        match step:
            case Say():
                link.send(step.message)
            case Welcome():
                link.send(step.message)
                link.trust(receive=TO_HOST, send=FROM_HOST, allowance=GUEST)
                return step
            case TurnAway():
                link.send(step.message)
                link.close()
                if step.alarm is not None:
                    tell_host(step.alarm)
                raise LinkError(LinkFault.REFUSED)
            case _:
                assert_never(step)


async def enter(link: Link, handshake: ClientHandshake) -> Trusted:
    """Do the client's side, and trust the link.

    Raises:
        NotTrusted: the link is closed.
        LinkError: the link was lost, or its certificate is not the one the handshake is for.
    """
    if link.fingerprint != handshake.fingerprint:
        link.abort()
        raise LinkError(LinkFault.OTHER_TABLE)
    left = link.budget.deadline - link.clock()
    try:
        async with asyncio.timeout(left):
            return await _enter(link, handshake)
    except TimeoutError:
        link.abort()
        raise LinkError(LinkFault.NO_ANSWER) from None


async def _enter(link: Link, handshake: ClientHandshake) -> Trusted:
    step: ClientStep = handshake.start()
    while True:
        if isinstance(step, Work):
            step = await asyncio.to_thread(step.run)
        match step:
            case Say():
                link.send(step.message)
            case Trusted():
                link.trust(receive=FROM_HOST, send=TO_HOST, allowance=HOST)
                return step
            case Rejected():
                link.close()
                raise NotTrusted(step)
            case _:
                assert_never(step)
        try:
            message: FromHost = decode(await link.recv(), *HOST_KINDS)
        except BadFrame as bad:
            link.abort()
            raise LinkError(LinkFault.BAD_FRAME) from bad
        step = handshake.receive(message)
