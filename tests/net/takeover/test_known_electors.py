"""The electors as one program knows them, whatever the host tells later."""

from __future__ import annotations

from msgspec import structs

from net.protocol.election import Elector, Watcher
from net.protocol.lobby import Lobby, Person, Presence, Settings
from net.takeover.known_electors import KnownElectors
from tests.net.takeover.electors import ANN, BEN, CLEO, ELECTORS, key_of, print_of

OTHER = bytes([9])


def tell_electors() -> KnownElectors:
    """What the host has told."""
    known = KnownElectors(host=ANN)
    known.set_electors(ELECTORS)
    return known


def in_place_of(member: int) -> Elector:
    """The same member, with another program."""
    other = Elector(member, key_of(9).public, print_of(9), 7341, (OTHER * 4,))
    assert other != ELECTORS[member - 1]
    return other


def test_the_key_and_the_certificate_that_were_told_first_stay_and_the_place_may_change() -> None:
    known = tell_electors()
    known.set_electors((*ELECTORS[:2], in_place_of(CLEO)))
    moved = structs.replace(ELECTORS[2], port=7341, addresses=(OTHER * 4,))
    assert known.electors == (*ELECTORS[:2], moved)
    assert known.member_with(key_of(9).public) is None
    assert known.member_with(key_of(CLEO).public) == CLEO


def test_an_elector_is_no_watcher_by_another_key() -> None:
    known = tell_electors()
    known.set_electors(ELECTORS, (Watcher(CLEO, key_of(9).public),))
    assert known.member_with(key_of(9).public) is None


def test_who_is_left_out_of_the_list_is_known_as_before_and_elects_no_more() -> None:
    known = tell_electors()
    known.set_electors(ELECTORS[:2])
    assert known.members == (ANN, BEN)
    assert known.known == ELECTORS
    known.set_electors((*ELECTORS[:2], in_place_of(CLEO)))
    assert [one.key for one in known.electors] == [one.key for one in ELECTORS]


def test_who_is_told_of_without_a_key_or_a_certificate_gets_the_first_ones() -> None:
    known = KnownElectors(host=ANN)
    bare = Elector(CLEO, bytes(32), port=0)
    known.set_electors((*ELECTORS[:2], bare))
    known.set_electors(ELECTORS)
    assert known.electors == ELECTORS
    known.set_electors((*ELECTORS[:2], bare))
    assert known.electors == ELECTORS


def test_who_has_left_the_table_is_forgotten() -> None:
    known = tell_electors()
    people = tuple(Person(one, name, Presence.THERE) for one, name in ((ANN, "Ann"), (BEN, "Ben")))
    lobby = Lobby("Rush", Settings(seats=3), (), people, ANN, electors=(ANN, BEN), changes=4)
    assert known.note_list(lobby)
    assert known.known == ELECTORS[:2]
