"""The client's side of a table, without socket or clock: frames in, what one holds and says out.

`ClientState` folds what the host tells into lobby, view and talk, checks that nothing is missing
and that both sides hold the same, and asks anew where not. What is wanted of the host has a number
and is said again after a broken link, until it is answered. Every face and autopilot drives this,
and a shell around it moves the messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from engine import Edition, Event, Move, View
from engine.events import RoundBegan
from net.codec import read_event, read_view, write_move
from net.codec.possible import can_follow, follows_from_history, is_settled
from net.frames import BadFrame, Fault
from net.hash import hash_of_all, running_hash
from net.lobby import BEFORE_ALL, Lobby, News, Stage, Talk, after, moment, talk_after
from net.lobby.clean import can_be_told, is_clean_line, is_clean_lobby, is_clean_news
from net.lobby.news import Again, GameBegins, RecordTold
from net.messages import (
    CODE_LENGTH,
    NOTHING_SEEN,
    Alarm,
    Announcing,
    Code,
    Command,
    Disk,
    DiskIs,
    Enter,
    Farewell,
    FromClient,
    FromHost,
    Goodbye,
    Here,
    Leave,
    Mark,
    Ping,
    Play,
    Pong,
    Refused,
    ReportMissing,
    Resync,
    Settled,
    Snapshot,
    Told,
    Want,
)
from net.seen import SeenStep, Trail, Undone, reports
from net.text import is_clean, is_clean_page


@dataclass(frozen=True, slots=True)
class Held:
    """All that somebody holds of a table after step `step`.

    `view` is what they know of the game, if there is one; its history is that of the round, and
    `past` is what they heard in the rounds before, `None` where they were not there for all of it.
    `record` is the text of the last game, once it is over. `running` is the running hash.
    """

    incarnation: int
    step: int
    lobby: Lobby
    view: View | None
    talk: Talk = ()
    record: str = ""
    past: tuple[Event, ...] | None = ()
    running: bytes = NOTHING_SEEN.hash

    @property
    def mark(self) -> Mark:
        """The last step."""
        return Mark(self.step, self.running)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A step that came out otherwise than the host `told`, by its hash.

    `held` is the hash of what came out here, empty where the step could not be taken in. `news` and
    `events` are the kinds of what happened in it; `view` is what was known of the game before it.
    """

    incarnation: int
    step: int
    told: bytes
    held: bytes
    news: tuple[str, ...]
    events: tuple[str, ...]
    view: View | None


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one message.

    `news` and `events` are what happened, in order, none of it told before; `renewed` says that
    all was replaced by a snapshot, and what led there was not told. `refused`, `settled` and
    `farewell` are answers of the host. `send` is to be said to it now. `alarm` tells the host how
    many wrong codes were tried, 0 where nothing is told, and `code` a room code that is new, else
    empty. `disagreed` tells that the two sides held different things, and `report` where that was
    written down, empty where it was not.
    """

    news: tuple[News, ...] = ()
    events: tuple[Event, ...] = ()
    renewed: bool = False
    refused: Refused | None = None
    settled: int = 0
    farewell: Farewell | None = None
    send: tuple[FromClient, ...] = ()
    alarm: int = 0
    code: str = ""
    disagreed: Disagreement | None = None
    report: str = ""


@dataclass(slots=True)
class ClientState:
    """One person's side of a table.

    `held` is what they hold, `None` before the first snapshot; `member` is who they are. `wanted`
    are their commands that have no answer yet, by id. `entered` tells whether the host let the
    present link in, `lost` that a snapshot was asked for and nothing before it counts. `mark` is
    the last step that was seen, maybe by an earlier run of the program. `undone` is set where the
    table has gone back behind it, until the player decides to `go_on`. `code` is the room code in
    place of the first, told to the host alone. `announced` is false where a host is told that the
    network cannot be told of the table.
    """

    name: str
    watch: bool = False
    held: Held | None = None
    member: int = 0
    wanted: dict[int, Command] = field(default_factory=dict)
    last_id: int = 0
    entered: bool = False
    lost: bool = False
    disk: DiskIs = DiskIs.FINE
    mark: Mark = NOTHING_SEEN
    undone: Undone | None = None
    trail: Trail = field(default_factory=Trail)
    code: str = ""
    announced: bool = True

    @property
    def lobby(self) -> Lobby | None:
        """Who is at the table."""
        return None if self.held is None else self.held.lobby

    @property
    def view(self) -> View | None:
        """What is known of the game, if there is one."""
        return None if self.held is None else self.held.view

    @property
    def seat(self) -> int | None:
        """Where they sit, `None` for a watcher."""
        return None if self.held is None else self.held.lobby.seat_of(self.member)

    def linked(self) -> FromClient:
        """A link is up and trusted: what to say first on it."""
        self.entered = self.lost = False
        if self.held is None:
            return Enter(self.name, self.watch, 0, self.mark.step)
        self.mark = self.held.mark
        return Enter(self.name, self.watch, self.held.incarnation, self.mark.step)

    def unlinked(self) -> None:
        """The link is gone; what was wanted is kept for the next."""
        self.entered = False

    def ping(self) -> FromClient:
        """What to say every two seconds."""
        return Ping(0 if self.held is None else self.held.step)

    def want(self, want: Want) -> tuple[FromClient, ...]:
        """Want something: what to say now, nothing while there is no link.

        Until the player has decided to go on at a table that has gone back, nothing is wanted of
        it but to leave.
        """
        if self.undone is not None and not isinstance(want, Leave | ReportMissing):
            return ()
        self.last_id += 1
        command = Command(self.last_id, want)
        self.wanted[command.id] = command
        return (command,) if self.entered else ()

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        self.undone = None

    def play(self, move: Move) -> tuple[FromClient, ...]:
        """Want to make a move in the turn that is in view."""
        assert self.held is not None, "there is no game"
        return self.want(Play(self.held.step, write_move(move)))

    def receive(self, message: FromHost) -> Heard:
        """Take in what the host says.

        Raises `BadFrame` where no honest host says it: end the link.
        """
        match message:
            case Here():
                return self._here(message)
            case Told():
                return self._told(message)
            case Snapshot():
                return self._snapshot(message)
            case Refused(number):
                self.wanted.pop(number, None)
                return Heard(refused=message)
            case Settled(number):
                self.wanted.pop(number, None)
                return Heard(settled=number)
            case Pong():
                return Heard()
            case Disk(disk):
                self.disk = disk
                return Heard()
            case Alarm(tried):
                return Heard(alarm=tried)
            case Code(code):
                return self._code(code)
            case Announcing(works):
                self.announced = works
                return Heard()
            case Goodbye(why):
                self.entered = False
                return Heard(farewell=why)
            case _:
                assert_never(message)

    def _code(self, code: str) -> Heard:
        """The room code is another now; the host is shown it."""
        if not is_clean(code, CODE_LENGTH, CODE_LENGTH):
            raise BadFrame(Fault.MESSAGE)
        self.code = code
        return Heard(code=code)

    def _here(self, here: Here) -> Heard:
        """The host let us in: say again what it has not done. Nobody becomes somebody else."""
        if self.held is not None and here.member != self.member:
            raise BadFrame(Fault.MESSAGE)
        self.member, self.entered = here.member, True
        self._done_up_to(here.last)
        if here.known == self.mark.hash:
            return Heard(send=tuple(self.wanted.values()))
        self._went_back(here)
        return Heard(send=(*self.wanted.values(), *self._ask_anew().send))

    def _went_back(self, here: Here) -> None:
        """The table knows another past than we saw. A move decided upon there means nothing now.

        While the player has not decided, what was missing first counts.
        """
        self.wanted = {
            number: old
            for number, old in self.wanted.items()
            if not isinstance(old.want, Play | ReportMissing)
        }
        undone = self.trail.undone(self.mark, here.reopenings, self.held)
        self.undone = self.undone or undone
        for report in reports(undone, self.mark):
            self.want(report)
        self.trail = Trail()

    def _done_up_to(self, last: int) -> None:
        """The host has dealt with all commands up to this one, be it in an earlier life of ours."""
        self.last_id = max(self.last_id, last)
        self.wanted = {number: old for number, old in self.wanted.items() if number > last}

    def _told(self, told: Told) -> Heard:
        """Fold the next step; ask for a snapshot where it is not the next, or does not fit."""
        held = self.held
        if self.lost:
            return Heard()
        if held is None or told.incarnation != held.incarnation or told.step > held.step + 1:
            return self._ask_anew()
        if told.step <= held.step:
            return Heard()
        if not all(map(is_clean_news, told.news)):
            raise BadFrame(Fault.MESSAGE)
        events = tuple([read_event(event) for event in told.events])
        try:
            after_it = self._fold(held, told, events)
            ours = hash_of_all(after_it.lobby, after_it.view)
        except (LookupError, ValueError):  # news of what we do not have
            return self._disagree(held, told, b"")
        if ours != told.hash:
            return self._disagree(held, told, ours)
        if not _can_be(after_it.lobby, after_it.view, self.member):
            raise BadFrame(Fault.MESSAGE)
        self._hold(after_it, events)
        self.wanted.pop(told.yours, None)
        return Heard(news=told.news, events=events, settled=told.yours)

    def _disagree(self, held: Held, told: Told, ours: bytes) -> Heard:
        """Ask anew for what is held, and say where the two sides differ."""
        news, events = ([type(one).__name__ for one in many] for many in (told.news, told.events))
        disagreed = Disagreement(
            told.incarnation, told.step, told.hash, ours, tuple(news), tuple(events), held.view
        )
        return replace(self._ask_anew(), disagreed=disagreed)

    def _fold(self, held: Held, told: Told, events: tuple[Event, ...]) -> Held:
        lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
        past = held.past
        when = BEFORE_ALL if view is None else moment(view.table, view.score)
        for news in told.news:
            if not can_be_told(lobby, news):
                raise LookupError("news of what is not at this table")
            talk = talk_after(talk, lobby, news, when)
            lobby = after(lobby, news)
            match news:
                case GameBegins():
                    view, record, past = self._before_the_game(lobby), "", ()
                case Again():
                    view = None
                case RecordTold(text):
                    record = text
                case _:
                    pass
        for event in events:
            if view is None or not can_follow(view, event):
                raise LookupError("an event that has no place in this game")
            if isinstance(event, RoundBegan) and past is not None:
                past += view.history
            view = view.after(event)
        running = running_hash(held.running, told.step, told.news, events)
        return Held(told.incarnation, told.step, lobby, view, talk, record, past, running)

    def _hold(self, held: Held, events: tuple[Event, ...]) -> None:
        """Hold this from now on."""
        self.held = held
        self.trail = self.trail.then(SeenStep.of(held.mark, held.lobby, events))

    def _before_the_game(self, lobby: Lobby) -> View:
        """What is known of a game before its first deal."""
        settings = lobby.settings
        edition = Edition.read(settings.edition)
        return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(self.member))

    def _ask_anew(self) -> Heard:
        self.lost = True
        return Heard(send=(Resync(),))

    def _snapshot(self, told: Snapshot) -> Heard:
        """Take over all that the host says we hold."""
        view = None
        if told.public is not None and told.own is not None:
            view = read_view(told.public, told.own, told.history)
        if hash_of_all(told.lobby, view) != told.hash or self.member not in (0, told.member):
            raise BadFrame(Fault.MESSAGE)
        if not _can_be(told.lobby, view, told.member) or not is_clean_page(told.record):
            raise BadFrame(Fault.MESSAGE)
        if view is not None and not follows_from_history(view):
            raise BadFrame(Fault.MESSAGE)
        if not all(map(is_clean_line, told.talk)):
            raise BadFrame(Fault.MESSAGE)
        self.member, self.disk, self.lost = told.member, told.disk, False
        self._done_up_to(told.last)
        past, held = self._past_before(view), (told.lobby, view, told.talk, told.record)
        self._hold(Held(told.incarnation, told.step, *held, past, told.running), ())
        return Heard(renewed=True)

    def _past_before(self, view: View | None) -> tuple[Event, ...] | None:
        """What was heard in the rounds before that of a view, `None` where that is not known."""
        if view is None or view.score.number <= 1:
            return ()
        ours = self.view
        if self.held is None or ours is None or ours.seat != view.seat or self.undone is not None:
            return None
        same = ours.score.number == view.score.number
        follows = view.ledger[: len(ours.ledger)] == ours.ledger
        return self.held.past if same and follows else None


def _can_be(lobby: Lobby, view: View | None, member: int) -> bool:
    """Tell whether a member can hold this table and this game together, after any step."""
    if not is_clean_lobby(lobby):
        return False
    if view is None:
        return lobby.stage is not Stage.PLAYING
    settings = lobby.settings
    return (
        lobby.stage is not Stage.LOBBY
        and view.table.players == len(lobby.chairs)
        and view.table.edition == Edition.read(settings.edition)
        and view.score.rounds == settings.rounds
        and view.seat == lobby.seat_of(member)
        and is_settled(view)
    )
