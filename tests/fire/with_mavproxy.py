# SPDX-License-Identifier: Apache-2.0
"""MAVProxy at its console: what its user types, and what it must say then. It says nothing of what it waits for in vain: that is
no answer."""
import pathlib
import re
import subprocess
import sys
import time

import client

proxy = None
LOG = client.folder / "console.log"


def text(begin=0):
    return LOG.read_text(errors="replace")[begin:] if LOG.exists() else ""


def say(line):
    begin = len(text())
    try:
        proxy.stdin.write(line + "\n")
        proxy.stdin.flush()
    except OSError:
        pass
    return begin


def wait(good, bad=None, begin=0):
    """The match of what it says when it worked; what it says when it did not is its error. There is no time-out here: it has
    none of its own, so the one who started us decides when it is too late."""
    while True:
        said = text(begin)
        found = re.search(good, said)
        if found:
            return found
        refused = bad and re.search(bad, said)
        if refused:
            raise client.Reported(refused[0].strip())
        if proxy.poll() is not None:
            raise RuntimeError(f"it ended with {proxy.returncode}: {text()[-300:]}")
        time.sleep(0.05)


def ask(line, good, bad=None):
    return wait(good, bad, say(line))


def connect():
    global proxy
    program = pathlib.Path(sys.executable).with_name("mavproxy.py")
    with open(LOG, "w") as log:
        proxy = subprocess.Popen(
            [sys.executable, program, "--master", f"tcp:127.0.0.1:{client.port}", "--nowait", "--force-connected",
             "--state-basedir", str(client.folder)],
            cwd=client.folder, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, text=True)
    wait("Detected vehicle")


def saved_parameters():
    name = f"saved{time.monotonic_ns()}.parm"
    ask(f"param save {name}", f"Saved [0-9]+ parameters to .*{name}")
    return {row[0]: float(row[1]) for row in map(str.split, (client.folder / name).read_text().splitlines())}


def parameters():
    """It fetches them by itself, once."""
    if "Received" in text():
        ask("param fetch", "Received [0-9]+ parameters")
    wait("Received [0-9]+ parameters")
    return saved_parameters()


def one(name):
    def run():
        return float(ask(f"param fetch {name}", rf"{name} = (\S+)", "Failed[^\n]*|PARAM_ERROR[^\n]*")[1])
    return run


def store():
    """Success it does not mention, so it is asked for the value; failure it does, when it has tried three times."""
    wait("Received [0-9]+ parameters")
    begin = say(f"param set {client.PARAMETER} 6.5")
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline and "Failed to set" not in text(begin):
        time.sleep(0.1)
    if failed := re.search("Failed to set[^\n]*", text(begin)):
        raise client.Reported(failed[0])
    return one(client.PARAMETER)()


def flight():
    ask("arm throttle", r"\bARMED|COMPONENT_ARM_DISARM: ACCEPTED", "COMPONENT_ARM_DISARM: (?!ACCEPTED|IN_PROGRESS)\\w+")
    ask(f"takeoff {client.HOME[2] + client.TAKEOFF_M}", "TAKEOFF> ", "NAV_TAKEOFF: (?!ACCEPTED|IN_PROGRESS)\\w+")


def land():
    ask("long NAV_LAND 0 0 0 0 0 0 0", "LAND> ", "NAV_LAND: (?!ACCEPTED)\\w+")


def upload(mission):
    def run():
        rows = ["QGC WPL 110"]
        for seq, (number, lat, lon, height) in enumerate(mission):
            rows.append(f"{seq}\t{int(seq == 0)}\t3\t{number}\t0\t0\t0\t0\t{lat / 1e7:.7f}\t{lon / 1e7:.7f}\t{height}\t1")
        (client.folder / "mission.txt").write_text("\n".join(rows) + "\n")
        ask("wp load mission.txt", "TYPE_MISSION: ACCEPTED", "TYPE_MISSION: (?!ACCEPTED)\\w+")
        return len(mission)
    return run


def download():
    ask("wp list", "Saved waypoints to ", "TYPE_MISSION: (?!ACCEPTED)\\w+")
    ask("wp save back.txt", "Saved [0-9]+ waypoints to back.txt")
    rows = [row.split("\t") for row in (client.folder / "back.txt").read_text().splitlines()[1:]]
    return [(int(r[3]), round(float(r[8]) * 1e7), round(float(r[9]) * 1e7), float(r[10])) for r in rows]


def names():
    begin = say(f"ftp list {client.FOLDER}")
    wait("Total size", "LIST: [^\n]*|FTP[^\n]*", begin)
    return sorted(re.findall(r"^\s+(\S+\.json)\t", text(begin), re.M))


def files():
    """The list only. Its `ftp get` (1.8.75) waits for an answer in a session that it chose itself, as ArduPilot gives it;
    PX4, and so this drone, chooses the session."""
    return {"names": names()}


def message():
    """Of this command's acknowledgement it says nothing."""
    say("long REQUEST_MESSAGE AUTOPILOT_VERSION")
    while True:
        begin = say("status AUTOPILOT_VERSION")
        time.sleep(0.5)
        found = re.search(r"flight_sw_version : (\d+)", text(begin))
        if found:
            return [int(found[1]) >> 24, int(found[1]) >> 16 & 255]


def other_message():
    return ask("status GPS_RAW_INT", r"fix_type : (\d)")[1]


OPERATIONS = {
    "connect": connect, "parameters": parameters, "parameter": one(client.PARAMETER), "store": store,
    "other_parameter": one(client.OTHER_PARAMETER), "flight": flight, "land": land, "upload": upload(client.MISSION),
    "short_upload": upload(client.SHORT_MISSION), "download": download, "files": files, "names": names, "message": message,
    "other_message": other_message,
}
client.serve(OPERATIONS)
