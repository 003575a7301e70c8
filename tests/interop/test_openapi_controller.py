# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis makes from the document that the Simulation Controller serves: every answer is one that the
document allows, none is a 5xx but `not_ready` of a drone that starts, none is given without the token, and the controller
lives on."""
import hashlib
import json
import pathlib
import subprocess
import sys

import pytest

from local_controller import Controller

CONFIG = pathlib.Path(__file__).with_name("schemathesis_controller.toml")
TOKEN = "mayfly_interop"


@pytest.fixture
def controller(tmp_path):
    config = tmp_path / "tenants.yaml"
    config.write_text(json.dumps({"tenants": {"interop": {"tokens": {"ci": "sha256:" + hashlib.sha256(TOKEN.encode()).hexdigest()}}}}))
    with Controller("--config", config) as it:
        yield it


def test_the_controllers_document_is_kept(controller, tmp_path):
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    done = subprocess.run([program, "--config-file", CONFIG, "run", f"{controller.url}/v1/openapi.json", "--max-examples", "12", "--seed", "1",
                           "--no-color", "--request-timeout", "10", "-H", f"Authorization: Bearer {TOKEN}"], cwd=tmp_path, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert controller.ask("GET", "/healthz")[0] == 200
    assert controller.process.poll() is None
