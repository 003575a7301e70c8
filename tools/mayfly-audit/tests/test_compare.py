# SPDX-License-Identifier: Apache-2.0
"""Runs are compared, thresholds inferred and findings ranked by made-up stories whose answers are known (SIM-048)."""
import math

from mayfly_audit.finding import Finding
from mayfly_audit.run import compare, infer
from mayfly_audit.run.actions import Action, State, Story, own_time
from mayfly_audit.run.findings import findings_of, rank
from mayfly_audit.run.flight import Run
from mayfly_audit.run.models import BY_NAME
from mayfly_audit.run.recording import Sample

FLYING = State(True, "Hold", "in air", -1, True)
STILL = FLYING._replace(moving=False)


def braking(decel, speed=5.0, length=50.0):
    """Samples of a leg that ends with constant deceleration, ten a second."""
    brake_s = speed / decel if decel else 0.0
    cruise_s = (length - speed * brake_s / 2) / speed
    made = []
    for i in range(int((cruise_s + brake_s + 8) * 10)):
        t = i / 10
        late = min(max(t - cruise_s, 0.0), brake_s)
        x = speed * min(t, cruise_s) + speed * late - decel * late * late / 2
        v = speed if t < cruise_s else speed - decel * late if late < brake_s else 0.0
        made.append(Sample(t, 47.0 + x / compare.M_PER_DEG, 8.0, 10.0, v, 0.0, 0.0))
    return made


def made_run(model, decel, decide, repeat=1, code=0):
    samples = braking(decel)
    sample = decide(samples)
    state = FLYING if sample.vn_mps > 0.05 else STILL
    first = Action("command DO_REPOSITION", 0.0, (), STILL, 0.0, "start", 0.0, True, samples[0])
    last = Action("command NAV_LAND", sample.t_s, (), state, sample.t_s, "it began to move", sample.t_s, False, sample)
    story = Story([first, last], samples, True, STILL, samples[-1])
    return Run(BY_NAME[model], repeat, "real", code, 1.0, "", f"{model}-{repeat}", story)


def slow(threshold, dwell_s=0.0):
    def decide(samples):
        count = 0
        for s in samples:
            count = count + 1 if s.vn_mps < threshold else 0
            if count > dwell_s * 10:
                return s
        raise AssertionError
    return decide


def groups_of(decide):
    return {name: [made_run(name, decel, decide, r) for r in (1, 2, 3)] for name, decel in
            (("physics", 2.5), ("constant", 0.0), ("ramp 4", 4.0), ("ramp 2", 2.0), ("ramp 1", 1.0))}


def judged(groups):
    jitter, placed = compare.jitter_of(groups.values()), compare.placed_actions(list(groups.values()))
    found = [d for name, runs in groups.items() if name != "physics" for d in compare.compare(groups["physics"], runs, jitter, placed)]
    return compare.merged(found)


def explained(groups):
    found = judged(groups)
    for one in found:
        infer.explain(one, groups, {r.recording: r.story.samples for runs in groups.values() for r in runs})
    return found


def test_a_threshold_of_speed_is_found_and_named():
    found = explained(groups_of(slow(0.5)))
    assert [(d.what, d.action, d.models) for d in found] == [("context", "command NAV_LAND", ["constant"])]
    assert found[0].quantity in ("speed", "total speed") and abs(found[0].threshold - 0.5) < 0.15


def test_a_dwell_is_found_with_its_time():
    found = explained(groups_of(slow(1.0, 2.0)))
    assert found and found[0].quantity in ("speed", "total speed")
    assert abs(found[0].dwell_s - 2.0) <= 0.3 and abs(found[0].threshold - 1.0) < 0.4


def at_30_m(samples):
    return next(s for s in samples if (s.lat_deg - 47.0) * compare.M_PER_DEG >= 30.0)


def test_a_decision_by_place_is_none():
    assert judged(groups_of(at_30_m)) == []


def test_a_fixed_time_is_named():
    found = explained(groups_of(lambda samples: samples[105]))
    assert found and all(d.quantity == "elapsed time" and abs(d.threshold - 10.5) < 0.01 for d in found)


def test_a_hang_and_another_exit_code_are_findings():
    groups = groups_of(at_30_m)
    groups["constant"] = [made_run("constant", 0.0, at_30_m, r, None) for r in (1, 2, 3)]
    groups["ramp 1"] = [made_run("ramp 1", 1.0, at_30_m, r, 3) for r in (1, 2, 3)]
    assert [(d.what, d.reference, d.otherwise, d.models) for d in judged({**groups, "ramp 1": groups["ramp 2"]})] == \
        [("outcome", "exit code 0", "hangs", ["constant"])]
    assert judged({"physics": groups["physics"], "ramp 1": groups["ramp 1"]})[0].otherwise == "exit code 3"


def test_jitter_of_the_client_is_no_difference():
    runs = groups_of(slow(0.5))["physics"]
    for run, code in zip(runs, (0, 0, 1)):
        run.code = code
    assert "exit code" in compare.unrepeatable(runs)
    assert compare.Range(0.0, 1.0).gap(compare.Range(0.9, 2.0)) < 0 < compare.Range(0.0, 1.0).gap(compare.Range(1.5, 2.0))


def test_own_time_is_that_in_which_vehicle_time_passes_with_the_wall():
    assert own_time([(0, 0), (100, 0.1), (101, 1.1), (301, 1.4)]) == (1.0, 1.4)


def test_findings_are_ranked_by_quantity_threshold_and_command():
    one = compare.Divergence("context", "command NAV_LAND", 1, "", "", "", ["constant"], "speed", "", 0.5)
    wanted = Finding("MA01", "a.py", 1, "wait_then_land", "speed", "cm/s", "v < 50", 50.0, id="1")
    other = Finding("MA01", "b.py", 1, "f", "speed", "m/s", "v < 3", 3.0, id="2")
    foreign = Finding("MA12", "c.py", 1, "f", "altitude MSL", "m", "a", id="3")
    ranked = rank(one, [foreign, other, wanted])
    assert [f.id for _, f in ranked] == ["1", "2"]
    assert not math.isnan(ranked[0][0]) and ranked[0][0] > ranked[1][0] + 2.9


# ---------------------------------------------------------------- what fits, and what fits as well

def falling(decel):
    """Samples of a descent that ends with constant deceleration at 8 m: at 3 m/s down, ten a second."""
    brake_s = 3.0 / decel if decel else 0.0
    cruise_s = (12.0 - 3.0 * brake_s / 2) / 3.0
    made = []
    for i in range(int((cruise_s + brake_s + 6) * 10)):
        t = i / 10
        late = min(max(t - cruise_s, 0.0), brake_s)
        gone = 3.0 * min(t, cruise_s) + 3.0 * late - decel * late * late / 2
        down = 3.0 if t < cruise_s else 3.0 - decel * late if late < brake_s else 0.0
        made.append(Sample(t, 47.0, 8.0, 20.0 - gone, 0.0, 0.0, down))
    return made


def sinks_less(samples):
    """vz < 0.6, as a client in NED writes it."""
    return next(s for s in samples if s.t_s > 1 and s.vd_mps < 0.6)


def vertical(decide):
    made = {}
    for name, decel in (("physics", 2.5), ("ramp 4", 4.0), ("ramp 2", 2.0), ("ramp 1", 1.0)):
        runs = []
        for repeat in (1, 2, 3):
            samples = falling(decel)
            sample = decide(samples)
            story = Story([Action("command NAV_LAND", sample.t_s, (), FLYING, sample.t_s, "it began to move", sample.t_s, False, sample)], samples, True, STILL,
                          samples[-1])
            runs.append(Run(BY_NAME[name], repeat, "real", 0, 1.0, "", f"{name}-{repeat}", story))
        made[name] = runs
    return made


def told(groups):
    one = compare.Divergence("context", "command NAV_LAND", 0, "", "", "", ["ramp 1"])
    infer.explain(one, groups, {r.recording: r.story.samples for runs in groups.values() for r in runs})
    return one


def test_sim048_nothing_is_explained_if_another_condition_fits_as_well():
    """Near the end of a descent the height says as much as the speed: both are candidates, and neither is the explanation."""
    one = told(vertical(sinks_less))
    assert one.explanation == "" and one.threshold is None
    assert {text.split(" ")[3] for text in one.candidates if "m/s" in text or " m " in text} >= {"the", "|vz|"}
    assert len(one.candidates) >= 2


def test_sim048_what_the_run_saw_picks_the_line_of_the_source():
    one = told(vertical(sinks_less))
    scan = [Finding("MA01", "a.py", 4, "f", "speed", "m/s", "v < 5", 5.0, id="MA01-1"), Finding("MA01", "a.py", 9, "f", "climb", "m/s", "vz > -0.6", -0.6, id="MA01-2"),
            Finding("MA02", "a.py", 2, "f", "climb", "m/s", "vz < 2.5", 2.5, id="MA02-1")]
    found, = findings_of([one], scan)
    assert (found.line, found.suspects[0], set(found.suspects)) == (9, "MA01-2", {"MA01-2"})
    assert (found.quantity, "a.py:9" in found.text) == ("climb", True)


def test_every_finding_of_the_source_is_a_candidate_if_none_is_likelier():
    one = compare.Divergence("final state", "command X", 1, "", "", "", ["constant"])
    scan = [Finding("MA11", "b.py", 3, "f", "time since boot", "ms", "x", id="MA11-1"), Finding("MA12", "a.py", 7, "f", "altitude MSL", "m", "y", id="MA12-1")]
    found, = findings_of([one], scan)
    assert (found.path, found.suspects) == ("b.py", ["MA11-1", "MA12-1"])
    assert findings_of([one], [])[0].path == ""


def test_the_same_time_explains_nothing_while_all_drones_do_the_same():
    """Runs that act after 1.5 s of one and the same descent: it may be the time, the place or the height."""
    one = told(vertical(lambda samples: samples[15]))
    assert one.explanation == "" and any("1.5 s" in text for text in one.candidates)


def test_two_clients_of_one_ledger_share_no_id():
    def ids(**more):
        return findings_of([compare.Divergence("context", "command NAV_LAND", 1, "", "", "", ["constant"])], None, **more)[0].id
    made = [ids(), ids(client="a.py"), ids(client="b.py"), ids(client="a.py", component="nav"), ids(client="a.py", component="ops")]
    assert len(set(made)) == 5 and ids(client="a.py") == made[1]
