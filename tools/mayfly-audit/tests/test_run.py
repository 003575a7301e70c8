# SPDX-License-Identifier: Apache-2.0
"""Clients are flown: some of the corpus in every run of the tests, all of it by AUDIT=nightly (SIM-048)."""
import pathlib
import re
import socket
import sys

import pytest

import clients
from mayfly_audit import cli, ledger
from mayfly_audit.run import campaign, models
from mayfly_audit.run.flight import Order
from mayfly_audit.run.models import BY_NAME

FEW = ("physics", "constant", "ramp 2", "event")


def flown(name, folder, names=tuple(BY_NAME), **more):
    missing = clients.missing(name)
    if missing:
        pytest.skip(missing)
    order = Order(clients.command_of(name), str(folder), timeout_s=120.0)
    made = campaign.audit(order, [BY_NAME[m] for m in names], bisect=False, **more)
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


def test_the_profile_of_px4_is_that_of_the_drone():
    """The page is made of the drone's own table."""
    page = (pathlib.Path(__file__).parents[3] / "docs" / "streams.md").read_text()
    rows = re.findall(r"^\| \d+ \| (\w+) \| ([^|]+) \| ([^|]+) \|", page, re.M)
    hz = {name: [0.0 if text == "on request" else float(text.split()[0]) for text in texts] for name, *texts in rows}
    assert len(hz) > 30 and {name: px4 for name, (sim, px4) in hz.items() if px4 != sim} == models.PX4_STREAMS


@pytest.mark.flies
def test_sim048_the_message_is_named_that_a_client_needs(tmp_path, capsys):
    script = tmp_path / "client.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(clients.CORPUS)!r})\nfrom vehicle import Vehicle\n"
                      "v = Vehicle()\nif v.link.recv_match(type='ODOMETRY', blocking=True, timeout=3):\n"
                      "    v.command(203, 0, 0, 0, 0, 1)\n")
    assert cli.main(["run", "--models", models.PROFILE, "--repeat", "1", "--", sys.executable, str(script)]) == cli.FOUND
    said = capsys.readouterr().out
    assert "nothing on profile px4: " in said and "it changes without ODOMETRY" in said


@pytest.mark.flies
@pytest.mark.parametrize("kind", ["tcp", "udp-out"])
def test_a_client_gets_the_port_that_it_insists_on(kind, tmp_path, capsys):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = tmp_path / "client.py"
    url = {"tcp": f"tcp:127.0.0.1:{port}", "udp-out": f"udpin:127.0.0.1:{port}"}[kind]
    script.write_text(f"import os, sys\nos.environ['MAYFLY_PYMAVLINK_URL'] = {url!r}\nsys.path.insert(0, {str(clients.CORPUS)!r})\n"
                      "from vehicle import Vehicle\nv = Vehicle()\nv.takeoff(6)\nv.land()\n")
    arguments = ["run", "--models", "constant", "--repeat", "1", "--port", f"{kind}:{port}", "--", sys.executable, str(script)]
    assert cli.main(arguments) == 0
    if kind == "tcp":
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", port))
            taken.listen()
            assert cli.main(arguments) == cli.BAD
        assert str(port) in capsys.readouterr().err


@pytest.mark.flies
def test_sim048_sim049_a_divergence_enters_the_ledger_beside_the_finding_of_the_scan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = cli.main(["run", "--models", "constant", "--no-bisect", "--source", str(clients.path_of("motion_parameter.py")), "--ledger", ledger.NAME,
                     "--html", "r.html", "--", *clients.command_of("motion_parameter.py")])
    assert code == cli.FOUND
    entry = ledger.load(ledger.NAME).entries[0]
    assert entry.id.startswith("MR-") and entry.suspects[0].startswith("MA09-") and entry.path == "tools/mayfly-audit/tests/corpus/dependent/motion_parameter.py"
    assert entry.client.endswith("corpus/dependent/motion_parameter.py") and entry.scanned
    assert "<polyline" in (tmp_path / "r.html").read_text()


@pytest.mark.flies
def test_sim048_a_client_that_waits_for_an_overshoot_is_found(tmp_path, capsys):
    """It hangs on the reference, and on each model that arrives from below."""
    code = cli.main(["run", "--models", "constant,overshoot", "--repeat", "1", "--timeout", "15", "--no-bisect", "--source",
                     str(clients.path_of("overshoot.py")), "--ledger", str(tmp_path / ledger.NAME), "--", *clients.command_of("overshoot.py")])
    assert code == cli.FOUND, capsys.readouterr()
    found = ledger.load(str(tmp_path / ledger.NAME)).entries
    assert {m for e in found for m in e.models} == {"overshoot"}
    assert any(e.suspects and e.suspects[0].startswith("MA02-") for e in found)
