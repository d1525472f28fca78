"""Cost of sealing a table's journal: bytes and processor time of a step, and of bringing it back.

Ten people, each at a computer of their own, play a round, with steps in the clear and sealed.
Nobody is connected and no disk is used, so what is measured is the room. To bring the table back,
as many as are needed open their shares with their seat keys, and all steps are opened and replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import process_time

from engine.bots import BOTS, Playouts
from engine.state import Phase
from net.protocol.events import write_move
from net.protocol.lobby import Settings
from net.protocol.lobby_events import Entered, GameBegins, LobbyEvent, SatDown
from net.room import inputs
from net.room.room import Room
from net.room.sealing import SealedLog
from net.room.state import Begin, GameStep, Step, TableCreated, read_step, write
from net.room.steps import collect_effects, commit, load
from net.secure.keys import SeatKey
from net.secure.sealing import open_share

PLAYERS = 10
RUNS = 20
"""Number of times that each figure is measured; the median is printed."""

KEYS = [SeatKey.new() for _ in range(PLAYERS)]
CREATED = TableCreated("bench", KEYS[0].public, Settings(seats=PLAYERS, rounds=3))


def new_table(*, seals: bool) -> Room:
    """Return an empty table."""
    return Room(CREATED, 1, lambda: bytes(32), 0.0, seals=seals)


def steps_of_a_round() -> list[Step]:
    """Return the steps in which people come, begin, and play a round by a bot's advice."""
    table, steps = new_table(seals=False), list[Step]()

    def make(step: Step) -> None:
        steps.append(step)
        commit(table, step)

    for member, key in enumerate(KEYS, 1):
        came: tuple[LobbyEvent, ...] = (
            Entered(member, f"player {member}", member == 1, computer=member - 1),
            SatDown(member - 1, member),
        )
        make(Step(member, news=came, key=key.public))
    make(Step(1, 1, (GameBegins(),), Begin(bytes(range(32)))))
    rng = Random(7341)
    while (game := table.state.game) is not None and game.phase is Phase.PLAY:
        seat = game.to_act
        assert seat is not None
        move = BOTS["greedy"](game.view(seat), rng, Playouts(0))
        make(Step(seat + 1, table.state.number, act=GameStep(write_move(move))))
    return steps


def write_steps(steps: Sequence[Step], *, seals: bool) -> list[bytes]:
    """Make the steps at a new table, and return what its journal holds then."""
    table = new_table(seals=seals)
    for step in steps:
        commit(table, step)
    return [step.payload for step in collect_effects(table).steps]


def bring_back(journal: Sequence[bytes]) -> None:
    """Open a journal with as many shares as are needed, and replay it."""
    log = SealedLog([read_step(payload) for payload in journal])
    if log.needed:
        inputs.resume(write(CREATED), journal, 2, lambda: bytes(32), 0.0, seals=True)
    give_shares(log)
    load(new_table(seals=True), log)


def give_shares(log: SealedLog) -> None:
    """Give a log the shares that it needs, of the first players beside the host."""
    for member in log.waiting[: log.needed]:
        assert log.give(member, open_share(KEYS[member - 1], log.share_of(member)))


def seconds(act: Callable[[], object]) -> float:
    """Return the median processor time of an act."""
    took = []
    for _ in range(RUNS):
        begun = process_time()
        act()
        took.append(process_time() - begun)
    return median(took)


def show(what: str, clear: float, sealed: float) -> None:
    """Print one row: without sealing, with it, and the difference."""
    print(f"{what:36}{clear:10.1f}{sealed:10.1f}{sealed - clear:+10.1f}")


def main() -> None:
    """Measure, and print the figures."""
    steps = steps_of_a_round()
    clear, sealed = write_steps(steps, seals=False), write_steps(steps, seals=True)
    deal = next(number for number, step in enumerate(steps) if step.act is not None)
    title = f"sealing, {PLAYERS} players, {len(steps)} steps"
    print(f"{title:36}{'clear':>10}{'sealed':>10}{'added':>10}")
    show("bytes of a move's step", *(median(map(len, one[deal + 1 :])) for one in (clear, sealed)))
    show("bytes of the step that deals", len(clear[deal]), len(sealed[deal]))
    show(
        "microseconds a step",
        seconds(lambda: write_steps(steps, seals=False)) * 1e6 / len(steps),
        seconds(lambda: write_steps(steps, seals=True)) * 1e6 / len(steps),
    )
    show(
        "milliseconds to bring it back",
        seconds(lambda: bring_back(clear)) * 1e3,
        seconds(lambda: bring_back(sealed)) * 1e3,
    )
