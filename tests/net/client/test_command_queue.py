"""Commands wait until they are answered, and never get an id for the second time."""

from __future__ import annotations

from engine.cards import Card
from engine.moves import Discard
from net.client.state import CommandQueue
from net.protocol.events import write_move
from net.protocol.requests import Chat, MakeMove, Start

MOVE = MakeMove(7, write_move(Discard(Card.MAP)))
QUEUE = CommandQueue().add(Start()).add(MOVE).add(Chat("gold")).add(Start())


def test_an_answer_ends_one_command_and_a_welcome_all_up_to_its_number() -> None:
    assert [*QUEUE.pending] == [1, 2, 3, 4]
    assert [*QUEUE.without(2).pending] == [1, 3, 4]
    assert QUEUE.without(9) == QUEUE
    assert [*QUEUE.after(2).pending] == [3, 4]
    assert QUEUE.after(2).last_id == 4


def test_ids_begin_after_what_an_earlier_run_has_sent() -> None:
    queue = CommandQueue().after(17).add(Start())
    assert [*queue.pending] == [18]


def test_a_rollback_drops_moves_alone() -> None:
    assert [*QUEUE.without_moves().pending] == [1, 3, 4]
    assert QUEUE.without_moves().add(Start()).last_id == 5
