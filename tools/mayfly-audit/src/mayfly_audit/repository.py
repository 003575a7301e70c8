# SPDX-License-Identifier: Apache-2.0
"""The client's repository: its root, its commits, and what a commit did to a finding. Paths are relative to the root."""
from __future__ import annotations

import os
from typing import Optional

from .finding import with_ids
from .git import git
from .scan import scanner

def top_of(path: str) -> Optional[str]:
    """The root of the repository that holds it; None: no repository does."""
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    found = git(folder, "rev-parse", "--show-toplevel")
    return os.fsdecode(found.rstrip(b"\n")) if found else None


def is_within(folder: str, path: str) -> bool:
    folder, path = os.path.realpath(folder), os.path.realpath(path)
    return os.path.commonpath((folder, path)) == folder


def root_of(path: str, given: Optional[str] = None, ledger: Optional[str] = None) -> str:
    """What paths are told from: the folder given, the repository, that of the ledger, or the path's own."""
    if given:
        return given
    own = top_of(path)
    if own is not None:
        return own
    beside = os.path.dirname(ledger) or "." if ledger else None
    if beside is not None and is_within(beside, path):
        return beside
    return path if os.path.isdir(path) else os.path.dirname(path) or "."


def head_of(root: str) -> str:
    """The commit that is checked out; empty without a repository."""
    return (git(root, "rev-parse", "--short=12", "HEAD") or b"").decode().strip()


def commit_of(root: str, name: str) -> Optional[str]:
    """The full name of a commit; None: there is none of this name."""
    if not name or name.startswith("-"):
        return None
    found = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return found.decode().strip() if found else None


def refusal(root: str, name: str, path: str, finding: str, component: str = "", seen_at: str = "") -> str:
    """Why a commit did not fix a finding; empty: it did. finding: empty, or an id of a scan that was there before it and not after."""
    if top_of(root) is None:
        return "no git repository is here, so no commit can be checked"
    commit = commit_of(root, name)
    if commit is None:
        shallow = (git(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"
        return "no such commit" + (": the history is shallow, fetch all of it" if shallow else "")
    if seen_at and git(root, "merge-base", "--is-ancestor", commit, seen_at) is not None:
        return f"it was still found at {seen_at}, which has this commit"
    if not path:
        return ""
    base, top = os.path.realpath(root), os.path.realpath(top_of(root) or root)
    inside = os.path.relpath(os.path.join(base, path), top)
    touched = git(top, "diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-m", "-z", commit) or b""
    if os.fsencode(inside) not in touched.split(b"\0"):
        return f"the commit does not touch {path}"
    if not finding:
        return ""
    before, after = found_in(top, f"{commit}^", inside, path, component), found_in(top, commit, inside, path, component)
    if before is None or finding not in before:
        return "the finding was not there before the commit: it does not touch its line"
    if after is None:
        return "the file cannot be read after the commit"
    return "the finding is still there after the commit" if finding in after else ""


def found_in(top: str, commit: str, inside: str, path: str, component: str) -> Optional[set[str]]:
    """Ids of a file at a commit, with a component and without; none of a file that is gone; None: it cannot be read as a whole."""
    content = git(top, "cat-file", "blob", f"{commit}:{inside}")
    if content is None:
        return set()
    seen = scanner.scan_text(content, path, vehicle=True)
    return None if seen.unjudged else {n for f in with_ids(seen.findings, lambda _: component) for n in (f.id, f.plain)}
