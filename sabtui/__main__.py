"""`python -m sabtui`, and what the console script calls."""

import sys

from sabtui.commands import main

if __name__ == "__main__":
    sys.exit(main())
