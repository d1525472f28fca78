"""`sabtui games`: lists the games on this network, a line each as they appear."""

from __future__ import annotations

import asyncio
import sys
from typing import TextIO

from net.discovery.advert import OURS
from net.discovery.games import DiscoveredGame, GameStatus
from net.discovery.networks import is_in_network
from net.discovery.service import Browser
from net.secure.address import Address
from sabtui.text import network

SEARCH_S = 3.0  # seconds to search: games are found within two, or three without mDNS


async def watch_games(seconds: float, out: TextIO) -> int:
    """Search for `seconds`, write the games found to `out`, and return the exit code.

    A game gets one line when it appears, and another only if its status changes meanwhile, or if
    another host answers for it.
    """
    said: dict[str, tuple[GameStatus, list[Address]]] = {}
    async with Browser(OURS) as browser:
        try:
            async with asyncio.timeout(seconds):
                async for listed in browser:
                    for game in network.sort_games(listed):
                        line = (
                            game.status,
                            sorted(shown_addresses(game), key=lambda address: address.rank),
                        )
                        if said.get(game.row) != line:
                            said[game.row] = line
                            print(game_line(game), file=out, flush=True)
        except TimeoutError:
            pass
        trouble = browser.trouble
    if trouble is not None and not said:
        sys.stderr.write(f"{network.no_search(trouble, network.JOIN_BY_ADDRESS)}\n")
        return 1
    if not said:
        print(network.nothing_found(in_network=is_in_network()), file=out, flush=True)
    return 0


def game_line(game: DiscoveredGame) -> str:
    """Return a game as one line: title, addresses, players, state or advice, then its doors."""
    parts = [
        game.title,
        *map(str, shown_addresses(game)),
        network.players_words(game),
        network.status_words(game),
    ]
    if game.status is GameStatus.JOINABLE:
        doors = game.advert.doors
        hosts = [
            address.host for address in game.addresses if "%" not in address.host
        ]  # no browser has zones
        parts += [network.ssh_guest_line(doors.ssh, game.addresses[0].host)] if doors.ssh else []
        parts += [network.web_address(doors.web, hosts[0])] if doors.web and hosts else []
    return "  ".join(filter(None, parts))


def shown_addresses(game: DiscoveredGame) -> list[Address]:
    """Return the addresses to show: the first, and others of the same kind where a host answers.

    Most games have one. All are shown because anybody can answer in a game's name.
    """
    first = game.addresses[0]
    kind = first.rank[0]
    others = game.addresses[1 : game.answering]
    return [first, *(address for address in others if address.rank[0] == kind)]
