# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis makes from the control API's own document, good and bad ones: every answer is one that the
document allows, none is a 5xx, and the drone lives on."""
import importlib
import io
import json
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from drone import PATIENCE_S
from paths import SWARM
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


def ask(url):
    return json.load(urllib.request.urlopen(url, timeout=10))


def test_the_documents_are_valid(tmp_path):
    """Those of the drone, of the controller, of a swarm and of a world of cells."""
    validate = pytest.importorskip("openapi_spec_validator").validate
    docs = pathlib.Path(__file__).parents[2] / "docs"
    for name in ("openapi.json", "controller-openapi.json"):
        validate(json.loads((docs / name).read_text(encoding="utf-8")))
    (tmp_path / "s.yaml").write_text("swarm: 1\ntime: {clock: real, end: 600}\nentities: [{name: d}]\n", encoding="ascii")
    for scenario in ([tmp_path / "s.yaml"], [docs.parent / "examples" / "scenarios" / "package_delivery.yaml", "--step"]):
        port = free_port()
        with subprocess.Popen([SWARM, *scenario, "--set", f"links.api={port}"], cwd=tmp_path, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as swarm:
            end = time.monotonic() + PATIENCE_S
            while swarm.poll() is None and time.monotonic() < end:
                try:
                    validate(ask(f"http://127.0.0.1:{port}/openapi.json"))
                    break
                except urllib.error.URLError:
                    time.sleep(0.05)
            else:
                raise AssertionError(scenario)
            swarm.terminate()


@pytest.mark.parametrize("drone", [("--api", f"127.0.0.1:{PORT}")], indirect=True)
def test_a_generated_client_sends_files(drone, tmp_path, monkeypatch):
    """openapi-python-client's takes a waypoint file and one of parameters as bytes."""
    pytest.importorskip("openapi_python_client")
    document = pathlib.Path(__file__).parents[2] / "docs" / "openapi.json"
    subprocess.run([sys.executable, "-m", "openapi_python_client", "generate", "--path", document, "--meta", "none", "--output-path",
                    tmp_path / "generated"], check=True, capture_output=True, timeout=120)
    monkeypatch.syspath_prepend(tmp_path)
    api, types = importlib.import_module("generated.api.plans.put_v1_mission"), importlib.import_module("generated.types")
    client = importlib.import_module("generated").Client(base_url=f"http://127.0.0.1:{PORT}")
    plan = b"QGC WPL 110\n0\t1\t0\t16\t0\t0\t0\t0\t47.397742\t8.545594\t488\t1\n1\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t20\t1\n"
    sent = api.sync_detailed(client=client, body=types.File(payload=io.BytesIO(plan)))
    assert (sent.status_code, sent.parsed.mission) == (200, 1)
    api = importlib.import_module("generated.api.parameters.put_v1_parameters")
    sent = api.sync_detailed(client=client, body=types.File(payload=io.BytesIO(b"RTL_TYPE 1\nNOPE 2\n")))
    assert (sent.status_code, sent.parsed.set_, sent.parsed.unknown) == (200, 1, ["NOPE"])
