# SPDX-License-Identifier: Apache-2.0
"""Repositories of git for the tests: made in a folder, a commit of all that is in it."""
from __future__ import annotations

import pathlib
import subprocess


def git(folder: pathlib.Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words],
                          check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def begin(folder: pathlib.Path) -> str:
    git(folder, "init", "--quiet")
    return commit(folder)


def commit(folder: pathlib.Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "change")
    return head(folder)


def head(folder: pathlib.Path) -> str:
    return git(folder, "rev-parse", "--short=12", "HEAD")
