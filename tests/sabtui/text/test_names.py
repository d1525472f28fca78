"""Names come from strangers, and have colours; lines fit into a terminal."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.actions import Broke
from engine.cards import Tool
from engine.events import Passed
from net.protocol.cleaning import clean_name
from net.protocol.lobby import (
    BOT_NAMES,
    MAX_LOOKS,
    BotChair,
    Chair,
    Dwarf,
    Free,
    Lobby,
    Person,
    Presence,
    Settings,
    Taken,
)
from sabtui.app import preferences
from sabtui.text.events import event_sentence
from sabtui.text.layout import confine_lines, width, wrap_lines
from sabtui.text.lobby import player_names
from sabtui.text.names import PlayerNames, list_colours, list_faces, read_dwarves, write_dwarves

NASTY = ["\x1b[2Jx", "a\nb", "\u202eevil", "{name}", "{0.__class__}", "%s", "[/]", "", "ANA", "Ana"]


def test_nasty_names_become_plain_and_differ() -> None:
    names = PlayerNames.of(NASTY, None)
    assert names.names == (
        "[2Jx",
        "a b",
        "evil",
        "{name}",
        "{0.__class__}",
        "%s",
        "[/]",
        "Player 8",
        "ANA",
        "Ana 2",
    )


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Room code: tulip-amber", "Room code tulip-amber"),
        ("Ann, Ben and Cleo", "Ann Ben and Cleo"),
        ("Olga (organiser)", "Olga organiser"),
        ("“Checked”", "Checked"),
        ("Checked. All fits", "Checked All fits"),
        ("a\uff1ab", "a b"),
        ("O'Neil J.R", "O'Neil J.R"),
    ],
)
def test_no_name_holds_the_signs_that_the_lines_of_the_program_are_made_of(
    name: str, kept: str
) -> None:
    assert clean_name(name) == kept
    assert clean_name(kept) == kept


@pytest.mark.parametrize("seat", range(len(NASTY)))
def test_a_name_is_put_into_a_sentence_as_it_is(seat: int) -> None:
    names = PlayerNames.of(NASTY, None)
    name = names.names[seat]
    assert event_sentence(Passed(seat), names) == f"{name} passed."
    assert event_sentence(Broke(0, Tool.PICK, seat), names).endswith("own pick.") == (seat == 0)
    assert name in event_sentence(Broke(1, Tool.PICK, seat), names) or seat == 1


@given(st.lists(st.text(max_size=40), min_size=3, max_size=10))
def test_whatever_the_names_they_fit_and_differ(names: list[str]) -> None:
    player_names = PlayerNames.of(names, 0)
    assert len({name.casefold() for name in player_names.names}) == len(names)
    assert all(name.isprintable() and 0 < width(name) <= 24 for name in player_names.names)


def test_long_names_that_are_alike_differ_within_their_cells() -> None:
    names = PlayerNames.of(["Ж" * 30, "ж" * 30, "漢" * 30, "漢" * 30], None)
    assert [width(name) for name in names.names] == [24, 24, 24, 24]
    assert names.names[1].endswith(" 2")


def table(*chairs: Chair) -> Lobby:
    """Return a table with these chairs."""
    members = [chair.member for chair in chairs if isinstance(chair, Taken)]
    people = tuple(Person(member, f"P{member}", Presence.THERE) for member in members)
    return Lobby("Rush", Settings(seats=len(chairs)), chairs, people)


def by_name(lobby: Lobby) -> dict[str, int]:
    """Return the colours of a table by the players' names."""
    names = player_names(lobby, 0)
    return {name: names.colour(seat) for seat, name in enumerate(names.names)}


def random_chairs(rng: Random) -> list[Chair]:
    """Return ten chairs of people, of numbers up to 40, of bots, and free ones."""
    members, bots = rng.sample(range(1, 41), 10), [*BOT_NAMES, "Borin 2", "Zed"]
    rng.shuffle(bots)
    return [
        rng.choice((Taken(members[at], ready=False), BotChair(bots[at], "fair"), Free()))
        for at in range(10)
    ]


def test_ten_players_have_ten_colours_wherever_they_sit(rng: Random) -> None:
    for _table in range(50):
        chairs = random_chairs(rng)
        dwarves = table(*chairs).dwarves
        assert {dwarf.colour for dwarf in dwarves} == {*range(MAX_LOOKS)}
        assert all(dwarf.face == dwarf.colour for dwarf in dwarves), "nobody has picked one"
        players = [chair for chair in chairs if not isinstance(chair, Free)]
        if len(players) < 3:
            continue
        here = by_name(table(*players))
        rng.shuffle(players)
        assert by_name(table(*players)) == here, "in the next game they sit elsewhere"


def test_people_and_bots_keep_their_colours_while_others_come_and_go() -> None:
    ana, bruno, dede = (Taken(member, ready=False) for member in (1, 2, 5))
    borin, dagna = BotChair("Borin", "fair"), BotChair("Dagna", "fair")
    first = by_name(table(ana, bruno, borin, dagna))
    later = by_name(table(dagna, dede, Free(), ana, bruno))
    assert {name: later[name] for name in ("P1", "P2", "Dagna")} == {
        name: first[name] for name in ("P1", "P2", "Dagna")
    }
    assert len({*first.values(), later["P5"]}) == 5
    same = table(ana, bruno, dede)
    renamed = structs.replace(
        same, people=tuple(structs.replace(person, name="Zoe") for person in same.people)
    )
    colours = [dwarf.colour for dwarf in renamed.dwarves]
    assert colours == [0, 1, 4], "a name that is changed changes nothing"


def test_what_is_picked_is_given_out_first_and_of_two_the_same_the_later_has_the_next() -> None:
    chairs = [Taken(member, ready=True) for member in (7, 2, 1)]
    picked = {7: Dwarf(0, 9), 2: Dwarf(0), 1: Dwarf(colour=9)}
    lobby = table(*chairs, BotChair("Borin", "fair"))
    people = (structs.replace(person, dwarf=picked[person.member]) for person in lobby.people)
    dwarves = structs.replace(lobby, people=tuple(people)).dwarves
    assert dwarves == (Dwarf(1, 0), Dwarf(0, 1), Dwarf(2, 9), Dwarf(9, 2))


def test_dwarves_in_a_record_are_read_again_and_nonsense_is_none() -> None:
    for dwarves in ((Dwarf(0, 0), Dwarf(9, 9)), (Dwarf(3, 0), Dwarf(0, 9))):
        assert read_dwarves(dict(write_dwarves(dwarves)), 2) == dwarves
    for text in ("", "1 2", "1 2 2", "0 1 2", "1 2 11", "1 2 x", "1 2 3 4", "1 2 \u0663"):
        assert read_dwarves({"Colours": text}, 3) == ()
        assert read_dwarves({"Colours": "3 1 2", "Faces": text}, 3)[0] == Dwarf(2, 2)


def test_each_face_and_each_colour_has_words_of_its_own() -> None:
    assert len({*list_faces()}) == len({*list_colours()}) == MAX_LOOKS == preferences.MAX_LOOKS


# Lines.


@pytest.mark.parametrize(
    ("line", "columns", "lines"),
    [
        ("a line that fits", 16, ["a line that fits"]),
        ("a line that is too long", 12, ["a line that", "   is too", "   long"]),
        (" 5 +LC  repair of many things", 20, [" 5 +LC  repair of", "   many things"]),
        ("Quitter la table ?", 16, ["Quitter la", "   table ?"]),
        ("il reste : une", 9, ["il", "   reste :", "   une"]),
        ("dis « oui » ou non", 9, ["dis", "   « oui »", "   ou non"]),
        ("un intervalle à 95 % environ", 18, ["un intervalle à", "   95 % environ"]),
        ("nearly all of it (95 %).", 20, ["nearly all of it", "   (95 %)."]),
        ("cette aide ; ? moves", 12, ["cette aide ;", "   ? moves"]),
        ("金金 金金 金", 9, ["金金 金金", "   金"]),
        ("an address 192.168.100.200:7341", 12, ["an address", "   192.168.100.200:7341"]),
    ],
)
def test_a_line_is_broken_between_words(line: str, columns: int, lines: list[str]) -> None:
    assert wrap_lines([line], columns) == lines


@given(st.text(max_size=200), st.integers(20, 100))
def test_wrapped_lines_fit_and_lose_no_word(line: str, columns: int) -> None:
    lines = wrap_lines([line], columns)
    assert "".join("".join(lines).split()) == "".join(line.split())
    assert all(width(part) <= columns or len(part.split()) == 1 for part in lines)


def test_where_no_line_may_be_wider_a_word_is_broken_too() -> None:
    assert confine_lines(["an address 192.168.1.20"], 12) == [
        "an address",
        "   192.168.1",
        "   .20",
    ]
    assert confine_lines(["e\u0301" * 5], 4, 0) == ["e\u0301" * 4, "e\u0301"]
    assert confine_lines(["金" * 3], 5, 0) == ["金金", "金"]
