"""`python -m sabtui`, and what the console script calls."""

import sys

from sabtui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
