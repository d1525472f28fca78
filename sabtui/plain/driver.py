"""The driver of plain-text mode: plays at a table, from joining it to its end.

It owns the queue of updates and typed lines, and carries out effects. `updates` and `parser` decide
the meaning of an update or a line, and know no threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Final, assert_never

from engine.state import Phase
from net.client.session import (
    ConnectionState,
    OnUpdate,
    RunnableSession,
    SessionThread,
    Status,
    Update,
)
from net.protocol.lobby import Stage
from net.protocol.messages import CloseReason
from net.protocol.requests import Close
from sabtui.app.autopilot import Autopilot
from sabtui.app.autosave import ends_game, keep_finished
from sabtui.app.errors import complain
from sabtui.app.preferences import KeepGames, PreferencesStore, usual_path
from sabtui.app.records import save_record
from sabtui.plain.console import Console
from sabtui.plain.handlers import autopilot_sentence
from sabtui.plain.lobby import phase
from sabtui.plain.model import (
    Parting,
    PlainSession,
    Reaction,
    SaveRecord,
    SendMove,
    SendRequests,
)
from sabtui.plain.parser import interpret
from sabtui.plain.updates import apply_update
from sabtui.text.connection import why_ended
from sabtui.text.i18n import _
from sabtui.text.seats import game_lost

_WAIT_S: Final = 1.0
"""Seconds of one wait for input. An endless wait would not notice Ctrl+C on Windows."""

_SETTLE_S: Final = 0.2
"""Seconds without an update after which bots are done moving, and a prompt is shown."""

_CLOSE_TIMEOUT_S: Final = 3.0
"""Seconds that a session may take to close its connection."""

_CLOSES: Final = (ConnectionState.CONNECTED, ConnectionState.ENDED)
"""Connection states in which the host's request to close the table can still be answered."""

_FINE: Final = CloseReason.LEFT, CloseReason.CLOSED
"""Endings that make the exit code 0."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that was typed; `None` is the end of input."""

    line: str | None


def at_table(  # noqa: PLR0913 - each says one thing of a visit, and most need none
    make: Callable[[OnUpdate], RunnableSession],
    console: Console,
    *,
    greeting: Iterable[str] = (),
    back: str = "",
    addresses: tuple[str, ...] = (),
    is_on_autopilot: bool = False,
    from_deal: bool = False,
    at_club: Callable[[], int] | None = None,
) -> int:
    """Play at a table in plain-text mode until it is left or ends, and return the exit code.

    The code is 0 if the player left or the table was closed, else 1, with one line on standard
    error that says what to do. Call this in the main thread: the session runs in another, in an
    event loop of its own (`net.client.session`).

    Args:
        make: makes the session, given the function to call with each update.
        console: source of typed lines and target of output.
        greeting: lines to show first.
        back: the sentence that says how to come back to a seat that is kept after quitting:
            "Your seat is kept: sabtui join brings you back." Empty if quitting ends the game.
        addresses: those of the player's own table, the likeliest first, for guests of its doors.
        is_on_autopilot: True if the autopilot plays from the start. At a table with others it goes
            on after the end of input.
        from_deal: True to show nothing of the lobby before the first game, as in practice games,
            which begin by themselves.
        at_club: what to do instead if a club answers, and no table.
    """
    came: SimpleQueue[Update | TypedLine] = SimpleQueue()
    session = SessionThread(make, came.put)
    plain_session = PlainSession(
        size=console.size,
        is_on_autopilot=is_on_autopilot,
        silent=from_deal,
        back=back,
        addresses=addresses,
    )
    console.say(
        plain_session.say([*greeting, *([autopilot_sentence()] if is_on_autopilot else [])]).lines
    )
    driver = _Driver(session, console, plain_session, Autopilot(session), came)
    with run_and_listen(session, console, came, driver.typed):
        code = driver.run()
    if at_club is not None and session.status.ending is CloseReason.CLUB:
        return at_club()
    return code


@contextmanager
def run_and_listen(
    session: SessionThread,
    console: Console,
    came: SimpleQueue[Update | TypedLine],
    typed: deque[str | None],
) -> Iterator[None]:
    """Let a session run, and typed lines come into its queue of updates; leave it at the end.

    Lines that nobody has read by then, in the queue or already `typed`, are for who listens next.
    """

    def list_unread() -> Iterator[str | None]:
        yield from typed
        while not came.empty():
            item = came.get()
            if isinstance(item, TypedLine):
                yield item.line

    console.listen(lambda line: came.put(TypedLine(line)))
    session.start()
    try:
        yield
    finally:
        console.rest(list_unread)
        session.leave()
        session.join(_CLOSE_TIMEOUT_S)


def _is_alone(status: Status) -> bool:
    """Return True if the player is the host, in a lobby without other people."""
    lobby = status.lobby
    if lobby is None or not status.is_host or status.connection is not ConnectionState.CONNECTED:
        return False
    others = [one for one in lobby.people if one.member != status.member]
    return lobby.stage is Stage.LOBBY and not others


class _Driver:
    """Turns updates and typed lines into output, requests and moves."""

    def __init__(
        self,
        session: SessionThread,
        console: Console,
        plain_session: PlainSession,
        autopilot: Autopilot,
        came: SimpleQueue[Update | TypedLine],
    ) -> None:
        self._session = session
        self._console = console
        self._plain_session = plain_session
        self._autopilot = autopilot
        self._came = came
        self.typed: deque[str | None] = deque()
        self._left = self._deaf = self._closing = False
        self._calm = True

    def run(self) -> int:
        """Run until the table is left or ends, and return the exit code."""
        while not self._left and not self._is_over():
            if self._came.empty() and self._may_read():
                self._read(self.typed.popleft())
            else:
                self._take()
            self._fly()
            if self._closing and self._plain_session.status.connection not in _CLOSES:
                self._let_go()  # the host cannot be reached; an empty table ends by itself
        return 0 if self._left else self._part()

    def _may_read(self) -> bool:
        """Return True if a line is there and can be processed now; prompt for one if need be."""
        eager = self._console.is_eager
        if not self._plain_session.takes_line(eager=eager):
            return False
        waits = eager and (self.typed or (self._plain_session.bot_moves and not self._calm))
        if not self._deaf and not waits:
            self._console.prompt(self._plain_session.prompt())
        return bool(self.typed)

    def _take(self) -> None:
        """Wait for the next update or typed line, and process it."""
        try:
            item = self._came.get(timeout=_WAIT_S if self._calm else _SETTLE_S)
        except Empty:
            self._calm = True
            return
        self._calm = False
        self._plain_session = replace(self._plain_session, size=self._console.size)
        match item:
            case Update(status):
                self._do(apply_update(self._plain_session, item))
                self._keep(item)
                if status.connection is ConnectionState.ENDED and not self._is_over():
                    told = why_ended(status.ending, is_host=status.is_host)
                    self._say(told, *self._plain_session.where())
            case TypedLine(line):
                if self._console.is_eager and line is not None:  # Ctrl+D echoes no line break
                    self._console.note_answer()
                self.typed.append(line)
            case _:
                assert_never(item)

    def _read(self, line: str | None) -> None:
        """Process a typed line. The end of input (`None`) disconnects, unless the autopilot plays.

        If its host is alone in a lobby, the table is closed then: no game could ever begin there.
        """
        if line is not None:
            self._console.note_answer()
            self._do(interpret(self._plain_session, line))
            return
        self._say(self._input_ended())
        if self._plain_session.is_on_autopilot:
            self._deaf = True
        elif _is_alone(self._plain_session.status):
            self._deaf = self._closing = True
            self._session.request(Close())
        else:
            self._let_go()

    def _input_ended(self) -> str:
        """Return the sentence that the input has ended, and what becomes of the game."""
        if self._plain_session.is_on_autopilot:
            return _("The input has ended; a bot plays on for you.")
        ended = _("The input has ended.")
        if self._plain_session.back or phase(self._plain_session.status) is Phase.OVER:
            return ended
        return f"{ended} {game_lost()}"

    def _say(self, *lines: str) -> None:
        """Write lines, wrapped to the terminal's width."""
        self._console.say(self._plain_session.say(lines).lines)

    def _do(self, answer: Reaction) -> None:
        """Write the lines of a reaction, and carry out its effect."""
        self._plain_session = answer.session
        self._console.say(answer.lines)
        match answer.effect:
            case None:
                pass
            case SendMove(move):
                self._session.request(self._plain_session.status.move_request(move))
            case SendRequests(requests):
                for want in requests:
                    self._session.request(want)
            case SaveRecord(path):
                held = self._plain_session.status.game_state
                assert held is not None
                self._say(save_record(held.record, path), *self._plain_session.where())
            case Parting.DISCONNECT:
                self._let_go()
            case _:
                assert_never(answer.effect)

    def _fly(self) -> None:
        """Let the autopilot act if it is on, else make it rest."""
        session = self._plain_session
        if not session.is_on_autopilot:
            self._autopilot.stop()
        elif self._deaf and not session.back and phase(session.status) is Phase.OVER:
            self._let_go()  # nobody is left to begin another game
        elif not session.awaiting:
            self._autopilot.on_update(session.status)

    def _keep(self, update: Update) -> None:
        """Save the record of the game that is over now, if it is to be kept, and say where."""
        if ends_game(update):
            liked, _trouble = PreferencesStore(usual_path()).read()
            if liked.games is KeepGames.ON:
                self._say(keep_finished(update).text)

    def _let_go(self) -> None:
        """Leave the table; a player whose seat is kept is shown how to come back."""
        self._left = True
        session = self._plain_session
        if session.back and session.status.connection is not ConnectionState.ENDED:
            self._say(session.way_back)

    def _is_over(self) -> bool:
        """Return True if the session has ended and there is nothing left to do.

        If the host closes the table after a game, other players still get time to save the record.
        """
        status = self._plain_session.status
        if status.connection is not ConnectionState.ENDED:
            return False
        stays = (
            self._console.is_eager and status.ending is CloseReason.CLOSED and not status.is_host
        )
        return not (stays and phase(status) is Phase.OVER)

    def _part(self) -> int:
        """Report why the session has ended, and return the exit code."""
        why = self._plain_session.status.ending
        if why is None:  # an exception, which joining the session's thread raises
            return 1
        if why is CloseReason.CLUB:
            return 0
        if why in _FINE:
            self._say(why_ended(why, is_host=self._plain_session.status.is_host))
            return 0
        self._console.leave()
        complain(f"sabtui: {why_ended(why)}")
        return 1
