"""A program's part in the draw of a club's tables: a club that draws otherwise is found out."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from engine.shares import commitment
from net.client.table_draws import TableShares
from net.protocol.hall import CommitTables, ShowTables, TableDraw
from net.protocol.lobby import Settings
from net.protocol.night import (
    Night,
    NightRound,
    NightTable,
    TableCommitment,
    TableShare,
    basis_of,
    seed_of,
)
from net.room.table_draw import draw_tables

DRAW = bytes(16)
NAMES = tuple(f"P{number}" for number in range(9))
BEFORE = Night(2, "Table", Settings())


def draw_night() -> tuple[TableShares, Night]:
    """The part of P0 in a draw of nine, and the night after it."""
    own = TableShares()
    committed = own.answer(TableDraw(DRAW), "P0")
    assert isinstance(committed, CommitTables)
    shares = {name: bytes([at]) * 32 for at, name in enumerate(NAMES)} | {"P0": own.share}
    told = tell_commitments(shares)
    assert own.answer(told, "P0") == ShowTables(DRAW, own.share)
    assert own.answer(told, "P0") == ShowTables(DRAW, own.share), "the first may have been lost"
    shown = tuple(TableShare(name, share) for name, share in shares.items())
    return own, told_night(DRAW, NAMES, shown)


def tell_commitments(shares: Mapping[str, bytes]) -> TableDraw:
    """What the club tells of a first round's draw, before shares are shown."""
    commitments = tuple(
        TableCommitment(name, commitment(DRAW, name, share)) for name, share in shares.items()
    )
    return TableDraw(DRAW, commitments, basis_of(NAMES, tuple(range(len(NAMES))), ()))


def told_night(draw: bytes, names: tuple[str, ...], shown: tuple[TableShare, ...]) -> Night:
    """A night whose first round follows from these shares."""
    seats = draw_tables(range(len(names)), [], seed_of(draw, shown))
    tables = tuple(NightTable(f"{at:016}", people) for at, people in enumerate(seats))
    return Night(2, "Table", Settings(), names, (NightRound(draw, shown, (), tables),))


def test_a_draw_that_follows_from_all_shares_is_accepted() -> None:
    own, night = draw_night()
    assert own.accept(night, BEFORE, "P0")
    assert TableShares().accept(night, None, "P0"), "who was not there checks the tables alone"
    assert not TableShares().accept(night, BEFORE, "P0"), "who was there is asked for a share"


def test_who_comes_in_late_hears_of_the_draw_and_checks_it() -> None:
    own, night = draw_night()
    (last,) = night.rounds
    told = tell_commitments({one.name: one.share for one in last.shares})
    late = TableShares()
    assert late.answer(told, "P9") is None
    assert not late.draw, "that is told as somebody comes in, or it leaves out their share"
    assert late.answer(told, "P9", at_entry=True) is None
    assert late.accept(night, BEFORE, "P9")
    assert late.draw == own.draw


def test_tables_that_do_not_follow_are_found_out() -> None:
    (last,) = draw_night()[1].rounds
    first, second = last.tables
    swapped = (
        replace(first, people=(second.people[0], *first.people[1:])),
        replace(second, people=(first.people[0], *second.people[1:])),
    )
    own, night = draw_night()
    forged = replace(night, rounds=(replace(night.rounds[0], tables=swapped),))
    assert not own.accept(forged, BEFORE, "P0")
    assert not TableShares().accept(forged, None, "P0")


def test_shares_that_were_changed_or_left_out_unsaid_are_found_out() -> None:
    for change in (
        lambda shares: (*shares[:-1], TableShare("P8", bytes(32))),
        lambda shares: shares[1:],
        lambda shares: (*shares, TableShare("P9", bytes(32))),
    ):
        own, night = draw_night()
        assert not own.accept(told_night(DRAW, NAMES, change(night.rounds[0].shares)), BEFORE, "P0")


def test_nobody_gets_another_number_once_shares_are_shown() -> None:
    own, night = draw_night()
    swapped = (NAMES[1], NAMES[0], *NAMES[2:])
    assert not own.accept(replace(night, people=swapped), BEFORE, "P0")


def test_nobody_is_added_or_left_out_once_shares_are_shown() -> None:
    for names in ((*NAMES, "nobody"), NAMES[:-1]):
        own, night = draw_night()
        assert not own.accept(told_night(DRAW, names, night.rounds[0].shares), BEFORE, "P0")


def test_tables_of_another_draw_than_the_one_that_was_answered_are_found_out() -> None:
    own, _night = draw_night()
    chosen = (TableShare("P1", bytes(32)),)
    forged = told_night(b"\1" * 16, NAMES, chosen)
    assert not own.accept(forged, BEFORE, "P0")
    own, _night = draw_night()
    assert not own.accept(forged, None, "P0"), "not after the connection was cut, either"


@pytest.mark.parametrize("draw", [DRAW, b"\1" * 16])
def test_a_draw_that_is_made_again_after_shares_were_shown_is_found_out(draw: bytes) -> None:
    own, _night = draw_night()
    assert isinstance(own.answer(TableDraw(draw), "P0"), CommitTables)
    shares = {name: bytes([at]) * 32 for at, name in enumerate(NAMES)} | {"P0": own.share}
    again = tuple(
        TableCommitment(name, commitment(draw, name, share)) for name, share in shares.items()
    )
    own.answer(TableDraw(draw, again, basis_of(NAMES, tuple(range(len(NAMES))), ())), "P0")
    shown = tuple(TableShare(name, share) for name, share in shares.items())
    assert not own.accept(told_night(draw, NAMES, shown), BEFORE, "P0")


def test_what_was_told_before_shares_are_shown_is_not_told_in_another_way() -> None:
    own, night = draw_night()
    shares = {one.name: one.share for one in night.rounds[0].shares}
    other = replace(tell_commitments(shares), basis=bytes(32))
    assert own.answer(other, "P0") is None
    assert own.answer(tell_commitments(shares | {"P1": bytes(32)}), "P0") is None
    assert own.accept(night, BEFORE, "P0")


def test_rounds_before_are_not_told_in_another_way() -> None:
    own, night = draw_night()
    (first,) = night.rounds
    moved = replace(first, tables=first.tables[::-1])
    known = replace(night, rounds=(moved,))
    assert not own.accept(night, known, "P0")
    own, night = draw_night()
    assert not own.accept(night, replace(BEFORE, people=NAMES[::-1]), "P0")


def test_nobody_shows_a_share_before_their_own_commitment_is_public() -> None:
    own = TableShares()
    committed = own.answer(TableDraw(DRAW), "P0")
    assert own.answer(TableDraw(DRAW), "P0") == committed, "after a lost connection, say"
    others = (TableCommitment("P1", bytes(32)),)
    assert own.answer(TableDraw(DRAW, others, bytes(32)), "P0") is None


def test_a_round_with_an_empty_table_is_no_round() -> None:
    own, night = draw_night()
    (last,) = night.rounds
    empty = replace(last, tables=(NightTable("e" * 16, ()),))
    for rounds in ((empty, last), (replace(last, tables=(*last.tables, *empty.tables)),)):
        assert not own.accept(replace(night, rounds=rounds), None, "P0")
        assert not TableShares().accept(replace(night, rounds=rounds), None, "P0")
