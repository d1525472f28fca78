"""Elections with a liar among the electors: three honest programs elect one of them anyway."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec import structs

from net.client.pledge import Pledge
from net.protocol.election import Compare, Elected, Elector, GivenUp, Mandate, Rally, VoteWanted
from net.protocol.lobby import MAX_TERM
from net.takeover.election import Election
from net.takeover.election_acts import (
    AGAIN_S,
    OPENING_S,
    TERM_WINDOW,
    VOTING_S,
    Act,
    ElectionMessage,
    Failures,
    KeepPledge,
    Say,
    TakeOver,
    highest_after,
)
from tests.net.takeover.electors import TABLE, copy_of, key_of, mandate_of, print_of
from tests.samples import first

HOST, LIAR = 1, 2
HONEST = (3, 4, 5)
PEOPLE = (HOST, LIAR, *HONEST)
ELECTORS = tuple(
    Elector(member, key_of(member).public, print_of(member), 7350, (bytes(4),)) for member in PEOPLE
)
TICK_S = 0.25
OPENS_S = 1.0

Lie = Callable[["Game"], None]


class Game:
    """Three honest programs that miss their host, and a liar who says what it likes to them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.parts = {member: program(member) for member in HONEST}
        self.opening: list[tuple[float, Mandate]] = []
        self.highest = 0
        for member, part in self.parts.items():
            for other in (LIAR, *HONEST):
                if other != member:
                    self.do(member, part.note_link(other))

    def do(self, member: int, acts: list[Act]) -> None:
        """Do what somebody's program asks for."""
        for act in acts:
            match act:
                case Say(other, message) if other in self.parts and not isinstance(
                    message, Compare
                ):
                    self.tell(member, other, message)
                case KeepPledge(pledge):
                    self.highest = max(self.highest, pledge.promised)
                case TakeOver(_, mandate):
                    self.opening.append((self.now + OPENS_S, mandate))
                case _:
                    pass

    def tell(self, by: int, to: int, message: ElectionMessage) -> None:
        """Somebody's program is told something."""
        self.do(to, self.parts[to].receive(by, message, self.now))

    def lie(self, message: ElectionMessage) -> None:
        """The liar tells it to all."""
        for member in HONEST:
            self.tell(LIAR, member, message)

    @property
    def promised(self) -> int:
        """The highest term that an honest program has promised."""
        return max(part.pledge.promised for part in self.parts.values())

    def run(self, lie: Lie, seconds: float = 60.0) -> float:
        """Return the seconds until all the honest are at the table of one of them."""
        while self.now < seconds:
            self.now += TICK_S
            lie(self)
            for member, part in self.parts.items():
                self.do(member, part.tick(self.now, alarmed=True))
                lie(self)
            for due, mandate in self.opening:
                if due == self.now:
                    opened = self.parts[mandate.member].announce_table(mandate, 7350, (bytes(4),))
                    self.do(mandate.member, opened)
            hosts = {part.host for part in self.parts.values()}
            if len(hosts) == 1 and hosts < set(HONEST):
                return self.now
        raise AssertionError("nobody was elected")


def program(member: int) -> Election:
    """The part of a member's program."""
    part = Election(key_of(member), copy_of(5), member, TABLE, host=HOST)
    part.set_electors(ELECTORS)
    part.fingerprint = print_of(member)
    return part


def liars_rally(promised: int) -> Rally:
    """What the liar tells of itself: all others would have to wait for it."""
    return Rally(0, promised, promised, 0, 5, alarmed=True, rallied=4)


def asks(term: int) -> VoteWanted:
    """The liar's candidacy."""
    return VoteWanted(min(term, MAX_TERM), PEOPLE, 0, 0, 0, 5)


def promises_much(game: Game) -> None:
    """Tell of the highest term there is."""
    game.lie(liars_rally(MAX_TERM))


def stands_in_the_highest_term(game: Game) -> None:
    """Ask for votes that would lead all to the highest term."""
    game.lie(asks(MAX_TERM))


def stands_all_the_time(game: Game) -> None:
    """Ask for votes in the next term, and never give up."""
    game.lie(asks(game.promised + 1))


def leads_them_on(game: Game) -> None:
    """Ask for votes as far up as they go, and give up at once."""
    for member, part in game.parts.items():
        game.tell(LIAR, member, asks(highest_after(part.pledge.promised)))
        game.tell(LIAR, member, GivenUp(part.pledge.promised))


def gives_up_late(game: Game, period: float = 2.5, phase: float = 0.0) -> None:
    """Ask for votes, keep them as long as pays, and begin again."""
    for member, part in game.parts.items():
        if (game.now + phase) % period < TICK_S:
            game.tell(LIAR, member, GivenUp(part.pledge.promised))
        game.tell(LIAR, member, asks(part.pledge.promised + 1))


def alternates(game: Game) -> None:
    """Do all of it in turn."""
    lies = (promises_much, stands_in_the_highest_term, stands_all_the_time, leads_them_on)
    lies[round(game.now / TICK_S) % len(lies)](game)


def shows_a_mandate(game: Game) -> None:
    """Claim to have been elected in the highest term."""
    mandate = structs.replace(mandate_of(1, LIAR, LIAR), term=MAX_TERM, electors=PEOPLE)
    game.lie(Elected(mandate, 7350, (bytes(4),)))


@pytest.mark.parametrize(
    ("lie", "seconds"),
    [
        (promises_much, 8),
        (stands_in_the_highest_term, 4),
        (stands_all_the_time, 16),
        (leads_them_on, 16),
        (gives_up_late, 16),
        (alternates, 16),
        (shows_a_mandate, 4),
    ],
)
def test_three_honest_programs_elect_one_of_them_within_seconds(lie: Lie, seconds: float) -> None:
    game = Game()
    assert game.run(lie) <= seconds
    assert game.highest < 100 * TERM_WINDOW, "and far from the highest term"


@pytest.mark.parametrize(
    "period", first(4, [1.5, 2.25, 3.0, 4.0, 2.0, 2.5, 2.75, 3.5, 5.0], thorough=9)
)
def test_a_liar_who_keeps_votes_and_gives_up_in_any_rhythm_soon_gets_none(period: float) -> None:
    phases = [step * TICK_S for step in range(round(period / TICK_S))]
    assert max(Game().run(partial(gives_up_late, period=period, phase=one)) for one in phases) <= 12


def test_what_one_liar_has_promised_does_not_count() -> None:
    game = Game()
    game.run(promises_much)
    assert game.highest < 10


def test_a_program_that_was_led_on_is_caught_up_with() -> None:
    game = Game()
    game.parts[3].pledge = Pledge(promised=5 * TERM_WINDOW)
    assert game.run(lambda _game: None) < 60


def test_no_term_is_beyond_the_highest() -> None:
    part = program(3)
    part.pledge = Pledge(promised=MAX_TERM)
    part.tick(0.0, alarmed=True)
    for other in (4, 5):
        part.receive(other, Rally(0, 0, 0, 0, 5, alarmed=True, rallied=2), 0.1)
    assert not [act for act in part.tick(30.0, alarmed=True) if isinstance(act, KeepPledge)]
    assert highest_after(MAX_TERM) == MAX_TERM


def test_who_gives_up_in_time_may_stand_again_soon_and_others_later() -> None:
    failures = Failures(voted_at=10.0)
    failures.note(LIAR, 10.0 + VOTING_S)
    assert failures.bars(LIAR, 10.0 + VOTING_S + AGAIN_S / 2)
    assert not failures.bars(LIAR, 10.0 + VOTING_S + AGAIN_S)
    failures.note(LIAR, 20.0)
    assert failures.bars(LIAR, 20.0 + OPENING_S - 0.1)
    assert not failures.bars(3, 20.0)


def test_an_earlier_vote_still_binds_when_a_later_one_was_in_vain() -> None:
    first = Pledge().add_vote(1, LIAR, own=3)
    own = first.add_vote(2, 3, own=3)
    assert own == Pledge(2, 3, 2, earlier=((1, LIAR),))
    assert own.without(2, 3) == Pledge(2, LIAR, 1)
    assert own.without(2, 3).without(1, LIAR).bound == 0
    assert own.without(1, LIAR) == Pledge(2, 3, 2)
    again = own.without(2, 3).add_vote(3, 4, own=3)
    assert again == Pledge(3, 4, 3, earlier=((1, LIAR),))
