"""Command that runs the benchmarks, in the order of their names."""

import signal
import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

import benchmarks


class Benchmark(Protocol):
    """A module of this package that measures."""

    def main(self) -> None:
        """Measure, and print the figures."""


others = {"__main__", "arena", "dug_table"}  # commands; the last is what `screen` measures
known = [each.name for each in iter_modules(benchmarks.__path__) if each.name not in others]
names = sys.argv[1:] or known
if unknown := set(names).difference(known):
    sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that all is put back as it was
for name in names:
    cast("Benchmark", import_module(f"benchmarks.{name}")).main()
