"""Ending and finishing tasks: nobody's cleanup is interrupted, and no cancellation gets lost."""

import asyncio

import pytest

from net.tasks import cancel_and_wait, end_tasks, finish, wait_for_event


class Slow:
    """A coroutine that takes some turns of the loop to clean up, and may fail."""

    def __init__(self, error: Exception | None = None) -> None:
        self.is_clean = False
        self._error = error

    async def run(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await turns(3)
            self.is_clean = True
            if self._error:
                raise self._error


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def begin(*works: Slow) -> list[asyncio.Task[object]]:
    return [asyncio.ensure_future(work.run()) for work in works]


@pytest.mark.parametrize("cancelled_after", range(1, 5))
async def test_somebody_who_is_cancelled_while_others_clean_up_waits_for_them_all_the_same(
    cancelled_after: int,
) -> None:
    works = Slow(), Slow()
    tasks = begin(*works)
    await turns(1)
    ending = asyncio.create_task(cancel_and_wait(*tasks))
    await turns(cancelled_after)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert all(work.is_clean for work in works)
    assert all(task.done() for task in tasks)


async def test_what_fails_as_it_ends_is_raised_once_all_have_ended() -> None:
    works = Slow(ValueError("its own")), Slow()
    tasks = begin(*works)
    await turns(1)
    with pytest.raises(ValueError, match="its own"):
        await end_tasks(*tasks)
    assert all(work.is_clean for work in works)
    await cancel_and_wait(*tasks)


async def test_work_is_finished_though_who_waits_for_it_is_cancelled() -> None:
    done: list[int] = []

    async def work() -> int:
        await turns(4)
        done.append(1)
        return 7

    assert await finish(work()) == 7
    waiting = asyncio.create_task(finish(work()))
    await turns(2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert done == [1, 1]


async def test_an_event_is_waited_for_so_long_and_no_longer() -> None:
    event = asyncio.Event()
    assert not await wait_for_event(event, 0)
    event.set()
    assert await wait_for_event(event, 5)
