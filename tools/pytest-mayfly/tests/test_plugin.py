# SPDX-License-Identifier: Apache-2.0
"""The plugin as test authors meet it: each test runs a pytest of its own."""
import os
import subprocess

import pytest

FAILS = '''
import pytest

@pytest.mark.mayfly(clock="event")
@pytest.mark.parametrize("where", ["a/b", "c"])
def test_fails(mayfly, where):
    mayfly.inject("gps_off")
    mayfly.sleep_sim(60)
    assert mayfly.vehicle()["armed"], where

def test_passes(mayfly):
    mayfly.vehicle()
'''


def folders(pytester):
    base = pytester.path / "mayfly-failures"
    return sorted(os.listdir(base)) if base.exists() else []


def test_fixtures(inner):
    result = inner(r'''
        import pytest

        pytestmark = pytest.mark.mayfly(home=(1, 2, 3), params={"MIS_TAKEOFF_ALT": 7})

        @pytest.fixture(scope="session")
        def mayfly_settings():
            return {"clock": "event", "home": "9,9,9", "wind_speed": 3}

        def test_module(mayfly):
            assert mayfly.vehicle()["home"] == {"lat_deg": 1, "lon_deg": 2, "alt_amsl_m": 3}
            assert mayfly.clock()["mode"] == "event"
            text = mayfly.api("GET", "/v1/config")
            assert '"MIS_TAKEOFF_ALT": 7' in text and "speed: 3" in text

        @pytest.mark.mayfly(home=(4, 5, 6))
        class TestClass:
            @pytest.mark.mayfly(clock="fast", params={"MPC_XY_CRUISE": 12})
            def test_function(self, mayfly):
                assert mayfly.vehicle()["home"]["lat_deg"] == 4
                text = mayfly.api("GET", "/v1/config")
                assert '{"MIS_TAKEOFF_ALT": 7, "MPC_XY_CRUISE": 12}' in text
                assert mayfly.clock()["mode"] == "fast"

        def test_swarm(mayfly, mayfly_factory):
            others = [mayfly_factory(clock="real"), mayfly_factory(sysid=77)]
            assert [d.system_id for d in (mayfly, *others)] == [1, 2, 77]
            assert [d.name for d in (mayfly, *others)] == ["drone1", "drone2", "drone3"]
            assert others[0].clock()["mode"] == "real"
            assert len({d.tcp_port for d in (mayfly, *others)}) == 3
    ''')
    result.assert_outcomes(passed=3)


def test_a_failure_keeps_its_recording_and_the_line_replays_it(inner, pytester):
    result = inner(FAILS)
    result.assert_outcomes(failed=2, passed=1)
    first, second = folders(pytester)
    assert second == "test_inner.py.test_fails-c-" + second[-8:] and first.startswith("test_inner.py.test_fails-a-b-")
    assert sorted(os.listdir(pytester.path / "mayfly-failures" / first)) == [
        "drone1.html", "drone1.log", "drone1.mfr", "drone1.txt", "drone1.yaml"]
    result.stdout.fnmatch_lines(["*mayfly: drone1*", "*/mayfly --log-level=info --instance=0 --clock=event *",
                                 "*[6-9]?.* s: mode Hold, not armed, on_ground, position None",
                                 f"kept in mayfly-failures/{first}", f"replay: */replay mayfly-failures/{first}/drone1.mfr",
                                 f"page: mayfly-failures/{first}/drone1.html", "--- log of drone1", "Mayfly *"])
    line = next(line for line in result.outlines if line.startswith("replay: ")).split(" ", 1)[1]
    with open(pytester.path / "mayfly-failures" / first / "drone1.txt", encoding="utf-8") as f:
        assert f.read() == line + "\n"
    done = subprocess.run(line, shell=True, cwd=pytester.path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "equal" in done.stdout, done.stdout + done.stderr


def test_a_wait_that_fails_is_reported_as_the_line_of_the_test_with_the_log_once(inner):
    result = inner('''
        import pytest
        @pytest.mark.mayfly(clock="event")
        def test_waits(mayfly):
            mayfly.takeoff(20)
            mayfly.wait_reached(3, timeout_s=10)
    ''')
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert text.count("--- log of drone1") == text.count(" text     Takeoff detected") == 1
    assert "> " in text and "flight.py" not in text
    result.stdout.fnmatch_lines([">*mayfly.wait_reached(3, timeout_s=10)", "E * no event waypoint {'item': 3} within 10 s of vehicle time"])


@pytest.mark.parametrize("call, file", [('inject("gps_of")', "drone.py"), ('upload("none.plan")', "flight.py")])
def test_a_request_that_is_refused_is_reported_as_the_line_of_the_test(inner, call, file):
    result = inner(f"def test_asks(mayfly): mayfly.{call}")
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert file not in text and "direct cause" not in text and "api.py" not in text
    result.stdout.fnmatch_lines([f">*mayfly.{call}*", "E *pytest_mayfly.api.MayflyError: drone1: *"])


@pytest.mark.parametrize("what, count", [("none", 0), ("all", 3), ("failed", 2)])
def test_what_is_kept(inner, pytester, what, count):
    inner(FAILS, f"--mayfly-keep={what}").assert_outcomes(failed=2, passed=1)
    assert len(folders(pytester)) == count


def test_a_drone_that_dies_fails_its_test(inner, pytester):
    result = inner('''
        import contextlib, os, signal
        def test_dies(mayfly):
            os.kill(mayfly.pid, signal.SIGABRT)
            with contextlib.suppress(ChildProcessError):    # the fixture has noticed already
                os.waitid(os.P_PID, mayfly.pid, os.WEXITED | os.WNOWAIT)
        def test_is_not_asked(mayfly):
            pass
    ''')
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["drone1 died: SIGABRT", "*FAILED*test_dies*SIGABRT*"])
    assert folders(pytester) == ["test_inner.py.test_dies"]


def test_a_drone_that_ends_badly_is_an_error(inner, pytester):
    result = inner('''
        import contextlib, os, pytest
        @pytest.fixture
        def late(mayfly):
            yield
            os.kill(mayfly.pid, 9)
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_PID, mayfly.pid, os.WEXITED | os.WNOWAIT)
        def test_ends(late):
            pass
    ''')
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*drone1 died: SIGKILL*", "kept in mayfly-failures/test_inner.py.test_ends"])
    assert folders(pytester) == ["test_inner.py.test_ends"]


def test_errors_before_the_test(inner, pytester):
    result = inner('''
        import pytest
        @pytest.fixture
        def broken(mayfly):
            raise ValueError("in the fixture")
        def test_setup(broken):
            pass
        @pytest.mark.mayfly(hom=3)
        def test_setting(mayfly):
            pass
        @pytest.mark.mayfly("fast")
        def test_marker(mayfly):
            pass
    ''')
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*kept in mayfly-failures/test_inner.py.test_setup*",
                                 "*did not start (exit code 2): mayfly: --hom: unknown flag, did you mean --home[?]*",
                                 "the marker mayfly takes settings by name, not 'fast'"])
    assert folders(pytester) == ["test_inner.py.test_setup"]


def test_nothing_is_left_behind(inner, pytester, monkeypatch):
    folder = pytester.mkdir("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    inner(FAILS).assert_outcomes(failed=2, passed=1)
    assert [name for name in os.listdir(folder) if name.startswith("mayfly-")] == []


def test_without_a_program(pytester, inner, monkeypatch):
    monkeypatch.delenv("MAYFLY", raising=False)
    result = inner("def test_a(mayfly): pass\ndef test_b(): pass", "--mayfly=nothere")
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*nothere is not a program that can be run (it was given)*pytest --mayfly PATH*"])


def test_the_ini_file(inner, pytester, request):
    binary = request.config.getoption("--mayfly")
    if binary:
        pytest.skip("the program was given by the command line, which wins")
    pytester.makeini("[pytest]\nmayfly_binary = nothere")
    inner("def test_a(mayfly): pass").stdout.fnmatch_lines([f"*{pytester.path}/nothere is not a program*"])


def test_side_by_side(inner, pytester):
    pytest.importorskip("xdist")
    result = inner('''
        import pytest
        @pytest.mark.parametrize("i", range(40))
        def test_drones(mayfly, mayfly_factory, i):
            other = mayfly_factory()
            assert mayfly.mavsdk_server_port != other.mavsdk_server_port
            for drone in (mayfly, other):
                drone.inject("battery", i)
            assert [d.vehicle()["battery"]["remaining"] for d in (mayfly, other)] == [i / 100, i / 100]
            assert i != 7
    ''', "-n", "4")
    result.assert_outcomes(failed=1, passed=39)
    assert [name.rsplit("-", 1)[0] for name in folders(pytester)] == ["test_inner.py.test_drones-7"]
    assert len(os.listdir(pytester.path / "mayfly-failures" / folders(pytester)[0])) == 10
