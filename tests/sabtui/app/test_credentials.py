"""With which ticket a player goes to a table."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.discovery.address import Address
from sabtui.app.credentials import RECENT_S, JoinOptions, credentials_for, recent_credentials
from sabtui.app.locate import FoundTable

HERE = Address("192.0.2.1", 7341)
MOVED = Address("192.0.2.9", 7341)
RUSH = FoundTable("Gold Rush", "0123456789abcdef", (HERE,))


@pytest.fixture
def wallet(tmp_path: Path) -> CredentialStore:
    return CredentialStore(tmp_path)


def kept(credential_store: CredentialStore, name: str, table: str = RUSH.table) -> Credentials:
    credentials = Credentials(
        name=name, addresses=(HERE,), table=table, pin=bytes(32), may_differ=False
    )
    credential_store.store(credentials)
    return credentials


def test_who_was_never_there_has_a_ticket_of_a_new_key(wallet: CredentialStore) -> None:
    first = credentials_for(RUSH, JoinOptions("", "ann"), wallet)
    second = credentials_for(RUSH, JoinOptions("", "ann"), wallet)
    assert first.pin is None
    assert first.key != second.key
    assert (first.name, first.may_differ) == ("ann", True)


def test_a_name_asked_for_may_not_differ(wallet: CredentialStore) -> None:
    assert not credentials_for(RUSH, JoinOptions("Ann", "login"), wallet).may_differ


def test_whoever_was_there_comes_back(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    assert credentials_for(RUSH, JoinOptions("", "ann"), wallet) == mine


def test_the_table_is_tried_first_where_it_is_seen_now(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    moved = replace(RUSH, addresses=(MOVED,))
    assert credentials_for(moved, JoinOptions("", "ann"), wallet) == replace(
        mine, addresses=(MOVED, HERE)
    )


def test_a_second_window_is_a_second_player(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    with wallet.using(mine):
        second = credentials_for(RUSH, JoinOptions("", "ann"), wallet)
    assert second.key != mine.key
    assert second.pin is None


def test_a_seat_asked_for_by_its_name_is_taken_from_another_window(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    kept(wallet, "ben")
    with wallet.using(mine):
        assert credentials_for(RUSH, JoinOptions("ANN", "ann"), wallet) == mine


def test_where_a_game_has_begun_a_dead_windows_seat_is_taken_back(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    begun = replace(RUSH, has_begun=True)
    with wallet.using(mine):
        assert credentials_for(begun, JoinOptions("", "ann"), wallet) == mine
        assert credentials_for(begun, JoinOptions("", "ann", watch=True), wallet).pin is None
        assert credentials_for(begun, JoinOptions("ben", "ann"), wallet).pin is None


def test_a_ticket_of_another_table_is_left_alone(wallet: CredentialStore) -> None:
    kept(wallet, "ann", table="fedcba9876543210")
    assert credentials_for(RUSH, JoinOptions("", "ann"), wallet).pin is None


def test_a_table_without_a_known_id_is_told_by_its_address(wallet: CredentialStore) -> None:
    mine = kept(wallet, "ann")
    assert credentials_for(replace(RUSH, table=""), JoinOptions("", "ann"), wallet) == mine
    elsewhere = FoundTable("", "", (MOVED,))
    assert credentials_for(elsewhere, JoinOptions("", "ann"), wallet).pin is None


def test_without_a_word_one_means_the_table_of_this_evening(wallet: CredentialStore) -> None:
    assert recent_credentials(JoinOptions("", "ann"), wallet) == []
    mine = kept(wallet, "ann")
    assert recent_credentials(JoinOptions("", "ann"), wallet) == [mine]
    with wallet.using(mine):
        assert recent_credentials(JoinOptions("", "ann"), wallet) == []
    (path,) = [one.path for one in wallet.stored()]
    old = path.stat().st_mtime - RECENT_S - 60
    os.utime(path, (old, old))
    assert recent_credentials(JoinOptions("", "ann"), wallet) == []
