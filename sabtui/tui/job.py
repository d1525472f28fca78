"""This program as a job of a shell: it is suspended, and ends with its terminal."""

from __future__ import annotations

import os
import select
import signal
import sys


def suspend_job() -> None:
    """Suspend our whole process group: the shell waits until every process of the job has stopped.

    If no shell can resume us, as in `ssh -t host sabtui`, the system does not stop us.
    """
    if sys.platform != "win32":
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)


def end_with_terminal() -> None:
    """Wait until the terminal hangs up, then send ourselves the signal for that.

    The system sends it only to those whom the terminal controls. Any other program reads an endless
    end of input, and Textual goes on reading, on a whole core.
    """
    if sys.platform != "win32" and sys.stdin.isatty():
        terminal = select.poll()
        terminal.register(sys.stdin, 0)  # hang-ups and errors are reported in any case
        if any(told & (select.POLLHUP | select.POLLERR) for _, told in terminal.poll()):
            os.kill(os.getpid(), signal.SIGHUP)
