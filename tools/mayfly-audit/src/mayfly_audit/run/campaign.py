# SPDX-License-Identifier: Apache-2.0
"""All runs of an audit: which clock, how many side by side, what they say, and what is flown besides to narrow it down."""
from __future__ import annotations

import concurrent.futures
import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Optional

from pytest_mayfly import MayflyError

from . import compare, infer
from .compare import Divergence
from .flight import VIRTUAL, Order, Run, fly
from .models import CLOCK_FACTOR, MODELS, PROFILE, PX4_STREAMS, Model, ramp_model, rates_model, streams_model
from .recording import Sample, read

REPEATS = 3
SLEEPER_S = 3.5                 # of the wall: more own time is a client that sleeps; the wait for disarming takes two seconds
PROBE_S = 60.0                  # of the wall: what hangs on the fast clock is flown on the real one
SLEEPER_SHARE = 0.02            # the same, of the vehicle time of a long flight
SHORT_S = 150.0                 # of vehicle time
BESIDE_REAL = 16                # runs on a real clock wait most of their time
HANG_FACTOR, HANG_S, HANG_VEHICLE_S = 2.0, 25.0, 120.0
BISECTIONS = 3
FINE_RAMPS = (0.5, 0.25)
pool_of = concurrent.futures.ThreadPoolExecutor
WAITING = ("real", CLOCK_FACTOR, "event")   # clocks on which a run waits most of its time
NOT_STARTED = (126, 127)        # of a shell

Fly = Callable[[Order, Model, int, str], Run]


@dataclass
class Audit:
    """What the runs have shown."""
    command: list[str]
    clock: str = ""
    groups: dict[str, list[Run]] = field(default_factory=dict)
    findings: list[Divergence] = field(default_factory=list)
    unrepeatable: Optional[str] = None
    problems: list[str] = field(default_factory=list)
    wall_s: float = 0.0
    own_share: float = 0.0
    settings: dict[str, str] = field(default_factory=dict)


class NeverConnected(MayflyError):
    """The command sent nothing to the drone."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def audit(order: Order, models: Sequence[Model] = MODELS, repeats: int = REPEATS, clock: str = "auto", jobs: Optional[int] = None,
          fly_one: Fly = fly, bisect: bool = True) -> Audit:
    """Raises NeverConnected, MayflyError (the drone cannot start), OSError (the command cannot)."""
    begin = time.monotonic()
    made = Audit(list(order.command))
    made.clock, probe = first(order, models[0], clock, fly_one)
    made.settings = read(probe.recording).settings if probe.recording else {}
    if made.clock == VIRTUAL and probe.code is None:
        last_s = probe.story.actions[-1].t_s if probe.story.actions else 0.0
        order = replace(order, vehicle_s=min(order.vehicle_s, HANG_FACTOR * last_s + HANG_VEHICLE_S))
    say(f"audit: clock {made.clock}; the first run took {probe.wall_s:.1f} s and ended with {probe.outcome}")
    runs = side_by_side(order, [(models[0], r) for r in range(1, repeats + 1)], made.clock, jobs, fly_one)
    made.groups[models[0].name] = runs
    longest = max(r.wall_s for r in runs)
    order = replace(order, timeout_s=min(order.timeout_s, HANG_FACTOR * longest + HANG_S),
                    vehicle_s=min(order.vehicle_s, HANG_FACTOR * max(r.story.end_s for r in runs) + HANG_VEHICLE_S))
    made.unrepeatable = compare.unrepeatable(runs)
    if made.unrepeatable and made.clock == "fast" and clock == "auto":
        made.clock, made.unrepeatable = "real", None
        say("audit: on the fast clock the client is not repeatable; it is flown on the real one")
        return again(order, models, repeats, jobs, fly_one, bisect, begin)
    if made.clock != "real" and probe.story.end_s >= SHORT_S and any(m.group == "clock" for m in models):
        models = [m for m in models if m.group != "clock"]      # a third of a long flight's time, and more
        made.problems.append("the model clock was left out: the flight is long; --clock real flies it")
    rest = [(m, r) for m in models[1:] for r in range(1, repeats + 1)]
    for run in side_by_side(order, rest, made.clock, jobs, fly_one):
        made.groups.setdefault(run.model.name, []).append(run)
    judge(made)
    if bisect:
        narrow(made, order, repeats, jobs, fly_one)
    made.wall_s = time.monotonic() - begin
    everything = [r for runs in made.groups.values() for r in runs]
    made.own_share = sum(r.story.own_time_s for r in everything) / max(sum(r.wall_s for r in everything), 1e-9)
    return made


def first(order: Order, model: Model, clock: str, fly_one: Fly) -> tuple[str, Run]:
    """The clock, and the run that tells. The command's own clock is the drone's if it can be."""
    order = replace(order, timeout_s=min(order.timeout_s, PROBE_S))
    virtual: Optional[Run] = None
    if clock == "auto" and fly_one is fly:
        with contextlib.suppress(MayflyError):
            virtual = fly(order, model, 0, VIRTUAL)
            if virtual.story.connected and virtual.code is not None and virtual.code not in NOT_STARTED:
                return VIRTUAL, virtual
    probe = fly_one(order, model, 0, "fast" if clock == "auto" else clock)
    if not probe.story.connected:
        raise NeverConnected(never_connected(probe))
    if virtual is not None and virtual.story.connected and virtual.code is None and probe.code is None:
        return VIRTUAL, virtual         # it hangs on every clock, and on this one it takes the least time
    return chosen(probe) if clock == "auto" else clock, probe


def again(order: Order, models: Sequence[Model], repeats: int, jobs: Optional[int], fly_one: Fly, bisect: bool, begin: float) -> Audit:
    made = audit(order, models, repeats, "real", jobs, fly_one, bisect)
    made.wall_s = time.monotonic() - begin
    return made


def never_connected(probe: Run) -> str:
    end = f"; it said: {probe.output.strip().splitlines()[-1]}" if probe.output.strip() else ""
    return (f"the command never spoke to the drone, and ended with {probe.outcome} after {probe.wall_s:.1f} s{end}\n"
            "It finds the drone by MAYFLY_PYMAVLINK_URL, MAYFLY_MAVSDK_URL or MAYFLY_TCP_PORT in its environment, by {pymavlink}, {mavsdk} or "
            "{tcp_port} in its arguments, or at a port of its own: --port tcp:5760, --port udp:14580, --port udp-out:14540")


def chosen(probe: Run) -> str:
    """A client that sleeps must have time that passes with the wall; and a short flight can have it."""
    story = probe.story
    return "real" if story.own_time_s > max(SLEEPER_S, SLEEPER_SHARE * story.end_s) or probe.code is None or story.end_s < SHORT_S else "fast"


def side_by_side(order: Order, wanted: Sequence[tuple[Model, int]], clock: str, jobs: Optional[int], fly_one: Fly) -> list[Run]:
    """jobs: at most so many; else as many as there are processors for runs that never wait, and more of those that do."""
    with pool_of(jobs or BESIDE_REAL) as waiting, pool_of(os.cpu_count() or 1) as working:
        begun = [(waiting if jobs or (model.clock or clock) in WAITING else working).submit(fly_one, order, model, repeat, clock)
                 for model, repeat in wanted]
        return [run.result() for run in begun]


def judge(made: Audit) -> None:
    """Fills in the findings."""
    groups = made.groups
    reference = groups[next(iter(groups))]
    made.unrepeatable = compare.unrepeatable(reference)
    jitter, placed = compare.jitter_of(groups.values()), compare.placed_actions(list(groups.values()))
    found: list[Divergence] = []
    for name, runs in groups.items():
        if runs is reference:
            continue
        if compare.unrepeatable(runs) and not made.unrepeatable:
            made.problems.append(f"{name}: {compare.unrepeatable(runs)}")
        if len(compare.steady(runs)) * 2 > len(runs) or len(runs) < 3:
            found += compare.compare(reference, runs, jitter, placed)
    made.findings = [] if made.unrepeatable else compare.merged(found)
    samples = samples_of(made)
    for one in made.findings:
        infer.explain(one, groups, samples)


def samples_of(made: Audit) -> dict[str, list[Sample]]:
    if not made.findings:
        return {}
    return {r.recording: r.story.samples for runs in made.groups.values() for r in runs if r.recording}


def narrow(made: Audit, order: Order, repeats: int, jobs: Optional[int], fly_one: Fly) -> None:
    """Flies slower ramps, which bracket a threshold more narrowly, and looks for the ramp or rate at which an outcome changes."""
    if any(f.quantity in infer.QUANTITIES and f.threshold for f in made.findings):
        wanted = [(ramp_model(a), r) for a in FINE_RAMPS for r in range(1, repeats + 1) if ramp_model(a).name not in made.groups]
        for run in side_by_side(order, wanted, made.clock, jobs, fly_one):
            made.groups.setdefault(run.model.name, []).append(run)
        judge(made)
    for one in made.findings:
        if one.what in ("sequence", "outcome", "context"):
            flip(made, one, order, jobs, fly_one)
        if one.models == [PROFILE]:
            stream(made, one, order, jobs, fly_one)


def flip(made: Audit, one: Divergence, order: Order, jobs: Optional[int], fly_one: Fly) -> None:
    """Between which ramps, or rates, does the client begin to do otherwise?"""
    for group, make, known in (("ramp", ramp_model, lambda m: m.ramp), ("rates", rates_model, lambda m: float(m.name.split()[0]))):
        steps = sorted((known(runs[0].model), name in one.models) for name, runs in made.groups.items() if runs[0].model.group == group)
        if group == "rates":
            steps.append((10.0, False))
        edge = next(((a, b) for a, b in zip(steps, steps[1:]) if a[1] != b[1]), None)
        if edge is None:
            continue
        low, high = edge
        for _ in range(BISECTIONS):
            middle = round((low[0] * high[0]) ** 0.5, 2)
            model = make(middle)
            if model.name in made.groups or high[0] / low[0] < 1.1:
                break
            differs = shows(made, one, model, order, jobs, fly_one)
            low, high = ((middle, differs), high) if differs == low[1] else (low, (middle, differs))
        unit = "m/s2" if group == "ramp" else "Hz"
        one.explanation = (one.explanation + "; " if one.explanation else "") + \
            f"it changes between {low[0]:g} and {high[0]:g} {unit} of {'ramp' if group == 'ramp' else 'stream rate'}"
        return


def stream(made: Audit, one: Divergence, order: Order, jobs: Optional[int], fly_one: Fly) -> None:
    """Which message's rate is it? One half of the profile after the other."""
    rates = list(PX4_STREAMS.items())
    while len(rates) > 1:
        halves = [(part, streams_model(f"{PROFILE}, {part[0][0]} and {len(part) - 1} more", dict(part)))
                  for part in (rates[:len(rates) // 2], rates[len(rates) // 2:])]
        rates = next((part for part, model in halves if shows(made, one, model, order, jobs, fly_one)), [])
    for name, hz in rates:
        one.quantity = one.quantity or "sample rate"
        one.explanation = f"it changes with {name} at {hz:g} Hz" if hz else f"it changes without {name}"


def shows(made: Audit, one: Divergence, model: Model, order: Order, jobs: Optional[int], fly_one: Fly) -> bool:
    """Does a run on this model differ from the reference in the same way?"""
    made.groups[model.name] = side_by_side(order, [(model, 1)], made.clock, jobs, fly_one)
    reference = made.groups[next(iter(made.groups))]
    other = compare.compare(reference, made.groups[model.name], compare.jitter_of(made.groups.values()))
    return any(d.key == one.key for d in other)
