# SPDX-License-Identifier: Apache-2.0
"""The module without pytest's help: one process, its clock, faults, events, files."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from pytest_mayfly import Drone, MayflyCrash, MayflyError, MayflyTimeout, __version__, find_binary
from pytest_mayfly.ports import ReservedPort
from pytest_mayfly.settings import flags_of, merged, packs_of


@pytest.fixture(autouse=True)
def binary(request, monkeypatch):
    """Drones of this file are those that pytest was told of."""
    given = request.config.getoption("--mayfly")
    path = find_binary(given, request.config.rootpath)
    monkeypatch.setenv("MAYFLY", path)
    return path


def fixed(seconds):
    return pytest.approx(seconds, abs=1e-6)


def test_version_is_the_project_s(binary):
    said = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
    assert said == f"mayfly {__version__}\n"


def test_urls_and_state():
    with Drone(home=(10.5, -20.25, 100), sysid=42) as drone:
        assert drone.mavsdk_url == f"tcpout://127.0.0.1:{drone.tcp_port}"
        assert drone.mavsdk_udp_url == f"udpout://127.0.0.1:{drone.udp_port}"
        assert drone.pymavlink_url == f"tcp:127.0.0.1:{drone.tcp_port}"
        assert drone.api_url == f"http://127.0.0.1:{drone.api_port}"
        assert len({drone.tcp_port, drone.api_port, drone.mavsdk_server_port}) == 3
        assert drone.system_id == drone.vehicle()["system_id"] == 42
        assert drone.vehicle()["position"]["lat_deg"] == 10.5
        assert drone.metrics()['mayfly_faults_active{fault="gps_off"}'] == 0
        drone.wait_ready(0)
        assert drone.running and drone.crash is None
    assert not drone.running and drone.crash is None and drone.folder is None
    with pytest.raises(MayflyError, match="not running"):
        Drone().vehicle()


def test_servers_may_be_left_out():
    with Drone(tcp="none", record=False) as drone:
        assert drone.tcp_port is None and drone.recording is None
        assert drone.mavsdk_url == f"udpout://127.0.0.1:{drone.udp_port}"
        assert drone.pymavlink_url == f"udpout:127.0.0.1:{drone.udp_port}"
    with Drone(tcp="none", udp="none", log="json") as drone, pytest.raises(MayflyError, match="no server for MAVLink"):
        print(drone.mavsdk_url)


def test_a_token(tmp_path):
    (tmp_path / "token").write_text("correct-horse\n", encoding="ascii")
    with Drone(api="0.0.0.0:0", api_token=tmp_path / "token") as drone:
        assert drone.vehicle()["system_id"] == 1
        drone.hold()
        assert drone.events("clock")


@pytest.mark.parametrize("clock", ["event", "fast", "lockstep", "x1000"])
def test_time_passes_and_stands(clock):
    with Drone(clock=clock) as drone:
        before = drone.clock()["vehicle_time_s"]
        assert drone.sleep_sim(1200) >= before + 1200
        assert drone.clock()["action"] == "resume"
        with drone.held() as now_s:
            assert drone.run(for_s=2.5) == fixed(now_s + 2.5)
            assert drone.run(for_s=0) == fixed(now_s + 2.5)
            assert drone.sleep_sim(10) == fixed(now_s + 12.5)
            assert drone.run(until_s=now_s + 20) == fixed(now_s + 20)
            time.sleep(0.05)
            assert drone.clock()["vehicle_time_s"] == fixed(now_s + 20)
            assert drone.clock()["standing"]
        assert drone.clock()["action"] == "resume"
        with pytest.raises(MayflyError, match="that time is over"):
            drone.run(until_s=1)


def test_the_real_clock_waits_and_changes():
    with Drone() as drone:
        start = time.monotonic()
        drone.sleep_sim(0.3)
        assert time.monotonic() - start >= 0.3
        with pytest.raises(MayflyTimeout, match="does not stand after 0.1 s of wall time; clock real"):
            drone.sleep_sim(60, timeout_s=0.1)
        drone.set_clock("event")
        drone.sleep_sim(600)
        assert drone.clock()["mode"] == "event"


def test_events_of_the_past_are_not_missed():
    """Hundreds of them, in their order, although the drone keeps 128."""
    with Drone(clock="event") as drone:
        for _ in range(200):
            drone.inject("gps_off")
            drone.clear("gps_off")
        drone.sleep_sim(1)
        found = drone.events("fault")
        assert [event["active"] for event in found] == [True, False] * 200
        assert drone.wait_event("fault", active=False, timeout_s=1) == found[1]
        assert drone.wait_event("fault", active=True, timeout_s=1) == found[2]
        assert drone.wait_event("fault", after=found[50], timeout_s=1) == found[51]
        assert drone.wait_event("boot", after=0, timeout_s=1).vehicle_time_s == 0
        assert drone.wait_event("fault", accept=lambda e: e.id > found[9].id, timeout_s=1) == found[10]


def test_scheduled_faults_come_at_their_time():
    with Drone(clock="event", faults=["gps_off@30s+10s", "battery=18%@2m"]) as drone:
        drone.sleep_sim(300)
        assert [(e["fault"], e["active"], e.vehicle_time_s) for e in drone.events("fault")] == [
            ("gps_off", True, 30), ("gps_off", False, 40), ("battery", True, 120)]
        assert drone.vehicle()["battery"]["remaining"] == 0.18


def test_a_wait_with_another_name_of_its_timeout_is_refused():
    with Drone() as drone:
        with pytest.raises(TypeError, match=r"^wait_event\(\) takes no timeout: write timeout_s=2$"):
            drone.wait_event("mode", timeout=2)


def test_an_event_that_comes_during_the_wait():
    with Drone() as drone:
        threading.Timer(0.2, drone.inject, ("gps_off",)).start()
        assert drone.wait_event("fault", timeout_s=10)["fault"] == "gps_off"


def test_what_does_not_happen():
    with Drone() as drone:
        drone.inject("gps_off")
        with pytest.raises(MayflyTimeout) as failure:
            drone.wait_event("waypoint", item=3, timeout_s=0.1)
        text = str(failure.value)
        for part in ("no event waypoint {'item': 3} within 0.1 s", "'fault': 'gps_off'", "--- log of drone", "Mayfly 0."):
            assert part in text
        assert isinstance(failure.value, TimeoutError)
        drone.clear()
        drone.wait_event("fault", active=False, timeout_s=5)
        with pytest.raises(MayflyTimeout, match=r"but it came at [\d.]+ s, before the event that wait_event\(\) returned last"):
            drone.wait_event("fault", active=True, timeout_s=0.1)


def test_faults():
    with Drone() as drone:
        drone.inject("battery", 7)
        drone.inject("prearm", text="Not today")
        assert drone.vehicle()["denial"] == "Preflight Fail: Not today" or "Not today" in drone.vehicle()["denial"]
        drone.clear("prearm")
        assert drone.vehicle()["armable"]
        with drone.fault("gps_off"):
            assert drone.vehicle()["gnss"]["fix_type"] == 0
        assert drone.vehicle()["gnss"]["fix_type"] == 3
        drone.clear()
        assert not any(f["active"] for f in drone.api("GET", "/v1/faults")["faults"])
        with pytest.raises(MayflyError, match="did you mean gps_off"):
            drone.inject("gps_of")


def test_misbehaviour():
    def rules():
        return [(rule["id"], rule["rule"]) for rule in drone.api("GET", "/v1/misbehaviour")["rules"]]

    with Drone(misbehave="ftp_lost") as drone:
        (before,) = rules()
        first = drone.misbehave("command_denied(takeoff)*2")
        second = drone.misbehave("command_denied(land)")
        with drone.misbehaving("mission_ack_lost") as third:
            assert [number for number, _ in rules()] == [before[0], first, second, third]
        drone.behave(first)
        assert [number for number, _ in rules()] == [before[0], second]
        with pytest.raises(ZeroDivisionError), drone.misbehaving("command_denied"):
            print(1 / 0)
        assert len(rules()) == 2
        drone.behave("command_denied")
        assert rules() == [before]
        drone.behave()
        assert rules() == []
        with pytest.raises(MayflyError, match="is neither the id of a rule nor a name"):
            drone.behave(first)
        with pytest.raises(MayflyError, match="did you mean command_denied"):
            drone.misbehave("command_denid")


def test_links_that_misbehave():
    with Drone(link_quality="in:loss=1%") as drone:
        assert drone.link_quality("all") == {0: "in:loss=1%", 1: "in:loss=1%"}  # TCP and UDP
        with drone.bad_link("tcp", "in:loss=100%"):
            assert drone.link_quality("all") == {0: "in:loss=100%", 1: "in:loss=1%"}
            with socket.create_connection(("127.0.0.1", drone.tcp_port), 10) as client:
                client.sendall(bytes(64))
                assert client.recv(4096)
        assert drone.link_quality(0) == {0: "in:loss=1%"}
        assert drone.link_quality("all", "none") == {0: "none", 1: "none"}
        with pytest.raises(MayflyError, match="'2' is not a link, allowed: all, tcp, udp"):
            drone.link_quality(2, "lte")
        with pytest.raises(MayflyError, match="'los' is not known, did you mean loss"):
            drone.link_quality("tcp", "los=3%")


def test_it_waits_until_it_is_ready():
    with Drone(gnss_warmup=1000, clock="event") as drone:
        with pytest.raises(MayflyTimeout, match="not ready within 0 s: .*no GNSS position"):
            drone.wait_ready(0)
        drone.sleep_sim(1001)
        drone.wait_ready(5)


def test_settings_that_are_wrong():
    with pytest.raises(MayflyError, match=r"did not start \(exit code 2\): mayfly: --hom: unknown flag, did you mean --home"):
        Drone(hom=3).start()
    with pytest.raises(MayflyError, match="not a program that can be run"):
        Drone(binary="/dev/null")


def test_a_crash():
    with pytest.raises(MayflyCrash, match="drone died: SIGSEGV"):
        with Drone() as drone:
            os.kill(drone.pid, signal.SIGSEGV)
            with pytest.raises(MayflyCrash, match="drone died: SIGSEGV: no event mode"):
                drone.wait_event("mode", timeout_s=10)
            with pytest.raises(MayflyCrash, match=r"drone died: SIGSEGV \(GET /v1/vehicle: "):
                drone.vehicle()
    with pytest.raises(ZeroDivisionError):      # what the test found first
        with Drone() as drone:
            os.kill(drone.pid, signal.SIGKILL)
            print(1 / 0)


def test_one_that_does_not_end(tmp_path):
    with pytest.raises(MayflyCrash, match="did not end within 0.5 s of SIGTERM, and was killed"):
        drone = Drone()
        drone.binary = os.fspath(tmp_path / "mayfly")
        with open(drone.binary, "w", encoding="ascii") as f:
            f.write(f"#!/bin/sh\ntrap '' TERM\n{find_binary()} \"$@\"\nsleep 60\n")
        os.chmod(drone.binary, 0o700)
        drone.start()
        drone.timeout_s = 0.5
        inside = subprocess.run(["pgrep", "-P", str(drone.pid)], capture_output=True, text=True, check=True).stdout
        try:
            drone.stop()
        finally:
            os.kill(int(inside), signal.SIGTERM)


def test_without_the_program_replay_there_is_no_page(tmp_path, binary):
    alone = tmp_path / "mayfly"
    shutil.copy(binary, alone)
    with Drone(binary=alone, name="one") as drone:
        drone.end()
        assert ".html" not in drone.keep(tmp_path / "kept")
    assert sorted(os.listdir(tmp_path / "kept")) == ["one.log", "one.mfr", "one.txt", "one.yaml"]


def test_what_is_kept_can_be_replayed(tmp_path, binary):
    with Drone(clock="event", epoch=1e9, name="one") as drone:
        drone.inject("gps_off")
        drone.sleep_sim(60)
        drone.end()
        kept = drone.keep(tmp_path / "kept")
        folder = drone.folder
    assert not os.path.exists(folder)
    assert sorted(os.listdir(tmp_path / "kept")) == ["one.html", "one.log", "one.mfr", "one.txt", "one.yaml"]
    with open(kept[".txt"], encoding="ascii") as f:
        line = f.read()
    assert line == f"{os.path.relpath(os.path.dirname(binary))}/replay {tmp_path}/kept/one.mfr\n" or "/replay " in line
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "equal" in done.stdout, done.stdout + done.stderr
    with open(kept[".html"], encoding="utf-8") as f:
        flight = json.loads(re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', f.read())[1])
    assert (flight["name"], flight["truth"], flight["notes"]) == ("one.mfr", True, [])
    assert [(e["fault"], e["active"]) for e in flight["boots"][0]["events"] if e["event"] == "fault"] == [("gps_off", True)]
    with Drone(config=kept[".yaml"]) as again:
        assert again.clock()["mode"] == "event"


def test_drones_side_by_side():
    drones = [Drone(instance=i, name=f"d{i}") for i in range(20)]
    try:
        threads = [threading.Thread(target=drone.start) for drone in drones]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({drone.tcp_port for drone in drones} | {drone.api_port for drone in drones}) == 40
        assert len({drone.udp_port for drone in drones}) == 20
        assert [drone.vehicle()["system_id"] for drone in drones] == list(range(1, 21))
    finally:
        for drone in drones:
            drone.stop()


def test_the_environment_does_not_choose_ports(monkeypatch):
    monkeypatch.setenv("MAYFLY_TCP", "127.0.0.1:5760")
    monkeypatch.setenv("MAYFLY_API", "none")
    monkeypatch.setenv("MAYFLY_CLOCK", "fast")
    with Drone() as one, Drone() as other:
        assert one.tcp_port != other.tcp_port
        assert one.clock()["mode"] == "fast"


def test_reserved_ports_are_different_in_every_process():
    code = "from pytest_mayfly.ports import ReservedPort; p = ReservedPort(); print(p.number, flush=True); input()"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    others = [subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
              for _ in range(5)]
    own = [ReservedPort() for _ in range(20)]
    numbers = [int(other.stdout.readline()) for other in others] + [port.number for port in own]
    for other in others:
        other.communicate("\n")
    for port in own:
        port.release()
    assert len(set(numbers)) == 25 and all(15000 <= number < 18000 for number in numbers)


def test_flags():
    assert flags_of({"home": (47.5, -8.25, 488), "px4_strict": True, "forward": False, "state": None, "gnss_noise": 1e-9,
                     "params": {"A": 1, "B": 2.5}, "streams": "X=1,Y=2", "args": ["--x", 3]}) == [
        "--home=47.5,-8.25,488", "--px4-strict=true", "--forward=false", "--gnss-noise=1e-09", "--param", "A=1", "--param",
        "B=2.5", "--stream=X=1,Y=2", "--x", "3"]
    assert merged({"clock": "x", "params": {"A": 1}, "args": ["a"]}, {"clock": "y", "params": {"B": 2}, "args": ["b"]}) == {
        "clock": "y", "params": {"A": 1, "B": 2}, "args": ["a", "b"]}
    assert packs_of(["--geoid=egm2008:a.mfpk,egm96,constant:3", "--terrain", "b,c", "--sysid=3"]) == [
        "--geoid", "egm2008:a.mfpk", "--terrain", "b", "--terrain", "c"]


def test_where_the_program_is(tmp_path, monkeypatch, binary):
    package = tmp_path / "site" / "pytest_mayfly"
    monkeypatch.setattr("pytest_mayfly.settings.__file__", os.fspath(package / "settings.py"))
    monkeypatch.delenv("MAYFLY")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    deep = tmp_path / "repository" / "tests" / "deep"
    deep.mkdir(parents=True)
    with pytest.raises(MayflyError, match="mayfly was not found. A wheel of pytest-mayfly"):
        find_binary(start=deep)
    (tmp_path / "repository" / "build").mkdir()
    built = tmp_path / "repository" / "build" / "mayfly"
    built.symlink_to(binary)
    assert find_binary(start=deep) == str(built)
    (tmp_path / "mayfly").symlink_to(binary)
    assert find_binary(start=deep) == str(tmp_path / "mayfly")
    (package / "bin").mkdir(parents=True)
    (package / "bin" / "mayfly").symlink_to(binary)
    assert find_binary(start=deep) == str(package / "bin" / "mayfly")
    monkeypatch.setenv("MAYFLY", binary)
    assert find_binary(start=deep) == binary
    assert find_binary(built, deep) == str(built)
    with pytest.raises(MayflyError, match="nothere is not a program that can be run .it was given.. mayfly was not found"):
        find_binary("nothere")
