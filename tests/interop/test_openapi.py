# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis makes from the control API's own document, good and bad ones: every answer is one that the
document allows, none is a 5xx, and the drone lives on."""
import pathlib
import subprocess
import sys
import urllib.request

import pytest

from ports import free_port

CONFIG = pathlib.Path(__file__).with_name("schemathesis.toml")
PORT = free_port()


@pytest.mark.parametrize("drone", [("--api", f"127.0.0.1:{PORT}")], indirect=True)
def test_the_document_is_kept(drone, tmp_path):
    url = f"http://127.0.0.1:{PORT}"
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    done = subprocess.run([program, "--config-file", CONFIG, "run", f"{url}/openapi.json", "--max-examples", "12", "--seed", "1",
                           "--no-color", "--request-timeout", "10"], cwd=tmp_path, text=True, capture_output=True,
                          timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert urllib.request.urlopen(f"{url}/healthz", timeout=10).status == 200
    assert drone.process.poll() is None
