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
from .compare import Divergence, Range
from .flight import VIRTUAL, Run
from .models import of_rates
from .recording import Sample

QUANTITIES: dict[str, tuple[str, Callable[[Sample], float]]] = {
    "speed": ("m/s", lambda s: s.speed_mps),
    "climb": ("m/s", lambda s: abs(s.vd_mps)),
    "total speed": ("m/s", lambda s: math.hypot(s.speed_mps, s.vd_mps)),
    "height": ("m", lambda s: s.height_m),
}
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
        name = {"climb": "|vz|", "speed": "the ground speed", "total speed": "the speed", "height": "the height"}[self.quantity]
        hold = f" for {self.dwell_s:.1f} s" if self.dwell_s >= 0.3 else ""
        return f"{name} {'<' if self.below else '>'} {self.threshold:.2g} {self.unit}{hold} (between {self.low:.2g} and {self.high:.2g})"


def guess(points: Sequence[tuple[Run, Action]], samples: dict[str, list[Sample]]) -> Optional[Guess]:
    """Of the same action in several runs. samples: by recording."""
    best: Optional[Guess] = None
    for quantity, (unit, value) in QUANTITIES.items():
        series = [[(s.t_s, value(s)) for s in samples[run.recording]] for run, _ in points]
        for below in (True, False):
            for dwell_s in DWELLS_S:
                bracket = common([bracket_of(one, action.t_s, dwell_s, below) for one, (_, action) in zip(series, points)])
                if bracket is None:
                    continue
                made = Guess(quantity, unit, below, bracket[0], bracket[1], dwell_s)
                if made.width <= WIDTH_MAX and (best is None or score(made) < score(best)):
                    best = made
    return best


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
    real = [(run, action) for run, action in points if run.clock in ("real", VIRTUAL)] or points
    span = fixed_time(real) if len(real) > 3 else None
    if span is not None and len({run.model.name for run, _ in real}) > 1:
        one.quantity, one.threshold = "elapsed time", span
        one.explanation = f"it acts {span:.1f} s after its last action, whatever the drone does"
        return
    found = guess([p for p in points if p[0].model.group in ("reference", "constant", "ramp")], samples)
    if found is not None:
        one.quantity, one.threshold, one.dwell_s = found.quantity, found.threshold, found.dwell_s
        one.explanation = f"it decides when {found.text()}"


def points_of(one: Divergence, groups: dict[str, Sequence[Run]]) -> list[tuple[Run, Action]]:
    made = []
    for runs in groups.values():
        for run in runs:
            actions = run.story.actions
            if one.index < len(actions) and actions[one.index].kind == one.action and run.recording:
                made.append((run, actions[one.index]))
    return made
