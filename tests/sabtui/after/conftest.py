"""Apps are waited for, and drawn, as in all tests of screens."""

from tests.sabtui.tui.conftest import (  # noqa: F401 - fixtures
    _draw_when_looked_at,
    _patience,
    _quick,
    _sheets_parsed_once,
    _short_periods,
    alone_on_the_network,
    every_update_drawn,
    no_suspension,
    own_records,
    where,
)
