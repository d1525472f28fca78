"""Entry point of `python -m sabtui` and of the command `sabtui`.

An older Python reads this file, too: it may hold nothing that one cannot read.
"""

import sys

if tuple(sys.version_info) < (3, 11):  # as a tuple, since no check of types knows an older Python
    sys.exit(
        "sabtui: Sabtui needs Python 3.11 or later, and this is Python {}.{}: start it with "
        "another one, such as python3.12 -m sabtui.".format(*sys.version_info[:2])
    )

from sabtui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
