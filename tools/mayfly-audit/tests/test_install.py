# SPDX-License-Identifier: Apache-2.0
"""The package installs as its users do it, and its command runs."""
import os
import pathlib
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).parents[1]


def test_the_package_installs_and_scans(tmp_path):
    site = tmp_path / "site"
    for folder in (PACKAGE.parent / "pytest-mayfly", PACKAGE):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(site),
                        str(folder)], check=True, timeout=300)
    (tmp_path / "client.py").write_text("# mavlink\ndef arrived(m):\n    return m.groundspeed < 0.3\n")
    done = subprocess.run([sys.executable, "-m", "mayfly_audit", "scan", "--no-cache", str(tmp_path / "client.py")], text=True, capture_output=True,
                          check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(site)})
    assert done.stdout.startswith("client.py:3: MA01 arrived or landed if a speed is below a threshold: m.groundspeed < 0.3")
