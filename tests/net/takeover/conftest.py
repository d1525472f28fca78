"""The folder of the host's tests."""

from tests.net.server.conftest import where

__all__ = ["where"]
