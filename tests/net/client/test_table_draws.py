"""A program's part in the draw of a club's tables: a club that draws otherwise is found out."""

from __future__ import annotations

from msgspec.structs import replace

from engine.shares import commitment
from net.client.table_draws import TableShares
from net.protocol.hall import CommitTables, ShowTables, TableDraw
from net.protocol.lobby import Settings
from net.protocol.night import Night, NightRound, NightTable, TableCommitment, TableShare, seed_of
from net.room.table_draw import draw_tables

DRAW = bytes(16)
NAMES = tuple(f"P{number}" for number in range(9))


def draw_night() -> tuple[TableShares, Night]:
    """The part of P0 in a draw of nine, and the night after it."""
    own = TableShares()
    committed = own.answer(TableDraw(DRAW), "P0")
    assert isinstance(committed, CommitTables)
    shares = {name: bytes([at]) * 32 for at, name in enumerate(NAMES)} | {"P0": own.share}
    commitments = tuple(
        TableCommitment(name, commitment(DRAW, name, share)) for name, share in shares.items()
    )
    assert own.answer(TableDraw(DRAW, commitments), "P0") == ShowTables(DRAW, own.share)
    shown = tuple(TableShare(name, share) for name, share in shares.items())
    seats = draw_tables(range(9), [], seed_of(DRAW, shown))
    tables = tuple(NightTable(f"{at:016}", people) for at, people in enumerate(seats))
    return own, Night(1, "Table", Settings(), NAMES, (NightRound(DRAW, shown, (), tables),))


def test_a_draw_that_follows_from_all_shares_is_accepted() -> None:
    own, night = draw_night()
    assert own.accept(night, "P0")
    assert TableShares().accept(night, "P0"), "who was not there checks the tables alone"


def test_tables_that_do_not_follow_are_found_out() -> None:
    own, night = draw_night()
    (last,) = night.rounds
    first, second = last.tables
    swapped = (
        replace(first, people=(second.people[0], *first.people[1:])),
        replace(second, people=(first.people[0], *second.people[1:])),
    )
    forged = replace(night, rounds=(replace(last, tables=swapped),))
    assert not own.accept(forged, "P0")
    assert not TableShares().accept(forged, "P0")


def test_shares_that_were_changed_or_left_out_unsaid_are_found_out() -> None:
    own, night = draw_night()
    (last,) = night.rounds
    for changed in (
        (*last.shares[:-1], TableShare("P8", bytes(32))),
        last.shares[1:],
        (*last.shares, TableShare("P9", bytes(32))),
    ):
        seats = draw_tables(range(9), [], seed_of(DRAW, changed))
        tables = tuple(NightTable(f"{at:016}", people) for at, people in enumerate(seats))
        forged = replace(night, rounds=(replace(last, shares=changed, tables=tables),))
        assert not own.accept(forged, "P0")


def test_nobody_shows_a_share_before_their_own_commitment_is_public() -> None:
    own = TableShares()
    own.answer(TableDraw(DRAW), "P0")
    others = (TableCommitment("P1", bytes(32)),)
    assert own.answer(TableDraw(DRAW, others), "P0") is None


def test_a_round_with_an_empty_table_is_no_round() -> None:
    own, night = draw_night()
    (last,) = night.rounds
    empty = replace(last, tables=(NightTable("e" * 16, ()),))
    for rounds in ((empty, last), (replace(last, tables=(*last.tables, *empty.tables)),)):
        assert not own.accept(replace(night, rounds=rounds), "P0")
