"""Faults that make honest programs accuse each other: a simulated world fails with each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from net.client.draws import LeftOut, SeenDeals, SeenDraw, SeenRound
from net.client.missed import Missed
from net.client.session import Received
from net.client.state import ClientState
from net.client.trail import Rollback
from net.protocol.election import Compare
from tests.net.room.world import World
from tests.net.takeover.accusations import Witness
from tests.net.takeover.takeover_mishaps import RoughWorld
from tests.samples import first, pairs

pytestmark = pytest.mark.broad

WORLDS: tuple[Callable[[int], World | RoughWorld], ...] = (World, RoughWorld)


def suspicious_audit(patch: pytest.MonkeyPatch) -> None:
    """The audit finds other shares than those that were seen."""
    patch.setattr("net.client.audit._fits", lambda _recorded, _seen: False)


def forgetful_program(patch: pytest.MonkeyPatch) -> None:
    """A program forgets the draws that it saw, and counts their rounds as unseen."""
    after = SeenDeals.add_round

    def forget_deal(deals: SeenDeals, draw: SeenDraw, before: SeenRound | None) -> SeenDeals:
        return replace(after(deals, draw, before), draws=(None,) * (len(deals.draws) + 1))

    patch.setattr(SeenDeals, "add_round", forget_deal)


def wrong_hash(patch: pytest.MonkeyPatch) -> None:
    """Programs tell the others another hash than that of what they have seen."""
    patch.setattr(
        "net.takeover.comparing.Compare",
        lambda incarnation, step, running: Compare(incarnation, step, running[::-1]),
    )


def invent_loss(patch: pytest.MonkeyPatch) -> None:
    """A program takes every step that it missed for a rollback of the table."""
    since = Rollback(1, 2, (), is_whole=True, held=None)
    patch.setattr(Missed, "rollback", lambda _missed, _held: since)


def wrong_shares(patch: pytest.MonkeyPatch) -> None:
    """A sealed table takes each share of its key for a wrong one."""
    patch.setattr("net.room.opening._names", lambda _room, _members: ("Ben",))


def play_all(world: Callable[[int], World | RoughWorld]) -> None:
    """Play some worlds, one after the other: first those in which most faults are soon found."""
    for seed in (2, 5, 0, 1, 3, 4, 6, 7):
        world(seed).run()


PLANTS: dict[Callable[[pytest.MonkeyPatch], None], str] = {
    suspicious_audit: "the audit found",
    forgetful_program: "count as unseen",
    wrong_hash: "an honest program is accused",
    invent_loss: "a table that lost nothing|a loss that was none",
    wrong_shares: "a journal is said to be altered",
}


@pytest.mark.parametrize(
    ("plant", "world"), first(1, pairs([*PLANTS], WORLDS), thorough=len(PLANTS) * len(WORLDS))
)
def test_a_world_fails_if_an_honest_host_or_player_is_accused(
    plant: Callable[[pytest.MonkeyPatch], None],
    world: Callable[[int], World | RoughWorld],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = PLANTS[plant]
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=said):
        play_all(world)


def test_a_world_fails_if_a_program_says_that_the_host_ignored_its_answer() -> None:
    left_out = LeftOut(bytes(16), 1, answered=True)
    with pytest.raises(AssertionError, match="not heard"):
        Witness(ClientState("Ben")).judge(Received(left_out=(left_out,)), lost=False)
