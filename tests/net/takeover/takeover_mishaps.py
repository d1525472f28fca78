"""All that can go wrong at a table that goes on: the mishaps of one seed, and how the game may end.

Hosts die and come back early, late or never, in play, in the choice of gold and in the draw of a
deal, one after the other; the network falls apart in every shape; laptops let nobody in; shares of
the key are lost on the way, and tables fail to open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from engine import Phase
from net.protocol.lobby import Absence, Stage
from net.protocol.requests import GiveHost
from net.room.succession import electors, is_majority, is_outnumbered
from tests.net.takeover.takeover_laptops import LONGEST_S, Host, Player
from tests.net.takeover.takeover_world import World

CALM_S = 300.0
"""Seconds after the last mishap in which a table has to come to its end, or to say why not."""

LOOK_S = 0.1
"""Seconds between two looks at what a host is at."""


@dataclass
class RoughWorld(World):
    """One game of one seed, to which everything happens."""

    calm_at: float = LONGEST_S
    at: dict[int, str] = field(default_factory=dict)
    deaths: dict[str, int] = field(default_factory=dict)

    def run(self, mishaps_s: float = 150.0) -> None:
        """Play until the game is over for all who are there, or cannot go on, and says so."""
        self.share_loss = self.rng.choice((0.0, 0.2))
        self.open_failure = self.rng.choice((0.0, 0.2))
        self.begin()
        self.later(self.rng.uniform(5, 20), self.mishap)
        self.later(LOOK_S, self.strike)
        self.later(mishaps_s, self.heal)
        self.run_until(lambda: self.is_over() or self.says_why())
        self.check_settled()

    # Mishaps.

    def mishap(self) -> None:
        """Something goes wrong."""
        if self.calm:
            return
        rng = self.rng
        self.later(rng.expovariate(1 / 8), self.mishap)
        running = [host for host in self.hosts if host.runs]
        kind = rng.random()
        if kind < 0.25 and running:
            self.die(rng.choice(running), "any time")
        elif kind < 0.45:
            self.switch_off(rng.choice(self.players), rng.choice((3.0, 10.0, 40.0)))
        elif kind < 0.70:
            self.part()
        elif kind < 0.75:
            self.unreachable = {rng.randrange(len(self.players))}
        elif kind < 0.85 and self.lines:
            self.cut(rng.choice(list(self.lines.values())))
        elif kind < 0.97 and running:
            self.hand_over(rng.choice(running))
        else:
            self.lose(rng.choice(self.players))

    def strike(self) -> None:
        """Let some hosts die just as gold is chosen, or a deal is drawn, each time once."""
        if self.calm:
            return
        self.later(LOOK_S, self.strike)
        for host in [one for one in self.hosts if one.runs]:
            state = host.room.state
            when = "gold" if state.phase is Phase.GOLD else "draw" if state.lobby.is_drawing else ""
            begins, self.at[host.term] = when != self.at.get(host.term, ""), when
            if when and begins and self.rng.random() < 0.4:
                self.later(self.rng.uniform(0, 0.3), partial(self.die, host, when))

    def has_opened(self, host: Host) -> None:
        """Let some new hosts die at once: then the table moves twice in a row."""
        if not self.calm and self.rng.random() < 0.15:
            self.later(self.rng.uniform(0, 2), partial(self.die, host, "new"))

    def die(self, host: Host, when: str) -> None:
        """Kill a table's process, and bring it back early, late, or not before the end."""
        if host.runs and not self.calm:
            self.deaths[when] = self.deaths.get(when, 0) + 1
            self.kill(host)
            if self.rng.random() < 0.5:
                self.later(self.rng.choice((0.5, 4.0, 6.0, 20.0)), partial(self.resume, host))

    def part(self) -> None:
        """Let the network fall into two or three parts, or cut one laptop off."""
        rng, all_of_them = self.rng, len(self.players)
        alone = rng.randrange(all_of_them)
        self.groups = rng.choice(
            (
                [rng.randint(0, 1) for _ in range(all_of_them)],
                [rng.randint(0, 2) for _ in range(all_of_them)],
                [int(number == alone) for number in range(all_of_them)],
                list(range(all_of_them)),
            )
        )
        self.later(rng.choice((1.0, 6.0, 15.0)), self.join)

    def hand_over(self, host: Host) -> None:
        """A host wants somebody else to go on."""
        player = self.players[host.laptop]
        lobby = player.state.status.lobby
        if lobby is None or player.host is not host or player.state.status.member != lobby.host:
            return
        others = [one for one in electors(lobby) if one != lobby.host]
        if others and player.state.entered:
            self.handed_over += 1
            self.say(player, *player.state.request(GiveHost(self.rng.choice(others))))

    def lose(self, player: Player) -> None:
        """Switch a laptop off that never comes back, if more than half of all are left."""
        left = len(self.players) - len(self.gone_for_good | {player.number})
        if 2 * left > len(self.players) and player.on:
            self.gone_for_good.add(player.number)
            self.switch_off(player, LONGEST_S)

    def heal(self) -> None:
        """Bring all laptops back together, and whoever has a table that nobody went on with."""
        self.calm, self.calm_at = True, self.now
        self.share_loss = self.open_failure = 0.0
        self.unreachable = set()
        self.join()
        for host in self.hosts:
            self.later(60.0, partial(self.resume, host))

    # How it may end beside by its end.

    def says_why(self) -> bool:
        """Whether the game waits for somebody who does not come, and its players are told."""
        if not self.calm or self.now < self.calm_at + CALM_S:
            return False
        newest = self.newest()
        if not newest.runs:
            return newest.laptop in self.gone_for_good and not self.can_elect()
        if is_outnumbered(newest.room.lobby) and not self.can_elect():
            return True  # some are bound to a host who is gone for good
        return self.is_sealed(newest) or self.waits_for_lost(newest)

    def can_elect(self) -> bool:
        """Whether more than half of the programs are there and have a copy of the log."""
        here = [player for player in self.players if player.on and player.state.copy.last]
        has_copy = {player.election.member for player in here}
        return any(
            is_majority(has_copy, [one.member for one in player.election.electors])
            for player in here
        )

    def is_sealed(self, host: Host) -> bool:
        """Whether a table says that it waits for the shares of those who do not come.

        They are gone for good, or were never told where the others listen: their program died
        before it had anything but the address of the first host.
        """
        opening, state = host.room.opening, host.room.state
        if opening is None or not opening.log.needed:
            return False
        lost = {one.number for one in self.players if not one.election.successors}
        lost |= self.gone_for_good
        waited = {state.member_with(self.key_of(number)) for number in lost}
        return not waited.isdisjoint(opening.log.waiting)

    def waits_for_lost(self, host: Host) -> bool:
        """Whether a table shows that somebody has to come who does not."""
        state = host.room.state
        lost = {state.member_with(self.key_of(number)) for number in self.gone_for_good}
        gone = [one for _, one in state.lobby.sitting if one.member in lost]
        if not any(one.presence.is_gone for one in gone):
            return False
        waits = state.lobby.settings.absent is Absence.WAIT
        return waits or state.lobby.stage is Stage.LOBBY or state.phase is Phase.DEAL
