"""While a seed is drawn, lobby and table say what is waited for."""

from msgspec import structs

from net.client.session import Status
from net.protocol.lobby import Drawer, Lobby, SeedDraw
from sabtui.tui.lobby.rows import waiting_for
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.status import hint
from tests.sabtui.tables import BRUNO, lobby
from tests.sabtui.tui import scenes

TOLD = "Dealing: waiting for the last player's program."


def drawing(table: Lobby, number: int) -> Lobby:
    """The table while the seed of a round is drawn."""
    draw = SeedDraw(bytes(16), bytes(16), number, bytes(32), (Drawer(BRUNO, "Bruno"),))
    return structs.replace(table, draw=draw)


def test_the_lobby_says_that_all_deal() -> None:
    assert waiting_for(drawing(lobby(), 1), Status()) == TOLD


def test_the_table_says_so_between_rounds() -> None:
    waits, draws = (
        scenes.now(scenes.between()),
        scenes.now(scenes.between(), drawing(scenes.lobby(), 2)),
    )
    said = [hint(now, Selection(), 78) for now in (waits, draws)]
    assert said[0] != said[1] == TOLD
