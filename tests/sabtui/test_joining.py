"""With which ticket a player goes to a table."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.ticket import Ticket
from net.client.wallet import Wallet
from net.discovery.address import Address
from sabtui.finding import Place
from sabtui.joining import LATELY, Wish, lately, ticket_for

HERE = Address("192.0.2.1", 7341)
MOVED = Address("192.0.2.9", 7341)
RUSH = Place("Gold Rush", "0123456789abcdef", (HERE,))


@pytest.fixture
def wallet(tmp_path: Path) -> Wallet:
    return Wallet(tmp_path)


def kept(wallet: Wallet, name: str, table: str = RUSH.table) -> Ticket:
    ticket = Ticket(name=name, addresses=(HERE,), table=table, pin=bytes(32), may_differ=False)
    wallet.keep(ticket)
    return ticket


def test_who_was_never_there_has_a_ticket_of_a_new_key(wallet: Wallet) -> None:
    first = ticket_for(RUSH, Wish("", "ann"), wallet)
    second = ticket_for(RUSH, Wish("", "ann"), wallet)
    assert first.pin is None
    assert first.key != second.key
    assert (first.name, first.may_differ) == ("ann", True)


def test_a_name_asked_for_may_not_differ(wallet: Wallet) -> None:
    assert not ticket_for(RUSH, Wish("Ann", "login"), wallet).may_differ


def test_whoever_was_there_comes_back(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    assert ticket_for(RUSH, Wish("", "ann"), wallet) == mine


def test_the_table_is_tried_first_where_it_is_seen_now(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    moved = replace(RUSH, addresses=(MOVED,))
    assert ticket_for(moved, Wish("", "ann"), wallet) == replace(mine, addresses=(MOVED, HERE))


def test_a_second_window_is_a_second_player(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    with wallet.using(mine):
        second = ticket_for(RUSH, Wish("", "ann"), wallet)
    assert second.key != mine.key
    assert second.pin is None


def test_a_seat_asked_for_by_its_name_is_taken_from_another_window(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    kept(wallet, "ben")
    with wallet.using(mine):
        assert ticket_for(RUSH, Wish("ANN", "ann"), wallet) == mine


def test_where_a_game_has_begun_a_dead_windows_seat_is_taken_back(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    begun = replace(RUSH, has_begun=True)
    with wallet.using(mine):
        assert ticket_for(begun, Wish("", "ann"), wallet) == mine
        assert ticket_for(begun, Wish("", "ann", watch=True), wallet).pin is None
        assert ticket_for(begun, Wish("ben", "ann"), wallet).pin is None


def test_a_ticket_of_another_table_is_left_alone(wallet: Wallet) -> None:
    kept(wallet, "ann", table="fedcba9876543210")
    assert ticket_for(RUSH, Wish("", "ann"), wallet).pin is None


def test_a_table_without_a_known_id_is_told_by_its_address(wallet: Wallet) -> None:
    mine = kept(wallet, "ann")
    assert ticket_for(replace(RUSH, table=""), Wish("", "ann"), wallet) == mine
    elsewhere = Place("", "", (MOVED,))
    assert ticket_for(elsewhere, Wish("", "ann"), wallet).pin is None


def test_without_a_word_one_means_the_table_of_this_evening(wallet: Wallet) -> None:
    assert lately(Wish("", "ann"), wallet) == []
    mine = kept(wallet, "ann")
    assert lately(Wish("", "ann"), wallet) == [mine]
    with wallet.using(mine):
        assert lately(Wish("", "ann"), wallet) == []
    (path,) = [one.path for one in wallet.tickets()]
    old = path.stat().st_mtime - LATELY - 60
    os.utime(path, (old, old))
    assert lately(Wish("", "ann"), wallet) == []
