# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this folder; arguments go to pytest."""
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore", str(HERE), *sys.argv[1:]]))
