"""The folder of the host's tests, and its quick ticks."""

from tests.net.server.conftest import no_suspension, quick_ticks, where

__all__ = ["no_suspension", "quick_ticks", "where"]
