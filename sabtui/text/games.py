"""Games on the network in words.

Apart from `sabtui.text.lobby`, so that listing games loads neither the engine nor its bots.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from net.discovery.advert import AdvertStage
from net.discovery.catalog import DiscoveredGame, GameStatus
from sabtui.text.i18n import _, pgettext


def ordered(games: Iterable[DiscoveredGame]) -> list[DiscoveredGame]:
    """Return the games sorted: joinable ones first, and those that are over last."""
    return sorted(games, key=_rank)


def _rank(game: DiscoveredGame) -> int:
    if game.advert.stage is AdvertStage.OVER:
        return 2
    return int(game.status is not GameStatus.JOINABLE)


def status_words(game: DiscoveredGame) -> str:
    """Return a game's state, or what to do to be able to join it."""
    match game.status:
        case GameStatus.JOINABLE:
            if game.advert.stage is AdvertStage.OVER:
                return _("its game is over; the host may start another")
            return stage_words(game.advert.stage)
        case GameStatus.UNREACHABLE:
            return _(
                "found, but it does not answer: the host's firewall blocks port {port}, or "
                "this network keeps computers apart"
            ).format(port=game.addresses[0].port)
        case GameStatus.ELSEWHERE:
            return _("found, but on another network: connect to the one its host is on")
        case GameStatus.UPDATE_THEIRS:
            return _("its host has an older Sabtui: ask the host to update")
        case GameStatus.UPDATE_OURS:
            return _("its host has a newer Sabtui: update yours")
        case never:
            assert_never(never)


def stage_words(of: AdvertStage) -> str:
    """Return the stage of a table in words."""
    match of:
        case AdvertStage.LOBBY:
            return _("waiting for players")
        case AdvertStage.FULL:
            return pgettext("table", "full")
        case AdvertStage.PLAYING:
            return pgettext("table", "playing")
        case AdvertStage.OVER:
            return pgettext("table", "finished")
        case AdvertStage.LOCKED:
            return pgettext("table", "locked")
        case AdvertStage.OTHER:
            return pgettext("table", "busy")
        case never:
            assert_never(never)
