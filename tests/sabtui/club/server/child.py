"""A club that a test starts and kills: `python -m tests.sabtui.club.server.child FOLDER`."""

import asyncio
import sys
from pathlib import Path

from net.discovery.networks import claim_port
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from tests.net.server.journal_tools import say
from tests.net.server.served_table import CODE, HERE, QUICK


async def _serve(folder: str) -> None:
    """Serve the club of a folder, and tell its port."""
    club = open_club(Path(folder), "The Nugget", CODE)
    claimed = claim_port(first=club.port or None, ports=[0], hosts=[HERE])
    say(claimed.port)
    await ClubServer(club, claimed, QUICK).run()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
