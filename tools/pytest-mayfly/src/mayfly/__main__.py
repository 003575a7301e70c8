# SPDX-License-Identifier: Apache-2.0
"""The command mayfly: becomes the program of the package, or else the one that find_binary() finds."""
import os
import sys

from pytest_mayfly.api import MayflyError
from pytest_mayfly.settings import find_binary, inside


def main() -> None:
    try:
        program = inside() or find_binary()
    except MayflyError as error:
        sys.exit(f"mayfly: {error}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
