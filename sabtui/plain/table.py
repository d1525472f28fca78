"""The driver of a line face: a table is played at in lines of text, from entering it to the end.

Knows threads and one queue of all that comes: lines typed, updates of the seat. What they mean is
`hearing`'s and `reading`'s, and neither knows a thread. Must not know what is behind the seat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Final, assert_never

from engine.table import Phase
from net.client.beside import Beside, Running
from net.client.seat import Hear, Now, Standing, Update
from net.lobby import Stage
from net.messages import Close, Farewell
from net.seen_record import seen_record
from sabtui.autopilot import Autopilot
from sabtui.options import complain
from sabtui.plain.console import Console
from sabtui.plain.deeds import flying_told
from sabtui.plain.hearing import hear
from sabtui.plain.lobby import phase
from sabtui.plain.reading import read
from sabtui.plain.sitting import Answer, Sitting
from sabtui.plain.wishes import Ask, GoOn, KeepAndLetGo, LetGo, Play, Save
from sabtui.saving import saved
from sabtui.screen.keeping import folder, keep
from sabtui.words.endings import ended
from sabtui.words.tongue import _

_PATIENCE: Final = 1.0
"""Seconds of a wait. On Windows one without an end would not hear Ctrl+C."""

_BREATH: Final = 0.2
"""Seconds in which bots that move at once have moved: no prompt is worth showing before."""

_PARTING: Final = 3.0
"""Seconds in which a seat has let go of its link."""

_CLOSES: Final = (Standing.LINKED, Standing.ENDED)
"""How the link stands while a table that is closed can be heard of."""

_FINE: Final = Farewell.LEFT, Farewell.CLOSED


@dataclass(frozen=True, slots=True)
class Typed:
    """A line was typed; `None` is the end of input."""

    line: str | None


def at_table(  # noqa: PLR0913 - each says one thing of a visit, and most need none
    make: Callable[[Hear], Running],
    console: Console,
    *,
    greeting: Iterable[str] = (),
    back: str = "",
    flying: bool = False,
    from_deal: bool = False,
) -> int:
    """Play in lines at a table until it is left or ends, and return the exit code.

    The code is 0 where the player left or the table was closed, 1 else, with one line on standard
    error that says what to do. Call it in the main thread: `make` is called in another, where the
    seat then runs in a loop of its own (`net.client.beside`).

    Args:
        make: makes the seat, given what the seat has to call with each update.
        console: where lines come from and go to.
        greeting: what is said first.
        back: the sentence that says how to come back, where a seat is kept for who quits:
            "Your seat is kept: sabtui join brings you back." Nothing where quitting ends all.
        flying: whether the autopilot plays from the start. At a table with others it outlasts
            the end of input.
        from_deal: say nothing of the lobby before the first game begins: practice begins by itself.
    """
    came: SimpleQueue[Update | Typed] = SimpleQueue()
    seat = Beside(make, came.put)
    sitting = Sitting(size=console.size, flying=flying, silent=from_deal, back=back)
    console.say(sitting.say([*greeting, *([flying_told()] if flying else [])]).lines)
    console.listen(lambda line: came.put(Typed(line)))
    seat.start()
    try:
        code = _Driver(seat, console, sitting, Autopilot(seat), came).run()
    finally:
        seat.leave()
        seat.join(_PARTING)
    return code


def _is_alone(now: Now) -> bool:
    """Tell whether one is the host in a lobby where nobody else is."""
    lobby = now.lobby
    if lobby is None or not now.is_host or now.standing is not Standing.LINKED:
        return False
    others = [one for one in lobby.people if one.member != now.member]
    return lobby.stage is Stage.LOBBY and not others


class _Driver:
    """Turns what comes into what is said and done."""

    def __init__(
        self,
        seat: Beside,
        console: Console,
        sitting: Sitting,
        autopilot: Autopilot,
        came: SimpleQueue[Update | Typed],
    ) -> None:
        self._seat = seat
        self._console = console
        self._sitting = sitting
        self._autopilot = autopilot
        self._came = came
        self._typed: deque[str | None] = deque()
        self._left = self._deaf = self._closing = False
        self._calm = True

    def run(self) -> int:
        """Go on until the table is left or ends, and return the exit code."""
        while not self._left and not self._is_over():
            if self._came.empty() and self._may_read():
                self._read(self._typed.popleft())
            else:
                self._take()
            self._fly()
            if self._closing and self._sitting.now.standing not in _CLOSES:
                self._let_go()  # the table is out of reach, and ends by itself
        return 0 if self._left else self._part()

    def _may_read(self) -> bool:
        """Whether there is a line to be answered now; if there could be, ask for it."""
        eager = self._console.is_eager
        if not self._sitting.takes_line(eager=eager):
            return False
        waits = eager and (self._typed or (self._sitting.bot_moves and not self._calm))
        if not self._deaf and not waits:
            self._console.prompt(self._sitting.prompt())
        return bool(self._typed)

    def _take(self) -> None:
        """Wait for what comes next."""
        try:
            item = self._came.get(timeout=_PATIENCE if self._calm else _BREATH)
        except Empty:
            self._calm = True
            return
        self._calm = False
        self._sitting = replace(self._sitting, size=self._console.size)
        match item:
            case Update(now):
                self._do(hear(self._sitting, item))
                if now.standing is Standing.ENDED and not self._is_over():
                    self._do(self._sitting.say([ended(now.ending), *self._sitting.where()]))
            case Typed(line):
                if self._console.is_eager and line is not None:  # Ctrl+D is not echoed
                    self._console.answered()
                self._typed.append(line)
            case _:
                assert_never(item)

    def _read(self, line: str | None) -> None:
        """Do what a line says. The end of input lets go, but for an autopilot.

        A lobby in which its host is alone is closed then: nobody could ever begin a game there.
        """
        if line is not None:
            self._console.answered()
            self._do(read(self._sitting, line))
            return
        if self._sitting.now.undone is not None:
            self._do(Answer(self._sitting, wish=KeepAndLetGo()))
            return
        self._console.say(self._sitting.say([self._input_ended()]).lines)
        if self._sitting.flying:
            self._deaf = True
        elif _is_alone(self._sitting.now):
            self._deaf = self._closing = True
            self._seat.want(Close())
        else:
            self._let_go()

    def _input_ended(self) -> str:
        """Say that no more lines come, and what becomes of the game."""
        if self._sitting.flying:
            return _("The input has ended; the bot plays on for you.")
        if self._sitting.back or phase(self._sitting.now) is Phase.OVER:
            return _("The input has ended.")
        return _("The input has ended, and with it the game.")

    def _do(self, answer: Answer) -> None:
        """Say what is said, and do what is wished."""
        self._sitting = answer.sitting
        self._console.say(answer.lines)
        match answer.wish:
            case None:
                pass
            case Play(move):
                self._seat.play(move)
            case Ask(wants):
                for want in wants:
                    self._seat.want(want)
            case Save(path):
                held = self._sitting.now.held
                assert held is not None
                self._do(self._sitting.say([saved(held.record, path), *self._sitting.where()]))
            case LetGo():
                self._let_go()
            case GoOn():
                self._seat.go_on()
            case KeepAndLetGo():
                self._keep_seen()
                self._let_go()
            case _:
                assert_never(answer.wish)

    def _fly(self) -> None:
        """Let the autopilot do what is due, or let it rest."""
        sitting = self._sitting
        if not sitting.flying or sitting.now.undone is not None:
            self._autopilot.rest()
        elif self._deaf and not sitting.back and phase(sitting.now) is Phase.OVER:
            self._let_go()  # nobody is left to begin another game
        elif not sitting.awaiting:
            self._autopilot.heed(sitting.now)

    def _keep_seen(self) -> None:
        """Keep the record of what was seen before the table went back, if there was a game."""
        undone = self._sitting.now.undone
        held = None if undone is None else undone.held
        record = seen_record(held)
        if held is not None and record:
            said = keep(record, held.lobby.name, folder())
            self._console.say(self._sitting.say([said]).lines)

    def _let_go(self) -> None:
        """Leave the table by oneself; who has a seat is told how to come back."""
        self._left = True
        if self._sitting.now.standing is not Standing.ENDED and self._sitting.back:
            self._console.say(self._sitting.say([self._sitting.back]).lines)

    def _is_over(self) -> bool:
        """Whether there is nothing left to do but go.

        A host who closes the table after a game leaves those who sit there time to save it.
        """
        now = self._sitting.now
        if now.standing is not Standing.ENDED:
            return False
        stays = self._console.is_eager and now.ending is Farewell.CLOSED and not now.is_host
        return not (stays and phase(now) is Phase.OVER)

    def _part(self) -> int:
        """Say why the seat has ended."""
        why = self._sitting.now.ending
        if why is None:  # something broke; joining the seat's thread raises it
            return 1
        if why in _FINE:
            self._console.say(self._sitting.say([ended(why)]).lines)
            return 0
        self._console.leave()
        complain(f"sabtui: {ended(why)}")
        return 1
