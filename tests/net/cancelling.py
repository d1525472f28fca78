"""Cancels tasks at each point at which they wait, and sees that they end and leave nothing behind.

A scenario is run once to note where each of its tasks waits, then once more for each of these
waits: there the task is cancelled before it has what it waits for, or in the same turn of the loop
in which it gets it. The clock moves only where there is nothing else to do, and what is for a
thread is done at once, so that nothing depends on how fast the machine is.
"""

from __future__ import annotations

import asyncio
import gc
import selectors
import traceback
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from contextvars import Context, ContextVar, copy_context
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import CodeType, TracebackType
from typing import Final, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

import net
import sabtui

T = TypeVar("T")
P = ParamSpec("P")

Scenario: TypeAlias = Callable[[], Coroutine[object, None, None]]
Setting: TypeAlias = Callable[[], AbstractAsyncContextManager[Scenario]]
"""Opens what a scenario needs, in which nothing is cancelled, and gives the scenario."""

MAX_TURNS: Final = 400
"""Turns of the loop in which a cancelled task has to end, with all that it does to clean up."""

SETTLING_TURNS: Final = 8
MAX_SCENARIO_TURNS: Final = 20_000
MAX_WAITS: Final = 2
"""Waits of one task at one place that are tried: a loop comes to the same place again."""

SOURCES: Final = tuple(Path(package.__path__[0]) for package in (net, sabtui))
DESCRIPTORS: Final = Path("/proc/self/fd")


class When(StrEnum):
    """When a waiting task is cancelled."""

    BEFORE = "before"
    TOGETHER = "together with"


class Point(NamedTuple):
    """The number of a task, in the order in which they begin, and of one of its waits."""

    task: int
    wait: int
    when: When


class Stuck(Exception):
    """A task goes on and on."""


class Inline(ThreadPoolExecutor):
    """An executor that has done everything by the time it has taken it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = Future[T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever waits for the future hears of it
            future.set_exception(error)
        return future


class Loop(asyncio.SelectorEventLoop):
    """A loop with a clock of its own, that counts its turns and calls `on_turn` in each."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns = 0
        self.on_turn: Callable[[], None] = lambda: None
        super().__init__(_Selector(self))
        self.set_default_executor(Inline(1))

    def time(self) -> float:
        return self.now


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: where nothing is there, the clock moves on to what is due next."""

    def __init__(self, loop: Loop) -> None:
        super().__init__()
        self._loop = loop

    def select(  # type: ignore[explicit-any] # - a key may have data of any kind
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        self._loop.turns += 1
        self._loop.on_turn()
        found = super().select(0)
        if not found and timeout is not None:
            self._loop.now += max(0.0, timeout)
        return found


class _Watched(Coroutine[object, None, T]):
    """A coroutine that tells of what it waits for, each time just before it does."""

    def __init__(self, inner: Coroutine[object, None, T], waits: Callable[[object], None]) -> None:
        self.inner = inner
        self._waits = waits

    def send(self, value: None, /) -> object:
        waited_for = self.inner.send(value)
        self._waits(waited_for)
        return waited_for

    def throw(
        self,
        kind: type[BaseException] | BaseException,
        _error: object = None,
        _trace: TracebackType | None = None,
        /,
    ) -> object:
        waited_for = self.inner.throw(kind) if isinstance(kind, BaseException) else None
        self._waits(waited_for)
        return waited_for

    def close(self) -> None:
        self.inner.close()

    def __await__(self) -> Generator[object, None, T]:
        raise NotImplementedError


_in_scenario: ContextVar[bool] = ContextVar("_in_scenario", default=False)


class Run:
    """One run of a scenario; where a point is given, with a task cancelled there.

    `waits` has the places at which each task has waited, `names` says which it is, and `complaints`
    what went wrong. A task that is none of ours is looked at, and not cancelled.
    """

    def __init__(self, setting: Setting, point: Point | None = None) -> None:
        self.waits: list[list[str]] = []
        self.names: list[str] = []
        self.complaints: list[str] = []
        self._setting = setting
        self._point = point
        self._loop = Loop()
        self._tasks: list[asyncio.Task[object]] = []
        self._victim: asyncio.Task[object] | None = None
        self._cancelled_in = 0  # the turn
        self._ended_in = 0

    def make(self) -> None:
        """Run the scenario to its end."""
        loop = self._loop
        loop.set_task_factory(self._new_task)
        loop.set_exception_handler(self._complain)
        loop.on_turn = self._look
        try:
            loop.run_until_complete(self._run())
        except Stuck as stuck:
            self.complaints.append(str(stuck))
        finally:
            loop.close()

    async def _run(self) -> None:
        async with self._setting() as scenario:
            before = _descriptors()
            context = copy_context()
            context.run(_in_scenario.set, True)  # noqa: FBT003 - the value to set
            root = self._loop.create_task(scenario(), context=context)
            await asyncio.wait((root,))
            await self._turns(SETTLING_TURNS)  # transports close a little later
            left = self._loop.turns + MAX_TURNS
            while _descriptors() != before and self._loop.turns < left:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
            if (more := _descriptors() - before) != 0:
                self.complaints.append(f"{more} descriptors more than before")
        if not root.cancelled() and (error := root.exception()) is not None:
            self.complaints.append("".join(traceback.format_exception(error)))
        for task in self._tasks:
            if not task.done():
                self.complaints.append(f"left behind: {_where(task)}")
        if self._victim is not None and not self._victim.cancelled():
            self.complaints.append("it ends as if it had not been cancelled")

    async def _turns(self, number: int) -> None:
        for _ in range(number):
            await asyncio.sleep(0)

    def _new_task(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[object, None, T] | Generator[object, None, T],
        context: Context | None = None,
        **_name: object,
    ) -> asyncio.Task[T]:
        assert isinstance(coroutine, Coroutine)
        if not (_in_scenario.get() if context is None else context.get(_in_scenario, False)):
            return asyncio.Task(coroutine, loop=loop, context=context)
        watched = _Watched(coroutine, partial(self._waits_for, len(self._tasks)))
        task = asyncio.Task(watched, loop=loop, context=context)
        self._tasks.append(cast("asyncio.Task[object]", task))
        code = getattr(coroutine, "cr_code", None)
        assert isinstance(code, CodeType) or code is None
        is_scenario = not self.names
        ours = any(code and Path(code.co_filename).is_relative_to(one) for one in SOURCES)
        self.names.append(code.co_qualname if code and (ours or is_scenario) else "")
        self.waits.append([])
        return task

    def _waits_for(self, number: int, waited_for: object) -> None:
        place = "" if self._point else _where(self._tasks[number])
        self.waits[number].append(place)
        if self._point is None or self._point[:2] != (number, len(self.waits[number])):
            return
        if self._point.when is When.BEFORE:
            self._loop.call_soon(self._cancel, self._tasks[number])
        elif isinstance(waited_for, asyncio.Future):  # the task asks to be woken only after this
            waited_for.add_done_callback(lambda _: self._cancel(self._tasks[number]))

    def _cancel(self, task: asyncio.Task[object]) -> None:
        if task.cancel():
            self._victim, self._cancelled_in = task, self._loop.turns

    def _look(self) -> None:
        """Once what was cancelled is over, end the scenario too."""
        turn = self._loop.turns
        if turn > MAX_SCENARIO_TURNS:
            raise Stuck("the scenario does not end")
        if self._victim is None or (root := self._tasks[0]).done():
            return
        if not self._victim.done():
            if turn > self._cancelled_in + MAX_TURNS:
                raise Stuck(f"it does not end: {_where(self._victim)}")
        elif not self._ended_in:
            self._ended_in = turn
            root.cancel()
        elif turn > self._ended_in + MAX_TURNS:
            raise Stuck(f"the rest does not end: {_where(root)}")

    def _complain(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        self.complaints.append(f"{context.get('message')} {context.get('exception')!r}")


def cancel_everywhere(setting: Setting, *finished: str) -> int:
    """Cancel each of our tasks wherever it waits; the number of such places.

    Those of `finished` are done by `net.tasks.finish`, so that nobody else can cancel them.

    Raises:
        AssertionError: a task did not end, not as cancelled, or has left something behind.
    """
    counted = Run(setting)
    counted.make()
    assert not counted.complaints, counted.complaints
    points = [
        Point(number, wait, when)
        for number, (name, places) in enumerate(zip(counted.names, counted.waits, strict=True))
        if name and name not in finished
        for wait, place in enumerate(places, 1)
        if places[:wait].count(place) <= MAX_WAITS
        for when in When
    ]
    runs: dict[Point, Run] = {}
    for point in points:
        runs[point] = Run(setting, point)
        runs[point].make()
    gc.collect()  # what nobody asked about complains when it is collected
    wrong = [
        f"{counted.names[point.task]}, wait {point.wait}, {point.when}: {complaint}"
        for point, run in runs.items()
        for complaint in run.complaints
    ]
    assert not wrong, "\n".join(wrong)
    return len(runs)


def _descriptors() -> int:
    """How many files and sockets are open, 0 where the system does not tell."""
    return len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.exists() else 0


def _where(task: asyncio.Task[object]) -> str:
    """Where a task waits."""
    places = list[str]()
    inner: object = task.get_coro()
    while inner is not None:
        inner = inner.inner if isinstance(inner, _Watched) else inner
        frame = getattr(inner, "cr_frame", None)
        if frame is None:
            break
        places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        inner = getattr(inner, "cr_await", None)
    return " > ".join(places)
