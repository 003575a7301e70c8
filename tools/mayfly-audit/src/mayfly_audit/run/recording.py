# SPDX-License-Identifier: Apache-2.0
"""Recordings (docs/recording.md of Mayfly) as this package needs them: what the client sent, what it was shown, and when."""
from __future__ import annotations

import bisect
import math
import os
import pathlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

os.environ.setdefault("MAVLINK20", "1")
from pymavlink.dialects.v20 import common as mavlink  # noqa: E402  (after the version was chosen)

SETTING, BOOT, CLOCK, OPEN, IN, OUT, END = 1, 4, 5, 7, 10, 11, 15
HAS_LINK = {7, 8, 10, 11, 12, 13, 18}
VALUES = {1: 0, 2: 2, 3: 3, 4: 1, 5: 2, 6: 0, 7: 1, 8: 0, 9: 1, 10: 0, 11: 0, 12: 2, 13: 1, 14: 2, 15: 0, 16: 2, 17: 2, 18: 0}
MAGIC = b"MFRC"

# Frames of the drone that tell of its state; of the others the position and velocity is taken.
STATE_IDS = {mavlink.MAVLINK_MSG_ID_HEARTBEAT, mavlink.MAVLINK_MSG_ID_EXTENDED_SYS_STATE, mavlink.MAVLINK_MSG_ID_MISSION_ITEM_REACHED,
             mavlink.MAVLINK_MSG_ID_SYS_STATUS, mavlink.MAVLINK_MSG_ID_GPS_RAW_INT}
LOCAL_ID, GLOBAL_ID = mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED, mavlink.MAVLINK_MSG_ID_GLOBAL_POSITION_INT


class RecordingError(ValueError):
    """The file is no recording."""


class Sample(NamedTuple):
    """Of GLOBAL_POSITION_INT, as the client saw it."""
    t_s: float
    lat_deg: float
    lon_deg: float
    height_m: float
    vn_mps: float
    ve_mps: float
    vd_mps: float

    @property
    def speed_mps(self) -> float:
        return math.hypot(self.vn_mps, self.ve_mps)


@dataclass
class Frame:
    """A message with the times at which it passed."""
    t_s: float              # vehicle
    wall_s: float
    message: Any
    mine: bool              # the client's


@dataclass
class Recording:
    settings: dict[str, str] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)       # the client's, and the drone's as far as they tell of its state
    samples: list[Sample] = field(default_factory=list)
    times: list[tuple[float, float]] = field(default_factory=list)      # vehicle, wall
    complete: bool = False

    def sample_before(self, t_s: float) -> Optional[Sample]:
        index = bisect.bisect_right(self.samples, t_s, key=lambda s: s.t_s)
        return self.samples[index - 1] if index else None

    @property
    def end_s(self) -> float:
        return self.times[-1][0] if self.times else 0.0


def records(data: bytes) -> Iterator[tuple[int, int, list[int], bytes]]:
    """(type, link, values, bytes) of each; a torn end is left out."""
    if data[:4] != MAGIC:
        raise RecordingError("no recording of Mayfly")
    at = 8
    while at + 5 <= len(data):
        kind, length = data[at], data[at + 1] | data[at + 2] << 8
        end = at + 3 + length
        if end + 2 > len(data):
            return
        payload, begin, link = data[at + 3:end], 0, -1
        if kind in HAS_LINK:
            link, begin = payload[0] | payload[1] << 8, 2
        count = VALUES.get(kind, 0)
        values = list(struct.unpack_from(f"<{count}q", payload, begin)) if count else []
        yield kind, link, values, payload[begin + 8 * count:]
        at = end + 2


def message_id(frame: bytes) -> int:
    if frame[0] == 0xFD:
        return frame[7] | frame[8] << 8 | frame[9] << 16
    return frame[5]


def payload_of(frame: bytes, size: int) -> bytes:
    begin = 10 if frame[0] == 0xFD else 6
    return frame[begin:begin + frame[1]].ljust(size, b"\0")


def read(path: str) -> Recording:
    made = Recording()
    parsers: dict[int, Any] = {}
    drone = decoder()
    t_s = wall_s = 0.0
    for kind, link, values, data in records(pathlib.Path(path).read_bytes()):
        if kind == CLOCK:
            t_s, wall_s = values[0] / 1e6, values[1] / 1e6
            if not made.times or t_s - made.times[-1][0] > 0.05 or wall_s - made.times[-1][1] > 0.05:
                made.times.append((t_s, wall_s))
        elif kind == SETTING:
            key, _, value = data.decode("utf-8", "replace").partition("=")
            made.settings[key] = value
        elif kind == IN:
            parser = parsers.get(link) or parsers.setdefault(link, decoder())
            made.frames += [Frame(t_s, wall_s, m, True) for m in parser.parse_buffer(data) or () if m.get_type() != "BAD_DATA"]
        elif kind == OUT:
            number = message_id(data)
            if number == GLOBAL_ID:
                sample = sample_of(payload_of(data, 28))
                if not made.samples or sample.t_s > made.samples[-1].t_s:
                    made.samples.append(sample)
                    made.frames.append(Frame(t_s, wall_s, sample, False))
            elif number in STATE_IDS:
                made.frames += [Frame(t_s, wall_s, m, False) for m in drone.parse_buffer(data) or () if m.get_type() != "BAD_DATA"]
        elif kind == END:
            made.complete = True
    made.times.append((t_s, wall_s))
    return made


def decoder() -> Any:
    made = mavlink.MAVLink(None)
    made.robust_parsing = True
    return made


def sample_of(payload: bytes) -> Sample:
    boot_ms, lat, lon, _alt, height, vx, vy, vz, _heading = struct.unpack_from("<IiiiihhhH", payload)
    return Sample(boot_ms / 1e3, lat / 1e7, lon / 1e7, height / 1e3, vx / 100.0, vy / 100.0, vz / 100.0)
