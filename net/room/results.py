"""Results of the games of an evening, as a table tells them to whoever counts several tables.

Each is made of a game's record once it is over, and so survives whatever the journal survives.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.notation.record import Record
from engine.notation.record_parser import format_record
from engine.notation.summary import parse_summary
from net.lobby.model import Lobby, Taken
from net.protocol.fields import role_code, roles_code
from net.security.results import (
    KEY_PREFIX_BYTES,
    MAX_SHARED_GAMES,
    GameResult,
    PlayerResult,
    TableResults,
)

Results = tuple[GameResult, ...]
"""The results of an evening so far, oldest first."""


def results_after(
    before: Results, record: Record, lobby: Lobby, keys: Mapping[int, bytes]
) -> Results:
    """Return the results after a game that is over; without an evening nothing is added.

    `keys` are the seat keys of the members.
    """
    if lobby.settings.evening is None:
        return before
    game = parse_summary(format_record(record))
    played = game.played
    players = tuple(
        PlayerResult(
            name=name,
            key=_key(lobby, seat, keys),
            roles=roles_code(one.roles[seat] for one in played),
            gold=(game.nuggets or ())[seat],
        )
        for seat, name in enumerate(game.names)
    )
    winners = bytes(role_code(one.winner) for one in played)
    result = GameResult(bytes.fromhex(game.id), winners, players)
    return (*(one for one in before if one.id != result.id), result)[-MAX_SHARED_GAMES:]


def _key(lobby: Lobby, seat: int, keys: Mapping[int, bytes]) -> bytes:
    """Return the first bytes of the seat key of whoever sits there, none for a bot."""
    chair = lobby.chairs[seat]
    return keys[chair.member][:KEY_PREFIX_BYTES] if isinstance(chair, Taken) else b""


def table_results(table: str, lobby: Lobby, results: Results) -> TableResults | None:
    """Return a table's results of its evening, `None` if its host gave the evening no name."""
    plan = lobby.settings.evening
    if plan is None or not plan.word:
        return None
    return TableResults(table, lobby.name, plan.word, lobby.term, results)
