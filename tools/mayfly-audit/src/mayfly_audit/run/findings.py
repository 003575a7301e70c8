# SPDX-License-Identifier: Apache-2.0
"""What a run has found, as the ledger and the reports have it; and which findings of a scan explain it."""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Optional

from ..finding import Finding
from ..scan import words as w
from ..scan.rules import BY_ID
from .compare import Divergence
from .models import of_rates

# quantity of a divergence: quantities of the scan that are the same, and rules that are about it
RELATED: dict[str, tuple[set[str], set[str]]] = {
    "speed": ({w.SPEED}, {"MA01", "MA02", "MA05", "MA06"}),
    "total speed": ({w.SPEED, w.CLIMB}, {"MA01", "MA02", "MA05", "MA06"}),
    "climb": ({w.CLIMB}, {"MA01", "MA02", "MA05", "MA06"}),
    "vz": ({w.CLIMB}, {"MA01", "MA02", "MA05", "MA06"}),
    "height": ({w.ALT_REL, w.ALT_MSL}, {"MA04", "MA06"}),
    "elapsed time": ({"elapsed time"}, {"MA03", "MA08"}),
    "sample count": ({"sample count"}, {"MA10", "MA06"}),
    "wall time": ({w.BOOT_TIME}, {"MA11", "MA03"}),
    "altitude": ({w.ALT_MSL, w.ALT_ELLIPSOID}, {"MA12"}),
}
# what differs: rules that make a client do so
BY_WHAT: dict[str, set[str]] = {
    "content": {"MA07", "MA09", "MA12", "MA08"}, "sequence": {"MA01", "MA02", "MA04", "MA07", "MA08"},
    "outcome": {"MA01", "MA02", "MA04", "MA08"}, "latency": {"MA01", "MA02", "MA05", "MA06", "MA03"}, "context": {"MA03", "MA08", "MA10"},
}
# quantity of the scan: those of a run that a condition on it is held against
SEEN_AS: dict[str, tuple[str, ...]] = {w.SPEED: ("speed", "total speed"), w.CLIMB: ("climb", "vz"), w.ALT_REL: ("height",)}
FITS = 8.0                      # points of a condition that all runs agree with
ELAPSED_S = 0.35
NO_SOURCE = "find what the client waits for at this point; the pages of docs/audit/rules name the replacements"


@dataclass
class RunFinding:
    """A divergence with a name that stays, and its place in the source if a scan knows one."""
    divergence: Divergence
    id: str
    text: str
    quantity: str
    models: list[str] = field(default_factory=list)
    suspects: list[str] = field(default_factory=list)
    path: str = ""
    line: int = 0
    remedy: str = NO_SOURCE
    client: str = ""
    component: str = ""


def text_of(one: Divergence) -> str:
    why = f": {one.explanation}" if one.explanation else ""
    return f"{one.action}: {one.reference} on physics, {one.otherwise} on {one.models[0]}{why}"


def rank(one: Divergence, found: Iterable[Finding]) -> list[tuple[float, Finding]]:
    """Findings of the scan that explain a divergence, the likeliest first: the same quantity, the same threshold, a rule that
    makes a client do so, the command in the name of the function."""
    quantities, rules = RELATED.get(one.quantity, (set(), set()))
    command = set(w.words(one.action.split()[-1])) - {"nav", "do", "component", "set", "param"}
    ranked = []
    for finding in found:
        points = 0.0
        points += 3.0 if finding.quantity in quantities else 0.0
        points += 2.0 if finding.rule in rules else 0.0
        points += 1.0 if finding.rule in BY_WHAT.get(one.what, ()) else 0.0
        points += threshold_points(one, finding)
        points += FITS if agrees(one, finding) else 0.0
        points += 1.0 if command & set(w.words(finding.function)) else 0.0
        points += 1.5 if any(of_rates([m]) for m in one.models) and finding.rule == "MA10" else 0.0
        points += 1.5 if "clock" in one.models and finding.rule == "MA11" else 0.0
        if points > 0:
            ranked.append((points, finding))
    return sorted(ranked, key=lambda pair: (-pair[0], pair[1].path, pair[1].line))


def agrees(one: Divergence, finding: Finding) -> bool:
    """Could the condition of a finding have decided in each of the runs?"""
    if one.evidence is None or finding.threshold is None:
        return False
    if finding.quantity == "elapsed time":
        return one.evidence.span_s is not None and abs(one.evidence.span_s - finding.threshold) <= ELAPSED_S
    threshold = finding.threshold * SCALE.get(finding.unit, 1.0)
    signs = (1.0, -1.0) if finding.quantity == w.CLIMB else (1.0,)
    return any(one.evidence.allows(name, sign * threshold) for name in SEEN_AS.get(finding.quantity, ()) for sign in signs)


SCALE = {"cm/s": 0.01, "mm": 0.001, "ms": 0.001}


def threshold_points(one: Divergence, finding: Finding) -> float:
    scale = SCALE.get(finding.unit, 1.0)
    points = 0.0
    if one.threshold is not None and finding.threshold is not None and near(one.threshold, finding.threshold * scale):
        points += 3.0
    if one.dwell_s and finding.dwell_s and near(one.dwell_s, finding.dwell_s):
        points += 2.0
    return points


def near(a: float, b: float) -> bool:
    return abs(a - b) <= 0.35 * max(abs(a), abs(b), 1e-9)


def findings_of(divergences: Sequence[Divergence], scanned: Optional[Sequence[Finding]] = None, client: str = "",
                component: str = "") -> list[RunFinding]:
    """scanned: of the client's source, if it is there. client, component: in the id, so that two clients of one ledger share none."""
    made: list[RunFinding] = []
    counts: dict[str, int] = {}
    for one in divergences:
        key = f"{one.what}\0{one.action}"
        number = counts[key] = counts.get(key, -1) + 1
        digest = hashlib.sha256(f"{client}\0{component}\0{key}\0{number}".encode("utf-8", "backslashreplace")).hexdigest()[:8]
        finding = RunFinding(one, f"MR-{digest}", text_of(one), one.quantity or "unknown", list(one.models), client=client, component=component)
        place(finding, one, scanned or ())
        made.append(finding)
    return made


def place(finding: RunFinding, one: Divergence, scanned: Sequence[Finding]) -> None:
    """What the run saw picks among what the scan has. All of it that may be meant is listed, and the likeliest has the line."""
    ranked = rank(one, scanned) or [(0.0, f) for f in scanned]
    finding.suspects = [f.id for _, f in ranked]
    if not ranked:
        return
    best = ranked[0][1]
    finding.path, finding.line, finding.remedy = best.path, best.line, BY_ID[best.rule].remedy
    fits = [f for _, f in ranked if agrees(one, f)]
    if len(fits) == 1 and not one.explanation:
        one.quantity, one.threshold = fits[0].quantity, fits[0].threshold
        one.explanation = f"all runs agree with {fits[0].expression} at {fits[0].path}:{fits[0].line}"
        finding.text, finding.quantity = text_of(one), one.quantity
