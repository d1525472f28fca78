"""`sabtui games`: the games seen on this network, a line each as they appear.

Knows how a game is said. Where it comes from, and that its name is clean, is net.discovery's.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from typing import TextIO, assert_never

from net.discovery.advert import OURS, Stage
from net.discovery.browser import Browser
from net.discovery.game import Game, Status
from net.secure.versions import Versions
from sabtui.words.system import system_words
from sabtui.words.tongue import _, ngettext, pgettext

SECONDS = 3.0
"""How long to look, unless told otherwise: games are found within two, or three without mDNS."""

SWEEPING = 6.0
"""How long to look with a sweep: 1,022 addresses are asked in little more than five."""


async def games(seconds: float, out: TextIO, ours: Versions = OURS, *, sweep: bool = False) -> int:
    """Look for so many seconds, write what is found, and return the exit code.

    A game has one line, written when it appears, and another one only if what can be done about
    it changes meanwhile. With a sweep, each address of this machine's networks is asked too.
    """
    said: dict[str, Status] = {}
    async with Browser(ours) as browser:
        if sweep:
            browser.sweep()
        try:
            async with asyncio.timeout(seconds):
                async for listed in browser:
                    for game in ordered(listed):
                        if said.get(game.advert.id) is not game.status:
                            said[game.advert.id] = game.status
                            print(line(game), file=out, flush=True)
        except TimeoutError:
            pass
        trouble = browser.trouble
    if trouble is not None and not said:
        advice = _(
            "cannot look for games here ({trouble}); join by address: sabtui join HOST[:PORT]"
        )
        sys.stderr.write(f"{advice.format(trouble=system_words(trouble))}\n")
        return 1
    if not said:
        print(_nothing(sweep=sweep), file=out, flush=True)
    return 0


def _nothing(*, sweep: bool) -> str:
    """Say that there is no game, and how to look harder."""
    if sweep:
        return _("No games seen on this network, at none of its addresses.")
    told = _("No games seen on this network; {command} asks at each of its addresses.")
    return told.format(command="sabtui games --sweep")


def ordered(games: Iterable[Game]) -> list[Game]:
    """Return the games that can be joined first, and last those that are over."""
    return sorted(games, key=_rank)


def _rank(game: Game) -> int:
    if game.advert.stage is Stage.OVER:
        return 2
    return int(game.status is not Status.JOINABLE)


def line(game: Game) -> str:
    """Say a game in one line: title, address, players, and its state or what to do about it."""
    seats = ngettext("{players}/{seats} player", "{players}/{seats} players", game.advert.seats)
    taken = seats.format(players=game.advert.players, seats=game.advert.seats)
    return "  ".join((game.title, str(game.addresses[0]), taken, state(game)))


def state(game: Game) -> str:
    """Say what can be done about a game."""
    match game.status:
        case Status.JOINABLE:
            if game.advert.stage is Stage.OVER:
                return _("its game is over; the host may begin another")
            return stage(game.advert.stage)
        case Status.UNREACHABLE:
            return _(
                "seen, but it does not answer: its host's firewall must let in port {port}, "
                "or this network keeps its guests apart"
            ).format(port=game.addresses[0].port)
        case Status.ELSEWHERE:
            return _("seen, but on another network: join the one that its host is on")
        case Status.UPDATE_THEIRS:
            return _("its host has an older Sabtui: the host is to update")
        case Status.UPDATE_OURS:
            return _("its host has a newer Sabtui: update yours")
        case never:
            assert_never(never)


def stage(of: Stage) -> str:
    """Say how far a table is."""
    match of:
        case Stage.LOBBY:
            return _("waiting for players")
        case Stage.FULL:
            return pgettext("table", "full")
        case Stage.PLAYING:
            return pgettext("table", "playing")
        case Stage.OVER:
            return pgettext("table", "over")
        case Stage.LOCKED:
            return pgettext("table", "locked")
        case Stage.OTHER:
            return pgettext("table", "busy")
        case never:
            assert_never(never)
