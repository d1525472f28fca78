"""A table's side of a door: it starts the door's process, and answers its questions.

The process asks over its standard streams, which nobody else has (`sabtui.doors.messages`). When
the table's process closes a door or ends, in whatever way, the door reads the end of its input. It
then lets nobody in, and ends once its guests are gone. Their screens wait for the table to come
back.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, assert_never

import msgspec

from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.secure.code import BadCode, RoomCode
from net.secure.handshake import BadShare, CodeExchange, PakeSide
from net.server.doors import DoorTable, ServeDoor
from net.server.process import environment, python
from sabtui.doors import messages

_DECODER: Final = msgspec.json.Decoder(messages.DoorMessage)

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here that may run: Python warns of children whose end nobody asked for."""

_log = logging.getLogger(__name__)


def serve_by(arguments: Sequence[str], folder: Path, language: str = "en") -> ServeDoor:
    """Return what serves a door by a process of its own, which Python starts with these arguments.

    The process keeps its state in `folder`, and speaks `language`.
    """

    async def serve(
        table: DoorTable, kind: DoorKind, tell: Callable[[DoorNow], None]
    ) -> DoorTrouble:
        trouble = DoorTrouble.ENDED
        ours = _start(arguments)
        reader, writer = await asyncio.open_connection(sock=ours, limit=messages.MAX_LINE_BYTES)
        order = messages.DoorOrder(
            table.id, table.name, table.port, table.pin, str(folder), language
        )
        try:
            writer.write(msgspec.json.encode(order) + b"\n")
            while line := await reader.readline():
                message = _DECODER.decode(line)
                match message:
                    case messages.DoorOpened(port, fingerprint, why):
                        tell(DoorNow(kind, port, fingerprint, why))
                    case messages.DoorFailed(why):
                        trouble = why
                    case messages.Settle():
                        settle(table, message, time.monotonic())
                    case (
                        messages.TryCode()
                        | messages.Admit()
                        | messages.IsSeated()
                        | messages.TryExchange()
                    ):
                        said = answer(table, message, time.monotonic())
                        writer.write(msgspec.json.encode(said) + b"\n")
                        await writer.drain()
                    case _:
                        assert_never(message)
        except (OSError, ValueError, msgspec.DecodeError) as error:  # ValueError: a line too long
            _log.warning("the door %s broke: %s", kind, type(error).__name__)
        finally:
            writer.close()
        return trouble

    return serve


def answer(table: DoorTable, question: messages.Question, now: float) -> messages.DoorAnswer:
    """Return the table's answer to a question of a door."""
    match question:
        case messages.TryCode():
            return _try_code(table, question, now)
        case messages.Admit(number, key, address, is_new, renewed):
            is_new = is_new and renewed == table.keys.renewed
            table.keys.admit(key, address, now, is_new=is_new)
            return messages.DoorAnswer(number, is_new or table.is_seated(key))
        case messages.IsSeated(number, key):
            return messages.DoorAnswer(number, table.is_seated(key))
        case messages.TryExchange():
            return _try_exchange(table, question, now)
        case _:
            assert_never(question)


def _try_code(table: DoorTable, asked: messages.TryCode, now: float) -> messages.DoorAnswer:
    """Count a guess as one at the table's own port, and compare it."""
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return messages.DoorAnswer(asked.id, yes=True, renewed=renewed)
    try:
        typed = RoomCode.parse(asked.typed)
    except BadCode:  # no client of ours could send it, so it is no guess
        return messages.DoorAnswer(asked.id)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return messages.DoorAnswer(asked.id, wait=wait)
    is_right = hmac.compare_digest(str(typed).encode(), str(code).encode())
    settle(table, messages.Settle(asked.address, is_right), now)
    return messages.DoorAnswer(asked.id, yes=is_right, renewed=renewed)


def _try_exchange(table: DoorTable, asked: messages.TryExchange, now: float) -> messages.DoorAnswer:
    """Count a guess, and run the table's side of the exchange, which takes about 10 ms.

    An open table answers yes, without a share: the door does all of it.
    """
    code, renewed = table.code(), table.keys.renewed
    if code is None:
        return messages.DoorAnswer(asked.id, yes=True, renewed=renewed)
    wait = table.guesses.admit(asked.address, now)
    if wait:
        return messages.DoorAnswer(asked.id, wait=wait)
    run = CodeExchange(PakeSide.HOST, str(code).encode(), asked.binding)
    share = run.share()
    try:
        secret = run.key(asked.share)
        return messages.DoorAnswer(asked.id, yes=True, share=share, secret=secret, renewed=renewed)
    except BadShare:
        return messages.DoorAnswer(asked.id)


def settle(table: DoorTable, settled: messages.Settle, now: float) -> None:
    """Refund a guess that was right, and count one that was wrong."""
    if table.code() is None:
        return
    if settled.is_right:
        table.guesses.right(settled.address, now)
    elif tried := table.guesses.wrong():
        table.alarm(tried)


def _start(program: Sequence[str]) -> socket.socket:
    """Start a door's process, which may outlive us; return the socket to it. Raises OSError."""
    ours, theirs = socket.socketpair()
    with theirs, ExitStack() as undoing:
        undoing.callback(ours.close)
        process = subprocess.Popen(  # noqa: S603 - ourselves
            python(*program),
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env=environment(),
            start_new_session=True,
        )
        undoing.pop_all()
    _started[:] = [*(running for running in _started if running.poll() is None), process]
    return ours
