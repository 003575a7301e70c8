#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity.py BUILD DATA [-v] [NAME ...]: what a real PX4 did with missions and commands, and what Mayfly does with the same.

DATA has recorded facts in px4_missions/ and px4_commands/. Each mission and command goes through BUILD/conform with PX4's rules and
physical motion.
"""
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'ci'))
import recordings  # noqa: E402

HOME = (47.3977430, 8.5455940, 489.4)
MODES = {(1, 0): 'MANUAL', (2, 0): 'ALTCTL', (3, 0): 'POSCTL', (3, 1): 'ORBIT', (3, 2): 'SLOW', (4, 1): 'READY', (4, 2): 'TAKEOFF', (4, 3): 'LOITER',
         (4, 4): 'MISSION', (4, 5): 'RTL', (4, 6): 'LAND', (4, 8): 'FOLLOW', (4, 9): 'PRECLAND', (5, 0): 'ACRO', (6, 0): 'OFFBOARD', (7, 0): 'STABILIZED',
         (8, 0): 'RATTITUDE'}
# items that take no time: an ITEM_REACHED before one of them may be lost
INSTANT = {176, 177, 178, 179, 195, 196, 197, 201, 203, 205, 206, 1000, 2000, 2001, 2500, 2501, 183, 187, 189, 400, 420, 530, 531, 532, 534, 206, 4501}
SLACK_S, SLACK = 2.0, 0.05


def number(value):
    return 'nan' if value is None else repr(value)


def mode_name(custom):
    return MODES.get((custom >> 16 & 255, custom >> 24), str(custom))


def head():
    return [f'set home.lat={HOME[0]}', f'set home.lon={HOME[1]}', f'set home.alt={HOME[2]}', 'set geoid=constant:0', 'set px4_strict=1', 'set statustext_gcs_only=1',
            'set motion=physics', 'set start_grid_us=0', 'boot', 'open 0 px4', 'from 255 190 2']


def wait(seconds):
    """A ground station's HEARTBEAT each second"""
    lines = []
    while seconds > 0:
        lines += ['send 0 HEARTBEAT type=6 autopilot=8 mavlink_version=3', f'run {min(1, seconds)}']
        seconds -= 1
    return lines


def upload(items):
    lines = [f'send 0 MISSION_COUNT count={len(items)}']
    for seq, item in enumerate(items):
        p = [number(v) for v in item['p']] + ['0'] * 4
        lines.append(f'send 0 MISSION_ITEM_INT seq={seq} command={item["cmd"]} frame={item["frame"]} current={int(seq == 0)} autocontinue={item["ac"]} '
                     f'param1={p[0]} param2={p[1]} param3={p[2]} param4={p[3]} x={int(item["x"] or 0)} y={int(item["y"] or 0)} z={number(item["z"])}')
    return lines


class Conform:
    def __init__(self, build):
        self.program = os.path.join(build, 'conform')
        self.messages = recordings.read_messages(os.path.join(build, 'tests/unit/mavlink/dump_table'))

    def run(self, lines):
        """[(t_s, name, {field: value})] of what the vehicle sends"""
        with tempfile.TemporaryDirectory() as folder:
            script, out = os.path.join(folder, 's.txt'), os.path.join(folder, 'o.mfr')
            with open(script, 'w', encoding='ascii') as f:
                f.write('\n'.join(lines) + '\n')
            done = subprocess.run([self.program, '--quiet', '--out', out, script], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(done.stderr + '\n'.join(lines[:40]))
            t_us, sent = 0, []
            for kind, payload in recordings.records(out):
                if kind == 5:
                    t_us = int.from_bytes(payload[:8], 'little', signed=True)
                elif kind == recordings.OUT:
                    frame = recordings.Frame(payload[2:], self.messages)
                    sent.append((t_us / 1e6, frame.name, dict(zip(frame.fields, frame.values))))
            return sent


# ---------------------------------------------------------------- missions

def facts_of_px4(recorded):
    """Of a recorded flight: answers, events with their times, the end"""
    out = {'ack': None, 'start': None, 'events': [], 'texts': [], 'end': None}
    begun = None
    armed = mode = None
    for e in recorded:
        if e['m'] == 'UPLOADED':
            out['ack'] = e['ack']
        elif e['m'] == 'START':
            out['start'], begun = e['result'], e['t']
        elif e['m'] == 'END':
            out['end'] = (bool(e['base'] & 128), mode_name(e['custom']), e['landed'])
            out['since'] = e['since']
        if begun is None:
            if e['m'] == 'CURRENT_MODE':
                mode = e['custom']
            continue
        t = e['t'] - begun
        if e['m'] == 'MISSION_ITEM_REACHED':
            out['events'].append((t, 'item', e['seq']))
        elif e['m'] == 'CURRENT_MODE' and e['custom'] != mode:
            mode = e['custom']
            out['events'].append((t, 'mode', mode_name(mode)))
        elif e['m'] == 'HEARTBEAT' and bool(e['base'] & 128) != armed:
            armed = bool(e['base'] & 128)
            out['events'].append((t, 'armed', armed))
        elif e['m'] == 'STATUSTEXT':
            out['texts'].append((t, e['text'].strip()))
    return out


def facts_of_mayfly(sent, started_s):
    out = {'ack': None, 'start': None, 'events': [], 'texts': [], 'end': None}
    armed = False
    mode = landed = None
    for t, name, f in sent:
        if name == 'MISSION_ACK' and out['ack'] is None:
            out['ack'] = f['type']
        elif name == 'COMMAND_ACK' and f['command'] == 300 and f['result'] != 5:
            out['start'] = f['result']
        since = t - started_s
        if name == 'CURRENT_MODE' and f['custom_mode'] != mode:
            mode = f['custom_mode']
            if since >= 0:
                out['events'].append((since, 'mode', mode_name(mode)))
        elif name == 'EXTENDED_SYS_STATE':
            landed = f['landed_state']
        if since < 0:
            continue
        if name == 'MISSION_ITEM_REACHED':
            if ('item', f['seq']) != out['events'][-1][1:] if out['events'] else True:
                out['events'].append((since, 'item', f['seq']))
        elif name == 'HEARTBEAT' and bool(f['base_mode'] & 128) != armed:
            armed = bool(f['base_mode'] & 128)
            out['events'].append((since, 'armed', armed))
        elif name == 'STATUSTEXT':
            out['texts'].append((since, f['text'].rstrip(b'\0').decode(errors='replace').strip()))
    out['end'] = (armed, mode_name(mode or 0), landed)
    return out


def settle(events):
    """Events without repetitions of an item reached in a row"""
    kept = []
    for e in events:
        if not (e[1] == 'item' and any(k[1:] == e[1:] for k in kept[-1:])):
            kept.append(e)
    return kept


def fly(conform, mission):
    px4 = facts_of_px4(mission['px4'])
    lines = head() + wait(6) + upload(mission['items']) + wait(2)
    started = 8.0
    lines += ['send 0 COMMAND_LONG command=300'] + wait(int((px4.get('since') or 20) + 1))
    return px4, facts_of_mayfly(conform.run(lines), started)


def compare_mission(mission, px4, ours):
    """Classes of difference: (class, detail)"""
    found = []
    if px4['ack'] != ours['ack']:
        return [('upload', f'MISSION_ACK {px4["ack"]}, here {ours["ack"]}')]
    if px4['ack'] != 0:
        return []
    if px4['start'] != ours['start']:
        return [('start', f'MISSION_START {px4["start"]}, here {ours["start"]}')]
    if px4['start'] != 0:
        return []
    items = mission['items']
    lossy = {i for i in range(len(items) - 1) if items[i + 1]['cmd'] in INSTANT}
    def order(facts):
        return [e[1:] for e in settle(facts['events']) if not (e[1] == 'item' and e[2] in lossy)]
    a, b = order(px4), order(ours)
    def of(kind, events):
        return [e for e in events if e[0] == kind]
    for kind in ('item', 'mode', 'armed'):
        x, y = of(kind, a), of(kind, b)
        if x != y:
            found.append((f'events.{kind}', f'{[e[1] for e in x]}, here {[e[1] for e in y]}'))
    if px4['end'] != ours['end']:
        found.append(('end', f'{px4["end"]}, here {ours["end"]}'))
    if not found:
        times = [{e[2]: e[0] for e in facts['events'] if e[1] == 'item'} for facts in (px4, ours)]
        shared = sorted(set(times[0]) & set(times[1]))
        for i, j in zip(shared, shared[1:]):
            legs = [t[j] - t[i] for t in times]
            found.append(('leg', legs) if abs(legs[0] - legs[1]) <= max(SLACK_S, SLACK * legs[0]) else ('slow leg', f'{i} to {j}: {legs[0]:.1f} s, here {legs[1]:.1f} s'))
    return found


# ---------------------------------------------------------------- single items, commands, modes, intervals, requests

def take_off():
    """Up to 20 m, and a Hold there"""
    return ['send 0 COMMAND_LONG command=400 param1=1', f'send 0 COMMAND_LONG command=22 param4=nan param5=nan param6=nan param7={HOME[2] + 20}', *wait(20)]


def answer(sent, since, command):
    """(first result, all results, mode, armed, texts) of a command sent at a time"""
    acks = [f['result'] for t, name, f in sent if t >= since and name == 'COMMAND_ACK' and f['command'] == command]
    beats = [f for t, name, f in sent if name == 'HEARTBEAT']
    modes = [f['custom_mode'] for t, name, f in sent if name == 'CURRENT_MODE']
    texts = [f['text'].rstrip(b'\0').decode(errors='replace').strip() for t, name, f in sent if t >= since and name == 'STATUSTEXT']
    return acks, mode_name(modes[-1] if modes else beats[-1]['custom_mode']), bool(beats[-1]['base_mode'] & 128), texts


def joined(texts):
    """Texts without what differs by nature: a log's name; of 50 characters a chunk"""
    return [t.strip() for t in texts if 'logger' not in t and 'Preflight' not in t and not t.startswith('Compass')]


def one_accept(conform, e):
    place = e['frame'] != 2
    item = {'cmd': e['cmd'], 'frame': e['frame'], 'ac': 1, 'p': [0, 0, 0, 0], 'x': 473980000 if place else 0, 'y': 85457000 if place else 0,
            'z': 510 if e['frame'] == 0 else 20 if place else 0}
    first = {'cmd': 22, 'frame': 3, 'ac': 1, 'p': [0, 0, 0, None], 'x': 473977430, 'y': 85455940, 'z': 10}
    sent = conform.run(head() + wait(2) + upload([first, item]) + wait(1))
    acks = [f['type'] for _, name, f in sent if name == 'MISSION_ACK']
    return [] if acks[:1] == [e['ack']] else [('accept', f'command {e["cmd"]} frame {e["frame"]}: MISSION_ACK {e["ack"]}, here {acks[:1]}')]


def one_command(conform, e, air):
    p = [number(v) for v in e['p']] + ['0'] * (7 - len(e['p']))
    fields = ' '.join(f'param{i + 1}={v}' for i, v in enumerate(p))
    before = head() + wait(6) + (take_off() if air else [])
    since = 26.0 if air else 6.0
    sent = conform.run(before + [f'send 0 COMMAND_LONG command={e["cmd"]} {fields}'] + wait(2))
    acks, mode, armed, texts = answer(sent, since, e['cmd'])
    name = f'{"air" if air else "ground"} {e["cmd"]} {e["p"]}'
    found = []
    if (e['acks'][-1:] or [None]) != (acks[-1:] or [None]) or (e['ack'] != (acks or [None])[0]):
        found.append(('command.ack', f'{name}: {e["acks"]}, here {acks}'))
    elif len(e['acks']) != len(acks):
        found.append(('command.acks', f'{name}: {e["acks"]}, here {acks}'))
    if (e['mode'], e['armed']) != (mode, armed):
        found.append(('command.state', f'{name}: {e["mode"]} {e["armed"]}, here {mode} {armed}'))
    if joined(e['texts']) != joined(texts):
        found.append(('command.text', f'{name}: {joined(e["texts"])}, here {joined(texts)}'))
    return found


def one_int(conform, e, air):
    before = head() + wait(6) + (take_off() if air else [])
    since = 26.0 if air else 6.0
    place = e['cmd'] in (192, 34, 195, 179, 22, 21)
    p1 = {192: 'param1=-1 param2=1 param4=nan', 400: 'param1=1', 512: 'param1=148', 178: 'param1=1 param2=4 param3=-1', 34: 'param1=20 param2=3'}.get(e['cmd'], '')
    x, y = (473979230, 85457270) if place else (0, 0)
    sent = conform.run(before + [f'send 0 COMMAND_INT command={e["cmd"]} frame={e["frame"]} {p1} x={x} y={y} z={e["z"]}'] + wait(2))
    acks, mode, armed, _ = answer(sent, since, e['cmd'])
    name = f'{"air" if air else "ground"} {e["cmd"]} frame {e["frame"]} z {e["z"]}'
    if acks[:1] != [e['ack']]:
        return [('command_int', f'{name}: {e["ack"]}, here {acks}')]
    return [] if (mode, armed) == (e['mode'], e['armed']) else [('command_int.state', f'{name}: {e["mode"]} {e["armed"]}, here {mode} {armed}')]


def one_interval(conform, number_, e):
    sent = conform.run(head() + wait(3) + [f'send 0 COMMAND_LONG command=511 param1={number_} param2=1000000', 'run 0.5',
                                           f'send 0 MESSAGE_INTERVAL message_id={number_}', f'send 0 COMMAND_LONG command=510 param1={number_}', 'run 0.5'])
    acks = [f['result'] for _, name, f in sent if name == 'COMMAND_ACK' and f['command'] == 511]
    told = [f['interval_us'] for _, name, f in sent if name == 'MESSAGE_INTERVAL' and f['message_id'] == number_]
    return [] if acks[:1] == [e['set']] else [('interval', f'message {number_}: {e["set"]}, {e["interval"]}, here {acks[:1]}, {told[-1:]}')]


def one_request(conform, number_, e):
    sent = conform.run(head() + wait(3) + [f'send 0 COMMAND_LONG command=512 param1={number_}', 'run 1'])
    acks = [f['result'] for _, name, f in sent if name == 'COMMAND_ACK' and f['command'] == 512]
    return [] if acks[:1] == [e['req']] else [('request', f'message {number_}: {e["req"]}, here {acks[:1]}')]


MAIN = {name: pair for pair, name in MODES.items()}


def one_mode(conform, e, kind):
    """kind: in the air, sticks, mission loaded"""
    if e['from'] not in MAIN or e['to'] not in MAIN:
        return [('mode.unknown', str(e))]
    sticks = ['send 0 MANUAL_CONTROL target=1 x=0 y=0 z=500 r=0'] if kind[1] == '1' else []
    square = [{'cmd': 16, 'frame': 3, 'ac': 1, 'p': [0, 0, 0, None], 'x': 473978000 + 2000 * i, 'y': 85456000, 'z': 20} for i in range(3)]
    lines = head() + wait(3) + (upload(square) if kind[2] == '1' else []) + wait(2) + (take_off() if kind[0] == '1' else [])
    def stick(seconds):
        return [line for _ in range(int(seconds * 10)) for line in sticks + ['run 0.1']] + wait(0)
    def ask(mode):
        return [f'send 0 COMMAND_LONG command=176 param1=1 param2={MAIN[mode][0]} param3={MAIN[mode][1]}']
    since = 5.0 + (20 if kind[0] == '1' else 0) + 2
    lines += stick(1) + ask(e['from']) + stick(1) + ask(e['to']) + stick(1.5)
    sent = conform.run(lines)
    acks, mode, _, texts = answer(sent, since - 0.001, 176)
    name = f'{kind} {e["from"]} to {e["to"]}'
    found = []
    if acks[:1] != [e['ack']] or mode != e['result']:
        found.append(('mode', f'{name}: {e["ack"]} {e["result"]}, here {acks} {mode}'))
    if joined(e['texts']) != joined(texts):
        found.append(('mode.text', f'{name}: {joined(e["texts"])}, here {joined(texts)}'))
    return found


def load(data, name):
    with open(os.path.join(data, 'px4_commands', name), encoding='utf-8') as f:
        return json.load(f)


def questions(data):
    """(function, arguments) for all that was asked of PX4 beside missions"""
    yield from ((one_accept, (e,)) for e in load(data, 'accept.json'))
    for air in (False, True):
        where = 'air' if air else 'ground'
        yield from ((one_command, (e, air)) for e in load(data, f'cmds_{where}.json'))
        yield from ((one_int, (e, air)) for e in load(data, f'cmdint_{where}.json'))
    yield from ((one_interval, (int(n), e)) for n, e in load(data, 'intervals.json').items())
    yield from ((one_request, (int(n), e)) for n, e in load(data, 'requests.json').items())
    for kind in ('000', '001', '101', '111'):
        yield from ((one_mode, (e, kind)) for e in load(data, f'modes_{kind}.json'))


def main():
    build, data = sys.argv[1:3]
    verbose = '-v' in sys.argv
    names = [a for a in sys.argv[3:] if a != '-v']
    conform = Conform(build)
    classes = collections.defaultdict(list)
    paths = [p for p in sorted(glob.glob(f'{data}/px4_missions/*.json')) if not names or os.path.basename(p)[:-5] in names]
    def one(path):
        with open(path, encoding='utf-8') as f:
            mission = json.load(f)
        px4, ours = fly(conform, mission)
        return mission, px4, ours
    legs = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for mission, px4, ours in pool.map(one, paths):
            for kind, detail in compare_mission(mission, px4, ours):
                if kind == 'leg':
                    legs += 1
                else:
                    classes[kind].append((mission['id'], detail))
            if verbose:
                for i, item in enumerate(mission['items']):
                    print('   ', i, item)
                for who, facts in (('px4', px4), ('mayfly', ours)):
                    print(who, 'ack', facts['ack'], 'start', facts['start'], 'end', facts['end'])
                    for e in sorted(facts['events'] + [(t, 'text', x) for t, x in facts['texts']], key=lambda e: e[0]):
                        print(f'    {e[0]:7.2f} {e[1]} {e[2]}')
    if not names:
        asked = list(questions(data))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for found in pool.map(lambda question: question[0](conform, *question[1]), asked):
                for kind, detail in found:
                    classes[kind].append(('', detail))
        print(f'{len(asked)} questions')
    print(f'{len(paths)} missions, {legs} legs alike')
    for kind, found in sorted(classes.items()):
        print(f'{kind}: {len(found)}')
        for name, detail in found:
            print(f'    {name}: {detail}')


if __name__ == '__main__':
    main()
