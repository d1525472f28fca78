"""A program's own part in a draw: what it answers, and what it holds on to."""

from itertools import count

from msgspec import structs

from engine.shares import commitment
from net.client.draws import NOTHING_DEALT, OwnShare, SeenDraw
from net.protocol.lobby import Drawer, Lobby, Person, Presence, SeedDraw, Settings
from net.protocol.messages import CommitShare, ShowShare

BEN, CLEO = Drawer(2, "Ben"), Drawer(3, "Cleo")
DRAW = SeedDraw(b"d" * 16, 1, b"H" * 32, (BEN, CLEO), host_name="Ann")
PEOPLE = tuple(
    Person(number, name, Presence.THERE) for number, name in enumerate(("Ann", "Ben", "Cleo"), 1)
)


def lobby(draw: SeedDraw | None) -> Lobby:
    """The lobby during a draw."""
    return structs.replace(Lobby.empty("", Settings()), people=PEOPLE, host=1, draw=draw)


def own_share() -> OwnShare:
    """A program whose shares are counted."""
    numbers = count(1)
    return OwnShare(lambda: bytes([next(numbers)]) * 32)


def commit_all(share: bytes, cleo: bytes = b"C" * 32) -> SeedDraw:
    """The draw once all have committed."""
    return structs.replace(DRAW, commitments=(commitment(DRAW.id, "Ben", share), cleo))


def test_a_program_commits_to_one_share_however_often_it_is_asked() -> None:
    share = own_share()
    first = share.answer(lobby(DRAW), 2)
    assert first == share.answer(lobby(DRAW), 2)
    assert first == (CommitShare(DRAW.id, commitment(DRAW.id, "Ben", b"\1" * 32)),)


def test_a_program_that_is_not_asked_answers_nothing() -> None:
    share = own_share()
    over = structs.replace(DRAW, done=True)
    for draw, member in ((None, 2), (over, 2), (DRAW, 1), (DRAW, 4)):
        assert share.answer(lobby(draw), member) == ()
    assert share.share == b""


def test_a_share_that_was_never_committed_to_is_not_shown() -> None:
    assert own_share().answer(lobby(commit_all(b"\1" * 32)), 2) == ()


def test_each_draw_has_a_share_of_its_own() -> None:
    share = own_share()
    share.answer(lobby(DRAW), 2)
    other = structs.replace(DRAW, id=b"e" * 16)
    assert share.answer(lobby(other), 2) == (
        CommitShare(other.id, commitment(other.id, "Ben", b"\2" * 32)),
    )
    assert share.answer(lobby(commit_all(b"\1" * 32)), 2) == (), "the first draw is given up"


def test_what_was_public_when_the_share_was_shown_cannot_be_exchanged_afterwards() -> None:
    share, ours = own_share(), b"\1" * 32
    share.answer(lobby(DRAW), 2)
    before = commit_all(ours)
    assert share.answer(lobby(before), 2) == (ShowShare(DRAW.id, ours),)
    swapped = structs.replace(commit_all(ours, b"c" * 32), host=b"h" * 32)
    assert share.answer(lobby(swapped), 2) == (ShowShare(DRAW.id, ours),)
    shown = structs.replace(swapped, shares=(ours, b"x" * 32), done=True)
    seen = share.describe_draw(lobby(shown), 1)
    assert seen.draw == structs.replace(before, shares=shown.shares, done=True)
    assert (seen.host, seen.own) == ("Ann", ours)


def test_a_draw_of_another_round_is_not_that_of_this_one() -> None:
    over = structs.replace(DRAW, done=True)
    assert own_share().describe_draw(lobby(over), 2) == SeenDraw(None, "Ann")


def test_rounds_that_were_not_seen_are_not_known() -> None:
    seen = SeenDraw(None, "Ann")
    assert NOTHING_DEALT.after_gap(2).add_round(seen, None).draws == (None, None, seen)
