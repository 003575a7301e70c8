# SPDX-License-Identifier: Apache-2.0
"""node-mavlink, which npm installs into build/node: Debian's npm brings some 400 packages, so only `make nightly` does."""
import fcntl
import os
import shutil
import subprocess

from paths import built

PACKAGES = ("node-mavlink@2.3.0", "mavlink-mappings@1.0.21-20250824-1")
MODULES = built("node/node_modules")
MISSING = None if shutil.which("node") and shutil.which("npm") else 'no node or no npm: "apt-get install nodejs npm" installs them'


def install():
    """Once, although several tests want it at the same time."""
    folder = os.path.dirname(MODULES)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.isdir(os.path.join(MODULES, "node-mavlink")):
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts",
                            "--prefix", folder, *PACKAGES], check=True, timeout=120)
