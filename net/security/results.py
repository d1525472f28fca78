"""Results of an evening at one table, signed by the table's certificate, for whoever counts them.

They are no secret: names, roles and gold of games that are over. A stranger may ask a table for
them without the room code, if its host named the evening; nothing of a game under way is in them.
The signature says that they come from the holder of this certificate, on whatever way they came;
whose table that is, it cannot say.

    statement = msgpack of [table, name, word, term, games]
    signature = ECDSA by P-256 over SHA-256 of "sabtui results 1" and the statement
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from net.lobby.evening import EveningWord
from net.protocol.fields import MAX_SEATS, PlayerName, Small, Wire, roles_of
from net.protocol.framing import BadFrame
from net.protocol.text import is_clean_name
from net.security.handshake import SignedResults
from net.security.keys import TableCertificate, is_signed_by

GAME_ID_BYTES: Final = 16
"""Bytes of a game's id: those of `engine.notation.summary`."""

KEY_PREFIX_BYTES: Final = 8
"""First bytes of a player's seat key that tell people of one name apart; none for a bot."""

MAX_SHARED_GAMES: Final = 60
"""Most games of a table that are told, the last ones: as many as fit one frame."""

_LABEL: Final = b"sabtui results 1"


class PlayerResult(Wire, frozen=True):
    """A player of a game: name, seat key, dwarf in each round, and gold at the end."""

    name: PlayerName
    key: Annotated[bytes, Meta(max_length=KEY_PREFIX_BYTES)]
    roles: Annotated[bytes, Meta(max_length=3)]
    gold: Small


class GameResult(Wire, frozen=True):
    """A game that is over: its id, the side that won each round, and the players by seat."""

    id: Annotated[bytes, Meta(min_length=GAME_ID_BYTES, max_length=GAME_ID_BYTES)]
    winners: Annotated[bytes, Meta(min_length=1, max_length=3)]
    players: Annotated[tuple[PlayerResult, ...], Meta(min_length=3, max_length=MAX_SEATS)]


TableId: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


class TableResults(Wire, frozen=True):
    """The results of a table under one host: its id and name, the evening's word, its games.

    `term` is that of the election of its host, 0 under the first.
    """

    table: TableId
    name: PlayerName
    word: EveningWord
    term: Annotated[int, Meta(ge=0, le=2**14 - 1)]
    games: Annotated[tuple[GameResult, ...], Meta(max_length=MAX_SHARED_GAMES)]


class ResultsFault(StrEnum):
    """Reason for refusing results."""

    FORGED = "forged"  # the signature is not by the certificate
    DAMAGED = "damaged"  # they are signed, but no results that an honest table tells
    OTHER_TABLE = "other table"  # of another table than was asked


class BadResults(Exception):
    """Results that are refused."""

    def __init__(self, why: ResultsFault) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


def sign_results(results: TableResults, certificate: TableCertificate) -> SignedResults:
    """Return results signed by the table that they are of."""
    statement = msgspec.msgpack.encode(results)
    return SignedResults(certificate.certificate, statement, certificate.sign(_LABEL + statement))


def read_results(signed: SignedResults) -> TableResults:
    """Return results whose signature is right. Raises `BadResults`."""
    if not is_signed_by(signed.certificate, signed.signature, _LABEL + signed.statement):
        raise BadResults(ResultsFault.FORGED)
    try:
        results = msgspec.msgpack.decode(signed.statement, type=TableResults)
        sound = all(map(_is_sound, results.games))
    except (msgspec.DecodeError, UnicodeDecodeError, BadFrame) as error:
        raise BadResults(ResultsFault.DAMAGED) from error
    ids = {game.id for game in results.games}
    if not sound or len(ids) < len(results.games) or not is_clean_name(results.name):
        raise BadResults(ResultsFault.DAMAGED)
    return results


def _is_sound(game: GameResult) -> bool:
    """Return True if everybody has a clean name and a role in each round. Raises `BadFrame`.

    No two players of a game have the same name.
    """
    rounds = len(roles_of(game.winners))
    names = {player.name.casefold() for player in game.players}
    return len(names) == len(game.players) and all(
        player.name and is_clean_name(player.name) and len(roles_of(player.roles)) == rounds
        for player in game.players
    )
