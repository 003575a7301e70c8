# SPDX-License-Identifier: Apache-2.0
"""A finding of the scan, and how it is named so that it keeps its name when lines move."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Optional

CONTEXT = 3             # lines on each side, by which code is known again elsewhere
SHOWN_MAX = 160         # characters of an expression


@dataclass(frozen=True)
class Finding:
    """Where a client depends on motion. `id` does not contain the line: it is made of rule, path, function, expression and component.
    The path is that from the repository's root. Without a component it is `plain`, as all ids were before they had one."""
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
    context: str = ""           # digests of the lines around it
    id: str = ""
    plain: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if v not in (None, "")}

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Finding:
        return Finding(**{"unit": "", "function": "", **data})


def digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:length]


def shortened(text: str) -> str:
    """An expression as it is shown. The digest of a long one stands for the rest of it."""
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX - 14]}... {digest(text, 10)}"


def context_of(lines: list[str], line: int) -> str:
    """Of the lines around one, without blank ones and without their indentation."""
    before = [one.strip() for one in lines[max(0, line - 1 - 4 * CONTEXT):line - 1] if one.strip()][-CONTEXT:]
    after = [one.strip() for one in lines[line:line + 4 * CONTEXT] if one.strip()][:CONTEXT]
    return " ".join(digest(one, 4) for one in (*before, *after))


def alike(a: str, b: str) -> float:
    """The share of the lines around two places that are the same: 0 to 1."""
    left, right = a.split(), b.split()
    rest = list(right)
    for one in left:
        if one in rest:
            rest.remove(one)
    return (len(right) - len(rest)) / max(len(left), len(right), 1)


def no_component(_: str) -> str:
    return ""


def with_ids(findings: Iterable[Finding], component_of: Callable[[str], str] = no_component) -> list[Finding]:
    """In the order of lines; equal expressions of one function are told apart by their order. component_of: a path; empty: none."""
    seen: dict[str, int] = {}
    taken: set[str] = set()
    plain: set[str] = set()
    made = []
    for finding in sorted(findings, key=lambda f: (f.path, f.line, f.rule)):
        text = "\0".join((finding.rule, finding.path, finding.function, finding.expression))
        number = seen[text] = seen.get(text, -1) + 1
        component = component_of(finding.path)
        before = named(finding.rule, f"{text}\0{number}", plain)
        made.append(replace(finding, id=named(finding.rule, f"{text}\0{number}\0{component}" if component else f"{text}\0{number}", taken), plain=before))
    return made


def named(rule: str, text: str, taken: set[str]) -> str:
    """A name that no other has."""
    whole = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    name = next(n for n in (f"{rule}-{whole[:length]}" for length in (8, 12, 64)) if n not in taken)
    taken.add(name)
    return name
