# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python 3 and 4 are packages of one name: each environment of tests/interop has one of them."""
import importlib.metadata

import pytest

MAVSDK4 = importlib.metadata.version("mavsdk").startswith("4.")
of_3 = pytest.mark.skipif(MAVSDK4, reason="the other environment, build/venv, has MAVSDK 3")
of_4 = pytest.mark.skipif(not MAVSDK4, reason="the other environment, build/venv4, has MAVSDK 4")
