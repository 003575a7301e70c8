# SPDX-License-Identifier: Apache-2.0
"""Who is put under fire, and by what."""
import dataclasses
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys

import node_mavlink
from paths import FLY

HERE = pathlib.Path(__file__).parent
LIB = HERE.parent / "lib"


@dataclasses.dataclass(frozen=True)
class Client:
    """How to start it, what it can do, and the words for its notes."""
    name: str
    program: tuple
    operations: frozenset
    version: object         # called when it is needed
    raw_integers: bool = False      # shows the bits of an integer parameter as a float, to PX4's users too
    lists_only: bool = False        # of FTP
    home_first: bool = False        # keeps item 0 of a download to itself, as ArduPilot's home


def installed(package):
    return lambda: importlib.metadata.version(package)


def fly_version():
    text = subprocess.run([FLY, "--version"], capture_output=True, text=True).stdout
    return text.split()[-1]


def node_version():
    return json.loads(pathlib.Path(node_mavlink.MODULES, "node-mavlink/package.json").read_text())["version"]


def python(script):
    return sys.executable, str(HERE / script)


ALL = frozenset(("connect", "parameters", "parameter", "store", "flight", "upload", "download", "files", "message"))
CLIENTS = (
    Client("MAVSDK", python("with_mavsdk.py"), ALL, installed("mavsdk")),
    Client("pymavlink", python("with_pymavlink.py"), ALL, installed("pymavlink")),
    Client("MAVProxy", python("with_mavproxy.py"), ALL, installed("MAVProxy"), lists_only=True),
    Client("DroneKit", python("with_dronekit.py"), ALL - {"files"}, installed("dronekit"), raw_integers=True, home_first=True),
    Client("node-mavlink", ("node", str(HERE / "with_node.cjs")), ALL - {"files", "store"}, node_version),
    Client("fly", python("with_fly.py"), frozenset(("flight", "upload", "download")), fly_version),
)


def available():
    """The clients that are here, and what to say of those that are not."""
    if node_mavlink.MISSING:
        return tuple(c for c in CLIENTS if c.name != "node-mavlink"), [f"node-mavlink: {node_mavlink.MISSING}"]
    node_mavlink.install()
    return CLIENTS, []


# What each operation asks of a client.
OPERATIONS = {
    "everything": "all of the below, one after the other",
    "connect": "first contact",
    "parameters": "read all parameters",
    "parameter": "read one parameter, MIS_TAKEOFF_ALT",
    "store": "set it to 6.5 and read it",
    "flight": "arm and take off",
    "upload": "upload a mission of five items",
    "download": "download it",
    "files": "list a folder and read a file by MAVLink FTP",
    "message": "ask for AUTOPILOT_VERSION",
}
# What must still work after an operation that was survived, if it is not reading a parameter.
AFTERWARDS = {"flight": "land", "upload": "download", "download": "short_upload", "message": "other_message"}
EVERYTHING = (*(name for name in OPERATIONS if name not in ("everything", "flight")), "flight")
# Over a bad link every client does what all of them can.
TOUR = ("connect", "parameters", "upload", "download", "flight")


@dataclasses.dataclass(frozen=True)
class Row:
    operation: str
    rule: str               # what it is called, and the argument of --misbehave, --link-quality or --faults
    flag: str = "--misbehave"
    short: bool = False

    def args(self):
        return (self.flag, self.rule) if self.flag else ()

    def concerns(self, client):
        beyond = client.lists_only and ("(open)" in self.rule or "(burst_read)" in self.rule)
        return self.operation in client.operations | {"everything", "tour"} and not beyond

    def begins_s(self):
        """When a link falls silent [s after the start of the drone]: what is asked of the client comes then."""
        when = re.search(r"=(\d+)s\+", self.rule)
        return float(when[1]) if self.flag == "--link-quality" and when else 0

    def steps(self, client):
        """The operations of this cell."""
        if self.flag == "--link-quality":
            return tuple(step for step in TOUR if step in client.operations)
        if self.operation == "everything":
            return tuple(step for step in EVERYTHING if step in client.operations)
        return tuple(dict.fromkeys(("connect", self.operation)))


def rows():
    yield Row("everything", "healthy", "", True)
    yield Row("connect", "message_silence(HEARTBEAT)")
    for rule, short in (("param_lost(MIS_TAKEOFF_ALT)*1", True), ("param_lost(MIS_TAKEOFF_ALT)*100", False),
                        ("param_missing(MIS_TAKEOFF_ALT)", False), ("param_wrong_type(MIS_TAKEOFF_ALT)", False),
                        ("param_wrong_type(COM_DL_LOSS_T)", False)):
        yield Row("parameters", rule, short=short)
    for rule, short in (("param_lost(MIS_TAKEOFF_ALT)*1", False), ("param_missing(MIS_TAKEOFF_ALT)", True),
                        ("param_wrong_type(MIS_TAKEOFF_ALT)", False)):
        yield Row("parameter", rule, short=short)
    for rule in ("param_lost(MIS_TAKEOFF_ALT)*1", "param_refused(MIS_TAKEOFF_ALT)"):
        yield Row("store", rule)
    for rule, short in (("command_denied(arm)", True), ("command_rejected(arm)", False), ("command_rejected(arm)*2", False),
                        ("command_ignored(arm)*1", False), ("command_unacknowledged(arm)", False),
                        ("command_unsupported(takeoff)", False), ("command_failed(takeoff)", False),
                        ("command_denied(takeoff)", False), ("command_stalled(takeoff)", False),
                        ("command_ignored(takeoff)", False), ("command_ignored(takeoff)*1", True),
                        ("command_unacknowledged(takeoff)", False), ("command_unacknowledged(takeoff)*1", False),
                        ("command_late(takeoff)=1s", False), ("command_late(takeoff)=8s", False),
                        ("message_silence(EXTENDED_SYS_STATE)", False)):
        yield Row("flight", rule, short=short)
    for rule, short in (("mission_upload_lost=2", False), ("mission_upload_repeated=2", False),
                        ("mission_upload_reordered=2", True), ("mission_upload_timeout=2", False),
                        ("mission_upload_refused=2", True), ("mission_ack_lost", False), ("mission_ack_lost*100", False)):
        yield Row("upload", rule, short=short)
    for rule, short in (("mission_download_lost=2", True), ("mission_download_repeated=2", False),
                        ("mission_download_reordered=2", False), ("mission_download_timeout=2", False),
                        ("mission_download_refused=2", False)):
        yield Row("download", rule, short=short)
    for rule, short in (("ftp_error(list)=1", False), ("ftp_error(open)=10", True), ("ftp_lost(list)", False),
                        ("ftp_lost(open)", False), ("ftp_lost(burst_read)", False), ("ftp_ignored(list)", False),
                        ("ftp_ignored(open)", False)):
        yield Row("files", rule, short=short)
    for rule, short in (("command_denied(request)", False), ("command_denied(request),command_denied(capabilities)", False),
                        ("command_ignored(request)", False), ("request_unanswered(AUTOPILOT_VERSION)", False),
                        ("message_silence(AUTOPILOT_VERSION)", False)):
        yield Row("message", rule, short=short)
    for rule, short in (("lte", True), ("sik57k", False), ("satcom", False), ("loss=20%", False), ("loss=50%", False),
                        ("delay=1s", False), ("reorder=30%", False), ("duplicate=30%", False), ("corrupt=10%", False),
                        ("silent=6s+5s", False), ("disconnect=6s+3s", False)):
        yield Row("tour", rule, "--link-quality", short)


ROWS = tuple(rows())
