# SPDX-License-Identifier: Apache-2.0
"""The package is tested as it is installed, or from src/. What flies (marked `flies`) needs build/mayfly; what flies the whole
corpus (marked `nightly`) runs with AUDIT=nightly."""
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent
DRONE = os.environ.get("MAYFLY") or os.environ.get("BUILD") and os.path.join(os.environ["BUILD"], "mayfly")
if DRONE:
    os.environ["MAYFLY"] = os.path.abspath(DRONE)      # some tests work in a folder of their own
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "pytest-mayfly" / "src"), str(HERE.parent / "src")]


def pytest_configure(config):
    for name, text in (("flies", "starts drones"), ("nightly", "with AUDIT=nightly")):
        config.addinivalue_line("markers", f"{name}: {text}")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("nightly") and os.environ.get("AUDIT") != "nightly":
            item.add_marker(pytest.mark.skip(reason="the whole corpus is flown by AUDIT=nightly make audit"))


@pytest.fixture
def client(tmp_path):
    """A file of a client: client(text, name) gives the findings of its scan."""
    from mayfly_audit.scan import scanner

    def make(text, name="client.py"):
        (tmp_path / name).write_text(text)
        result = scanner.scan(str(tmp_path))
        return result
    return make
