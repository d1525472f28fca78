"""Entry point of `python -m sabtui`."""

import sys

from sabtui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
