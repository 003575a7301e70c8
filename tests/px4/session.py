# SPDX-License-Identifier: Apache-2.0
"""Sessions of build/conform with PX4's rules and physical motion, and the names that the recordings have for modes."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'ci'))
import recordings  # noqa: E402

HOME = (47.3977430, 8.5455940, 489.4)
# (main, sub) of px4_custom_mode. Names that PX4 never reports are those of requests.
MODES = {(1, 0): 'MANUAL', (2, 0): 'ALTCTL', (3, 0): 'POSCTL', (3, 1): 'ORBIT', (3, 2): 'SLOW', (4, 0): 'AUTO0', (4, 1): 'READY', (4, 2): 'TAKEOFF',
         (4, 3): 'LOITER', (4, 4): 'MISSION', (4, 5): 'RTL', (4, 6): 'LAND', (4, 7): 'RESERVED7', (4, 8): 'FOLLOW', (4, 9): 'PRECLAND',
         (4, 10): 'VTOL_TO', (4, 11): 'EXT1', (4, 18): 'EXT8', (4, 99): 'AUTO99', (5, 0): 'ACRO', (6, 0): 'OFFBOARD', (7, 0): 'STAB', (8, 0): 'RATT',
         (9, 0): 'SIMPLE', (11, 0): 'ALT_CRUISE', (0, 0): 'MAIN0', (13, 0): 'MAIN13', (99, 0): 'MAIN99'}
NUMBERS = {name: pair for pair, name in MODES.items()}
BEAT = 'send 0 HEARTBEAT type=6 autopilot=8 mavlink_version=3'
TEXT_BYTES = 50  # of a chunk of STATUSTEXT


def number(value):
    return 'nan' if value is None else repr(value)


def mode_name(custom):
    return MODES.get((custom >> 16 & 255, custom >> 24), str(custom))


def head():
    return [f'set home.lat={HOME[0]}', f'set home.lon={HOME[1]}', f'set home.alt={HOME[2]}', 'set geoid=constant:0', 'set px4_strict=1',
            'set statustext_gcs_only=1', 'set motion=physics', 'set start_grid_us=0', 'boot', 'open 0 px4', 'from 255 190 2']


def wait(seconds):
    """A ground station's HEARTBEAT each second"""
    lines = []
    while seconds > 0:
        lines += [BEAT, f'run {min(1, seconds)}']
        seconds -= 1
    return lines


def item(command, north_m=0.0, up_m=0.0, frame=3, params=(0, 0, 0, None), place=True):
    """A mission item in the form of the recordings, at a place north of home"""
    return {'cmd': command, 'frame': frame, 'ac': 1, 'p': list(params), 'x': 473977430 + round(north_m / 0.0111195) if place else 0,
            'y': 85455940 if place else 0, 'z': up_m}


def upload(items, current=0):
    """current: the item that is marked, None: none is"""
    lines = [f'send 0 MISSION_COUNT count={len(items)}']
    for seq, one in enumerate(items):
        p = [number(v) for v in one['p']] + ['0'] * 4
        lines.append(f'send 0 MISSION_ITEM_INT seq={seq} command={one["cmd"]} frame={one["frame"]} current={int(seq == current)} '
                     f'autocontinue={one["ac"]} param1={p[0]} param2={p[1]} param3={p[2]} param4={p[3]} '
                     f'x={int(one["x"] or 0)} y={int(one["y"] or 0)} z={number(one["z"])}')
    return lines


def command(number_, *params):
    p = [number(v) for v in params] + ['0'] * (7 - len(params))
    return f'send 0 COMMAND_LONG command={number_} ' + ' '.join(f'param{i + 1}={v}' for i, v in enumerate(p))


def choose(mode):
    return command(176, 1, *NUMBERS[mode])


def take_off(up_m=20):
    """Up, and a Hold there"""
    return [command(400, 1), command(22, 0, 0, 0, None, None, None, HOME[2] + up_m), *wait(up_m)]


def text_of(fields):
    return fields['text'].rstrip(b'\0').decode(errors='replace').strip()


class Conform:
    def __init__(self, build):
        self.program = os.path.join(build, 'conform')
        self.messages = recordings.read_messages(os.path.join(build, 'tests/unit/mavlink/dump_table'))

    def run(self, lines):
        """[(t_s, name, {field: value})] of the messages that the vehicle sends"""
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
