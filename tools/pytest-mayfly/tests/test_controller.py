# SPDX-License-Identifier: Apache-2.0
"""The plugin with --mayfly-controller: the same fixtures, on instances of a controller."""
import http.server
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

import pytest_mayfly
from pytest_mayfly.controller import Controller, from_environment

PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def controller(request):
    """build/simctl, beside the program mayfly; MAYFLY_CONTROLLER names one that runs already."""
    if os.environ.get("MAYFLY_CONTROLLER"):
        yield os.environ["MAYFLY_CONTROLLER"]
        return
    binary = pytest_mayfly.find_binary(request.config.getoption("--mayfly"), start=request.config.rootpath)
    simctl = pathlib.Path(binary).parent / "simctl"
    with subprocess.Popen([simctl, "serve", "--listen", "127.0.0.1:0", "--mayfly", binary], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        yield process.stdout.readline().split()[1].rstrip(":")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


@pytest.fixture
def remote(inner, controller):
    """Runs a pytest of its own whose drones are the controller's: remote(text of a test file, *arguments)."""
    return lambda text, *args: inner(text, f"--mayfly-controller={controller}", *args)


def ask(controller, path):
    return from_environment(controller).request("GET", path)


def all_end(controller, label):
    end = time.monotonic() + PATIENCE_S
    while True:
        instances = ask(controller, f"/v1/instances?label={label}")["instances"]
        if all(i["state"] == "ended" for i in instances):
            return instances
        assert time.monotonic() < end, instances
        time.sleep(0.05)


def test_fixtures(remote):
    remote(r'''
        import pytest

        @pytest.fixture(scope="session")
        def mayfly_settings():
            return {"clock": "event", "home": "9,9,9", "wind_speed": 3}

        @pytest.mark.mayfly(home=(1, 2, 3), params={"MIS_TAKEOFF_ALT": 7})
        def test_settings(mayfly):
            assert mayfly.vehicle()["home"] == {"lat_deg": 1, "lon_deg": 2, "alt_amsl_m": 3}
            text = mayfly.api("GET", "/v1/config")
            assert '"MIS_TAKEOFF_ALT": 7' in text and "speed: 3" in text
            before = mayfly.clock()["vehicle_time_s"]
            assert mayfly.sleep_sim(600) >= before + 600
            mayfly.inject("battery", 5)
            assert mayfly.wait_event("fault", fault="battery")["active"]

        def test_swarm(mayfly, mayfly_factory):
            others = [mayfly_factory(clock="real"), mayfly_factory(sysid=77, faults="gps_off")]
            assert [d.system_id for d in (mayfly, *others)] == [1, 2, 77]
            assert len({d.mavsdk_url for d in (mayfly, *others)}) == 3
            assert others[0].clock()["mode"] == "real"
            assert others[1].vehicle()["position"] is None
            with pytest.raises(Exception, match="no process here"):
                mayfly.pid
    ''').assert_outcomes(passed=2)


def test_what_a_failure_leaves(remote, pytester, controller):
    result = remote('''
        def test_fails(mayfly):
            mayfly.inject("gps_off")
            assert False
    ''')
    result.assert_outcomes(failed=1)
    folder = pytester.path / "mayfly-failures" / "test_inner.py.test_fails"
    assert {"drone1.log", "drone1.yaml"} <= set(os.listdir(folder))
    assert '"fault":"gps_off","active":true' in (folder / "drone1.log").read_text()
    assert "gps_off" in (folder / "drone1.yaml").read_text() or "home:" in (folder / "drone1.yaml").read_text()
    result.stdout.fnmatch_lines([f"simctl up --controller={controller} --template=drone *", "--- log of drone1"])
    if ask(controller, "/v1/capacity")["backend"] == "local":
        line = (folder / "drone1.txt").read_text()
        binary = pathlib.Path(pytest_mayfly.find_binary(os.environ.get("MAYFLY")))
        done = subprocess.run([binary.parent / "replay", line.split()[-1]], cwd=pytester.path, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0 and "equal" in done.stdout, done.stdout + done.stderr


def test_an_instance_that_ends_fails_its_test(remote):
    result = remote('''
        import time
        def test_dies(mayfly_factory):
            drone = mayfly_factory(lifetime="4s")   # on a busy machine its start takes more than a second
            time.sleep(5)
        def test_is_not_asked(mayfly):
            pass
    ''')
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["drone1 ended: expired: its lifetime is over"])


def test_what_cannot_be(remote, inner):
    result = remote('''
        import pytest
        @pytest.mark.mayfly(hom=3)
        def test_setting(mayfly):
            pass
        @pytest.mark.mayfly(sysid=300)
        def test_value(mayfly):
            pass
        @pytest.mark.mayfly(template="nothing")
        def test_template(mayfly):
            pass
    ''')
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*values.arguments*--hom*--home*", "*values.sysid must be 1 .. 254*",
                                 "*the controller has no template 'nothing', but drone*"])
    result = inner("def test_a(mayfly): pass", "--mayfly-controller=http://127.0.0.1:1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Connection refused*"])


def test_a_pytest_that_is_killed_leaves_nothing(remote, controller, pytester):
    remote('''
        import os
        def test_killed(mayfly):
            with open("hold", "w") as f:
                f.write(mayfly.controller.hold)
            os.kill(os.getpid(), 9)
    ''')
    instances = all_end(controller, "hold=" + (pytester.path / "hold").read_text())
    assert [i["reason"] for i in instances] == ["the connection that held it ended"]
    assert instances[0]["labels"]["test"] == "test_inner.py__test_killed"


def test_side_by_side(remote, controller, pytester):
    pytest.importorskip("xdist")
    remote('''
        import pytest
        @pytest.mark.parametrize("i", range(12))
        def test_drones(mayfly, mayfly_factory, i):
            other = mayfly_factory()
            for drone in (mayfly, other):
                drone.inject("battery", i)
            assert [d.vehicle()["battery"]["remaining"] for d in (mayfly, other)] == [i / 100, i / 100]
            with open("run", "w") as f:
                f.write(mayfly.labels["run"])
    ''', "-n", "4").assert_outcomes(passed=12)
    instances = all_end(controller, "run=" + (pytester.path / "run").read_text())
    assert len(instances) == 24 and {i["outcome"] for i in instances} == {"ended"}
    assert len({i["labels"]["hold"] for i in instances}) == 4


def test_a_controller_without_a_place_is_asked_again():
    class Full(http.server.BaseHTTPRequestHandler):
        left = 2

        def do_GET(self):
            full, Full.left = Full.left > 0, Full.left - 1
            text = json.dumps({"code": "places", "error": "full"} if full else {"templates": []}).encode()
            self.send_response(503 if full else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Full) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert Controller(f"http://127.0.0.1:{server.server_port}").request("GET", "/v1/templates") == {"templates": []}
        server.shutdown()
    assert Full.left == -1
