# SPDX-License-Identifier: Apache-2.0
"""Clients are flown: some of the corpus in every run of the tests, all of it by AUDIT=nightly (SIM-048)."""
import re
import sys

import pytest

import clients
from mayfly_audit import cli, ledger
from mayfly_audit.run import campaign
from mayfly_audit.run.flight import Order
from mayfly_audit.run.models import BY_NAME

FEW = ("physics", "constant", "ramp 2", "event")


def flown(name, folder, models=tuple(BY_NAME), **more):
    missing = clients.missing(name)
    if missing:
        pytest.skip(missing)
    order = Order(clients.command_of(name), str(folder), timeout_s=120.0)
    made = campaign.audit(order, [BY_NAME[m] for m in models], bisect=False, **more)
    assert made.unrepeatable is None, made.unrepeatable
    assert made.settings["audit"] == "1"
    return made


@pytest.mark.flies
def test_a_client_that_follows_the_drones_events_is_clean(tmp_path):
    assert [vars(f) for f in flown("mission_events.py", tmp_path, FEW).findings] == []


@pytest.mark.nightly
@pytest.mark.flies
@pytest.mark.parametrize("name", clients.DEPENDENT)
def test_sim048_every_dependent_client_is_found(name, tmp_path):
    assert flown(name, tmp_path).findings


@pytest.mark.nightly
@pytest.mark.flies
@pytest.mark.parametrize("name", clients.CLEAN)
def test_nothing_is_found_in_a_clean_client(name, tmp_path):
    assert [vars(f) for f in flown(name, tmp_path).findings] == []


@pytest.mark.flies
def test_a_command_that_never_connects_is_told_how_to(capsys):
    assert cli.main(["run", "--", sys.executable, "-c", "print('no link')"]) == cli.BAD
    said = capsys.readouterr().err
    assert "never spoke to the drone" in said and "it said: no link" in said and "MAYFLY_PYMAVLINK_URL" in said


@pytest.mark.flies
def test_a_command_that_hangs_without_a_word_is_ended(capsys):
    assert cli.main(["run", "--timeout", "2", "--", "sleep", "1000"]) == cli.BAD
    assert re.search(r"ended with hangs after 2\.\d s", capsys.readouterr().err)


@pytest.mark.flies
def test_a_command_that_does_not_exist_is_said(capsys):
    assert cli.main(["run", "--", "no-such-program"]) == cli.BAD
    assert "no-such-program" in capsys.readouterr().err


@pytest.mark.flies
def test_a_client_that_is_not_repeatable_is_told_so(tmp_path, capsys):
    """It commands by its process id, which differs in every run."""
    text = ("import os, sys\nsys.path.insert(0, %r)\nfrom vehicle import Vehicle\nv = Vehicle()\nn = tuple(map(int, open(%r).read().split()))[0] + 1\n"
            "open(%r, 'w').write(str(n))\n[v.command(200 + i) for i in range(n)]\n")
    count = tmp_path / "count"
    count.write_text("0")
    script = tmp_path / "client.py"
    script.write_text(text % (str(clients.CORPUS), str(count), str(count)))
    assert cli.main(["run", "--models", "constant", "--jobs", "1", "--", sys.executable, str(script)]) == cli.SHAKY
    assert "not repeatable" in capsys.readouterr().out


@pytest.mark.flies
def test_sim048_sim049_a_divergence_enters_the_ledger_beside_the_finding_of_the_scan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = cli.main(["run", "--models", "constant", "--no-bisect", "--source", str(clients.path_of("motion_parameter.py")), "--ledger", ledger.NAME,
                     "--html", "r.html", "--", *clients.command_of("motion_parameter.py")])
    assert code == cli.FOUND
    entry = ledger.load(ledger.NAME).entries[0]
    assert entry.id.startswith("MR-") and entry.suspects[0].startswith("MA09-") and entry.path == "motion_parameter.py"
    assert "<polyline" in (tmp_path / "r.html").read_text()
