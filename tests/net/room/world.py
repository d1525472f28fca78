"""A whole table in one process: a room, its disk, connections that break, and players with whims.

Time is simulated, all chance is of one seed, and messages cross every connection as bytes. After
each thing that a client takes in, what it holds is compared with what the host says it should hold.
"""

from __future__ import annotations

import heapq
from functools import partial

from engine import Phase
from engine.bots import BOTS, Playouts
from net.protocol.lobby import Absence, Settings, Stage, TableClaim, Taken, Topic
from net.protocol.lobby_events import BotClaimed
from net.protocol.messages import DiskStatus
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    HandOver,
    MakeClaim,
    NextRound,
    Pause,
    PutBot,
    SetReady,
    Sit,
    Start,
)
from net.room import inputs
from net.room.state import read_step
from tests.net.room.world_table import LONGEST, Player, Site, WorldTable


class World(WorldTable):
    """One game of one seed."""

    def run(self) -> None:
        """Play until the game is over for all."""
        self.later(0.5, partial(self.tick, self.sites[0]))
        self.later(self.rng.uniform(0, 5), self.mishap)
        for player in self.players:
            self.later(self.rng.uniform(0, 2), partial(self.dial, player))
            self.later(2.0, partial(self.ping, player))
            self.later(0.5, partial(self.think, player))
        while not self.is_over():
            self.now, _, what = heapq.heappop(self.queue)
            assert self.now < LONGEST, "the game is stuck"
            what()
        self.check_journal()

    def is_over(self) -> bool:
        """Whether the game is over, and every client knows: a table without anybody stops, too."""
        used = {line.site for line in self.lines.values()}
        (site, *more) = [site for site in self.sites if site.is_up and site in used] or self.sites
        if more or site.room.state.phase is not Phase.OVER or site.waiting:
            return False
        return all(
            player.site is site
            and player.state.status.game_state is not None
            and player.state.status.game_state.incarnation == site.room.incarnation
            and player.state.status.game_state.step == site.room.state.number
            and player.state.status.view is not None
            and not player.state.commands
            for player in self.players
        )

    # The players.

    def think(self, player: Player) -> None:
        """A player looks at the table and does what is due, or what comes to mind."""
        self.later(self.rng.uniform(0.05, 0.6), partial(self.think, player))
        client = player.state
        if not client.entered or client.status.game_state is None or client.lost:
            return
        pending = client.commands
        if any(not isinstance(command.request, Chat) for command in pending):
            return
        if self.rng.random() < 0.01:
            words = Chat("digging 金 " * self.rng.randint(1, 8))
            topic = self.rng.choice((Topic.GOLD_AT, Topic.DIGS_AGAINST_US, Topic.BLUFF))
            claim = MakeClaim(TableClaim(topic, self.rng.randrange(3)))
            self.say(player, *client.request(self.rng.choice((words, claim))))
        view, lobby, seat = client.status.view, client.status.game_state.lobby, client.status.seat
        if view is not None and seat is not None and view.to_act == seat:
            if not lobby.paused and self.rng.random() > 0.01:
                move = BOTS[player.level](view, self.rng, Playouts(0))
                self.say(player, *client.request(client.status.move_request(move)))
        elif seat is not None and (view is None or view.phase is Phase.DEAL):
            chair = lobby.chairs[seat]
            if isinstance(chair, Taken) and not chair.ready:
                self.say(player, *client.request(SetReady(ready=True)))
        elif seat is None and view is not None and view.phase is Phase.DEAL:
            bots = [at for at, chair in enumerate(lobby.chairs) if not isinstance(chair, Taken)]
            if bots and self.rng.random() < 0.5:
                self.say(player, *client.request(Sit(self.rng.choice(bots))))
        if client.status.is_host:
            self.preside(player)

    def preside(self, host: Player) -> None:
        """What the host does."""
        client, rng = host.state, self.rng
        assert client.status.game_state is not None
        lobby, view = client.status.game_state.lobby, client.status.view
        if lobby.stage is Stage.LOBBY:
            free = lobby.first_free()
            expected = sum(not player.state.watch for player in self.players)
            if len(lobby.sitting) < expected:
                return
            if free is not None and (free < 3 or rng.random() < 0.3):
                self.say(host, *client.request(PutBot(free, f"bot {free}", host.level)))
            elif all(chair.ready for chair, _ in lobby.sitting):
                self.say(host, *client.request(Start()))
        elif lobby.paused or rng.random() < 0.005:
            self.say(host, *client.request(Pause(not lobby.paused)))
        elif view is not None and view.phase is Phase.DEAL and rng.random() < 0.1:
            self.say(host, *client.request(NextRound()))
        elif rng.random() < 0.01:
            changed = Settings(
                edition=lobby.settings.edition,
                rounds=lobby.settings.rounds,
                seats=lobby.settings.seats,
                youngest=lobby.settings.youngest,
                absent=rng.choice(tuple(Absence)),
                turn_seconds=rng.choice((0, 2)),
            )
            self.say(host, *client.request(ChangeSettings(changed)))
        elif rng.random() < 0.01:
            watching = [person for person in lobby.people if lobby.seat_of(person.member) is None]
            bots = [at for at, chair in enumerate(lobby.chairs) if not isinstance(chair, Taken)]
            if watching and bots:
                want = HandOver(rng.choice(bots), rng.choice(watching).member)
                self.say(host, *client.request(want))

    # Mishaps.

    def mishap(self) -> None:
        """Something goes wrong with a connection, a laptop, the disk or the host."""
        rng = self.rng
        self.later(rng.expovariate(1 / self.calm), self.mishap)
        player = rng.choice(self.players)
        kind = rng.random()
        if kind < 0.45 and player.line is not None:
            self.cut(player.line)
        elif kind < 0.65:
            self.dial(player)
        elif kind < 0.75 and player.line is not None and not player.away:
            self.close_lid(player)
        elif kind < 0.85:
            self.crash(self.sites[-1])
        elif kind < 0.92 and self.sites[-1].room.disk is DiskStatus.OK:
            self.fill_disk(self.sites[-1])
        elif kind < 0.97:
            self.start_anew(player)
            for line in tuple(self.lines.values()):
                if line.player is player:  # a connection ends with its program
                    self.cut(line)

    def close_lid(self, player: Player) -> None:
        """A laptop sleeps without goodbye for some seconds, and wakes with another address."""
        assert player.line is not None
        line, player.line, player.away = player.line, None, True
        player.state.end_connection()

        def wake() -> None:
            player.away = False
            self.cut(line)
            self.dial(player)

        self.later(self.rng.uniform(1, 25), wake)

    def fill_disk(self, site: Site) -> None:
        """The disk is full for some seconds."""
        self.deliver(site, inputs.note_disk(site.room, self.now, DiskStatus.FULL))
        life, unsaved = site.life, self.rng.random() < 0.3
        disk = DiskStatus.UNSAVED if unsaved else DiskStatus.OK

        def free_disk() -> None:
            if life == site.life:
                site.unsaved = unsaved
                self.deliver(site, inputs.note_disk(site.room, self.now, disk))
                for _ in range(len(site.waiting)):
                    self.write_one(site, life)

        self.later(self.rng.uniform(0.5, 12), free_disk)

    # The end.

    def has_lost_part(self, player: Player) -> bool:
        """Whether a program missed a round of a game that moved, or its gold was drawn anew."""
        held = player.state.status.game_state
        assert held is not None
        assert held.view is not None
        seat, moves = held.view.seat, held.lobby.relocations
        is_anew = any(move.anew and seat in (None, *move.anew) for move in moves)
        return len(self.sites) > 1 and (held.past is None or is_anew)

    def check_journal(self) -> None:
        """No command is in the journal twice, and played again it leads to the same table."""
        site = self.players[0].site
        assert site.unsaved or len(site.disk) == site.room.written
        steps = [read_step(payload) for payload in site.disk]
        self.claims = [
            event for step in steps for event in step.news if isinstance(event, BotClaimed)
        ]
        done = [(step.by, step.id) for step in steps if step.id]
        assert len(done) == len(set(done))
        again = self.resume_room(site).state
        assert not steps or again == site.truth[again.number]
        for player in self.players:
            self.compare(player)
            assert player.state.status.game_state is not None
            assert player.state.status.game_state.record or self.has_lost_part(player)
