# SPDX-License-Identifier: Apache-2.0
"""Drones and clients with one time."""
import os
import shutil
import sys

import pytest

from pytest_mayfly import MayflyError, World

# Connects to the drone, and sleeps until it is told that it has been heard for a while.
CLIENT = '''
import os, socket, time
begin = time.time()
s = socket.create_connection(("127.0.0.1", int(os.environ["MAYFLY_TCP_PORT"])))
got = 0
while time.time() < begin + 30:
    s.settimeout(begin + 30 - time.time() + 1e-6)
    try: got += len(s.recv(65536))
    except TimeoutError: break
print(os.environ["MAYFLY_SYSTEM_ID"], len(os.environ["WORLD_TCP_PORTS"].split()), got, time.time() - begin)
'''


def client(text=CLIENT):
    return [sys.executable, "-S", "-c", text]


def test_drones_and_clients_in_one_call(mayfly_world):
    runs = [mayfly_world(3, [client()] * 3) for _ in range(2)]
    said = [[one.stdout.split() for one in run.clients] for run in runs]
    assert [one.returncode for one in runs[0].clients] == [0] * 3, runs[0].clients
    assert [words[:2] for words in said[0]] == [["1", "3"], ["2", "3"], ["3", "3"]]
    assert said[0] == said[1]
    assert all(int(got) > 1000 and 30 <= float(seconds) < 30.01 for _, _, got, seconds in said[0])
    assert [drone.crash for drone in runs[0].drones] == [None] * 3


def test_exit_codes_and_output(mayfly_world):
    world = mayfly_world(1, [client("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"), client("print('two')")])
    assert [(c.returncode, c.stdout, c.stderr) for c in world.clients] == [(3, "out\n", "err\n"), (0, "two\n", "")]


def test_what_cannot_follow_is_refused_by_name(mayfly_world, pytestconfig):
    mayfly = mayfly_world(1, [client("pass")]).drones[0].binary
    world = mayfly_world(1, [[mayfly, "--version"]])
    assert world.clients[0].returncode != 0
    assert "cannot follow virtual time: it is linked statically" in world.clients[0].stderr


def test_programs_in_a_folder_with_blanks_and_colons(mayfly_world, tmp_path):
    folder = tmp_path / "a blank, a:colon"
    folder.mkdir()
    mayfly = mayfly_world(1, [client("pass")]).drones[0].binary
    for name in (mayfly, os.path.join(os.path.dirname(mayfly), "libmayflytime.so")):
        shutil.copy(name, folder)
    world = mayfly_world(2, [client("import time; time.sleep(3600); print(int(time.time()))")] * 2, binary=folder / os.path.basename(mayfly))
    assert [c.stdout for c in world.clients] == ["1767229200\n"] * 2     # an hour after 2026-01-01

    (folder / "libmayflytime.so").write_text("this is not a library")
    with pytest.raises(MayflyError, match="did not join virtual time"):
        mayfly_world(2, [client("print('on')")], binary=folder / os.path.basename(mayfly))


def test_a_setting_that_does_not_fit(mayfly_world):
    with pytest.raises(MayflyError, match="virtual: time is granted from the boot on"):
        mayfly_world(1, [client("pass")], clock="fast")


def test_without_pytest(mayfly_world, tmp_path):
    binary = mayfly_world(1, [client("pass")]).drones[0].binary
    world = World(1, [[shutil.which("sleep"), "100"]], binary=binary).run()
    assert world.clients[0].returncode == 0
    world.drones[0].stop()
