#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""requirements.py: writes docs/requirements.md, which test proves which requirement.

A test has the number of the requirement: in its name (test_sim016_...), in the comment or docstring that
goes with it, or beside the assertion (SIM-016, or a range: SIM-016 .. 018). A number that is not listed here fails.
"""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(TOP, 'docs', 'requirements.md')

# Where tests stand that prove something.
PROVING = ('tests', 'tools/mayfly-audit/tests')

# What each number asks, in short.
REQUIREMENTS = [
    ('Ensemble', [
        (1, 'everything runs on Kubernetes, no virtual machine, no bare metal'),
        (2, 'the resources of an instance share one identifier and can be watched and removed alone'),
        (3, 'the onboard software is a container of the instance'),
        (4, 'the simulators that the onboard software needs are containers of the instance'),
        (5, 'the onboard container gets its certificates at launch and authenticates with them'),
        (6, 'a strict maximum lifetime, after which everything is reclaimed'),
        (7, 'an instance can be ended at any time'),
        (8, 'instances are started and ended through the controller\'s API only'),
    ]),
    ('Emulator', [
        (9, 'no operating system or runtime of a vendor beneath'),
        (10, 'no physics engine of others'),
        (11, 'container image of at most 500 MB compressed'),
        (12, 'at most 0.25 CPU and 256 MB'),
        (13, 'accepts MAVLink within 1 s (+-0.5) of the container\'s start'),
    ]),
    ('MAVLink', [
        (14, 'inbound TCP and UDP on a configurable port'),
        (15, 'HEARTBEAT once a second: PX4, quadrotor'),
        (16, 'GLOBAL_POSITION_INT, 10 Hz by default, configurable'),
        (17, 'LOCAL_POSITION_NED, 10 Hz by default'),
        (18, 'ATTITUDE, 10 Hz by default'),
        (19, 'SYS_STATUS once a second, a battery that satisfies health checks'),
        (20, 'GPS_RAW_INT once a second, 3D fix, configurable satellites'),
        (21, 'EXTENDED_SYS_STATE with the landed state'),
        (22, 'HOME_POSITION when armed, at the place of take-off'),
        (23, 'MISSION_ITEM_REACHED at each waypoint'),
        (24, 'STATUSTEXT for arming, take-off, waypoints, landing, disarming'),
        (25, 'COMPONENT_ARM_DISARM, acknowledged'),
        (26, 'NAV_TAKEOFF: vertical climb to the commanded altitude'),
        (27, 'DO_REPOSITION: flight at constant speed to the target'),
        (28, 'NAV_RETURN_TO_LAUNCH: home, descent, landing'),
        (29, 'NAV_LAND: vertical descent to the ground'),
        (30, 'NAV_LOITER_UNLIM: hold until the next command'),
        (31, 'mission upload and execution in order'),
        (32, 'PARAM_REQUEST_READ is answered without error'),
        (33, 'SET_MODE and DO_SET_MODE to PX4\'s modes, seen in HEARTBEAT'),
        (34, 'PX4 main and sub mode in every HEARTBEAT'),
        (35, 'the mode of each phase of a flight'),
    ]),
    ('Motion', [
        (36, 'physics model with velocity, acceleration and jerk'),
        (37, 'constant speed, straight segments, no ramps'),
        (38, 'discrete events: time goes to the next event at once'),
    ]),
    ('Altitude', [
        (39, 'GPS_RAW_INT alt and alt_ellipsoid differ by the geoid\'s undulation'),
        (40, 'the geoid model is configurable, at least NAVD88 and EGM96'),
        (41, 'the model is the one that planning uses'),
    ]),
    ('Determinism', [
        (42, 'same initial conditions and commands, identical telemetry'),
        (43, 'no perturbation unless configured'),
    ]),
    ('Health and faults', [
        (44, 'armable on the ground when no fault is injected'),
        (45, 'GPS is good unless a fault says otherwise'),
        (46, 'faults from outside: at least GPS loss, low battery, geofence breach'),
        (47, 'a fault shows in the right message within one publish cycle'),
    ]),
    ('Client compatibility', [
        (48, 'the onboard software is audited for code that depends on accurate derivatives'),
        (49, 'the audit lists code paths and remedies, traceable to components'),
    ]),
]
# What swarms ask beside the requirements of one drone: features of published simulators, by the prefix of their rows; each row
# ends with what its tests compare with.
OTHERS = {
    'SBE': ('Swarms', [
        (1, 'a core of discrete events: a total order of time, member and sequence; cancel in O(log n); one hash for any number of threads'),
        (2, 'chance of its own for each member and purpose: another member changes no draw'),
        (3, 'timers: once, periodic, set anew, cancelled'),
        (4, 'a scenario as a file: counts, sensors, behaviours, properties, variations'),
        (5, 'bees as published: answers to a step of velocity by hand; the same orders with and without the firmware'),
        (6, 'sensors with noise: sigma 0 is exact, moments within 3 sigma'),
        (7, 'packet radio: free space, two rays, antennas, CC2420, reception by a table, compat: link budgets and PRR by hand'),
        (8, 'obstacles, contacts with them and among members, range: by hand'),
        (9, 'energy: a second of hover is 500 mA s; 125 bytes at 250 kb/s are 4 ms; currents of the data sheets'),
        (10, 'real time at a rate, late hosts caught up or not, pause and step'),
        (11, 'members whose state comes from outside: values by hand; a recording of what they said replays to the same bytes'),
        (12, 'members in real time on one core: limits of make bench above the published figures'),
        (13, 'rigid bodies: free fall, spin-up, precession, bounces within a millionth of closed forms; energy after 1000 s'),
        (14, 'boxes, spheres, cylinders, cones, hulls, meshes; rays as a look at each part finds them; contacts at the exact microsecond'),
        (15, 'layers: a raw body, a platform with equipment at an offset and pointing, simple locomotion: one behaviour on each'),
        (16, 'queries by type and id: in C and over the control API; a component that sleeps delays nothing'),
        (17, 'accelerometer, gyroscope, position, pose, contact, optical flow, camera, attributes, objects: by hand; the flow is v / h'),
        (18, "users' models without recompiling, parameters by name: a wrong type is refused with its key"),
        (19, 'mines and offices as obstacle files: seeded, closed, connected, drawn as SVG'),
        (20, 'ghosts by MAVLink, motion capture and the bus: extrapolated, held, lost, back; one client; sticks at 50 Hz; latency: by hand'),
        (21, 'radios of ghosts: a packet is heard here and there once, by its origin and number'),
        (22, 'a hive sends members out, recharges them and has 200 objects visited: each once, its pollen counted once'),
        (23, 'beacons: 5 of 5 walk up the gradient to an edge and return on two paths, 20 of 20 seeds; an overhead trace'),
        (24, 'programs of ROS: a MAVLink address for each vehicle, a bridge over the bus'),
    ]),
    'LDS': ('Worlds of cells: a grid simulator', [
        (1, 'a tick: controllers first, then drones by number: the order of Listing 4'),
        (2, 'a drone\'s tick: battery, messages, act, report, log; INFO_UPDATE before REQ_PATH: Listing 4'),
        (3, 'its JSON files with drones, sensors, actuators, tasks and cells, keys broken by line ends included: the scenario that they mean'),
        (4, 'a battery of 2,500 at 10 a move: 250 moves, then it cannot act'),
        (5, 'sensors by direction and range, each attribute reported once: Listing 8'),
        (6, 'actuators move attributes: nine packages on nine A'),
        (7, 'an ordered list of messages: add, remove, search by address'),
        (8, 'GOTO, FROMTO, CARRY, WAIT, GO HOME, priorities; a tracked task past its deadline is revoked and queued again: by hand'),
        (9, 'cost maps with four neighbours, -1 where no way leads: breadth-first search by hand'),
        (10, 'step mode with commands: state after it goes on'),
        (11, 'an effector, off by default: then each score is 1.0, Listing 6'),
        (12, 'trust by time and battery, with weights; the scheduler prefers drones that are trusted: Listing 7'),
        (13, 'the map as text: a golden one'),
        (14, 'less than 120 MB: 10 MB'),
        (15, 'chargers: at 20 % to the nearest free one, full after 20 ticks from 500 at 100 a tick'),
        (16, 'GRAB, DROP, ASSIGN, CHANGE; DROP where it may not: refused'),
        (17, 'sensors, actuators and battery matched to tasks: a task waits with its reason until a fit drone appears'),
        (18, 'a learned map: the first drone meets a hidden wall, the second plans around it: lengths by hand'),
        (19, 'several controllers, an operator, levels of autonomy: own tasks only, goto overrides, play resumes'),
        (20, 'typed contents of messages: the fields of each type'),
        (21, 'attributes of any name and type, a map in 3-D: a way over a wall'),
        (22, 'the three JSON files, a menu of scenarios, switches for log, step and display: Listings 1 to 5'),
        (23, 'weather, bird, cyberattack, network disruption: ticks by hand; off: each score is 1.0'),
        (24, 'package delivery and survey area: Listings 6, 7 and 8'),
    ]),
    'UAV': ('Search of an area: UavSim', [
        (1, 'environment, team, objects and plan, a step in the order of Algorithm 1: a trace'),
        (2, 'thrust and steps of Algorithms 2 and 3 with their quirks: energies and steps of Table III, Table VI'),
        (3, 'the same corrected: thrust within its limits, weight m g, by hand'),
        (4, 'squares of BCD: 256 as published, 289 that cover the area, by hand'),
        (5, 'AVBCD and BDBCD: energy and time rise from BCD over AVBCD to BDBCD, Table VI'),
        (6, 'the detection model, seeded: its probabilities by hand, frequencies within 3 sigma'),
        (7, 'part of the area that was seen: Table III, an exact union of polygons'),
        (8, 'precision, recall, F1 of each member and of all: the identity of F1, Tables I and III to V'),
        (9, 'plan, cost and detection as functions that a user replaces: the same figures'),
        (10, 'a video, and plots that can be switched off: frames by hand'),
        (11, 'steps a second: budgets'),
        (12, 'Tables IV and V as distributions: the published figures within 40 seeds'),
        (13, 'wind and obstacles: terminal speed by hand; a path through a box is flown around, or refused'),
        (14, 'objects by chance, evenly over a polygon: chi square'),
        (15, 'plan, cost and detection of users without recompiling, and from Python: the same figures'),
        (16, 'outputs that are not asked for cost nothing; the report with steps a second: Table VI'),
        (17, 'a path that leaves the boundary is refused; the published base drone forgets: traces'),
    ]),
    'GZ': ('Co-simulation', [
        (1, 'phase 1 never begins before all of phase 0 have ended'),
        (2, 'a client of gzuav runs unchanged, in both phases'),
        (3, 'positions are true to 1 mm'),
        (4, 'a packet of a tick arrives in it or later, once'),
        (5, 'unmodified programs in virtual time: the same bytes to and from the drone in each run, with pauses'),
        (6, 'several hosts: flat, two and three levels and any partition are one run'),
        (7, 'participants that are gone, late, silent or wrong: as configured'),
        (8, 'in batch and at a rate: the same run'),
        (9, 'transport time that is granted: the failsafe of a silent stream and of a link are those of real time'),
        (10, 'a program that cannot follow is refused by name before it starts'),
        (11, 'a thread that spins on the clock is moved on'),
        (12, 'contended locks, waitpid, fork, programs that start programs, a hundred threads'),
        (13, 'ns-3: ten nodes in one cell hear all; equal seeds, equal runs'),
        (14, 'ns-3: by Friis delivery ends at the computed range'),
        (15, 'sockets and flows over the network: what is received is what was sent, a stream complete in spite of losses'),
        (16, 'ns-3: a ground station is lost behind 300 m, and the failsafe follows, at the same instant in each run'),
        (17, 'without ns-3 the same file runs over the network that is built in'),
        (18, 'an observer that reads nothing, or is slow, changes nothing: same hash'),
        (19, 'a body with motors: free fall, hover, torque over inertia, terminal speed, half the step: closed forms'),
        (20, 'an independent autopilot flies it: within 0.5 m, a frame that is sent again is not stepped'),
        (21, 'wrong frames end who sends them and nobody else; any bytes: fuzzers'),
        (22, 'several hosts: the death of the root ends leaves'),
    ]),
    'UTM': ('Load of an airspace', [
        (1, 'members arrive and retire by a seeded Poisson process, each with its remote identification: moments and chi square by hand'),
    ]),
}
# Of text in lower case: an expression that begins with letters of one case is found in a tenth of the time.
OTHER_TAG = {prefix: re.compile(prefix.lower() + r'[-_]?(\d\d)(?!\d)') for prefix in OTHERS}
TAG = re.compile(r'sim[-_]?(0\d\d)(?!\d)(?:[\s_]*(?:\.\.|to)[\s_]*(?:sim[-_]?)?(0\d\d))?')
# A test begins at its name and ends where the next one begins; a comment right above it belongs to it.
TEST = {'.c': re.compile(r'^static void (test_\w+)\(void', re.M),
        '.py': re.compile(r'^\s*(?:async )?def (test_?\w*)\(', re.M)}


def sections():
    """[(title, [(id, what is required)])]"""
    found = [(title, [(f'SIM-{number:03d}', text) for number, text in rows]) for title, rows in REQUIREMENTS]
    return found + [(title, [(f'{prefix}-{number:02d}', text) for number, text in rows]) for prefix, (title, rows) in OTHERS.items()]


def numbers_in(text):
    text = text.lower()
    found = {f'{prefix}-{number}' for prefix, tag in OTHER_TAG.items() for number in tag.findall(text)}
    for first, last in TAG.findall(text):
        found.update(f'SIM-{number:03d}' for number in range(int(first), int(last or first) + 1))
    return found


def tests_of(path, text):
    """[(test, numbers)] of a file: the numbers in its name, its body, and the comment above it."""
    starts = list(TEST[os.path.splitext(path)[1]].finditer(text))
    begins = [text.rfind('\n/*', 0, m.start()) + 1 if text.endswith('*/\n', 0, m.start()) else m.start() for m in starts]
    found = []
    for match, begin, end in zip(starts, begins, begins[1:] + [len(text)]):
        body = text[begin:end].split('\nint main(')[0]
        numbers = numbers_in(body)
        if numbers:
            found.append((match[1], sorted(numbers)))
    return found


def collect():
    """{number: [(file, test)]}"""
    proofs = {}
    for folder, folders, names in (step for top in PROVING for step in os.walk(os.path.join(TOP, top))):
        folders.sort()
        for file in sorted(names):
            if file.endswith(('.c', '.py')):
                path = os.path.relpath(os.path.join(folder, file), TOP)
                with open(os.path.join(TOP, path), encoding='utf-8') as f:
                    for test, numbers in tests_of(path, f.read()):
                        for number in numbers:
                            proofs.setdefault(number, []).append((path, test))
    return proofs


def page(proofs):
    lines = ['<!-- SPDX-License-Identifier: Apache-2.0 -->',
             '<!-- Generated by ci/requirements.py from the names of the tests: `make docs`. Do not edit. -->',
             '# Requirements and the tests that prove them', '',
             'This page is for auditors: it names the tests that prove each requirement, with their files. In names of tests a number stands',
             "without its hyphen: `grep -riE 'sim[-_]?042' tests` finds every mention of SIM-042.", '']
    for title, rows in sections():
        lines += [f'## {title}', '', '| id | what is required | tests |', '|---|---|---|']
        for number, text in rows:
            tests = proofs.get(number, [])
            names = '<br>'.join(f'`{test}` ([{os.path.basename(path)}](../{path}))' for path, test in tests)
            lines.append(f'| {number} | {text} | {names or "none yet"} |')
        lines.append('')
    return '\n'.join(lines)


def main():
    proofs = collect()
    known = {number for _, rows in sections() for number, _ in rows}
    unknown = sorted(set(proofs) - known)
    for number in unknown:
        print(f'{number} is no requirement, but tests name it: {proofs[number]}')
    with open(PAGE, 'w', encoding='utf-8') as f:
        f.write(page(proofs))
    return 1 if unknown else 0


if __name__ == '__main__':
    sys.exit(main())
