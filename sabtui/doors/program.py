"""The program of a door: `python -m sabtui.doors.program ssh`, or `web`, which a table starts.

Ports given after the kind are tried in place of the usual ones; 0 is any free port. A resumed table
reuses the port that its door had before, if that is free: friends have it in their line, page or QR
code.

When the table is gone, or has closed a door, the door no longer admits anybody. Present guests
stay, since their screens find the table by themselves when it is resumed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from net.discovery.networks import claim_port
from net.files import private_folder, replace
from net.protocol.doors import DoorKind, DoorTrouble
from net.secure.address import SSH_PORTS, WEB_PORTS
from net.server.process import hide_memory
from sabtui.app.log import log_on_stderr
from sabtui.doors.table_link import DoorFailed, TableGone, TableLink
from sabtui.text.i18n import load_locale, set_language

DOOR_PORTS: Final = {DoorKind.SSH: SSH_PORTS, DoorKind.WEB: WEB_PORTS}


def main() -> None:
    kind, *ports = sys.argv[1:]
    log_on_stderr(f"%(asctime)s {kind} door: %(message)s")
    hide_memory()
    asyncio.run(_run(DoorKind(kind), [*map(int, ports)]))


async def _run(kind: DoorKind, ports: Sequence[int]) -> None:
    with suppress(TableGone):  # the door ends with its table
        table = await TableLink.connect()
        set_language(load_locale(table.order.language))
        try:
            await _open(kind, table, ports)
        finally:
            await table.close()


async def _open(kind: DoorKind, table: TableLink, ports: Sequence[int]) -> None:
    """Open the door on the first free port, and serve it; tell the table why if that is impossible.

    Without `ports` the port that this table's door had before is tried, then the usual ones.
    """
    try:
        if kind is DoorKind.SSH:
            from sabtui.doors.ssh_door import serve  # noqa: PLC0415 - an extra
        else:
            from sabtui.doors.web_door import serve  # noqa: PLC0415 - another
    except ImportError:
        table.send(DoorFailed(DoorTrouble.MISSING))
        return
    kept = Path(table.order.folder) / "guests" / table.order.table / f"{kind}.port"
    before = list[int]()
    with suppress(OSError, ValueError):  # no port was kept, or its file is damaged
        before.append(int(kept.read_text()))
    try:
        taken = claim_port(ports=ports or (*before, *DOOR_PORTS[kind]), also_udp=False)
    except OSError:
        table.send(DoorFailed(DoorTrouble.NO_PORT))
        return
    if not ports:
        with suppress(OSError):  # it may be impossible to write
            private_folder(kept.parent)
            replace(kept, b"%d\n" % taken.port)
    await serve(table, taken.tcp)


if __name__ == "__main__":
    main()
