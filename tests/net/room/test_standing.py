"""The rule for which of two tables stands, as a table of cases, and when a table has its people."""

from itertools import combinations

import pytest
from msgspec.structs import replace

from net.discovery.advert import Standing
from net.protocol.lobby import BotChair, Chair, Free, Lobby, Person, Presence, Settings, Taken
from net.room.standing import has_its_people, next_term, standing_of

OF_A_WORD = {
    "there": Presence.THERE,
    "shaky": Presence.SHAKY,
    "gone": Presence.GONE,
    "left": Presence.AWAY,
}


def lobby_of(*chairs: str, term: int = 0) -> Lobby:
    """Return a table with these chairs: `bot`, `free`, or the presence of a person."""
    taken: list[Chair] = []
    people: list[Person] = []
    for seat, word in enumerate(chairs):
        member = len(chairs) - seat  # who came last sits in the lowest seat
        if word in OF_A_WORD:
            people.insert(0, Person(member, f"P{member}", OF_A_WORD[word]))
            taken.append(Taken(member, ready=True))
        else:
            taken.append(Free() if word == "free" else BotChair("Borin", "medium"))
    lobby = Lobby.empty("Gold Rush", Settings(seats=len(chairs)))
    return replace(lobby, chairs=tuple(taken), people=tuple(people), term=term)


@pytest.mark.parametrize(
    ("chairs", "plays"),
    [
        ("there there there", True),
        ("gone there there", True),
        ("there gone gone", False),
        ("there gone bot", True),  # half, with the lowest seat
        ("gone there bot", False),
        ("bot gone there", False),
        ("bot there gone", True),
        ("there there gone gone", True),
        ("gone gone there there", False),
        ("gone there there gone there", True),
        ("left there gone there", True),  # who left is not counted
        ("left gone there bot", False),
        ("left left there", True),
        ("there shaky shaky", False),  # silent for five seconds: maybe at another table
        ("left left left", False),
        ("bot bot free", False),
    ],
)
def test_a_table_plays_while_its_people_are_there(chairs: str, *, plays: bool) -> None:
    assert has_its_people(lobby_of(*chairs.split())) is plays


def test_of_people_who_were_cut_apart_at_most_one_group_plays() -> None:
    for count in range(3, 8):
        for size in range(count + 1):
            for here in combinations(range(count), size):
                words = ["there" if seat in here else "gone" for seat in range(count)]
                others = ["gone" if seat in here else "there" for seat in range(count)]
                ours, theirs = has_its_people(lobby_of(*words)), has_its_people(lobby_of(*others))
                assert ours + theirs == 1, words


def read(words: str) -> Standing:
    """Read a standing: `plays` or `waits`, the people who are there, the term."""
    word, people, term = words.split()
    return Standing(word == "plays", int(people), int(term))


@pytest.mark.parametrize(
    ("stands", "gives_way", "why"),
    [
        ("plays 2 0", "waits 1 19", "my own cable was out, and I pressed G"),
        ("plays 2 19", "waits 1 0", "the host's cable was out"),
        ("plays 2 0", "waits 2 18", "two and two were cut apart"),
        ("plays 2 19", "plays 1 0", "a host came back and was asked nothing"),
        ("waits 1 19", "waits 1 0", "both are alone"),
        ("waits 1 19", "waits 1 18", "two pressed G, and both are alone"),
        ("waits 2 10", "waits 1 19", "of five people two and one are left"),
        ("waits 1 0", "waits 0 19", "nobody came to a headless table"),
        ("plays 3 17", "waits 0 0", "a host was resumed after the others left"),
        ("waits 1 0", "waits 0 -1", "my host is silent"),
    ],
)
def test_one_of_two_tables_stands(stands: str, gives_way: str, why: str) -> None:
    assert read(stands) > read(gives_way), why


def test_a_table_shows_who_is_there_and_its_term() -> None:
    lobby = lobby_of("there", "gone", "there", "bot", term=17)
    assert standing_of(lobby) == Standing(plays=True, people=2, term=17)


def test_terms_grow_and_no_two_seats_share_one() -> None:
    for term in (0, 7, 10, 19, 20, 3456):
        after = [next_term(term, seat) for seat in range(10)]
        assert after == sorted(set(after), reverse=True)
        assert min(after) > term
        assert max(after) < min(next_term(later, 9) for later in after)
