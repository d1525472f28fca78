"""Entry point of `python -m sabtui` and of the command `sabtui`.

Older versions of Python read this file, too: it must contain nothing that they cannot read.
"""

import sys

if tuple(sys.version_info) < (3, 11):  # as a tuple, as type checkers know no older Python
    sys.exit(
        "sabtui: Sabtui needs Python 3.11 or later, and this is Python {}.{}: start it with "
        "another one, such as python3.12 -m sabtui.".format(*sys.version_info[:2])
    )

from sabtui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
