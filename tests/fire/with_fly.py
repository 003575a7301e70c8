# SPDX-License-Identifier: Apache-2.0
"""build/fly, this project's own ground program: a run of it for each operation."""
import json
import os
import subprocess

import client

FLY = os.environ.get("FLY", "build/fly")
PLAN = client.folder / "mission.plan"


def fly(*args):
    done = subprocess.run([FLY, "--json", "--timeout", "35", *args], capture_output=True, text=True)
    if done.returncode in (1, 3):
        raise client.Reported(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.stdout.strip())
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")


def plan(mission):
    items = [{"type": "SimpleItem", "autoContinue": True, "command": number, "doJumpId": i + 1, "frame": 3,
              "params": [0, 0, 0, None, lat / 1e7, lon / 1e7, height]} for i, (number, lat, lon, height) in enumerate(mission)]
    PLAN.write_text(json.dumps({
        "fileType": "Plan", "version": 1, "groundStation": "none",
        "mission": {"version": 2, "firmwareType": 12, "vehicleType": 2, "cruiseSpeed": 10, "hoverSpeed": 5,
                    "plannedHomePosition": list(client.HOME), "items": items},
        "geoFence": {"version": 2, "circles": [], "polygons": []}, "rallyPoints": {"version": 2, "points": []}}))
    return str(PLAN)


def upload(mission, *how):
    def run():
        fly("--upload", *how, f"tcp:127.0.0.1:{client.port}", plan(mission))
        return len(mission)
    return run


def flight():
    """Its square, and it stays in the air at the end."""
    fly("--takeoff-alt", "3", "--side", "2", "--stay", f"tcp:127.0.0.1:{client.port}")


def connect():
    """Every run of it connects."""


def download():
    """It reads every upload back and compares."""
    upload(client.MISSION)()
    return client.MISSION


client.serve({"connect": connect, "flight": flight, "upload": upload(client.MISSION, "--no-verify"),
              "short_upload": upload(client.SHORT_MISSION, "--no-verify"), "download": download})
