"""What is true of the modules themselves."""

import subprocess
import sys


def test_what_is_heavy_is_not_imported_before_it_is_needed() -> None:
    heavy = {"cryptography", "spake2", "zeroconf", "textual", "sabtui"}
    modules = "net.secure.connection, net.secure.listener, net.secure.handshake"
    assert find_imported(heavy, modules) == []


def test_a_process_of_bots_imports_nothing_that_serves_connections_or_looks_for_packages() -> None:
    assert (
        find_imported({"asyncio", "logging", "importlib.metadata"}, "net.server.bot_worker") == []
    )


def find_imported(heavy: set[str], modules: str) -> list[str]:
    script = f"import sys, {modules}; print(*sorted({heavy} & set(sys.modules)))"
    run = subprocess.run(  # noqa: S603 - a fixed command
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return run.stdout.split()
