"""What a room puts out, on its way to those who are there."""

from typing import cast

from net.protocol.messages import Pong
from net.room.effects import CloseConnection, SendFrame
from net.secure.connection import Connection
from net.server.output import ClientConnections


class Ear:
    """A connection that only notes how often it was sent something, and whether it was closed."""

    def __init__(self) -> None:
        self.frames = 0
        self.is_closed = False

    def send_packed(self, _frame: bytes, _backlog: int | None) -> None:
        self.frames += 1

    def close(self) -> None:
        self.is_closed = True


def test_nothing_is_sent_to_a_connection_that_is_gone() -> None:
    connections, stays, goes = ClientConnections(), Ear(), Ear()
    first, second = (connections.add(cast("Connection", one)) for one in (stays, goes))
    connections.remove(second)
    connections.remove(second)
    pong = Pong(4)
    connections.deliver([SendFrame((first, second), pong), SendFrame((second,), pong)])
    connections.deliver([CloseConnection(second), CloseConnection(first)])
    assert (stays.frames, stays.is_closed) == (1, True)
    assert (goes.frames, goes.is_closed) == (0, False)
