# SPDX-License-Identifier: Apache-2.0
"""docs/audit/example.md, executed as it stands: its commands, what they print, the fix, the line in the ledger (SIM-048, SIM-049)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

import clients
import repository as git
from mayfly_audit import ledger

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "audit" / "example.md"
FIXED = "from vehicle import Vehicle, mavlink\n\nvehicle = Vehicle()\n"
COMMIT, SCANNED = "4f2c9d1", "0b7e1a55c2d4"      # as the page has them: of the fix, and the one before
PATHS = [str(pathlib.Path(__file__).parents[1] / "src"), str(pathlib.Path(__file__).parents[2] / "pytest-mayfly" / "src")]


def sections():
    """Title: text."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def fenced(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def commands(text):
    """Those of a section, and what the page says that they print, in one line."""
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    mine = [line for line in lines if re.match(r"mayfly-audit |printf ", line)]
    return mine, " ".join(" ".join(line for line in lines if line not in mine).split())


@pytest.fixture
def shell(tmp_path):
    """Runs a command of the page in the client's repository: shell(command, code) gives what it prints, and what it tells."""
    tools = tmp_path / "bin"
    repository = tmp_path / "repository"
    (repository / "src").mkdir(parents=True)
    tools.mkdir()
    for name, arguments in (("mayfly-audit", "-m mayfly_audit "), ("python3", "")):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} {arguments}"$@"\n')
        (tools / name).chmod(0o755)
    shutil.copy(clients.CORPUS / "vehicle.py", repository)
    shutil.copy(clients.path_of("arrived_by_speed.py"), repository / "src" / "deliver.py")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join([*PATHS, str(repository)])}

    def run(command, code=0):
        done = subprocess.run(["sh", "-c", command], cwd=repository, env=environment, text=True, capture_output=True, check=False, timeout=300)
        assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr
    run.repository = repository
    run.begun = git.begin(repository)
    return run


@pytest.mark.flies
def test_sim048_sim049_the_worked_example(shell):
    page = sections()
    assert fenced(PAGE.read_text(), "python") in (shell.repository / "src" / "deliver.py").read_text()

    (begin, fly), printed = commands(page["Run"])
    shell(begin)
    assert " ".join(shell(fly, 1)[0].split()) == printed
    assert "<polyline" in (shell.repository / "audit.html").read_text()
    (scan,), printed = commands(page["Locate"])
    assert shell(scan)[0].strip() == printed

    (shell.repository / "src" / "deliver.py").write_text(FIXED + fenced(page["Fix"], "python"))
    (fly, scan, *closes, gate), _ = commands(page["Verify and close"])
    shell(gate, 1)
    for command, kind in ((fly, "MR-"), (scan, "MA01-")):
        printed, told = shell(command)
        assert printed == "" and re.search(kind + r"\w+ is not found any more", told)
    fixed = git.commit(shell.repository)[:7]
    for close in closes:
        shell(close.replace(COMMIT, fixed))
        assert (shell.repository / close.split("--verified-by ")[1]).exists()
    shell(gate)
    entry = next(e for e in ledger.load(str(shell.repository / ledger.NAME)).entries if e.id.startswith("MA01-"))
    assert (entry.commit, entry.scanned) == (fixed, shell.begun)
    entry.commit, entry.scanned = COMMIT, SCANNED
    assert [entry.as_dict()] == yaml.safe_load(fenced(page["Verify and close"], "yaml"))
