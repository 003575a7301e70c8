# SPDX-License-Identifier: Apache-2.0
"""SARIF 2.1.0, for code hosts and editors."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..ledger import ACCEPTED, FIXED, Entry
from ..repository import commit_of
from ..scan.rules import RULES, UNJUDGED
from ..text import sarif

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RUN_RULE = "MR"


def rules() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"id": r.id, "name": "".join(w.capitalize() for w in r.name.split("-")), "shortDescription": {"text": r.title},
                                   "help": {"text": r.remedy}} for r in (UNJUDGED, *RULES)]
    return [*made, {"id": RUN_RULE, "name": "Divergence", "shortDescription": {"text": "the client does otherwise on another motion model"},
                    "help": {"text": "see the recordings of the run"}}]


def result(entry: Entry) -> dict[str, Any]:
    rule = entry.id.split("-")[0]
    made: dict[str, Any] = {"ruleId": rule, "ruleIndex": next((i for i, r in enumerate(rules()) if r["id"] == rule), -1),
                            "level": "note" if entry.status != "open" or entry.baseline else "warning",
                            "message": {"text": sarif(f"{entry.what} ({entry.quantity}). {entry.remedy}")},
                            "partialFingerprints": {"mayflyAudit/v1": entry.id},
                            "properties": {"component": entry.component, "owner": entry.owner, "models": entry.models, "status": entry.status,
                                           "commitScanned": entry.scanned, "commitFixed": entry.commit}}
    if entry.path:
        made["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": quote(os.fsencode(entry.path)), "uriBaseId": "SRCROOT"},
                                                   "region": {"startLine": max(1, entry.line)}}}]
    if entry.status in (ACCEPTED, FIXED):
        made["suppressions"] = [{"kind": "external", "status": "accepted", "justification": entry.reason or f"fixed in {entry.commit}"}]
    return made


def write(entries: Sequence[Entry], root: str = "") -> str:
    """root: the repository's, which the uris are relative to."""
    driver = {"name": "mayfly-audit", "version": __version__, "semanticVersion": __version__, "rules": rules()}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [result(e) for e in entries]}
    base: dict[str, Any] = {"description": {"text": "the root of the repository"}}
    if root:
        base["uri"] = "file://" + quote(os.fsencode(os.path.realpath(root))).rstrip("/") + "/"
    run["originalUriBaseIds"] = {"SRCROOT": base}
    commit = commit_of(root, "HEAD") if root else None
    if commit:
        run["versionControlProvenance"] = [{"repositoryUri": base["uri"], "revisionId": commit, "mappedTo": {"uriBaseId": "SRCROOT"}}]
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"
