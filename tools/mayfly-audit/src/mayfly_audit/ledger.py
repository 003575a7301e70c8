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
KEYS = ("version", "components", "owners", "findings")
NESTS = {("map",), ("map", "map"), ("map", "list"), ("map", "list", "map"), ("map", "list", "map", "list")}
# The reader over libyaml takes time in proportion to the text; the one in Python is ten times as slow.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
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
    commit: str = ""                # that has fixed it
    reason: str = ""
    verified_by: str = ""
    code: str = ""                  # the expression
    suspects: list[str] = field(default_factory=list)      # of a divergence: findings of the scan, the likeliest first
    function: str = ""
    client: str = ""                # of a run
    owner: str = ""
    scanned: str = ""               # the commit at which it was last found
    moved_from: str = ""            # the id that it had elsewhere
    context: str = ""               # digests of the lines around it, by which it is known again elsewhere

    def as_dict(self) -> dict[str, Any]:
        always = ("id", "component", "status")
        return {k: v for k, v in self.__dict__.items() if k in always or v not in ("", [], 0, False)}


@dataclass
class Ledger:
    path: str
    components: dict[str, str] = field(default_factory=dict)       # pattern of paths: component
    entries: list[Entry] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)           # component: who answers for it
    component: str = ""                                             # of paths that no pattern names

    def by_id(self, wanted: str) -> Optional[Entry]:
        return next((e for e in self.entries if e.id == wanted), None)

    def place(self, entry: Entry) -> None:
        """Gives an entry its component and its owner."""
        if entry.path or not entry.component:
            entry.component = self.component_of(entry.path)
        entry.owner = self.owners.get(entry.component, "")

    def component_of(self, path: str) -> str:
        """Of the longest pattern that fits."""
        fits = [p for p in self.components if fnmatch.fnmatch(path, p) or path.startswith(p.rstrip("*").rstrip("/") + "/") or path == p]
        return self.components[max(fits, key=len)] if fits else self.component or NO_COMPONENT

    def foreign(self) -> frozenset[str]:
        """Components of other repositories: if this one has a name, those with a name that no pattern gives."""
        own = {NO_COMPONENT, "", self.component, *self.components.values()}
        return frozenset(e.component for e in self.entries if e.component not in own) if self.component else frozenset()

    def own_entries(self) -> list[Entry]:
        """Those of this repository: commits of others are not here."""
        foreign = self.foreign()
        return [e for e in self.entries if e.component not in foreign]

    def name_of(self, path: str) -> str:
        """Of its component, for ids: empty without one."""
        found = self.component_of(path)
        return "" if found == NO_COMPONENT else found

    def save(self) -> None:
        data = {"version": VERSION, "components": self.components, **({"owners": self.owners} if self.owners else {}),
                "findings": [e.as_dict() for e in sorted(self.entries, key=lambda e: (e.path, e.line, e.id))]}
        try:
            text = yaml.dump(data, Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=140)
        except UnicodeEncodeError:          # a name that is no text: the writer in C has no escape for it
            text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=140)
        write_whole(self.path, HEAD + text)


def load(path: str) -> Ledger:
    """An empty one if there is no file. Raises LedgerError."""
    if not os.path.exists(path):
        return Ledger(path)
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
        check_shape(path, text)
        data = yaml.load(text, Loader=LOADER) or {}
    except LedgerError:
        raise
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
        raise LedgerError(f"{path}: {' '.join(str(error).split())}") from error     # tags of YAML fail in any of these ways
    if not isinstance(data, dict) or data.get("version") != VERSION or isinstance(data["version"], bool):
        raise LedgerError(f"{path}: version: must be {VERSION}")
    ledger = Ledger(path, names_of(path, data, "components", "patterns"), owners=names_of(path, data, "owners", "components"))
    known, ids = set(Entry.__dataclass_fields__), set[str]()
    listed = data.get("findings") or []
    if not isinstance(listed, list):
        raise LedgerError(f"{path}: findings: must be a list")
    for number, one in enumerate(listed, 1):
        if not isinstance(one, dict) or not one.get("id"):
            raise LedgerError(f"{path}: finding {number} has no id")
        strange = {str(k) for k in one if k not in known}
        if strange:
            raise LedgerError(f"{path}: {one['id']}: unknown key {', '.join(sorted(strange))}")
        made = Entry(**{"what": "", **one})
        check(path, made)
        if made.id in ids:
            raise LedgerError(f"{path}: {made.id} is given twice")
        ids.add(made.id)
        ledger.entries.append(made)
    return ledger


def names_of(path: str, data: dict[Any, Any], key: str, of: str) -> dict[str, str]:
    found = data.get(key) or {}
    if not isinstance(found, dict) or not all(isinstance(v, (str, int, float)) for v in found.values()):
        raise LedgerError(f"{path}: {key}: must be a map of {of} to names")
    return {str(k): str(v) for k, v in found.items()}


def check_shape(path: str, text: str) -> None:
    """Refuse at its place what no ledger has. PyYAML reads the text event by event here, so the rest of a strange one costs no time."""
    def strange(event: Any, why: str) -> LedgerError:
        return LedgerError(f"{path}:{event.start_mark.line + 1}: column {event.start_mark.column + 1}: {why}")

    inside: tuple[str, ...] = ()
    keys: list[set[str]] = []           # of the maps around the event
    at_key: list[bool] = []             # is a key expected in them?
    if re.search("^%", text, re.MULTILINE):
        raise LedgerError(f"{path}: directives (%NAME) are not taken")
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.ScalarEvent):
            if not inside or (len(inside) == 1 and at_key[-1] and (event.value not in KEYS or event.value in keys[-1])):
                raise strange(event, f"key {event.value[:40]!r}: must be {', '.join(KEYS)}, each once")
            if inside[-1] == "map":
                if at_key[-1] and event.value in keys[-1]:
                    raise strange(event, f"key {event.value[:40]!r} is given twice")
                if at_key[-1]:
                    keys[-1].add(event.value)
                at_key[-1] = not at_key[-1]
        elif isinstance(event, yaml.CollectionStartEvent):
            if inside and inside[-1] == "map" and at_key[-1]:
                raise strange(event, "no ledger has a map or a list for a key")
            if inside and inside[-1] == "map":
                at_key[-1] = True
            inside += ("map" if isinstance(event, yaml.MappingStartEvent) else "list",)
            keys.append(set())
            at_key.append(True)
            if inside not in NESTS:
                raise strange(event, f"no ledger has a {' in a '.join(reversed(inside))} there")
        elif isinstance(event, yaml.CollectionEndEvent):
            inside = inside[:-1]
            del keys[-1], at_key[-1]
        elif isinstance(event, yaml.AliasEvent):
            raise strange(event, "aliases (*name) are not taken: write it twice")


def check(path: str, entry: Entry) -> None:
    for name, about in Entry.__dataclass_fields__.items():
        value, kind = getattr(entry, name), KINDS[str(about.type)]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)) or (isinstance(value, list) and not all(isinstance(one, str) for one in value)):
            raise LedgerError(f"{path}: {entry.id}: {name} {value!r}: must be {about.type}")
    if entry.status not in STATUSES:
        raise LedgerError(f"{path}: {entry.id}: status {entry.status!r}: must be {', '.join(STATUSES)}")
    if entry.status == FIXED and not entry.commit.strip():
        raise LedgerError(f"{path}: {entry.id}: status fixed needs a commit")
    if entry.status == ACCEPTED and not entry.reason.strip():
        raise LedgerError(f"{path}: {entry.id}: status accepted needs a reason")


def of_scan(finding: Finding) -> Entry:
    rule = BY_ID[finding.rule]
    return Entry(finding.id, rule.title, path=finding.path, line=finding.line, quantity=finding.quantity, models=list(rule.models),
                 remedy=rule.remedy, code=finding.expression, function=finding.function,
                 context=finding.context)


def of_run(finding: RunFinding) -> Entry:
    return Entry(finding.id, finding.text, finding.component, path=finding.path, line=finding.line, quantity=finding.quantity,
                 models=list(finding.models), remedy=finding.remedy, suspects=list(finding.suspects), client=finding.client)
