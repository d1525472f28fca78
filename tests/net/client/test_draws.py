"""A program's own part in a draw: what it answers, and what it holds on to."""

from itertools import count

from msgspec import structs

from engine.dealing import commitment, draw_id
from net.client.draws import NOTHING_DEALT, OwnShare, SeenDraw
from net.protocol.lobby import Drawer, Lobby, Person, Presence, SeedDraw, Settings, Taken
from net.protocol.messages import CommitShare, ShowShare
from net.room.seeds import deal_basis

BEN, CLEO = Drawer(2, "Ben"), Drawer(3, "Cleo")
PEOPLE = tuple(
    Person(number, name, Presence.THERE) for number, name in enumerate(("Ann", "Ben", "Cleo"), 1)
)


LOBBY = structs.replace(
    Lobby.empty("", Settings(seats=3)),
    people=PEOPLE,
    host=1,
    chairs=tuple(Taken(member, ready=True) for member in (1, 2, 3)),
)


def draw_with(nonce: bytes) -> SeedDraw:
    """The draw that this host's nonce begins."""
    id_ = draw_id(nonce, deal_basis(LOBBY, None, (2, 3)))
    return SeedDraw(id_, nonce, 1, b"H" * 32, (BEN, CLEO), host_name="Ann")


DRAW = draw_with(b"n" * 16)


def lobby(draw: SeedDraw | None) -> Lobby:
    """The lobby during a draw."""
    return structs.replace(LOBBY, draw=draw)


def answer(share: OwnShare, draw: SeedDraw | None, member: int = 2) -> tuple[object, ...]:
    """What a member's program answers to a draw."""
    return share.answer(lobby(draw), None, member)


def own_share() -> OwnShare:
    """A program whose shares are counted."""
    numbers = count(1)
    return OwnShare(lambda: bytes([next(numbers)]) * 32)


def commit_all(share: bytes, cleo: bytes = b"C" * 32) -> SeedDraw:
    """The draw once all have committed."""
    return structs.replace(DRAW, commitments=(commitment(DRAW.id, "Ben", share), cleo))


def test_a_program_commits_to_one_share_however_often_it_is_asked() -> None:
    share = own_share()
    first = answer(share, DRAW)
    assert first == answer(share, DRAW)
    assert first == (CommitShare(DRAW.id, commitment(DRAW.id, "Ben", b"\1" * 32)),)


def test_a_program_that_is_not_asked_answers_nothing() -> None:
    share = own_share()
    over = structs.replace(DRAW, done=True)
    for draw, member in ((None, 2), (over, 2), (DRAW, 1), (DRAW, 4)):
        assert answer(share, draw, member) == ()
    assert share.share == b""


def test_a_share_that_was_never_committed_to_is_not_shown() -> None:
    assert answer(own_share(), commit_all(b"\1" * 32)) == ()


def test_each_draw_has_a_share_of_its_own() -> None:
    share = own_share()
    answer(share, DRAW)
    other = draw_with(b"m" * 16)
    assert answer(share, other) == (CommitShare(other.id, commitment(other.id, "Ben", b"\2" * 32)),)
    assert answer(share, commit_all(b"\1" * 32)) == (), "the first draw is given up"


def test_a_draw_for_other_seats_settings_or_another_round_gets_no_answer() -> None:
    chairs = (LOBBY.chairs[1], LOBBY.chairs[0], LOBBY.chairs[2])
    for change in (
        structs.replace(LOBBY, chairs=chairs, draw=DRAW),
        structs.replace(LOBBY, settings=Settings(seats=3, edition="italia"), draw=DRAW),
        structs.replace(LOBBY, settings=Settings(seats=3, youngest=1), draw=DRAW),
        structs.replace(LOBBY, draw=structs.replace(DRAW, round=2)),
        structs.replace(LOBBY, draw=structs.replace(DRAW, nonce=bytes(16))),
    ):
        assert own_share().answer(change, None, 2) == ()


def test_a_share_is_shown_for_one_list_of_commitments_alone() -> None:
    share, ours = own_share(), b"\1" * 32
    answer(share, DRAW)
    assert answer(share, commit_all(ours)) == (ShowShare(DRAW.id, ours),)
    assert answer(share, commit_all(ours)) == (ShowShare(DRAW.id, ours),), "it may have been lost"
    assert answer(share, commit_all(ours, b"c" * 32)) == ()
    share.pongs_due = 0
    assert not share.has_answered(commit_all(ours, b"c" * 32))
    assert share.has_answered(commit_all(ours))


def test_what_was_public_when_the_share_was_shown_cannot_be_exchanged_afterwards() -> None:
    share, ours = own_share(), b"\1" * 32
    answer(share, DRAW)
    before = commit_all(ours)
    assert answer(share, before) == (ShowShare(DRAW.id, ours),)
    swapped = structs.replace(commit_all(ours, b"c" * 32), host=b"h" * 32)
    shown = structs.replace(swapped, shares=(ours, b"x" * 32), done=True)
    seen = share.describe_draw(lobby(shown), 1)
    assert seen.draw == structs.replace(before, shares=shown.shares, done=True)
    assert (seen.host, seen.own) == ("Ann", ours)


def test_a_draw_of_another_round_is_not_that_of_this_one() -> None:
    over = structs.replace(DRAW, done=True)
    assert own_share().describe_draw(lobby(over), 2) == SeenDraw(None, "Ann", is_due=True)


def test_rounds_that_were_not_seen_are_not_known() -> None:
    seen = SeenDraw(None, "Ann")
    assert NOTHING_DEALT.after_gap(2).add_round(seen, None).draws == (None, None, seen)
