"""The clock of this computer, and how long it has slept."""

from __future__ import annotations

import sys
import time


def seconds_asleep() -> float:
    """Return for how long this computer has slept since it was started.

    On Linux the boot clock keeps running meanwhile, and the monotonic one stops; on macOS it is the
    monotonic clock that keeps running, and `CLOCK_UPTIME_RAW` that stops; on Windows all of
    Python's clocks keep running, and the unbiased interrupt time stops. It is 0.0 elsewhere.
    """
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
    elif sys.platform == "darwin":  # noqa: RET505 - so that mypy sees only one of them
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.clock_gettime(time.CLOCK_UPTIME_RAW)
    elif sys.platform == "win32":
        return _seconds_asleep_on_windows()
    else:
        return 0.0


if sys.platform == "win32":
    import ctypes

    def _seconds_asleep_on_windows() -> float:
        awake, get_ticks = ctypes.c_ulonglong(), ctypes.windll.kernel32.GetTickCount64
        ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(awake))
        get_ticks.restype = ctypes.c_ulonglong
        return float(get_ticks()) / 1e3 - awake.value / 1e7


def boot_time() -> float:
    """Return the seconds since a fixed moment, those included in which this computer slept."""
    now = time.monotonic()
    return now if sys.platform == "win32" else now + seconds_asleep()
