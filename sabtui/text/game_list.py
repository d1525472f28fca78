"""Tables found on the network in words. It loads no rules of the game: a list starts at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from net.discovery.advert import AdvertStage, DiscoveredGame, GameStatus
from sabtui.text.i18n import _, ngettext, pgettext


def sort_games(games: Iterable[DiscoveredGame]) -> list[DiscoveredGame]:
    """Return the games sorted: those to take a seat at first, those that wait for nobody last."""
    return sorted(games, key=_rank)


def _rank(game: DiscoveredGame) -> int:
    if game.advert.stage in {AdvertStage.OVER, AdvertStage.AWAY}:
        return 3
    if game.status is not GameStatus.JOINABLE:
        return 2
    return int(game.advert.stage not in {AdvertStage.LOBBY, AdvertStage.CLUB})


def none_found() -> str:
    """Return the sentence that no game was found."""
    return _("No games found on this network.")


def players_words(game: DiscoveredGame) -> str:
    """Return how many of a table's seats are taken, or how many people are in a club."""
    count = game.advert.players
    if game.advert.stage is AdvertStage.CLUB:
        # Translators: in a club; at most 11 columns with a number of two digits.
        return ngettext("{count} person", "{count} people", count).format(count=count)
    return seats_words(count, game.advert.seats)


def seats_words(players: int, seats: int) -> str:
    """Return how many of a table's seats are taken."""
    text = ngettext("{players}/{seats} player", "{players}/{seats} players", seats)
    return text.format(players=players, seats=seats)


def status_words(game: DiscoveredGame) -> str:
    """Return a game's state, or what to do to be able to join it."""
    match game.status:
        case GameStatus.JOINABLE:
            return stage_words(game.advert.stage)
        case GameStatus.UNREACHABLE:
            return _(
                "found, but it does not answer: the host's firewall blocks port {port}, or "
                "this network keeps computers apart"
            ).format(port=game.addresses[0].port)
        case GameStatus.ELSEWHERE:
            return _("found, but on another network: connect to the one its host is on")
        case GameStatus.UPDATE_THEIRS | GameStatus.UPDATE_OURS:
            return _("its host has another version of Sabtui: update the older one")
        case never:
            assert_never(never)


def stage_words(of: AdvertStage) -> str:
    """Return the stage of a table in words."""
    return {
        AdvertStage.LOBBY: pgettext("table", "waiting"),
        AdvertStage.FULL: pgettext("table", "full"),
        AdvertStage.PLAYING: pgettext("table", "playing"),
        AdvertStage.OTHER: pgettext("table", "playing"),
        AdvertStage.OVER: pgettext("table", "finished"),
        AdvertStage.LOCKED: pgettext("table", "locked"),
        AdvertStage.CLUB: _("club"),
        AdvertStage.AWAY: pgettext("table", "host away"),
    }[of]
