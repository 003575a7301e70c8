# SPDX-License-Identifier: Apache-2.0
"""The ledger in the client's repository: what was found, where, and what became of it (SIM-049)."""
from __future__ import annotations

import fnmatch
import os
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Optional

import yaml

from .files import write_whole
from .finding import Finding
from .run.findings import RunFinding
from .scan.rules import BY_ID

NAME = "mayfly-audit.yaml"
VERSION = 1
OPEN, FIXED, ACCEPTED = "open", "fixed", "accepted"
STATUSES = (OPEN, FIXED, ACCEPTED)
NO_COMPONENT = "(no component)"
KEYS = ("version", "components", "findings")
NESTS = {("map",), ("map", "map"), ("map", "list"), ("map", "list", "map"), ("map", "list", "map", "list")}
# The reader over libyaml takes time in proportion to the text; the one in Python is ten times as slow.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KINDS: dict[str, type] = {"str": str, "int": int, "bool": bool, "list[str]": list}
HEAD = "# What in this repository depends on the physics of its vehicle. mayfly-audit keeps it; components, reasons and remedies are yours.\n"


class LedgerError(ValueError):
    """The file is not a ledger; says where."""


@dataclass
class Entry:
    id: str
    what: str                       # title of the rule, or what the run saw
    component: str = ""
    path: str = ""
    line: int = 0
    quantity: str = ""
    models: list[str] = field(default_factory=list)
    remedy: str = ""
    status: str = OPEN
    baseline: bool = False          # accepted as it was, to be worked off
    commit: str = ""
    reason: str = ""
    verified_by: str = ""
    code: str = ""                  # the expression
    suspects: list[str] = field(default_factory=list)      # of a divergence: findings of the scan, the likeliest first

    def as_dict(self) -> dict[str, Any]:
        always = ("id", "component", "status")
        return {k: v for k, v in self.__dict__.items() if k in always or v not in ("", [], 0, False)}


@dataclass
class Ledger:
    path: str
    components: dict[str, str] = field(default_factory=dict)       # pattern of paths: component
    entries: list[Entry] = field(default_factory=list)

    def by_id(self, wanted: str) -> Optional[Entry]:
        return next((e for e in self.entries if e.id == wanted), None)

    def component_of(self, path: str) -> str:
        """Of the longest pattern that fits."""
        fits = [p for p in self.components if fnmatch.fnmatch(path, p) or path.startswith(p.rstrip("*").rstrip("/") + "/") or path == p]
        return self.components[max(fits, key=len)] if fits else NO_COMPONENT

    def save(self) -> None:
        data = {"version": VERSION, "components": self.components,
                "findings": [e.as_dict() for e in sorted(self.entries, key=lambda e: (e.path, e.line, e.id))]}
        write_whole(self.path, HEAD + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=140))


def load(path: str) -> Ledger:
    """An empty one if there is no file. Raises LedgerError."""
    if not os.path.exists(path):
        return Ledger(path)
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
        check_shape(path, text)
        data = yaml.load(text, Loader=LOADER) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise LedgerError(f"{path}: version: must be {VERSION}")
    components = data.get("components") or {}
    if not isinstance(components, dict) or not all(isinstance(v, (str, int, float)) for v in components.values()):
        raise LedgerError(f"{path}: components: must be a map of patterns to names")
    ledger = Ledger(path, {str(k): str(v) for k, v in components.items()})
    known, ids = set(Entry.__dataclass_fields__), set[str]()
    for number, one in enumerate(data.get("findings") or (), 1):
        if not isinstance(one, dict) or not one.get("id"):
            raise LedgerError(f"{path}: finding {number} has no id")
        strange = set(one) - known
        if strange:
            raise LedgerError(f"{path}: {one['id']}: unknown key {', '.join(sorted(strange))}")
        made = Entry(**{"what": "", **one})
        check(path, made)
        if made.id in ids:
            raise LedgerError(f"{path}: {made.id} stands there twice")
        ids.add(made.id)
        ledger.entries.append(made)
    return ledger


def check_shape(path: str, text: str) -> None:
    """Refuse at its place what no ledger has. PyYAML reads the text event by event here, so the rest of a strange one costs no time."""
    def strange(event: Any, why: str) -> LedgerError:
        return LedgerError(f"{path}:{event.start_mark.line + 1}: column {event.start_mark.column + 1}: {why}")

    inside: tuple[str, ...] = ()
    keys: set[str] = set()
    at_key = True       # of the outermost map
    if re.search("^%", text, re.MULTILINE):
        raise LedgerError(f"{path}: directives (%NAME) are not taken")
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.ScalarEvent):
            if len(inside) < 2:
                if at_key and (event.value not in KEYS or event.value in keys):
                    raise strange(event, f"key {event.value[:40]!r}: must be {', '.join(KEYS)}, each once")
                keys.add(event.value)
                at_key = not at_key
        elif isinstance(event, yaml.CollectionStartEvent):
            inside += ("map" if isinstance(event, yaml.MappingStartEvent) else "list",)
            if inside not in NESTS or (len(inside) == 2 and at_key):
                raise strange(event, f"no ledger has a {' in a '.join(reversed(inside))} there")
            at_key = True
        elif isinstance(event, yaml.CollectionEndEvent):
            inside = inside[:-1]
        elif isinstance(event, yaml.AliasEvent):
            raise strange(event, "aliases (*name) are not taken: write it twice")


def check(path: str, entry: Entry) -> None:
    for name, about in Entry.__dataclass_fields__.items():
        value, kind = getattr(entry, name), KINDS[str(about.type)]
        if not isinstance(value, kind) or (isinstance(value, list) and not all(isinstance(one, str) for one in value)):
            raise LedgerError(f"{path}: {entry.id}: {name} {value!r}: must be {about.type}")
    if entry.status not in STATUSES:
        raise LedgerError(f"{path}: {entry.id}: status {entry.status!r}: must be {', '.join(STATUSES)}")
    if entry.status == FIXED and not entry.commit:
        raise LedgerError(f"{path}: {entry.id}: status fixed needs a commit")
    if entry.status == ACCEPTED and not entry.reason:
        raise LedgerError(f"{path}: {entry.id}: status accepted needs a reason")


def of_scan(finding: Finding) -> Entry:
    rule = BY_ID[finding.rule]
    return Entry(finding.id, rule.title, path=finding.path, line=finding.line, quantity=finding.quantity, models=list(rule.models),
                 remedy=rule.remedy, code=finding.expression)


def of_run(finding: RunFinding) -> Entry:
    return Entry(finding.id, finding.text, path=finding.path, line=finding.line, quantity=finding.quantity, models=list(finding.models),
                 remedy=finding.remedy, suspects=list(finding.suspects))


@dataclass
class Change:
    """What a comparison with the ledger shows."""
    new: list[Entry] = field(default_factory=list)
    back: list[Entry] = field(default_factory=list)        # fixed, and found again
    open: list[Entry] = field(default_factory=list)
    baseline: list[Entry] = field(default_factory=list)    # open, but accepted in one step
    gone: list[Entry] = field(default_factory=list)        # open, and not found any more

    @property
    def passes(self) -> bool:
        return not (self.new or self.back or self.open)


def update(ledger: Ledger, found: Iterable[Entry], runs: bool) -> Change:
    """Enters what was found; runs: of a run, or else of a scan. What the other half has found is left alone."""
    change, seen = Change(), set()
    for one in found:
        seen.add(one.id)
        known = ledger.by_id(one.id)
        one.component = ledger.component_of(one.path)
        if known is None:
            ledger.entries.append(one)
            change.new.append(one)
            continue
        for name in ("what", "path", "line", "quantity", "models", "component", "code", "suspects"):
            setattr(known, name, getattr(one, name))
        if known.status == FIXED:
            known.status = OPEN
            change.back.append(known)
        elif known.status == OPEN:
            (change.baseline if known.baseline else change.open).append(known)
    for entry in ledger.entries:
        if entry.id not in seen and entry.status == OPEN and entry.id.startswith("MR-") == runs:
            change.gone.append(entry)
    return change


def accept_baseline(ledger: Ledger) -> int:
    """All that is open now is known, and does not fail the gate any more. Returns how many."""
    wanted = [e for e in ledger.entries if e.status == OPEN and not e.baseline]
    for entry in wanted:
        entry.baseline = True
    return len(wanted)
