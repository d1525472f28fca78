"""The room: the host's side of a table with no socket, no clock of its own, no file and no chance.

What links say and what time it is go in; steps for the journal and messages for links come out.
All of the table that must outlive the program is in `net.room.state`, and changes by steps alone;
what is here beside it are links, times and the frames of late. The room never waits, and never
raises for what a guest says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, assert_never

from engine import Move, Phase
from net.codec import write_move
from net.discovery import advert
from net.lobby import Claim, Free, Lobby, Presence, Stage, after
from net.lobby.news import (
    BotClaimed,
    Closed,
    Exit,
    Exited,
    LinkIs,
    News,
    Paused,
    Reopened,
    RoundBegins,
    StoodIn,
)
from net.messages import (
    Alarm,
    Announcing,
    Code,
    Command,
    Disk,
    DiskIs,
    Enter,
    Farewell,
    FromClient,
    GoUnsaved,
    Here,
    Kick,
    NewCode,
    NextRound,
    No,
    Ping,
    Play,
    Pong,
    Refused,
    ReportMissing,
    Resync,
    SetReady,
    Settled,
    Start,
    Want,
)
from net.room.bots import bot_due, is_still
from net.room.cues import Cues, cues_after
from net.room.decide import decide, decide_entry
from net.room.decided import all_ready
from net.room.guests import GONE_SECONDS, Guest, presence_after
from net.room.marks import Marks
from net.room.outcome import BotCue, BotTurn, Cue, Due, Numbered, Outcome
from net.room.post import Post, may_overtake
from net.room.state import State, apply
from net.room.step import Act, DealNext, Founding, Made, Step, read_founding, read_step, write
from net.room.tell import Change, snapshot, tell

Seeds: TypeAlias = Callable[[], bytes]
"""Where a round that is dealt has its 32 random bytes from, at the time it is dealt."""

_FAREWELLS: Final = {
    Exit.LEFT: Farewell.LEFT,
    Exit.KICKED: Farewell.KICKED,
    Exit.FORGOTTEN: Farewell.FORGOTTEN,
}


class Room:
    """A table. `state` holds its secrets; `disk` is what the shell last said of the journal."""

    def __init__(self, founding: Founding, incarnation: int, seeds: Seeds, now: float) -> None:
        """Open a new table. `incarnation` is the journal's; `now` is in seconds of any clock."""
        self.state = State.found(founding)
        self.incarnation = incarnation
        self.disk = DiskIs.FINE
        self._seeds = seeds
        self._post = Post(now)
        self._turn_since = now
        self._returning_until = now
        self._marks = Marks()
        self._reported: set[tuple[bytes, int, str]] = set()
        self._cues = Cues()
        self._steps: list[Numbered] = []
        self._go_unsaved = False
        self._alarm = 0
        self._announcing: bool | None = None  # the shell has not said

    @classmethod
    def resume(
        cls, kept: bytes, steps: Iterable[bytes], incarnation: int, seeds: Seeds, now: float
    ) -> Room:
        """The table of a founding and the payloads of its steps, as it was; then `reopen` it.

        Raises `msgspec.DecodeError` for bytes that are none of ours.
        """
        room = cls(read_founding(kept), incarnation, seeds, now)
        for payload in steps:
            before, step = room.state, read_step(payload)
            room.state, events = apply(before, step)
            room._cues = cues_after(room._cues, Change(before, step, room.state, events))
            room._marks.add(before, step, room.state)
        return room

    # What a shell may ask.

    @property
    def lobby(self) -> Lobby:
        """Who is at the table."""
        return self.state.lobby

    @property
    def stage(self) -> advert.Stage:
        """How far the table is, as strangers are told."""
        if self.state.phase is Phase.OVER:
            return advert.Stage.OVER
        if self.lobby.stage is not Stage.LOBBY:
            return advert.Stage.PLAYING
        if self.lobby.locked:
            return advert.Stage.LOCKED
        return advert.Stage.FULL if self.lobby.first_free() is None else advert.Stage.LOBBY

    @property
    def players(self) -> int:
        """How many chairs are taken, by bots too."""
        return sum(not isinstance(chair, Free) for chair in self.lobby.chairs)

    def knows(self, key: bytes) -> bool:
        """Whether somebody at the table has this seat key, and so may come back with it."""
        return self.state.member_with(key) is not None

    @property
    def due(self) -> Due | None:
        """Who is to move by a bot, if anybody is now."""
        if self.disk is DiskIs.FULL:
            return None
        now = self._post.now
        returning = now < self._returning_until
        return bot_due(self.state, now - self._turn_since, returning=returning)

    def bot_turn(self) -> BotTurn | None:
        """The same, with what the bot may know."""
        to_move = self.due
        if to_move is None:
            return None
        view = self.state.view(to_move.seat)
        assert view is not None
        return BotTurn(to_move.seat, to_move.level, to_move.turn, to_move.why, view)

    @property
    def cue(self) -> Cue | None:
        """What a bot is to say something of, if anything now."""
        if self.disk is DiskIs.FULL or is_still(self.lobby):
            return None
        return next(iter(self._cues.waiting), None)

    def bot_cue(self) -> BotCue | None:
        """The same, with what the bot may know."""
        cue = self.cue
        if cue is None:
            return None
        view = self.state.view(cue.seat)
        assert view is not None
        return BotCue(cue.number, cue.seat, cue.occasion, view)

    # What a shell tells.

    def arrive(self, link: int, key: bytes, now: float, address: str = "") -> Outcome:
        """A link from an address is trusted, and its other side holds this seat key."""
        self._post.advance(now)
        self._post.arrive(link, key, address)
        return self._outcome()

    def receive(self, link: int, message: FromClient, now: float) -> Outcome:
        """Somebody says something. What comes on a link that has ended is not heard."""
        self._post.advance(now)
        guest = self._post.guests.get(link)
        if guest is None:
            return Outcome()
        guest.heard = self._post.now
        if guest.member is None:
            self._hear_stranger(guest, message)
        else:
            self._hear(guest, guest.member, message)
        return self._outcome()

    def lost(self, link: int, now: float) -> None:
        """A link is gone, whoever ended it. Whose it was has some seconds to come back."""
        self._post.advance(now)
        guest = self._post.guests.get(link)
        if guest is not None:
            self._post.forget(guest)

    def catch_up(self, link: int, now: float) -> Outcome:
        """A slow link's queue was thrown away: send a snapshot in its place."""
        self._post.advance(now)
        guest = self._post.guests.get(link)
        if guest is not None and guest.member is not None:
            self._send_snapshot(guest, guest.member)
        return self._outcome()

    def tick(self, now: float) -> Outcome:
        """Time passes. Call it about twice a second."""
        post, full = self._post, self.disk is DiskIs.FULL
        post.advance(now)
        for guest in tuple(post.guests.values()):
            if guest.is_silent(post.now) or (not full and guest.is_slow(post.now)):
                post.end(guest, Farewell.TOO_SLOW)
        if not full:
            self._watch_people()
        return self._outcome()

    def bot_moved(self, turn: Due, move: Move, now: float) -> Outcome:
        """A bot has chosen. A move for a turn that is no longer a bot's is dropped.

        Raises `engine.IllegalMove`, and changes nothing: a bug of the bot's.
        """
        self._post.advance(now)
        to_move = self.due
        if to_move is not None and (to_move.turn, to_move.seat) == (turn.turn, turn.seat):
            news = () if to_move.why is None else (StoodIn(to_move.seat, to_move.why),)
            self._commit(Step(news=news, act=Made(write_move(move))))
        return self._outcome()

    def bot_spoke(self, cue: Cue, claim: Claim | None, now: float) -> Outcome:
        """A bot has said this, or nothing. What is no longer asked for is dropped."""
        self._post.advance(now)
        asked = self.cue
        if asked is not None and (asked.number, asked.seat) == (cue.number, cue.seat):
            if claim is not None and claim.fits(len(self.lobby.chairs)):
                self._commit(Step(news=(BotClaimed(asked.seat, claim),)))
            self._cues = self._cues.without(asked)
        return self._outcome()

    def disk_is(self, disk: DiskIs, now: float) -> Outcome:
        """The journal cannot save, can again, or is done without; all are told, at once."""
        self._post.advance(now)
        self.disk = disk
        self._turn_since = self._post.now
        for guest in self._post.links.values():
            guest.owed_since = None
            self._post.send(guest, Disk(disk))
        return Outcome(do=self._post.collect())

    def wrong_codes(self, tried: int, now: float) -> Outcome:
        """So many wrong codes were tried here: the host alone is told, now or on coming."""
        self._post.advance(now)
        self._alarm = tried
        self._tell_alarm()
        return self._outcome()

    def announcing(self, *, works: bool, now: float) -> Outcome:
        """Whether the network can be told of the table: the host alone is told, also on coming."""
        self._post.advance(now)
        self._announcing = works
        self._tell_announcing()
        return self._outcome()

    def reopen(self, now: float) -> Outcome:
        """After `resume`: nobody is there, and all who come are told so.

        They are waited for as long as anybody whose link is lost, before a bot moves for them.
        """
        self._post.advance(now)
        self._returning_until = self._post.now + GONE_SECONDS
        self._commit(Step(news=(Reopened(),)))
        return self._outcome()

    # Coming in.

    def _hear_stranger(self, guest: Guest, message: FromClient) -> None:
        """Whoever has not entered may only do that, or wait."""
        match message:
            case Enter():
                member = self.state.member_with(guest.key)
                if member is None:
                    self._enter(guest, message)
                else:
                    self._come_back(guest, member, message)
            case Ping():
                self._post.send(guest, Pong(0))
            case Command() | Resync():
                self._post.end(guest, Farewell.OUT_OF_ORDER)
            case _:
                assert_never(message)

    def _enter(self, guest: Guest, message: Enter) -> None:
        """Somebody new."""
        decided = decide_entry(self.state, guest.key, message.name, watch=message.watch)
        if self.disk is DiskIs.FULL:
            decided = No.DISK_FULL
        elif self._post.is_crowded(guest.address) and guest.key != self.state.host_key:
            decided = No.CROWDED
        if isinstance(decided, No):
            self._post.send(guest, Refused(0, decided))
            return
        self._post.attach(guest, decided.by)
        self._greet(guest, decided.by, message)
        self._commit(decided)
        self._tell_alarm()
        self._tell_code()
        self._tell_announcing()

    def _come_back(self, guest: Guest, member: int, message: Enter) -> None:
        """Somebody we know, on a new link: it takes the place of the old at once.

        Who takes more in coming than is in a few frames may do so only so often.
        """
        memory, seen = self._post.remember(member), self._seen(message)
        if memory.has_much_after(seen) and not memory.snapshots.take(1, self._post.now):
            self._post.end(guest, Farewell.TOO_MUCH)
            return
        older = self._post.links.get(member)
        if older is not None:
            self._post.end(older, Farewell.REPLACED)
        self._is_there(member)
        self._post.attach(guest, member)
        self._greet(guest, member, message)
        self._tell_alarm()
        self._tell_code()
        self._tell_announcing()
        missed = memory.missed(seen)
        if missed is None:
            self._send_snapshot(guest, member)
            return
        for frame in missed:
            self._post.send_step(guest, frame)

    def _greet(self, guest: Guest, member: int, message: Enter) -> None:
        """Say who somebody is here, and what is known of what they saw."""
        known, last = self._marks.hash_at(message.seen), self.state.ids.get(member, 0)
        here = Here(member, self.incarnation, known, self._marks.reopenings, last)
        self._post.send(guest, here)

    def _seen(self, message: Enter) -> int | None:
        """The last step that whoever comes back has seen, `None` where that is none of ours."""
        ours = message.incarnation == self.incarnation and message.seen <= self.state.number
        return message.seen if ours else None

    def _tell_alarm(self) -> None:
        """Tell the host of wrong codes, once, if the host is there."""
        host = self._post.links.get(self.lobby.host)
        if host is not None and self._alarm:
            self._post.send(host, Alarm(self._alarm))
            self._alarm = 0

    def _tell_code(self) -> None:
        """Tell the host, if the host is there, the code that took the place of the first."""
        host = self._post.links.get(self.lobby.host)
        if host is not None and self.state.code:
            self._post.send(host, Code(self.state.code))

    def _tell_announcing(self) -> None:
        """Tell the host whether the table is announced, if the host is there."""
        host = self._post.links.get(self.lobby.host)
        if host is not None and self._announcing is not None:
            self._post.send(host, Announcing(self._announcing))

    # Doing.

    def _hear(self, guest: Guest, member: int, message: FromClient) -> None:
        """Somebody at the table says something."""
        memory = self._post.memory[member]
        memory.heard = self._post.now
        self._is_there(member)
        match message:
            case Enter():
                self._post.end(guest, Farewell.OUT_OF_ORDER)
            case Command():
                self._command(guest, member, message)
            case Ping(seen):
                guest.has_seen(seen, self._post.now)
                self._post.send(guest, Pong(self.state.number))
            case Resync():
                if memory.snapshots.take(1, self._post.now):
                    self._send_snapshot(guest, member)
                else:
                    self._post.end(guest, Farewell.TOO_MUCH)
            case _:
                assert_never(message)

    def _command(self, guest: Guest, member: int, command: Command) -> None:
        """Do a command, unless it was done before or may not be."""
        if command.id <= self.state.ids.get(member, 0):
            self._post.send(guest, Settled(command.id))
            return
        unsaved = isinstance(command.want, GoUnsaved) and self.disk is not DiskIs.FINE
        if unsaved and member == self.lobby.host:
            self._go_unsaved = self.disk is DiskIs.FULL
            self._post.send(guest, Settled(command.id))
            return
        if isinstance(command.want, ReportMissing) and self._was_reported(command.want):
            self._post.send(guest, Settled(command.id))
            return
        decided = self._decide(member, command)
        if isinstance(decided, No):
            self._post.send(guest, Refused(command.id, decided))
            return
        if isinstance(command.want, ReportMissing):
            self._reported.add((command.want.hash, command.want.seat, command.want.name))
        self._commit(decided)

    def _decide(self, member: int, command: Command) -> Step | No:
        if self.disk is DiskIs.FULL:
            return No.HOST_ONLY if isinstance(command.want, GoUnsaved) else No.DISK_FULL
        words = self._post.memory[member].words
        if not isinstance(command.want, Play) and not words.take(1, self._post.now):
            return No.TOO_FAST
        if isinstance(command.want, ReportMissing) and not self._marks.reopenings:
            return No.NOT_NOW  # nothing is missing at a table that was never taken up again
        draws = isinstance(command.want, Kick | NewCode) or self._may_deal(command.want)
        seed = self._seeds() if draws else b""
        return decide(self.state, member, command, seed)

    def _was_reported(self, want: ReportMissing) -> bool:
        """Whether somebody has told the same since the host is back."""
        return (want.hash, want.seat, want.name) in self._reported

    def _may_deal(self, want: Want) -> bool:
        """Whether a round may be dealt by what somebody wants."""
        waits = self.state.phase is Phase.DEAL
        return isinstance(want, Start) or (waits and isinstance(want, SetReady | NextRound))

    def _is_there(self, member: int) -> None:
        """Tell all that somebody is heard of again, if they were told otherwise."""
        person = self.lobby.person(member)
        assert person is not None
        if person.presence is not Presence.THERE and self.disk is not DiskIs.FULL:
            self._commit(Step(news=(LinkIs(member, Presence.THERE),)))

    def _watch_people(self) -> None:
        """Tell all of whom nothing is heard, and deal where only they were waited for."""
        news: list[News] = []
        lobby = self.lobby
        for person in lobby.people:
            memory = self._post.memory.get(person.member)
            if memory is not None:
                presence = presence_after(self._post.now - memory.heard)
                if presence > person.presence:
                    news.append(LinkIs(person.member, presence))
                    lobby = after(lobby, news[-1])
        act: Act | None = None
        if self.state.phase is Phase.DEAL and all_ready(lobby):
            news.append(RoundBegins())
            act = DealNext(self._seeds())
        if news:
            self._commit(Step(news=tuple(news), act=act))

    def _commit(self, step: Step) -> None:
        """Make a step: the next number, a line for the journal, a frame for each at the table."""
        before, post = self.state, self._post
        self.state, events = apply(before, step)
        self._steps.append(Numbered(self.state.number, write(step)))
        if self.state.turn != before.turn or any(isinstance(one, Paused) for one in step.news):
            self._turn_since = post.now
        change = Change(before, step, self.state, events)
        self._cues = cues_after(self._cues, change)
        self._marks.add(before, step, self.state)
        post.hand_out(tell(change, self.incarnation, self.disk))
        if step.code:
            self._tell_code()
        for news in step.news:
            if isinstance(news, Exited):
                post.end_member(news.member, _FAREWELLS[news.why])
            if isinstance(news, Closed):
                for guest in tuple(post.guests.values()):
                    post.end(guest, Farewell.CLOSED)

    # Sending.

    def _send_snapshot(self, guest: Guest, member: int) -> None:
        told = snapshot(self.state, member, self.incarnation, self.disk)
        self._post.send_step(guest, told)

    def _outcome(self) -> Outcome:
        """What came of it, for the shell."""
        steps, self._steps = tuple(self._steps), []
        do = self._post.collect()
        unsaved, self._go_unsaved = self._go_unsaved, False
        number = 0 if not steps and (unsaved or may_overtake(do)) else self.state.number
        return Outcome(steps, do, number, self.lobby.stage is Stage.CLOSED, unsaved)
