# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/clients.md that use MAVLink without an SDK, as they stand but for the port. Headers are those that pymavlink makes."""
import pathlib
import re
import subprocess
import sys

import pytest

from ports import free_port

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")
SAID = "took off, and lands\n"
UDP = free_port()


def example(heading, kind):
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## )", PAGE, re.M | re.S)[1]
    block, = re.findall(rf"^```{kind}\n(.*?)^```", section, re.M | re.S)
    return block


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(name="headers", scope="module")
def fixture_headers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headers")
    definitions = pathlib.Path(__import__("pymavlink").__file__).parent / "dialects" / "v20" / "common.xml"
    run(sys.executable, "-m", "pymavlink.tools.mavgen", "--lang", "C", "--wire-protocol", "2.0", "--output", folder / "mavlink", definitions)
    return folder


def test_pymavlink(drone):
    assert run(sys.executable, "-c", example("pymavlink", "python").replace(":5760", f":{drone.tcp}")) == SAID


def test_c(drone, headers, tmp_path):
    (tmp_path / "fly.c").write_text(example("C", "c").replace("5760", str(drone.tcp)), encoding="ascii")
    run("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-address-of-packed-member", "-isystem", headers, tmp_path / "fly.c", "-o", tmp_path / "fly")
    assert run(tmp_path / "fly") == SAID


@pytest.mark.parametrize("drone", [("--udp-out", f"127.0.0.1:{UDP}")], indirect=True)
def test_cpp(drone, headers, tmp_path):
    (tmp_path / "fly.cpp").write_text(example("C++", "cpp").replace("14540", str(UDP)), encoding="ascii")
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-isystem", headers, tmp_path / "fly.cpp", "-o", tmp_path / "fly")
    assert run(tmp_path / "fly") == SAID
    assert drone.process.poll() is None
