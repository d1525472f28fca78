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
from net.client.trail import Rollback, SeenStep, Trail, reports
from net.lobby import BEFORE_ALL, ChatHistory, Lobby, LobbyEvent, Stage, apply, chat_after, moment
from net.lobby.events import GameBegins, RecordPublished, Rematch
from net.lobby.validation import can_be_told, is_clean_event, is_clean_line, is_clean_lobby
from net.protocol import read_event, read_view, write_move
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.messages import (
    CODE_LENGTH,
    NOTHING_SEEN,
    Accepted,
    Announcing,
    ClientCommand,
    ClientMessage,
    CloseReason,
    Closing,
    Code,
    CommandRefused,
    Disk,
    DiskStatus,
    EnterTable,
    GuessAlarm,
    HostMessage,
    Leave,
    MakeMove,
    Mark,
    Ping,
    Pong,
    ReportMissing,
    Request,
    Resync,
    Snapshot,
    StepFrame,
    Welcome,
)
from net.protocol.plausibility import can_follow, follows_from_history, is_settled
from net.protocol.state_hash import hash_of_all, running_hash
from net.protocol.text import is_clean, is_clean_page


@dataclass(frozen=True, slots=True)
class GameState:
    """All that somebody holds of a table after step `step`.

    `view` is what they know of the game, if there is one; its history is that of the round, and
    `past` is what they heard in the rounds before, `None` where they were not there for all of it.
    `record` is the text of the last game, once it is over. `running` is the running hash.
    """

    incarnation: int
    step: int
    lobby: Lobby
    view: View | None
    talk: ChatHistory = ()
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
class Received:
    """What came of one message.

    `news` and `events` are what happened, in order, none of it told before; `renewed` says that
    all was replaced by a snapshot, and what led there was not told. `refused`, `settled` and
    `farewell` are answers of the host. `send` is to be said to it now. `alarm` tells the host how
    many wrong codes were tried, 0 where nothing is told, and `code` a room code that is new, else
    empty. `disagreed` tells that the two sides held different things, and `report` where that was
    written down, empty where it was not.
    """

    news: tuple[LobbyEvent, ...] = ()
    events: tuple[Event, ...] = ()
    renewed: bool = False
    refused: CommandRefused | None = None
    settled: int = 0
    farewell: CloseReason | None = None
    send: tuple[ClientMessage, ...] = ()
    alarm: int = 0
    code: str = ""
    disagreed: Disagreement | None = None
    report: str = ""


@dataclass(slots=True)
class ClientState:
    """One person's side of a table.

    `game_state` is what they hold, `None` before the first snapshot; `member` is who they are.
    `pending` are their commands that have no answer yet, by id. `entered` tells whether the host
    let the present link in, `lost` that a snapshot was asked for and nothing before it counts.
    `mark` is the last step that was seen, maybe by an earlier run of the program. `undone` is set
    where the table has gone back behind it, until the player decides to `go_on`. `code` is the room
    code in place of the first, told to the host alone. `announced` is false where a host is told
    that the network cannot be told of the table.
    """

    name: str
    watch: bool = False
    game_state: GameState | None = None
    member: int = 0
    pending: dict[int, ClientCommand] = field(default_factory=dict)
    last_id: int = 0
    entered: bool = False
    lost: bool = False
    disk: DiskStatus = DiskStatus.OK
    mark: Mark = NOTHING_SEEN
    undone: Rollback | None = None
    trail: Trail = field(default_factory=Trail)
    code: str = ""
    announced: bool = True

    @property
    def lobby(self) -> Lobby | None:
        """Who is at the table."""
        return None if self.game_state is None else self.game_state.lobby

    @property
    def view(self) -> View | None:
        """What is known of the game, if there is one."""
        return None if self.game_state is None else self.game_state.view

    @property
    def seat(self) -> int | None:
        """Where they sit, `None` for a watcher."""
        return None if self.game_state is None else self.game_state.lobby.seat_of(self.member)

    def linked(self) -> ClientMessage:
        """A link is up and trusted: what to say first on it."""
        self.entered = self.lost = False
        if self.game_state is None:
            return EnterTable(self.name, self.watch, 0, self.mark.step)
        self.mark = self.game_state.mark
        return EnterTable(self.name, self.watch, self.game_state.incarnation, self.mark.step)

    def unlinked(self) -> None:
        """The link is gone; what was wanted is kept for the next."""
        self.entered = False

    def ping(self) -> ClientMessage:
        """What to say every two seconds."""
        return Ping(0 if self.game_state is None else self.game_state.step)

    def request(self, want: Request) -> tuple[ClientMessage, ...]:
        """Want something: what to say now, nothing while there is no link.

        Until the player has decided to go on at a table that has gone back, nothing is wanted of
        it but to leave.
        """
        if self.undone is not None and not isinstance(want, Leave | ReportMissing):
            return ()
        self.last_id += 1
        command = ClientCommand(self.last_id, want)
        self.pending[command.id] = command
        return (command,) if self.entered else ()

    def go_on(self) -> None:
        """Go on at a table that has gone back, from where it is."""
        self.undone = None

    def play(self, move: Move) -> tuple[ClientMessage, ...]:
        """Want to make a move in the turn that is in view."""
        assert self.game_state is not None, "there is no game"
        return self.request(MakeMove(self.game_state.step, write_move(move)))

    def receive(self, message: HostMessage) -> Received:
        """Take in what the host says.

        Raises `BadFrame` where no honest host says it: end the link.
        """
        match message:
            case Welcome():
                return self._welcomed(message)
            case StepFrame():
                return self._apply_frame(message)
            case Snapshot():
                return self._snapshot(message)
            case CommandRefused(number):
                self.pending.pop(number, None)
                return Received(refused=message)
            case Accepted(number):
                self.pending.pop(number, None)
                return Received(settled=number)
            case Pong():
                return Received()
            case Disk(disk):
                self.disk = disk
                return Received()
            case GuessAlarm(tried):
                return Received(alarm=tried)
            case Code(code):
                return self._code(code)
            case Announcing(works):
                self.announced = works
                return Received()
            case Closing(why):
                self.entered = False
                return Received(farewell=why)
            case _:
                assert_never(message)

    def _code(self, code: str) -> Received:
        """The room code is another now; the host is shown it."""
        if not is_clean(code, CODE_LENGTH, CODE_LENGTH):
            raise BadFrame(FrameFault.MESSAGE)
        self.code = code
        return Received(code=code)

    def _welcomed(self, welcome: Welcome) -> Received:
        """The host let us in: say again what it has not done. Nobody becomes somebody else."""
        if self.game_state is not None and welcome.member != self.member:
            raise BadFrame(FrameFault.MESSAGE)
        self.member, self.entered = welcome.member, True
        self._done_up_to(welcome.last)
        if welcome.known == self.mark.hash:
            return Received(send=tuple(self.pending.values()))
        self._went_back(welcome)
        return Received(send=(*self.pending.values(), *self._ask_anew().send))

    def _went_back(self, welcome: Welcome) -> None:
        """The table knows another past than we saw. A move decided upon there means nothing now.

        While the player has not decided, what was missing first counts.
        """
        self.pending = {
            number: old
            for number, old in self.pending.items()
            if not isinstance(old.request, MakeMove | ReportMissing)
        }
        undone = self.trail.undone(self.mark, welcome.reopenings, self.game_state)
        self.undone = self.undone or undone
        for report in reports(undone, self.mark):
            self.request(report)
        self.trail = Trail()

    def _done_up_to(self, last: int) -> None:
        """The host has dealt with all commands up to this one, be it in an earlier life of ours."""
        self.last_id = max(self.last_id, last)
        self.pending = {number: old for number, old in self.pending.items() if number > last}

    def _apply_frame(self, frame: StepFrame) -> Received:
        """Fold the next step; ask for a snapshot where it is not the next, or does not fit."""
        held = self.game_state
        if self.lost:
            return Received()
        if held is None or frame.incarnation != held.incarnation or frame.step > held.step + 1:
            return self._ask_anew()
        if frame.step <= held.step:
            return Received()
        if not all(map(is_clean_event, frame.lobby_events)):
            raise BadFrame(FrameFault.MESSAGE)
        events = tuple([read_event(event) for event in frame.events])
        try:
            after_it = self._fold(held, frame, events)
            ours = hash_of_all(after_it.lobby, after_it.view)
        except (LookupError, ValueError):  # news of what we do not have
            return self._disagree(held, frame, b"")
        if ours != frame.hash:
            return self._disagree(held, frame, ours)
        if not _can_be(after_it.lobby, after_it.view, self.member):
            raise BadFrame(FrameFault.MESSAGE)
        self._hold(after_it, events)
        self.pending.pop(frame.yours, None)
        return Received(news=frame.lobby_events, events=events, settled=frame.yours)

    def _disagree(self, held: GameState, frame: StepFrame, ours: bytes) -> Received:
        """Ask anew for what is held, and say where the two sides differ."""
        news, events = (
            [type(one).__name__ for one in many] for many in (frame.lobby_events, frame.events)
        )
        disagreed = Disagreement(
            frame.incarnation, frame.step, frame.hash, ours, tuple(news), tuple(events), held.view
        )
        return replace(self._ask_anew(), disagreed=disagreed)

    def _fold(self, held: GameState, frame: StepFrame, events: tuple[Event, ...]) -> GameState:
        lobby, talk, view, record = held.lobby, held.talk, held.view, held.record
        past = held.past
        when = BEFORE_ALL if view is None else moment(view.table, view.score)
        for lobby_event in frame.lobby_events:
            if not can_be_told(lobby, lobby_event):
                raise LookupError("news of what is not at this table")
            talk = chat_after(talk, lobby, lobby_event, when)
            lobby = apply(lobby, lobby_event)
            match lobby_event:
                case GameBegins():
                    view, record, past = self._before_the_game(lobby), "", ()
                case Rematch():
                    view = None
                case RecordPublished(text):
                    record = text
                case _:
                    pass
        for event in events:
            if view is None or not can_follow(view, event):
                raise LookupError("an event that has no place in this game")
            if isinstance(event, RoundBegan) and past is not None:
                past += view.history
            view = view.after(event)
        running = running_hash(held.running, frame.step, frame.lobby_events, events)
        return GameState(frame.incarnation, frame.step, lobby, view, talk, record, past, running)

    def _hold(self, held: GameState, events: tuple[Event, ...]) -> None:
        """Hold this from now on."""
        self.game_state = held
        self.trail = self.trail.then(SeenStep.of(held.mark, held.lobby, events))

    def _before_the_game(self, lobby: Lobby) -> View:
        """What is known of a game before its first deal."""
        settings = lobby.settings
        edition = Edition.read(settings.edition)
        return View.before(edition, len(lobby.chairs), settings.rounds, lobby.seat_of(self.member))

    def _ask_anew(self) -> Received:
        self.lost = True
        return Received(send=(Resync(),))

    def _snapshot(self, snapshot: Snapshot) -> Received:
        """Take over all that the host says we hold."""
        view = None
        if snapshot.public is not None and snapshot.own is not None:
            view = read_view(snapshot.public, snapshot.own, snapshot.history)
        if hash_of_all(snapshot.lobby, view) != snapshot.hash or self.member not in (
            0,
            snapshot.member,
        ):
            raise BadFrame(FrameFault.MESSAGE)
        if not _can_be(snapshot.lobby, view, snapshot.member) or not is_clean_page(snapshot.record):
            raise BadFrame(FrameFault.MESSAGE)
        if view is not None and not follows_from_history(view):
            raise BadFrame(FrameFault.MESSAGE)
        if not all(map(is_clean_line, snapshot.talk)):
            raise BadFrame(FrameFault.MESSAGE)
        self.member, self.disk, self.lost = snapshot.member, snapshot.disk, False
        self._done_up_to(snapshot.last)
        past, held = self._past_before(view), (snapshot.lobby, view, snapshot.talk, snapshot.record)
        self._hold(
            GameState(snapshot.incarnation, snapshot.step, *held, past, snapshot.running), ()
        )
        return Received(renewed=True)

    def _past_before(self, view: View | None) -> tuple[Event, ...] | None:
        """What was heard in the rounds before that of a view, `None` where that is not known."""
        if view is None or view.score.number <= 1:
            return ()
        ours = self.view
        if (
            self.game_state is None
            or ours is None
            or ours.seat != view.seat
            or self.undone is not None
        ):
            return None
        same = ours.score.number == view.score.number
        follows = view.ledger[: len(ours.ledger)] == ours.ledger
        return self.game_state.past if same and follows else None


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
