"""Which copy of a table comes first, who looks for another one, and who goes there unasked."""

from __future__ import annotations

import pytest
from msgspec import structs

from net.protocol import NO_TABLE, CopyRank
from net.protocol.copies import CopyAnswer, OwnCopy
from net.protocol.lobby import Lobby, Person, Presence, Settings, Taken

GO, ASK, STAY, WARN = CopyAnswer.GO, CopyAnswer.ASK, CopyAnswer.STAY, CopyAnswer.WARN


def read(text: str) -> CopyRank:
    """Read a rank such as `plays 2 19`: people, and the term."""
    word, people, term = text.split()
    return CopyRank(word == "plays", int(people), int(term))


def at(there: str, term: int = 0, **fields: object) -> Lobby:
    """A lobby in which a letter is a person in a seat: capital if there, small if lost, - if away.

    Ann is the host, who has seat 1, Ben has seat 2, and so on.
    """
    presence = {True: Presence.THERE, False: Presence.GONE}
    people = tuple(
        Person(
            number,
            f"P{number}",
            Presence.AWAY if letter == "-" else presence[letter.isupper()],
            key=bytes([number]) * 32,
        )
        for number, letter in enumerate(there, 1)
    )
    chairs = tuple(Taken(person.member, ready=False) for person in people)
    lobby = Lobby("Gold", Settings(), chairs, people, host=1, term=term)
    return structs.replace(lobby, **fields)


CASES = [
    # own copy, another one, what the program does
    ("all are here", OwnCopy(at("ABC")), "plays 3 19", WARN),
    ("all are here, and a copy does not play", OwnCopy(at("ABC")), "waits 1 19", STAY),
    # A host who is silent.
    ("silent, another plays", OwnCopy(at("aBC"), is_silent=True), "plays 2 18", GO),
    ("silent, another gathers", OwnCopy(at("aBC"), is_silent=True), "waits 1 18", GO),
    ("silent, and the older copy waits", OwnCopy(at("ABC", 18), is_silent=True), "waits 1 0", STAY),
    ("silent, more at the older", OwnCopy(at("ABC", 18), is_silent=True), "waits 9 0", STAY),
    ("silent, the older is empty", OwnCopy(at("ABC", 18), is_silent=True), "waits 0 0", STAY),
    ("silent, two went on at once", OwnCopy(at("ABC", 17), is_silent=True), "waits 1 19", GO),
    # A host who answers, and people who do not.
    ("my host answers, others play on", OwnCopy(at("Abc")), "plays 2 19", ASK),
    ("a living host alone at two", OwnCopy(at("bA"), is_ours=True), "plays 1 19", ASK),
    ("a living host alone at three", OwnCopy(at("Abc"), is_ours=True), "plays 2 18", ASK),
    ("my cable was out", OwnCopy(at("aBc", 18), is_ours=True), "plays 2 0", ASK),
    ("my computer slept", OwnCopy(at("Abc"), is_ours=True, has_slept=True), "plays 2 18", GO),
    ("I slept, and all came back", OwnCopy(at("ABC"), has_slept=True), "plays 2 18", WARN),
    ("its host's program went there", OwnCopy(at("aBcd")), "plays 2 19", GO),
    ("its host has stepped away", OwnCopy(at("-Bcd")), "plays 2 19", ASK),
    ("nobody hosts it", OwnCopy(at("aBcd", host=0)), "plays 2 19", ASK),
    ("more moved elsewhere", OwnCopy(at("Abc")), "waits 1 18", ASK),
    ("the older copy has more", OwnCopy(at("abC", 28)), "waits 2 0", STAY),
    ("an empty table that moved", OwnCopy(at("Abc")), "waits 0 18", STAY),
    # A copy that gathers.
    ("mine gathers, more there", OwnCopy(at("aBc"), 18, is_ours=True, here=1), "waits 2 17", GO),
    ("mine gathers, later", OwnCopy(at("aBc"), 17, is_ours=True, here=1), "waits 1 18", GO),
    ("mine gathers, earlier", OwnCopy(at("aBc"), 18, is_ours=True, here=1), "waits 1 17", STAY),
    ("mine gathers, older plays", OwnCopy(at("aBc"), 18, is_ours=True, here=1), "plays 2 0", GO),
    ("its host left it", OwnCopy(at("aBc"), 0, here=1, is_left=True), "waits 1 17", GO),
    (
        "its host left it, an older",
        OwnCopy(at("aBc", 8), 8, here=1, is_left=True),
        "waits 0 0",
        STAY,
    ),
    # A table that is handed over.
    ("handed over", OwnCopy(at("ABC", offered=2, handing=True)), "waits 1 18", GO),
    ("handed over, not yet", OwnCopy(at("ABC", offered=2, handing=True)), "waits 1 0", STAY),
    # A program that was just started.
    ("nothing is known", OwnCopy(is_silent=True), "waits 0 0", GO),
]


@pytest.mark.parametrize(
    ("own", "there", "does"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_what_a_program_does_about_another_copy(own: OwnCopy, there: str, does: CopyAnswer) -> None:
    assert own.answer(read(there)) is does


@pytest.mark.parametrize(
    ("own", "looks"),
    [
        (OwnCopy(at("ABC")), False),
        (OwnCopy(at("AB-")), False),
        (OwnCopy(at("ABc")), False),
        (OwnCopy(at("ABc"), is_ours=True), True),
        (OwnCopy(at("ABC"), is_ours=True), False),
        (OwnCopy(at("Abc")), True),
        (OwnCopy(at("ABC"), is_silent=True), True),
        (OwnCopy(at("ABC", offered=2, handing=True)), True),
        (OwnCopy(at("")), False),
        (OwnCopy(), False),
        (OwnCopy(is_silent=True), True),
        (OwnCopy(at("aBC"), here=2), False),
        (OwnCopy(at("aBC"), here=2, is_ours=True), True),
        (OwnCopy(at("aBC"), here=2, is_left=True), True),
    ],
)
def test_a_program_looks_for_another_copy(own: OwnCopy, looks: bool) -> None:  # noqa: FBT001 - a row
    assert own.should_search is looks


def test_during_a_handover_nobody_counts_but_the_person_asked() -> None:
    assert OwnCopy(at("ABC")).keys is None
    assert OwnCopy(at("ABC", offered=2)).keys is None
    assert OwnCopy(at("ABC", offered=2, handing=True)).keys == (b"\2" * 32,)
    assert OwnCopy(at("ABC", offered=9, handing=True)).keys == ()


@pytest.mark.parametrize(
    ("there", "term", "replaces"),
    [
        ("plays 2 0", 18, True),
        ("waits 1 18", 0, True),
        ("waits 0 18", 0, True),
        ("waits 3 0", 18, False),
        ("waits 3 19", 18, False),
        ("waits 1 0", 0, False),
    ],
)
def test_a_copy_that_all_have_left_gives_way_to_one_that_plays_or_has_moved_more(
    there: str,
    term: int,
    replaces: bool,  # noqa: FBT001 - a row
) -> None:
    assert read(there).replaces(term) is replaces


def test_every_copy_comes_before_none() -> None:
    assert CopyRank() > NO_TABLE
    assert not CopyRank() < NO_TABLE
    assert max([CopyRank(), NO_TABLE]) == CopyRank()
