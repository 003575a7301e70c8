# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis makes from the document that the Simulation Controller serves: every answer is one that the
document allows, none is a 5xx but `not_ready` of a drone that starts, none is given without the token, and the controller
lives on."""
import hashlib
import json
import pathlib
import subprocess
import sys
import urllib.request

import pytest

from conftest import MAYFLY

CONFIG = pathlib.Path(__file__).with_name("schemathesis_controller.toml")
SIMCTL = MAYFLY.with_name("simctl")
TOKEN = "mayfly_interop"


@pytest.fixture
def controller(tmp_path):
    config = tmp_path / "tenants.yaml"
    config.write_text(json.dumps({"tenants": {"interop": {"tokens": {"ci": "sha256:" + hashlib.sha256(TOKEN.encode()).hexdigest()}}}}))
    process = subprocess.Popen([SIMCTL, "serve", "--listen", "127.0.0.1:0", "--mayfly", MAYFLY, "--config", config],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process, process.stdout.readline().split()[1].rstrip(":")
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0


def test_the_controllers_document_is_kept(controller, tmp_path):
    process, url = controller
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    done = subprocess.run([program, "--config-file", CONFIG, "run", f"{url}/v1/openapi.json", "--max-examples", "12", "--seed", "1",
                           "--no-color", "--request-timeout", "10", "-H", f"Authorization: Bearer {TOKEN}"], cwd=tmp_path, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert urllib.request.urlopen(f"{url}/healthz", timeout=10).status == 200
    assert process.poll() is None
