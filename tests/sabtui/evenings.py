"""What tables of an evening tell, as values."""

from __future__ import annotations

from net.security.handshake import SignedResults
from net.security.keys import TableCertificate
from net.security.results import GameResult, PlayerResult, TableResults, sign_results

ANAS, BRUNOS, THIEFS = (TableCertificate.new() for _ in range(3))
TABLE, OTHER_TABLE = "0" * 16, "1" * 16


def game(number: int, *names: str, gold: tuple[int, ...] = (5, 0, 3)) -> GameResult:
    """Return a game in which the first player was a saboteur."""
    players = (
        PlayerResult(name, name.encode().ljust(8), b"\1" if seat == 0 else b"\0", gold[seat])
        for seat, name in enumerate(names or ("Ana", "Bruno", "Chi"))
    )
    return GameResult(number.to_bytes(16, "big"), b"\1", tuple(players))


def told(
    *games: GameResult,
    by: TableCertificate = ANAS,
    table: str = TABLE,
    word: str = "club",
    term: int = 0,
) -> SignedResults:
    """Return what a table tells."""
    name = "Ana's table" if table == TABLE else "Bruno's table"
    return sign_results(TableResults(table, name, word, term, games), by)
