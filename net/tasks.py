"""Ending tasks so that nothing is lost: not how they clean up, and not that we are cancelled.

`asyncio.gather` and `await task` pass a cancellation on to what they wait for, which cuts short
what is cleaning up already; `asyncio.wait` goes away and leaves it running.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import TypeVar

T = TypeVar("T")


async def cancel_and_wait(*tasks: asyncio.Task[object]) -> None:
    """Cancel tasks and wait until all are over; nothing that they failed of is raised.

    Raises:
        CancelledError: we were cancelled meanwhile. All tasks are over then too.
    """
    for task in tasks:
        task.cancel()
    await _all_over(tasks)


async def finish(work: Coroutine[object, None, T]) -> T:
    """Do work to its end, even if we are cancelled meanwhile: that is raised after it."""
    task = asyncio.create_task(work)
    await _all_over((task,))
    return task.result()


async def _all_over(tasks: Iterable[asyncio.Task[object]]) -> None:
    cancelled: asyncio.CancelledError | None = None
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
