"""The hosts of a simulated table, and the programs of its players on their connections to them."""

from __future__ import annotations

from functools import partial

from engine.bots import BOTS, Playouts
from net.client.log_copy import SavedCopy
from net.protocol.election import Electors, HandingOver, Standby
from net.protocol.messages import ClientMessage, HostMessage, KeyShareGiven
from net.room import inputs
from net.room.copies import keeps_copy, outlives_program
from net.room.effects import CloseConnection, Effects
from net.room.succession import electors, is_majority
from tests.net.takeover.accusations import lacks
from tests.net.takeover.takeover_laptops import (
    TABLE,
    Host,
    Laptops,
    Line,
    Player,
    is_report,
    key_of,
)


class Hosts(Laptops):
    """Hosts on some of the laptops, and the players on their connections to them."""

    # Hosts.

    def tick(self) -> None:
        """The hosts' clocks, and their bots."""
        self.later(0.5, self.tick)
        for host in self.hosts:
            if host.runs:
                self.happen(host, inputs.tick(host.room, self.now))
                turn = host.room.bot_turn()
                if turn is not None:
                    move = BOTS["greedy"](turn.view, self.rng, Playouts(0))
                    self.happen(host, inputs.make_bot_move(host.room, self.now, turn, move))

    def happen(self, host: Host, effects: Effects) -> None:
        """Write what came of something, and send it."""
        for step in effects.steps:
            for number, payload in step.rewritten:
                host.disk[number - 1] = payload
            host.disk.append(step.payload)
        for do in effects.do:
            if isinstance(do, CloseConnection):
                self.later(0.01, partial(self.cut_number, host, do.connection))
                continue
            for number in do.connections:
                line = self.lines.get((id(host), number))
                if line is not None:
                    line.last_down = max(line.last_down, self.now + self.delay())
                    in_order = line.last_down - self.now
                    self.later(in_order, partial(self.arrive, line, do.message))
        if effects.finished:
            host.runs = False

    def cut_number(self, host: Host, number: int) -> None:
        """A host ends a connection."""
        line = self.lines.get((id(host), number))
        if line is not None:
            self.cut(line)

    def arrive(self, line: Line, message: HostMessage) -> None:
        """A frame reaches its client, if there is a way."""
        player = line.player
        line.broken |= not self.reach(line.host.laptop, player.number)
        if line.up and player.line is line and not line.broken and player.number not in self.deaf:
            player.heard_at = self.now
            self.take_in(player, line, message)

    def kill(self, host: Host) -> None:
        """A table's process is killed."""
        host.runs = False
        for line in [one for one in self.lines.values() if one.host is host]:
            self.cut(line)
        if self.gone_at is None:
            self.gone_at = self.now

    def resume(self, host: Host) -> None:
        """A table's process is brought back from its disk."""
        if host.runs or host.superseded or not self.players[host.laptop].on:
            return
        host.lives += 1
        member = self.players[host.laptop].election.member if host.term else 0
        elected = member if host.term > self.term_on(host) else 0
        host.room = self.room(host.term, host.disk, host.lives, elected)
        host.runs = True
        self.happen(host, inputs.reopen(host.room, self.now))

    def term_on(self, host: Host) -> int:
        """The term that the log on a disk has reached."""
        return self.room(0, host.disk, 1).lobby.term

    # Players and their hosts.

    def dial(self, number: int) -> None:
        """Connect to the host that is followed, if that is allowed and possible."""
        player, host = self.players[number], self.players[number].host
        bound = player.election.pledge.bound > host.term
        if bound or not host.runs or not self.reach(number, host.laptop):
            return
        if player.line is not None:
            player.line.up = False
        line = Line(self.events, host, player)
        self.events += 1
        self.lines[id(host), line.number] = line
        player.line, player.stood_by, player.heard_at = line, False, self.now
        player.state.end_connection()
        self.happen(
            host, inputs.add_connection(host.room, self.now, line.number, key_of(number).public)
        )
        self.say(player, player.state.begin_connection())

    def cut(self, line: Line) -> None:
        """A connection ends, and both sides know."""
        line.up = False
        self.lines.pop((id(line.host), line.number), None)
        inputs.drop_connection(line.host.room, self.now, line.number)
        if line.player.line is line:
            line.player.line = None
            line.player.state.end_connection()

    def say(self, player: Player, *messages: ClientMessage) -> None:
        """Send something to the host."""
        line = player.line
        for message in messages:
            if line is not None:
                line.last_up = max(line.last_up, self.now + self.delay())
                self.later(line.last_up - self.now, partial(self.hear, line, message))

    def hear(self, line: Line, message: ClientMessage) -> None:
        """A frame reaches the host, if there is a way."""
        line.broken |= not self.reach(line.host.laptop, line.player.number)
        line.broken |= isinstance(message, KeyShareGiven) and self.rng.random() < self.share_loss
        if line.up and line.host.runs and not line.broken:
            self.happen(line.host, inputs.receive(line.host.room, self.now, line.number, message))

    def take_in(self, player: Player, line: Line, message: HostMessage) -> None:
        """A client takes in a message."""
        seen = player.state.last_seen
        received = player.state.receive(message)
        lost = lacks(message, line.host.room.past, seen)
        player.witness.judge(received, lost=lost and player.state.status.undone is None)
        if received.round_end is not None:
            self.comparisons.begin(player.witness, received.round_end)
        self.undone += sum(is_report(one) for one in received.send)
        self.say(player, *received.send)
        match received.for_electors:
            case Electors(table, known):
                player.election.table = table
                player.election.set_electors(known)
            case HandingOver(member):
                player.election.call(member, self.now)
            case None:
                pass
        lobby, election = player.state.status.lobby, player.election
        if lobby is None:
            return
        election.note_list(lobby)
        election.member = player.state.status.member
        election.follow(lobby.term, lobby.host)
        if (
            not player.stood_by
            and keeps_copy(lobby, player.state.status.member)
            and player.state.entered
        ):
            player.stood_by = True
            self.say(player, Standby(election.fingerprint, 1, (bytes(4),)))
        self.save(player, line.host)

    def save(self, player: Player, host: Host) -> None:
        """Bring a copy on disk up to date, as `CopyKeeper` does, one write after the other."""
        held, copy = player.state.status.game_state, player.state.copy
        assert held is not None
        if (
            not outlives_program(held.lobby, player.state.status.member, held.phase)
            or not copy.last
        ):
            player.disk = player.written = None
        elif copy.last == held.step and not player.writes:
            due = copy.to_save(TABLE, held.mark, player.written)
            if due is not player.written:
                player.writes = True
                self.later(self.delay(), partial(self.wrote, player, host, due))

    def wrote(self, player: Player, host: Host, due: SavedCopy) -> None:
        """The disk has a write, unless the laptop is off by now: then it may have it or not."""
        player.writes = False
        if self.players[player.number] is not player:
            return
        if not player.on:
            player.disk = self.rng.choice((player.disk, due))
            return
        player.disk = player.written = due
        self.note_copy(player, host)
        self.save(player, host)

    def note_copy(self, player: Player, host: Host) -> None:
        """Note which steps more than half have in their copies on disk."""
        copy, lobby, written = player.state.copy, player.state.status.lobby, player.written
        assert lobby is not None
        if copy.term != host.term or written is None or written.revision != copy.revision:
            return  # it is renewed, and what it has is of another host
        if player.copied != host.term:
            player.copied, player.steps = host.term, 0
        for number in range(player.steps + 1, written.mark.step + 1):
            running = host.room.past.hash_at(number)
            those = self.heard.setdefault((number, running), set())
            those.add(player.state.status.member)
            if is_majority(those, electors(lobby)):
                assert self.settled.setdefault(number, running) == running
        player.steps = max(player.steps, written.mark.step)
