#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stack.py FOLDER PREFIX FIGURE [FILE...]: worst-case stack of what was compiled into FOLDER, by its static call graph.

FILEs (names without folder and suffix) implement devices that the board does not have.

Frames and calls are gcc's own (-fcallgraph-info=su, a .ci file beside each object). A call through a pointer goes to

* h->DEVICE->MEMBER(...), or x->ops->MEMBER(...) in the device's own file: that member of every table
  `const struct mf_DEVICE_ops` (their addresses: the objects' relocations). A device that wraps another of its class calls only
  those that ci/stack.layers puts below it, so wrappers do not recur;
* k_TABLE[...].MEMBER(...), or a name that ci/stack.layers gives to a table: every function that the table holds;
* a parameter: every function whose address the callers take.

A pointer that none of these resolves, recursion, and a frame of unknown size are findings. Functions of the C library
and the compiler count OUTSIDE bytes, drivers that FOLDER does not hold DRIVER bytes. It found plans of the physics body that took
7,200 bytes of stack, and a parser that took 6,040.
"""
import collections
import os
import re
import subprocess
import sys

import figures
import style

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAYERS = os.path.join(TOP, 'ci', 'stack.layers')
# Of world/, for simulators of swarms: no flight controller links it.
OF_SWARMS = re.compile(r'world/(coverage|decibel|engine|field|medium|mover_|multirotor|obstacles|radio|sense\.|space|things|weather)')
OUTSIDE = 128  # newlib and libgcc: the deepest that is used, a 64-bit division in doubles, needs less
DRIVER = 256   # a board's serial device, clock, flash
NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]+)")?')
TABLE = re.compile(r'\bconst struct mf_(\w+)_ops (\w+)\s*=')
MEMBER = re.compile(r'\(\*(\w+)\)\(')
DEVICE_CALL = re.compile(r'(\w+)->(\w+)\(')
TABLE_CALL = re.compile(r'\b(k_\w+)\[')


def read_layers():
    """{device: {file: depth}} (0 is the innermost), {what a source line says: table}"""
    layers, names = {}, {}
    with open(LAYERS, encoding='utf-8') as f:
        for line in f:
            head, _, rest = line.split('#')[0].partition(':')
            if not rest:
                continue
            if '>' in rest:
                groups = [g.split() for g in rest.split('>')]
                layers[head.strip()] = {name: len(groups) - 1 - i for i, group in enumerate(groups) for name in group}
            else:
                names[head.strip()] = rest.strip()
    return layers, names


def rings(edges):
    """Tarjan's algorithm, without recursion: sets of nodes that reach each other, callees before callers."""
    index, low, stack, on_stack = {}, {}, [], set()
    for root in edges:
        work = [(root, iter(edges[root]))] if root not in index else []
        while work:
            node, children = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for child in children:
                if child not in index:
                    work.append((child, iter(edges[child])))
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    ring = stack[stack.index(node):]
                    del stack[-len(ring):]
                    on_stack.difference_update(ring)
                    yield ring


class Object:
    """What one object says of itself."""

    def __init__(self, path, prefix):
        self.source = ''
        self.frames, self.calls, self.pointers = {}, collections.defaultdict(set), []
        with open(path + '.ci', encoding='utf-8') as f:
            for line in f:
                self.read(line)
        self.holds = collections.defaultdict(list)  # section without its kind: [(offset, function)]
        self.read_relocations(path, prefix)

    def read(self, line):
        title = re.match(r'graph: \{ title: "([^"]+)"', line)
        if title:
            self.source = title[1]
        node = NODE.match(line)
        if node and ' bytes (' in node[2]:
            size, kind = re.search(r'(\d+) bytes \(([\w,]+)\)', node[2]).groups()
            self.frames[node[1]] = (int(size), kind)
        edge = EDGE.match(line)
        if edge and edge[2] == '__indirect_call':
            self.pointers.append((edge[1], edge[3]))
        elif edge:
            self.calls[edge[1]].add(edge[2])

    def read_relocations(self, path, prefix):
        """Addresses of functions, by the section that holds them."""
        section = ''
        listing = subprocess.run([prefix + 'objdump', '-r', '-w', path], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            if line.startswith('RELOCATION RECORDS FOR'):
                section = line.split('[')[1].split(']')[0]
                continue
            words = line.split()
            if len(words) < 3 or not re.match(r'R_(ARM_(ABS32|MOVW|THM_MOVW)|X86_64_(64|32))', words[1]):
                continue
            target = re.sub(r'[+-]0x[0-9a-f]+$', '', words[2])
            target = re.sub(r'^\.text\.(unlikely\.|startup\.)?', '', target)
            name = re.sub(r'^\.(text|rodata|data\.rel\.ro(\.local)?)\.', '', section)
            self.holds[name].append((int(words[0], 16), target))


def line_of(place):
    name, number, _ = place.split(':')
    with open(os.path.join(TOP, name), encoding='utf-8') as f:
        return f.read().split('\n')[int(number) - 1]


def header_of(device):
    """Where a table of operations is declared, or None."""
    return next((p for p in (os.path.join(TOP, room, device + '.h') for room in ('hal', 'drone')) if os.path.exists(p)), None)


def members_of(device):
    with open(header_of(device), encoding='utf-8') as f:
        text = f.read()
    body = re.search(r'struct mf_' + device + r'_ops \{(.*?)^\};', text, re.M | re.S)[1]
    return MEMBER.findall(re.sub(r'/\*.*?\*/', '', body, flags=re.S))


class Graph:
    def __init__(self, folder, prefix, without):
        self.without = without
        self.layers, self.names = read_layers()
        self.findings, self.recursions, self.boards = [], [], set()
        self.objects = [Object(os.path.join(at, name), prefix) for room in style.PURE
                        for at, _, names in sorted(os.walk(os.path.join(folder, room)))
                        for name in sorted(names) if name.endswith('.o') and not OF_SWARMS.match(f'{os.path.relpath(at, folder)}/{name}')]
        self.frames, self.calls = {}, collections.defaultdict(set)
        self.word = 4 if prefix.startswith('arm') else 8
        for o in self.objects:
            self.frames.update(o.frames)
            for caller, callees in o.calls.items():
                self.calls[caller] |= callees
        self.callers = collections.defaultdict(set)
        for caller, callees in self.calls.items():
            for callee in callees:
                self.callers[callee].add(caller)
        self.tables = {}   # (device, member): [(function, depth)]
        self.taken = collections.defaultdict(set)
        for o in self.objects:
            self.read_tables(o)
        self.jumps = collections.defaultdict(set)  # function: devices' members and plain functions behind its pointers
        for o in self.objects:
            for caller, place in o.pointers:
                self.resolve(o, caller, place)

    def known(self, o, name):
        """The graph's title of a function that an object's relocation names: of a static one, with its file."""
        own = f'{o.source}:{name}'
        return own if own in self.frames else name if name in self.frames else None

    def read_tables(self, o):
        with open(os.path.join(TOP, o.source), encoding='utf-8') as f:
            ops = {name: device for device, name in TABLE.findall(f.read())}
        for section, entries in o.holds.items():
            device = ops.get(section)
            functions = [(offset, self.known(o, name)) for offset, name in entries]
            functions = [(offset, name) for offset, name in functions if name]
            if device:
                order = members_of(device)
                stem = os.path.splitext(os.path.basename(o.source))[0]
                depth = self.layers.get(device, {}).get(stem, 0)
                if stem in self.without:
                    continue
                for offset, name in functions:
                    self.tables.setdefault((device, order[offset // self.word]), []).append((name, depth))
            else:
                base = re.sub(r'\.\d+$', '', section)
                self.taken[f'{o.source}:{base}'] |= {name for _, name in functions}

    def resolve(self, o, caller, place):
        line = line_of(place)
        for text, table in self.names.items():
            if text in line:
                if table == 'board':
                    self.boards.add(caller)
                else:
                    self.add(caller, place, line, self.table(table))
                return
        device = DEVICE_CALL.search(line)
        if device:
            home = os.path.splitext(os.path.basename(place.split(':')[0]))[0]
            name = home if device[1] == 'ops' else device[1]
            if header_of(name) and device[2] in members_of(name):
                self.jumps[caller].add((name, device[2]))
                return
        table = TABLE_CALL.search(line)
        if table:
            self.add(caller, place, line, self.table(f'{o.source}:{table[1]}'))
            return
        self.add(caller, place, line, self.passed_to(caller))

    def table(self, name):
        return {f for table, functions in self.taken.items() if table.endswith(name) for f in functions}

    def passed_to(self, function):
        """Functions whose addresses a function or its callers take: they come as its parameter."""
        seen, look, found = {function}, [function], set()
        while look:
            name = look.pop()
            source, _, short = name.rpartition(':')
            here = set()
            for o in self.objects:
                if name in o.frames and (not source or o.source == source):
                    here = {self.known(o, t) for _, t in o.holds.get(short, [])} - {None}
            found |= here
            if not here or name == function:
                look += [c for c in self.callers[name] if c not in seen]
                seen |= self.callers[name]
        return found - {function}

    def add(self, caller, place, line, functions):
        if not functions:
            self.findings.append(f'{place}: where does this pointer lead? {line.strip()}')
        self.calls[caller] |= functions

    # ---- depths

    def targets(self, function, limits):
        """(callee, limits there): limits are, for each wrapped device, the depth below which its next call goes."""
        for callee in self.calls[function]:
            yield callee, limits
        for device, member in self.jumps[function]:
            below = limits.get(device, 1 << 20)
            for callee, depth in self.tables.get((device, member), []):
                if device not in self.layers:
                    yield callee, limits
                elif depth < below:
                    yield callee, {**limits, device: depth}

    def worst(self):
        """{(function, limits): (bytes, callee with limits)}; what is in a ring counts once, all of it."""
        edges = {}
        look = [(root, ()) for root in sorted(self.frames) if not any(f'/{w}.c:' in root for w in self.without)]
        while look:
            key = look.pop()
            if key not in edges:
                edges[key] = [(callee, tuple(sorted(limits.items()))) for callee, limits in self.targets(key[0], dict(key[1]))]
                look += edges[key]
        done = {}
        for ring in rings(edges):
            frames = sum(self.frame(key[0]) for key in ring)
            inside = set(ring)
            below = [child for key in ring for child in edges[key] if child not in inside]
            deepest = max(((done[child][0], child) for child in below), default=(0, None))
            driver = max(self.driver(key[0]) for key in ring)
            for key in ring:
                done[key] = (frames + max(deepest[0], driver), deepest[1])
            if len(ring) > 1 or ring[0] in edges[ring[0]]:
                self.recursions.append(sorted({key[0] for key in ring}))
        return done

    def driver(self, function):
        """Bytes of devices that only a board has."""
        absent = [jump for jump in self.jumps[function] if all(depth > 0 or 'null' in f for f, depth in self.tables.get(jump, []))]
        return DRIVER if absent or function in self.boards else 0

    def frame(self, function):
        if function not in self.frames:
            return OUTSIDE
        size, kind = self.frames[function]
        if 'dynamic' in kind and 'bounded' not in kind:
            self.findings.append(f'{function}: a frame without a bound')
        return size


def main():
    folder, prefix, figure = sys.argv[1:4]
    graph = Graph(folder, prefix, sys.argv[4:])
    if not graph.objects:
        sys.exit(f'stack: no call graphs in {folder}')
    done = graph.worst()
    result = figures.Figures()
    top = max(((size, key) for key, (size, _) in done.items()), default=(0, None))
    print(f'stack: {len(graph.frames)} functions, {sum(map(len, graph.calls.values()))} calls, '
          f'{sum(len(o.pointers) for o in graph.objects)} through pointers; the deepest path:')
    key = top[1]
    while key:
        size, below = done.get(key, (0, None))
        print(f'  {size:6d}  {graph.frame(key[0]):5d}  {key[0]}')
        key = below
    for finding in sorted(set(graph.findings)):
        print(f'stack: {finding}')
    for ring in {tuple(r) for r in graph.recursions}:
        print(f'stack: recursion among {len(ring)} functions, counted once: ' + ' '.join(ring))
    result.add(figure, None if graph.findings else top[0], 'bytes')
    result.add(figure + '.recursions', len({tuple(r) for r in graph.recursions}), 'rings')
    return result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
