# SPDX-License-Identifier: Apache-2.0
"""tools/pytest-mayfly, installed as its users do it: its own tests, with real clients, side by side."""
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

from paths import TOP

PLUGIN = pathlib.Path(TOP, "tools/pytest-mayfly")


def run(*args, **more):
    done = subprocess.run([sys.executable, "-m", *args], text=True, capture_output=True, timeout=600, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_plugin(tmp_path):
    site = tmp_path / "site"
    run("pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", site, PLUGIN)
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    env.update(PYTHONPATH=str(site), PYTHONDONTWRITEBYTECODE="1", MAYFLY=os.path.abspath(os.environ.get("MAYFLY", "build/mayfly")))
    first = importlib.metadata.version("mavsdk").startswith("3.")     # MAVSDK 4 repeats only what flies with it
    tests, least = ([PLUGIN / "tests"], 40) if first else ([PLUGIN / "tests" / f"test_{name}.py" for name in ("clients", "readme")], 11)
    said = run("pytest", "-q", "-p", "no:cacheprovider", "-n", "4", "-W", "ignore", "-rs", *tests, env=env, cwd=tmp_path)
    passed = re.search(r"(\d+) passed(?!.*skipped)", said)
    assert passed and int(passed[1]) >= least, said
