# SPDX-License-Identifier: Apache-2.0
"""What ground stations ask of a vehicle, by pymavlink, which knows all messages here."""
import os
import struct
import threading
import zlib

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil  # noqa: E402
from pymavlink.dialects.v20 import all as A  # noqa: E402  AVAILABLE_MODES is not in the default

from pymavlink_client import expect  # noqa: E402

UNCOUNTED = {"COM_FLIGHT_UUID", "LND_FLIGHT_T_HI", "LND_FLIGHT_T_LO", "SENS_DPRES_OFF"}     # volatile in PX4, too
SLOW = 30       # [s] for what the vehicle does; tests run on machines that are busy

def ack(link, number, timeout=3.0):
    """The result of a command, addressed to who asked or to nobody."""
    m = expect(link, "COMMAND_ACK", lambda m: m.command == number, timeout)
    assert (m.target_system, m.target_component) in ((0, 0), (link.mav.srcSystem, link.mav.srcComponent))
    return m.result


def ask(link, number, *params, target=(1, 1)):
    link.mav.command_long_send(*target, number, 0, *params, *[0] * (7 - len(params)))
    return ack(link, number)


def message(kind, param2=0):
    """REQUEST_MESSAGE: the message, or the result if it is refused."""
    def step(link):
        link.messages.pop(kind, None)
        result = ask(link, A.MAV_CMD_REQUEST_MESSAGE, getattr(A, f"MAVLINK_MSG_ID_{kind}"), param2)
        return link.messages[kind] if result == A.MAV_RESULT_ACCEPTED else result
    return step


def modes(link):
    """AVAILABLE_MODES one by one, as many as the first says, and what comes after the last."""
    first = message("AVAILABLE_MODES", 1)(link)
    rest = [message("AVAILABLE_MODES", i)(link) for i in range(2, first.number_modes + 2)]
    assert [m.mode_index for m in [first, *rest[:-1]]] == list(range(1, first.number_modes + 1))
    assert rest[-1] == A.MAV_RESULT_DENIED
    return {(m.mode_name or m.standard_mode): m.custom_mode for m in [first, *rest[:-1]]}


def bits(m):
    """The four bytes of a value: a signed integer travels as the bits of a float."""
    return bytes(m.get_msgbuf()[10:14])


def parameters(link):
    """PARAM_REQUEST_LIST, and by index whatever did not come: {name: its four bytes} in the order of the indices."""
    link.mav.param_request_list_send(1, 1)
    # values that were asked for again may still come, on a busy machine
    first = expect(link, "PARAM_VALUE", lambda m: m.param_id == "_HASH_CHECK", timeout=6)
    assert (first.param_index, first.param_type) == (65535, A.MAV_PARAM_TYPE_UINT32)
    got = {}
    while len(got) < first.param_count:
        m = link.recv_match(type="PARAM_VALUE", blocking=True, timeout=2)
        if m is None:
            for index in set(range(first.param_count)) - set(got):
                link.mav.param_request_read_send(1, 1, b"", index)
        elif m.param_index < first.param_count:
            assert m.param_count == first.param_count
            got[m.param_index] = (m.param_id, bits(m))
    return bits(first), dict(got[i] for i in sorted(got))


def crc32(data):
    """PX4's: begins with 0 and is not inverted."""
    return (zlib.crc32(data, 0xFFFFFFFF) ^ 0xFFFFFFFF).to_bytes(4, "little")


def trusts_a_cache(told):
    """The hash is that of what came, by which the list is not asked for the next time."""
    asked, got = told
    counted = b"".join(name.encode() + value for name, value in got.items() if name not in UNCOUNTED)
    return asked == crc32(counted)


def cached(link):
    """With a cache that is up to date PARAM_SET of the hash ends the list."""
    link.mav.param_request_list_send(1, 1)
    expect(link, "PARAM_VALUE", lambda m: m.param_id == "_HASH_CHECK", 3)
    link.mav.param_set_send(1, 1, b"_HASH_CHECK", 0.0, A.MAV_PARAM_TYPE_UINT32)
    expect(link, "PARAM_ERROR", timeout=3)
    return link.recv_match(type="PARAM_VALUE", blocking=True, timeout=0.3)


def plan(kind):
    """A download with retries as both do it: (count, items)."""
    def step(link):
        link.mav.mission_request_list_send(1, 1, kind)
        count = expect(link, "MISSION_COUNT", lambda m: m.mission_type == kind, 1.5).count
        items = []
        for seq in range(count):
            link.mav.mission_request_int_send(1, 1, seq, kind)
            items.append(expect(link, "MISSION_ITEM_INT", lambda m, seq=seq: m.seq == seq, 1))
        link.mav.mission_ack_send(1, 1, A.MAV_MISSION_ACCEPTED, kind)
        return count, items
    return step


class Station:
    """It speaks as 255/190 on both links, with a HEARTBEAT a second, and commands on the first."""

    def __init__(self, drone):
        mavutil.set_dialect("all")
        self.links = [mavutil.mavlink_connection(url, source_system=255, source_component=190)
                      for url in (f"udpin:127.0.0.1:{drone.udp_out}", f"tcp:127.0.0.1:{drone.tcp}")]
        self.first, self.second = self.links
        self.texts, self.over = [], threading.Event()
        self.first.message_hooks.append(
            lambda _, m: self.texts.append(m.text) if m.get_type() == "STATUSTEXT" else None)
        for link in self.links:     # a UDP link has no peer before it is heard
            assert link.wait_heartbeat(timeout=SLOW) is not None
        self.thread = threading.Thread(target=self.beat)
        self.thread.start()

    def beat(self):
        while not self.over.wait(1.0):
            for link in self.links:
                link.write(A.MAVLink_heartbeat_message(A.MAV_TYPE_GCS, A.MAV_AUTOPILOT_INVALID, 0, 0, A.MAV_STATE_ACTIVE, 3)
                           .pack(A.MAVLink(None, srcSystem=255, srcComponent=190)))

    def close(self):
        self.over.set()
        self.thread.join()
        for link in self.links:
            link.close()
        mavutil.set_dialect("ardupilotmega")

    def heartbeats(self, condition):
        """On both links: they show one vehicle."""
        for link in self.links:
            expect(link, "HEARTBEAT", lambda m: m.get_srcComponent() == 1 and condition(m), SLOW)

    def place(self, condition):
        return expect(self.first, "GLOBAL_POSITION_INT", condition, SLOW)

    def set(self, name, value, kind=A.MAV_PARAM_TYPE_REAL32):
        """PARAM_SET as a setup page does it: the value comes back on each link, in the parameter's own type."""
        as_float = value if kind == A.MAV_PARAM_TYPE_REAL32 else struct.unpack("<f", struct.pack("<i", value))[0]
        self.first.mav.param_set_send(1, 1, name.encode(), as_float, kind)
        want = struct.pack("<f" if kind == A.MAV_PARAM_TYPE_REAL32 else "<i", value)
        for link in self.links:
            expect(link, "PARAM_VALUE", lambda m: m.param_id == name and m.param_type == kind
                   and bytes(m.get_msgbuf()[10:14]).ljust(4, b"\0") == want, SLOW)
