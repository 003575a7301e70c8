# SPDX-License-Identifier: Apache-2.0
"""A client that lives only within an instance: a Simulation Controller starts it once per model (SIM-048)."""
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import clients
from mayfly_audit import cli
from mayfly_audit.run.recording import read

SIMCTL = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "simctl"
TEMPLATE = """\
description: a client within an instance
lifetime: {{default: 3m, max: 20m}}
ttl: 1m
recording: 4M
onboard: onboard
virtualTime: {virtual}
values: {values}
local:
  onboard: {{command: {command}}}
pod:
  spec:
    initContainers:
    - {{name: emulator, image: localhost/mayfly, restartPolicy: Always}}
    containers:
    - {{name: onboard, image: localhost/acme/onboard}}
"""
FLAGS = "{arguments: {args: emulator, type: list}}"


@pytest.fixture
def controller(tmp_path):
    """Its URL. Templates: two clients, one whose drone takes no flags, and one that sleeps, in virtual time."""
    if not SIMCTL.exists():
        pytest.skip("build/simctl is not built: its libraries are not here (make deps-test)")
    folder = tmp_path / "templates"
    folder.mkdir()
    for name, client, values in (("dependent", "motion_parameter.py", FLAGS), ("clean", "vehicle_time.py", FLAGS),
                                 ("closed", "vehicle_time.py", "{}"), ("virtual", "fixed_sleep.py", FLAGS)):
        (folder / (name + ".yaml")).write_text(TEMPLATE.format(values=values, virtual=json.dumps(name == "virtual"), command=json.dumps([sys.executable, str(clients.path_of(client))])))
    with open(tmp_path / "simctl.log", "wb") as log:
        process = subprocess.Popen([str(SIMCTL), "serve", "--listen", "127.0.0.1:0", "--mayfly", os.environ.get("MAYFLY", "build/mayfly"),
                                    "--templates", str(folder)], stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        yield process.stdout.readline().split()[1].rstrip(":")
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def run(controller, template, *more):
    return cli.main(["run", "--template", template, "--mayfly-controller", controller, "--models", "constant", "--clock", "fast", "--repeat", "2",
                     "--no-bisect", *more])


@pytest.mark.flies
def test_sim048_a_client_within_an_instance_is_audited_without_source(controller, tmp_path, capsys):
    assert run(controller, "dependent", "--keep", str(tmp_path / "runs")) == cli.FOUND
    said = capsys.readouterr()
    assert "content: command DO_CHANGE_SPEED: " in said.out and "models: constant" in said.out
    assert "runs of `the template's own client` over 2 models" in said.err and "mitigations off (--audit)" in said.err
    recordings = {path.stem: read(str(path)) for path in (tmp_path / "runs").glob("*.mfr")}
    assert {name: (r.settings["motion"], r.settings["audit"], r.complete) for name, r in recordings.items()} == {
        **{f"physics-{n}": ("physics", "1", True) for n in (0, 1, 2)}, **{f"constant-{n}": ("constant", "1", True) for n in (1, 2)}}
    assert run(controller, "clean") == 0


@pytest.mark.flies
def test_a_client_that_sleeps_in_an_instance_is_flown_in_virtual_time(controller, capsys):
    audit = ["run", "--template", "virtual", "--mayfly-controller", controller, "--models", "constant,event", "--repeat", "2"]
    assert cli.main(audit) == cli.FOUND
    said = capsys.readouterr()
    assert "it acts 6.5 s after its last action, whatever the drone does" in said.out
    assert "over 2 models, clock virtual" in said.err and "the client's own time (it sleeps or thinks): 0% of the wall" in said.err
    assert cli.main([*audit, "--clock", "fast"]) == cli.BAD
    assert "says virtualTime" in capsys.readouterr().err


@pytest.mark.flies
def test_a_template_that_cannot_be_audited_is_refused(controller, capsys):
    assert run(controller, "closed") == cli.BAD
    assert "template closed takes no --" in capsys.readouterr().err
    assert run(controller, "none") == cli.BAD
    assert "none" in capsys.readouterr().err
