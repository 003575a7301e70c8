#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recordings.py BUILD [--conform '[EMULATOR] PROGRAM'] [--update]: the same bytes as before (SIM-042).

Gives each session of tests/conform and each flight of tests/data/recordings to conform, and compares: the hash of a session with
tests/conform/expected, a flight with itself, byte for byte. Where a flight differs it says where first (build/replay), which
fields of which messages differ, how often and by how much at most. With --update the present output becomes what is expected: each
recording keeps its input and takes the new output. It showed that new sensors had changed three fields of two flights, and nine
commits rely on it when they say that no byte changed.
"""
import argparse
import collections
import glob
import os
import shlex
import struct
import subprocess
import sys

SESSIONS, EXPECTED, FLIGHTS = 'tests/conform', 'tests/conform/expected', 'tests/data/recordings'
PACKS = [word for pack in sorted(glob.glob(f'{FLIGHTS}/*.mfpk')) for word in ('--terrain', pack)]
OPEN, OUT = 7, 11
# Records that are calls of the vehicle: BOOT, STEP, OPEN, CLOSE, JUMP, END, FAULT. Between two of them order means nothing here.
CALLS = {4, 6, OPEN, 8, 9, 15, 17}
NAMES = {1: 'SETTING', 2: 'STORED', 3: 'HELD', 5: 'CLOCK', 10: 'IN', 12: 'REFUSED', 13: 'ROOM', 14: 'SAVED', 16: 'ARCHIVE'}
TYPES = {'uint8_t': 'B', 'int8_t': 'b', 'uint16_t': 'H', 'int16_t': 'h', 'uint32_t': 'I', 'int32_t': 'i', 'uint64_t': 'Q',
         'int64_t': 'q', 'float': 'f', 'char': 's'}
SIGNED, SIGNATURE_BYTES = 1, 13


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def read_messages(dump_table):
    """id: name, layout, names of fields, each once"""
    messages = {}
    for line in subprocess.run([dump_table], capture_output=True, text=True, check=True).stdout.splitlines():
        word = line.split()
        if word[0] == 'message':
            fields, layout = [], ['<']
            messages[int(word[1])] = (word[2], layout, fields)
        elif word[1] == 'char':
            layout.append(f'{word[3]}s')
            fields.append(word[2])
        else:
            layout.append(word[3] + TYPES[word[1]])
            fields += [word[2]] * int(word[3])
    return {number: (name, struct.Struct(''.join(layout)), fields) for number, (name, layout, fields) in messages.items()}


def records(path):
    """(type, payload) of each record, as docs/recording.md describes them"""
    with open(path, 'rb') as f:
        data = f.read()
    at = 8
    while at + 5 <= len(data):
        kind, n = struct.unpack_from('<BH', data, at)
        yield kind, data[at + 3:at + 3 + n]
        at += 5 + n


class Frame:
    def __init__(self, data, messages):
        v2 = data[0] == 0xFD
        self.head = (('version', data[0]), ('sequence number', data[4 if v2 else 2]), ('sender', data[5:7] if v2 else data[3:5]))
        number = int.from_bytes(data[7:10], 'little') if v2 else data[5]
        self.name, layout, self.fields = messages.get(number, (f'message {number}', None, []))
        payload = data[10:10 + data[1]] if v2 else data[6:6 + data[1]]
        self.values = layout.unpack(payload.ljust(layout.size, b'\0')[:layout.size]) if layout else (payload,)
        self.signature = data[-SIGNATURE_BYTES:] if v2 and data[2] & SIGNED else b''


def calls(path):
    """For each call of the vehicle: what came after it, by (type, link, message)"""
    groups = [collections.defaultdict(list)]
    for kind, payload in records(path):
        if kind in CALLS:
            groups.append(collections.defaultdict(list))
            groups[-1][(kind, 0, 0)].append(payload)
        elif kind == OUT:
            v2 = payload[2] == 0xFD
            groups[-1][(OUT, payload[:2], payload[9:12] if v2 else payload[7:8])].append(payload[2:])
        else:
            groups[-1][(kind, 0, 0)].append(payload)
    return groups


def compare_frames(was, now, messages, count, largest):
    a, b = Frame(was, messages), Frame(now, messages)
    before = sum(count.values())
    for (part, x), (_, y) in zip(a.head, b.head):
        if x != y:
            count[part] += 1
    for field, x, y in zip(a.fields or ['payload'] * len(a.values), a.values, b.values):
        if x != y and not (x != x and y != y):  # NaN
            name = f'{a.name}.{field}'
            count[name] += 1
            if isinstance(x, (int, float)):
                largest[name] = max(largest.get(name, 0.0), abs(x - y))
    if a.signature != b.signature:
        count['signature'] += 1
    if sum(count.values()) == before:
        count[f'{a.name} in length'] += 1


def changes(was, now, messages, largest):
    """How often which field differs, or which message is there in one recording only"""
    count = collections.Counter()
    old, new = calls(was), calls(now)
    if len(old) != len(new):
        count['calls of the vehicle'] += abs(len(old) - len(new))
    for a, b in zip(old, new):
        for key in [*a, *(k for k in b if k not in a)]:
            pairs = a.get(key, []), b.get(key, [])
            if key[0] != OUT:
                if pairs[0] != pairs[1]:
                    count[f'record {NAMES.get(key[0], key[0])}'] += 1
                continue
            for x, y in zip(*pairs):
                if x != y:
                    compare_frames(x, y, messages, count, largest)
            for side, word in ((0, 'gone'), (1, 'new')):
                for x in pairs[side][len(pairs[1 - side]):]:
                    count[f'{Frame(x, messages).name} {word}'] += 1
    if not count:
        count['order of messages within a pass'] += 1
    return count


def told(count, largest=None):
    def one(name, number):
        by = f' (by {largest[name]:.6g} at most)' if largest and name in largest else ''
        return f'{name} {number}{by}'
    return ', '.join(one(*pair) for pair in sorted(count.items()))


def check_sessions(conform, update):
    lines = []
    for path in sorted(glob.glob(f'{SESSIONS}/*.txt')):
        out = subprocess.run([*conform, path], capture_output=True, text=True, check=False).stdout
        lines.append(f'{out.split()[0] if out else "failed"}  {name_of(path)}\n')
    with open(EXPECTED, encoding='ascii') as f:
        wanted = f.readlines()
    for line in (line for line in lines if line not in wanted):
        print(f'recordings: session {line.split()[1]} differs')
    if update and lines != wanted:
        with open(EXPECTED, 'w', encoding='ascii') as f:
            f.writelines(lines)
    return lines == wanted


def check_flight(path, conform, build, out):
    """@return whether conform sends what is recorded; what it sends is in the file `out`"""
    ran = subprocess.run([*conform, '--quiet', '--out', out, *PACKS, path], capture_output=True, text=True, check=False)
    with open(path, 'rb') as a, open(out, 'rb') as b:
        if ran.returncode == 0 and a.read() == b.read():
            return True
    if ran.returncode != 0:
        sys.exit(f'recordings: {path}: {ran.stderr.strip()}')
    first = subprocess.run([os.path.join(build, 'replay'), '--compare', out, path], capture_output=True, text=True, check=False)
    print((first.stdout + first.stderr).strip())
    return False


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('--conform')
    arguments.add_argument('--update', action='store_true')
    args = arguments.parse_args()
    conform = shlex.split(args.conform or os.path.join(args.build, 'conform'))
    folder = os.path.join(args.build, 'recordings', os.path.basename(conform[-1]))
    os.makedirs(folder, exist_ok=True)
    sessions_are_same = check_sessions(conform, args.update)
    flights, changed, total, largest = sorted(glob.glob(f'{FLIGHTS}/*.mfr')), {}, collections.Counter(), {}
    messages = None
    for path in flights:
        out = os.path.join(folder, os.path.basename(path))
        if check_flight(path, conform, args.build, out):
            continue
        messages = messages or read_messages(os.path.join(args.build, 'tests/unit/mavlink/dump_table'))
        changed[path] = changes(path, out, messages, largest)
        total += changed[path]
    for path, count in changed.items():
        print(f'recordings: {name_of(path)}: {told(count)}')
        if args.update:
            os.replace(os.path.join(folder, os.path.basename(path)), path)
    if changed:
        print(f'recordings: {len(changed)} of {len(flights)} differ: {told(total, largest)}')
    if args.update or (sessions_are_same and not changed):
        print(f'recordings: {len(flights)} flights and all sessions: the same bytes'
              if sessions_are_same and not changed else 'recordings: brought up to date; look at what differs before you commit it')
        return 0
    print('recordings: where each of these changes is wanted: UPDATE=yes make recordings (docs/recording.md)')
    return 1


if __name__ == '__main__':
    sys.exit(main())
