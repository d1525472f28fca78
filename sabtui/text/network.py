"""Tables found on the network, addresses and room codes in words; loads no rules of the game."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import Final, assert_never

from net.discovery.advert import OURS, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol import Versions
from net.secure.code import BadCode, BadCodeReason
from sabtui.text.errors import system_words
from sabtui.text.i18n import _, capitalise, lazy, ngettext, pgettext

anybody_joins: Final = lazy("No code: anybody on this network can join and take a free seat.")
join_network_first: Final = lazy(
    "This computer is not connected to a network. Join the Wi-Fi first."
)
none_found: Final = lazy("No games found on this network.")


def no_search(trouble: OSError, command: str) -> str:
    """Report that the search for games fails, and how to join one anyway."""
    if trouble.errno == errno.ENETDOWN:
        return join_network_first()
    text = _("Cannot look for games here ({trouble}); join by address: {command}")
    return text.format(trouble=system_words(trouble), command=command)


JOIN_BY_ADDRESS: Final = "sabtui join ADDRESS"
"""The command that joins a table which cannot be found."""


def ask_for_address() -> str:
    """Return advice for games that discovery does not find; `sabtui doctor` shows it, too."""
    text = _("Ask your host for the table's address: {join}")
    return text.format(join=JOIN_BY_ADDRESS)


def nothing_found(*, in_network: bool) -> str:
    """Report that no game was found, with advice: ask for an address, or join a network."""
    return f"{none_found()} {ask_for_address()}" if in_network else join_network_first()


def no_loopback() -> str:
    """Report that this computer's own programs cannot reach each other."""
    text = _("This computer cannot reach itself. Turn on its loopback network: {command}")
    return text.format(command="sudo ip link set lo up")


def no_answer(host: str) -> str:
    """Report that a computer on this network does not answer at all."""
    text = _(
        "Nothing answers at {host}. Guest Wi-Fi may keep computers apart: use a phone's hotspot. "
        "Or a firewall is on there: run {command} on that computer."
    )
    return text.format(host=host, command="sabtui doctor")


def no_port(first: int, last: int) -> str:
    """Report that none of these ports is free for a table; `first` may be `last`."""
    ports = str(first) if first == last else f"{first}-{last}"
    # Translators: {ports} is one, or the first and the last of several: 7341-7350.
    text = _("Port already in use: {ports}. Close a table, or choose another with --port.")
    return text.format(ports=ports)


room_code: Final = lazy("Room code")


def name_typed() -> str:
    """Return the placeholder for somebody's name in a line to type."""
    return _("Name").upper()


def ssh_guest_line(port: int, host: str) -> str:
    """Return the command line for a guest who has nothing but ssh."""
    return f"ssh -p {port} {name_typed()}@{host}"


def web_address(port: int, host: str, code: str = "") -> str:
    """Return the browser door's address; browsers keep the code after the `#` to themselves."""
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}/" + (f"#{code}" if code else "")


def bad_address() -> str:
    """Report that a text is not an address, with examples of addresses."""
    text = _("That is not an address: type one such as {example}.")
    return text.format(example="192.168.1.20, box.local:7341, [fe80::1%eth0], ssh://ana@box.local")


def code_asked(table: str) -> str:
    """Return the request for the room code of a table, whose name may be unknown."""
    if not table:
        return capitalise(_("room code"))
    return _("Room code of {table}, two words").format(table=table)


def bad_code(bad: BadCode) -> str:
    """Explain why a text is not a room code, with an example of one."""
    text = _("{typed!r} is not a room code: it is two words, as in amber-tulip")
    if bad.why is BadCodeReason.UNKNOWN_WORD:
        text = _("{typed!r} is not a code word: check the host's screen")
    return text.format(typed=bad.word[:40])


def sort_games(games: Iterable[DiscoveredGame]) -> list[DiscoveredGame]:
    """Sort games: those with free seats first, those that need nobody last."""
    return sorted(games, key=_rank)


def _rank(game: DiscoveredGame) -> int:
    """Return a sort key: open lobbies and clubs, other joinable games, closed ones, ended ones."""
    if game.advert.stage in {AdvertStage.OVER, AdvertStage.AWAY}:
        return 3
    if game.status is not GameStatus.JOINABLE:
        return 2
    return int(game.advert.stage not in {AdvertStage.LOBBY, AdvertStage.CLUB})


def players_words(game: DiscoveredGame) -> str:
    """Return how many of a table's seats are taken, or how many people are in a club."""
    count = game.advert.players
    if game.advert.stage is AdvertStage.CLUB:
        # Translators: in a club; at most 11 columns with a number of two digits.
        return ngettext("{count} person", "{count} people", count).format(count=count)
    return seats_words(count, game.advert.seats)


def seats_words(players: int, seats: int) -> str:
    text = ngettext("{players}/{seats} player", "{players}/{seats} players", seats)
    return text.format(players=players, seats=seats)


def status_words(game: DiscoveredGame) -> str:
    """Return a game's state, or what to do to be able to join it."""
    match game.status:
        case GameStatus.JOINABLE:
            return stage_words(game.advert.stage)
        case GameStatus.UNREACHABLE:
            return _(
                "found but not answering: the host's firewall blocks port {port}, or this "
                "network isolates its devices"
            ).format(port=game.addresses[0].port)
        case GameStatus.ELSEWHERE:
            return _("found, but on another network: connect to the one its host is on")
        case GameStatus.OTHER_VERSION:
            return _(
                "its host has protocol {theirs} and this program {ours}: update the older Sabtui"
            ).format(theirs=_numbers(game.advert.versions), ours=_numbers(OURS))
        case never:
            assert_never(never)


def _numbers(versions: Versions) -> str:
    low, high = versions.low, versions.high
    return str(low) if low == high else f"{low}-{high}"


def stage_words(stage: AdvertStage) -> str:
    return {
        AdvertStage.LOBBY: pgettext("table", "waiting"),
        AdvertStage.FULL: pgettext("table", "full"),
        AdvertStage.PLAYING: pgettext("table", "playing"),
        AdvertStage.OTHER: pgettext("table", "playing"),
        AdvertStage.OVER: pgettext("table", "finished"),
        AdvertStage.LOCKED: pgettext("table", "locked"),
        AdvertStage.CLUB: _("club"),
        AdvertStage.AWAY: pgettext("table", "host away"),
    }[stage]
