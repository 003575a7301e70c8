# SPDX-License-Identifier: Apache-2.0
"""A finding of the scan, and how it is named so that it keeps its name when lines move."""
from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Optional


@dataclass(frozen=True)
class Finding:
    """Where a client depends on motion. `id` does not contain the line: it is made of rule, path, function and expression."""
    rule: str
    path: str
    line: int
    function: str
    quantity: str
    unit: str
    expression: str
    threshold: Optional[float] = None
    dwell_s: Optional[float] = None
    source: str = ""
    id: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if v not in (None, "")}

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Finding:
        return Finding(**{"unit": "", "function": "", **data})


def with_ids(findings: Iterable[Finding]) -> list[Finding]:
    """In the order of lines; equal expressions of one function are told apart by their order."""
    seen: dict[str, int] = {}
    made = []
    for finding in sorted(findings, key=lambda f: (f.path, f.line, f.rule)):
        text = "\0".join((finding.rule, finding.path, finding.function, finding.expression))
        number = seen[text] = seen.get(text, -1) + 1
        digest = hashlib.sha256(f"{text}\0{number}".encode("utf-8", "surrogateescape")).hexdigest()[:8]
        made.append(replace(finding, id=f"{finding.rule}-{digest}"))
    return made
