"""End or finish asyncio tasks without losing their cleanup or our own cancellation; wait on events.

`await task` and `asyncio.gather` pass our cancellation on to the tasks that they wait for, which
interrupts their cleanup. `asyncio.wait` does not pass it on, but returns while the tasks still run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def cancel_and_wait(*tasks: asyncio.Task[object]) -> None:
    """Cancel tasks and wait until all of them are done; their own exceptions are dropped.

    Raises CancelledError: the caller was cancelled meanwhile. All tasks are done by then too.
    """
    for task in tasks:
        task.cancel()
    await _wait_until_done(tasks)


async def end_tasks(*tasks: asyncio.Task[object]) -> None:
    """Cancel tasks and wait until they are done; raise the exception of one that failed."""
    await cancel_and_wait(*tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


async def wait_for_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most this many seconds; return True if it is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def finish(work: Coroutine[object, None, T]) -> T:
    """Run a coroutine to its end even if the caller is cancelled meanwhile; return its result.

    Raises CancelledError: the caller was cancelled meanwhile. The coroutine is done by then.
    """
    task = asyncio.create_task(work)
    await _wait_until_done((task,))
    return task.result()


async def _wait_until_done(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Wait until tasks are done. Raises CancelledError: the caller was cancelled meanwhile."""
    cancelled: asyncio.CancelledError | None = None
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
