"""Halls and tables look around often, and are never suspended."""

from tests.net.server.conftest import no_suspension, quick_ticks, where

__all__ = ["no_suspension", "quick_ticks", "where"]
