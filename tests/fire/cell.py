# SPDX-License-Identifier: Apache-2.0
"""One client under one misbehaviour: the dialogue with its program, and the verdict."""
import dataclasses
import json
import os
import re
import select
import shutil
import signal
import subprocess
import time

import facts
import node_mavlink
from matrix import AFTERWARDS, HERE, LIB
from paths import FLY
from target import Target, TargetError

LIMIT_S = 40            # longer than any time-out that these clients have of their own
END_S = 2
MOMENT_S = 2
SETTLE_S = 5
CLOSE_E7 = 50           # a place in floats
VERDICTS = ("survives", "reports", "hangs", "wrong", "dies", "untouched")    # from good to bad


@dataclasses.dataclass
class Result:
    verdict: str
    note: str = ""
    fault: str = ""     # what Mayfly itself did wrong
    overruns: int = 0
    begin: float = 0
    end: float = 0


class Dialogue:
    """The program around a client, in a session of its own, so that it ends with all that it started."""

    def __init__(self, client, drone, folder):
        known = {name.lower(): getattr(facts, name) for name in dir(facts) if name.isupper()}
        self.errors = open(folder / "stderr", "w")
        self.process = subprocess.Popen(
            ["nice", "-n", "5", *client.program, str(drone.port()), str(folder), json.dumps(known)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True, cwd=folder,
            env={**os.environ, "TMPDIR": str(folder), "NODE_PATH": node_mavlink.MODULES, "PYTHONPATH": f"{HERE}:{LIB}", "FLY": FLY})
        self.rest = b""

    def ask(self, operation, limit_s=LIMIT_S):
        """Its claim; None if there is none in time."""
        try:
            self.process.stdin.write(operation.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass
        deadline = time.monotonic() + limit_s
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                return {"claim": "crash", "text": f"the program ended, exit code {self.process.wait()}"}
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)     # and MAVProxy, mavsdk_server
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def mission_differs(client, value):
    wanted = facts.MISSION[1:] if client.home_first else facts.MISSION
    if len(value) != len(wanted):
        return f"{len(value)} items instead of {len(wanted)}"
    for seq, (got, want) in enumerate(zip(value, wanted)):
        if got[0] != want[0] or got[3] != want[3] or max(abs(g - w) for g, w in zip(got[1:3], want[1:3])) > CLOSE_E7:
            return f"item {seq} is another one"
    return ""


def parameters_differ(client, value, truth):
    for name, (kind, want) in truth["parameters"].items():
        if name not in value:
            return f"{name} is missing"
        if client.raw_integers and kind == "int32":
            continue
        if abs(value[name] - want) > 1e-5 * max(1, abs(want)):
            return f"{name} is {value[name]:g} instead of {want:g}"
    return ""


def untrue(client, operation, value, drone, truth):
    """What is wrong with a claim that it is done."""
    if operation == "parameters":
        return parameters_differ(client, value, truth)
    if operation in ("parameter", "other_parameter", "store"):
        want = {"parameter": 2.5, "other_parameter": 30, "store": 6.5}[operation]
        return "" if abs(value - want) < 1e-5 else f"{value:g} instead of {want:g}"
    if operation == "download":
        nothing = not value and drone.vehicle()["mission"]["count"] == 0     # its upload may have failed
        return "" if nothing else mission_differs(client, value)
    if operation == "files":
        return "" if value == {key: truth["files"][key] for key in value} else "not the drone's list or file"
    if operation == "message":
        return "" if value == [1, 17] else f"version {value}"
    return "" if done(client, operation, drone) else "the drone did not do it"


DONE = {
    "flight": lambda client, vehicle: vehicle["armed"] and vehicle["landed_state"] in ("in_air", "takeoff"),
    # which puts item 0 of what it knows before what it uploads
    "upload": lambda client, vehicle: vehicle["mission"]["count"] - len(facts.MISSION) in (0, client.home_first),
}


def done(client, operation, drone):
    """Whether the drone did it, as it says itself over HTTP; it may take a moment."""
    if operation not in DONE:
        return True
    deadline = time.monotonic() + MOMENT_S
    while not DONE[operation](client, drone.vehicle()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def step(client, dialogue, operation, drone, truth):
    """(verdict, note) of one operation."""
    claim = dialogue.ask(operation)
    if claim is None:
        return "hangs", f"no answer in {LIMIT_S} s" + (
            ", though the drone did it" if operation in DONE and done(client, operation, drone) else "")
    if claim["claim"] == "done":
        what = untrue(client, operation, claim["value"], drone, truth)
        return ("wrong", f"says it is done: {what}") if what else ("survives", "")
    text = tidy(claim["text"])
    if claim["claim"] == "crash":
        return "dies", text
    if operation in DONE and done(client, operation, drone):
        text += " (but the drone did it)"
    return "reports", text


def tidy(text):
    """An error in one short line that is the same in every run."""
    text = re.sub(r"; origin: .*| seq:\d.*", "", " ".join(text.split()))
    return text.replace("|", "/").rstrip(".")[:140]


def settle(client, dialogue, operation, verdict, drone, truth):
    """(verdict, note) when the misbehaviour is over: what was reported works now, what was survived left nothing behind. A client
    that asks again by itself now and then is given the time."""
    if client.name == "fly":
        return "survives", ""       # every operation is a new run of it
    if verdict != "reports" or operation == "flight" and done(client, operation, drone):
        operation = AFTERWARDS.get(operation, "other_parameter")
    deadline = time.monotonic() + SETTLE_S
    while True:
        again, note = step(client, dialogue, operation, drone, truth)
        if again != "reports" or time.monotonic() > deadline:
            return again, note and f"afterwards, {operation.replace('_', ' ')}: {note}"
        time.sleep(SETTLE_S / 5)


def defaults():
    """{name: (type, value)} of the table of parameters."""
    line = re.compile(r"^P\((\w+),\s*(\w+),\s*(-?[\d.e+-]+)f?,", re.M)
    text = (HERE.parents[1] / "firmware/state/params.def").read_text()
    return {m[1]: (m[2], float(m[3])) for m in line.finditer(text) if not m[1].startswith("MF_GEOID")}


def learn(client, folder):
    """What a healthy drone holds, and a folder with its state after an upload."""
    (folder / "state").mkdir()
    drone = Target("--state", str(folder / "state"))
    dialogue = Dialogue(client, drone, folder)
    try:
        for operation in ("connect", "upload"):
            dialogue.ask(operation)
        files = dialogue.ask("files")["value"]
    finally:
        dialogue.close()
        drone.stop()
    return {"state": folder / "state", "files": files, "parameters": defaults()}


def play(row, client, drone, folder, truth):
    dialogue = Dialogue(client, drone, folder)
    begins = time.monotonic() + row.begins_s()      # the drone has just started
    worst = Result("survives")
    try:
        for operation in row.steps(client):
            if operation != "connect":
                time.sleep(max(0, begins - time.monotonic()))
            verdict, note = step(client, dialogue, operation, drone, truth)
            if VERDICTS.index(verdict) > VERDICTS.index(worst.verdict):
                worst = Result(verdict, note if operation == row.operation else f"{operation}: {note}")
            if verdict in ("hangs", "dies") or (operation == "connect" and verdict != "survives"):
                return worst
        if row.flag == "--misbehave":
            untouched = drone.fired() == 0
            drone.behave()
            verdict, note = settle(client, dialogue, row.operation, worst.verdict, drone, truth)
        elif row.begins_s():
            verdict, note = settle(client, dialogue, "parameter", "survives", drone, truth)
        else:
            return worst
        if verdict != "survives":
            worst = Result("dies", f"{worst.note}; {note}" if worst.note else note)
        elif row.flag == "--misbehave" and untouched:
            worst = Result("untouched", "it never does what the rule is for")
        return worst
    finally:
        dialogue.close()


def run(row, client, folder, truth):
    """Play the cell with a drone of its own."""
    begin = time.monotonic()
    state = folder / "state"
    args = ()
    if "download" in row.steps(client) and row.operation == "download":
        shutil.copytree(truth["state"], state)
        args = ("--state", str(state))
    try:
        drone = Target(*row.args(), *args)
    except TargetError as error:
        return Result("dies", fault=str(error))
    try:
        result = play(row, client, drone, folder, truth)
    except OSError as error:
        result = Result("dies", "", fault=f"its API does not answer: {error}")
    finally:
        fault, overruns = drone.stop()
    result.fault = result.fault or fault
    result.overruns = overruns
    result.begin, result.end = begin, time.monotonic()
    return result
