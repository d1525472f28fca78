"""Tables that go on without their host at a LAN party: killed, cut off, back again, outvoted."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.lan.finding import within
from tests.lan.lan import Lan
from tests.lan.test_playing import MOVED, all_read, three

NewLan = type[Lan]

GOES_ON = 8.0
"""Seconds in which play goes on, from the last word of the host."""

NEW_HOST = "(is the host now|You are the host now)"


def table_process(home: Path) -> int:
    """Return the process that runs the table of somebody with this home."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if b"sabtui.app.table_process" in command and f"HOME={home}\0".encode() in environment:
            return int(folder.name)
    raise AssertionError(f"no table runs at {home}")


async def test_a_host_killed_in_mid_round_is_gone_on_without(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann, ben, cleo = await three(lan, tmp_path)
        await ben.reads(f"^You {MOVED}")
        os.kill(table_process(tmp_path / "ann"), signal.SIGKILL)
        killed = time.monotonic()
        for player in (ann, ben, cleo):
            went_on, _ = await player.reads(NEW_HOST)
            within(GOES_ON, f"gone on for {player.name}", killed, went_on)
        await all_read(f"^You {MOVED}", ann, ben, cleo)
