"""Tables that go on with another host, one situation each, in simulated time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import Phase
from net.protocol.evening import EveningPlan, TargetUnit, draw_seats
from net.protocol.lobby import Absence, Stage
from net.protocol.messages import Mark
from net.protocol.requests import Chat, GiveHost
from net.room.succession import is_outnumbered
from tests.net.takeover.takeover_world import World
from tests.samples import first


def begin_game(seed: int = 3, people: int = 3) -> World:
    """A game under way, with all at the first host, and no mishaps but those of the test."""
    world = World(seed, people, Absence.BOT)
    world.begin()
    world.run_until(lambda: has_view(world) and world.hosts[0].room.state.number > 16)
    return world


def has_view(world: World) -> bool:
    """Whether the game is under way, and all have a copy of its log."""
    return all(
        player.state.status.view is not None
        and player.state.status.view.phase is Phase.PLAY
        and player.state.copy.last > 10
        for player in world.players
    )


def went_on(world: World, term: int) -> bool:
    """Whether all who are on and connected to the newest host are at it."""
    host = world.newest()
    return host.term == term and all(
        player.state.entered
        and player.state.status.lobby is not None
        and player.state.status.lobby.term == term
        for player in world.players
        if world.reach(player.number, host.laptop)
    )


def test_a_host_that_is_killed_is_gone_on_without_within_eight_seconds() -> None:
    world = begin_game()
    world.kill(world.hosts[0])
    killed, first = world.now, world.players[0].election.successors[0]
    world.run_until(lambda: went_on(world, 1))
    assert world.now - killed < 8
    assert world.newest().laptop == world.owner_of(first.member)


def test_a_host_that_is_back_in_time_stays_the_host() -> None:
    world = begin_game()
    world.kill(world.hosts[0])
    world.later(2.0, lambda: world.resume(world.hosts[0]))
    world.run_for(20)
    assert len(world.hosts) == 1
    assert all(player.state.entered for player in world.players)


def test_a_host_that_is_back_too_late_is_superseded_and_its_player_sits_down() -> None:
    world = begin_game()
    world.switch_off(world.players[0], 20.0)
    world.run_until(lambda: went_on(world, 1))
    world.run_until(lambda: world.players[0].on)
    world.later(1.0, lambda: world.resume(world.hosts[0]))
    world.run_until(lambda: world.players[0].state.entered)
    assert world.hosts[0].superseded
    lobby = world.newest().room.lobby
    assert lobby.seat_of(world.players[0].state.status.member) is not None
    assert lobby.host != world.players[0].state.status.member


def test_the_half_with_fewer_waits_and_the_other_goes_on() -> None:
    world = begin_game(people=5)
    world.groups = [0, 0, 1, 1, 1]
    world.run_until(lambda: went_on(world, 1))
    before = world.hosts[0].room.state.turn
    old = world.hosts[0].room.lobby
    assert is_outnumbered(old)
    world.run_for(30)
    assert world.hosts[0].room.state.turn == before, "no move is made there"
    assert world.newest().room.state.turn > before
    world.join()
    world.run_until(lambda: went_on(world, 1))
    assert world.hosts[0].superseded


def test_the_host_with_more_than_half_stays_the_host() -> None:
    world = begin_game(people=5)
    world.groups = [0, 0, 0, 1, 1]
    world.run_for(30)
    assert len(world.hosts) == 1
    assert world.hosts[0].room.lobby.stage is Stage.PLAYING


def test_a_host_hands_the_table_over_to_whom_it_likes() -> None:
    world = begin_game()
    third = world.players[2]
    world.say(
        world.players[0], *world.players[0].state.request(GiveHost(third.state.status.member))
    )
    asked = world.now
    world.run_until(lambda: went_on(world, 1))
    assert world.newest().laptop == 2
    assert world.now - asked < 3
    assert world.hosts[0].superseded


def test_a_table_moves_twice_and_the_game_is_played_to_its_end() -> None:
    world = begin_game()
    world.kill(world.hosts[0])
    world.run_until(lambda: went_on(world, 1))
    world.kill(world.newest())
    world.run_until(lambda: went_on(world, 2))
    world.calm = True
    world.run_until(world.is_over)


@pytest.mark.parametrize("phase", first(1, [Phase.PLAY, Phase.OVER], thorough=2))
def test_an_evening_goes_on_at_the_next_host_with_its_standings_and_its_draw_of_seats(
    phase: Phase,
) -> None:
    plan = EveningPlan(TargetUnit.GAMES, 3)
    world = World(2, 3, Absence.BOT, plan)
    world.begin()
    first = world.hosts[0].room
    world.run_until(lambda: first.lobby.evening.games == 1 and first.state.phase is phase)
    if phase is Phase.PLAY:
        world.run_for(1.0)
    before = first.lobby
    world.run_until(lambda: all(one.state.status.lobby == first.lobby for one in world.players))
    world.kill(world.hosts[0])
    world.run_until(lambda: went_on(world, 1))
    second = world.newest().room
    assert second.lobby.evening == before.evening
    for games in range(before.evening.games + 1, plan.target):
        world.run_until(lambda: second.lobby.evening.games == games)  # noqa: B023 - called here
        names, record = [second.lobby.name_at(seat) for seat in range(3)], second.state.record
        assert record is not None
        world.run_until(lambda: second.lobby.stage is Stage.LOBBY)
        order = draw_seats(record.seeds[-1], games, 3)
        drawn = [second.lobby.name_at(seat) for seat in range(3)]
        assert drawn == [names[seat] for seat in order]
    world.calm = True
    world.run_until(world.is_over)
    assert sum(row.games for row in second.lobby.evening.rows) == 3 * plan.target
    for player in world.players:
        assert player.state.status.lobby is not None
        assert player.state.status.lobby.evening == second.lobby.evening


def test_whoever_has_seen_more_but_cannot_be_reached_gives_their_copy() -> None:
    world = begin_game(seed=4, people=4)
    world.deaf = {1, 2}  # what the host says now reaches but one of them
    number, third = world.hosts[0].room.state.number, world.players[3]
    world.say(third, *third.state.request(Chat("look")))
    world.run_until(lambda: third.state.copy.last > number)
    world.unreachable = {3}
    world.switch_off(world.players[0], 500.0)
    world.deaf = set()
    world.run_until(lambda: went_on(world, 1))
    assert world.newest().laptop in {1, 2}
    world.check_settled()


def test_a_step_that_only_a_minority_had_heard_is_undone_and_told_of() -> None:
    world = begin_game(people=5)
    world.deaf = {1, 2, 3}
    number, last = world.hosts[0].room.state.number, world.players[4]
    world.say(last, *last.state.request(Chat("look")))
    world.run_until(lambda: last.state.copy.last > number)
    world.deaf, world.groups = set(), [0, 1, 1, 1, 2]
    world.run_until(lambda: went_on(world, 1))
    assert not world.undone
    world.join()
    world.run_until(lambda: world.undone > 0)
    world.run_until(lambda: went_on(world, 1))
    assert last.state.status.lobby is not None
    assert last.state.status.lobby.term == 1


def test_a_table_goes_on_although_all_other_laptops_were_off_meanwhile() -> None:
    world = begin_game(people=4)
    world.switch_off(world.players[0], 500.0)
    seen = {one.number: one.state.copy.last for one in world.players}
    for player in world.players[1:]:
        world.switch_off(player, 3.0)
    world.run_until(lambda: went_on(world, 1))
    assert world.newest().room.state.number > max(seen.values())
    world.check_settled()


def test_a_write_that_was_cut_off_costs_no_vote() -> None:
    world = begin_game()
    world.switch_off(world.players[0], 500.0)
    for player in world.players[1:]:
        world.switch_off(player, 3.0)
        assert player.disk is not None
        steps = player.disk.steps[:-1]
        mark = Mark(len(steps), world.hosts[0].room.past.hash_at(len(steps)))
        player.disk = replace(player.disk, steps=steps, mark=mark)
    world.run_until(lambda: went_on(world, 1))


def test_a_sealed_table_goes_on_without_one_who_is_bound_to_a_candidate_gone_for_good() -> None:
    world = begin_game(people=4)
    world.groups = [0, 0, 0, 1]
    world.kill(world.hosts[0])
    world.run_until(lambda: any(one.election.pledge.opening for one in world.players))
    candidate = next(one for one in world.players if one.election.pledge.opening)
    world.switch_off(candidate, 5000.0)
    world.gone_for_good.add(candidate.number)
    assert {one.number for one in world.players if one.election.is_bound} == {0, 1, 2}
    world.join()
    world.resume(world.hosts[0])
    last = world.players[3]
    world.run_until(lambda: last.state.status.sealed is not None)
    world.run_until(lambda: last.state.entered and last.state.status.lobby is not None)
    assert world.newest().term > 1
    world.calm = True
    world.run_until(world.is_over)
