"""Laptops whose hosts die and whose network falls apart, and a table that goes on, in one process.

Time is simulated, all chance is of one seed, and there are as many hosts as there were elections.
Whatever happens: no two hosts have one term, no step is lost that more than half of the players'
programs had in their copies, and once all laptops are back together the game is played to its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from engine import Phase
from engine.bots import BOTS, Playouts
from net.protocol.election import Compare, Mandate, Superseded
from net.protocol.lobby import Stage
from net.protocol.requests import NextRound, PlayAgain, SetReady, Start
from net.room import inputs
from net.room.permissions import why_not
from net.room.succession import (
    ALARM_AFTER_S,
    WARN_AFTER_S,
    is_outnumbered,
)
from net.takeover.election_acts import Act, ElectionMessage, Follow, KeepPledge, Say, TakeOver
from tests.net.takeover.takeover_hosts import Hosts
from tests.net.takeover.takeover_laptops import Host, Player


class World(Hosts):
    """One game of one seed."""

    def begin(self) -> None:
        """Switch everything on."""
        self.later(0.5, self.tick)
        self.later(0.5, self.comparisons.look)
        for player in self.players:
            self.later(self.rng.uniform(0, 1), partial(self.dial, player.number))
            self.later(0.25, partial(self.watch, player.number))
            self.later(2.0, partial(self.ping, player.number))
            self.later(0.5, partial(self.think, player.number))

    def is_over(self) -> bool:
        """Whether the game is over, and all who are still there know."""
        room = self.newest().room
        if not self.calm or room.state.phase is not Phase.OVER or not self.is_last():
            return False
        here = [player for player in self.players if player.number not in self.gone_for_good]
        held = [player.state.status.game_state for player in here]
        return all(
            one is not None and one.running == room.state.running and one.record for one in held
        )

    def is_last(self) -> bool:
        """Whether the present game is the last of the evening."""
        return self.evening is None or self.newest().room.lobby.evening.is_over(self.evening)

    def ping(self, number: int) -> None:
        """The heartbeat."""
        self.later(2.0, partial(self.ping, number))
        player = self.players[number]
        if player.on and (player.state.entered or player.state.status.sealed):
            self.say(player, player.state.ping())

    def watch(self, number: int) -> None:
        """What a program does all the time: look for its host, or for another."""
        self.later(0.25, partial(self.watch, number))
        player = self.players[number]
        if not player.on:
            return
        silent = self.now - player.heard_at
        if player.line is None or silent >= ALARM_AFTER_S:
            self.dial(number)
        lobby, election = player.state.status.lobby, player.election
        outnumbered = lobby is not None and is_outnumbered(lobby)
        is_sealed = player.state.status.sealed is not None
        waits = outnumbered or is_sealed
        player.sealed_at = (player.sealed_at or self.now) if is_sealed else None
        worried = silent >= WARN_AFTER_S or player.line is None or waits or election.is_bound
        worried = worried or election.called is not None
        wanted = {one.member for one in election.successors} if worried else set()
        for member in wanted | player.links:
            there = self.owner_of(member)
            linked = member in player.links
            may = self.reach(number, there) and there not in {number, *self.unreachable}
            if member in wanted and not linked and may:
                player.links.add(member)
                self.do(player, election.note_link(member))
            elif linked and not (member in wanted and self.reach(number, there)):
                player.links.discard(member)
                election.note_unlink(member)
                self.players[there].election.note_departure(election.member)
        alarmed = silent >= ALARM_AFTER_S or outnumbered
        sealed = player.sealed_at is not None and self.now - player.sealed_at >= ALARM_AFTER_S
        self.do(player, election.tick(self.now, alarmed=alarmed, sealed=sealed))

    def owner_of(self, member: int) -> int:
        """The laptop of a member."""
        return next(one.number for one in self.players if one.election.member == member)

    def do(self, player: Player, acts: Iterable[Act]) -> None:
        """Do what an election asks for."""
        for act in acts:
            match act:
                case Say(member, message):
                    assert not isinstance(message, Compare)
                    other = self.owner_of(member)
                    ours, theirs = player.life, self.players[other].life
                    there = partial(self.deliver_vote, player.number, ours, other, theirs, message)
                    self.later(self.delay(), there)
                case KeepPledge(pledge):
                    player.state.bound = pledge.bound
                case TakeOver(_, mandate, founding, steps):
                    assert founding == self.founding
                    opens = partial(self.open, player, player.life, mandate, list(steps))
                    self.later(self.rng.uniform(0.3, 1.5), opens)
                case Follow(elected):
                    self.follow(player, elected.mandate.term)

    def deliver_vote(
        self, by: int, ours: int, to: int, theirs: int, message: ElectionMessage
    ) -> None:
        """A message reaches another program, if there is a way and both still run."""
        one, other = self.players[by], self.players[to]
        if (one.life, other.life) == (ours, theirs) and self.reach(by, to):
            self.do(other, other.election.receive(one.election.member, message, self.now))

    def open(self, player: Player, life: int, mandate: Mandate, disk: list[bytes]) -> None:
        """The process of an elected host has started."""
        if not player.on or player.life != life:
            return
        if self.rng.random() < self.open_failure:
            self.do(player, player.election.give_up())
            return
        term, member = mandate.term, mandate.member
        assert all(host.term != term for host in self.hosts), "two hosts of one term"
        host = Host(term, player.number, self.room(term, disk, 1, member), disk)
        self.hosts.append(host)
        self.takeovers += 1
        if self.gone_at is not None:
            self.waits.append(self.now - self.gone_at)
            self.gone_at = None
        self.happen(host, inputs.reopen(host.room, self.now))
        self.do(player, player.election.announce_table(mandate, 1, ()))
        self.has_opened(host)

    def has_opened(self, host: Host) -> None:
        """A table has gone on: a place for what may go wrong next."""

    def follow(self, player: Player, term: int) -> None:
        """Go to a new host, and tell our own old one that it is over."""
        for host in self.hosts:
            if host.laptop == player.number and host.term < term:
                host.superseded = True
                if host.runs:
                    connection, key = self.events, player.state.key
                    self.events += 1
                    assert key is not None
                    self.happen(
                        host, inputs.add_connection(host.room, self.now, connection, key.public)
                    )
                    leaving = Superseded(term)
                    self.happen(host, inputs.receive(host.room, self.now, connection, leaving))
                    host.runs = False
        if player.line is not None:
            self.cut(player.line)
        player.host = next(host for host in self.hosts if host.term == term)
        player.heard_at = self.now
        self.dial(player.number)

    # Playing.

    def think(self, number: int) -> None:
        """A player does what is due."""
        self.later(self.rng.uniform(0.2, 1.5), partial(self.think, number))
        player = self.players[number]
        client = player.state
        if not player.on or not client.entered or client.lost or client.commands.pending:
            return
        lobby, view = client.status.lobby, client.status.view
        if lobby is None:
            return
        if lobby.stage is Stage.LOBBY:
            is_host = client.status.member == lobby.host
            want = Start() if is_host else SetReady(ready=True)
            may = why_not(lobby, view, client.status.member, want) is None
            if may and (is_host or not lobby.is_ready(client.status.member)):
                self.say(player, *client.request(want))
        elif view is not None and view.phase is Phase.OVER:
            again = PlayAgain()
            if why_not(lobby, view, client.status.member, again) is None and not self.is_last():
                self.say(player, *client.request(again))
        elif view is not None and view.phase is Phase.DEAL:
            if not lobby.is_ready(client.status.member):
                self.say(player, *client.request(SetReady(ready=True)))
            elif client.status.member == lobby.host and self.rng.random() < 0.1:
                self.say(player, *client.request(NextRound()))
        elif view is not None and view.to_act == client.status.seat and not is_outnumbered(lobby):
            self.say(
                player,
                *client.request(
                    client.status.move_request(BOTS["greedy"](view, self.rng, Playouts(0)))
                ),
            )

    # Power and cables.

    def switch_off(self, player: Player, seconds: float) -> None:
        """A laptop loses its power, and comes back after a while, with what was on its disk."""
        if not player.on:
            return
        for host in self.hosts:
            if host.laptop == player.number and host.runs:
                self.kill(host)
        if player.line is not None:
            self.cut(player.line)
        player.on = False

        def back() -> None:
            if not player.on and player.number not in self.gone_for_good:
                self.players[player.number] = self.player(player.number, player)

        self.later(seconds, back)

    def join(self) -> None:
        """The network is whole again."""
        self.groups = [0] * len(self.players)
