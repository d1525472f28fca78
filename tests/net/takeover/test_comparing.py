"""One program's part in comparing what was seen: whom it dials, what it says, what comes of it."""

from __future__ import annotations

from net.client.session import Comparison
from net.protocol.election import Compare, Elector
from net.protocol.messages import Mark
from net.takeover.comparing import COMPARED_S, OTHER_WAY_S, Comparing
from net.takeover.election_acts import Say

ANN, BEN, CLEO, DEDE = 1, 2, 3, 4
NAMES = {ANN: "Ann", CLEO: "Cleo", DEDE: "Dede"}
ENDS_AT = 20


def hash_at(step: int, story: str = "ours") -> bytes:
    """The running hash after a step."""
    return f"{story} {step}".encode().ljust(16, b"\0")


def end(step: int = ENDS_AT, story: str = "ours") -> Mark:
    """The end of a round at a step."""
    return Mark(step, hash_at(step, story))


def make_compare(step: int = ENDS_AT, story: str = "ours", incarnation: int = 1) -> Compare:
    """What a program says at the end of a round."""
    return Compare(incarnation, step, hash_at(step, story))


class Program:
    """Ben's program, which has seen steps up to one."""

    def __init__(self, seen: int = ENDS_AT) -> None:
        self.last = seen
        self.incarnation = 1
        self.comparing = Comparing(self.hash_seen)

    def hash_seen(self, incarnation: int, step: int) -> bytes | None:
        """The hash after a step, if the table is still of this incarnation."""
        is_seen = incarnation == self.incarnation and step <= self.last
        return hash_at(step) if is_seen else None

    def begin(self, mark: Mark | None = None, now: float = 0.0) -> list[Say]:
        """A round ends."""
        return self.comparing.begin(1, mark or end(), NAMES, now)


def electors(**ports: int) -> tuple[Elector, ...]:
    """Four players, by seat, all of whom listen but for those named."""
    places = {"ann": 1, "ben": 2, "cleo": 3, "dede": 4}
    return tuple(
        Elector(member, bytes(32), bytes(32), ports.get(name, 7350), (bytes(4),))
        for name, member in places.items()
    )


def test_whoever_has_the_lower_seat_dials_and_the_other_one_only_after_two_seconds() -> None:
    ben = Program()
    assert ben.comparing.select_peers(BEN, electors(), 0) == {}, "no round has ended"
    ben.begin(now=10)
    assert set(ben.comparing.select_peers(BEN, electors(), 10)) == {CLEO, DEDE}
    assert set(ben.comparing.select_peers(BEN, electors(), 10 + OTHER_WAY_S)) == {ANN, CLEO, DEDE}


def test_whoever_does_not_listen_dials_all_and_nobody_dials_them() -> None:
    ben = Program()
    ben.begin()
    assert set(ben.comparing.select_peers(BEN, electors(ben=0), 0)) == {ANN, CLEO, DEDE}
    assert set(ben.comparing.select_peers(BEN, electors(cleo=0), 0)) == {DEDE}


def test_who_has_answered_is_not_dialled_any_more_nor_is_anybody_once_it_is_over() -> None:
    ben = Program()
    ben.begin()
    ben.comparing.receive(CLEO, make_compare())
    assert ben.comparing.tick(1) is None
    assert set(ben.comparing.select_peers(BEN, electors(), 1)) == {DEDE}
    assert ben.comparing.tick(COMPARED_S) is not None
    assert ben.comparing.select_peers(BEN, electors(), COMPARED_S) == {}


def test_it_is_over_as_soon_as_all_have_answered_and_is_told_once() -> None:
    ben = Program()
    ben.begin()
    for member in NAMES:
        assert ben.comparing.tick(1) is None
        ben.comparing.receive(member, make_compare())
    assert ben.comparing.tick(1) == Comparison(agreed=("Ann", "Cleo", "Dede"))
    assert ben.comparing.tick(1) is None


def test_who_has_seen_something_else_is_named_and_so_is_who_does_not_answer() -> None:
    ben = Program()
    ben.begin()
    ben.comparing.receive(ANN, make_compare())
    ben.comparing.receive(DEDE, make_compare(story="another"))
    assert ben.comparing.tick(COMPARED_S - 0.1) is None
    found = Comparison(agreed=("Ann",), differing=("Dede",), missing=("Cleo",))
    assert ben.comparing.tick(COMPARED_S) == found


def test_whoever_answers_too_late_is_told_of_only_if_they_differ() -> None:
    ben = Program()
    ben.begin()
    missing = ben.comparing.tick(COMPARED_S)
    assert missing == Comparison(missing=("Ann", "Cleo", "Dede"))
    ben.comparing.receive(ANN, make_compare())
    assert ben.comparing.tick(60) is None
    ben.comparing.receive(DEDE, make_compare(story="another"))
    assert ben.comparing.tick(60) == Comparison(differing=("Dede",))
    assert ben.comparing.tick(61) is None


def test_a_round_that_ended_for_somebody_at_another_step_is_compared_as_well() -> None:
    ben = Program(seen=ENDS_AT)
    ben.begin()
    ben.comparing.receive(ANN, make_compare(ENDS_AT - 1, "another"))
    ben.comparing.receive(CLEO, make_compare(ENDS_AT + 1, "another"))
    ben.comparing.receive(DEDE, make_compare(ENDS_AT + 1))
    assert ben.comparing.tick(1) is None, "nobody knows yet what comes next"
    ben.last += 1
    found = Comparison(agreed=("Dede",), differing=("Ann", "Cleo"))
    assert ben.comparing.tick(1) == found


def test_an_earlier_end_that_is_the_same_proves_nothing() -> None:
    ben = Program()
    ben.begin()
    ben.comparing.receive(ANN, make_compare(ENDS_AT - 5))
    assert ben.comparing.tick(COMPARED_S) == Comparison(missing=("Ann", "Cleo", "Dede"))


def test_the_end_of_a_round_that_was_undone_with_its_host_proves_nothing() -> None:
    ben = Program()
    ben.comparing.receive(CLEO, make_compare(ENDS_AT, "undone", incarnation=0))
    ben.begin()
    ben.comparing.receive(DEDE, make_compare(ENDS_AT, "undone", incarnation=2))
    assert ben.comparing.tick(0) is None
    ben.comparing.receive(CLEO, make_compare())
    found = Comparison(agreed=("Cleo",), missing=("Ann", "Dede"))
    assert ben.comparing.tick(COMPARED_S) == found


def test_whoever_is_at_the_end_of_a_round_first_is_heard_and_answered_once_it_ends_here() -> None:
    ben = Program()
    assert ben.comparing.receive(CLEO, make_compare()) == []
    assert ben.begin() == [Say(CLEO, make_compare())]
    for member in (ANN, DEDE):
        assert ben.comparing.receive(member, make_compare()) == [Say(member, make_compare())]
    assert ben.comparing.tick(0) == Comparison(agreed=("Ann", "Cleo", "Dede"))


def test_what_was_heard_of_one_round_counts_for_no_other() -> None:
    ben = Program()
    ben.begin()
    ben.comparing.receive(CLEO, make_compare())
    ben.comparing.receive(DEDE, make_compare(ENDS_AT + 10))
    ben.comparing.tick(COMPARED_S)
    ben.last = ENDS_AT + 10
    ben.begin(end(ENDS_AT + 10), now=60)
    found = Comparison(agreed=("Dede",), missing=("Ann", "Cleo"))
    assert ben.comparing.tick(60 + COMPARED_S) == found


def test_each_is_told_once_on_each_connection_and_two_do_not_answer_each_other_for_ever() -> None:
    ben = Program()
    assert ben.comparing.note_link(CLEO) == [], "there is nothing to tell"
    assert ben.begin() == [Say(CLEO, make_compare())]
    assert ben.comparing.receive(CLEO, make_compare()) == []
    assert ben.comparing.receive(CLEO, make_compare()) == []
    ben.comparing.note_unlink(CLEO)
    assert ben.comparing.note_link(CLEO) == [Say(CLEO, make_compare())]
    assert ben.comparing.mark == end()


def test_nobody_is_told_anything_who_does_not_play() -> None:
    ben = Program()
    ben.begin()
    assert ben.comparing.receive(9, make_compare(story="another")) == []
    assert ben.comparing.note_link(9) == []
    assert ben.comparing.tick(COMPARED_S) == Comparison(missing=("Ann", "Cleo", "Dede"))


def test_a_liar_can_only_make_itself_look_as_if_it_had_seen_another_game() -> None:
    ben = Program()
    ben.begin()
    for step in (0, 5, ENDS_AT - 1, ENDS_AT, ENDS_AT + 1, 2**31 - 1):
        ben.comparing.receive(CLEO, make_compare(step, "a lie"))
        ben.comparing.tick(0)
    ben.comparing.receive(CLEO, make_compare())
    for member in (ANN, DEDE):
        ben.comparing.receive(member, make_compare())
    assert ben.comparing.tick(0) == Comparison(agreed=("Ann", "Dede"), differing=("Cleo",))


def test_what_was_seen_after_the_table_went_on_from_an_earlier_step_is_compared_with_nothing() -> (
    None
):
    ben = Program()
    ben.begin()
    ben.comparing.receive(CLEO, make_compare(ENDS_AT + 5, "lost since"))
    ben.incarnation, ben.last = 2, ENDS_AT + 5
    compared = ben.comparing.tick(COMPARED_S)
    assert compared is not None
    assert (compared.differing, compared.missing) == ((), ("Ann", "Cleo", "Dede"))
