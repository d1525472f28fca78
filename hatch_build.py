"""What a build makes before it packs the files: the compiled catalogues."""

from __future__ import annotations

import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileWords(BuildHookInterface):
    """Compiles the catalogues, for a wheel into it, for an editable install beside their text."""

    def initialize(self, _version: str, build_data: dict[str, list[str]]) -> None:
        """Compile them; git ignores what comes of it, the wheel must not."""
        sys.path.insert(0, self.root)
        from tools.words import compile_all  # noqa: PLC0415 - the build does not look here

        root = Path(self.root)
        build_data["artifacts"] += [path.relative_to(root).as_posix() for path in compile_all()]
