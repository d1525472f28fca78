"""The folder of the host's tests."""

from tests.net.host.conftest import where

__all__ = ["where"]
