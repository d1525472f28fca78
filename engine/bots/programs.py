"""Bots that are programs of any language, asked by lines of JSON on their standard streams.

A line with all that a seat knows goes in; a line with its move, and with what it says, comes out.
docs/program-bots.md describes both. The process starts with the first question. After a bad answer
it is ended, and a new one starts with the next question, so that a late answer to one question is
never taken for the answer to another.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import IO, Final, cast

from engine.board import GOAL_CELLS, Board, CardState, Cell
from engine.bots.bot import BadReply, Budget, Playouts, SpokenMove, build_spoken_move
from engine.bots.executables import MAX_INSTALLED_BOT_BYTES, find_start_fault
from engine.bots.talk import SILENCE, Claim, Talk
from engine.cards import Goal, Role, Tool
from engine.events import Event, event_dict
from engine.moves import Discard, KeepGold, Move
from engine.notation.record import format_claim, spell_claims
from engine.tokens import format_cell
from engine.view import View

if sys.platform == "linux":  # pragma: no branch - covered on Linux
    import resource

MAX_ANSWER_BYTES: Final = 65_536
"""Maximum bytes of a program's line."""

NO_OPTIONS: Final[Mapping[str, str]] = MappingProxyType({})

CARD_STATES: Final = {CardState.REACHED: "", CardState.DEAD: "dead", CardState.CUT_OFF: "cut off"}
"""The state of a card in the mine, in the form of the JSON lines."""

_SEAT_FIELDS: Final = frozenset(("seat", "target", "to", "starter"))
"""The fields of events that hold a seat."""

_ROLE_FIELDS: Final = frozenset(("role", "roles", "spare", "winner"))
"""The fields of events that hold dwarves."""

_ROLES: Final = {str(role): role.name.lower() for role in Role}


class ProgramBot:
    """A bot that is a program. Its process ends with this object, or with `close`."""

    def __init__(
        self, path: Path, options: Mapping[str, str] = NO_OPTIONS, *, leads_group: bool = False
    ) -> None:
        """Play with the program at this path; each question repeats the options.

        With `leads_group`, `close` ends all that the program has started, too: at a table that is
        in the group of the process that asks, and ends with it.
        """
        self._path = path.absolute()
        self._options = options
        self._leads_group = leads_group and sys.platform != "win32"
        self._process: subprocess.Popen[bytes] | None = None

    def __del__(self) -> None:
        self.close()

    def __call__(
        self, view: View, rng: Random, budget: Budget, talk: Talk = SILENCE
    ) -> Move | SpokenMove:
        """Return a legal move of `view.seat`, and what the program says with it.

        Raises `BadReply` if it gives none.
        """
        try:
            return read_answer(self._exchange(self.write_question(view, rng, budget, talk)), view)
        except BaseException:  # its late answer would be taken for one to the next question
            self.close()
            raise

    def write_question(self, view: View, rng: Random, budget: Budget, talk: Talk) -> str:
        """Return the line that asks the program for a move."""
        return json.dumps(question_about(view, rng.getrandbits(32), budget, talk, self._options))

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            if sys.platform != "win32" and self._leads_group:
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            for pipe in _find_pipes(process):
                with suppress(OSError):  # nobody reads what is still buffered
                    pipe.close()
            process.wait()

    def _exchange(self, question: str) -> bytes:
        """Send a line, and return the line that answers it. Raises `BadReply`."""
        if self._process is None:
            self._process = self._start()
        asking, telling = _find_pipes(self._process)
        if _has_more(telling):
            # Taken for the answer, it would shift all later ones by one question.
            raise BadReply("an answer that nobody asked for", telling.peek(80)[:80])
        with suppress(OSError):  # it has ended, which reading will show
            asking.write(f"{question}\n".encode("ascii"))
            asking.flush()
        line = telling.readline(MAX_ANSWER_BYTES + 1)
        if len(line) > MAX_ANSWER_BYTES:
            raise BadReply(f"a line of more than {MAX_ANSWER_BYTES} bytes", line[:80])
        if not line.endswith(b"\n"):
            fault = find_start_fault(self._path)
            raise BadReply(f"no line, as {fault or 'its program has ended'}", line)
        return line

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the program, in the folder that it is in. Raises `BadReply`."""
        try:
            process = subprocess.Popen(  # noqa: S603 - what the user named
                [str(self._path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=self._path.parent,
                process_group=0 if self._leads_group else None,
            )
        except OSError as error:
            fault = find_start_fault(self._path)
            why = fault or f"its program does not start: {error.strerror}"
            raise BadReply(f"no line, as {why}", "") from None
        if sys.platform == "linux":  # pragma: no branch - covered on Linux
            with suppress(OSError):  # it has ended, or its limit is lower already
                most = MAX_INSTALLED_BOT_BYTES, MAX_INSTALLED_BOT_BYTES
                resource.prlimit(process.pid, resource.RLIMIT_DATA, most)
        return process


def _find_pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], BufferedReader]:
    assert process.stdin is not None
    assert isinstance(process.stdout, BufferedReader)
    return process.stdin, process.stdout


def _has_more(telling: BufferedReader) -> bool:
    """Return True if there is something to read, without waiting for it."""
    if sys.platform == "win32":  # pragma: no cover - where a pipe cannot be asked
        return False
    else:  # noqa: RET505 - so types are checked for Windows, too
        os.set_blocking(telling.fileno(), False)
        try:
            return bool(telling.peek(1))
        finally:
            os.set_blocking(telling.fileno(), True)


def read_answer(line: bytes, view: View) -> Move | SpokenMove:
    """Return the legal move that a program's line names, and what it says. Raises `BadReply`."""
    try:
        answer = cast("object", json.loads(line))
    except (ValueError, RecursionError):
        raise BadReply("no JSON", line) from None
    if not isinstance(answer, dict) or not isinstance(answer.get("move"), str):
        raise BadReply("no object with a move", line)
    try:
        move = view.read(answer["move"])
    except ValueError as error:
        raise BadReply("no legal move", str(error)) from None
    claims, text = answer.get("claims"), answer.get("text")
    if claims is None and text is None:  # many serialisers write what is absent like this
        return move
    known = spell_claims(view.table.players)

    def read(said: object) -> Claim | None:
        return known.get(said) if isinstance(said, str) else None

    return build_spoken_move(move, claims, text, read)


def question_about(
    view: View, seed: int, budget: Budget, talk: Talk, options: Mapping[str, str] = NO_OPTIONS
) -> dict[str, object]:
    """Return all that a seat knows and may do, as plain values; seats count from 1."""
    table, score = view.table, view.score
    assert view.seat is not None
    assert view.role is not None
    thought = (
        {"playouts": budget.count} if isinstance(budget, Playouts) else {"seconds": budget.seconds}
    )
    return {
        "v": 1,
        "seat": view.seat + 1,
        "role": view.role.name.lower(),
        "phase": view.phase.name.lower(),
        "edition": table.edition.text,
        "round": score.number,
        "rounds": score.rounds,
        "pile": table.pile,
        "hand": [card.text for card in view.hand],
        "gold": [*view.gold],
        "moves": [list_way(move) for move in view.legal_moves()],
        "seats": [*_list_seats(view)],
        "mine": {
            "cards": list_cards(table.board),
            "goals": [
                {"x": x, "y": y, "cell": format_cell((x, y)), "gold": _has_gold(view, (x, y))}
                for x, y in GOAL_CELLS
            ],
        },
        "history": [_list_event(event) for event in view.history],
        "claims": [
            {"seat": seat + 1, "claim": format_claim(claim)} for seat, claim, _ in talk.said
        ],
        "lines": [{"seat": seat + 1, "text": text} for seat, text, _ in talk.lines],
        "seed": seed,
        **thought,
        "players": table.players,
        "talk": "all" if talk.is_written else "claims",
        "options": dict(options),
    }


def _list_seats(view: View) -> Iterator[dict[str, object]]:
    for seat, cards in enumerate(view.table.hands):
        yield {
            "seat": seat + 1,
            "cards": cards,
            "broken": [tool.name.lower() for tool in Tool.within(view.table.broken[seat])],
            "looked": [[*cell] for cell in view.table.looks[seat]],
            "gold_cards": view.score.cards[seat],
        }


def _has_gold(view: View, goal: Cell) -> bool | None:
    """Return True if the treasure lies on a goal, and `None` if the seat does not know."""
    face = view.goal_on(goal)
    return None if face is None else face is Goal.TREASURE


def _list_event(event: Event) -> dict[str, object]:
    """Return an event as `event_dict` does, with seats from 1 and dwarves as `role` has them."""
    listed = event_dict(event)
    for name, value in listed.items():
        if name in _SEAT_FIELDS and isinstance(value, int):
            listed[name] = value + 1
        elif name in _ROLE_FIELDS:
            listed[name] = (
                [*map(_ROLES.__getitem__, value)] if isinstance(value, list) else _ROLES[str(value)]
            )
    return listed


def list_cards(board: Board) -> list[dict[str, str | int]]:
    """Return the cards that lie face up in the mine, in the form of the JSON lines."""
    return [
        {"x": x, "y": y, "path": path.text, "state": CARD_STATES[board.state_of((x, y))]}
        for (x, y), path in board.cards.items()
    ]


def list_way(move: Move) -> list[str | int]:
    """Return a move in the form of the JSON lines: its notation, and its cell or seat, if any."""
    spelt = str(move)
    if isinstance(move, Discard | KeepGold):
        return [spelt]
    place = move.place
    return [spelt, place + 1] if isinstance(place, int) else [spelt, *place]
