# SPDX-License-Identifier: Apache-2.0
"""Frames of the bus as bytes: the same tables as docs/bus.md and fleet/bus.h."""
import struct

import numpy as np

VERSION = 1
HEADER = struct.Struct('<BBHIQ')  # version, type, length of the payload, tick, ns
PAYLOAD_MAX = 65536 - HEADER.size

HELLO, DONE, PATH, ORDERS, DETECTIONS, PACKETS, HEARD_, SENSED_ = 1, 2, 3, 4, 5, 7, 78, 106
WELCOME, ENTITY, AREA, PARAMS, STATE_, REPORTS, LOOKS, ACKS, TURN, STATISTICS_, END, ERROR = range(65, 77)
CONTROLLER, OBSERVER = 1, 2

#: A member at an instant: ``place`` [m] and ``velocity`` [m/s] north, east, up; ``heading`` [rad]; ``mode`` is HEARTBEAT.custom_mode,
#: of a searcher the points of its path that are left; ``flags``: 1 its place is known, 2 it is armed; ``landed``: MAV_LANDED_STATE.
STATE = np.dtype([('place', '<f8', 3), ('velocity', '<f4', 3), ('heading', '<f4'), ('mode', '<u4'), ('flags', 'u1'), ('landed', 'u1'), ('', '<u2')])
#: A camera's report: ``member``, and the ``place`` [m] on the ground, north and east.
REPORT = np.dtype([('member', '<u4'), ('', '<u4'), ('place', '<f8', 2)])
#: The answer to an order: ``member``, ``message``, ``error`` (0; -1: it comes later; else it was not given), ``result`` (MAV_RESULT).
ACK = np.dtype([('member', '<u4'), ('message', '<u4'), ('error', '<i2'), ('result', 'u1'), ('', 'u1')])
#: UavSim's columns; ``member`` 0xFFFFFFFF is the whole team, negative values are undefined. ``energy`` is N s.
STATISTICS = np.dtype([('member', '<u4'), ('frames', '<u4'), ('precision', '<f8'), ('recall', '<f8'), ('f1', '<f8'), ('energy', '<f8'),
                       ('covered', '<f8'), ('spotted', '<f8')])
#: The last measurement of a sensor: ``member``, ``sensor`` (its number on the member, from 0), ``values`` (how many; 0: none yet),
#: ``found`` (0 nothing, 1 a member, 2 an obstacle), ``what`` (which), ``age`` [s], ``value``: infinite where nothing is.
SENSED = np.dtype([('member', '<u4'), ('sensor', 'u1'), ('values', 'u1'), ('found', '<u2'), ('what', '<u4'), ('age', '<f4'), ('value', '<f4', 8)])
PACKET = struct.Struct('<IIIIfI')
ENTITY_ = struct.Struct('<IIBB6xddd32s32s')
WELCOME_ = struct.Struct('<IIQQdddd')
AREA_ = struct.Struct('<7dII')
LOOK = struct.Struct('<IIddddddd')
ORDER = struct.Struct('<III')
GOAL = np.dtype('<f8')
COMMAND_INT = struct.Struct('<4fiifHBBBBB')                  # MAVLink 75, in wire order
SET_POSITION_TARGET_LOCAL_NED = struct.Struct('<I11fHBBB')   # MAVLink 84


def pack(kind: int, tick: int, ns: int, payload: bytes = b'') -> bytes:
    """A frame. Raises ValueError for a payload of more than 64 kB."""
    if len(payload) > PAYLOAD_MAX:
        raise ValueError(f'a payload has {len(payload)} bytes, at most {PAYLOAD_MAX}')
    return HEADER.pack(VERSION, kind, len(payload), tick & 0xFFFFFFFF, ns) + payload
