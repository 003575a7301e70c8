# SPDX-License-Identifier: Apache-2.0
"""build/mayfly-generate (SBE-19): mines and offices are seeded, closed and connected, as a flood through the triangles of the file finds out that
knows nothing of how they are made; the SVG is a golden file; mayfly-swarm reads the files as obstacles."""
import collections
import os
import re
import struct

import pytest

from cases import cases
from names import assert_names
from paths import DATA, built
from swarm_case import SwarmCase

GENERATE = built('mayfly-generate')
SEEDS = cases(1, 5)
GOLDEN = os.path.join(DATA, 'generate')


def triangles(path):
    with open(path, 'rb') as f:
        data = f.read()
    count = struct.unpack_from('<I', data, 80)[0]
    assert len(data) == 84 + 50 * count
    return [[struct.unpack_from('<3f', data, 84 + 50 * i + 12 * k) for k in (1, 2, 3)] for i in range(count)]


def flood(path, start, pitch):
    """Steps of a cell from a place, where no triangle lies in between. @return cells reached, and whether any is beyond all triangles"""
    faces = triangles(path)
    walls = set()  # (axis, middle of a face), rounded
    edges = collections.Counter()
    for t in faces:
        axis = next(a for a in range(3) if t[0][a] == t[1][a] == t[2][a])
        low, high = [min(p[a] for p in t) for a in range(3)], [max(p[a] for p in t) for a in range(3)]
        walls.add((axis, *(round((low[a] + high[a]) / 2, 3) for a in range(3))))
        for k in range(3):
            edges[t[k], t[(k + 1) % 3]] += 1
    assert all(n == edges[b, a] for (a, b), n in edges.items()), 'an edge is left over'
    box = [(min(p[a] for t in faces for p in t), max(p[a] for t in faces for p in t)) for a in range(3)]
    levels = sorted({p[2] for t in faces for p in t})  # cells differ in height: slabs and levels
    layer = next(i for i in range(len(levels) - 1) if levels[i] < start[2] < levels[i + 1])
    first = (int(start[0] // pitch), int(start[1] // pitch), layer)
    seen, todo = {first}, [first]
    while todo:
        cell = todo.pop()
        up = (levels[cell[2]], levels[cell[2] + 1])
        middle = ((cell[0] + 0.5) * pitch, (cell[1] + 0.5) * pitch, (up[0] + up[1]) / 2)
        if not all(box[a][0] < middle[a] < box[a][1] for a in range(3)):
            return seen, True
        for axis in range(3):
            for way in (-1, 1):
                face = list(middle)
                face[axis] = up[0 if way < 0 else 1] if axis == 2 else (cell[axis] + (way > 0)) * pitch
                if (axis, *(round(x, 3) for x in face)) in walls:
                    continue
                new = list(cell)
                new[axis] += way
                if not 0 <= new[2] < len(levels) - 1:
                    return seen, True
                if tuple(new) not in seen:
                    seen.add(tuple(new))
                    todo.append(tuple(new))
    return seen, False


class Generate(SwarmCase):
    def run_it(self, *args, code=0):
        return self.run_program(GENERATE, *args, code=code)

    @pytest.mark.long
    def test_closed_and_connected(self):
        """SBE-19: whatever the seed, a flood from the place that is told reaches all free cells, and nothing beyond."""
        for kind, args, pitch in (('mine', ['--columns', '21', '--rows', '15'], 4.0), ('mine', ['--columns', '18', '--rows', '24', '--levels', '3', '--cell', '2.5'], 2.5),
                                  ('office', ['--columns', '41', '--rows', '31'], 0.5), ('office', ['--columns', '30', '--rows', '40', '--levels', '3', '--room', '6'], 0.5)):
            for seed in range(1, SEEDS + 1):
                told = self.run_it(kind, self.path('a.stl'), '--seed', str(seed), *args)
                free, count = map(int, re.search(r'; (\d+) [^;,]*, (\d+) [^;,]*; \[', told).groups())
                start = [float(x) for x in re.search(r'\[(.*?)\]', told)[1].split(',')]
                cells, out = flood(self.path('a.stl'), start, pitch)
                self.assertFalse(out, (kind, seed))
                self.assertEqual(len(cells), free, (kind, seed))
                self.assertEqual(len(triangles(self.path('a.stl'))), count)

    def test_a_hole_is_found(self):
        """The flood above can fail: without one square of the outer wall it comes out."""
        told = self.run_it('mine', self.path('a.stl'), '--columns', '9', '--rows', '9')
        start = [float(x) for x in re.search(r'\[(.*?)\]', told)[1].split(',')]
        data = self.bytes('a.stl')
        at = [i for i, t in enumerate(triangles(self.path('a.stl'))) if all(p[2] == 2 for p in t)][:1][0]  # of a floor
        self.write('b.stl', data[:80] + struct.pack('<I', struct.unpack_from('<I', data, 80)[0] - 2) + data[84:84 + 50 * at] + data[84 + 50 * (at + 2):])
        with self.assertRaisesRegex(AssertionError, 'left over'):
            flood(self.path('b.stl'), start, 4.0)

    def test_seeded(self):
        def made(*args):
            self.run_it(*args[:1], self.path('a.stl'), *args[1:])
            return self.bytes('a.stl')
        for kind in ('mine', 'office'):
            self.assertEqual(made(kind, '--seed', '5'), made(kind, '--seed', '5'))
            self.assertNotEqual(made(kind, '--seed', '5'), made(kind, '--seed', '6'))

    def test_svg(self):
        """SBE-19: drawn as in the golden files. Look at those when you make them anew."""
        for kind, args in (('mine', ['--columns', '21', '--rows', '15', '--levels', '2']), ('office', ['--columns', '41', '--rows', '31'])):
            self.run_it(kind, self.path('a.stl'), '--seed', '7', *args, '--svg', self.path('a.svg'))
            self.assertEqual(self.text('a.svg'), self.text(os.path.join(GOLDEN, kind + '.svg')))

    def test_obstacles_of_a_scenario(self):
        """A file name alone is a mesh. In a drift of 4 m, two members that look along it see its end, and one that looks across its wall."""
        told = self.run_it('mine', self.path('mine.stl'), '--columns', '5', '--rows', '5')
        self.assertIn('[6, 6, 3.5]', told)
        self.swarm('''
swarm: 1
time: {clock: fast, end: 2}
space: {obstacles: [mine.stl]}
entities: [{name: a, as: agent, place: [6, 6, 3.5], sensors: [{kind: range, rate: 1, reach: 50, pitch: 90}]}]
outputs: {csv: world.csv}
''')
        self.assertAlmostEqual(float(self.rows('world.csv')[-1]['range_m']), 1.5, places=3)  # to the roof, 5 m above the lowest slab's foot

    def test_what_is_refused(self):
        for args, why in ((['mine'], 'usage'), (['cave', 'a'], 'usage'), (['mine', self.path('a'), '--columns', '4'], '--columns 5 512'),
                          (['mine', self.path('a'), '--seed', '1.5'], '--seed number'), (['mine', self.path('a'), '--cell', 'nan'], '--cell'),
                          (['mine', self.path('a'), '--colour', '1'], '--colour'), (['mine', self.path('a'), '--cell'], '--cell'),
                          (['mine', '/nowhere/a.stl'], '/nowhere/a.stl')):
            assert_names(self.run_it(*args, code=2), why)
        self.assertIn('usage', self.run_it('--help'))
