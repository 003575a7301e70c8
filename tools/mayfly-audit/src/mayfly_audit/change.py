# SPDX-License-Identifier: Apache-2.0
"""What was found against what the ledger knows: new, back, open, moved, gone, or not looked at."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Optional

from .finding import alike
from .ledger import ACCEPTED, FIXED, OPEN, Entry, Ledger

RULE = re.compile(r"MA\d\d-")
ALIKE_MIN = 0.5                 # of the lines around a place: less is other code
KEPT = ("status", "baseline", "commit", "reason", "verified_by")
TOLD = ("what", "path", "line", "quantity", "models", "component", "owner", "code", "suspects", "scanned", "context", "remedy", "function", "client")


@dataclass
class Change:
    """What a comparison with the ledger shows."""
    new: list[Entry] = field(default_factory=list)
    back: list[Entry] = field(default_factory=list)        # fixed, and found again
    open: list[Entry] = field(default_factory=list)
    baseline: list[Entry] = field(default_factory=list)    # open, but accepted in one step
    gone: list[Entry] = field(default_factory=list)        # open, and not found any more
    hidden: list[Entry] = field(default_factory=list)      # not found, but their file is there and was not read
    elsewhere: list[Entry] = field(default_factory=list)   # open, outside of what was scanned
    moved: list[tuple[str, Entry]] = field(default_factory=list)   # from the place (path:line) where it was

    @property
    def passes(self) -> bool:
        return not (self.new or self.back or self.open or self.hidden or self.elsewhere)


def of_scan(entry: Entry) -> bool:
    return RULE.match(entry.id) is not None


@dataclass
class Scope:
    """What a scan or a run has looked at: what lies outside is neither found nor gone."""
    runs: bool = False                          # of a run, or else of a scan
    paths: Optional[frozenset[str]] = None      # of files that were read whole; None: all of them
    under: str = ""                             # the folder or file that was scanned, from the root
    exists: frozenset[str] = frozenset()        # paths of the ledger whose files are there
    client: str = ""                            # of a run
    commit: str = ""
    foreign: frozenset[str] = frozenset()       # components of other repositories, whose findings are in the same ledger
    plain: dict[str, str] = field(default_factory=dict)     # by id: the id without a component, which entries of old ledgers have

    def is_foreign(self, entry: Entry) -> bool:
        return not self.runs and entry.component in self.foreign

    def has(self, entry: Entry) -> bool:
        if of_scan(entry) == self.runs or self.is_foreign(entry):
            return False
        if self.runs:
            return not self.client or not entry.client or entry.client == self.client
        placed = entry.context or entry.id.startswith("MA00")       # an entry of an old ledger may name no place
        return not placed or self.under in ("", ".") or entry.path == self.under or entry.path.startswith(self.under.rstrip("/") + "/")


def update(ledger: Ledger, found: Iterable[Entry], scope: Scope) -> Change:
    """Enters what was found. What the other half, another client or another folder has found is left alone."""
    change = Change()
    made = list(found)
    for one in made:
        one.scanned = scope.commit or one.scanned
        ledger.place(one)
    name_as_today(ledger, made, scope, change)
    known = {e.id: e for e in ledger.entries}
    seen = {e.id for e in made}
    lost = [e for e in ledger.entries if e.id not in seen and e.status != FIXED and scope.has(e)]
    least_excused(ledger, made, known, lost)
    for one in made:
        entry = known.get(one.id)
        if entry is not None and entry.code and one.code and (entry.code, entry.path or one.path) != (one.code, one.path):
            change.new.append(one)              # another expression, or place, of the same digest: it was never judged
            continue
        if entry is None:
            entry = moved(one, lost)
            if entry is None:
                ledger.entries.append(one)
                change.new.append(one)
                continue
            change.moved.append((f"{entry.path}:{entry.line}", entry))
            lost.remove(entry)
            entry.id, entry.moved_from = one.id, entry.id
        for name in TOLD:
            setattr(entry, name, getattr(one, name))
        judge(entry, change)
    change.elsewhere = [e for e in ledger.entries if of_scan(e) and not scope.runs and not scope.is_foreign(e) and not scope.has(e) and e.id not in seen
                        and e.status == OPEN and not e.baseline and e.path in scope.exists]
    for entry in lost:
        if entry.status != OPEN:
            continue
        there = scope.paths is not None and entry.path in scope.exists and entry.path not in scope.paths
        (change.hidden if there and not entry.baseline and entry.id.split("-")[0] != "MA00" else change.gone).append(entry)
    return change


def name_as_today(ledger: Ledger, made: Sequence[Entry], scope: Scope, change: Change) -> None:
    """Entries from before ids had a component get the id that their finding has now."""
    known = {e.id: e for e in ledger.entries}
    for one in made:
        old = known.get(scope.plain.get(one.id, ""))
        if old is None or one.id in known or old.component != one.component or (old.path, old.code) != (one.path, one.code):
            continue
        change.moved.append((f"{old.path}:{old.line}", old))
        old.id, old.moved_from = one.id, old.id


def judge(entry: Entry, change: Change) -> None:
    if entry.status == FIXED:
        entry.status = OPEN
        change.back.append(entry)
    elif entry.status == OPEN:
        (change.baseline if entry.baseline else change.open).append(entry)


def least_excused(ledger: Ledger, made: Sequence[Entry], known: dict[str, Entry], lost: Sequence[Entry]) -> None:
    """Equal expressions of one function are told apart by their order alone. If one of them is gone, those that are left stand for the
    ones that are open, and not for the one that was accepted."""
    for gone in lost:
        same = [e for e in ledger.entries if e.status != FIXED and twins(e, gone)]
        left = [known[e.id] for e in made if e.id in known and known[e.id] in same]
        if not left or strictness(gone) >= max(strictness(e) for e in left):
            continue
        excused = max(left, key=strictness)
        for name in KEPT:
            mine, other = getattr(excused, name), getattr(gone, name)
            setattr(excused, name, other)
            setattr(gone, name, mine)


def twins(a: Entry, b: Entry) -> bool:
    return a.id.split("-")[0] == b.id.split("-")[0] and (a.path, a.code, a.function) == (b.path, b.code, b.function) and bool(a.code)


def strictness(entry: Entry) -> int:
    return {OPEN: 1, ACCEPTED: 2}.get(entry.status, 3) if not entry.baseline else 2


def moved(one: Entry, lost: Sequence[Entry]) -> Optional[Entry]:
    """The entry of a finding that stood elsewhere: the same rule and expression, and at least half of the lines around it. Two that fit
    as well are none."""
    fits = [(likeness(e, one), e) for e in lost if e.id.split("-")[0] == one.id.split("-")[0] and e.code == one.code and one.code]
    fits = [(share, (e.path, e.function, e.line) == (one.path, one.function, one.line), e) for share, e in fits if share >= ALIKE_MIN]
    fits.sort(key=lambda fit: fit[:2], reverse=True)        # where only the component has another name, the place is the same
    if not fits or (len(fits) > 1 and fits[0][:2] == fits[1][:2]):
        return None
    return fits[0][2]


def likeness(old: Entry, new: Entry) -> float:
    """Of places. An entry of a ledger from before lines were kept has its path from the folder that was scanned."""
    if not old.context:
        return float(f"/{new.path}".endswith(f"/{old.path}"))
    return alike(old.context, new.context)


def take_over(ledger: Ledger, entry: Entry, old: Entry) -> None:
    """A finding is the moved one of another entry: it keeps what was decided there."""
    for name in KEPT:
        setattr(entry, name, getattr(old, name))
    entry.moved_from = old.id
    ledger.entries.remove(old)


def accept_baseline(ledger: Ledger) -> int:
    """All that is open now is known, and does not fail the gate any more. Returns how many."""
    wanted = [e for e in ledger.entries if e.status == OPEN and not e.baseline]
    for entry in wanted:
        entry.baseline = True
    return len(wanted)
