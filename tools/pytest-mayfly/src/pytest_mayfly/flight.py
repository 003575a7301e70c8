# SPDX-License-Identifier: Apache-2.0
"""Orders to a drone, and waits for what comes of them, in vehicle time."""
from __future__ import annotations

import contextlib
import math
import os
import pathlib
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from .api import Event, EventStream, MayflyCrash, MayflyError, MayflyRefused, MayflyTimeout

__tracebackhide__ = True    # pytest shows the line of the test, not those of this file

if TYPE_CHECKING:
    from .drone import Drone

# Clocks on which an idle vehicle's time, too, passes as fast as the machine can, up to an instant that a controller names.
JUMPING = ("event", "fast", "lockstep")
# Time-outs without a number [s of vehicle time], on these clocks and on others.
JUMPING_S, REAL_S = 3600.0, 60.0
# Without a known event ahead, a wait looks after 0.1 s of vehicle time, then after twice as long, at most so long [s].
FIRST_STEP_S, LONGEST_STEP_S = 0.1, 10.0
TAIL_EVENTS = 20
ACCEPTED, IN_PROGRESS = 0, 5        # MAV_RESULT
NAV_WAYPOINT, RELATIVE = 16, 3      # MAV_CMD, MAV_FRAME
# Of WGS84: semi-major axis [m], first eccentricity squared.
AXIS_M, ECCENTRICITY2 = 6378137.0, 0.00669437999014


def metres_per_degree(lat_deg: float) -> tuple[float, float]:
    """Of latitude and of longitude, on the ellipsoid at this latitude."""
    flat = 1 - ECCENTRICITY2 * math.sin(math.radians(lat_deg)) ** 2
    meridian, normal = AXIS_M * (1 - ECCENTRICITY2) / flat ** 1.5, AXIS_M / math.sqrt(flat)
    return math.radians(meridian), math.radians(normal * math.cos(math.radians(lat_deg)))


def distance_between(a: Sequence[float], b: Sequence[float]) -> float:
    """Between places (lat_deg, lon_deg[, alt_m]) a few kilometres apart [m]: slant if both have an altitude, else over ground."""
    north_m, east_m = metres_per_degree((a[0] + b[0]) / 2)
    up_m = a[2] - b[2] if len(a) > 2 and len(b) > 2 else 0.0
    return math.hypot((a[0] - b[0]) * north_m, (a[1] - b[1]) * east_m, up_m)


def item_of(item: Any) -> Any:
    """An item as PUT /v1/mission takes it; (lat_deg, lon_deg, alt_m) is a waypoint above home."""
    if isinstance(item, Mapping):
        return {"param": [0, 0, 0, None], "frame": RELATIVE, **item}
    lat_deg, lon_deg, alt_m = item
    return {"command": NAV_WAYPOINT, "frame": RELATIVE, "param": [0, 0, 0, None], "lat_deg": lat_deg, "lon_deg": lon_deg, "alt_m": alt_m}


class Flight:
    """The part of a Drone that flies and waits. All `timeout_s` are vehicle time; None: an hour on the clocks event, fast and
    lockstep, a minute on real. A wait lets vehicle time pass on these clocks also while the vehicle is idle, from one known
    event to the next. If time stood before a wait, it stands after it."""

    _next_event = 0                 # of the stream, behind the last one that was returned, or of the last order

    # ---- orders

    def order(self: Drone, what: Union[str, int], **members: Any) -> dict[str, Any]:
        """An action of POST /v1/commands (docs/api.md), order("hold"), or a MAV_CMD, order(178, param2=5). Returns the answer.
        Raises MayflyRefused if the vehicle refuses, or accepts and says why it does not fly there. Events that the order brings
        are what wait_event() looks at from now on."""
        body = {"action": what} if isinstance(what, str) else {"command": int(what)}
        body.update((name, value) for name, value in members.items() if value is not None)
        stream = self._streaming()
        with stream.changed:
            before = len(stream.events)
        answer: dict[str, Any] = self.api("POST", "/v1/commands", body)
        number = answer["command"]
        index = stream.wait_for(lambda event: event.matches("command", {"command": number}), before, self.timeout_s)
        if index is not None:
            self._next_event = max(self._next_event, stream.first_of_instant(index))
        if answer["result"] not in (ACCEPTED, IN_PROGRESS) or answer["reason"]:
            raise MayflyRefused(f"{self.name}: {what}: {answer['name']}: {answer['reason'] or 'without a reason'}", answer)
        return answer

    def arm(self: Drone) -> None:
        """Arms. Raises MayflyRefused with the vehicle's reason."""
        self.order("arm")

    def disarm(self: Drone) -> None:
        """Disarms, on the ground."""
        self.order("disarm")

    def takeoff(self: Drone, alt_m: Optional[float] = None, *, wait: bool = True, timeout_s: Optional[float] = None) -> None:
        """Takes off to an altitude above home [m], or to MIS_TAKEOFF_ALT; arms before that, if it is not armed. Returns when it
        holds there; with wait=False at once. Raises MayflyError if another mode ends the climb."""
        if not self.vehicle()["armed"]:
            self.arm()
        self.order("takeoff", alt_m=alt_m)
        if wait:
            left = self._await_event("mode", lambda event: event["mode"] != "Takeoff", timeout_s, "end of the take-off")
            self._expect_mode(str(left["mode"]), "Hold", "takeoff", left.vehicle_time_s)

    def goto(self: Drone, lat_deg: float, lon_deg: float, alt_m: Optional[float] = None, *, heading_deg: Optional[float] = None,
             speed_mps: Optional[float] = None, within_m: float = 1.0, wait: bool = True, timeout_s: Optional[float] = None) -> None:
        """Flies to a place, at an altitude above home [m] or the present one. Returns when its own position is nearer than
        within_m and it is slower than 1 m/s; with wait=False at once. Raises MayflyRefused, also for a place outside the
        geofence, which PX4 accepts and does not fly to; MayflyError if another mode ends the flight."""
        self.order("goto", lat_deg=lat_deg, lon_deg=lon_deg, alt_m=alt_m, heading_deg=heading_deg, speed_mps=speed_mps)
        if not wait:
            return
        home_m = self.vehicle()["home"]["alt_amsl_m"]
        target = (lat_deg, lon_deg) if alt_m is None else (lat_deg, lon_deg, home_m + alt_m)

        def there(state: dict[str, Any]) -> bool:
            self._expect_mode(state["mode"], "Hold", "goto", state["vehicle_time_s"])
            at = state["position"]
            return (at is not None and math.hypot(*at["vel_ned_mps"]) < 1
                    and distance_between((at["lat_deg"], at["lon_deg"], at["alt_amsl_m"]), target) <= within_m)

        self.wait_until(there, timeout_s=timeout_s, step_s=5, what=f"arrival at {lat_deg}, {lon_deg}")

    def land(self: Drone, *, wait: bool = True, timeout_s: Optional[float] = None) -> None:
        """Lands where it is. Returns when it has disarmed itself; with wait=False at once."""
        self._descend("land", wait, timeout_s)

    def return_home(self: Drone, *, wait: bool = True, timeout_s: Optional[float] = None) -> None:
        """Returns and lands. Returns when it has disarmed itself; with wait=False at once."""
        self._descend("return", wait, timeout_s)

    def _descend(self: Drone, action: str, wait: bool, timeout_s: Optional[float]) -> None:
        self.order(action)
        if wait and self.vehicle()["armed"]:
            self._await_event("armed", lambda event: not event["armed"], timeout_s, f"end of {action}")

    def upload(self: Drone, plan: Any) -> dict[str, Any]:
        """Replaces the mission. A plan is the path of a .plan or of a waypoint file, the text of one (which has a line break or
        begins with a brace), a .plan as a dict, or a list of items: (lat_deg, lon_deg, alt_m above home) for a waypoint, or
        dicts as GET /v1/mission has them. Returns the API's answer. Raises MayflyError, which names the wrong item."""
        is_text = isinstance(plan, str) and ("\n" in plan or plan.lstrip().startswith("{"))
        if isinstance(plan, os.PathLike) or (isinstance(plan, str) and not is_text):
            try:
                plan = pathlib.Path(plan).read_bytes()
            except OSError as error:
                raise MayflyError(f"{self.name}: upload: {plan}: {error.strerror}") from None
        elif not is_text and not isinstance(plan, (bytes, Mapping)):
            plan = {"items": [{"seq": number, **item_of(item)} for number, item in enumerate(plan)]}
        return dict(self.api("PUT", "/v1/mission", plan))

    def start_mission(self: Drone) -> None:
        """Arms and flies the mission from its first item. Raises MayflyRefused, also if the mission cannot be flown."""
        self.order("start_mission")

    def param(self: Drone, name: str) -> Any:
        """The value of a parameter."""
        return self.api("GET", f"/v1/parameters/{name}")["value"]

    def set_param(self: Drone, name: str, value: float) -> None:
        """Sets a parameter. Raises MayflyError if it is unknown, or out of its range."""
        self.api("PUT", f"/v1/parameters/{name}", {"value": value})

    # ---- places

    def place(self: Drone, north_m: float, east_m: float) -> tuple[float, float]:
        """(lat_deg, lon_deg) of a place a few kilometres from home at most."""
        home = self.vehicle()["home"]
        north, east = metres_per_degree(home["lat_deg"])
        return home["lat_deg"] + north_m / north, home["lon_deg"] + east_m / east

    def distance_m(self: Drone, to: Union[Drone, Sequence[float], None] = None) -> float:
        """Between the true positions of two drones, or over ground to a place (lat_deg, lon_deg); None: to home."""
        here = self._true_place()
        if to is None:
            home = self.vehicle()["home"]
            return distance_between(here, (home["lat_deg"], home["lon_deg"]))
        return distance_between(here, to._true_place() if isinstance(to, Flight) else to)

    def _true_place(self: Drone) -> tuple[float, float, float]:
        truth = self.vehicle()["truth"]
        return truth["lat_deg"], truth["lon_deg"], truth["alt_amsl_m"]

    # ---- waits

    def wait_event(self: Drone, name: str, *, timeout_s: Optional[float] = None, after: Union[Event, int, None] = None,
                   accept: Callable[[Event], bool] = lambda event: True, advance: bool = True, **members: Any) -> Event:
        """The next event of that name with these members: wait_event("waypoint", item=3), wait_event("landed",
        landed_state="on_ground"). The first call looks at all since the start, each further one at those after the event that
        the last one returned, and after the last order: nothing between two calls is missed. `after` looks elsewhere: behind an
        event, or its id; 0: from the start. advance=False: time passes as it does without the wait, for a client that acts
        meanwhile. Raises MayflyTimeout after so much vehicle time, and MayflyCrash if the drone dies."""
        if "timeout" in members:     # no event has such a member: the wait would never end well
            raise TypeError(f"wait_event() takes no timeout: write timeout_s={members['timeout']!r}")
        stream = self._streaming()
        start = self._next_event
        if after is not None:
            number = after.id if isinstance(after, Event) else after
            with stream.changed:
                start = sum(1 for event in stream.events if event.id <= number)

        def wanted(event: Event) -> bool:
            return event.matches(name, members) and accept(event)

        index = self._find(wanted, start, timeout_s, f"event {name} {members or ''}".rstrip(), advance)
        self._next_event = index + 1
        return stream.events[index]

    def wait_mode(self: Drone, mode: str, *, timeout_s: Optional[float] = None) -> float:
        """Until it is in a mode (docs/modes.md), or was since the last order. Returns the vehicle time [s]."""
        state = self.vehicle()
        if state["mode"] == mode:
            return float(state["vehicle_time_s"])
        return self.wait_event("mode", mode=mode, timeout_s=timeout_s).vehicle_time_s

    def wait_reached(self: Drone, item: int, *, timeout_s: Optional[float] = None, after: Union[Event, int, None] = None) -> float:
        """Until it has reached an item of the mission, from 0. Returns the vehicle time of that [s]."""
        return self.wait_event("waypoint", item=item, timeout_s=timeout_s, after=after).vehicle_time_s

    def wait_until(self: Drone, condition: Callable[[dict[str, Any]], Any], *, timeout_s: Optional[float] = None, step_s: float = 1.0,
                   what: str = "such state") -> dict[str, Any]:
        """Until condition(vehicle()) is true, which is asked after each known event, and every step_s of vehicle time at least.
        Returns that state. Raises MayflyTimeout."""
        with self._passing(timeout_s, True) as passing:
            while True:
                state = self.vehicle()
                if condition(state):
                    return state
                if not passing.go_on(step_s):
                    raise self._missing(what, passing.timeout_s, self._next_event)

    def _await_event(self: Drone, name: str, accept: Callable[[Event], bool], timeout_s: Optional[float], what: str) -> Event:
        """Waits for what an order leads to; events on the way stay for wait_event()."""
        index = self._find(lambda event: event.name == name and accept(event), self._next_event, timeout_s, what, True)
        return self._streaming().events[index]

    def _find(self: Drone, wanted: Callable[[Event], bool], start: int, timeout_s: Optional[float], what: str, advance: bool) -> int:
        """The index of the first wanted event of the stream from `start` on."""
        stream = self._streaming()
        index = stream.wait_for(wanted, start, 0)
        if index is not None:
            return index
        limit_s = timeout_s
        with contextlib.suppress(MayflyCrash), self._passing(timeout_s, advance) as passing:
            limit_s, step_s = passing.timeout_s, FIRST_STEP_S
            while True:
                index = stream.wait_for(wanted, start, passing.patience_s)
                if index is not None:
                    return index
                if stream.ended or not passing.go_on(step_s, True):
                    break
                step_s = min(step_s * 2, LONGEST_STEP_S)
        with stream.changed:
            before = [event for event in stream.events[:start] if wanted(event)]
        raise self._missing(what, limit_s or 0.0, start, before[-1] if before else None)

    def _expect_mode(self: Drone, mode: str, wanted: str, order: str, at_s: float) -> None:
        if mode != wanted:
            texts = [f"  {event.vehicle_time_s:.3f} {event['text']}" for event in self.events("statustext")[-4:]]
            raise MayflyError("\n".join([f"{self.name}: {order}: ended by mode {mode} at {at_s:.6f} s", *texts]))

    def _missing(self: Drone, what: str, timeout_s: float, start: int, before: Optional[Event] = None) -> MayflyError:
        """What did not come, and what came instead from an event of the stream on."""
        stream = self._streaming()
        with stream.changed:
            seen = [f"  {e.vehicle_time_s:.3f} {e.name} {e.data}" for e in stream.events[start:] if e.name != "clock"]
        text = "\n".join(["seen instead:" if seen else "nothing else was seen", *seen[-TAIL_EVENTS:]]) + self.log_end
        if before:
            text = (f"but it came at {before.vehicle_time_s:.6f} s, before the event that wait_event() returned last, or the last "
                    f"order: wait for them in their order, or say after=0\n{text}")
        if stream.lost:
            text = f"{stream.lost} events came faster than they were read, and are lost\n{text}"
        if not self.running:
            return MayflyCrash(f"{self.crash or self.name + ' has ended'}: no {what}\n{text}")
        return MayflyTimeout(f"{self.name}: no {what} within {timeout_s:g} s of vehicle time\n{text}")

    @contextlib.contextmanager
    def _passing(self: Drone, timeout_s: Optional[float], advance: bool) -> Iterator[Passing]:
        """Vehicle time while a test waits: driven if the clock can jump, or time stands; else as it passes by itself."""
        clock = self.clock()
        stood = clock["action"] == "hold"
        driven = stood or (advance and clock["mode"] in JUMPING)
        if timeout_s is None:
            timeout_s = JUMPING_S if clock["mode"] in JUMPING else REAL_S
        now_s = self.hold() if driven else float(clock["vehicle_time_s"])
        try:
            yield Passing(self, now_s + timeout_s, timeout_s, driven, clock)
        finally:
            if driven and not stood and self.running:
                self.resume()


class Passing:
    """Vehicle time up to the end of a time-out.

    patience_s: how long to look for an event of an instant before time goes on [s of the wall]
    """

    WALL_S = 60.0       # beyond what the vehicle time needs, before a wait gives up on a clock that does not pass
    LOOK_S = 0.02

    def __init__(self, drone: Drone, end_s: float, timeout_s: float, driven: bool, clock: Mapping[str, Any]):
        self.drone, self.end_s, self.timeout_s, self.driven = drone, end_s, timeout_s, driven
        self.patience_s = 0.0 if driven else self.LOOK_S
        rate = float(clock.get("rate") or 1.0) if clock["mode"] == "real" else 1.0
        self._wall_end_s = time.monotonic() + self.WALL_S + timeout_s / min(rate, 1.0)

    def go_on(self, longest_s: float, leaps: bool = False) -> bool:
        """Lets time pass up to the next known event, `longest_s` at most; leaps: as far as a known event is. Returns False once
        the time-out is over."""
        clock = self.drone.clock()
        now_s, next_s = float(clock["vehicle_time_s"]), clock["next_event_s"]
        if now_s >= self.end_s or time.monotonic() > self._wall_end_s:
            return False
        if not self.driven:
            time.sleep(self.LOOK_S)
        else:
            known = next_s is not None and now_s < next_s <= (self.end_s if leaps else now_s + longest_s)
            self.drone.run(until_s=min(self.end_s, next_s if known else now_s + longest_s))
        return True
