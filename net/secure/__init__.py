"""Trust between programs, and their connections: keys, handshake, TLS over TCP, limits.

    address       addresses, as people type them
    certificates  certificates, made with cryptography
    code          the room code
    connection    connections over TCP or the system's ssh, the handshake on them, and the host's
                  accept loop
    curves        signatures by cryptography, and the key exchange by spake2
    handshake     the messages and both sides of the handshake
    keys          the table's certificate, its TLS contexts, the seat keys
    limits        limits on what others do, quotas, guesses, and admission of untrusted
                  connections

Only `connection` touches sockets; `keys` touches a file, because Python's ssl module loads private
keys only from files. Nothing here knows the game or its messages.

`certificates` and `curves` load heavy packages, so they are loaded here when they are first used.
"""

from importlib import import_module
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Load a module that loads heavy packages; raise AttributeError for any other name."""
    if name not in ("certificates", "curves"):
        raise AttributeError(name)
    return import_module(f"net.secure.{name}")
