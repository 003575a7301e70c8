# SPDX-License-Identifier: Apache-2.0
"""Where the client did otherwise: the runs of a model against those of the reference.

Every figure is a range over the repeats of a model. Two ranges differ if the gap between them is larger than a tolerance and than
the client's own jitter, which is the widest range of any model.
"""
from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from .actions import Action, State
from .flight import Run
from .recording import Sample

ORDER = ("sequence", "outcome", "content", "context", "latency", "final state")
LATENCY_S = 0.4                 # of vehicle time: a period of a stream, and the client's own turn
CONTENT = 2e-3                  # relative
PLACE_DEG = 2e-6                # 0.2 m
SLACK_M, STIRS_M = 0.03, 0.01
POSITION_M = 2.0                # of the end
PLACE_M, PLACE_S = 1.5, 0.35    # of a decision on the way: this far, and what is flown within this time
M_PER_DEG = 111_319.5


@dataclass(frozen=True)
class Range:
    low: float
    high: float

    @staticmethod
    def of(values: Iterable[float]) -> Range:
        known = list(values)
        return Range(min(known), max(known))

    @property
    def width(self) -> float:
        return self.high - self.low

    def gap(self, other: Range) -> float:
        """Between them; 0 or less: they overlap."""
        return max(self.low - other.high, other.low - self.high)

    def text(self, unit: str = "") -> str:
        shown = f"{self.low:.2f}" if self.width < 0.005 else f"{self.low:.2f} .. {self.high:.2f}"
        return f"{shown} {unit}".rstrip()


@dataclass
class Divergence:
    """One thing that the client does otherwise, on one model or several."""
    what: str                       # sequence, content, context, latency, outcome, final state
    action: str                     # the action concerned, or the first that differs
    index: int                      # of the action
    reference: str                  # what it does on the reference
    otherwise: str                  # and on the first of these models
    seen: str                       # what the client had just seen
    models: list[str] = field(default_factory=list)
    quantity: str = ""              # filled in by infer.py
    explanation: str = ""
    threshold: Optional[float] = None
    dwell_s: Optional[float] = None
    recordings: list[str] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    candidates: list[str] = field(default_factory=list)     # conditions that all runs agree with
    evidence: Optional[Any] = None                          # infer.Evidence, for conditions of the source

    @property
    def key(self) -> tuple[str, str, int]:
        return self.what, self.action, self.index


def kinds(run: Run) -> list[str]:
    return [action.kind for action in run.story.actions]


def unrepeatable(runs: Sequence[Run]) -> Optional[str]:
    """What differs between runs against one and the same model; None: they are equal."""
    first = runs[0]
    for other in runs[1:]:
        if other.outcome != first.outcome:
            return f"ends with {first.outcome} in one run, with {other.outcome} in another"
        a, b = kinds(first), kinds(other)
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"action {at + 1} is {a[at] if at < len(a) else 'missing'} in one run, {b[at] if at < len(b) else 'missing'} in another"
    return None


def compare(reference: Sequence[Run], other: Sequence[Run], jitter: dict[tuple[int, str], float],
            placed: Sequence[int] = ()) -> list[Divergence]:
    """The first divergences of one model: of each kind the first. placed: actions that are decided by the place alone."""
    name = other[0].model.name
    found: list[Divergence] = []
    base, runs = steady(reference), steady(other)
    split = sequence(base, runs)
    if split is not None:
        found.append(split)
    common = min(len(prefix(base + runs)), split.index if split else 10**6)
    for index in range(common):
        a, b = [r.story.actions[index] for r in base], [r.story.actions[index] for r in runs]
        for check in (content,) if index in placed else (content, context, latency):
            one = check(a, b, index, jitter)
            if one is not None and all(one.what != f.what or one.action != f.action for f in found):
                found.append(one)
    found += outcome(base, runs)
    if split is None:
        found += final(base, runs)
    for one in found:
        one.models = [name]
        one.recordings = [r.recording for r in (base[0], runs[0]) if r.recording]
    return found


def steady(runs: Sequence[Run]) -> list[Run]:
    """Those that agree with most: one run of three may have met a busy machine."""
    counts: dict[tuple[str, ...], int] = {}
    for run in runs:
        key = (*kinds(run), run.outcome)
        counts[key] = counts.get(key, 0) + 1
    best = max(counts, key=lambda k: counts[k])
    return [r for r in runs if (*kinds(r), r.outcome) == best]


def prefix(runs: Sequence[Run]) -> list[str]:
    made = []
    for group in zip(*(kinds(r) for r in runs)):
        if len(set(group)) > 1:
            break
        made.append(group[0])
    return made


def sequence(base: Sequence[Run], runs: Sequence[Run]) -> Optional[Divergence]:
    a, b = kinds(base[0]), kinds(runs[0])
    if a == b:
        return None
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    _, i1, i2, j1, j2 = next(op for op in matcher.get_opcodes() if op[0] != "equal")
    before, after = base[0].story.actions, runs[0].story.actions
    did = ", ".join(x.text() for x in before[i1:i2][:3]) or "nothing"
    does = ", ".join(x.text() for x in after[j1:j2][:3]) or "nothing"
    near = after[j1] if j1 < j2 else before[i1]
    return Divergence("sequence", near.kind, min(i1, j1), did, does, seen(near))


def seen(action: Action) -> str:
    sample = action.sample
    motion = "" if sample is None else f"; {sample.speed_mps:.2f} m/s across, {-sample.vd_mps:.2f} m/s up, {sample.height_m:.1f} m high"
    return f"{action.state.text()}; {action.since_event_s:.2f} s after {action.event}{motion}"


def content(a: Sequence[Action], b: Sequence[Action], index: int, jitter: dict[tuple[int, str], float]) -> Optional[Divergence]:
    if len({len(x.content) for x in (*a, *b)}) > 1:
        return Divergence("content", a[0].kind, index, a[0].text(), b[0].text(), seen(b[0]))
    for place, (name, _) in enumerate(a[0].content):
        values = [[x.content[place][1] for x in side if not math.isnan(x.content[place][1])] for side in (a, b)]
        if not values[0] or not values[1]:
            if values[0] or values[1]:
                return Divergence("content", a[0].kind, index, a[0].text(), b[0].text(), seen(b[0]))
            continue
        left, right = Range.of(values[0]), Range.of(values[1])
        scale = PLACE_DEG if name in ("lat", "lon") or name.endswith((".x", ".y")) else CONTENT * max(1.0, abs(left.high))
        if left.gap(right) > scale + 2.0 * jitter.get((index, name), max(left.width, right.width)):
            made = Divergence("content", a[0].kind, index, f"{name} = {left.text()}", f"{name} = {right.text()}", seen(b[0]))
            made.values = {"reference": left.low, "otherwise": right.low}
            return made
    return None


def context(a: Sequence[Action], b: Sequence[Action], index: int, jitter: dict[tuple[int, str], float]) -> Optional[Divergence]:
    """It acts in another state of the drone, or elsewhere. An answer to a change of state is the same wherever the change comes."""
    if all(x.answers for x in (*a, *b)):
        return None
    if not {x.state for x in a} & {x.state for x in b}:
        return Divergence("context", a[0].kind, index, f"in {a[0].state.text()}", f"in {b[0].state.text()}", seen(b[0]))
    if not any(x.state.moving for x in (*a, *b)):
        return None
    apart = min(distance_m(x.sample, y.sample) for x in a for y in b if x.sample and y.sample)
    speed = max(total_mps(x.sample) for x in (*a, *b) if x.sample)
    if apart <= PLACE_M + speed * PLACE_S + jitter.get((index, "place"), 0.0):
        return None
    made = Divergence("context", a[0].kind, index, f"at {place_text(a[0])}", f"at {place_text(b[0])}, {apart:.1f} m from there", seen(b[0]))
    made.values = {"apart_m": apart}
    return made


def by_place(groups: Iterable[Sequence[Run]], index: int) -> bool:
    """The decision is explained by how far the drone was from its start: each model brackets that distance between two samples,
    and the brackets have a common part."""
    low, high = 0.0, math.inf
    for runs in groups:
        brackets = [flown_m(r, index) for r in steady(runs)]
        if any(b is None for b in brackets):
            return False
        low = max(low, min(b[0] for b in brackets if b))
        high = min(high, max(b[1] for b in brackets if b))
    return high + SLACK_M >= low > SLACK_M


def flown_m(run: Run, index: int) -> Optional[tuple[float, float]]:
    """At the last sample that the client had seen, and at the one before it from another place."""
    seen_by_then = [s for s in run.story.samples if s.t_s <= run.story.actions[index].t_s]
    if not seen_by_then:
        return None
    begin, last = seen_by_then[0], seen_by_then[-1]
    before = next((s for s in reversed(seen_by_then) if distance_m(s, last) > STIRS_M), begin)
    low, high = sorted((distance_m(begin, before), distance_m(begin, last)))
    return low, high


def distance_m(x: Sample, y: Sample) -> float:
    north, east = (x.lat_deg - y.lat_deg) * M_PER_DEG, (x.lon_deg - y.lon_deg) * M_PER_DEG * math.cos(math.radians(x.lat_deg))
    return math.hypot(north, east, x.height_m - y.height_m)


def total_mps(sample: Sample) -> float:
    return math.hypot(sample.vn_mps, sample.ve_mps, sample.vd_mps)


def place_text(action: Action) -> str:
    return "an unknown place" if action.sample is None else f"{action.sample.lat_deg:.6f}, {action.sample.lon_deg:.6f}, {action.sample.height_m:.1f} m"


def latency(a: Sequence[Action], b: Sequence[Action], index: int, jitter: dict[tuple[int, str], float]) -> Optional[Divergence]:
    """It decides after another time since the drone's last change of state. While the drone moves, its place counts (context)."""
    common = {x.state for x in a} & {x.state for x in b}
    if index == 0 or not common or all(x.answers for x in (*a, *b)) or any(x.state.moving for x in (*a, *b)):
        return None
    left, right = Range.of(x.since_event_s for x in a), Range.of(x.since_event_s for x in b)
    if left.gap(right) <= LATENCY_S + jitter.get((index, "latency"), max(left.width, right.width)):
        return None
    made = Divergence("latency", a[0].kind, index, f"{left.text('s')} after {a[0].event}", f"{right.text('s')} after {b[0].event}", seen(b[0]))
    made.values = {"reference": left.low, "otherwise": right.low}
    return made


def outcome(base: Sequence[Run], runs: Sequence[Run]) -> list[Divergence]:
    if base[0].outcome == runs[0].outcome:
        return []
    last = runs[0].story.actions[-1:] or base[0].story.actions[-1:]
    return [Divergence("outcome", "exit", len(kinds(base[0])), base[0].outcome, runs[0].outcome, seen(last[0]) if last else "")]


def final(base: Sequence[Run], runs: Sequence[Run]) -> list[Divergence]:
    left, right = {without_item(r.story.state) for r in base}, {without_item(r.story.state) for r in runs}
    index = len(kinds(base[0]))
    if not left & right:
        return [Divergence("final state", "exit", index, base[0].story.state.text(), runs[0].story.state.text(), "the end of the command")]
    ends = [[r.story.last for r in side if r.story.last is not None] for side in (base, runs)]
    on_the_way = any(a.state.moving for r in (*base, *runs) for a in r.story.actions)
    if not ends[0] or not ends[1] or base[0].story.state.armed or on_the_way:
        return []                       # where it stops depends on its speed, or on when the command ended
    apart = min(distance_m(x, y) for x in ends[0] for y in ends[1])
    if apart > POSITION_M:
        return [Divergence("final state", "exit", index, "ends at its place", f"ends {apart:.1f} m from there", "the end of the command")]
    return []


def without_item(state: State) -> State:
    return state._replace(item=-1, moving=False)


def jitter_of(groups: Iterable[Sequence[Run]]) -> dict[tuple[int, str], float]:
    """The widest range of any model, by action and value."""
    widest: dict[tuple[int, str], float] = {}
    for runs in groups:
        same = steady(runs)
        for index in range(len(prefix(same))):
            actions = [r.story.actions[index] for r in same]
            figures = {"latency": [x.since_event_s for x in actions]} if len({x.state for x in actions}) == 1 else {}
            places = [x.sample for x in actions if x.sample is not None]
            widest[index, "place"] = max([widest.get((index, "place"), 0.0), *(distance_m(places[0], p) for p in places[1:])])
            for place, (name, _) in enumerate(actions[0].content):
                figures[name] = [x.content[place][1] for x in actions if place < len(x.content) and not math.isnan(x.content[place][1])]
            for name, values in figures.items():
                if values:
                    widest[index, name] = max(widest.get((index, name), 0.0), max(values) - min(values))
    return widest


def placed_actions(groups: Sequence[Sequence[Run]]) -> list[int]:
    everything = [r for runs in groups for r in steady(runs)]
    return [i for i in range(1, len(prefix(everything))) if any(r.story.actions[i].state.moving for r in everything) and by_place(groups, i)]


def merged(found: Iterable[Divergence]) -> list[Divergence]:
    """One for each thing, with all of its models; in the order in which it happens. A later consequence of an earlier
    divergence on the same models is left out."""
    by_key: dict[tuple[str, str, int], Divergence] = {}
    for one in found:
        known = by_key.get(one.key)
        if known is None:
            by_key[one.key] = one
        else:
            known.models += [m for m in one.models if m not in known.models]
    order = sorted(by_key.values(), key=lambda d: (d.index, ORDER.index(d.what)))
    told: set[str] = set()
    kept = []
    for one in order:
        if set(one.models) <= told and one.what in ("outcome", "final state", "latency", "context", "content"):
            continue
        kept.append(one)
        told.update(one.models)
    return kept
