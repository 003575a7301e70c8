# SPDX-License-Identifier: Apache-2.0
"""git, as it reads a repository of strangers: nothing that its configuration names is run."""
from __future__ import annotations

import os
import subprocess
from typing import Optional

GIT_S = 60              # a repository that answers later is taken for none
HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager")


def git(folder: str, *words: str) -> Optional[bytes]:
    """What it prints; None: it fails, or is not installed."""
    try:
        done = subprocess.run(["git", *HARMLESS, "-C", folder, *words], capture_output=True, timeout=GIT_S, check=False,
                              env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"})
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
