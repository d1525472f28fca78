"""The folder of the host's tests, and its quick ticks."""

from tests.net.server.conftest import quick_ticks, where

__all__ = ["quick_ticks", "where"]
