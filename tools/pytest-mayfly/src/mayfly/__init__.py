# SPDX-License-Identifier: Apache-2.0
"""pytest_mayfly by the drone's own name: `from mayfly import Drone`. `python -m mayfly` is the command mayfly.

On PyPI this is part of pytest-mayfly; the project mayfly there is another's."""
from pytest_mayfly import *  # noqa: F403
from pytest_mayfly import __all__, __version__  # noqa: F401
