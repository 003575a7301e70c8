# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python 3 and 4 are packages of one name: each environment of tests/interop has one of them."""
import importlib.metadata

import pytest

MAVSDK4 = importlib.metadata.version("mavsdk").startswith("4.")
of_3 = pytest.mark.skipif(MAVSDK4, reason="MAVSDK 4 is installed here; build/venv has what it needs")
of_4 = pytest.mark.skipif(not MAVSDK4, reason="MAVSDK 3 is installed here; build/venv4 has MAVSDK 4")
