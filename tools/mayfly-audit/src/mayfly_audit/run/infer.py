# SPDX-License-Identifier: Apache-2.0
"""Which quantity a decision hangs on, and at which threshold.

A decision at time t that waits until a quantity has been below a threshold for a dwell time leaves a trace: in each run the
quantity stays below the threshold from t - dwell on, and was above it just before. Each run therefore brackets the threshold, and
the brackets of all runs must have a common part. The narrowest such bracket names quantity, direction, threshold and dwell.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Optional

from .actions import Action
from .compare import M_PER_DEG, Divergence, Range
from .flight import VIRTUAL, Run
from .models import of_rates
from .recording import Sample

QUANTITIES: dict[str, tuple[str, Callable[[Sample], float]]] = {
    "speed": ("m/s", lambda s: s.speed_mps),
    "climb": ("m/s", lambda s: abs(s.vd_mps)),
    "vz": ("m/s", lambda s: s.vd_mps),
    "total speed": ("m/s", lambda s: math.hypot(s.speed_mps, s.vd_mps)),
    "height": ("m", lambda s: s.height_m),
}
# Quantities that are one as long as the vehicle moves in a plane, or one way: conditions on them are the same condition.
FAMILIES = {"speed": "speed", "total speed": "speed", "climb": "vertical", "vz": "vertical", "height": "height"}
LEAST_MPS = 0.08                # of a threshold: below it is what a vehicle at rest shows
RIVAL, RIVAL_WIDTH = 1.5, 0.1   # another condition fits as well if its bracket is no wider than this
LOOSE = 0.2                     # of a threshold: a fixed time fits better than such a bracket
STIRRED_MPS, STIRRED_M = 0.3, 1.0       # what the runs have to differ by where they act at the same time
DWELLS_S = tuple(i / 10 for i in range(51))
REACTION_S = 0.25               # between the sample that decides and the decision
LOOK_BACK_S = 1.0               # how long before the dwell the other side of the threshold was seen
FIXED_S = 0.3                   # times that agree this well are one
WIDTH_MAX = 0.7                 # of the threshold: a wider bracket names none


@dataclass(frozen=True)
class Guess:
    quantity: str
    unit: str
    below: bool
    low: float
    high: float
    dwell_s: float

    @property
    def threshold(self) -> float:
        return (self.low + self.high) / 2

    @property
    def width(self) -> float:
        return (self.high - self.low) / max(abs(self.threshold), 0.05)

    def text(self) -> str:
        name = {"climb": "|vz|", "vz": "vz (down)", "speed": "the ground speed", "total speed": "the speed", "height": "the height"}[self.quantity]
        hold = f" for {self.dwell_s:.1f} s" if self.dwell_s >= 0.3 else ""
        return f"{name} {'<' if self.below else '>'} {self.threshold:.2g} {self.unit}{hold} (between {self.low:.2g} and {self.high:.2g})"


@dataclass
class Evidence:
    """What the runs of an action have shown of each quantity, for conditions to be held against."""
    times_s: list[float]
    series: dict[str, list[list[tuple[float, float]]]]
    span_s: Optional[float] = None      # since the client's last action, if it is the same in all runs

    @staticmethod
    def of(points: Sequence[tuple[Run, Action]], samples: dict[str, list[Sample]]) -> Evidence:
        series = {name: [[(s.t_s, value(s)) for s in samples[run.recording]] for run, _ in points] for name, (_, value) in QUANTITIES.items()}
        return Evidence([action.t_s for _, action in points], series)

    def bracket(self, quantity: str, below: bool, dwell_s: float) -> Optional[tuple[float, float]]:
        return common([bracket_of(one, t_s, dwell_s, below) for one, t_s in zip(self.series[quantity], self.times_s)])

    def allows(self, quantity: str, threshold: float) -> bool:
        """Could each of the runs have waited for a quantity to pass a threshold, either way, for any dwell?"""
        brackets = (self.bracket(quantity, below, dwell_s) for below in (True, False) for dwell_s in DWELLS_S)
        return any(b is not None and b[0] - SLACK * abs(threshold) <= threshold <= b[1] + SLACK * abs(threshold) for b in brackets)


SLACK = 0.1                     # of a threshold: samples come ten times a second


def guesses(evidence: Evidence) -> list[Guess]:
    """Of each quantity and direction the narrowest condition that all runs agree with, the best first."""
    found = []
    for quantity, (unit, _) in QUANTITIES.items():
        for below in (True, False):
            made = [Guess(quantity, unit, below, *bracket, dwell_s) for dwell_s in DWELLS_S
                    for bracket in [evidence.bracket(quantity, below, dwell_s)] if bracket is not None]
            fits = [g for g in made if g.width <= WIDTH_MAX and (unit != "m/s" or abs(g.threshold) >= LEAST_MPS)]
            if fits:
                found.append(min(fits, key=score))
    return sorted(found, key=score)


def rivals(found: Sequence[Guess]) -> list[Guess]:
    """Other conditions than the best that fit as well. A height is large beside its changes, so the width of its bracket says nothing."""
    best = found[0]
    others = [g for g in found[1:] if FAMILIES[g.quantity] != FAMILIES[best.quantity]]
    return [g for g in others if "height" in (g.quantity, best.quantity) or g.width <= RIVAL * best.width + RIVAL_WIDTH]


def score(one: Guess) -> tuple[float, float]:
    return round(one.width, 2), one.dwell_s


def bracket_of(series: Sequence[tuple[float, float]], t_s: float, dwell_s: float, below: bool) -> Optional[tuple[float, float]]:
    """Between which values the threshold is, if it was a decision of this kind; None: it was none."""
    begin = t_s - dwell_s
    sign = 1.0 if below else -1.0
    within = [sign * v for at, v in series if begin - 0.02 <= at <= t_s + 0.001]
    before = [sign * v for at, v in series if begin - LOOK_BACK_S <= at < begin - 0.02]
    if not within:
        within = [sign * v for at, v in series if at <= t_s][-1:]
    if not within or not before:
        return None
    settled = [v for at, v in ((at, sign * v) for at, v in series) if begin + REACTION_S <= at <= t_s] or within[-1:]
    low, high = max(settled), max(before[-3:])
    if high <= low:
        return None
    return (low, high) if below else (-high, -low)


def common(brackets: Sequence[Optional[tuple[float, float]]]) -> Optional[tuple[float, float]]:
    if any(b is None for b in brackets) or not brackets:
        return None
    low, high = max(b[0] for b in brackets if b), min(b[1] for b in brackets if b)
    return (low, high) if low < high else None


def fixed_time(points: Sequence[tuple[Run, Action]]) -> Optional[float]:
    """The same time since the client's own last action, whatever the drone did meanwhile."""
    spans = Range.of(action.since_action_s for _, action in points)
    return (spans.low + spans.high) / 2 if spans.width <= FIXED_S and spans.low > 1.0 else None


def explain(one: Divergence, groups: dict[str, Sequence[Run]], samples: dict[str, list[Sample]]) -> None:
    """Names quantity and threshold of a divergence, if the runs agree on them."""
    points = points_of(one, groups)
    affected = {m for m in one.models}
    if affected and of_rates(affected):
        one.quantity, one.explanation = "sample count", "it takes a sample for a fixed length of time"
        return
    if affected == {"no geoid"}:
        one.quantity, one.explanation = "altitude", "it takes an altitude above mean sea level for one above the ellipsoid, or the reverse"
        return
    if affected == {"clock"} or (affected == {"clock", "event"}):
        one.quantity, one.explanation = "wall time", "it measures vehicle time by the wall"
    if one.what not in ("latency", "context"):
        return
    tell(one, points, samples)


def tell(one: Divergence, points: Sequence[tuple[Run, Action]], samples: dict[str, list[Sample]]) -> None:
    """An explanation if one condition fits and no other fits as well; else all that fit are candidates."""
    moved = [p for p in points if p[0].model.group in ("reference", "constant", "ramp")]
    evidence = Evidence.of(moved, samples)
    real = [(run, action) for run, action in points if run.clock in ("real", VIRTUAL)] or list(points)
    if len(real) > 3 and len({run.model.name for run, _ in real}) > 1:
        evidence.span_s = fixed_time(real)
    one.evidence = evidence
    found = guesses(evidence) if moved else []
    elapsed = f"it acts {evidence.span_s:.1f} s after its last action, whatever the drone does" if evidence.span_s is not None else ""
    one.candidates = [*([elapsed] if elapsed else []), *(f"it decides when {g.text()}" for g in found)]
    loose = all(g.width > LOOSE for g in found)
    if elapsed and loose and stirred(real):
        one.quantity, one.threshold, one.explanation = "elapsed time", evidence.span_s, elapsed
    elif found and not elapsed and not rivals(found):
        best = found[0]
        one.quantity, one.threshold, one.dwell_s, one.explanation = best.quantity, best.threshold, best.dwell_s, one.candidates[0]


def stirred(points: Sequence[tuple[Run, Action]]) -> bool:
    """Does the drone do different things where the client acts? If not, the time is no sign that it does not care."""
    seen = [action.sample for _, action in points if action.sample is not None]
    if len(seen) < 2:
        return False
    speeds = Range.of(math.hypot(s.speed_mps, s.vd_mps) for s in seen)
    north = Range.of(s.lat_deg * M_PER_DEG for s in seen)
    east = Range.of(s.lon_deg * M_PER_DEG for s in seen)
    heights = Range.of(s.height_m for s in seen)
    return speeds.width > STIRRED_MPS or max(north.width, east.width, heights.width) > STIRRED_M


def points_of(one: Divergence, groups: dict[str, Sequence[Run]]) -> list[tuple[Run, Action]]:
    made = []
    for runs in groups.values():
        for run in runs:
            actions = run.story.actions
            if one.index < len(actions) and actions[one.index].kind == one.action and run.recording:
                made.append((run, actions[one.index]))
    return made
